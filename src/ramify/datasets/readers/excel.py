"""Excel workbooks (.xlsx), through openpyxl: one sheet, with its dates typed.

The row of names is the first at the top that fills more than half of the columns, so that a title
above the table does no harm. A workbook is in memory as a whole while it is read.
"""

from __future__ import annotations

import importlib
import warnings
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from ramify.datasets.readers.cells import Column, ColumnKind, as_kind
from ramify.datasets.readers.names import fill_names
from ramify.datasets.readers.values import column_of
from ramify.support.suggest import near_names
from ramify.tables.reading import Note

_TOP = 20  # rows among which the names are looked for


class ExcelFile:
    """One sheet of a workbook: its names, and its columns.

    Parameters
    ----------
    path : Path
        The file.
    sheet : str or None
        The sheet's name; the first by default.
    header : bool
        Whether there is a row of names.
    missing : collection of str
        Texts that count as missing.
    """

    plain = True
    delimiter = ""

    def __init__(
        self, path: Path, *, sheet: str | None, header: bool, missing: Collection[str]
    ) -> None:
        self._missing = frozenset(missing)
        rows = _rows(path, sheet)
        if not rows:
            raise ValueError("the sheet is empty")
        width = max(map(len, rows))
        rows = [row + [None] * (width - len(row)) for row in rows]
        self.notes: list[Note] = []
        if header:
            first = _header_row(rows)
            kept = [j for j in range(width) if any(row[j] is not None for row in rows[first:])]
            cells = ["" if rows[first][j] is None else str(rows[first][j]) for j in kept]
            self.names, self.notes = fill_names(cells)
            rows = rows[first + 1 :]
        else:
            kept = [j for j in range(width) if any(row[j] is not None for row in rows)]
            self.names = [f"x{j}" for j in range(len(kept))]
        if not rows:
            raise ValueError("the sheet has a header but no rows")
        self._columns = [[row[j] for row in rows] for j in kept]

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, Column], dict[str, tuple[str, ...]]]:
        """Read columns; a workbook declares no levels."""
        place = {name: j for j, name in enumerate(self.names)}
        return {
            name: as_kind(
                name, column_of(name, self._columns[place[name]], self._missing), kinds.get(name)
            )
            for name in names
        }, {}

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[dict[str, Column]]:
        """Give columns as one block."""
        yield self.read(names, kinds)[0]


def _rows(path: Path, sheet: str | None) -> list[list[Any]]:
    """Give the rows of a sheet that are not empty, from the first such row on."""
    try:
        openpyxl: Any = importlib.import_module("openpyxl")
    except ImportError as error:
        raise ValueError(
            "reading Excel files needs openpyxl (pip install 'ramify[excel]' or pip install "
            "openpyxl), or save the sheet as CSV"
        ) from error
    try:
        with warnings.catch_warnings():  # of parts of a workbook that are not read, such as styles
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ValueError("this is not an Excel workbook (.xlsx), or it is damaged") from error
    try:
        names = list(book.sheetnames)
        if sheet is not None and sheet not in names:
            raise ValueError(f"sheet={sheet!r} is not there; {near_names(sheet, names, 'sheets')}")
        found = book[sheet if sheet is not None else names[0]]
        rows = ([_cell(cell) for cell in row] for row in found.iter_rows(values_only=True))
        return [row for row in rows if any(cell is not None for cell in row)]
    finally:
        book.close()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip() or None
    return value


def _header_row(rows: list[list[Any]]) -> int:
    """Find the row of names: the first at the top that fills more than half of the columns."""
    top = rows[:_TOP]
    filled = [sum(cell is not None for cell in row) for row in top]
    width = max(filled)
    first = next(i for i, count in enumerate(filled) if 2 * count > width)
    cells = [cell for cell in top[first] if cell is not None]
    if not any(isinstance(cell, str) for cell in cells):
        shown = ", ".join(map(str, cells[:4]))
        raise ValueError(
            f"the first row ({shown}, ...) looks like data, not like column names; read the file "
            "with header=False (--no-header)"
        )
    return first
