"""How trees show themselves in notebooks."""

from __future__ import annotations

from html import escape

from ramify.show.drawing import DrawingOptions
from ramify.show.page import Page, draw_for
from ramify.show.svg import drawing_to_svg
from ramify.tree import Tree
from ramify.tree.tree import IN_A_CELL

#: The pixels of a cell in most notebooks.
_CELL = Page(1000.0, 800.0, readable=11.0, smallest=8.0)


def figure(tree: Tree) -> str:
    """A tree as HTML: the drawing, no wider than the cell, and a caption.

    The drawing shrinks instead of scrolling: a frame that scrolls would begin at its corner, far
    from the root of a large tree.
    """
    drawing = draw_for(tree, _CELL, DrawingOptions(max_nodes=IN_A_CELL))
    scale = min(1.0, _CELL.scale(drawing))
    shown = drawing_to_svg(tree, drawing, scale, style="max-width:100%;height:auto")
    return (
        f'<figure style="margin:0.5em 0;max-width:100%">{shown}'
        f"<figcaption><code>{escape(repr(tree))}</code></figcaption></figure>"
    )
