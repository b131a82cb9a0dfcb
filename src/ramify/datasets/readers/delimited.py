"""Text files with delimiters: names and delimiter are found here, the core reads the columns.

Invariant: no more than the finished columns and one block of text are ever in memory.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import islice

from ramify import _core
from ramify.datasets.readers import text
from ramify.datasets.readers.cells import (
    CellRules,
    Column,
    ColumnKind,
    is_number,
    not_a_number,
)
from ramify.datasets.readers.names import fill_names
from ramify.tables.coded_text import CodedText
from ramify.tables.reading import Note

DELIMITERS = (",", ";", "\t", "|")
# Bytes of a block that one thread reads: large, so that threads seldom wait for each other.
_BLOCK = 1 << 21
_SAMPLE = 1 << 16


class DelimitedFile:
    """A text file with delimiters: its names, and its columns.

    A column whose kind is not known is numbers, as long as its cells are. Text in a later block
    calls for a second pass, which reads that column as text.
    """

    plain = True

    def __init__(
        self, source: text.TextSource, *, delimiter: str | None, header: bool, rules: CellRules
    ) -> None:
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise ValueError(
                f"delimiter={delimiter!r} must be one character, and neither a quote nor a line end"
            )
        with source.open() as file:
            sample = file.read(_SAMPLE)
        if not sample.strip():
            raise ValueError("the file is empty")
        self._source = source
        self._header = header
        self._rules = rules
        self.delimiter = delimiter or sniff(sample)
        self.names, self.notes = _names(self._first_record(), header=header)
        if len(self.names) == 1 and delimiter is None and not _one_column(sample):
            shown = ", ".join(map(repr, DELIMITERS))
            raise ValueError(
                f"no delimiter of {shown} divides the rows ({self.names[0][:40]!r}); give the "
                "delimiter (--delimiter)"
            )

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, Column], dict[str, tuple[str, ...]]]:
        """Read columns; a text file declares no levels."""
        columns = self._read(names, kinds)
        late = [name for name, column in columns.items() if column is None]
        again = self._read(late, dict.fromkeys(late, "text")) if late else {}
        return {name: _given(columns[name], again.get(name)) for name in names}, {}

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[dict[str, Column]]:
        """Give columns, a block of rows at a time."""
        reader, taken = self._reader(names, kinds), 0
        for _ in self._pass_through(reader, names):
            if reader.rows > taken:
                taken = reader.rows
                found = _columns(reader, names)
                yield {name: _given(column) for name, column in found.items()}

    def _read(self, names: list[str], kinds: Mapping[str, ColumnKind]) -> dict[str, Column | None]:
        """Read all rows once; a column that turned to text after the first block is None."""
        reader = self._reader(names, kinds)
        for _ in self._pass_through(reader, names):
            pass
        return _columns(reader, names)

    def _reader(self, names: list[str], kinds: Mapping[str, ColumnKind]) -> _core.DelimitedReader:
        place = {name: j for j, name in enumerate(self.names)}
        return _core.DelimitedReader(
            [(place[name], kinds.get(name, "open")) for name in names],
            width=len(self.names),
            header=self._header,
            delimiter=self.delimiter,
            decimal=self._rules.decimal,
            missing=sorted(self._rules.missing),
            longest_row=text.MOST_CHARACTERS,
            block=_BLOCK,
            expected=self._source.size_of_text,
        )

    def _pass_through(self, reader: _core.DelimitedReader, names: list[str]) -> Iterator[None]:
        """Give the whole file to a reader; it may be asked for rows after each piece."""
        for piece in self._source.pieces():
            reader.add(piece)
            _check(reader, names)
            self._source.tick()
            yield
        reader.finish()
        _check(reader, names)
        yield
        if not reader.rows:
            raise ValueError("the file has a header but no rows")

    def _first_record(self) -> list[str]:
        """Read the first record, from as much of the file as it needs."""
        found, wanted = b"", 0
        for piece in self._source.pieces():
            found += piece
            if len(found) < wanted:
                continue
            record = self._record(found, final=False)
            if record is not None:
                return record
            wanted = 2 * len(found)
        return self._record(found, final=True) or []

    def _record(self, found: bytes, *, final: bool) -> list[str] | None:
        return _core.first_record(found, final, self.delimiter, text.MOST_CHARACTERS)


def _columns(reader: _core.DelimitedReader, names: list[str]) -> dict[str, Column | None]:
    """Take the rows that a reader has; None is a column that turned to text too late."""
    return {
        name: CodedText(*column) if isinstance(column, tuple) else column
        for name, column in zip(names, reader.take(), strict=True)
    }


def _given(*columns: Column | None) -> Column:
    return next(column for column in columns if column is not None)


def _check(reader: _core.DelimitedReader, names: list[str]) -> None:
    """Refuse a text in a column that must hold numbers."""
    if (wrong := reader.wrong) is not None:
        column, row, cell = wrong
        raise not_a_number(names[column], row + 1, cell)


def _names(first: list[str], *, header: bool) -> tuple[list[str], list[Note]]:
    if not header:
        return [f"x{j}" for j in range(len(first))], []
    names, notes = fill_names(first)
    if all(is_number(name) for name in names):
        raise ValueError(
            f"the first row ({', '.join(names[:4])}, ...) looks like data, not like column names; "
            "read the file with header=False (--no-header)"
        )
    return names, notes


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
