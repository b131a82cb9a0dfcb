"""Text that is numbers, dates or times in any table, read as what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ramify.tables.columns import Column
from ramify.tables.forms import Form
from ramify.tables.frame import TableDict
from ramify.tables.levels import learn
from ramify.tables.source import open_table
from ramify.tables.written import find_form, parse

_UNITS = {"date": "D", "datetime": "us", "duration": "us"}


def tidy(X: Any) -> TableDict:
    """Read the columns of text that are numbers, dates, times or durations.

    Files that ramify reads do not need this. Fit on the result. To predict, give the model the
    original table; it reads the text in the same way.

    Parameters
    ----------
    X : dataframe, array, dict of columns or list of rows
        Any table.

    Returns
    -------
    TableDict
        All columns, with the forms of those that were text in ``forms``.

    Examples
    --------
    >>> table = tidy({"price": ["$1,200", "$950", None], "sold": ["3.1.2024", "28.2.2024", ""]})
    >>> table["price"]
    array([1200.,  950.,   nan])
    >>> table["sold"]
    array(['2024-01-03', '2024-02-28',        'NaT'], dtype='datetime64[D]')
    """
    source = open_table(X)
    columns: dict[str, Any] = {}
    forms: dict[str, Form] = {}
    for column in source.columns:
        form = column.form
        if column.ordered and not column.numeric:
            columns[column.name] = _as_it_is(X, column.name)
            continue
        if column.numeric:
            values: NDArray[Any] = column.floats()
        else:
            values, form = _read(column)
        columns[column.name] = values if form is None else as_times(values, form)
        if form is not None:
            forms[column.name] = form
    return TableDict(columns, forms=forms)


def form_of_levels(name: str, levels: Any) -> Form | None:
    """Say how text is written that is numbers, dates or times; None if it is text."""
    if not levels or not all(type(level) is str for level in levels):
        return None
    return find_form(levels, name=name)


def as_times(values: NDArray[np.float64], form: Form) -> NDArray[Any]:
    """Give numbers as dates, datetimes or durations of NumPy, if that is what they are."""
    unit = _UNITS.get(form.kind)
    if unit is None:
        return values
    known = np.isfinite(values)
    ticks = np.where(known, np.where(known, values, 0.0) * (1.0 if unit == "D" else 1e6), 0.0)
    kind = "timedelta64" if form.kind == "duration" else "datetime64"
    found = np.rint(ticks).astype(np.int64).astype(f"{kind}[{unit}]")
    found[~known] = np.array("NaT", dtype=found.dtype)
    return found


def _read(column: Column) -> tuple[NDArray[Any], Form | None]:
    levels, codes = learn(column.dictionary(), ordinal=False)
    form = form_of_levels(column.name, levels)
    if form is None:
        texts = np.array([*levels, None], dtype=object)  # the last one is for missing cells, -1
        return texts[codes], None
    return np.append(parse(levels, form), np.nan)[codes], form  # type: ignore[arg-type]


def _as_it_is(X: Any, name: str) -> Any:
    """Give an ordered column, whose order an array would lose."""
    if isinstance(X, Mapping):
        return X[name]
    series = nw.from_native(X, eager_only=True)[name]
    native = series.to_native()
    return native.reset_index(drop=True) if series.implementation.is_pandas_like() else native
