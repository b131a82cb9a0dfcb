"""Tables as Markdown: how the experiments lay out what they print."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence

NAN = float("nan")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def compared(
    columns: Sequence[str],
    ours: Mapping[tuple[str, str], float],
    theirs: Mapping[tuple[str, str], float],
) -> str:
    """Lay out ours / printed by data set and column, with the means over those that have both."""
    rows = []
    both: dict[str, list[tuple[float, float]]] = {column: [] for column in columns}
    for name in dict.fromkeys(name for name, _ in ours):
        cells = []
        for column in columns:
            value, printed = ours.get((name, column)), theirs.get((name, column))
            cells.append("" if value is None else ours_printed(value, printed))
            if value is not None and printed is not None:
                both[column].append((value, printed))
        rows.append([name, *cells])
    sums = []
    for column in columns:
        pair = [statistics.mean(side) for side in zip(*both[column], strict=True)]
        sums.append(ours_printed(*pair) if pair else "")
    return table(["data set", *columns], [*rows, ["**mean**", *sums]])


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
