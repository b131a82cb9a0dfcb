"""All questions about a table, for the oracle of near-best trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracles.near_trees import NearOracle

from ramify.tables import Table


def oracle_of(X: Any, y: np.ndarray, **more: Any) -> NearOracle:
    """Every question about a table, column by column, made without the search."""
    table = Table.read(X)
    columns: list[np.ndarray] = []
    owner: list[int] = []
    for j, column in enumerate(table.schema.columns):
        missing = table.missing(j)
        sides = [True, False] if missing.any() else [False]
        if column.kind == "nominal":
            levels = np.unique(table.known(j))
            few = len(levels) <= 5
            chosen = (
                range(1, 2 ** (len(levels) - 1)) if few else [1 << i for i in range(len(levels))]
            )
            for bits in chosen:
                inside = np.isin(
                    table.arrays[j], levels[[b for b in range(len(levels)) if bits >> b & 1]]
                )
                columns += [np.where(missing, side, ~inside).astype(np.int32) for side in sides]
        else:
            values = np.unique(table.known(j))
            cells = table.column(j)
            for value in values[:-1]:
                columns += [
                    np.where(missing, side, cells > value).astype(np.int32) for side in sides
                ]
        if missing.any():
            columns.append(missing.astype(np.int32))
        owner += [j] * (len(columns) - len(owner))
    return NearOracle(columns, owner, y, **more)
