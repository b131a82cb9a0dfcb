"""The three MONK's problems: robots, and a rule that says which of them belong."""

from __future__ import annotations

from itertools import product
from typing import Literal

import numpy as np

from ramify.datasets.dataset import Dataset, text_column
from ramify.learning.parameters import choice, seed

_SHAPES = ("round", "square", "octagon")
_LEVELS = {
    "head_shape": _SHAPES,
    "body_shape": _SHAPES,
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}
_TRAINING_ROWS = {1: 124, 2: 169, 3: 122}
_NOISE = 0.05  # of the training rows of the third problem


def load_monks(
    problem: Literal[1, 2, 3],
    *,
    subset: Literal["all", "train"] = "all",
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Load one of the three MONK's problems: 432 robots of six nominal columns, classes yes and no.

    1. head and body have the same shape, or the jacket is red;
    2. exactly two of the six columns have their first level (round, round, yes, sword, red, yes);
    3. a green jacket and a sword, or a jacket that is not blue and a body that is no octagon.

    Parameters
    ----------
    problem : {1, 2, 3}
        Which rule.
    subset : {"all", "train"}
        "all" robots, which is also the published test set, or a random sample of the published
        size of the training set (124, 169 and 122 rows) to train on. In the sample of the third
        problem 5 % of the classes are wrong, as in the published one. The published samples were
        random, too, but not these.
    random_state : int or Generator, optional
        The seed of the sample; None means 0.

    References
    ----------
    Thrun et al. (1991), The MONK's problems: a performance comparison of different learning
    algorithms. Carnegie Mellon University, CS-CMU-91-197.

    Examples
    --------
    >>> [load_monks(problem).y.tolist().count("yes") for problem in (1, 2, 3)]
    [216, 142, 228]
    >>> load_monks(3, subset="train")
    Dataset(122 rows, 0 numeric and 6 nominal columns, target 'class')
    """
    if problem not in _TRAINING_ROWS or isinstance(problem, bool):
        raise ValueError(f"problem={problem!r} is not one of {list(_TRAINING_ROWS)}")
    choice("subset", subset, ("all", "train"))
    robots = list(product(*_LEVELS.values()))
    belongs = np.array([_belongs(problem, robot) for robot in robots])
    chosen = np.arange(len(robots))
    if subset == "train":
        rng = np.random.default_rng(seed(random_state))
        chosen = rng.permutation(len(robots))[: _TRAINING_ROWS[problem]]
        belongs = belongs[chosen]
        if problem == 3:
            wrong = rng.permutation(len(chosen))[: round(_NOISE * len(chosen))]
            belongs[wrong] = ~belongs[wrong]
    return Dataset(
        data={name: text_column(robots[i][j] for i in chosen) for j, name in enumerate(_LEVELS)},
        target=text_column("yes" if one else "no" for one in belongs),
        target_name="class",
        description=f"MONK's problem {problem} (Thrun et al. 1991): does the robot belong?",
    )


def _belongs(problem: int, robot: tuple[str, ...]) -> bool:
    head, body, _, holding, jacket, _ = robot
    if problem == 1:
        return head == body or jacket == "red"
    if problem == 2:
        return (
            sum(one == levels[0] for one, levels in zip(robot, _LEVELS.values(), strict=True)) == 2
        )
    return (jacket == "green" and holding == "sword") or (jacket != "blue" and body != "octagon")
