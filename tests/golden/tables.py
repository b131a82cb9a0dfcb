"""The tables of the golden cases: small, generated, each awkward in its own way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Example:
    """A table with a target of classes, a target of numbers and weights."""

    X: dict[str, Any]
    labels: Any
    numbers: Any
    weights: Any


def _with_holes(rng: np.random.Generator, column: Any, share: float) -> Any:
    if column.dtype == object:
        return np.where(rng.random(len(column)) < share, None, column)
    return np.where(rng.random(len(column)) < share, np.nan, column.astype(float))


def _targets(rng: np.random.Generator, signal: Any, k: int) -> tuple[Any, Any]:
    noisy = signal + rng.normal(0, 0.6, len(signal))
    cuts = np.quantile(noisy, np.arange(1, k) / k)
    names = np.array([f"class {c}" for c in "abcdefghij"])
    return names[np.searchsorted(cuts, noisy)], np.round(10 * noisy, 3)


def _mixed(rows: int, k: int, holes: float, seed: int) -> Example:
    rng = np.random.default_rng(seed)
    age, income = rng.normal(45, 15, rows).round(1), rng.lognormal(10, 1, rows).round(-2)
    colour = rng.choice(np.array(["red", "green", "blue", "grey"], object), rows)
    city = np.array([f"city {c:02d}" for c in rng.integers(0, 15, rows)], object)
    married = rng.choice(np.array(["no", "yes"], object), rows)
    children = rng.integers(0, 5, rows).astype(float)
    signal = 0.05 * age + (colour == "red") * 1.5 - (city < "city 05") + 0.4 * children
    labels, numbers = _targets(rng, signal, k)
    X = {"age": age, "income": income, "colour": colour, "city": city, "married": married,
         "children": children}  # fmt: skip
    if holes:
        X = {name: _with_holes(rng, column, holes) for name, column in X.items()}
    return Example(X, labels, numbers, rng.integers(1, 9, rows) / 4)


def _numbers(rows: int, k: int, seed: int) -> Example:
    rng = np.random.default_rng(seed)
    X = {f"x{i}": rng.normal(0, 1, rows).round(2) for i in range(5)}
    X["exact"] = X["x0"] * 1e-9 + 1e6  # neighbours that differ in the last digits
    labels, numbers = _targets(rng, X["x0"] * X["x1"] + X["x2"], k)
    return Example(X, labels, numbers, rng.random(rows) + 0.1)


def _ties(seed: int) -> Example:
    """Columns that say the same, and splits of equal gain."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, 64), rng.integers(0, 2, 64)
    X = {"a": a.astype(float), "a again": a.astype(float), "b": b.astype(float),
         "not b": np.array(["yes", "no"], object)[b], "constant": np.ones(64)}  # fmt: skip
    labels = np.array(["even", "odd"])[(a + b) % 2]
    return Example(X, labels, (a + 2 * b).astype(float), np.ones(64))


def _levels(seed: int) -> Example:
    """Many levels, some of them of one row, and many classes."""
    rng = np.random.default_rng(seed)
    rows = 400
    zip_code = np.array([f"z{c}" for c in rng.geometric(0.02, rows)], object)
    word = np.array([f"w{c}" for c in rng.integers(0, 40, rows)], object)
    size = rng.integers(0, 30, rows).astype(float)
    effect = dict(zip(np.unique(zip_code), rng.normal(0, 2, 400), strict=False))
    signal = np.array([effect[z] for z in zip_code]) + 0.1 * size
    labels, numbers = _targets(rng, signal, 7)
    return Example({"zip": zip_code, "word": word, "size": size}, labels, numbers, np.ones(rows))


def _binary(seed: int) -> Example:
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, (200, 8))
    X = {f"b{i}": bits[:, i].astype(float) for i in range(8)}
    signal = bits[:, 0] + 2 * (bits[:, 1] ^ bits[:, 2]) - bits[:, 3]
    labels, numbers = _targets(rng, signal.astype(float), 2)
    return Example(X, labels, numbers, rng.integers(1, 4, 200).astype(float))


_MADE: dict[str, Callable[[], Example]] = {
    "mixed": lambda: _mixed(240, 3, 0.0, 1),
    "holes": lambda: _mixed(240, 3, 0.12, 2),
    "two classes": lambda: _mixed(180, 2, 0.05, 3),
    "numbers": lambda: _numbers(200, 3, 4),
    "ties": lambda: _ties(5),
    "levels": lambda: _levels(6),
    "binary": lambda: _binary(7),
    "tiny": lambda: _mixed(6, 2, 0.2, 8),
}
NAMES = tuple(_MADE)


@cache
def example(name: str) -> Example:
    """Give a table by its name; always the same."""
    return _MADE[name]()
