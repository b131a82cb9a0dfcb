"""A tree ready to be drawn: cards with their places and the branches between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ramify import _parameters as check
from ramify.show._cards import Card, Cards
from ramify.show._visible import Visible, choose_visible
from ramify.show.layout import GAP, Layout, layout
from ramify.show.text import check_display

if TYPE_CHECKING:
    from ramify.tree import Tree

DIRECTIONS = ("auto", "down", "right")
#: A branch that takes all rows is as wide as this.
WIDEST_BRANCH = 14.0


@dataclass(frozen=True)
class Branch:
    """A cubic curve between two cards: its four points, and its width."""

    points: tuple[tuple[float, float], ...]
    width: float


@dataclass(frozen=True)
class Drawing:
    """What every drawing of a tree is made from."""

    cards: list[Card]
    places: list[Visible]
    layout: Layout
    sideways: bool

    def box(self, i: int) -> tuple[float, float, float, float]:
        """Left, top, width and height of a card."""
        card = self.cards[i]
        return self.layout.x[i], self.layout.y[i], card.width, card.height

    def branches(self) -> Iterator[Branch]:
        """All branches, each from its parent to its child."""
        total = max(1, self.cards[0].rows)
        for i, place in enumerate(self.places):
            if place.parent < 0:
                continue
            left, top, width, height = self.box(place.parent)
            x, y, own_width, own_height = self.box(i)
            width_of_branch = max(1.0, WIDEST_BRANCH * self.cards[i].rows / total)
            if self.sideways:
                start, end = (left + width, top + height / 2), (x, y + own_height / 2)
                bend = (start[0] + end[0]) / 2
                points = (start, (bend, start[1]), (bend, end[1]), end)
            else:
                start, end = (left + width / 2, top + height), (x + own_width / 2, y)
                bend = (start[1] + end[1]) / 2
                points = (start, (start[0], bend), (end[0], bend), end)
            yield Branch(points, width_of_branch)


def make_drawing(
    tree: Tree,
    *,
    max_depth: int | None,
    max_nodes: int | None,
    direction: str,
    precision: int,
    aspect: float = 1.6,
) -> Drawing:
    """Choose what is drawn and place it; `aspect` is the width of the page over its height."""
    check.choice("direction", direction, DIRECTIONS)
    check_display(None, precision)
    places = choose_visible(tree, max_depth, max_nodes)
    maker = Cards(tree, precision)
    cards = [maker.card(one, places[one.parent].node if one.parent >= 0 else -1) for one in places]
    children = [place.children for place in places]
    made = []
    for sideways in (False, True):
        if direction == "auto" or sideways == (direction == "right"):
            # Cards that stand below each other are flat, so that many have room.
            own = [replace(card, compact=sideways) for card in cards]
            sizes = [card.width for card in own], [card.height for card in own]
            placed = layout(children, *sizes, sideways=sideways, gap=6.0 if sideways else GAP)
            made.append(Drawing(own, places, placed, sideways))
    # The one that can be larger on the page; a little is given for the usual direction.
    return max(
        made,
        key=lambda one: (
            min(aspect / one.layout.width, 1 / one.layout.height) * (1.0 if one.sideways else 1.1)
        ),
    )
