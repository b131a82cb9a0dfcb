"""One reader for table files of all formats: which format, which encoding, which columns."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from ramify.datasets.dataset import Dataset
from ramify.datasets.readers.arff import ArffFile
from ramify.datasets.readers.cell_types import CellType, cell_types, common_type
from ramify.datasets.readers.cells import CellRules, Column, ColumnKind
from ramify.datasets.readers.delimited import DelimitedFile
from ramify.datasets.readers.excel import ExcelFile
from ramify.datasets.readers.json_lines import JsonFile
from ramify.datasets.readers.names import check_unique, number_duplicates
from ramify.datasets.readers.parquet import ParquetFile
from ramify.datasets.readers.text import OnProgress, TextSource
from ramify.datasets.readers.typed import Rules, find_types, read_as
from ramify.support.suggest import unknown_column
from ramify.tables.coded_text import CodedText
from ramify.tables.forms import Form
from ramify.tables.frame import TableDict
from ramify.tables.reading import Note

MISSING_CELLS: tuple[str, ...] = (
    *("", "NA", "N/A", "n/a", "#N/A", "<NA>"),
    *("NaN", "nan", "?", "null", "NULL"),
)
"""Cells of a CSV file that count as missing unless `missing` says otherwise."""

_FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".arff": "arff",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".json": "json",
}
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_KINDS = ("number", "text", "date")
Kinds = Mapping[str, ColumnKind | Form]


class _Options(NamedTuple):
    """How a file is written, as the parameters of the readers say it."""

    delimiter: str | None
    encoding: str | None
    header: bool
    missing: Collection[str] = MISSING_CELLS
    decimal: str = "."
    sheet: str | None = None


class TableFile(Protocol):
    """A table file of one format.

    `plain` tells whether texts like "12" are numbers; they are not in a format with types.
    `delimiter` is what stands between the cells of a text file.
    """

    names: list[str]
    notes: list[Note]
    plain: bool
    delimiter: str

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
    kinds: Kinds | None = None,
    missing: Collection[str] = MISSING_CELLS,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    rename_duplicates: bool = False,
    progress: OnProgress | None = None,
) -> Dataset:
    r"""Read a table from a CSV, Excel, JSON, ARFF or Parquet file; text files may be gzipped.

    Parameters
    ----------
    path : str or path
        The format follows from the name: .csv .tsv .txt .data, .jsonl .ndjson .json, .arff (with
        .gz or without), .xlsx, .parquet .pq. Excel needs openpyxl, Parquet pyarrow. JSON has one
        object per line, or a list of objects; each key is a column.
    target : str, optional
        The column to set apart as the target.
    columns : sequence of str, optional
        Read only these predictors, in this order.
    ignore : collection of str
        Leave these columns out.
    kinds : mapping of str to {"number", "text", "date"} or Form, optional
        Read a column as this kind. Otherwise a CSV column is numeric if each cell that is not
        missing is a number, also as "$1,234", "12,5 %" or "(3.50)"; dates and times are found as
        well. Codes with a leading zero ("007") are text. `Dataset.readings` tells what was found.
    missing : collection of str
        CSV cells that count as missing, without the spaces around them. By default an empty cell,
        NA, N/A, n/a, #N/A, <NA>, NaN, nan, ?, null and NULL; and more spellings, such as "-" or
        "unknown", in columns where every other cell is a number, a date or a time.
    delimiter : str, optional
        CSV: found among comma, semicolon, tab and bar if not given.
    decimal : {".", ","}
        CSV: the decimal sign.
    encoding : str, optional
        By default UTF-8 (a byte order mark is honoured, also that of UTF-16 and UTF-32), and
        Windows-1252, then Latin-1, if the bytes are not UTF-8.
    header : bool
        CSV, Excel: whether the first row holds the names. If not, the columns are x0, x1, ...
    sheet : str, optional
        Excel: the sheet; by default the first. With a file of another format it is an error.
    rename_duplicates : bool
        Whether a name that occurs again gets a number ("price_2"); otherwise it is an error.
    progress : callable, optional
        Called now and then with the part of a CSV file that has been read, 0 to 1. It starts again
        if text turns up late in a column of numbers, because that column is then read once more.

    Returns
    -------
    Dataset
        Number columns as float64 with NaN for missing cells; dates as datetime64[D], moments as
        datetime64[us], durations as timedelta64[us]; times and text as object with None. Whole
        numbers of more than 15 digits are text if float64 would round them, as long keys are.

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
    kinds = _checked(kinds or {})
    options = _Options(delimiter, encoding, header, missing, decimal, sheet)
    with _opened(path, options, progress, rename=rename_duplicates) as file:
        _require((*(columns or ()), *ignore, *kinds), file.names, target)
        left_out = set(file.names).difference(columns) if columns is not None else set(ignore)
        wanted = [name for name in file.names if name == target or name not in left_out]
        table, levels = file.read(wanted, _said(kinds, file))
        rules = Rules(
            gaps=tuple(missing) == MISSING_CELLS,
            plain=file.plain,
            decimal=decimal,
            delimiter=file.delimiter,
            read_text=_text_reader(file),
        )
        declared = dict.fromkeys(levels, "text")
        found = find_types(table, {**declared, **kinds}, rules)
        found.forms |= _zones(file, found.columns)
    order = list(table) if columns is None else list(columns)
    predictors = {name: found.columns[name] for name in order if name != target}
    kept = set(wanted)
    return Dataset(
        data=_finished(predictors, found.forms),
        target=None if target is None else _finished({target: found.columns[target]}, {})[target],
        target_name=target,
        description=path.name,
        levels=levels,
        readings=found.readings,
        notes=tuple(note for note in (*file.notes, *found.notes) if note.column in kept),
    )


def read_table_blocks(
    path: str | os.PathLike[str],
    *,
    kinds: Kinds,
    missing: Collection[str] = MISSING_CELLS,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    rename_duplicates: bool = False,
    progress: OnProgress | None = None,
) -> Iterator[Dataset]:
    r"""Read some columns of a table file, a block of rows at a time.

    CSV and Parquet files are never in memory as a whole; files of other formats are.

    Parameters
    ----------
    path, missing, delimiter, decimal, encoding, header, sheet, rename_duplicates, progress
        As :func:`read_table_file` takes them.
    kinds : mapping of str to {"number", "text"} or Form
        The columns to read, in this order, and what each holds. A `Form` reads text such as
        "$1,234" or "31.12.2019" in the way it says, in every block.

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
    kinds = _checked(kinds, valid=("number", "text"))
    options = _Options(delimiter, encoding, header, missing, decimal, sheet)
    with _opened(path, options, progress, rename=rename_duplicates) as file:
        _require(kinds, file.names)
        forms = {name: kind for name, kind in kinds.items() if isinstance(kind, Form)}
        said = {name: kind for name, kind in kinds.items() if not isinstance(kind, Form)}
        for block in file.blocks(list(kinds), said | _said(forms, file)):
            columns = {
                name: read_as(name, column, forms[name]) if name in forms else column
                for name, column in block.items()
            }
            yield Dataset(data=_finished(columns, forms), description=path.name)


def read_column_names(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    rename_duplicates: bool = False,
) -> list[str]:
    """Give the names of the columns of a table file.

    No rows of CSV, ARFF and Parquet files are read.

    Parameters
    ----------
    path, delimiter, encoding, header, sheet, rename_duplicates
        As :func:`read_table_file` takes them.
    """
    options = _Options(delimiter, encoding, header, sheet=sheet)
    with _opened(Path(path), options, rename=rename_duplicates) as file:
        return file.names


def find_cell_types(
    path: str | os.PathLike[str],
    names: Sequence[str],
    *,
    missing: Collection[str] = MISSING_CELLS,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    rename_duplicates: bool = False,
) -> dict[str, CellType]:
    """Say what the cells of columns are, taken one by one, in all rows of a table file.

    A cell of a CSV file is a number if it is written as one without a unit, and a boolean if it
    is true or false. Other formats have types of their own.

    Parameters
    ----------
    path, missing, delimiter, decimal, encoding, header, sheet, rename_duplicates
        As :func:`read_table_file` takes them.
    names : sequence of str
        The columns.

    Returns
    -------
    dict of str to {"number", "long number", "boolean", "text"}
        A long number is one that a float64 would round, such as 12345678901234567.
    """
    options = _Options(delimiter, encoding, header, missing, decimal, sheet)
    with _opened(Path(path), options, rename=rename_duplicates) as file:
        _require(names, file.names)
        as_text: ColumnKind = "text"
        kinds = dict.fromkeys(names, as_text) if file.delimiter else {}
        seen: dict[str, set[CellType]] = {name: set() for name in names}
        for block in file.blocks(list(names), kinds):
            for name, column in block.items():
                seen[name] |= cell_types(column, written=bool(file.delimiter))
    return {name: common_type(types) for name, types in seen.items()}


@contextmanager
def _opened(
    path: Path, options: _Options, progress: OnProgress | None = None, *, rename: bool
) -> Iterator[TableFile]:
    """Open a file of any format, with unique names; errors in the block name it."""
    with _naming_the_file(path, options.encoding):
        file_format, packed = _find_format(path)
        if options.sheet is not None and file_format != "excel":
            endings = " and ".join(end for end, one in _FORMATS.items() if one == "excel")
            raise ValueError(
                f"sheet={options.sheet!r} is only for Excel files ({endings}); leave it out"
            )
        if file_format == "parquet":
            with ParquetFile(path, progress=progress) as parquet:
                check_unique(parquet.names)
                yield parquet
            return
        file = _open(path, file_format, options, progress, packed=packed)
        if rename:
            file.names, notes = number_duplicates(file.names)
            file.notes += notes
        check_unique(file.names)
        yield file


def _open(
    path: Path,
    file_format: str,
    options: _Options,
    progress: OnProgress | None,
    *,
    packed: bool,
) -> TableFile:
    if file_format == "excel":
        return ExcelFile(path, sheet=options.sheet, header=options.header, missing=options.missing)
    source = TextSource(path, packed=packed, encoding=options.encoding, progress=progress)
    if file_format == "arff":
        return ArffFile(source)
    if file_format.startswith("json"):
        return JsonFile(source, lines=file_format == "json lines", missing=options.missing)
    return DelimitedFile(
        source,
        delimiter=options.delimiter or ("\t" if ".tsv" in path.suffixes else None),
        header=options.header,
        rules=CellRules(options.missing, options.decimal),
    )


def _checked(kinds: Kinds, *, valid: tuple[str, ...] = _KINDS) -> dict[str, ColumnKind | Form]:
    for name, kind in kinds.items():
        if not isinstance(kind, Form) and kind not in valid:
            raise ValueError(f"kinds[{name!r}]={kind!r} is not one of {[*valid]} or a Form")
    return dict(kinds)


def _said(kinds: Kinds, file: TableFile) -> dict[str, ColumnKind]:
    """Give the columns that a file must read as text, because the user says so or the form."""
    is_text_file = bool(file.delimiter)
    return {
        name: "text"
        for name, kind in kinds.items()
        if kind == "text" or (is_text_file and isinstance(kind, Form))
    }


def _text_reader(file: TableFile) -> Callable[[str], Column]:
    """Give what reads a column again as text."""
    return lambda name: file.read([name], {name: "text"})[0][name]


def _zones(file: TableFile, columns: Mapping[str, Column]) -> dict[str, Form]:
    """Give the forms of moments whose time zone the file declares."""
    zones: Mapping[str, str] = getattr(file, "zones", {})
    return {name: Form("datetime", zone=zone) for name, zone in zones.items() if name in columns}


def _finished(columns: Mapping[str, Column], forms: Mapping[str, Form]) -> TableDict:
    """Make the table from columns as the files of each format give them."""
    coded = {name: column for name, column in columns.items() if isinstance(column, CodedText)}
    values = {
        name: column.values if isinstance(column, CodedText) else column
        for name, column in columns.items()
    }
    kept = {name: form for name, form in forms.items() if name in columns}
    return TableDict(values, forms=kept, coded=coded)


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
    if ending in (".xls", ".xlsb", ".ods"):
        raise ValueError(f"{ending} files are not read: save the sheet as .xlsx or CSV")
    if ending not in _FORMATS:
        raise ValueError(
            f"the ending {ending!r} is not one of {', '.join(_FORMATS)} (with .gz or without)"
        )
    if _FORMATS[ending] == "parquet":
        raise ValueError("this is not a Parquet file")
    return _FORMATS[ending], head.startswith(_GZIP)


def is_delimited(path: Path) -> bool:
    """Tell whether a file is text with delimiters; an ending that is not known is an error."""
    with _naming_the_file(path, None):
        return _find_format(path)[0] == "csv"


def is_packed(path: Path) -> bool:
    """Tell whether a file is gzipped."""
    with _naming_the_file(path, None):
        return _find_format(path)[1]


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
