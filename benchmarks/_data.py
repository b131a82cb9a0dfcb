"""The tables of the benchmarks: drawn from a seed, or read; if not there, a stand-in is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets import Dataset, DatasetFolder, make_waveform

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


def counts(rows: int, columns: int = 20, *, seed: int = 0) -> Arrays:
    """Make the same columns with counts whose rate follows the signal."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    return X, rng.poisson(np.exp(np.clip(_signal(X) / 4, -3, 3))).astype(np.float64)


def find(folder: Path | None, name: str) -> Dataset | None:
    """Read a data set of a folder with a manifest, if it is there."""
    if folder is None:
        return None
    try:
        return DatasetFolder(folder).get(name)
    except FileNotFoundError:
        return None


def covertype(folder: Path | None, rows: int) -> tuple[str, Arrays]:
    """Give covertype, or 10 numeric and 44 binary columns with 7 classes."""
    table = find(folder, "covertype")
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
    table = find(folder, "letter")
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
    """Give adult, or 6 numeric and 8 nominal columns with missing cells and two classes."""
    table = find(folder, "adult")
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


@dataclass(frozen=True)
class Coded:
    """A table as a matrix; nominal columns hold codes from 0 on, a missing cell is NaN."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    nominal: tuple[int, ...] = ()


def coded(name: str, table: Dataset) -> Coded:
    """Give a table as a matrix, for peers that need one."""
    columns, nominal = [], []
    for j, values in enumerate(table.data.values()):
        if values.dtype != object:
            columns.append(values)
            continue
        nominal.append(j)
        missing = np.array([value is None for value in values])
        codes = np.full(len(values), np.nan)
        codes[~missing] = np.unique(values[~missing].astype(str), return_inverse=True)[1]
        columns.append(codes)
    y = np.unique(np.asarray(table.y).astype(str), return_inverse=True)[1]
    return Coded(name, np.ascontiguousarray(np.column_stack(columns)), y, tuple(nominal))


def segment(folder: Path | None) -> Coded:
    """Give segment, or 19 numeric columns around the centres of 7 classes."""
    table = find(folder, "segment")
    if table is not None:
        return coded("segment", table)
    rng = np.random.default_rng(5)
    y = np.repeat(np.arange(7), 330)
    X = rng.standard_normal((7, 19))[y] + rng.standard_normal((len(y), 19))
    return Coded("segment stand-in", X.round(4), y)


def waveform(folder: Path | None, rows: int = 5000) -> Coded:
    """Give waveform-5000, or new rows by its rule."""
    table = find(folder, "waveform-5000")
    if table is not None:
        return coded("waveform-5000", table)
    drawn = make_waveform(rows, noise_columns=19, random_state=6)
    X = drawn.to_frame("numpy").round(2)
    return Coded("waveform stand-in", X, drawn.y.astype(np.int64))


def splice(folder: Path | None, rows: int = 3190) -> Coded:
    """Give splice without the names of the genes, or 60 columns of five levels, three classes."""
    table = find(folder, "splice")
    if table is not None:
        return coded("splice", table)
    rng = np.random.default_rng(7)
    y = rng.choice(3, rows, p=[0.24, 0.24, 0.52])
    told = rng.random((rows, 60)) < np.exp(-np.abs(np.arange(60) - 30) / 3)
    X = np.where(told, (y[:, None] + np.arange(60)) % 4, rng.integers(0, 4, (rows, 60)))
    X[rng.random((rows, 60)) < 1e-3] = 4
    return Coded("splice stand-in", X.astype(np.float64), y, tuple(range(60)))
