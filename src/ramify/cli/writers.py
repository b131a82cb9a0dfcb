"""Tables written block by block, in the format that the ending of the file names.

A writer gets blocks of columns, all with the same names and types. A file has its name when all of
it is written.
"""

from __future__ import annotations

import gzip
import importlib
import io
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from numpy.typing import NDArray

from ramify.support.csv_rows import CsvRows, without_formula
from ramify.support.writer import open_bytes

Block = Mapping[str, NDArray[Any]]
Write = Callable[[Block], None]

_FORMATS = {
    ".csv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
    ".arff": "arff",
}
_TEXT = ("csv", "tsv", "jsonl", "arff")
_MOST_SHEET_ROWS = 1_048_576
# ARFF: texts that need no quotes, and what is escaped between quotes.
_PLAIN = re.compile(r"[\w.+-]+")
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def find_format(output: Path | None, *, as_json: bool) -> tuple[str, bool]:
    """Give the format to write, and whether to pack it; an unknown ending is CSV."""
    if output is None:
        return ("jsonl" if as_json else "csv"), False
    endings = [ending.lower() for ending in output.suffixes]
    packed = endings[-1:] == [".gz"]
    ending = next(iter(endings[-2:-1] if packed else endings[-1:]), "")
    if ending in (".xls", ".xlsm", ".ods"):
        raise ValueError(f"--output {output}: {ending} is not written; choose .xlsx or .csv")
    found = _FORMATS.get(ending, "csv")
    if as_json and ending in _FORMATS and found != "jsonl":
        if found not in _TEXT:
            raise ValueError(f"--output {output}: --json writes text; choose the ending .jsonl")
        found = "jsonl"
    if as_json:
        found = "jsonl"
    if packed and found not in _TEXT:
        raise ValueError(f"--output {output}: a {ending} file is packed already; leave .gz out")
    _require(found, output)
    return found, packed


def _require(found: str, output: Path) -> None:
    """Refuse a format whose library is not installed, before anything is computed."""
    needed = {"parquet": "pyarrow", "xlsx": "openpyxl"}.get(found)
    if needed is None:
        return
    try:
        importlib.import_module(needed)
    except ImportError:
        raise ValueError(
            f"--output {output}: this format needs {needed} (pip install {needed}); .csv needs "
            "nothing"
        ) from None


@contextmanager
def open_table(
    output: Path | None, *, as_json: bool = False, keep_formulas: bool = False
) -> Iterator[Write]:
    """Open a table to write; None is stdout."""
    form, packed = find_format(output, as_json=as_json)
    if output is None:
        yield _text_writer(form, sys.stdout, keep_formulas)
        return
    with open_bytes(output) as stream:
        if form == "parquet":
            with _parquet(stream) as write:
                yield write
        elif form == "xlsx":
            with _workbook(stream, keep_formulas) as write:
                yield write
        else:
            with _packing(stream) if packed else nullcontext(stream) as raw:
                text = io.TextIOWrapper(raw, encoding="utf-8", newline="")
                yield _text_writer(form, text, keep_formulas)
                text.flush()
                text.detach()


def _packing(stream: Any) -> Any:
    return gzip.GzipFile("", "wb", fileobj=stream, mtime=0)  # the same bytes at any time


def cells_of(column: NDArray[Any]) -> list[Any]:
    """Give the cells of a column as Python has them: None where missing, 3 for 3.0."""
    cells: list[Any] = column.tolist()
    if column.dtype.kind == "f":
        return [
            None if math.isnan(cell) else int(cell) if _is_whole(cell) else cell for cell in cells
        ]
    return cells


def _is_whole(cell: float) -> bool:
    return cell.is_integer() and abs(cell) < 2**53


# --- text -----------------------------------------------------------------------------------------


def _text_writer(form: str, stream: TextIO, keep_formulas: bool) -> Write:
    if form == "jsonl":
        return _json_lines(stream)
    if form == "arff":
        return _arff(stream)
    return _delimited(CsvRows(stream, keep_formulas=keep_formulas, tabs=form == "tsv"))


def _delimited(rows: CsvRows) -> Write:
    started = False

    def write(block: Block) -> None:
        nonlocal started
        if not started:  # not earlier: nothing is printed for a file that cannot be read
            rows.write([[*block]])
            started = True
        columns = map(cells_of, block.values())
        rows.write(zip(*columns, strict=True))

    return write


def _json_lines(stream: TextIO) -> Write:
    def write(block: Block) -> None:
        columns = [[_in_json(cell) for cell in cells_of(column)] for column in block.values()]
        for row in zip(*columns, strict=True):
            named = dict(zip(block, row, strict=True))
            stream.write(json.dumps(named, ensure_ascii=False, default=str) + "\n")

    return write


def _in_json(cell: Any) -> Any:
    """Give a cell that JSON has: it has no infinity."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _arff(stream: TextIO) -> Write:
    started = False

    def write(block: Block) -> None:
        nonlocal started
        if not started:
            lines = ["@relation predictions", ""]
            for name, column in block.items():
                kind = "numeric" if column.dtype.kind in "fiu" else "string"
                lines.append(f"@attribute {_quoted(name)} {kind}")
            stream.write("\n".join([*lines, "", "@data", ""]))
            started = True
        columns = map(cells_of, block.values())
        for row in zip(*columns, strict=True):
            stream.write(",".join(map(_quoted, row)) + "\n")

    return write


def _quoted(cell: Any) -> str:
    """Give a cell as ARFF has it."""
    if cell is None:
        return "?"
    text = str(cell)
    if _PLAIN.fullmatch(text):
        return text
    for mark, escaped in (
        ("\\", "\\\\"),
        ("'", "\\'"),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
    ):
        text = text.replace(mark, escaped)
    return f"'{text}'"


# --- others ---------------------------------------------------------------------------------------


@contextmanager
def _parquet(stream: Any) -> Iterator[Write]:
    arrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    opened: list[Any] = []

    def write(block: Block) -> None:
        types = opened[0].schema.types if opened else [None] * len(block)
        columns = [
            _arrow_column(arrow, column, kind)
            for column, kind in zip(block.values(), types, strict=True)
        ]
        table = arrow.Table.from_arrays(columns, names=[*block])
        if not opened:
            opened.append(parquet.ParquetWriter(stream, table.schema))
        opened[0].write_table(table)

    try:
        yield write
    finally:
        for writer in opened:
            writer.close()


def _arrow_column(arrow: Any, column: NDArray[Any], kind: Any) -> Any:
    if isinstance(column, arrow.Array):
        return column if kind is None else column.cast(kind)
    found = arrow.array(column, type=kind, from_pandas=True)
    return found.cast(arrow.string()) if arrow.types.is_null(found.type) else found


@contextmanager
def _workbook(stream: Any, keep_formulas: bool) -> Iterator[Write]:
    openpyxl: Any = importlib.import_module("openpyxl")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("predictions")
    done = 0

    def write(block: Block) -> None:
        nonlocal done
        if not done:
            sheet.append([*block])
            done = 1
        done += len(next(iter(block.values())))
        if done > _MOST_SHEET_ROWS:
            raise ValueError(
                f"a sheet has at most {_MOST_SHEET_ROWS:,} rows; write to a .csv or .parquet file"
            )
        columns = map(cells_of, block.values())
        for row in zip(*columns, strict=True):
            sheet.append(row if keep_formulas else [*map(without_formula, row)])

    yield write
    book.save(stream)


__all__ = ["cells_of", "find_format", "open_table"]
