"""A tree ready to be drawn: cards with their places and the branches between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ramify.learning import parameters as check
from ramify.show.cards import Card, Cards
from ramify.show.layout import GAP, LEVEL_GAP, Layout, layout
from ramify.show.visible import Visible, choose_visible
from ramify.tree import Tree
from ramify.tree.words import check_display

DIRECTIONS = ("auto", "down", "right")
#: The width of a branch that takes all rows.
WIDEST_BRANCH = 14.0


@dataclass(frozen=True)
class Branch:
    """A cubic curve between two cards: its four points and its width."""

    points: tuple[tuple[float, float], ...]
    width: float


@dataclass(frozen=True)
class Drawing:
    """What every drawing of a tree is made from."""

    cards: list[Card]
    places: list[Visible]
    layout: Layout
    style: Style

    def scale(self, width: float, height: float) -> float:
        """How many times larger the drawing can be on a page of that size."""
        return min(width / self.layout.width, height / self.layout.height)

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
            if self.style.sideways:
                start, end = (left + width, top + height / 2), (x, y + own_height / 2)
                bend = (start[0] + end[0]) / 2
                points = (start, (bend, start[1]), (bend, end[1]), end)
            else:
                start, end = (left + width / 2, top + height), (x + own_width / 2, y)
                bend = (start[1] + end[1]) / 2
                points = (start, (start[0], bend), (end[0], bend), end)
            yield Branch(points, width_of_branch)


@dataclass(frozen=True)
class Style:
    """How cards are made and placed.

    Parameters
    ----------
    sideways : bool
        Whether the tree grows to the right.
    lines, last_lines : int
        Lines of a card, and of a card of the last depth; 0 takes as many as are needed.
    widest : float, optional
        The width of the one line that a condition is shortened to; None allows the usual width.
    gap, level_gap : float, optional
        Distances of the layout.
    """

    sideways: bool
    lines: int = 0
    last_lines: int = 0
    widest: float | None = None
    gap: float = GAP
    level_gap: float = LEVEL_GAP

    def allowed(self, direction: str) -> bool:
        """Whether the tree grows in a direction that was asked for."""
        return direction in ("auto", "right" if self.sideways else "down")


#: Cards one below the other are flat, so that many have room.
DOWN, RIGHT = Style(sideways=False), Style(sideways=True, lines=2, last_lines=2, gap=6.0)


@dataclass(frozen=True)
class DrawingOptions:
    """What a user asks of a drawing; the parameters are those of `tree_to_svg`."""

    max_depth: int | None = None
    max_nodes: int | None = None
    direction: str = "auto"
    precision: int = 4

    def __post_init__(self) -> None:
        check.choice("direction", self.direction, DIRECTIONS)
        check_display(precision=self.precision)


def make_drawing(tree: Tree, options: DrawingOptions, *, aspect: float = 1.6) -> Drawing:
    """Choose what is drawn and place it; `aspect` is the width of the page over its height."""
    places = choose_visible(tree, options.max_depth, options.max_nodes)
    maker = Cards(tree, options.precision)
    styles = [style for style in (DOWN, RIGHT) if style.allowed(options.direction)]
    return larger([arrange(maker, places, style) for style in styles], aspect, 1.0)


def arrange(maker: Cards, places: list[Visible], style: Style) -> Drawing:
    """Make the cards of what is drawn and place them."""
    depth: list[int] = []
    cards = []
    for place in places:
        depth.append(depth[place.parent] + 1 if place.parent >= 0 else 0)
        card = maker.card(place, places[place.parent].node if place.parent >= 0 else -1)
        cards.append(replace(card, lines=style.lines))
    last = max(depth)
    cards = [
        replace(card, lines=style.last_lines) if at == last else card
        for card, at in zip(cards, depth, strict=True)
    ]
    return place_cards(cards, places, style)


def place_cards(cards: list[Card], places: list[Visible], style: Style) -> Drawing:
    """Place cards that have been made."""
    placed = layout(
        [place.children for place in places],
        [card.width for card in cards],
        [card.height for card in cards],
        sideways=style.sideways,
        gap=style.gap,
        level_gap=style.level_gap,
    )
    return Drawing(cards, places, placed, style)


def larger(drawings: list[Drawing], width: float, height: float) -> Drawing:
    """The drawing that can be larger on a page; downwards has a small advantage."""
    return max(
        drawings,
        key=lambda one: one.scale(width, height) * (1.0 if one.style.sideways else 1.1),
    )
