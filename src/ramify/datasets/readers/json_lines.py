"""JSON lines (one object a line) and JSON files with a list of objects.

A key is a column; an object without it has a missing cell. The records are in memory while the file
is read.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ramify.datasets.readers.cells import Column, ColumnKind, as_kind
from ramify.datasets.readers.text import TextSource, rows_of
from ramify.datasets.readers.values import column_of
from ramify.tables.reading import Note

_BLOCK = 50_000  # rows


class JsonFile:
    """Records of a JSON file: their keys as names, and their columns.

    Parameters
    ----------
    source : TextSource
        The file.
    lines : bool
        Whether every line is an object; otherwise the file is a list of objects.
    missing : collection of str
        Texts that count as missing.
    """

    plain = True
    delimiter = ""

    def __init__(self, source: TextSource, *, lines: bool, missing: Collection[str]) -> None:
        self._source = source
        self._missing = frozenset(missing)
        self._records = list(_lines(source)) if lines else _listed(source)
        if not self._records:
            raise ValueError("the file is empty")
        self.names = list(dict.fromkeys(key for record in self._records for key in record))
        self.notes: list[Note] = []
        if not self.names:
            raise ValueError("the records of the file have no keys")

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, Column], dict[str, tuple[str, ...]]]:
        """Read columns; JSON declares no levels."""
        return self._columns(self._records, names, kinds), {}

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[dict[str, Column]]:
        """Give columns, a block of rows at a time."""
        for start in range(0, len(self._records), _BLOCK):
            yield self._columns(self._records[start : start + _BLOCK], names, kinds)
            self._source.tick()

    def _columns(
        self, records: list[dict[str, Any]], names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> dict[str, Column]:
        return {
            name: as_kind(
                name,
                column_of(
                    name,
                    [one.get(name) for one in records],
                    self._missing,
                    as_text=kinds.get(name) == "text",
                ),
                kinds.get(name),
            )
            for name in names
        }


def _lines(source: TextSource) -> Iterator[dict[str, Any]]:
    with source.open() as file:
        for number, line in enumerate(rows_of(file), start=1):
            if line.strip():
                yield _record(line, f"line {number}")
                if number % 10_000 == 0:
                    source.tick()


def _record(text: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place} is not JSON ({error})") from error
    if not isinstance(record, dict):
        raise ValueError(f'{place} is not an object like {{"age": 31}}, but {text.strip()[:40]}')
    return record


def _listed(source: TextSource) -> list[dict[str, Any]]:
    with source.open() as file:
        text = file.read()
    if not text.strip():
        return []
    try:
        records = json.loads(text)
    except RecursionError as error:
        raise ValueError(f"the file is not JSON ({error})") from error
    except ValueError as error:
        if str(error).startswith("Extra data"):  # JSON lines under another name
            return list(_lines(source))
        raise ValueError(f"the file is not JSON ({error})") from error
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        raise ValueError(
            'the file is not a list of records like [{"age": 31}, {"age": 44}], which is the '
            "JSON that can be read"
        )
    return records
