"""Turns the columns of a table into numbers for linear gates and experts.

Invariant: the first encoded column is 1, and every other one has mean 0 in the training rows. A
missing value is encoded as 0, the mean: the mean value of a numeric column, the shares of the
levels of a nominal one. A level that was not seen in training counts as missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables import Schema, Table

Floats = NDArray[np.float64]
_BLOCK_CELLS = 2**18  # a block of this size stays in the cache
_FEWEST_ROWS, _MOST_ROWS = 256, 8192  # of a block
_LARGEST = 1e50  # encoded value


@dataclass(frozen=True, eq=False)
class Encoding:
    """How a table becomes numbers.

    Parameters
    ----------
    schema : Schema
        The columns.
    means, scales : ndarray
        Of the known values of each numeric or ordinal column; 0 and 1 for a nominal column.
    shares : tuple of ndarray
        The share of each level among the known values of a nominal column; empty for others.
    """

    schema: Schema
    means: Floats
    scales: Floats
    shares: tuple[Floats, ...]

    @classmethod
    def learn(cls, table: Table, weights: Floats) -> Encoding:
        """Learn means, standard deviations and shares from the training rows."""
        schema = table.schema
        means, scales = np.zeros(len(schema)), np.ones(len(schema))
        shares = []
        for j, column in enumerate(schema.columns):
            array = table.column(j)
            if column.kind == "nominal":
                known = array >= 0
                sums = np.bincount(array[known], weights[known], minlength=len(column.levels))
                shares.append(sums / max(float(sums.sum()), np.finfo(float).tiny))
                continue
            shares.append(np.empty(0))
            cells = _numbers(array, column.kind)
            _check_finite(cells, column.name)
            means[j], scales[j] = moments(cells, weights)
        return cls(schema, means, scales, tuple(shares))

    @cached_property
    def source_columns(self) -> NDArray[np.intp]:
        """The table's column behind each encoded column, without the first (the constant)."""
        nominal = [j for j in self.schema.nominal for _ in range(len(self.shares[j]))]
        return np.array(self.schema.ordered + nominal, dtype=np.intp)

    @property
    def names(self) -> list[str]:
        """Names of the encoded columns: "1", those of the table, and "column=level"."""
        columns = self.schema.columns
        ordered = [column.name for column in columns if column.kind != "nominal"]
        return ["1", *ordered] + [
            f"{column.name}={level}"
            for column in columns
            if column.kind == "nominal"
            for level in column.levels
        ]

    def __len__(self) -> int:
        return 1 + len(self.source_columns)

    def design(self, table: Table) -> Design:
        """Encode a table. Indicators are made later, block by block."""
        ordered = self.schema.ordered
        dense = np.empty((table.n_rows, 1 + len(ordered)))
        dense[:, 0] = 1.0
        for at, j in enumerate(ordered, start=1):
            column = self.schema.columns[j]
            cells = _numbers(table.column(j), column.kind)
            _check_finite(cells, column.name)
            mean, scale = self.means[j], self.scales[j]
            with np.errstate(over="ignore"):  # clipped below
                np.subtract(cells / scale, mean / scale, out=dense[:, at])
        np.nan_to_num(dense, copy=False, nan=0.0)
        np.clip(dense, -_LARGEST, _LARGEST, out=dense)  # keeps products with coefficients finite
        indicators = [(table.column(j), self.shares[j]) for j in self.schema.nominal]
        return Design(dense, indicators, len(self))


@dataclass(frozen=True, eq=False)
class Design:
    """Encoded rows: a matrix of numbers, and the codes and shares of nominal columns."""

    dense: Floats
    indicators: list[tuple[NDArray[Any], Floats]]
    width: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.dense)

    def block(self, rows: slice | NDArray[np.intp]) -> Floats:
        """Give some rows with all encoded columns."""
        if not self.indicators:
            return self.dense[rows]
        dense = self.dense[rows]
        block = np.zeros((len(dense), self.width))
        block[:, : dense.shape[1]] = dense
        at = dense.shape[1]
        for codes, shares in self.indicators:
            here = codes[rows]
            known = np.flatnonzero(here >= 0)
            block[known, at : at + len(shares)] = -shares
            block[known, at + here[known]] += 1.0
            at += len(shares)
        return block

    def blocks(self, logits: int = 1) -> list[slice]:
        """Divide the rows into blocks. A row takes more memory the more logits a part has."""
        size = _BLOCK_CELLS // (self.width * max(logits, 1))
        size = min(max(size, _FEWEST_ROWS), _MOST_ROWS)
        return [slice(at, min(at + size, self.n_rows)) for at in range(0, self.n_rows, size)]


def _numbers(array: NDArray[Any], kind: str) -> Floats:
    if kind == "ordinal":
        return np.where(array < 0, np.nan, array.astype(np.float64))
    return array


def _check_finite(cells: Floats, name: str) -> None:
    if np.isinf(cells).any():
        row = int(np.argmax(np.isinf(cells)))
        raise ValueError(
            f"Input X contains infinity: column {name!r} has {cells[row]} in row {row}; a "
            "linear function needs finite numbers: make it a missing value or a large number"
        )


def moments(cells: Floats, weights: Floats) -> tuple[float, float]:
    """Give mean and standard deviation of the known values; the latter is 1 if all are equal."""
    known = ~np.isnan(cells)
    if not known.all():
        cells, weights = cells[known], weights[known]
    if len(cells) == 0:
        return 0.0, 1.0
    low, high = float(cells.min()), float(cells.max())
    if low == high:
        return low, 1.0
    unit = max(abs(low), abs(high))  # keeps squares from overflowing
    scaled = cells / unit
    mean = float(np.average(scaled, weights=weights))
    spread = float(np.sqrt(np.average((scaled - mean) ** 2, weights=weights)))
    scale = spread * unit
    return mean * unit, scale if scale > 0 else 1.0
