"""What one nominal attribute adds to another about the class: a chi-square test within its values.

Invariant: the statistic is compared with its exact mean and variance over all permutations of the
classes within each value, so that a sparse table is not significant because it is sparse.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, gammaln

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TINY = 1e-300


def log_chi2_tail(statistic: float, freedom: float) -> float:
    """Give the logarithm of the upper tail of the chi-square distribution, without underflow.

    Examples
    --------
    >>> round(log_chi2_tail(3.841459, 1), 4) == round(math.log(0.05), 4)
    True
    >>> -10010 < log_chi2_tail(20000.0, 3) < -9990
    True
    """
    if statistic <= 0.0:
        return 0.0
    shape, at = freedom / 2.0, statistic / 2.0
    tail = float(gammaincc(shape, at))
    if tail > _TINY:
        return math.log(tail)
    # Continued fraction of the incomplete gamma function by Lentz's method (DLMF 8.9.2); the tail
    # is tiny only far above the mean, where it converges within a few steps.
    b = at + 1.0 - shape
    d = 1.0 / b
    c, fraction = 1.0 / _TINY, d
    for i in range(1, 10_000):
        term = -i * (i - shape)
        b += 2.0
        d = 1.0 / (term * d + b)
        c = b + term / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-14:
            break
    return float(shape * math.log(at) - at - gammaln(shape) + math.log(fraction))


def conditional_log_p(joint: Floats, given: Ints) -> float:
    """Give log p of the test that the rows of `joint` differ within the values of `given`.

    Parameters
    ----------
    joint : ndarray of shape (combinations, classes)
        Counts of every combination of two attributes that occurs; no row is empty.
    given : ndarray of shape (combinations,)
        The value that the first attribute has in the combination: 0, 1, ...

    Returns
    -------
    float
        Zero or less; 0 if the statistic is not above its mean.

    Notes
    -----
    Within a value with N rows, r combinations and c classes, Pearson's statistic has mean
    ``N (r - 1)(c - 1) / (N - 1)`` and the variance of Dawson (1954), both exact for fixed margins.
    The statistics of the values are independent and are summed, and the sum is compared with the
    multiple of a chi-square distribution that has its mean and variance.

    Examples
    --------
    >>> xor = np.array([[30.0, 0.0], [0.0, 30.0], [0.0, 30.0], [30.0, 0.0]])
    >>> conditional_log_p(xor, np.array([0, 0, 1, 1])) < -50
    True
    >>> conditional_log_p(np.eye(4), np.array([0, 0, 1, 1]))  # the statistic cannot vary
    0.0
    """
    n_given = int(given.max()) + 1
    combinations = joint.sum(axis=1)
    classes = np.zeros((n_given, joint.shape[1]))
    np.add.at(classes, given, joint)
    rows = classes.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = joint**2 / (combinations[:, None] * classes[given])
        inverse = np.where(classes > 0, rows[:, None] / classes, 0.0).sum(axis=1)
    share = np.bincount(given, np.nansum(cells, axis=1), minlength=n_given)
    pearson = rows * (share - 1.0)
    r = np.bincount(given, minlength=n_given).astype(np.float64)
    c = (classes > 0).sum(axis=1).astype(np.float64)
    inverse_rows = np.bincount(given, rows[given] / combinations, minlength=n_given)
    # A value with one combination, one class or one row says nothing.
    kept = (r > 1) & (c > 1) & (rows > 1)
    n, r, c = rows[kept], r[kept], c[kept]
    mean = float((n * (r - 1) * (c - 1) / (n - 1)).sum())
    variance = float(_dawson_variance(n, r, c, inverse_rows[kept], inverse[kept]).sum())
    return scaled_tail(float(pearson[kept].sum()), mean, variance)


def sums(keys: Ints, values: Floats, length: int) -> Floats:
    """Add up the values of every key from 0 to `length` - 1."""
    return np.bincount(keys, values, minlength=length).astype(np.float64)


def scaled_tail(statistic: float, mean: float, variance: float) -> float:
    """Give the log tail of the multiple of a chi-square that has this mean and variance.

    It is 0 if the statistic is not above its mean, or cannot vary.

    Examples
    --------
    >>> scaled_tail(2 * 3.841459, 2.0, 8.0) == log_chi2_tail(3.841459, 1.0)
    True
    """
    # a statistic that cannot vary equals its mean, but for rounding
    if variance <= 1e-9 * mean * mean or statistic <= mean:
        return 0.0
    scale = variance / (2.0 * mean)
    return log_chi2_tail(statistic / scale, mean / scale)


def _dawson_variance(n: Floats, r: Floats, c: Floats, by_row: Floats, by_class: Floats) -> Floats:
    # Dawson (1954), A simplified expression for the variance of the chi-square function on a
    # contingency table, Biometrika 41, p. 280. by_row, by_class: sums of N / margin.
    with np.errstate(divide="ignore", invalid="ignore"):
        v_row, v_class = (r - 1) * (n - r) / (n - 1), (c - 1) * (n - c) / (n - 1)
        w_row, w_class = (by_row - r * r) / (n - 2), (by_class - c * c) / (n - 2)
        smooth = 2 * n / (n - 3) * (v_row - w_row) * (v_class - w_class)
        # with three rows v equals w; with two rows the statistic cannot vary
        smooth = np.where(n > 3, smooth, 0.0)
        found = np.where(n > 2, smooth + n * n / (n - 1) * w_row * w_class, 0.0)
    return np.maximum(found, 0.0)
