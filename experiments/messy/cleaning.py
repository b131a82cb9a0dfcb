"""Cleaning by hand: what a careful analyst does to a file in pandas, written down as a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from messy.spelling import number, seconds

MISSING = frozenset(
    ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "-", "--", "?", ".", "k.A.")
)


@dataclass(frozen=True)
class Recipe:
    """What to do to the columns of a file.

    A date, given by its form, becomes its day, month and weekday, and its hour if it has times (""
    stands for cells of a spreadsheet that are dates). Numbers are given by their decimal sign;
    durations are h:mm:ss. `pool` gives the fewest rows of a level: those with fewer become one
    level. Constant columns go. Other columns are numbers if all their cells are, and categories
    if not.
    """

    read: Mapping[str, Any] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    dates: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    durations: tuple[str, ...] = ()
    pool: Mapping[str, int] = field(default_factory=dict)

    def __call__(self, path: Path, target: str, task: str) -> tuple[pd.DataFrame, pd.Series]:
        """Read and clean a file; give the columns to predict from, and the target."""
        table = self._cells(path)
        table = table[table[target].notna()].reset_index(drop=True)
        kept = [name for name in table if name not in self.drop]
        columns = {name: self._column(name, table[name]) for name in kept if name not in self.dates}
        y = columns.pop(target)
        if task == "classification":
            y = table[target].astype(str)
        for name in self.dates:
            columns |= _parts(name, self._date(name, table[name]))
        return pd.DataFrame({n: c for n, c in columns.items() if c.nunique() > 1}), y

    def _cells(self, path: Path) -> pd.DataFrame:
        if path.suffix == ".xlsx":
            cells = pd.read_excel(path, dtype=object)
        elif path.suffix == ".jsonl":
            cells = pd.read_json(path, lines=True, dtype=False, convert_dates=False)
        else:
            cells = pd.read_csv(path, dtype=object, keep_default_na=False, **self.read)
        cells = cells.astype(object)
        return cells.mask(cells.map(lambda cell: isinstance(cell, str) and cell.strip() in MISSING))

    def _column(self, name: str, cells: pd.Series) -> pd.Series:
        known = cells.dropna()
        if name in self.durations:
            return known.map(seconds).reindex(cells.index)
        if name in self.numbers:
            sign = self.numbers[name]
            return known.map(lambda cell: number(str(cell), sign)).reindex(cells.index)
        numbers = pd.to_numeric(known, errors="coerce")
        if numbers.notna().all() and not known.map(lambda cell: isinstance(cell, bool)).any():
            return numbers.astype(float).reindex(cells.index)
        levels = known.astype(str)
        if name in self.pool:
            rare = levels.map(levels.value_counts()) < self.pool[name]
            levels = levels.mask(rare, "(other)")
        return levels.astype(object).reindex(cells.index)

    def _date(self, name: str, cells: pd.Series) -> pd.Series:
        form = self.dates[name]
        if form == "":  # a spreadsheet has dates already
            return pd.to_datetime(cells)
        dates = pd.to_datetime(cells, format=form, utc=form.endswith("%z"))
        return dates.dt.tz_localize(None)


def _parts(name: str, dates: pd.Series) -> dict[str, pd.Series]:
    day = (dates - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
    weekday = dates.dt.day_of_week
    parts = {name: day, f"month of {name}": dates.dt.month, f"weekday of {name}": weekday}
    if (dates.dt.normalize() != dates).any():
        parts[f"hour of {name}"] = dates.dt.hour
    return {key: column.astype(float) for key, column in parts.items()}
