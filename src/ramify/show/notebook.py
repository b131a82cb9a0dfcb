"""How trees show themselves in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ramify.show._page import Page, draw_for
from ramify.show.svg import drawing_to_svg
from ramify.tree.tree import IN_A_CELL

if TYPE_CHECKING:
    from ramify.tree import Tree

#: Pixels that a cell has, in most notebooks.
_CELL = Page(1000.0, 800.0, readable=11.0, smallest=8.0)


def figure(tree: Tree) -> str:
    """A tree as HTML: the drawing, all of it as wide as the cell, and what it is of.

    A frame that scrolls would begin at its corner, far from the root of a large tree.
    """
    drawing = draw_for(
        tree, _CELL, max_depth=None, max_nodes=IN_A_CELL, direction="auto", precision=4
    )
    scale = min(1.0, _CELL.scale(drawing))
    shown = drawing_to_svg(tree, drawing, scale, style="max-width:100%;height:auto")
    return (
        f'<figure style="margin:0.5em 0;max-width:100%">{shown}'
        f"<figcaption><code>{escape(repr(tree))}</code></figcaption></figure>"
    )
