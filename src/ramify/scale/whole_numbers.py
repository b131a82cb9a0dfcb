"""How rows are counted in whole numbers: which sums, and how large their units are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.exact_sums import size_of
from ramify.scale.profiling import Learned

#: A part of a row below these fractions is not divided again, see core/node/parameters.hpp.
LEAST_PART, LEAST_PIECE = 2.0**-10, 2.0**-20


@dataclass(frozen=True)
class Form:
    """How rows are counted in whole numbers, and what all nodes share.

    Parameters
    ----------
    for_core : dict
        What the core reads.
    all_weight : float
        The weight of all rows.
    grain_rows : int
        The rows by which parts of rows are rounded; 0 if they are not.
    divides : bool
        Whether rows may be divided.
    quantile : float or None
        The quantile about which errors are counted, if ranks of targets count.
    targets : tuple or None
        Then the edges of the target, and whether they have cells of their own.
    """

    for_core: dict[str, Any]
    all_weight: float
    grain_rows: int
    divides: bool
    quantile: float | None = None
    targets: tuple[NDArray[np.float64], bool] | None = None

    @property
    def target_cells(self) -> int:
        """The boxes of a cell: one for each cell of the target."""
        if self.targets is None:
            return 1
        edges, edge_cells = self.targets
        return 2 * len(edges) + 1 if edge_cells else len(edges) + 1

    @property
    def channels(self) -> int:
        """Numbers per cell."""
        classes, weighted = self.for_core["classes"], self.for_core["weighted"]
        pieces = int(self.for_core["least_piece"] > 0)
        if classes:
            return 2 * (1 + int(classes)) + pieces if weighted else int(classes)
        return (8 if weighted else 6) + pieces

    @property
    def nodes_at_once(self) -> int:
        """How many nodes are to be counted at once: boxes need all memory for one."""
        return 4 if self.quantile is None else 1

    @property
    def least_fraction(self) -> float:
        """A part of a row below it is not divided again."""
        return self.for_core["least_piece"] or LEAST_PART

    @property
    def bytes_per_cell(self) -> int:
        """Memory of a cell."""
        return (4 if self.small else 8) * self.channels * self.target_cells

    @property
    def bytes_per_value(self) -> int:
        """Memory of a value that a scan reads."""
        # While rows of whole classes are read, a value takes 12 bytes.
        if self.small:
            return max(12, 8 + 8 * self.channels) + 4
        return 16 * (1 + self.channels + (self.quantile is not None))

    @property
    def bytes_of_search(self) -> int:
        """Memory that the search of a column takes for each of its values, see counted_node.hpp."""
        return 100

    @property
    def small(self) -> bool:
        """Whether a cell holds numbers of whole rows, which fit in four bytes."""
        core = self.for_core
        return bool(core["classes"]) and not core["weighted"] and core["unit"] == 1.0

    @classmethod
    def of(
        cls,
        learned: Learned,
        problem: _core.Problem,
        settings: dict[str, Any],
        *,
        divides: bool = False,
    ) -> Form:
        """Choose the form for a table; growth divides rows only if a value is missing."""
        profile = learned.profile
        divides = divides or (settings["missing"] == "fractional" and learned.any_missing)
        pieces = divides and settings["missing_count"] == "pieces"
        least, most = profile.weights
        present, total = profile.present, float(profile.weight)
        if learned.taken is not None:
            least, most = learned.taken.weights
            present, total = learned.taken.present, learned.taken.weight
        elif learned.class_weights is not None:
            by_class = learned.class_weights
            table = profile.labels.table()
            assert learned.codes is not None
            sums = np.bincount(learned.codes, table["weight"].to_numpy(), minlength=len(by_class))
            total = float((sums * by_class).sum())
            positive = by_class[(by_class > 0) & (sums > 0)]
            least, most = least * float(positive.min()), most * float(positive.max())
            rows = np.bincount(learned.codes, table["rows"].to_numpy(), minlength=len(by_class))
            present = min(present, int(rows[by_class > 0].sum()))
        weighted = not least == most == 1.0 or pieces  # a piece does not weigh what it counts
        classes = 0 if learned.classes is None else len(learned.classes)
        grain_rows = present if classes and divides and least == most else 0
        grain = math.ldexp(1.0, grain_rows.bit_length() - 52) if grain_rows else 1.0
        centred, deviance, quantile = _core.stream_facts(problem)
        mean = 0.0
        low, high = profile.targets
        if learned.taken is not None:
            low, high = learned.taken.targets
            mean = learned.taken.mean
        elif not classes:
            mean = float(profile.target_sum.fraction() / profile.weight.fraction())
        ranks = not classes and quantile is not None
        centre = mean if centred or ranks else 0.0
        size = max(abs(low - centre), abs(high - centre)) if not classes else 0.0
        off = max(_core.deviance(deviance, y, mean) for y in (low, high)) if deviance else 0.0
        return cls(
            {
                "classes": classes,
                "weighted": weighted,
                "unit": 1.0 / grain,
                "weight_size": size_of(most),
                "product_size": size_of(most) + size_of(size),
                "square_size": size_of(most) + 2 * size_of(size),
                "deviance_size": size_of(most) + size_of(off) + 1,
                "centre": centre,
                "mean": mean,
                "deviance": deviance,
                "ranks": ranks,
                "least_piece": LEAST_PIECE if pieces else 0.0,
            },
            total,
            grain_rows,
            divides,
            quantile if ranks else None,
        )
