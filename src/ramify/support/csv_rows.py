"""Rows of CSV in which no text is a formula.

A spreadsheet runs a cell that begins with =, +, - or @, even after a tab or a line end. A text that
begins like this gets an apostrophe in front, unless it is a number. Nothing else is changed.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any, TextIO

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?", re.ASCII)


def without_formula(cell: Any) -> Any:
    """Give a cell with an apostrophe in front if a spreadsheet would run it.

    Examples
    --------
    >>> [without_formula(cell) for cell in ("=1+1", "-3.5", "-low", "a-b", -3.5)]
    ["'=1+1", '-3.5', "'-low", 'a-b', -3.5]
    """
    if isinstance(cell, str) and cell.startswith(FORMULA) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


class CsvRows:
    """A writer of CSV rows, with a line feed after each.

    Parameters
    ----------
    stream : text file
        Opened with ``newline=""``.
    keep_formulas : bool, default=False
        Write texts as they are, for programs that read them again.
    tabs : bool, default=False
        Put tabs between the cells, not commas.
    """

    def __init__(self, stream: TextIO, *, keep_formulas: bool = False, tabs: bool = False) -> None:
        delimiter = "\t" if tabs else ","
        self._writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        self._keep = keep_formulas

    def write(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write rows."""
        if self._keep:
            self._writer.writerows(rows)
        else:
            self._writer.writerows(map(without_formula, row) for row in rows)


__all__ = ["FORMULA", "CsvRows", "without_formula"]
