"""Small tables as HTML for notebooks: everything from data is escaped, and no script is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ramify.tree.words import short_number

_BLUE, _ORANGE = "0,114,178", "213,94,0"


@dataclass(frozen=True)
class Cell:
    """A cell: its text, and how it looks.

    Parameters
    ----------
    text : str
        What it says. It is escaped, unless `raw`: then it is HTML already.
    right, bold, quiet, raw : bool
        Whether it is a number, stands out, or steps back.
    shade : float
        From -1 (orange) to 1 (blue): the colour behind it.
    """

    text: str
    right: bool = False
    bold: bool = False
    quiet: bool = False
    raw: bool = False
    shade: float = 0.0

    def html(self) -> str:
        """The cell as an element."""
        align = "right" if self.right else "left"
        style = f"text-align:{align};vertical-align:top;padding:2px 10px 2px 0"
        if self.bold:
            style += ";font-weight:600"
        if self.quiet:
            style += ";opacity:0.75"
        if self.shade:
            colour = _BLUE if self.shade > 0 else _ORANGE
            style += f";background:rgba({colour},{min(1.0, abs(self.shade)) * 0.45:.2f})"
        return f'<td style="{style}">{self.text if self.raw else escape(self.text)}</td>'


def table(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table with a heading.

    Examples
    --------
    >>> html = table(["a"], [[Cell("<b>")]])
    >>> "&lt;b&gt;" in html, "<script" in html
    (True, False)
    """
    cells = "".join(
        f'<th scope="col" style="text-align:left;padding:2px 10px 2px 0">{escape(name)}</th>'
        for name in head
    )
    body = "".join(f"<tr>{''.join(cell.html() for cell in row)}</tr>" for row in rows)
    return (
        '<table style="border-collapse:collapse;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
    )


def details(summary: str, html: str) -> str:
    """Something that is folded until it is asked for."""
    return f"<details><summary>{escape(summary)}</summary>{html}</details>"


def number(value: float) -> str:
    """A number of four digits."""
    return short_number(value, 4)
