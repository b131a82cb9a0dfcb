"""One reader for CSV, ARFF and Parquet files: which format, which encoding, which columns."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ramify.datasets._arff import read_arff
from ramify.datasets._cells import CellRules, ColumnKind, as_kind
from ramify.datasets._dataset import Dataset, unknown_column
from ramify.datasets._delimited import check_unique, read_csv
from ramify.datasets._parquet import ParquetFile
from ramify.datasets._text_source import Progress, TextSource

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
    progress: Progress | None = None,
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
        By default UTF-8 (a byte order mark is honoured, also that of UTF-16 and UTF-32), and
        Windows-1252, then Latin-1, if the bytes are not UTF-8.
    header : bool
        CSV: whether the first row holds the names; without, columns are x0, x1, ...
    progress : callable, optional
        Called now and then with the part of a CSV file that has been read, 0 to 1; starts again
        where text turned up late in a column of numbers, which is then read once more.

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

    levels: Mapping[str, tuple[str, ...]] = {}
    with naming_the_file(path, encoding):
        file_format, packed = find_format(path)
        if file_format == "parquet":
            with ParquetFile(path) as file:
                table = file.read(select)
        else:
            source = TextSource(path, packed=packed, encoding=encoding, progress=progress)
            if file_format == "arff":
                with source.open() as text:
                    table, levels = read_arff(text, select=select)
            else:
                table = read_csv(
                    source,
                    rules=CellRules(missing, decimal),
                    select=select,
                    kinds=kinds,
                    delimiter=delimiter or usual_delimiter(path),
                    header=header,
                )
        if file_format != "csv":
            table = {name: as_kind(name, c, kinds.get(name)) for name, c in table.items()}
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


def find_format(path: Path) -> tuple[str, bool]:
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


def usual_delimiter(path: Path) -> str | None:
    """Give the delimiter that the name of a file promises."""
    return "\t" if ".tsv" in path.suffixes else None


@contextmanager
def naming_the_file(path: Path, encoding: str | None) -> Iterator[None]:
    """Put the name of the file before what is wrong with it."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not {encoding or 'UTF-8'} text; give its encoding") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: the gzip file is damaged ({error})") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
