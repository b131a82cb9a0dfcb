"""One reader for CSV, ARFF and Parquet files: which format, which encoding, which columns."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import warnings
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TextIO, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ramify.datasets._arff import read_arff
from ramify.datasets._cells import CellRules, ColumnKind, as_kind
from ramify.datasets._dataset import Dataset, unknown_column
from ramify.datasets._delimited import check_unique, read_csv

MISSING_CELLS: tuple[str, ...] = ("", "NA", "N/A", "NaN", "nan", "?", "null", "NULL")
"""Cells of a CSV file that count as missing unless `missing` says otherwise."""

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".arff": "arff",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_Read = TypeVar("_Read")


def read_table_file(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    columns: Sequence[str] | None = None,
    ignore: Collection[str] = (),
    kinds: Mapping[str, ColumnKind] | None = None,
    missing: Collection[str] = MISSING_CELLS,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool = True,
) -> Dataset:
    r"""Read a table from a CSV, ARFF or Parquet file; CSV and ARFF may be gzipped.

    Parameters
    ----------
    path : str or path
        The format follows from the name: .csv .tsv .txt .data, .arff, .parquet .pq, with .gz or
        without. Parquet needs pyarrow.
    target : str, optional
        The column to set apart as the target.
    columns : sequence of str, optional
        Read only these predictors, in this order.
    ignore : collection of str
        Leave these columns out.
    kinds : mapping of str to {"number", "text"}, optional
        Read a column as this kind. Otherwise a CSV column is numbers if each cell that is not
        missing is one; codes with a leading zero ("007") and dates are text.
    missing : collection of str
        CSV cells that count as missing, without the spaces around them. By default an empty cell,
        NA, N/A, NaN, nan, ?, null and NULL.
    delimiter : str, optional
        CSV: found among comma, semicolon, tab and bar if not given.
    decimal : {".", ","}
        CSV: the decimal sign.
    encoding : str, optional
        By default UTF-8 (a byte order mark is honoured, also that of UTF-16), and Latin-1 if the
        bytes are not UTF-8.
    header : bool
        CSV: whether the first row holds the names; without, columns are x0, x1, ...

    Returns
    -------
    Dataset
        Number columns as float64 with NaN for missing cells, others as object with None. Integers
        beyond 2**53 are rounded to float64.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "people.csv")
    >>> _ = file.write_text("age;town;paid\n31;Rome;yes\n?;Oslo;no\n")
    >>> table = read_table_file(file, target="paid")
    >>> table.data["age"], table.data["town"], table.y
    (array([31., nan]), array(['Rome', 'Oslo'], dtype=object), array(['yes', 'no'], dtype=object))
    >>> folder.cleanup()
    """
    path = Path(path)
    kinds = dict(kinds or {})
    for name, kind in kinds.items():
        if kind not in ("number", "text"):
            raise ValueError(f"kinds[{name!r}]={kind!r} is not one of ['number', 'text']")

    def select(names: list[str]) -> list[str]:
        check_unique(names)
        return _select(names, target=target, columns=columns, ignore=ignore, kinds=kinds)

    try:
        levels: dict[str, tuple[str, ...]] = {}
        file_format, packed = _format(path)
        if file_format == "parquet":
            table = _read_parquet(path, select)
        elif file_format == "arff":
            table, levels = _decoded(
                path, packed, encoding, lambda opened: _arff_once(opened, select)
            )
        else:
            rules = CellRules(missing, decimal)
            table = _decoded(
                path,
                packed,
                encoding,
                lambda opened: read_csv(
                    opened,
                    rules=rules,
                    select=select,
                    kinds=kinds,
                    delimiter=delimiter or ("\t" if ".tsv" in path.suffixes else None),
                    header=header,
                ),
            )
        if file_format != "csv":
            table = {name: as_kind(name, c, kinds.get(name)) for name, c in table.items()}
    except UnicodeDecodeError as error:
        tried = encoding or "UTF-8"
        raise ValueError(f"{path}: not {tried} text; give its encoding") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: the gzip file is damaged ({error})") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    order = list(table) if columns is None else list(columns)
    return Dataset(
        data={name: table[name] for name in order if name != target},
        target=None if target is None else table[target],
        target_name=target,
        description=path.name,
        levels=levels,
    )


def _select(
    names: list[str],
    *,
    target: str | None,
    columns: Sequence[str] | None,
    ignore: Collection[str],
    kinds: Mapping[str, ColumnKind],
) -> list[str]:
    """Give the columns to read in file order, after checking every name that was given."""
    if target is not None and target not in names:
        raise unknown_column(target, names, what="target")
    for name in (*(columns or ()), *ignore, *kinds):
        if name not in names:
            raise unknown_column(name, names)
    if columns is not None:
        keep = set(columns) | ({target} if target is not None else set())
    else:
        keep = set(names) - set(ignore) | ({target} if target is not None else set())
    return [name for name in names if name in keep]


def _format(path: Path) -> tuple[str, bool]:
    """Give the format by name, and whether it is packed; files that say otherwise are refused."""
    with open(path, "rb") as file:
        head = file.read(4)
    packed = head[:2] == b"\x1f\x8b"
    suffixes = [suffix.lower() for suffix in path.suffixes]
    suffix = next((s for s in reversed(suffixes) if s != ".gz"), "")
    if head == b"PAR1":
        return "parquet", False
    if suffix in (".xls", ".xlsx", ".ods"):
        raise ValueError("spreadsheets are not read: save the sheet as CSV")
    if suffix not in _SUFFIXES:
        raise ValueError(
            f"the ending {suffix!r} is not one of {', '.join(_SUFFIXES)} (with .gz or without)"
        )
    if _SUFFIXES[suffix] == "parquet":
        raise ValueError("this is not a Parquet file")
    return _SUFFIXES[suffix], packed


def _decoded(
    path: Path,
    packed: bool,
    encoding: str | None,
    read: Callable[[Callable[[], TextIO]], _Read],
) -> _Read:
    """Call `read` with an opener, again as Latin-1 if the bytes turn out not to be UTF-8."""

    def binary() -> IO[bytes]:
        return cast(IO[bytes], gzip.open(path, "rb")) if packed else open(path, "rb")

    def opener(name: str) -> Callable[[], TextIO]:
        return lambda: io.TextIOWrapper(binary(), encoding=name, newline="")

    if encoding is not None:
        try:
            return read(opener(encoding))
        except LookupError as error:
            raise ValueError(f"encoding={encoding!r} is not known to Python") from error
    with binary() as file:
        head = file.read(4096)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return read(opener("utf-16"))
    if b"\0" in head:
        raise ValueError("this is not a text file")
    try:
        return read(opener("utf-8-sig"))
    except UnicodeDecodeError:
        return read(opener("latin-1"))


def _arff_once(
    opened: Callable[[], TextIO], select: Callable[[list[str]], list[str]]
) -> tuple[dict[str, NDArray[Any]], dict[str, tuple[str, ...]]]:
    with opened() as file:
        return read_arff(file, select=select)


def _read_parquet(path: Path, select: Callable[[list[str]], list[str]]) -> dict[str, NDArray[Any]]:
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ValueError(
            "reading Parquet needs pyarrow (pip install pyarrow), or save the table as CSV"
        ) from error
    with parquet.ParquetFile(path) as file:
        wanted = select(list(file.schema_arrow.names))
        table = file.read(columns=wanted)
    return {name: _from_arrow(arrow, name, table.column(name)) for name in wanted}


def _from_arrow(arrow: Any, name: str, column: Any) -> NDArray[Any]:
    types = arrow.types
    kind = column.type
    if types.is_dictionary(kind):
        if kind.ordered:
            warnings.warn(
                f"column {name!r} is an ordered category; its order is not kept when read from a "
                "file: read it with pandas and pass the frame to keep it",
                stacklevel=4,
            )
        column, kind = column.cast(kind.value_type), kind.value_type
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        numbers = column.cast(arrow.float64(), safe=False).to_numpy()
        return np.array(numbers, dtype=np.float64)  # a copy: Arrow's memory is read-only
    if types.is_null(kind):
        return np.full(len(column), np.nan)
    if types.is_boolean(kind) or types.is_string(kind) or types.is_large_string(kind):
        values = np.empty(len(column), dtype=object)
        values[:] = column.to_pylist()
        return values
    raise ValueError(
        f"column {name!r} has the type {kind}; numbers, text and booleans can be read: convert it "
        "or leave it out with ignore"
    )
