"""Tables whose columns say more together than alone, in every kind of frame."""

from __future__ import annotations

from itertools import product
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

PARENTS = ["usual", "pretentious", "great_pret"]
HAS_NURS = ["proper", "less_proper", "improper", "critical", "very_crit"]
HEALTH = ["recommended", "priority", "not_recom"]
FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda data: nw.from_native(pl.DataFrame(data)),
}


def nursery(n: int = 600, seed: int = 0) -> tuple[dict[str, list[Any]], list[str]]:
    """Applications to a nursery school; parents and has_nurs count only in combination."""
    rng = np.random.default_rng(seed)
    X = {
        "parents": rng.choice(PARENTS, n).tolist(),
        "has_nurs": rng.choice(HAS_NURS, n).tolist(),
        "health": rng.choice(HEALTH, n).tolist(),
        "children": rng.integers(1, 5, n).tolist(),
    }
    y = []
    for parents, has_nurs, health, _ in zip(*X.values(), strict=True):
        hard = (PARENTS.index(parents) + HAS_NURS.index(has_nurs)) % 2 == 0
        y.append("no" if health == "not_recom" else "priority" if hard else "standard")
    return X, y


def xor(n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Neither column alone tells anything about the class; both together tell it."""
    rows = [*product("ab", "uv", "xyz")] * (n // 12)
    X = np.array(rows, dtype=object)
    return X, (X[:, 0] == "a") ^ (X[:, 1] == "u")


def cells(table: Any, name: str) -> list[Any]:
    values = nw.from_native(table, eager_only=True)[name].to_list()
    return [None if v is None or v != v else v for v in values]
