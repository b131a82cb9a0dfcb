"""Whether any test could be significant at all, given the weight of the rows."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ramify import _core
from ramify.learning.target import Target
from ramify.support.warn import RamifyWarning


def least_p_value(weight: float, n_classes: int, test: str) -> float:
    """Give a p-value that no test of an attribute can fall below, before adjustments.

    A chi-square statistic is largest if every level has a class of its own. With m + 1 levels and
    as many classes Pearson's is N m, on m^2 degrees of freedom, and that of the likelihood ratio is
    2 N ln(m + 1). More levels or classes only add degrees of freedom. The statistics of conditional
    inference are at most (N - 1) m, on m^2 degrees of freedom at least; with numbers m is 1.

    Parameters
    ----------
    weight : float
        The weight of all rows, N.
    n_classes : int
        Number of classes; 0 for numbers.
    test : {"permutation", "pearson", "likelihood_ratio", "f"}
        The test. Fisher's F has no such limit.

    Examples
    --------
    >>> round(least_p_value(1.0, 2, "permutation"), 3), round(least_p_value(5.0, 2, "pearson"), 4)
    (1.0, 0.0253)
    """
    if test == "f":
        return 0.0
    least = 1.0
    for m in range(1, max(2, n_classes)):
        if test == "likelihood_ratio":
            statistic = 2.0 * weight * math.log(m + 1)
        else:
            statistic = (weight if test == "pearson" else max(weight - 1.0, 0.0)) * m
        if statistic > 0.0:
            least = min(least, math.exp(_core.log_chi_square_tail(statistic, float(m * m))))
    return least


def warn_if_nothing_can_be_significant(settings: dict[str, Any], target: Target) -> None:
    """Warn if the weights add up to so little that every test exceeds `alpha`."""
    selection, alpha = settings["selection"], settings["alpha"]
    if selection not in ("conditional_inference", "chaid"):
        return
    test = "permutation"
    if selection == "chaid":
        merge = settings["categorical_split"][1]
        test = "f" if target.classes is None else merge.test
    weight = float(len(target.y) if target.weights is None else target.weights.sum())
    classes = 0 if target.classes is None else target.n_classes
    least = least_p_value(weight, classes, test)
    if least <= alpha:
        return
    if target.weights is None:
        cause, remedy = f"there are {weight:.0f} rows", "more rows"
    else:
        cause = f"the weights of the rows sum to {weight:.4g}, and a weight counts as so many rows"
        remedy = "weights that sum to the number of rows"
    warnings.warn(
        f"{cause}: in the tests of selection={selection!r} no p-value can be below {least:.3g}, "
        f"and alpha is {alpha:g}, so the tree is a single leaf. Give {remedy}, or a larger alpha",
        RamifyWarning,
        stacklevel=4,
    )
