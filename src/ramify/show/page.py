"""A drawing for a page of a given size, with text as large as possible and never too small to read.

A tree that has to be small is drawn tighter: leaves in one line, conditions shortened. What still
has no room is counted instead of drawn. Room that is left goes between the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ramify.show.cards import FONT, SMALL, Cards
from ramify.show.drawing import (
    DOWN,
    RIGHT,
    Drawing,
    DrawingOptions,
    Style,
    arrange,
    larger,
    place_cards,
)
from ramify.show.visible import Visible, choose_visible
from ramify.tree import Tree

#: Around the drawing, in its units.
MARGIN = 4.0
#: Conditions are shortened to this width only if fewer nodes would be drawn otherwise.
_TIGHTEST = 135.0
#: From the style that says most to the one that says least.
_TIGHTER = tuple(
    style
    for widest in (None, 240.0, 200.0, 165.0, _TIGHTEST)
    for style in (
        *(replace(RIGHT, lines=n, last_lines=1, gap=4.0, level_gap=28.0) for n in (2, 3)),
        replace(RIGHT, lines=3, last_lines=3, gap=4.0, level_gap=28.0),
        *([replace(DOWN, gap=8.0)] if widest else []),
    )
    for style in (replace(style, widest=widest),)
)
#: A style that says less must have text that is larger by this factor.
_WORTH = 1.05
#: The room between cards grows by no more than these factors.
_MOST_GAP, _MOST_LEVEL_GAP = 4.0, 3.0


@dataclass(frozen=True)
class Page:
    """Where a tree is drawn; all sizes are points, or all are pixels.

    Parameters
    ----------
    width, height : float
        Size of the page.
    grows : float, default=1
        The factor by which it may grow so that less is left out.
    readable : float, default=8
        The size of text that is easy to read: nothing is shortened to make text larger.
    smallest : float, default=5
        The smallest size of text.
    """

    width: float
    height: float
    grows: float = 1.0
    readable: float = 8.0
    smallest: float = 5.0

    def holds(self, drawing: Drawing) -> bool:
        """Whether the smallest text of a drawing can be read."""
        return self.scale(drawing) * self.grows * SMALL >= self.smallest

    def scale(self, drawing: Drawing) -> float:
        """Points per unit of a drawing that fills the page."""
        margins = 2 * MARGIN
        width, height = drawing.layout.width + margins, drawing.layout.height + margins
        return min(self.width / width, self.height / height)


def draw_for(tree: Tree, page: Page, options: DrawingOptions) -> Drawing:
    """Choose what is drawn on a page, how, and where.

    Nodes are left out only if `max_nodes` is a number.
    """
    max_depth, max_nodes = options.max_depth, options.max_nodes
    widths = {style.widest for style in _TIGHTER}
    makers = {widest: Cards(tree, options.precision, widest) for widest in widths}

    def draw(most: int | None) -> Drawing:
        return _largest(makers, choose_visible(tree, max_depth, most), page, options.direction)

    drawing = draw(max_nodes)
    if max_nodes is None or page.holds(drawing):
        return drawing
    # Find the most nodes that can be read; fewer nodes almost always have more room.
    # The children of the root are drawn in any case: a root alone would say nothing.
    fits = len(choose_visible(tree, 1 if max_depth is None else min(1, max_depth), max_nodes))
    too_many = len(drawing.places)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if page.holds(draw(middle)):
            fits = middle
        else:
            too_many = middle
    return draw(fits)


def spread_out(drawing: Drawing, page: Page) -> Drawing:
    """Put the room that is left on a page between the cards; their size does not change."""
    scale = page.scale(drawing)
    style, made = drawing.style, drawing.layout
    left = (
        page.width / scale - 2 * MARGIN - made.width,
        page.height / scale - 2 * MARGIN - made.height,
    )
    along, across = left if style.sideways else left[::-1]
    levels = len(set(made.x if style.sideways else made.y)) - 1
    leaves = sum(not place.children for place in drawing.places) - 1
    if not levels or not leaves:
        return drawing
    wide = min(_MOST_LEVEL_GAP * style.level_gap, style.level_gap + along / levels)
    roomy = min(_MOST_GAP * style.gap, style.gap + across / leaves)
    # A wider gap may widen the drawing by less than the gap grows: that depends on its outline.
    tries = [
        place_cards(
            drawing.cards,
            drawing.places,
            replace(style, level_gap=wide, gap=style.gap + part * (roomy - style.gap)),
        )
        for part in (1.0, 0.5, 0.0)
    ]
    return next((one for one in tries if page.scale(one) >= scale * (1 - 1e-9)), drawing)


def _largest(
    makers: dict[float | None, Cards], places: list[Visible], page: Page, direction: str
) -> Drawing:
    """The usual drawing if its text is large enough, or else the one with the largest text."""

    def allowed(styles: tuple[Style, ...]) -> Iterator[Drawing]:
        for style in styles:
            if style.allowed(direction):
                yield arrange(makers[style.widest], places, style)

    found = larger(list(allowed((DOWN, RIGHT))), page.width, page.height)
    for drawing in allowed(_TIGHTER):
        drawn = drawing.style.widest == _TIGHTEST and page.holds(found)
        if drawn or page.scale(found) * FONT >= page.readable:
            break
        if page.scale(drawing) > _WORTH * page.scale(found):
            found = drawing
    return found
