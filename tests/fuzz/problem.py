"""A problem for an estimator as plain data: parameters, columns, target, weights, kind of table."""

from __future__ import annotations

import datetime as dt
import math
import warnings
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

import ramify
from ramify import presets, pruning, splits

#: Objects that are parameters, by the name a case gives them.
OBJECTS = {
    name: getattr(pruning, name)
    for name in (
        "BestFirst",
        "CostComplexity",
        "CriticalValue",
        "ErrorBased",
        "MDL",
        "ReducedError",
    )
} | {"MergeLevels": splits.MergeLevels}
EPOCH = dt.datetime(2024, 2, 28)


@dataclass(frozen=True)
class Column:
    """A column: its kind, its cells, and the levels of one that declares them."""

    kind: str
    values: list[Any]
    levels: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Problem:
    """What is fitted. `seed` decides the rows that are predicted besides the training rows."""

    estimator: str
    parameters: dict[str, Any]
    columns: dict[str, Column]
    target: list[Any]
    weights: list[float] | None = None
    frame: str = "pandas"
    seed: int = 0

    @classmethod
    def of(cls, case: dict[str, Any]) -> Problem:
        columns = {name: Column(**column) for name, column in case["columns"].items()}
        return cls(**case | {"columns": columns})

    def case(self) -> dict[str, Any]:
        """The problem as JSON can hold it."""
        return asdict(self)

    @property
    def classifies(self) -> bool:
        numbers = self.estimator.endswith("Regressor")
        return not numbers and self.parameters.get("task") != "regression"

    def make(self) -> Any:
        """Give the estimator, not fitted."""
        given = {name: self._read(name, value) for name, value in self.parameters.items()}
        if self.estimator.startswith("presets."):
            return getattr(presets, self.estimator.removeprefix("presets."))(**given)
        return getattr(ramify, self.estimator)(**given)

    def _read(self, name: str, value: Any) -> Any:
        if isinstance(value, dict) and "is" in value:
            value = dict(value)
            kind = value.pop("is")
            return by_size if kind == "callable" else OBJECTS[kind](**value)
        if name in ("class_weight", "min_recall") and isinstance(value, dict):
            labels = sorted(set(self.target))
            return {label: value[str(label)] for label in labels if str(label) in value}
        return value

    def take(self, index: Any) -> Problem:
        """The problem of some of the rows, also repeated ones."""
        columns = {
            name: replace(column, values=[column.values[i] for i in index])
            for name, column in self.columns.items()
        }
        weights = None if self.weights is None else [self.weights[i] for i in index]
        target = [self.target[i] for i in index]
        return replace(self, columns=columns, target=target, weights=weights)

    def has_holes(self) -> bool:
        return any(value is None for column in self.columns.values() for value in column.values)

    def numeric(self) -> bool:
        return all(column.kind in ("number", "whole") for column in self.columns.values())

    def table(self) -> Any:
        """The training table, in its kind of container, always the same one."""
        return self._table

    @cached_property
    def _table(self) -> Any:
        return as_frame(self.columns, self.frame)

    def fit(self, model: Any = None, **changed: Any) -> Any:
        """Fit the estimator, or the one given."""
        model = self.make() if model is None else model
        weights = None if self.weights is None else np.array(self.weights)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.set_params(**changed)
            if weights is None:
                return model.fit(self.table(), np.array(self.target))
            return model.fit(self.table(), np.array(self.target), sample_weight=weights)

    def new_columns(self) -> dict[str, Column]:
        """The training rows, and as many with other cells: holes, new levels, extreme numbers."""
        rng = np.random.default_rng(self.seed)
        strict = self.parameters.get("unseen") == "error"
        found = {}
        for name, column in self.columns.items():
            n = len(column.values)
            cells = [column.values[i] for i in rng.integers(0, n, n)]
            odd: list[Any] = [None] * 3
            if all(cell is None for cell in column.values):
                pass  # some kinds of table do not say what such a column holds
            elif column.kind == "number":
                odd += [-1e100, 1e100, 0.0]
                if not self.estimator.startswith("Mixture"):  # its functions are linear
                    odd += [-1e308, 1e308, math.inf, -math.inf]
            elif column.kind == "text" and not strict:
                odd += ["never seen", " "]
            elif column.kind == "codes" and not strict:
                odd += [77]
            hit = rng.random(n) < 0.3
            cells = [
                odd[rng.integers(len(odd))] if h else c for h, c in zip(hit, cells, strict=True)
            ]
            cells[-1] = None  # one row of nothing but holes
            found[name] = replace(column, values=[*column.values, *cells])
        return found

    def rows(self) -> Any:
        """The rows to predict."""
        return as_frame(self.new_columns(), self.frame)


def by_size(counts: Any) -> float:
    """A criterion of our own; it must be here to be pickled."""
    return float(counts.max(axis=1).sum() / counts.sum())


# --- containers -------------------------------------------------------------------------------


def cells_of(column: Column) -> list[Any]:
    """Cells as Python has them."""
    if column.kind == "date":
        return [None if v is None else EPOCH + dt.timedelta(hours=v) for v in column.values]
    if column.kind == "duration":
        return [None if v is None else dt.timedelta(minutes=v) for v in column.values]
    return list(column.values)


def as_frame(columns: dict[str, Column], kind: str) -> Any:
    """Columns as a table: "pandas", "polars", "arrow", "dict", "lists" (of rows) or "array"."""
    if kind == "pandas":
        return pd.DataFrame({name: _series(column) for name, column in columns.items()})
    cells = {name: cells_of(column) for name, column in columns.items()}
    if kind == "dict":
        return cells
    if kind == "lists":
        return [list(row) for row in zip(*cells.values(), strict=True)]
    if kind == "array":
        return np.array([[math.nan if v is None else v for v in c] for c in cells.values()]).T
    if kind == "arrow":
        import pyarrow as pa

        return pa.table({name: pa.array(c, from_pandas=True) for name, c in cells.items()})
    import polars as pl

    made = {}
    for name, column in columns.items():
        options: dict[str, Any] = {"strict": False}
        if column.kind in ("category", "ordered"):
            options["dtype"] = pl.Enum(column.levels)
        made[name] = pl.Series(name, cells[name], **options)
    return pl.DataFrame(made)


def _series(column: Column) -> Any:
    cells = cells_of(column)
    match column.kind:
        case "number":
            return pd.Series(cells, dtype=float)
        case "whole":
            return pd.Series(cells, dtype=float if None in cells else "int64")
        case "category" | "ordered":
            ordered = column.kind == "ordered"
            return pd.Series(pd.Categorical(cells, column.levels, ordered=ordered))
        case "date":
            return pd.Series(pd.to_datetime(pd.Series(cells, dtype=object)))
        case "duration":
            return pd.Series(pd.to_timedelta(pd.Series(cells, dtype=object)))
    return pd.Series(cells, dtype=object)
