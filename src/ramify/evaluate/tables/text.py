"""Cells of text as a table: Markdown, or plain text with aligned columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

Row = Sequence[str]


class ShownTable(ABC):
    """A table that prints itself, in a terminal and in a notebook."""

    @property
    @abstractmethod
    def caption(self) -> str:
        """What the table shows, in a sentence."""

    @abstractmethod
    def header(self) -> list[str]:
        """Give the names of the columns."""

    @abstractmethod
    def cells(self) -> list[list[str]]:
        """Give the rows as text."""

    @property
    def n_body_rows(self) -> int:
        """The rows before the sums; a line stands between them."""
        return len(self.cells())

    def to_markdown(self) -> str:
        """Give the table as Markdown."""
        rows = [[cell.rstrip() for cell in row] for row in (self.header(), *self.cells())]
        return f"{markdown_table(rows[0], rows[1:])}\n\n{escape_markdown(self.caption)}.\n"

    def __str__(self) -> str:
        table = plain_table(self.header(), self.cells(), rules=(self.n_body_rows,))
        return f"{table}\n\n{self.caption}."

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def markdown_table(header: Row, rows: Sequence[Row]) -> str:
    """Write a table in Markdown; the first column is left-aligned, the others right-aligned."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(
        "| " + " | ".join(cell if i == 1 else escape_markdown(cell) for cell in line) + " |"
        for i, line in enumerate(lines)
    )


def escape_markdown(text: str) -> str:
    """Escape the characters that Markdown and HTML give a meaning."""
    for character in "\\`*_[]|":
        text = text.replace(character, "\\" + character)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join(text.split())


def plain_table(header: Row, rows: Sequence[Row], *, rules: Sequence[int] = ()) -> str:
    """Write a table as lines; a rule stands below the header and above the rows in `rules`."""
    cells = [[cell.replace("\n", " ") for cell in line] for line in (header, *rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(header))]
    rule = "  ".join("-" * width for width in widths)
    lines = []
    for i, line in enumerate(cells):
        if i == 1 or i - 1 in rules:
            lines.append(rule)
        first, *others = (cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        lines.append("  ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    return "\n".join(lines)
