"""Growing a tree: what the user asks for as an estimator, and the fit with rows held out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.held_out import HeldOut, hold_out
from ramify.steps.apart import groups_apart
from ramify.steps.learners import Learner, make_learner, usual_settings
from ramify.steps.task import Task
from ramify.studio.data import Prepared
from ramify.studio.jobs import Job

#: Parameters that are numbers, as the page and the command line call them.
LIMITS = ("max_depth", "max_leaves", "min_samples_leaf")
#: The learners of the page; the first is the usual one.
LEARNERS = (
    Learner.greedy,
    Learner.optimal,
    Learner.cart,
    Learner.c45,
    Learner.ctree,
    Learner.chaid,
)
_FOR_NUMBERS = (Learner.greedy, Learner.optimal, Learner.cart, Learner.ctree, Learner.chaid)
_SECONDS = 60.0


@dataclass(frozen=True)
class Settings:
    """What the user asks of a tree.

    Parameters
    ----------
    learner : Learner
    limits : mapping of str to int
        `max_depth`, `max_leaves` and `min_samples_leaf`, where they are given.
    monotone : mapping of str to {-1, 1}
    never_together : tuple of pairs of str
    costs : mapping of str to float
        What a wrong answer costs where a class is true; 1 where nothing is said.
    balanced : bool
        Whether all classes count the same.
    time_limit : float or None
        Seconds; None is the usual limit of the learner.
    leaves : int or None
        The size that the dial was moved to; None is the size that the learner chose.
    """

    learner: Learner = Learner.greedy
    limits: Mapping[str, int] = field(default_factory=dict)
    monotone: Mapping[str, int] = field(default_factory=dict)
    never_together: tuple[tuple[str, str], ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict)
    balanced: bool = False
    time_limit: float | None = None
    leaves: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        return {
            "learner": str(self.learner),
            "limits": dict(self.limits),
            "monotone": dict(self.monotone),
            "never_together": [list(pair) for pair in self.never_together],
            "costs": dict(self.costs),
            "balanced": self.balanced,
            "time_limit": self.time_limit,
            "leaves": self.leaves,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        """Undo `to_dict`; a ValueError says what is wrong."""
        learner = data.get("learner", "greedy")
        if learner not in Learner.__members__:
            raise ValueError(f"learner={learner!r} is not one of {', '.join(LEARNERS)}")
        limits = dict(data.get("limits") or {})
        for name, value in limits.items():
            if name not in LIMITS or type(value) is not int or value < (name != "max_depth"):
                raise ValueError(f"{name}={value!r} must be a whole number of at least 1")
        monotone = dict(data.get("monotone") or {})
        for name, sign in monotone.items():
            if sign not in (-1, 1):
                raise ValueError(f"monotone: {name!r} is {sign!r}, and not 1 or -1")
        pairs = tuple(tuple(map(str, pair)) for pair in data.get("never_together") or ())
        if any(len(pair) != 2 or pair[0] == pair[1] for pair in pairs):
            raise ValueError("never together: give two different columns")
        costs = dict(data.get("costs") or {})
        for name, cost in costs.items():
            if not _is_number(cost) or not 0 <= cost < 1e12:
                raise ValueError(f"the cost of {name!r} is {cost!r}; it must be at least 0")
        seconds = data.get("time_limit")
        if seconds is not None and (not _is_number(seconds) or not 0 < seconds < 1e7):
            raise ValueError(f"time_limit={seconds!r} must be seconds above 0")
        leaves = data.get("leaves")
        if leaves is not None and (type(leaves) is not int or leaves < 1):
            raise ValueError(f"leaves={leaves!r} must be a whole number of at least 1")
        return cls(
            learner=Learner(learner),
            limits=limits,
            monotone=monotone,
            never_together=pairs,  # type: ignore[arg-type]
            costs={str(name): float(cost) for name, cost in costs.items()},
            balanced=bool(data.get("balanced", False)),
            time_limit=None if seconds is None else float(seconds),
            leaves=leaves,
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def learners_of(task: Task) -> list[str]:
    """Give the learners that can predict this kind of target."""
    return [str(one) for one in (_FOR_NUMBERS if task is Task.regression else LEARNERS)]


def parameters(prepared: Prepared, settings: Settings) -> dict[str, Any]:
    """Give the parameters of the estimator, as its constructor takes them."""
    task, columns = prepared.task, prepared.table.data
    given: dict[str, Any] = dict(settings.limits)
    signs = {name: sign for name, sign in settings.monotone.items() if name in columns}
    if signs:
        given["monotone"] = signs
    pairs = [pair for pair in settings.never_together if all(name in columns for name in pair)]
    if pairs:
        given["interactions"] = groups_apart(pairs, columns)
    if settings.time_limit is not None:
        given["time_limit"] = settings.time_limit
    elif settings.learner is Learner.optimal:
        given["time_limit"] = _SECONDS
    if task is Task.classification:
        if settings.balanced:
            given["class_weight"] = "balanced"
        if costs := cost_matrix(prepared.classes, settings.costs):
            given["costs"] = costs
    usual = usual_settings(settings.learner, task, prepared.table.n_rows, given)
    about = {"identifiers": "keep", "min_level_count": prepared.min_level_count}
    return about | usual | given | {"n_jobs": -1}


def cost_matrix(classes: list[Any], costs: Mapping[str, float]) -> list[list[float]] | None:
    """Give what every answer costs, true class by predicted class; None if all cost the same."""
    own = [costs.get(str(label), 1.0) for label in classes]
    if all(cost == 1.0 for cost in own):
        return None
    return [[0.0 if i == j else cost for j in range(len(own))] for i, cost in enumerate(own)]


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree that was grown, and the rows that it learned from.

    Parameters
    ----------
    estimator : estimator
        As it was grown.
    held_out : HeldOut or None
        Its predictions of the rows that were held out.
    train, test : ndarray of int
        Places in the prepared table.
    messages : tuple of str
        What the fit warned of.
    stopped : bool
        Whether the user stopped it.
    """

    estimator: Any
    held_out: HeldOut | None
    train: NDArray[np.intp]
    test: NDArray[np.intp]
    messages: tuple[str, ...] = ()
    stopped: bool = False

    def cut(self, leaves: int | None) -> Grown:
        """Give the tree of another size of its pruning path."""
        if leaves is None or leaves == self.estimator.tree_.n_leaves:
            return self
        return replace(self, estimator=self.estimator.prune(n_leaves=leaves))


def grow(prepared: Prepared, settings: Settings, job: Job) -> Grown:
    """Fit the tree that the user asks for; the job tells how far it is, and may stop it."""
    job.say("loading the learner")
    estimator = make_learner(settings.learner, prepared.task, parameters(prepared, settings))
    if hasattr(estimator, "on_progress"):
        estimator.set_params(on_progress=job.moment)
    X, y, weights = prepared.table.data, prepared.y, prepared.weights
    n = len(y)
    everything, nothing = np.arange(n, dtype=np.intp), np.empty(0, dtype=np.intp)
    job.say("growing")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        if prepared.choices.hold_out and n >= 10:
            estimator, held_out = hold_out(estimator, X, y, sample_weight=weights)
            assert held_out.index is not None
            test = np.asarray(held_out.index, dtype=np.intp)
            mask = np.ones(n, dtype=bool)
            mask[test] = False
            train = everything[mask]
        else:
            estimator.fit(X, y) if weights is None else estimator.fit(X, y, weights)
            held_out, train, test = None, everything, nothing
    stopped = getattr(estimator, "search_", {}).get("stopped_by") == "interrupt"
    job.keep()
    if hasattr(estimator, "on_progress"):
        estimator.set_params(on_progress=None)
    estimator.name_target(prepared.target)
    messages = tuple(dict.fromkeys(" ".join(str(one.message).split()) for one in caught))
    return Grown(estimator, held_out, train, test, messages, stopped)
