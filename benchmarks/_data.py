"""The tables of the benchmarks: seeded, or read from a folder with a stand-in of the same shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets import Dataset, read_table_file

Arrays = tuple[NDArray[np.float64], NDArray[Any]]


def _signal(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Products, a wave and a parabola of five columns; the other columns are noise."""
    return X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.5 * (X[:, 3] ** 2 - 1) + 0.3 * X[:, 4]


def continuous(rows: int, columns: int = 20, *, noise: float = 1.0, seed: int = 0) -> Arrays:
    """Make standard normal columns, all values distinct, with two classes that overlap."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    y = _signal(X) + noise * rng.standard_normal(rows) > 0
    return X, y.astype(np.int64)


def regression(rows: int, columns: int = 20, *, noise: float = 1.0, seed: int = 0) -> Arrays:
    """Make the same columns with the signal itself as target."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    return X, _signal(X) + noise * rng.standard_normal(rows)


def find(folder: Path | None, name: str, target: str) -> Dataset | None:
    """Read NAME.csv.gz if it is there."""
    path = folder / f"{name}.csv.gz" if folder is not None else None
    if path is None or not path.exists():
        return None
    return read_table_file(path, target=target)


def covertype(folder: Path | None, rows: int) -> tuple[str, Arrays]:
    """Give covertype, or 10 numeric and 44 binary columns with 7 classes."""
    table = find(folder, "covertype", "Cover_Type")
    if table is not None:
        X = np.column_stack(list(table.data.values()))[:rows]
        return "covertype", (np.ascontiguousarray(X), table.y[:rows].astype(np.int64))
    rng = np.random.default_rng(1)
    numeric = np.floor(rng.gamma(4, [700, 40, 4, 70, 15, 600, 55, 57, 36, 500], (rows, 10)) / 4)
    area, soil = rng.integers(0, 4, rows), (rng.gamma(2, 5, rows)).astype(int) % 40
    X = np.hstack([numeric, np.eye(4)[area], np.eye(40)[soil]])
    score = np.log1p(numeric[:, 0]) + 0.1 * area + 0.02 * soil + 0.001 * numeric[:, 5]
    score += 0.05 * rng.standard_normal(rows)
    y = np.searchsorted(np.quantile(score, [0.36, 0.85, 0.91, 0.915, 0.93, 0.96]), score)
    return "covertype stand-in", (X, y)


def letter(folder: Path | None, rows: int) -> tuple[str, Arrays]:
    """Give letter, or 16 columns of small integers around 26 centres."""
    table = find(folder, "letter", "class")
    if table is not None:
        X = np.column_stack(list(table.data.values()))[:rows]
        return "letter", (
            np.ascontiguousarray(X),
            np.unique(table.y[:rows], return_inverse=True)[1],
        )
    rng = np.random.default_rng(2)
    y = rng.integers(0, 26, rows)
    centres = rng.uniform(2, 13, (26, 16))
    X = np.clip(np.rint(centres[y] + 2 * rng.standard_normal((rows, 16))), 0, 15)
    return "letter stand-in", (X, y)


def adult(folder: Path | None, rows: int) -> tuple[str, Dataset]:
    """Give adult, or 6 numeric and 8 nominal columns with holes and two classes."""
    table = find(folder, "adult", "income")
    if table is not None:
        return "adult", table.take(np.arange(min(rows, table.n_rows)))
    rng = np.random.default_rng(3)
    scales = (20, 90_000, 5, 9, 9, 20)
    data: dict[str, NDArray[Any]] = {
        f"n{j}": np.floor(rng.gamma(2, scale, rows)) for j, scale in enumerate(scales)
    }
    score = data["n0"] / 40 + data["n2"] / 10
    for j, levels in enumerate([8, 16, 7, 14, 6, 5, 2, 41]):
        codes = rng.integers(0, levels, rows)
        column = np.array([f"level {code}" for code in range(levels)], dtype=object)[codes]
        column[rng.random(rows) < (0.05 if j in (0, 3, 7) else 0)] = None
        data[f"c{j}"] = column
        score = score + rng.standard_normal(levels)[codes]
    y = np.where(score + rng.standard_normal(rows) > np.quantile(score, 0.75), "yes", "no")
    return "adult stand-in", Dataset(data, y.astype(object), "income")


def many_levels(rows: int, levels: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Make codes of one column with many levels, each with a class share of its own."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, levels, rows)
    return codes, (rng.random(rows) < rng.random(levels)[codes]).astype(np.int64)
