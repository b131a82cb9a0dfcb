"""Text files with delimiters, read block by block.

A column is numbers until a cell says otherwise; then a second pass reads that column as text, so
that no more than the finished columns and one block of cells are ever in memory.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from ramify.datasets._cells import CellRules, ColumnKind, is_number, not_a_number

DELIMITERS = (",", ";", "\t", "|")
_BLOCK = 20_000
_SAMPLE = 1 << 16

Select = Callable[[list[str]], list[str]]


def read_csv(
    open_file: Callable[[], TextIO],
    *,
    rules: CellRules,
    select: Select,
    kinds: Mapping[str, ColumnKind],
    delimiter: str | None,
    header: bool,
) -> dict[str, NDArray[Any]]:
    """Read the columns that `select` picks from the names of the header."""
    with open_file() as file:
        sample = file.read(_SAMPLE)
    if not sample.strip():
        raise ValueError("the file is empty")
    delimiter = delimiter or sniff(sample)

    with open_file() as file:
        first = next(_records(file, delimiter))
    names = _names(first, header=header)
    wanted = select(names)
    kinds = {name: kinds[name] for name in wanted if name in kinds}

    def one_pass(
        names_now: list[str], kinds_now: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, NDArray[Any]], list[str]]:
        with open_file() as file:
            records = _records(file, delimiter)
            if header:
                next(records)
            return _read_blocks(
                records,
                width=len(names),
                names=names_now,
                places=[names.index(name) for name in names_now],
                rules=rules,
                kinds=kinds_now,
            )

    columns, late = one_pass(wanted, kinds)
    if late:
        columns |= one_pass(late, dict.fromkeys(late, "text"))[0]
    return {name: columns[name] for name in wanted}


def _read_blocks(
    records: Iterator[list[str]],
    *,
    width: int,
    names: list[str],
    places: list[int],
    rules: CellRules,
    kinds: Mapping[str, ColumnKind],
) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Read all rows once; also name the columns that turned to text too late to be read."""
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    current: dict[str, ColumnKind | None] = {name: kinds.get(name) for name in names}
    late: list[str] = []
    done = 0
    while rows := list(islice(records, _BLOCK)):
        for row, record in enumerate(rows, start=done + 1):
            if len(record) != width:
                raise ValueError(
                    f"data row {row} has {len(record)} cells, but the header has {width}"
                )
        by_column = list(zip(*rows, strict=True))
        for name, place in zip(names, places, strict=True):
            cells = by_column[place]
            if name in late:
                continue
            if current[name] != "text":
                forced = kinds.get(name) == "number"
                numbers = rules.numbers(cells, forced=forced)
                if numbers is not None:
                    parts[name].append(numbers)
                    continue
                if forced:
                    offset, cell = rules.first_text(cells)
                    raise not_a_number(name, done + offset + 1, cell)
                if done:
                    late.append(name)
                    del parts[name]
                    continue
                current[name] = "text"
            parts[name].append(rules.text(cells))
        done += len(rows)
    if not done:
        raise ValueError("the file has a header but no rows")
    return {name: np.concatenate(blocks) for name, blocks in parts.items()}, late


def _records(file: TextIO, delimiter: str) -> Iterator[list[str]]:
    """Give the records without blank lines; a malformed one is a ValueError with its line."""
    reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        yield from filter(None, reader)
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


def check_unique(names: list[str]) -> None:
    """Refuse column names that occur twice."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"column names occur more than once: {', '.join(map(repr, twice))}")


def sniff(sample: str) -> str:
    r"""Choose the delimiter under which most rows of a sample are as long as the header.

    Examples
    --------
    >>> sniff('name;note\nEve;"a; b"\nBob;x, y')
    ';'
    """
    best, best_score = DELIMITERS[0], (0.0, 1)
    for delimiter in DELIMITERS:
        reader = csv.reader(io.StringIO(sample), delimiter=delimiter, skipinitialspace=True)
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
