"""How the rows at a node are distributed: over the column it splits on, and over the target.

Bins are aligned to the threshold, so that no bar stands on both sides of it. The file stays small:
only the heaviest nodes have distributions, and long tails are in the outermost bars.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.show.report.routing import Arrived, arrivals, branch_taken
from ramify.show.report.rows import ReportRows
from ramify.show.report.sizes import Sizes
from ramify.support.page.json_numbers import json_number
from ramify.tables.levels import MISSING
from ramify.tree import Tree
from ramify.tree.conditions import THRESHOLD, CodedCondition, ConditionReader

#: Nodes that show the column they split on, and nodes of a regression that show the target.
SPLIT_NODES, TARGET_NODES = 60, 120
_BINS = 24  # at most about as many
_LEVELS = 16
_CLASSES = 8
_TAIL = 2.0  # a range so many times as wide as that of 98 % of the rows has its tails cut


def distributions_json(
    sizes: Sizes, listed: list[NDArray[np.int64]], rows: ReportRows
) -> dict[str, Any]:
    """The distributions at the heaviest nodes.

    Parameters
    ----------
    sizes : Sizes
        The trees.
    listed : list of arrays
        Per column the levels that the report names, in rising order.
    rows : ReportRows
        The rows that are counted.
    """
    maker = Distributions(sizes.base, listed, rows)
    kept, inner = sizes.kept, sizes.retired > 0
    weight = np.asarray(sizes.base.data["weight"], dtype=np.float64)
    # Nodes of the fitted tree come first, each group by falling weight.
    order = kept[np.lexsort((-weight[kept], sizes.retired[kept] <= sizes.fitted))]
    with_split = set(order[inner[order]][:SPLIT_NODES].tolist())
    with_target = set(order[:TARGET_NODES].tolist()) if maker.range else set()
    place = {node: i for i, node in enumerate(kept.tolist())}
    found: dict[int, dict[str, Any]] = {}
    for here in arrivals(sizes.base, inner, rows.table):
        one: dict[str, Any] = {}
        if here.node in with_split and len(here.rows):
            one = maker.split(here)
        if here.node in with_target and len(here.rows):
            one["target"] = maker.target(here)
        if one:
            one["rows"] = _short(float(here.parts.sum()))
            found[place[here.node]] = one
    return {
        "classes": maker.classes.tolist(),
        "others": maker.others,
        "target": maker.range,
        "nodes": {str(node): found[node] for node in sorted(found)},
    }


class Distributions:
    """Makes the distributions of one tree and one table.

    Parameters
    ----------
    tree : Tree
    listed : list of arrays
        Per column the levels that the page names, in rising order.
    rows : ReportRows
    """

    def __init__(self, tree: Tree, listed: list[NDArray[np.int64]], rows: ReportRows) -> None:
        self._tree = tree
        self._rows = rows
        self._listed = listed
        self._conditions = ConditionReader(tree.data, tree.schema)
        self.regression = tree.task == "regression"
        self.classes = np.empty(0, dtype=np.int64)
        self.others = False
        self.range: list[float] | None = None
        if self.regression:
            self._group = np.zeros(0, dtype=np.int64)
            self._target = np.asarray(rows.target, dtype=np.float64)
            self.range = _target_range(self._target)
            return
        weight = tree.data["value"][0]
        self.others = len(weight) > _CLASSES
        most = _CLASSES - 1 if self.others else len(weight)
        self.classes = np.sort(np.argsort(-weight, kind="stable")[:most])
        group = np.full(len(weight) + 1, len(self.classes), dtype=np.int64)
        group[self.classes] = np.arange(len(self.classes))
        # Classes that training did not have are counted with the others, or not at all.
        group[-1] = len(self.classes) if self.others else -1
        self._group = group[np.asarray(rows.target, dtype=np.int64)]

    def split(self, here: Arrived) -> dict[str, Any]:
        """The column that a node splits on."""
        asked = self._conditions.coded(here.node)
        cells = self._rows.table.column(asked.column)[here.rows]
        column = self._tree.schema.columns[asked.column]
        if column.kind == "numeric":
            return self.numbers(here, asked.column, asked.threshold)
        return self._levels(here, asked, cells)

    def numbers(self, here: Arrived, column: int, threshold: float) -> dict[str, Any]:
        """A column of numbers, in bins with an edge at a threshold; infinite if there is none."""
        cells = self._rows.table.column(column)[here.rows]
        found: dict[str, Any] = {}
        known = ~np.isnan(cells)
        if not known.all():
            found["missing"] = self.sums(here, ~known, np.zeros(len(cells), np.int64), 1)[0]
        bins = aligned_bins(cells[known], threshold)
        if bins is None:
            return found
        start, width, n_bins, place = bins
        where = np.zeros(len(cells), dtype=np.int64)
        where[known] = place
        values = cells[known]
        tails = [int((values <= start).sum()), int((values > start + n_bins * width).sum())]
        if any(tails):
            found["tails"] = tails
        form = self._tree.schema.columns[column].times
        if form is not None:
            found["ends"] = [form.show(start), form.show(start + n_bins * width)]
        return found | {
            "start": json_number(start),
            "width": json_number(width),
            "bins": self.sums(here, known, where, n_bins),
        }

    def _levels(self, here: Arrived, asked: CodedCondition, cells: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        known = cells >= 0
        first = int(self._tree.data["first_child"][here.node])
        shares = self._tree.data["proportion"][first : first + asked.n_branches]
        taken = branch_taken(self._tree, asked, self._rows.table, here.rows, shares)
        if not known.all():
            nowhere = np.zeros(len(cells), np.int64)
            if (cells == MISSING).any():
                found["missing"] = self.sums(here, cells == MISSING, nowhere, 1)[0]
            if (cells < MISSING).any():
                found["unseen"] = self.sums(here, cells < MISSING, nowhere, 1)[0]
        codes, where = np.unique(cells[known], return_inverse=True)
        branch = np.full(len(codes), -1, dtype=np.int64)
        branch[where] = taken[known]
        rows = np.bincount(where, weights=here.parts[known], minlength=len(codes))
        named = np.isin(codes, self._listed[asked.column])
        # Levels of a threshold keep their order; of a set, those of a branch stand together.
        heavy = np.lexsort((codes, -rows, ~named))[:_LEVELS]
        heavy = heavy[named[heavy]]
        if asked.kind == THRESHOLD:
            shown = np.sort(heavy)
        else:
            shown = heavy[np.lexsort((-rows[heavy], branch[heavy]))]
        # Each level that is shown has a place; the others of a branch share one.
        place = np.full(len(codes), -1, dtype=np.int64)
        place[shown] = np.arange(len(shown))
        rest = place < 0
        place[rest] = len(shown) + np.maximum(branch[rest], 0)
        where_all = np.zeros(len(cells), dtype=np.int64)
        where_all[known] = place[where]
        sums = self.sums(here, known, where_all, len(shown) + asked.n_branches)
        names = np.searchsorted(self._listed[asked.column], codes[shown])
        found["levels"] = [
            [int(name), int(branch[i]), sums[k]]
            for k, (name, i) in enumerate(zip(names.tolist(), shown.tolist(), strict=True))
        ]
        more = np.bincount(np.maximum(branch[rest], 0), minlength=asked.n_branches)
        found["more"] = [
            [int(n), b, sums[len(shown) + b]] for b, n in enumerate(more.tolist()) if n
        ]
        return found

    def sums(self, here: Arrived, use: Any, where: Any, n_places: int) -> list[list[Any]]:
        """Per place the rows of each class, or the rows and the mean of their target."""
        parts, at = here.parts[use], where[use]
        if self.regression:
            rows = np.bincount(at, weights=parts, minlength=n_places)
            target = self._target[here.rows[use]]
            total = np.bincount(at, weights=parts * target, minlength=n_places)
            return [
                [_short(n), _short(s / n)] if n > 0 else [0, None]
                for n, s in zip(rows.tolist(), total.tolist(), strict=True)
            ]
        group = self._group[here.rows[use]]
        own = group >= 0
        n_groups = len(self.classes) + self.others
        flat = np.bincount(
            at[own] * n_groups + group[own], weights=parts[own], minlength=n_places * n_groups
        )
        return [[_short(x) for x in one] for one in flat.reshape(n_places, n_groups).tolist()]

    def target(self, here: Arrived) -> list[Any]:
        """The target of a regression, in bins of the range that all nodes share."""
        assert self.range is not None
        low, high = self.range
        share = (self._target[here.rows] - low) / (high - low) if high > low else 0.5
        place = np.clip(np.floor(np.asarray(share) * _BINS), 0, _BINS - 1).astype(np.int64)
        place = np.broadcast_to(place, here.rows.shape)
        counts = np.bincount(place, weights=here.parts, minlength=_BINS)
        return [_short(x) for x in counts.tolist()]


def aligned_bins(
    values: NDArray[np.float64], threshold: float
) -> tuple[float, float, int, NDArray[np.int64]] | None:
    """Bins of equal, round width, with an edge at the threshold.

    A bin holds its upper edge, as ``x <= threshold`` does.

    Parameters
    ----------
    values : ndarray
        Known values.
    threshold : float
        Where an edge must be; if it is not finite, edges may be anywhere.

    Returns
    -------
    start, width, number of bins, and the bin of every value; None if there is nothing to show.

    Examples
    --------
    >>> aligned_bins(np.array([1.0, 2.0, 3.0, 4.0, 4.0]), 2.5)
    (0.5, 1.0, 4, array([0, 1, 2, 3, 3]))
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, high = float(finite.min()), float(finite.max())
    near, far = np.quantile(finite / 2, [0.01, 0.99]).tolist()  # halves: no sum overflows
    if far > near and high / 2 - low / 2 > _TAIL * (far - near):
        room = (far - near) / 2  # a quarter of the range on either side
        low, high = max(low, 2 * near - room), min(high, 2 * far + room)
    edge = threshold if math.isfinite(threshold) else high
    low, high = min(low, edge), max(high, edge)
    span = high - low
    whole = bool((finite == np.round(finite)).all()) and high - low >= 1
    width = _round_width(span / _BINS, whole=whole)
    if not (math.isfinite(span) and math.isfinite(width) and low + width > low):
        return None
    if high + width == high or edge - width == edge:
        return None  # numbers next to each other have no edges between them
    left = math.floor((edge - low) / width) + 1
    right = math.ceil((high - edge) / width)
    start, n_bins = edge - left * width, left + right
    place = np.ceil((np.clip(values, low, high) - start) / width) - 1
    place = np.clip(place, 0, n_bins - 1)
    # Rounding must carry no value across the threshold.
    place = np.where(values <= edge, np.minimum(place, left - 1), np.maximum(place, left))
    place = np.minimum(place, n_bins - 1).astype(np.int64)
    first, last = int(place.min()), int(place.max())
    first, last = min(first, left - 1), max(last, min(left, n_bins - 1))
    return start + first * width, width, last - first + 1, place - first


def _round_width(width: float, *, whole: bool) -> float:
    """The next width of 1, 2, 2.5 or 5 times a power of ten; of whole numbers, a whole one."""
    if whole and width <= 1:
        return 1.0
    if not 0 < width < math.inf:
        return 1.0 if width == 0 else math.nan
    unit = 10.0 ** math.floor(math.log10(width))
    if unit == 0:
        return math.nan
    for times in (1, 2, 5) if whole else (1, 2, 2.5, 5):
        if times * unit >= width:
            return times * unit
    return 10 * unit


def _target_range(target: NDArray[np.float64]) -> list[float] | None:
    """The range of the target in all histograms; long tails are cut. None if it overflows."""
    low, high = float(target.min()), float(target.max())
    if not math.isfinite(high - low):
        return None
    near, far = np.quantile(target, [0.01, 0.99]).tolist()
    if far > near and high - low > _TAIL * (far - near):
        room = (far - near) / 4
        low, high = max(low, near - room), min(high, far + room)
    return [_short(low), _short(high)] if _short(high) > _short(low) else [low, high]


def _short(value: float) -> Any:
    return json_number(float(f"{value:.5g}"))
