"""What a column that tells nothing gains by chance: by shuffling, and by the formulas, slowly.

A target is a matrix with a row per row of the node, centred: the unit vectors of the classes, or
one column of numbers. A gain is the share of the total sum of squares that lies between branches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import permutations

import numpy as np
from scipy import stats
from scipy.special import ndtr

Target = np.ndarray
CONTINUITY = 0.08  # of a row, because counts are whole numbers


def of_classes(codes: np.ndarray) -> Target:
    """Give the centred unit vectors of the classes."""
    vectors = np.eye(int(codes.max()) + 1)[codes]
    return vectors - vectors.mean(axis=0)


def of_numbers(numbers: np.ndarray) -> Target:
    """Give centred numbers."""
    return (numbers - numbers.mean())[:, None]


def between_levels(target: Target, levels: np.ndarray) -> float:
    """Give the share between the levels of a nominal column."""
    sums = np.zeros((int(levels.max()) + 1, target.shape[1]))
    np.add.at(sums, levels, target)
    sizes = np.bincount(levels)[:, None]
    return float((sums**2 / np.maximum(sizes, 1)).sum() / (target**2).sum())


def best_cut(target: Target, places: np.ndarray) -> float:
    """Give the largest share between two sides, for rows in the order of a numeric column."""
    rows = len(target)
    sums = np.cumsum(target, axis=0)[places - 1]
    between = (sums**2).sum(axis=1) * rows / (places * (rows - places))
    return float(between.max() / (target**2).sum())


def all_orders(target: Target) -> Iterator[Target]:
    """Give the target in every order."""
    for order in permutations(range(len(target))):
        yield target[list(order)]


def shuffled(target: Target, times: int, seed: int) -> Iterator[Target]:
    """Give the target in random orders."""
    rng = np.random.default_rng(seed)
    for _ in range(times):
        yield target[rng.permutation(len(target))]


def moments(target: Target, sizes: np.ndarray) -> tuple[float, float]:
    """Give mean and variance of the share between levels (Kazi-Aoual et al. 1995)."""
    n, levels = len(target), len(sizes)
    products = target @ target.T
    projection = np.zeros((n, n))
    start = 0
    for size in sizes:
        projection[start : start + size, start : start + size] = 1 / size
        start += size
    projection -= 1 / n
    pair = []
    for matrix in (products, projection):
        pair.append((np.trace(matrix), (matrix**2).sum(), (np.diag(matrix) ** 2).sum()))
    (t, t2, s2), (u, u2, v2) = pair
    mean = t * u / (n - 1)
    variance = 2 * ((n - 1) * t2 - t**2) * ((n - 1) * u2 - u**2)
    variance /= (n - 1) ** 2 * (n + 1) * (n - 2)
    tails = n * (n + 1) * s2 - (n - 1) * (t**2 + 2 * t2)
    tails *= n * (n + 1) * v2 - (n - 1) * (u**2 + 2 * u2)
    variance += tails / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3))
    assert levels - 1 == round(u)
    return float(mean / t), float(variance / t**2)


def too_few_to_tell(target: Target) -> bool:
    """Whether the targets can be arranged in at most twenty ways, by counting them."""
    if target.shape[1] == 1:  # all sets of rows on the left of a cut
        return math.comb(len(target), len(target) // 2) <= 20
    _, counts = np.unique(np.round(target, 12), axis=0, return_counts=True)
    ways = math.factorial(len(target))
    for count in counts.tolist():
        ways //= math.factorial(count)
    return ways <= 20


def log_p_of_levels(target: Target, sizes: np.ndarray, share: float) -> float:
    """Give log p of a shifted gamma variable with these moments."""
    mean, variance = moments(target, sizes)
    values = np.linalg.eigvalsh(target.T @ target / len(target))
    second, third = ((values**power).sum() / values.sum() ** power for power in (2, 3))
    squares = (target**2).sum(axis=1)
    rest = (squares**2).mean() / squares.mean() ** 2 - 1 - 2 * second
    spread = (2 * second + rest / sizes).sum()  # variances of the levels
    skew = (4 * third + 4 * second * rest / sizes + (rest / sizes) ** 2).sum()
    shape = (len(sizes) - 1) / len(sizes) * spread**3 / skew**2
    scale = np.sqrt(variance / shape)
    return float(stats.gamma.logsf(shape + (share - mean) / scale, shape))


def log_p_of_threshold(target: Target, places: np.ndarray, share: float) -> float:
    """Give log p of the best cut, by a sum over all cuts."""
    n = len(target)
    covariance = target.T @ target / n
    values = np.linalg.eigvalsh(covariance)
    first, second, third = ((values**power).sum() for power in (1, 2, 3))
    second, third = second / first**2, third / first**3
    df = second**3 / third**2
    raw = share * (n - 1)
    x = max(1e-9, (raw - 1) * np.sqrt(df / second) + df)
    far = (np.sqrt(df) + 4.5) ** 2
    far_raw = 1 + (far - df) * np.sqrt(second / df)
    factors = _corrections(target, places, min(raw, far_raw), min(x, far), second)
    times = 0.5 * np.log(places / (n - places))
    steps = np.diff(times)
    middle = (factors[1:] + factors[:-1]) / 2
    seen = _overshoot(np.sqrt(2 * x * steps))
    long = float((middle * steps * seen * (1 - seen)).sum())
    close = float((middle * steps * seen**2).sum())
    one = -np.log1p(-stats.chi2.sf(x, df))
    begin = 1 + close / (long + close) if len(places) > 1 else 1.0
    p = -np.expm1(-(one * (begin + x * long) + close * _rate(x, df)))
    if places[0] == 1:
        squares = (target**2).sum(axis=1)
        alone = squares.max() / first
        if target.shape[1] > 1 and raw <= alone * (1 + 1e-9):
            share_of_them = (squares >= squares.max() * (1 - 1e-9)).mean()
            p = max(p, 1 - (1 - share_of_them) ** 2)
    return float(np.log(p))


def _corrections(
    target: Target, places: np.ndarray, raw: float, x: float, second: float
) -> np.ndarray:
    by_variance = _by_variance(target, places, raw, second)
    n = len(target)
    # The share of the largest class: its rows are the most frequent ones.
    _, counts = np.unique(np.round(target, 12), axis=0, return_counts=True)
    if target.shape[1] == 1 or 2 * counts.max() < n:
        return by_variance
    share = counts.max() / n
    return np.maximum(by_variance, [_by_deviations(n, share, left, x) for left in places])


def _by_variance(target: Target, places: np.ndarray, raw: float, second: float) -> np.ndarray:
    n = len(target)
    limit = stats.gamma.pdf(raw, 0.5 / second, scale=2 * second)
    found = []
    for left in places:
        mean, variance = moments(target, np.array([left, n - left]))
        if variance <= 1e-6 * mean**2:
            found.append(0.0)
            continue
        shape = mean**2 / variance
        found.append(stats.gamma.pdf(raw, shape, scale=1 / shape) / limit)
    return np.array(found)


def _by_deviations(n: int, p: float, left: int, x: float) -> float:
    total = 0.0
    reach = max(0.0, np.sqrt(x * left * p * (1 - p) * (n - left) / n) - CONTINUITY)
    for ours in (left * p + reach, left * p - reach):
        cells = np.array([ours, left - ours, n * p - ours, n - left - n * p + ours])
        expected = np.outer([left, n - left], [p, 1 - p]).ravel()
        if (cells < 0).any():
            continue
        present = cells > 0
        g2 = 2 * (cells[present] * np.log(cells[present] / expected[present])).sum()
        total += 0.5 * np.exp((x - g2) / 2)
    return float(total)


def _rate(x: float, df: float) -> float:
    if x < df:
        return 2 * df / x
    t = (x - df) / np.sqrt(2 * df)
    slope = 1.37 + 0.18 / np.sqrt(df) + 0.35 * (1 - 1 / df) * t
    return float(2 * ((x - df) * stats.chi2.pdf(x, df) + np.exp(-slope * t)))


def _overshoot(x: np.ndarray) -> np.ndarray:
    half = x / 2
    return (2 / x) * (ndtr(half) - 0.5) / (half * ndtr(half) + stats.norm.pdf(half))
