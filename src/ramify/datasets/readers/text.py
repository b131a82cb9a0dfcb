"""A text file, gzipped or not, opened as often as needed in the encoding of its bytes.

Invariant: the encoding is found before the first row is read, by looking at every byte. No file
is read half in one encoding and half in another.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TextIO, cast

OnProgress = Callable[[float], None]
"""Called now and then with the part of the file that has been read, 0 to 1."""

MOST_CHARACTERS = 1 << 26
"""The longest row that is read: a small gzip file may hold a line that fills the memory."""

_CHUNK = 1 << 20
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19]")  # not tab, line ends, DOS's end mark, escape


class TextSource:
    """A text file that can be opened several times.

    Parameters
    ----------
    path : Path
        The file.
    packed : bool
        Whether it is gzipped.
    encoding : str or None
        None: UTF-16 or UTF-32 with a byte order mark, else UTF-8, else Windows-1252, else Latin-1.
    progress : callable or None
        `tick` tells it how much of the file has been read.
    """

    def __init__(
        self, path: Path, *, packed: bool, encoding: str | None, progress: OnProgress | None = None
    ) -> None:
        self._path = path
        self._packed = packed
        self._progress = progress
        self._size = max(os.path.getsize(path), 1)
        self._file: IO[bytes] | None = None
        self._encoding = self._find() if encoding is None else _known(encoding)
        self._checked = encoding is None and self._encoding == "utf-8-sig"

    def open(self) -> TextIO:
        """Open the file from its start."""
        return io.TextIOWrapper(self._binary(), encoding=self._encoding, newline="")

    def pieces(self) -> Iterator[bytes]:
        """Open the file from its start, and give its text as UTF-8, a piece at a time."""
        with self._binary() as file:
            if self._checked:  # nothing to decode: every byte has been looked at
                first = file.read(_CHUNK).removeprefix(codecs.BOM_UTF8)
                while first:
                    yield first
                    first = file.read(_CHUNK)
                return
            decoder = codecs.getincrementaldecoder(self._encoding)()
            while piece := file.read(_CHUNK):
                yield decoder.decode(piece).encode("utf-8", "surrogatepass")
            yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")

    @property
    def encoding(self) -> str:
        """The encoding of the text, as Python calls it."""
        return self._encoding

    @property
    def size_of_text(self) -> int:
        """The bytes of the text as UTF-8, as far as they are known; 0 if not at all."""
        return 0 if self._packed or not self._checked else self._size

    def tick(self) -> None:
        """Tell how much has been read since the file was last opened."""
        if self._progress is not None and self._file is not None and not self._file.closed:
            self._progress(min(self._file.tell() / self._size, 1.0))

    def _binary(self) -> IO[bytes]:
        self._file = open(self._path, "rb")  # noqa: SIM115 - closed with the text around it
        return cast(IO[bytes], _Unpacked(self._file)) if self._packed else self._file

    def _find(self) -> str:
        with self._binary() as file:
            head = file.read(4096)
            if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
                return "utf-32"  # looked for first: its mark begins like that of UTF-16
            if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                return "utf-16"
            if _NO_TEXT.search(head):
                raise ValueError(
                    "this is not a text file, or UTF-16 without a mark (--encoding utf-16-le)"
                )
        found = (name for name in ("utf-8-sig", "cp1252") if self._decodes(name))
        return next(found, "latin-1")

    def _decodes(self, encoding: str) -> bool:
        decoder = codecs.getincrementaldecoder(encoding)()
        with self._binary() as file:
            try:
                while chunk := file.read(_CHUNK):
                    decoder.decode(chunk)
                decoder.decode(b"", True)
            except UnicodeDecodeError:
                return False
        return True


class RowLines:
    """The lines of a text, for a reader that makes rows from them.

    Invariant: no more than `MOST_CHARACTERS` are read from one row to the next. The reader sets
    `size` to 0 where a row ends.
    """

    def __init__(self, text: TextIO) -> None:
        self.size = 0
        self._readline = text.readline

    def __iter__(self) -> Iterator[str]:
        most, number = MOST_CHARACTERS, 0
        while line := self._readline(most + 1):
            number += 1
            self.size += len(line)
            if self.size > most:
                raise ValueError(
                    f"line {number}: a row of more than {most:,} characters, which is the most "
                    "that is read from a text file; longer rows can be read from Parquet"
                )
            yield line


def rows_of(text: TextIO) -> Iterator[str]:
    """Give the lines of a text in which every line is a row."""
    lines = RowLines(text)
    for line in lines:
        lines.size = 0
        yield line


class _Unpacked(gzip.GzipFile):
    """A gzip file that closes the file below it."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(fileobj=file, mode="rb")
        self._below = file

    def close(self) -> None:
        super().close()
        self._below.close()


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError as error:
        raise ValueError(f"encoding={encoding!r} is not known to Python") from error
