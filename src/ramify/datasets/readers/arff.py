"""Weka's ARFF: a header that declares each column, then rows, dense or sparse.

Numeric, nominal, string and date attributes are read. Relations mean nothing to a tree: the error
names them. Only an unquoted ``?`` is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.readers.cells import ColumnKind, as_kind
from ramify.datasets.readers.text import TextSource, rows_of
from ramify.datasets.readers.typed import as_coded, read_as
from ramify.tables.forms import Form
from ramify.tables.reading import Note
from ramify.tables.written import find

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.+)$", re.IGNORECASE)
_VALUE = re.compile(rf"\s*({_QUOTED}|[^,'\"][^,]*|)\s*(,|$)")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}

Cell = str | None


@dataclass(frozen=True)
class Attribute:
    """One declared column."""

    name: str
    type: str  # "numeric", "nominal", "string", "date", or a type that is not read
    levels: tuple[str, ...] = ()
    pattern: str = ""  # of a date, as Java writes it: "yyyy-MM-dd"


class ArffFile:
    """An ARFF file: its names, and its columns. It is in memory as a whole while it is read."""

    plain = False
    delimiter = ""

    def __init__(self, source: TextSource) -> None:
        self._source = source
        self.notes: list[Note] = []
        with source.open() as file:
            self.names = [attribute.name for attribute in _read_header(rows_of(file))[0]]

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, tuple[str, ...]]]:
        """Read columns, and give the declared levels of the nominal ones."""
        with self._source.open() as file:
            lines = rows_of(file)
            attributes, header_lines = _read_header(lines)
            for_names = list(zip(self.names, attributes, strict=True))
            wanted = {name: a for name, a in for_names if name in set(names)}
            _check_types(wanted.values())
            cells: list[list[Cell]] = []
            for line, raw in enumerate(lines, start=header_lines + 1):
                text = raw.strip()
                if text and not text.startswith("%"):
                    cells.append(_row(text, line, attributes))
        if not cells:
            raise ValueError("the file has a header but no rows")
        columns = {
            name: as_kind(name, _column(attribute, column), kinds.get(name))
            for (name, attribute), column in zip(for_names, zip(*cells, strict=True), strict=True)
            if name in wanted
        }
        return columns, {name: a.levels for name, a in wanted.items() if a.type == "nominal"}

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """Give columns as one block."""
        columns, _ = self.read(names, kinds)
        yield {name: columns[name] for name in names}


def _check_types(attributes: Iterable[Attribute]) -> None:
    for attribute in attributes:
        if attribute.type not in ("numeric", "nominal", "string", "date"):
            raise ValueError(
                f"column {attribute.name!r} has the ARFF type {attribute.type!r}; only numeric, "
                "nominal, string and date can be read: convert it or leave it out with ignore"
            )


def _read_header(lines: Iterator[str]) -> tuple[list[Attribute], int]:
    """Read the declared columns, and tell how many lines they took."""
    attributes: list[Attribute] = []
    for line, raw in enumerate(lines, start=1):
        text = raw.strip()
        keyword = text.split(None, 1)[0].lower() if text else "%"
        if keyword.startswith("%") or keyword == "@relation":
            continue
        if keyword == "@data":
            if not attributes:
                raise ValueError(f"line {line}: @data before any @attribute")
            return attributes, line
        match = _ATTRIBUTE.match(text)
        if match is None:
            raise ValueError(f"line {line}: expected @attribute NAME TYPE or @data, got {text!r}")
        attributes.append(_attribute(_unquote(match[1]), match[2].strip(), line))
    raise ValueError("no @data line: this is not an ARFF file, or it is cut off")


def _attribute(name: str, declared: str, line: int) -> Attribute:
    if declared.startswith("{"):
        if not declared.endswith("}"):
            raise ValueError(f"line {line}: the levels of {name!r} have no closing brace")
        levels = tuple(cell for cell in _split(declared[1:-1], line, quoted_missing=True) if cell)
        return Attribute(name, "nominal", levels)
    kind, _, rest = declared.partition(" ")
    kind = kind.lower()
    if kind == "date":
        return Attribute(name, kind, pattern=_unquote(rest.strip()) or "yyyy-MM-dd'T'HH:mm:ss")
    return Attribute(name, "numeric" if kind in ("numeric", "real", "integer") else kind)


def _row(text: str, line: int, attributes: list[Attribute]) -> list[Cell]:
    if text.startswith("{") and text.endswith("}"):
        return _sparse_row(text[1:-1], line, attributes)
    cells = _split(text, line)
    if len(cells) == len(attributes) + 1 and (cells[-1] or "").startswith("{"):
        raise ValueError(f"line {line}: instance weights ({cells[-1]}) are not supported")
    if len(cells) != len(attributes):
        raise ValueError(
            f"line {line} has {len(cells)} cells, but {len(attributes)} attributes are declared"
        )
    return cells


def _sparse_row(text: str, line: int, attributes: list[Attribute]) -> list[Cell]:
    """Read a row of `index value` pairs; other cells are 0, or the first declared level."""
    cells: list[Cell] = []
    for attribute in attributes:
        if attribute.type == "string":
            raise ValueError(f"line {line}: a sparse row with the string column {attribute.name!r}")
        cells.append(attribute.levels[0] if attribute.levels else "0")
    for pair in re.findall(rf"(?:{_QUOTED}|[^,'\"])+", text):
        index, _, value = pair.strip().partition(" ")
        if not index.isdecimal() or int(index) >= len(cells) or not value.strip():
            raise ValueError(f"line {line}: {pair.strip()!r} is not an attribute index and a value")
        (cells[int(index)],) = _split(value, line)
    return cells


def _split(text: str, line: int, *, quoted_missing: bool = False) -> list[Cell]:
    if "'" not in text and '"' not in text:
        # Tabs separate too, where there are no commas.
        parts = text.split("," if "," in text else "\t")
        return [None if (c := p.strip()) == "?" and not quoted_missing else c for p in parts]
    cells: list[Cell] = []
    position, more = 0, True
    while more:
        match = _VALUE.match(text, position)
        if match is None:
            raise ValueError(f"line {line}: a quote is not closed near {text[position:][:30]!r}")
        value = match[1].strip()
        cells.append(None if value == "?" and not quoted_missing else _unquote(value))
        position, more = match.end(), match[2] == ","
    return cells


def _unquote(text: str) -> str:
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text[1:-1])
    return text


def _column(attribute: Attribute, cells: tuple[Cell, ...]) -> NDArray[Any]:
    if attribute.type == "numeric":
        try:
            return np.array([np.nan if c is None else float(c) for c in cells], dtype=np.float64)
        except ValueError as error:
            raise ValueError(f"column {attribute.name!r} is declared numeric: {error}") from error
    if attribute.type == "date":
        return _dates(attribute, cells)
    known = {level: level for level in attribute.levels}
    if attribute.type == "nominal":
        for row, cell in enumerate(cells, start=1):
            if cell is not None and cell not in known:
                shown = ", ".join(attribute.levels[:10])
                raise ValueError(
                    f"column {attribute.name!r}, data row {row}: {cell!r} is not a declared level "
                    f"({shown}{', ...' if len(attribute.levels) > 10 else ''})"
                )
    column = np.empty(len(cells), dtype=object)
    column[:] = [None if cell is None else known.get(cell, cell) for cell in cells]
    return column


def _dates(attribute: Attribute, cells: tuple[Cell, ...]) -> NDArray[Any]:
    """Read a date attribute; its pattern says whether days or months come first."""
    column = np.empty(len(cells), dtype=object)
    column[:] = [None if cell is None else cell.strip() for cell in cells]
    coded = as_coded(column)
    pattern = attribute.pattern
    day_first = "d" in pattern and "M" in pattern and pattern.index("d") < pattern.index("M")
    found = find(coded.levels, day_first=day_first, wanted="date")
    if coded.levels and found is None:
        raise ValueError(
            f"column {attribute.name!r} is declared as date {pattern!r}, but its cells, such as "
            f"{coded.levels[0]!r}, are not dates that can be read; read it as text (kinds) or "
            "leave it out with ignore"
        )
    form = Form("date") if found is None else found.form
    if form.kind == "date" and "H" in pattern:
        form = Form("datetime", order=form.order)
    return read_as(attribute.name, coded, form)
