"""What an optimal classifier minimises: its parameters, and which of them go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ramify.learning.parameters import UNLIMITED, is_number
from ramify.learning.target import Target
from ramify.learning.weights import class_weights, times_class_weights
from ramify.tree import Tree
from ramify.tree.conditions import LEAF

OBJECTIVES = ("error", "balanced_accuracy", "f1")
#: Constraints on trees. The search over fronts of error and missed rows does not know them.
_CONSTRAINTS = ("skeleton", "monotone")
#: What does not go with an objective.
_REFUSED = {
    "balanced_accuracy": ("class_weight",),
    "f1": ("class_weight", "costs", "upper_bound", "min_recall", "n_thresholds"),
}


def read_min_recall(name: str, value: Any) -> dict[Any, float]:
    """Read the least recall of classes; {} is no limit."""
    if value is None:
        return {}
    shape = "a dict from class to the least share of its rows that must be found, from 0 to 1"
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f"{name}={value!r:.80} must be None or {shape}")
    for label, share in value.items():
        if not is_number(share) or not 0.0 <= float(share) <= 1.0:
            raise ValueError(
                f"{name}: {share!r:.80} for class {label!r} is not valid; give {shape}"
            )
    return {label: float(share) for label, share in value.items()}


def _is_set(name: str, value: Any) -> bool:
    if name == "n_thresholds":
        return bool(value == "grow")
    if name == "upper_bound":
        return bool(value < np.inf)
    return value is not None and (name not in ("min_recall", *_CONSTRAINTS) or bool(value))


def check_together(settings: dict[str, Any], estimator: Any) -> None:
    """Raise a ValueError that names two parameters of an estimator that do not go together."""
    objective, limits = settings["objective"], settings["min_recall"]
    here = f"objective={objective!r}", "objective='error'"
    refused = [(name, *here) for name in _REFUSED.get(objective, ())]
    if limits:
        more = f"min_recall={limits!r:.80}", "min_recall=None"
        refused += [(name, *more) for name in ("upper_bound", "n_thresholds", *_CONSTRAINTS)]
    for name, what, instead in refused:
        if _is_set(name, settings[name]):
            value = getattr(estimator, name)
            other = "a number or 'mdl'" if name == "n_thresholds" else "None"
            why = ", which its search over fronts does not know" if name in _CONSTRAINTS else ""
            raise ValueError(
                f"{what} does not go with {name}={value!r:.80}{why}; choose {name}={other} or "
                f"{instead}"
            )
    if limits and settings["max_depth"] == settings["max_leaves"] == UNLIMITED:
        raise ValueError(
            f"min_recall={limits!r:.80} does not go with max_depth=None alone; choose a max_depth "
            "or max_leaves"
        )
    if settings["positive"] is not None and objective != "f1":
        raise ValueError(
            f"positive={settings['positive']!r:.80} is for objective='f1', not {objective!r}; "
            "leave it out"
        )


def balanced(target: Target) -> Target:
    """Give every class the same total weight, and all together that of all rows."""
    assert target.classes is not None
    by_class = class_weights("balanced", target.classes, target.y, target.weights)
    weights = times_class_weights(target.weights, by_class, target.y)
    return replace(target, weights=weights, class_weights=by_class)


def positive_code(target: Target, positive: Any) -> int:
    """Give the code of the class that F1 is about; None is the last of the two."""
    assert target.classes is not None
    labels = target.classes.tolist()
    named = ", ".join(map(repr, labels[:20]))
    if len(labels) != 2:
        raise ValueError(
            f"objective='f1' needs two classes, and y has {len(labels)}: {named}; choose "
            "objective='balanced_accuracy'"
        )
    if positive is not None and positive not in labels:
        raise ValueError(f"positive={positive!r:.80} is not a class; the classes are {named}")
    code = 1 if positive is None else labels.index(positive)
    if not target.value(target.rows)[code] > 0.0:
        raise ValueError(
            f"objective='f1': no row of positive weight has the class {labels[code]!r}"
        )
    return code


def recall_codes(target: Target, limits: Mapping[Any, float]) -> dict[int, float]:
    """Give the limits by code of the class."""
    assert target.classes is not None
    labels = target.classes.tolist()
    for label in limits:
        if label not in labels:
            named = ", ".join(map(repr, labels[:20]))
            raise ValueError(
                f"min_recall names {label!r:.80}, which is not a class; the classes are {named}"
            )
    return {labels.index(label): share for label, share in limits.items() if share > 0.0}


def recall_words(limits: Mapping[Any, float] | None) -> str:
    """Say which recall is asked for; "" for none."""
    asked = [f"{share:g} for {label!s}" for label, share in (limits or {}).items()]
    return f"a recall of at least {', '.join(asked)}" if asked else ""


def answer_error(tree: Tree, target: Target) -> float:
    """Give the training error of a tree with the answers of its leaves, whatever chose them."""
    leaves = np.flatnonzero(tree.data["kind"] == LEAF)
    value = tree.data["value"][leaves]
    costs = 1.0 - np.eye(target.n_classes) if target.regrets is None else target.regrets
    return float((value * costs[:, tree.label_codes[leaves]].T).sum() / target.total)
