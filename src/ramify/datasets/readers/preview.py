"""The first rows of a text file as they are written, and the signs with which they are read.

It needs no correct choice of names or kinds: it shows what a reader makes of the signs alone.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ramify.datasets.readers.delimited import sniff
from ramify.datasets.readers.table import is_delimited, is_packed
from ramify.datasets.readers.text import TextSource

_SAMPLE = 1 << 16
_LONGEST_CELL = 200


@dataclass(frozen=True)
class Preview:
    """The first rows of a file with delimiters.

    Parameters
    ----------
    delimiter, encoding : str
        Those that were given, or else those that were found.
    rows : list of list of str
        The cells as they are written, the names among them.
    """

    delimiter: str
    encoding: str
    rows: list[list[str]]


def preview_table_file(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    rows: int = 12,
) -> Preview | None:
    r"""Show the first rows of a CSV file; None if the format has no delimiters.

    Parameters
    ----------
    path : str or path
    delimiter, encoding : str, optional
        By default they are found in the file.
    rows : int
        How many rows are wanted.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "people.csv")
    ...     _ = file.write_text("age;town\n31;Rome\n")
    ...     preview_table_file(file)
    Preview(delimiter=';', encoding='utf-8-sig', rows=[['age', 'town'], ['31', 'Rome']])
    """
    file = Path(path)
    if not is_delimited(file):
        return None
    source = TextSource(file, packed=is_packed(file), encoding=encoding)
    with source.open() as text:
        try:
            sample = text.read(_SAMPLE)
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{file}: not {encoding or 'UTF-8'} text; give its encoding"
            ) from error
    found = delimiter or ("\t" if ".tsv" in file.suffixes else sniff(sample))
    if len(found) != 1 or found in '"\r\n':
        raise ValueError(
            f"delimiter={found!r} must be one character, and neither a quote nor a line end"
        )
    cells = csv.reader(io.StringIO(sample, newline=""), delimiter=found, skipinitialspace=True)
    first: list[list[str]] = []
    with contextlib.suppress(csv.Error):  # a quote that the sample does not close
        for row in islice(filter(None, cells), rows):
            first.append([cell[:_LONGEST_CELL] for cell in row])
    return Preview(found, source.encoding, first)
