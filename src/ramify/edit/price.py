"""What an edit costs: the errors before and after it, on the rows that grew the tree and on others.

Invariant: every number is that of the whole estimator on all rows, as ``predict`` would give it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """How the mean loss of some rows changes.

    Parameters
    ----------
    measure : str
        What is measured: "error" (the share of wrong predictions), "cost", or the loss of numbers,
        such as "mean squared error".
    rows : int
        Number of rows.
    before, after : float
        The weighted mean over all rows.
    standard_error : float
        Of the change, from the differences row by row.
    p_value : float
        Of the paired test that nothing changes: McNemar's exact test for errors of rows that all
        weigh the same, otherwise the paired t-test. 1 if no row changes.
    better, worse : int
        Rows whose loss falls, and rows whose loss rises.
    """

    measure: str
    rows: int
    before: float
    after: float
    standard_error: float
    p_value: float
    better: int
    worse: int

    @property
    def change(self) -> float:
        """After minus before: below zero is better."""
        return self.after - self.before

    def __str__(self) -> str:
        spread = f" ± {self.standard_error:.2g}" if math.isfinite(self.standard_error) else ""
        return (
            f"{self.measure} {self.before:.4g} -> {self.after:.4g} "
            f"({self.change:+.4g}{spread}, p {self.p_value:.2g})"
        )


@dataclass(frozen=True)
class Bound:
    """What is proven of the best tree that keeps to everything that is locked.

    Parameters
    ----------
    loss : float
        The training error, or cost, of the best tree of the same depth.
    lower : float
        No such tree has less; equal to `loss` if that is proven.
    proven : bool
        Whether the search was finished.
    leaves : int
        Leaves of the tree that was found.
    """

    loss: float
    lower: float
    proven: bool
    leaves: int


@dataclass(frozen=True)
class Price:
    """What an edit costs.

    Parameters
    ----------
    action : str
        What was done: "split", "collapse", ...
    node : int
        The node that was edited, by its number in the new tree.
    training : Change
        On the rows that the tree was grown on.
    validation : Change or None
        On rows that it has not seen; None if there are none.
    training_cost, validation_cost : Change or None
        The same for the costs, if the estimator has costs.
    leaves_before, leaves_after, depth_before, depth_after : int
        The size of the tree.
    passed_over : tuple of str
        Conditions below that no longer divide their rows, and were left out.
    bound : Bound or None
        With ``bound=True``.
    dry_run : bool
        Whether the edit was only tried.
    """

    action: str
    node: int
    training: Change
    validation: Change | None
    training_cost: Change | None
    validation_cost: Change | None
    leaves_before: int
    leaves_after: int
    depth_before: int
    depth_after: int
    passed_over: tuple[str, ...] = ()
    bound: Bound | None = None
    dry_run: bool = False

    @property
    def note(self) -> str:
        """What the price is based on."""
        if self.validation is None:
            return "training only: no rows were held out"
        return f"{self.validation.rows:,} held-out rows"

    def numbers(self) -> dict[str, Any]:
        """Give the numbers that a model keeps of it."""
        found: dict[str, Any] = {"leaves": (self.leaves_before, self.leaves_after)}
        for name in ("training", "validation", "training_cost", "validation_cost"):
            change = getattr(self, name)
            if change is not None:
                found[name] = {
                    "measure": change.measure,
                    "before": change.before,
                    "after": change.after,
                    "standard_error": change.standard_error,
                    "p_value": change.p_value,
                }
        return found

    def __str__(self) -> str:
        lines = [f"{self.action} at node {self.node}{' (not done)' if self.dry_run else ''}"]
        for name, change in (
            ("held out", self.validation),
            ("held out", self.validation_cost),
            ("training", self.training),
            ("training", self.training_cost),
        ):
            if change is not None:
                lines.append(f"  {name}: {change}")
        lines.append(f"  leaves: {self.leaves_before} -> {self.leaves_after}")
        if self.validation is None:
            lines.append(f"  {self.note}")
        if self.passed_over:
            lines.append(f"  left out, as they divide nothing: {'; '.join(self.passed_over)}")
        if self.bound is not None:
            proven = "proven best" if self.bound.proven else f"at least {self.bound.lower:.4g}"
            lines.append(f"  with these locks: {self.bound.loss:.4g} ({proven})")
        return "\n".join(lines)


def compare(
    measure: str,
    before: Floats,
    after: NDArray[Any],
    rows: NDArray[Any],
    weights: Floats | None,
    *,
    counts: bool,
) -> Change:
    """Compare losses row by row.

    Parameters
    ----------
    measure : str
    before : ndarray
        The losses of all rows before the edit.
    after : ndarray
        The losses afterwards, of the rows below.
    rows : ndarray of int
        The rows that the edit may change.
    weights : ndarray or None
        Of all rows.
    counts : bool
        Whether losses are 0 or 1.
    """
    n = len(before)
    difference = after.astype(np.float64)
    difference -= before[rows]
    better, worse = int((difference < 0).sum()), int((difference > 0).sum())
    if weights is None:
        total, change = float(n), float(difference.sum())
        mean_before = float(before.sum()) / total
        squares = float(difference @ difference)
    else:
        total, weighed = float(weights.sum()), weights[rows] * difference
        change, mean_before = float(weighed.sum()), float(before @ weights) / total
        squares = float(weighed @ weighed)
    if counts and weights is None:  # whole numbers: the sums are exact
        mean_after = (float(before.sum()) + change) / total
    else:
        rest = before.copy()
        rest[rows] = after
        mean_after = float(rest.sum() if weights is None else rest @ weights) / total
    mean = change / total
    if weights is None:
        variance = max(0.0, squares - n * mean * mean) / max(n - 1, 1)
        standard_error = math.sqrt(variance / n)
    else:
        # Rows that do not change differ from the mean change, too.
        others = float(weights @ weights)
        inside = float((weights[rows] * weights[rows]) @ difference)
        spread = squares - 2.0 * mean * inside + mean * mean * others
        standard_error = math.sqrt(max(0.0, spread)) / total
    p_value = _p_value(better, worse, mean, standard_error, n, exact=counts and weights is None)
    return Change(measure, n, mean_before, mean_after, standard_error, p_value, better, worse)


def _p_value(
    better: int, worse: int, mean: float, standard_error: float, n: int, *, exact: bool
) -> float:
    if better + worse == 0:
        return 1.0
    if exact:
        from scipy.stats import binomtest

        return float(binomtest(better, better + worse, 0.5).pvalue)
    if not standard_error > 0.0 or n < 2:
        return 1.0
    from scipy.special import stdtr

    return float(2.0 * stdtr(n - 1, -abs(mean) / standard_error))
