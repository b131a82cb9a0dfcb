"""The distinct cells of a column, and the few shapes they have.

The shape of a cell is the cell with "9" for every digit, but "0" for a zero that leads. A million
sums of money have some dozen shapes, and patterns look at those alone.

Invariant: `text` begins and ends with a line end, and every cell is one line of it. Spaces, minus
signs and apostrophes of all kinds are written as " ", "-" and "'"; there are none around a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

_SIGNS = {
    **dict.fromkeys(map(ord, "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006"), " "),
    **dict.fromkeys(map(ord, "\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t"), " "),
    **dict.fromkeys(map(ord, "\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"), "-"),
    **dict.fromkeys(map(ord, "\u2019\u02bc\u2032\u00b4`"), "'"),
}
_AROUND = re.compile(r" +(?=\n)|(?<=\n) +")
_ZERO, _NINE, _LINE = 48, 57, 10


class Cells:
    """Cells that are known, and patterns that all of them must fit.

    Parameters
    ----------
    cells : sequence of str
        The cells.
    lower : bool
        Whether to read them in small letters.
    """

    def __init__(self, cells: Sequence[str], *, lower: bool = False) -> None:
        text = "\n" + "\n".join(cells) + "\n"
        if not text.isascii() or "\t" in text or "`" in text:
            text = text.translate(_SIGNS)
        if " \n" in text or "\n " in text:
            text = _AROUND.sub("", text)
        self.n = len(cells)
        self.whole = text.count("\n") == self.n + 1 and "\r" not in text
        self.text = text.lower() if lower else text

    @cached_property
    def lines(self) -> list[str]:
        """The cells, as the text has them."""
        return self.text[1:-1].split("\n")

    @cached_property
    def shape_lines(self) -> list[str]:
        """The shape of every cell."""
        raw = np.frombuffer(self.text.encode(), dtype=np.uint8)
        is_digit = (raw - np.uint8(_ZERO)) < 10
        goes_on = is_digit | (raw == ord(".")) | (raw == ord(",")) | (raw == ord("'"))
        goes_on[1:] |= (raw[1:] == ord(" ")) & is_digit[:-1]
        shapes = np.where(is_digit, np.uint8(_NINE), raw)
        shapes[1:][(raw[1:] == _ZERO) & ~goes_on[:-1]] = _ZERO
        return shapes.tobytes().decode()[1:-1].split("\n")

    @cached_property
    def shapes(self) -> str:
        """The distinct shapes as one text."""
        return "\n" + "\n".join(dict.fromkeys(self.shape_lines)) + "\n"

    def all_fit(self, pattern: str) -> bool:
        """Tell whether every shape fits a pattern as a whole."""
        return _unlike(pattern).search(self.shapes, 0, len(self.shapes) - 1) is None

    def first(self, is_wrong: Callable[[str], bool]) -> int | None:
        """Give the position of the first cell with a wrong shape."""
        wrong = {shape for shape in self.shapes[1:-1].split("\n") if is_wrong(shape)}
        if not wrong:
            return None
        return next(i for i, shape in enumerate(self.shape_lines) if shape in wrong)

    def first_unfit(self, pattern: str) -> int | None:
        """Give the position of the first cell that does not fit a pattern as a whole."""
        if self.all_fit(pattern):
            return None
        fits = re.compile(pattern).fullmatch
        return self.first(lambda shape: fits(shape) is None)


@cache
def _unlike(pattern: str) -> re.Pattern[str]:
    # A search for a line end that no fitting line follows: the loop over lines is that of `re`.
    # With \Z, because the search leaves out the last line end.
    return re.compile(rf"\n(?!(?:{pattern})(?:\n|\Z))")


def digit_fields(text: str, width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the runs of digits of every line as a table of `width` numbers, and their lengths.

    A line with fewer runs has zeros, also as lengths. A run beyond `width` is left out.
    """
    raw = np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)
    is_digit = (raw - np.uint8(_ZERO)) < 10
    edges = np.flatnonzero(is_digit[1:] != is_digit[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    lengths = ends - starts
    digits = raw - np.uint8(_ZERO)
    values = np.zeros(len(starts), dtype=np.int64)
    shortest = int(lengths.min(initial=0))
    for i in range(int(lengths.max(initial=0))):
        if i < shortest:
            values = values * 10 + digits[starts + i]
        else:
            there = np.flatnonzero(lengths > i)
            values[there] = values[there] * 10 + digits[starts[there] + i]
    line_ends = np.flatnonzero(raw == _LINE)
    n = len(line_ends) - 1
    counts = np.diff(np.searchsorted(starts, line_ends))
    table, sizes = np.zeros((n, width), dtype=np.int64), np.zeros((n, width), dtype=np.int64)
    k = int(counts[0]) if n else 0
    if k and k <= width and (counts == k).all():
        table[:, :k], sizes[:, :k] = values.reshape(n, k), lengths.reshape(n, k)
        return table, sizes
    line = np.repeat(np.arange(n), counts)
    place = np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place < width
    table[line[kept], place[kept]] = values[kept]
    sizes[line[kept], place[kept]] = lengths[kept]
    return table, sizes


def lines_with(text: str, sign: str) -> NDArray[np.bool_]:
    """Tell for every line whether it has a sign (one ASCII character)."""
    raw = np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)
    line_ends = np.flatnonzero(raw == _LINE)
    found = np.zeros(len(line_ends) - 1, dtype=bool)
    found[np.searchsorted(line_ends, np.flatnonzero(raw == ord(sign))) - 1] = True
    return found
