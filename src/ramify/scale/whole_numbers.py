"""How rows are counted in whole numbers: which sums, and how large their units are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ramify import _core
from ramify.scale.exact_sums import size_of
from ramify.scale.profiling import Learned


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
    """

    for_core: dict[str, Any]
    all_weight: float
    grain_rows: int
    divides: bool

    @property
    def channels(self) -> int:
        """Numbers per cell."""
        classes, weighted = self.for_core["classes"], self.for_core["weighted"]
        if classes:
            return 2 * (1 + int(classes)) if weighted else int(classes)
        return 8 if weighted else 6

    @property
    def bytes_per_cell(self) -> int:
        """Memory of a cell."""
        return (4 if self.small else 8) * self.channels

    @property
    def bytes_per_value(self) -> int:
        """Memory of a value that a scan reads."""
        # While rows of whole classes are read, a value takes 12 bytes.
        return max(12, 8 + 8 * self.channels) + 4 if self.small else 16 * (1 + self.channels)

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
        cls, learned: Learned, problem: _core.Problem, missing: str, *, divides: bool = False
    ) -> Form:
        """Choose the form for a table; growth divides rows only if a value is missing."""
        profile = learned.profile
        divides = divides or (missing == "fractional" and learned.any_missing)
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
        weighted = not least == most == 1.0
        classes = 0 if learned.classes is None else len(learned.classes)
        grain_rows = present if classes and divides and least == most else 0
        grain = math.ldexp(1.0, grain_rows.bit_length() - 52) if grain_rows else 1.0
        centred, deviance = _core.stream_facts(problem)
        mean = 0.0
        low, high = profile.targets
        if learned.taken is not None:
            low, high = learned.taken.targets
            mean = learned.taken.mean
        elif not classes:
            mean = float(profile.target_sum.fraction() / profile.weight.fraction())
        centre = mean if centred else 0.0
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
            },
            total,
            grain_rows,
            divides,
        )
