"""Commands folded to the width of a terminal, so that a shell still takes each as one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import zip_longest

from rich.cells import cell_len

_INDENT, _LEAST = 4, 16


def fold_command(command: str, width: int) -> list[str]:
    r"""Give a command in lines no wider than `width`; all but the last end with a backslash.

    A word stays whole if it fits in a line, and so does an option with its value. A longer word
    goes on where the next line begins, because spaces there would divide it.

    Examples
    --------
    >>> for line in fold_command("ramify fit 'my table.csv' --target sold", 26):
    ...     print(line)
        ramify fit \
          'my table.csv' \
          --target sold
    """
    width = max(width, _LEAST)
    line = f"{'':{_INDENT}}{command}"
    if cell_len(line) <= width:
        return [line]
    lines: list[str] = []
    line = f"{'':{_INDENT - 1}}"
    words = shlex.split(command)
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        quoted = shlex.quote(word)
        needed = f" {quoted}"
        if word.startswith("--") and following and not following.startswith("--"):
            pair = f" {quoted} {shlex.quote(following)}"
            needed = pair if _INDENT + 1 + cell_len(pair) <= width - 2 else needed
        if cell_len(line + needed) <= width - 2:  # a backslash may follow
            line = f"{line} {quoted}"
            continue
        if line.strip():
            lines.append(f"{line} \\")
        line = f"{'':{_INDENT + 2}}{quoted}"
        if cell_len(line) > width - 2:
            *pieces, line = _pieces(word, width - 2)
            lines += [f"{piece}\\" for piece in pieces]
    return [*lines, line]


def _pieces(word: str, width: int) -> Iterator[str]:
    """Divide a word into quoted pieces no wider than a line; the first is indented."""
    piece, indent = "", f"{'':{_INDENT + 2}}"
    for sign in word:
        if piece and cell_len(indent + shlex.quote(piece + sign)) > width:
            yield indent + shlex.quote(piece)
            piece, indent = "", ""
        piece += sign
    yield indent + shlex.quote(piece)
