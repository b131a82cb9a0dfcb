"""The data sets of the benchmarks of optimal and near-best trees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _data import coded, find
from numpy.typing import NDArray

BINARY = (
    "anneal",
    "audiology",
    "german-credit",
    "heart-cleveland",
    "hypothyroid",
    "kr-vs-kp",
    "mushroom",
    "tic-tac-toe",
    "vehicle",
    "vote",
)
CONTINUOUS = ("banknote", "raisin", "rice", "wilt", "segment", "wine", "wdbc")

Table = tuple[str, NDArray[Any], NDArray[Any]]


def tables(names: tuple[str, ...], folder: Path, prefix: str, only: list[str]) -> Iterator[Table]:
    """Read the data sets that are there."""
    for name in names:
        if only and name not in only:
            continue
        table = find(folder, prefix + name)
        if table is None:
            print(f"{prefix}{name}: not in {folder}, left out", file=sys.stderr)
            continue
        data = coded(name, table)
        X = data.X.astype(np.int64) if prefix else data.X
        yield name, X, data.y
