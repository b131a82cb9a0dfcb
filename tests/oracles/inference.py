"""The conditional test of Hothorn, Hornik and Zeileis (2006), slow and general.

The linear statistic T = sum_i w_i g(x_i) h(y_i)' with its mean and covariance over all permutations
of the targets, and c = (T - mu) Sigma^+ (T - mu)' with the rank of Sigma as degrees of freedom:
no closed form, the same formulas for numbers and levels, classes and targets.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from oracles.problem import Problem, Rows

Floats = NDArray[np.float64]


def one_hot(values: Floats) -> Floats:
    return (values[:, None] == np.unique(values)[None, :]).astype(float)


def quadratic_test(g: Floats, h: Floats, w: Floats) -> tuple[float, int]:
    """The statistic and its degrees of freedom."""
    g = (g - g.mean(axis=0)) / np.maximum(g.std(axis=0), 1e-300)
    h = (h - h.mean(axis=0)) / np.maximum(h.std(axis=0), 1e-300)
    total = w.sum()
    mean = w @ h / total
    covariance = (h * w[:, None]).T @ h / total - np.outer(mean, mean)
    sums = w @ g
    statistic = ((g * w[:, None]).T @ h - np.outer(sums, mean)).ravel(order="F")
    squares = (g * w[:, None]).T @ g
    # Up to the factor 1 / (total - 1), which is taken out for the sake of weights below one.
    sigma = np.kron(covariance, total * squares - np.outer(sums, sums))
    values, vectors = np.linalg.eigh(sigma)
    there = values > 1e-10 * max(values.max(), 1e-12)
    rotated = vectors[:, there].T @ statistic
    return float(max(0.0, (total - 1) * (rotated**2 / values[there]).sum())), int(there.sum())


def test_of(problem: Problem, node: Rows, attribute: int) -> tuple[float, int, float]:
    """Statistic, degrees of freedom and the logarithm of the p-value; no degrees: no test."""
    cells = problem.cells(attribute, node)
    known = node.where(~np.isnan(cells))
    cells = cells[~np.isnan(cells)]
    y = problem.target[known.index].astype(float)
    if len(set(cells.tolist())) < 2 or len(set(y.tolist())) < 2:
        return 0.0, 0, 0.0
    g = one_hot(cells) if problem.columns[attribute].kind == "nominal" else cells[:, None]
    h = one_hot(y) if problem.classes else y[:, None]
    statistic, df = quadratic_test(g, h, known.weight)
    return statistic, df, float(chi2.logsf(statistic, df)) if df else 0.0


def passes(problem: Problem, node: Rows, attribute: int) -> bool:
    """Whether the filters let an attribute take part."""
    cells = problem.cells(attribute, node)
    known = node.where(~np.isnan(cells))
    nominal = problem.columns[attribute].kind == "nominal"
    if nominal and problem.min_second_value > 0:
        values = cells[~np.isnan(cells)]
        rows = sorted(known.fraction[values == v].sum() for v in np.unique(values))
        if len(rows) < 2 or rows[-2] < problem.min_second_value - 1e-9:
            return False
    if problem.significance is None or problem.significance >= 1:
        return True
    statistic, df, log_p = test_of(problem, node, attribute)
    if df and nominal and problem.classes and (total := known.weight.sum()) > 1:
        log_p = float(chi2.logsf(statistic * total / (total - 1), df))
    return df > 0 and log_p <= math.log(problem.significance)


def adjusted(problem: Problem, log_p: float, tests: int) -> float:
    if not problem.bonferroni:
        return math.exp(log_p)
    return 1 - (1 - math.exp(log_p)) ** tests
