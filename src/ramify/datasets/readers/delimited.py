"""Text files with delimiters, read block by block.

Invariant: no more than the finished columns and one block of cells are ever in memory.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.readers.cells import (
    CellRules,
    ColumnKind,
    check_unique,
    is_number,
    not_a_number,
)
from ramify.datasets.readers.text import RowLines, TextSource

DELIMITERS = (",", ";", "\t", "|")
# Rows of a block, at most; fewer where there are many columns.
_ROWS, _CELLS = 20_000, 400_000
_SAMPLE = 1 << 16


class DelimitedFile:
    """A text file with delimiters: its names, and its columns.

    A column whose kind is not known is numbers, as long as its cells are. Text in a later block
    calls for a second pass, which reads that column as text.
    """

    def __init__(
        self, source: TextSource, *, delimiter: str | None, header: bool, rules: CellRules
    ) -> None:
        with source.open() as file:
            sample = file.read(_SAMPLE)
        if not sample.strip():
            raise ValueError("the file is empty")
        self._source = source
        self._header = header
        self._rules = rules
        self.delimiter = delimiter or sniff(sample)
        with source.open() as file:
            self.names = _names(next(_records(file, self.delimiter)), header=header)
        if len(self.names) == 1 and delimiter is None and not _one_column(sample):
            shown = ", ".join(map(repr, DELIMITERS))
            raise ValueError(
                f"no delimiter of {shown} divides the rows ({self.names[0][:40]!r}); give the "
                "delimiter (--delimiter)"
            )

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, tuple[str, ...]]]:
        """Read columns; a text file declares no levels."""
        columns, late = self._read(names, kinds)
        if late:
            columns |= self._read(late, dict.fromkeys(late, "text"))[0]
        return {name: columns[name] for name in names}, {}

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Give columns, a block of rows at a time."""
        for first_row, cells in self._cells(names):
            yield {name: self._column(name, cells[name], first_row, kinds[name]) for name in names}

    def _read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, NDArray[Any]], list[str]]:
        """Read all rows once; also name the columns that turned to text after the first block."""
        parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
        current = {name: kinds.get(name) for name in names}
        late: list[str] = []
        for first_row, cells in self._cells(names):
            for name in list(parts):
                kind = current[name]
                if kind is None:
                    numbers = self._rules.numbers(cells[name])
                    if numbers is not None:
                        parts[name].append(numbers)
                        continue
                    if first_row > 1:
                        late.append(name)
                        del parts[name]
                        continue
                    kind = current[name] = "text"
                parts[name].append(self._column(name, cells[name], first_row, kind))
        return {name: np.concatenate(blocks) for name, blocks in parts.items()}, late

    def _column(
        self, name: str, cells: tuple[str, ...], first_row: int, kind: ColumnKind
    ) -> NDArray[Any]:
        """Read the cells of a column whose kind is known."""
        if kind == "text":
            return self._rules.text(cells)
        numbers = self._rules.numbers(cells, forced=True)
        if numbers is None:
            offset, cell = self._rules.first_text(cells)
            raise not_a_number(name, first_row + offset, cell)
        return numbers

    def _cells(self, names: list[str]) -> Iterator[tuple[int, dict[str, tuple[str, ...]]]]:
        """Give the number of the first row (from 1), and the cells of each of these columns."""
        width = len(self.names)
        most = max(1, min(_ROWS, _CELLS // width))
        place = {name: j for j, name in enumerate(self.names)}
        done = 0
        with self._source.open() as file:
            records = _records(file, self.delimiter)
            if self._header:
                next(records)
            while rows := list(islice(records, most)):
                if set(map(len, rows)) != {width}:
                    raise _ragged(rows, done + 1, width)
                columns = list(zip(*rows, strict=True))
                yield done + 1, {name: columns[place[name]] for name in names}
                done += len(rows)
                self._source.tick()
        if not done:
            raise ValueError("the file has a header but no rows")


def _ragged(rows: list[list[str]], first_row: int, width: int) -> ValueError:
    """Make the error for the first row that is not as long as the header."""
    lengths = enumerate(map(len, rows), start=first_row)
    row, length = next((row, length) for row, length in lengths if length != width)
    return ValueError(f"data row {row} has {length} cells, but the header has {width}")


def _records(file: TextIO, delimiter: str) -> Iterator[list[str]]:
    """Give the records without blank lines; a malformed one is a ValueError with its line."""
    lines = RowLines(file)
    reader = csv.reader(iter(lines), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for record in reader:
            lines.size = 0
            if record:
                yield record
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from error


def _names(first: list[str], *, header: bool) -> list[str]:
    if not header:
        return [f"x{j}" for j in range(len(first))]
    names = [cell.strip() or f"column_{j + 1}" for j, cell in enumerate(first)]
    if all(is_number(name) for name in names):
        raise ValueError(
            f"the first row ({', '.join(names[:4])}, ...) looks like data, not like column names; "
            "read the file with header=False (--no-header)"
        )
    check_unique(names)
    return names


def _one_column(sample: str) -> bool:
    """Tell whether a file has one column, rather than several with an unusual delimiter."""
    rows = sample.splitlines()[:100]
    signs = {sign for sign in rows[0] if not sign.isalnum() and sign not in "_\"' .-"}
    return not any(all(row.count(sign) == rows[0].count(sign) for row in rows) for sign in signs)


def sniff(sample: str) -> str:
    r"""Choose the delimiter under which most rows of a sample are as long as the header.

    Examples
    --------
    >>> sniff('name;note\nEve;"a; b"\nBob;x, y')
    ';'
    """
    best, best_score = DELIMITERS[0], (0.0, 1)
    for delimiter in DELIMITERS:
        reader = csv.reader(
            io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=True
        )
        try:
            rows = [row for row in islice(reader, 100) if row]
        except csv.Error:
            continue
        if len(sample) >= _SAMPLE and len(rows) > 1:
            rows.pop()  # it may have been cut
        width = len(rows[0]) if rows else 1
        score = (sum(len(row) == width for row in rows) / max(len(rows), 1), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best
