"""One reader for CSV, ARFF and Parquet files: which format, which encoding, which columns."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from ramify.datasets.dataset import Dataset
from ramify.datasets.readers.arff import ArffFile
from ramify.datasets.readers.cells import CellRules, ColumnKind, check_unique
from ramify.datasets.readers.delimited import Column, DelimitedFile
from ramify.datasets.readers.parquet import ParquetFile
from ramify.datasets.readers.text import OnProgress, TextSource
from ramify.support.suggest import unknown_column
from ramify.tables.coded_text import CodedText
from ramify.tables.frame import TableDict

MISSING_CELLS: tuple[str, ...] = ("", "NA", "N/A", "NaN", "nan", "?", "null", "NULL")
"""Cells of a CSV file that count as missing unless `missing` says otherwise."""

_FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".arff": "arff",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"


class _TextForm(NamedTuple):
    """How a text file is written, as the parameters of the readers say it."""

    delimiter: str | None
    encoding: str | None
    header: bool
    missing: Collection[str] = MISSING_CELLS
    decimal: str = "."


class TableFile(Protocol):
    """A table file of one format."""

    names: list[str]

    def read(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> tuple[Mapping[str, Column], Mapping[str, tuple[str, ...]]]:
        """Read columns, and give the levels that the file declares for them."""

    def blocks(
        self, names: list[str], kinds: Mapping[str, ColumnKind]
    ) -> Iterator[Mapping[str, Column]]:
        """Give columns, a block of rows at a time; `kinds` has the kind of each."""


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
    progress: OnProgress | None = None,
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
        Called now and then with the part of a CSV file that has been read, 0 to 1. It starts again
        if text turns up late in a column of numbers, because that column is then read once more.

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
    form = _TextForm(delimiter, encoding, header, missing, decimal)
    with _opened(path, form, progress) as file:
        check_unique(file.names)
        _require((*(columns or ()), *ignore, *kinds), file.names, target)
        left_out = set(file.names).difference(columns) if columns is not None else set(ignore)
        wanted = [name for name in file.names if name == target or name not in left_out]
        table, levels = file.read(wanted, kinds)
    order = list(table) if columns is None else list(columns)
    return Dataset(
        data=_finished({name: table[name] for name in order if name != target}),
        target=None if target is None else _finished({target: table[target]})[target],
        target_name=target,
        description=path.name,
        levels=levels,
    )


def read_table_blocks(
    path: str | os.PathLike[str],
    *,
    kinds: Mapping[str, ColumnKind],
    missing: Collection[str] = MISSING_CELLS,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool = True,
    progress: OnProgress | None = None,
) -> Iterator[Dataset]:
    r"""Read some columns of a table file, a block of rows at a time.

    CSV and Parquet files are never in memory as a whole; ARFF files are.

    Parameters
    ----------
    path, missing, delimiter, decimal, encoding, header, progress
        As :func:`read_table_file` takes them.
    kinds : mapping of str to {"number", "text"}
        The columns to read, in this order, and what each holds.

    Yields
    ------
    Dataset
        The next rows, without a target.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "people.csv")
    >>> _ = file.write_text("age;town\n31;Rome\n?;Oslo\n")
    >>> for block in read_table_blocks(file, kinds={"age": "number"}):
    ...     print(block.data["age"])
    [31. nan]
    >>> folder.cleanup()
    """
    path = Path(path)
    form = _TextForm(delimiter, encoding, header, missing, decimal)
    with _opened(path, form, progress) as file:
        _require(kinds, file.names)
        for block in file.blocks(list(kinds), kinds):
            yield Dataset(data=_finished(block), description=path.name)


def read_column_names(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool = True,
) -> list[str]:
    """Give the names of the columns of a table file, without reading its rows.

    Parameters
    ----------
    path, delimiter, encoding, header
        As :func:`read_table_file` takes them.
    """
    with _opened(Path(path), _TextForm(delimiter, encoding, header)) as file:
        return file.names


@contextmanager
def _opened(path: Path, form: _TextForm, progress: OnProgress | None = None) -> Iterator[TableFile]:
    """Open a file of any format; errors in the block name it."""
    with _naming_the_file(path, form.encoding):
        file_format, packed = _find_format(path)
        if file_format == "parquet":
            with ParquetFile(path, progress=progress) as file:
                yield file
            return
        source = TextSource(path, packed=packed, encoding=form.encoding, progress=progress)
        if file_format == "arff":
            yield ArffFile(source)
            return
        yield DelimitedFile(
            source,
            delimiter=form.delimiter or ("\t" if ".tsv" in path.suffixes else None),
            header=form.header,
            rules=CellRules(form.missing, form.decimal),
        )


def _finished(columns: Mapping[str, Column]) -> TableDict:
    """Make the table from columns as the files of each format give them.

    A column of texts comes as codes of its distinct texts, so that what is to be found in the
    texts is looked for once in each.
    """
    coded = {name: column for name, column in columns.items() if isinstance(column, CodedText)}
    values = {
        name: column.values if isinstance(column, CodedText) else column
        for name, column in columns.items()
    }
    return TableDict(values, coded=coded)


def _require(names: Collection[str], found: Collection[str], target: str | None = None) -> None:
    """Refuse names that the file does not have."""
    there = set(found)
    if target is not None and target not in there:
        raise unknown_column(target, found, what="target")
    for name in names:
        if name not in there:
            raise unknown_column(name, found)


def _find_format(path: Path) -> tuple[str, bool]:
    """Give the format, and whether the file is gzipped; its name and its content must agree."""
    with open(path, "rb") as file:
        head = file.read(4)
    if head == _PARQUET:
        return "parquet", False
    endings = [ending.lower() for ending in path.suffixes]
    ending = next((one for one in reversed(endings) if one != ".gz"), "")
    if ending in (".xls", ".xlsx", ".ods"):
        raise ValueError("spreadsheets are not read: save the sheet as CSV")
    if ending not in _FORMATS:
        raise ValueError(
            f"the ending {ending!r} is not one of {', '.join(_FORMATS)} (with .gz or without)"
        )
    if _FORMATS[ending] == "parquet":
        raise ValueError("this is not a Parquet file")
    return _FORMATS[ending], head.startswith(_GZIP)


@contextmanager
def _naming_the_file(path: Path, encoding: str | None) -> Iterator[None]:
    """Put the name of the file before what is wrong with it."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not {encoding or 'UTF-8'} text; give its encoding") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: the gzip file is damaged ({error})") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
