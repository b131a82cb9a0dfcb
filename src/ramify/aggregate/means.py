"""What one nominal attribute adds to another about a numeric target: means within its values.

Invariant: the statistic is compared with its exact mean and variance over all permutations of the
target within each value, like the statistic of classes (:mod:`ramify.aggregate.chi2`).
"""

from __future__ import annotations

import numpy as np

from ramify.aggregate.chi2 import Floats, Ints, scaled_tail, sums


def conditional_log_p_of_means(joint: Ints, given: Ints, target: Floats, weights: Floats) -> float:
    """Give log p of the test that the means of `joint` differ within the values of `given`.

    Parameters
    ----------
    joint : ndarray of int
        The combination of every row: 0, 1, ...; each number occurs.
    given : ndarray of int
        The value of the first attribute that each combination has: 0, 1, ...
    target, weights : ndarray of float
        A number and a weight for every row. A weight of 2 equals a repeated row.

    Returns
    -------
    float
        At most 0, as in :func:`ramify.aggregate.chi2.conditional_log_p`.

    Notes
    -----
    The statistic is the sum of squares between the combinations within the values: that between
    the combinations minus that between the values. Within a value of N rows and r combinations of
    n_1, n_2, ... rows, it is the quadratic form y'Ay of the centred target y with
    tr A = tr A^2 = r - 1 and sum of squares of the diagonal d = sum 1/n_g - (2r - 1)/N. Its mean
    over all permutations is (r - 1) sum y^2 / (N - 1). Its variance follows from the sums of y^2
    and y^4 over the ways in which the four indices of a product may coincide.

    Examples
    --------
    >>> joint = np.repeat([0, 1, 2, 3], 10)
    >>> y = np.where(np.isin(joint, [0, 3]), 1.0, 2.0) + np.tile(np.linspace(0, 0.1, 10), 4)
    >>> conditional_log_p_of_means(joint, np.array([0, 0, 1, 1]), y, np.ones(40)) < -15
    True
    """
    n_given = int(given.max()) + 1
    of_row = given[joint]
    size = sums(joint, weights, len(given))
    rows = sums(of_row, weights, n_given)
    centred = target - (sums(of_row, weights * target, n_given) / rows)[of_row]
    squares = sums(of_row, weights * centred**2, n_given)
    fourths = sums(of_row, weights * centred**4, n_given)
    between = sums(joint, weights * centred, len(given)) ** 2 / size
    statistic = sums(given, between, n_given)
    r = np.bincount(given, minlength=n_given).astype(np.float64)
    inverse = sums(given, 1.0 / size, n_given)
    # A value with one combination, one row or a constant target says nothing.
    varies = squares > 1e-13 * sums(of_row, weights * target**2, n_given)
    kept = (r > 1) & (rows > 1) & varies
    n, r, p2, p4 = rows[kept], r[kept], squares[kept], fourths[kept]
    mean = (r - 1) * p2 / (n - 1)
    diagonal = inverse[kept] - (2 * r - 1) / n
    variance = _square(n, r - 1, diagonal, p2, p4) - mean**2
    return scaled_tail(
        float(statistic[kept].sum()), float(mean.sum()), float(np.maximum(variance, 0.0).sum())
    )


def _square(n: Floats, trace: Floats, d: Floats, p2: Floats, p4: Floats) -> Floats:
    """Give the mean of the square of the quadratic form.

    It is a sum over the ways in which indices coincide: the sum of the entries of A with such
    indices, times the mean product of such targets. The rows of A add up to zero, so that all
    sums of entries follow from the trace, which is also the sum of all squared entries, and from
    the squares of the diagonal. The targets add up to zero.
    """
    found = d * p4 / n
    found += (trace**2 + 2 * trace - 3 * d) * (p2**2 - p4) / (n * (n - 1))
    found += 4 * d * p4 / (n * (n - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        three = (12 * d - 2 * trace**2 - 4 * trace) * (2 * p4 - p2**2) / (n * (n - 1) * (n - 2))
        four = (trace**2 + 2 * trace - 6 * d) * (3 * p2**2 - 6 * p4)
        four /= n * (n - 1) * (n - 2) * (n - 3)
    return found + np.where(n > 2, three, 0.0) + np.where(n > 3, four, 0.0)
