"""A page about all trees near the best: one HTML file without scripts.

Everything on it is answered from the set as a whole; only the trees that are drawn are made.
"""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.show.html_table import Cell, number, table
from ramify.show.notebook import figure
from ramify.tree.colours import BLUE, ORANGE
from ramify.trees.optimal.rashomon import RashomonSet

_WIDTH, _HEIGHT = 240.0, 14.0  # of the bar of a range
_ROWS, _COLUMNS = 12, 8  # of the table of rows that the trees disagree about
_LOOKED_AT = 1000  # rows, the most divided, of which those that look alike are joined
_SURE = 1 - 1e-9
_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.25; }
h2 { margin-top: 2.2rem; }
table { margin: 0.5rem 0; }
figure { margin: 1rem 0; overflow-x: auto; }
"""


def near_page(near: RashomonSet, *, trees: int, title: str | None) -> str:
    """Write the page: how many trees, what they ask, where they disagree, and some of them."""
    head = "Trees near the best" if title is None else title
    parts = [f"<h1>{escape(head)}</h1>", *map(_paragraph, near.summary())]
    if near.count:
        parts += _sizes(near) + _columns(near) + _rows(near) + _trees(near, trees)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(head)}</title><style>{_STYLE}</style></head>\n<body><main>"
        + "\n".join(parts)
        + "</main></body></html>\n"
    )


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _sizes(near: RashomonSet) -> list[str]:
    """How many trees have how many leaves, and the best objective of each number."""
    best: dict[int, float] = {}
    count: dict[int, int] = {}
    for level in near.levels:  # best first
        best.setdefault(level.leaves, level.objective)
        count[level.leaves] = count.get(level.leaves, 0) + level.count
    rows = [
        [
            Cell(f"{leaves}", right=True),
            Cell(f"{count[leaves]:,}", right=True),
            Cell(f"{count[leaves] / near.count:.1%}", right=True),
            Cell(number(best[leaves]), right=True),
        ]
        for leaves in sorted(count)
    ]
    return ["<h2>Leaves</h2>", table(["leaves", "trees", "share", "best objective"], rows)]


def _columns(near: RashomonSet) -> list[str]:
    """What the trees do with each column, with the range of its importance as a bar."""
    found = near.columns()
    order = [j for j in np.argsort(-found.most, kind="stable") if found.used[j] > 0]
    if not order:
        return []
    most = max(float(found.most[order].max()), 1e-12)
    rows = [
        [
            Cell(str(found.column[j]), bold=True),
            Cell(f"{found.used[j]:.0%}", right=True),
            Cell(f"{found.at_root[j]:.0%}", right=True),
            Cell(f"{found.least[j]:.3f} to {found.most[j]:.3f}", right=True),
            Cell(_bar(float(found.least[j]), float(found.most[j]), most), raw=True),
        ]
        for j in order
    ]
    needed = [str(found.column[j]) for j in order if found.used[j] >= _SURE]
    words = f"Every tree asks {', '.join(needed)}. " if needed else "No column is in every tree. "
    return [
        "<h2>Columns</h2>",
        _paragraph(
            f"{words}A column whose importance begins at 0 can be done without: another tree of "
            "the set does not ask it."
        ),
        table(["column", "used by", "at root", "importance", "from least to most"], rows),
    ]


def _bar(least: float, largest: float, most: float) -> str:
    left, right = (_WIDTH * value / most for value in (least, largest))
    width = max(right - left, 2.0)
    words = f"from {least:.3f} to {largest:.3f}"
    return (
        f'<svg width="{_WIDTH:g}" height="{_HEIGHT:g}" role="img" aria-label="{words}">'
        f'<rect width="{_WIDTH:g}" height="{_HEIGHT:g}" fill="#eee"/>'
        f'<rect x="{left:.1f}" width="{width:.1f}" height="{_HEIGHT:g}" fill="{BLUE}"/></svg>'
    )


def _rows(near: RashomonSet) -> list[str]:
    """Where the trees disagree: how many rows, and those about which they are most divided."""
    found = near.agreement()
    classes = near.classes
    if classes is None:
        doubt, heads = found[:, 1], ["mean answer", "spread"]
        sure = _paragraph(
            f"The answers to a row differ by {number(float(doubt.mean()))} (mean "
            "standard deviation over the trees)."
        )
    else:
        doubt, heads = 1 - found.max(axis=1), [str(label) for label in classes]
        sure = table(
            ["share of the trees that agree", "rows", "share"], _agreement(found.max(axis=1))
        )
    order = [row for row in np.argsort(-doubt, kind="stable")[:_LOOKED_AT] if doubt[row] > 1e-9]
    if not order:
        return ["<h2>Rows</h2>", sure, _paragraph("All trees answer every row alike.")]
    cells = near.training_rows(order)
    names = list(cells)[:_COLUMNS]
    alike: dict[tuple[str, ...], list[int]] = {}  # what is shown of a row -> the rows
    for place, row in enumerate(order):
        shown = [number(one) if classes is None else f"{one:.0%}" for one in found[row]]
        key = *shown, *(cells[name][place] for name in names)
        alike.setdefault(key, []).append(row)
    n_answers = found.shape[1]
    rows = [
        [
            Cell(f"{same[0]}", right=True),
            Cell(f"{len(same):,}", right=True),
            *(Cell(text, right=at < n_answers) for at, text in enumerate(key)),
        ]
        for key, same in list(alike.items())[:_ROWS]
    ]
    return [
        "<h2>Rows</h2>",
        sure,
        _paragraph(
            "The training rows (of positive weight) about which the trees are most divided; rows "
            "that look alike stand in one line, with the number of the first:"
        ),
        table(["row", "alike", *heads, *names], rows),
    ]


def _agreement(share: NDArray[np.float64]) -> list[list[Cell]]:
    """How many rows get the same answer from so many of the trees."""
    bands = [("all", share >= _SURE), ("90 % or more", (share >= 0.9) & (share < _SURE))]
    bands += [("60 to 90 %", (share >= 0.6) & (share < 0.9)), ("fewer than 60 %", share < 0.6)]
    return [
        [
            Cell(words),
            Cell(f"{int(chosen.sum()):,}", right=True),
            Cell(f"{chosen.mean():.1%}", right=True),
        ]
        for words, chosen in bands
    ]


def _trees(near: RashomonSet, most: int) -> list[str]:
    """Draw the best tree, the smallest, the most different one, and some that are drawn by lot."""
    far = near.most_different()
    smallest = near.at_most(min(level.leaves for level in near.levels))
    chosen: list[tuple[str, Any]] = [
        ("The best tree", near[0]),
        (
            "The tree whose answers differ most from it, "
            f"{_distance(near, far.distance)}, with an objective of {number(far.objective)}",
            far.tree,
        ),
        (
            f"The best of the smallest trees, with an objective of {number(smallest.objective(0))}",
            smallest[0],
        ),
    ]
    chosen += [("A tree drawn by lot", tree) for tree in near.sample(max(most - len(chosen), 0))]
    parts, seen = ["<h2>Trees</h2>"], set[str]()
    for words, tree in chosen[:most]:
        if (text := tree.to_text()) in seen:
            continue
        seen.add(text)
        mark = f'<span style="color:{ORANGE}" aria-hidden="true">●</span> '
        parts.append(f"<h3>{mark}{escape(words)}</h3>{figure(tree)}")
    return parts


def _distance(near: RashomonSet, distance: float) -> str:
    if near.classes is None:
        return f"by {number(distance)} (mean squared difference)"
    return f"on {distance:.1%} of the rows"
