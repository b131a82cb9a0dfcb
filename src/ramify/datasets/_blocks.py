"""A table file block by block, for files larger than memory; and its column names alone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ramify.datasets._arff import read_arff, read_header
from ramify.datasets._cells import CellRules, ColumnKind, as_kind
from ramify.datasets._dataset import Dataset, unknown_column
from ramify.datasets._delimited import DelimitedFile, csv_blocks
from ramify.datasets._parquet import ParquetFile
from ramify.datasets._readers import (
    MISSING_CELLS,
    find_format,
    naming_the_file,
    usual_delimiter,
)
from ramify.datasets._text_source import Progress, TextSource

_BATCH = 100_000


def read_table_blocks(
    path: str | os.PathLike[str],
    *,
    kinds: Mapping[str, ColumnKind],
    missing: Collection[str] = MISSING_CELLS,
    delimiter: str | None = None,
    decimal: str = ".",
    encoding: str | None = None,
    header: bool = True,
    progress: Progress | None = None,
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
    ...     print(block.data)
    {'age': array([31., nan])}
    >>> folder.cleanup()
    """
    path = Path(path)
    names = list(kinds)
    with naming_the_file(path, encoding):
        file_format, packed = find_format(path)
        if file_format == "parquet":
            with ParquetFile(path) as file:
                _require(names, file.names)
                for block in file.blocks(names, rows=_BATCH, progress=progress):
                    yield _typed(block, kinds)
            return
        source = TextSource(path, packed=packed, encoding=encoding, progress=progress)
        if file_format == "arff":
            with source.open() as text:
                columns, _ = read_arff(text, select=lambda found: _require(names, found))
            yield _typed({name: columns[name] for name in names}, kinds)
            return
        table = DelimitedFile(source, delimiter=delimiter or usual_delimiter(path), header=header)
        _require(names, table.names)
        for block in csv_blocks(table, names, rules=CellRules(missing, decimal), kinds=kinds):
            yield Dataset(data=block, description=path.name)


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
    path = Path(path)
    with naming_the_file(path, encoding):
        file_format, packed = find_format(path)
        if file_format == "parquet":
            with ParquetFile(path) as file:
                return file.names
        source = TextSource(path, packed=packed, encoding=encoding)
        if file_format == "arff":
            with source.open() as text:
                return [attribute.name for attribute in read_header(text)]
        delimiter = delimiter or usual_delimiter(path)
        return DelimitedFile(source, delimiter=delimiter, header=header).names


def _require(names: Sequence[str], found: Sequence[str]) -> list[str]:
    there = set(found)
    for name in names:
        if name not in there:
            raise unknown_column(name, found)
    return [name for name in found if name in set(names)]


def _typed(block: Mapping[str, NDArray[Any]], kinds: Mapping[str, ColumnKind]) -> Dataset:
    return Dataset(data={name: as_kind(name, c, kinds[name]) for name, c in block.items()})
