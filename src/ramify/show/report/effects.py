"""Partial dependence: the mean prediction of a tree if a column had one value in all rows.

A tree's answer changes only at the thresholds of the column, so one value between two neighbouring
thresholds stands for all of them: the curve is exact for the rows that it is made from.

Reference: J. H. Friedman, Greedy function approximation: a gradient boosting machine, Annals of
Statistics 29 (2001), section 8.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning import parameters as check
from ramify.show.report.rows import ReportRows
from ramify.support.page.json_numbers import json_number, rounded
from ramify.tables import Table
from ramify.tables.levels import MISSING
from ramify.tree import Tree
from ramify.tree.conditions import THRESHOLD

_ROWS = 1000
_COLUMNS = 24
_CUTS = 40  # the most thresholds of a curve
_LEVELS = 12
_CLASSES = 12
_DECILES = np.linspace(0.1, 0.9, 9)


def effects_json(
    estimator: Any, rows: ReportRows, *, of: str, importances: NDArray[np.float64]
) -> dict[str, Any]:
    """The partial dependence of the fitted tree on the columns that it asks about.

    Parameters
    ----------
    estimator : estimator of one tree
        A fitted one.
    rows : ReportRows
        Rows with the other columns; at most 1,000 of them are taken, evenly spread.
    of : str
        What the rows are: "training" or "test".
    importances : ndarray
        Per column; the most important come first.
    """
    tree = estimator.tree_
    chosen = np.unique(np.linspace(0, rows.table.n_rows - 1, min(_ROWS, rows.table.n_rows)))
    places = chosen.astype(np.intp)
    table = Table(
        rows.table.schema,
        len(places),
        None,
        [np.ascontiguousarray(rows.table.column(j)[places]) for j in range(len(rows.table))],
    )
    weights = None if rows.weights is None else rows.weights[places]
    if weights is not None and not weights.any():
        weights = None
    predict = _Mean(tree, table, weights, check.threads(estimator.n_jobs))
    asked = np.unique(tree.data["attribute"][tree.data["n_children"] > 0]).tolist()
    order = sorted(asked, key=lambda j: (-importances[j], j))[:_COLUMNS]
    return {
        "rows": table.n_rows,
        "of": of,
        "classes": predict.classes,
        "mean": predict.as_they_are(),
        "columns": [_effect(tree, rows.table, predict, j) for j in order],
    }


class _Mean:
    """The mean prediction of some rows, one column changed."""

    def __init__(
        self, tree: Tree, table: Table, weights: NDArray[np.float64] | None, threads: int
    ) -> None:
        self.tree, self.table, self.weights, self.threads = tree, table, weights, threads
        weight = tree.data["value"][0]
        self.classes = (
            []
            if tree.classes is None
            else np.sort(np.argsort(-weight, kind="stable")[:_CLASSES]).tolist()
        )

    def as_they_are(self) -> list[Any]:
        return self._of(self.table.arrays)

    def at(self, j: int, value: Any) -> list[Any]:
        """With one value in column j of all rows."""
        arrays = list(self.table.arrays)
        arrays[j] = np.full(self.table.n_rows, value, dtype=arrays[j].dtype)
        return self._of(arrays)

    def _of(self, arrays: list[NDArray[Any]]) -> list[Any]:
        values = self.tree.core.predict(arrays, self.tree.unseen, self.threads)
        mean = np.average(values, axis=0, weights=self.weights)
        kept = mean[self.classes] if self.classes else mean[:1]
        return [rounded(x) for x in kept.tolist()]


def _effect(tree: Tree, table: Table, predict: _Mean, j: int) -> dict[str, Any]:
    column = tree.schema.columns[j]
    found: dict[str, Any] = {"column": j}
    cells = table.column(j)
    if column.kind == "numeric":
        cuts = _cuts(tree, j)
        finite = cells[np.isfinite(cells)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
        points = [*cuts.tolist(), np.inf]  # each interval holds its upper end
        found["cuts"] = [json_number(x) for x in cuts.tolist()]
        found["range"] = [min([low, *cuts[:1].tolist()]), max([high, *cuts[-1:].tolist()])]
        found["mean"] = [predict.at(j, point) for point in points]
        if len(finite):
            found["deciles"] = np.quantile(finite, _DECILES, method="nearest").tolist()
        missing = np.isnan(cells).any()
        gap: Any = np.nan
    else:
        counts = np.bincount(cells[cells >= 0], minlength=len(column.levels))
        occurring = np.flatnonzero(counts)
        kept = occurring[np.argsort(-counts[occurring], kind="stable")][:_LEVELS]
        if column.kind == "ordinal":
            kept = np.sort(kept)
        found["levels"] = kept.tolist()
        found["others"] = len(occurring) - len(kept)
        found["mean"] = [predict.at(j, code) for code in kept.tolist()]
        missing = (cells == MISSING).any()
        gap = MISSING
    if missing:
        found["missing"] = predict.at(j, gap)
    return found


def _cuts(tree: Tree, j: int) -> NDArray[np.float64]:
    """The thresholds of a numeric column; some of them if there are very many."""
    data = tree.data
    asks = (data["n_children"] > 0) & (data["attribute"] == j) & (data["kind"] == THRESHOLD)
    cuts: NDArray[np.float64] = np.unique(data["threshold"][asks])
    cuts = cuts[np.isfinite(cuts)]
    if len(cuts) > _CUTS:
        cuts = cuts[np.linspace(0, len(cuts) - 1, _CUTS).astype(int)]
    return cuts
