"""The learners by name, for --learner and --learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from ramify.cli._options import Task


class Learner(StrEnum):
    """How a tree is found."""

    greedy = "greedy"
    optimal = "optimal"
    cart = "cart"
    simple_cart = "simple_cart"
    twoing_cart = "twoing_cart"
    c45 = "c45"
    id3 = "id3"
    chaid = "chaid"
    ctree = "ctree"
    bftree = "bftree"


def make_learner(learner: Learner, task: Task, parameters: Mapping[str, Any]) -> Any:
    """Give an estimator with these parameters; an error names the option that does not fit."""
    import ramify

    regression = task is Task.regression
    name = "TreeRegressor" if regression else "TreeClassifier"
    kinds: dict[Learner, Callable[..., Any]] = {
        Learner.greedy: getattr(ramify, name),
        Learner.optimal: getattr(ramify, f"Optimal{name}"),
    }
    make = kinds.get(learner) or _preset(learner, task)
    if foreign := sorted(parameters.keys() - make().get_params().keys()):
        option = foreign[0].replace("_", "-")
        raise ValueError(f"--{option} does not go with --learner {learner}")
    return make(**parameters)


def _preset(learner: Learner, task: Task) -> Callable[..., Any]:
    from functools import partial

    from ramify import presets

    make: Callable[..., Any] = getattr(presets, learner)
    if learner in (Learner.cart, Learner.ctree):
        return partial(make, task=str(task))
    if task is Task.regression:
        fitting = (Learner.greedy, Learner.optimal, Learner.cart, Learner.ctree)
        raise ValueError(f"--learner {learner} predicts classes; for numbers: {', '.join(fitting)}")
    return make


def read_learners(names: str) -> list[Learner]:
    """Read a list of names with commas between them."""
    found = []
    for name in filter(None, (part.strip().replace("-", "_") for part in names.split(","))):
        if name not in Learner.__members__:
            raise ValueError(f"--learners: {name!r} is not one of {', '.join(Learner.__members__)}")
        found.append(Learner(name))
    if len(set(found)) < len(found):
        raise ValueError("--learners names a learner twice")
    return found
