"""Tables as Markdown: how the experiments lay out what they print."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

NAN = float("nan")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def show(value: float | None, digits: int = 1) -> str:
    """Write a number; nothing if it is None or NaN."""
    return "" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def beside(found: float, printed: float, digits: int = 1) -> str:
    """Write our figure, and the printed one in brackets if there is one."""
    shown = show(printed, digits)
    return show(found, digits) + (f" ({shown})" if shown else "")


def ours_printed(found: float, printed: float | None, digits: int = 2) -> str:
    """Write our figure / the printed one, if there is one."""
    shown = show(printed, digits)
    return show(found, digits) + (f" / {shown}" if shown else "")
