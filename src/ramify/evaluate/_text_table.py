"""Cells of text as a table: Markdown, or plain text with columns in line."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[str]


def markdown_table(header: Row, rows: Sequence[Row]) -> str:
    """Write a table in Markdown; numbers stand to the right, the first column to the left."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(
        "| " + " | ".join(cell if i == 1 else escape_markdown(cell) for cell in line) + " |"
        for i, line in enumerate(lines)
    )


def escape_markdown(text: str) -> str:
    """Take their meaning from the characters that Markdown and HTML give one."""
    for character in "\\`*_[]|":
        text = text.replace(character, "\\" + character)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join(text.split())


def plain_table(header: Row, rows: Sequence[Row], *, rules: Sequence[int] = ()) -> str:
    """Write a table as lines; a rule stands below the header and before the rows in `rules`."""
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
