"""What cannot be had out of core, said before anything is read."""

from __future__ import annotations

from typing import Any

from ramify.pruning.bottom_up import ErrorBased, ReducedError
from ramify.pruning.mdl import MDL
from ramify.pruning.sequences import BestFirst, CostComplexity, CriticalValue

#: Parameters that need all rows of a node at once, or values that no bound rules out: what is
#: allowed, why, and what to choose.
_ALLOWED: dict[str, tuple[tuple[Any, ...], str, str]] = {
    "selection": (
        ("criterion", "conditional_inference", "chaid"),
        "the probability of a gain asks for the places of all cuts",
        "selection='criterion', 'conditional_inference' or 'chaid'",
    ),
    "n_permutations": (
        (0,),
        "shuffled targets are searched on the rows themselves",
        "n_permutations=0, and unbiased_importances on a sample",
    ),
}


def refuse(
    settings: dict[str, Any],
    given: dict[str, Any],
    memory_limit: Any,
    needed: int,
    *,
    in_order: bool,
) -> None:
    """Raise a ValueError for the first parameter that cannot be had.

    Parameters
    ----------
    settings : dict
        The settings of a fit.
    given : dict
        The parameters as the estimator has them, for the message.
    memory_limit : object
        As it was given.
    needed : int
        Bytes with which all rows would be in memory.
    in_order : bool
        Whether the rows of the source come in the same order in every scan.
    """
    way_out = (
        f"or a memory_limit of at least {needed / 1e9:.3g} GB, with which all rows are in memory "
        f"(it is {memory_limit!r})"
    )

    def refused(name: str, why: str, choice: str) -> ValueError:
        return ValueError(
            f"{name}={given[name]!r:.80} cannot be had out of core: {why}. Choose {choice}, "
            f"{way_out}"
        )

    for name, (allowed, why, choice) in _ALLOWED.items():
        if name in settings and settings[name] not in allowed:
            raise refused(name, why, choice)
    if settings["identifiers"] == "drop" and not in_order:
        raise refused(
            "identifiers",
            "numbers that count the rows are told by their order, which this source need not keep",
            "'keep' or 'warn', and leave such columns out of the source",
        )
    pruning = settings["pruning"]
    if pruning is None or _fixed(pruning):
        return
    if isinstance(pruning, (ErrorBased, MDL)):
        return
    if pruning.time_limit is not None:
        raise refused("pruning", "its folds have no time_limit", "time_limit=None")
    if not in_order:
        raise refused(
            "pruning",
            "rows that are left out must come in the same order in every scan, and those of this "
            "source need not",
            "a source of files, or pruning=None",
        )


#: Prunings along a sequence, whose folds share scans.
_ALONG_SEQUENCE = (CostComplexity, CriticalValue, BestFirst)


def folds_of(pruning: Any) -> int:
    """Give the number of folds that a pruning cross-validates with; 0 if it has none."""
    if isinstance(pruning, ReducedError):
        return int(pruning.folds) if pruning.significance == "cv" else 0
    if not isinstance(pruning, _ALONG_SEQUENCE) or _fixed(pruning):
        return 0
    return int(pruning.folds)


def reads_targets(pruning: Any, *, classes: bool) -> bool:
    """Tell whether a pruning looks at the targets of the rows before a tree is grown."""
    if isinstance(pruning, BestFirst):
        return pruning.stage == "pre"
    return isinstance(pruning, ReducedError) or (isinstance(pruning, MDL) and not classes)


def _fixed(pruning: Any) -> bool:
    if isinstance(pruning, CostComplexity):
        return pruning.alpha is not None
    return isinstance(pruning, CriticalValue) and pruning.threshold is not None
