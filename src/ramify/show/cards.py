"""The card of a node: what is written on it, and how large it is. All drawings share it.

A card has the condition in words (in one line, or in two if it is long), the prediction, the rows
and a bar. The bar shows the shares of the classes, or where the mean of the target lies. A compact
card says the same in one, two or three lines.
"""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ramify.show.numbers import condition_words, number_words
from ramify.show.visible import Visible
from ramify.tree import Tree
from ramify.tree.colours import BAND, BLUE, TROUGH
from ramify.tree.conditions import Threshold
from ramify.tree.row_counts import RowCounts, count_parts
from ramify.tree.words import (
    count_leaves,
    count_rows,
    format_level,
    format_name,
    label_share,
    percent,
    threshold_digits,
)

FONT = 12.0
SMALL = 10.5
PADDING = 10.0
#: Text wider than this is broken or shortened.
WIDEST = 200.0
#: The most levels in a tooltip: more than a screen can hold, and little in a file.
TOOLTIP_LEVELS = 200
_TOOLTIP_CLASSES = 12
_LINE = 16.0
_COMPACT_LINE = 14.5  # where cards stand one below the other
_BOLD = 1.11  # bold text is as many times wider
_NARROWEST = 60.0  # a name is not shortened to less
_APART = 12.0  # between two texts of one line


@dataclass(frozen=True)
class Words:
    """A line of text on a card: its baseline, its bold part and the rest."""

    y: float
    bold: str
    plain: str = ""
    small: bool = False
    right: bool = False  # it is aligned to the right edge
    inset: float = 0.0  # its distance from that edge


class Piece(NamedTuple):
    """A rectangle of one colour on a card."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class Card:
    """One node as it is drawn."""

    name: str  # of the attribute that the node above asks about; at the root, of the target
    answer: str  # what must hold of it
    head: str  # the prediction
    size: str  # the rows
    weight: str  # empty if it equals the rows
    stub: str  # how many leaves are hidden below, empty if none
    title: str  # all of it, for a tooltip
    shares: tuple[float, ...]  # of the classes; in regression low, mean and high of the range
    label: int  # class predicted, -1 in regression
    is_leaf: bool
    rows: int
    lines: int = 0  # 1, 2 or 3 in a compact card; 0 takes as many as are needed

    @property
    def compact(self) -> bool:
        """Whether the number of lines is given."""
        return self.lines > 0

    @functools.cached_property
    def _condition(self) -> list[tuple[str, str]]:
        """The lines of the condition, each a bold part and the rest."""
        one = f"{self.name} {self.answer}".rstrip()
        if self.compact or not self.answer or text_width(one, bold=True) <= WIDEST:
            return [(self.name, self.answer)]
        return [(self.name, ""), ("", self.answer)]

    @property
    def _notes(self) -> list[str]:
        return [text for text in (self.weight, self.stub) if text]

    @property
    def _size(self) -> str:
        return " · ".join([self.size, *(self._notes if self.compact else [])])

    @functools.cached_property
    def width(self) -> float:
        """Width of the card."""
        condition = [text_width(f"{b} ", bold=True) + text_width(p) for b, p in self._condition]
        figures = [text_width(self.head, bold=True), text_width(self._size, SMALL)]
        if self.lines == 1:
            return condition[0] + sum(figures) + 2 * _APART + 2 * PADDING
        if self.lines != 3:
            figures = [sum(figures) + _APART]
        notes = [text_width(text, SMALL) for text in self._notes if not self.compact]
        return max(90.0, *figures, *condition, *notes) + 2 * PADDING

    @functools.cached_property
    def height(self) -> float:
        """Height of the card."""
        if self.compact:
            return self.lines * _COMPACT_LINE + (8 if self.lines == 1 else 11)
        lines = len(self._condition) + 1 + len(self._notes)
        return lines * _LINE + (11 if self.shares else 0) + 12

    @property
    def _bar(self) -> tuple[float, float, float]:
        """Top, width and height of the bar."""
        width = self.width - 2 * PADDING
        if self.compact:
            thick = 3.0 if self.lines == 1 else 4.0
            return self.height - 2.5 - thick, width, thick
        return PADDING + (len(self._condition) + 1) * _LINE - 2, width, 6.0

    def bar(self, colours: list[str]) -> Iterator[Piece]:
        """The pieces of the bar, if there is one; `colours` are those of the classes."""
        if not self.shares:
            return
        top, width, height = self._bar
        if self.label < 0:
            low, mean, high = self.shares
            yield Piece(PADDING, top, width, height, TROUGH)
            spread = max(1.0, (high - low) * width)
            yield Piece(PADDING + low * width, top, spread, height, BAND)
            at = min(mean * width, width - 2.5)
            yield Piece(PADDING + at, top - 1.5, 2.5, height + 3.0, BLUE)
            return
        start = 0.0
        for share, colour in zip(self.shares, colours, strict=True):
            if share > 0:
                yield Piece(PADDING + start * width, top, share * width, height, colour)
                start += share

    def words(self) -> Iterator[Words]:
        """All lines of text."""
        if self.compact:
            yield from self._compact_words()
            return
        y = PADDING + 8
        for bold, plain in self._condition:
            yield Words(y, bold, plain)
            y += _LINE
        yield Words(y, self.head)
        yield Words(y, "", self._size, small=True, right=True)
        y += 11 if self.shares else 0
        for text in self._notes:
            y += _LINE
            yield Words(y, "", text, small=True)

    def _compact_words(self) -> Iterator[Words]:
        first = _COMPACT_LINE - (2.5 if self.lines == 1 else 1.5)
        second, third = (first + min(i, self.lines - 1) * _COMPACT_LINE for i in (1, 2))
        yield Words(first, *self._condition[0])
        if self.lines == 1:
            inset = text_width(self._size, SMALL) + _APART
            yield Words(second, self.head, right=True, inset=inset)
        else:
            yield Words(second, self.head)
        yield Words(third, "", self._size, small=True, right=self.lines < 3)


@functools.lru_cache(maxsize=8192)
def text_width(text: str, size: float = FONT, *, bold: bool = False) -> float:
    """About the width of a text in a sans-serif font, too large rather than too small."""
    return size * sum(map(_char_width, text)) * 1.12 * (_BOLD if bold else 1.0)


def _char_width(char: str) -> float:
    if char in "ijl|!.,:;'I·":
        return 0.28
    if char in 'frt()[]/\\-"* ':
        return 0.35
    if char in "mwMW@%":
        return 0.87
    if char.isascii():
        return 0.69 if char.isupper() else 0.57
    return 1.05 if unicodedata.east_asian_width(char) in "WF" else 0.68


def shorten(text: str, width: float = WIDEST, size: float = FONT) -> str:
    """A text without its middle, if it is too wide."""
    if text_width(text, size) <= width:
        return text
    keep = len(text)
    while keep > 4 and text_width(text, size) * keep / len(text) > width:
        keep -= 1
    half = keep // 2
    return f"{text[:half].rstrip()}…{text[len(text) - half + 1 :].lstrip()}"


class Cards:
    """Makes the cards of a tree."""

    def __init__(self, tree: Tree, precision: int = 4, widest: float | None = None) -> None:
        """Make cards; `widest` is the width of the one line that a condition must fit into."""
        self._tree = tree
        self._precision = precision
        self._counts = RowCounts(tree)
        self._widest = widest
        self._made: dict[tuple[int, tuple[int, ...], int], Card] = {}
        data = tree.data
        self._digits = threshold_digits(data["attribute"], data["threshold"], precision)
        self._low, self._range = 0.0, 0.0
        if tree.task == "regression":
            low, high = tree.mean - tree.spread, tree.mean + tree.spread
            self._low = float(low[0] if math.isnan(float(low.min())) else low.min())
            self._range = float(high.max()) - self._low

    @property
    def span(self) -> tuple[float, float]:
        """In a regression, the number at which bars begin, and the range that they span."""
        return self._low, self._range

    def card(self, place: Visible, parent: int) -> Card:
        """The card of a place in the drawing, below the node `parent` (-1: it is the root)."""
        known = (place.node, place.branches, place.hidden)
        if known not in self._made:
            one = self._others(place, parent) if place.node < 0 else self._card(place, parent)
            self._made[known] = one
        return self._made[known]

    def _card(self, place: Visible, parent: int) -> Card:
        node, tree = place.node, self._tree
        name, answer, full = self._condition(node, parent)
        return Card(
            name=name,
            answer=answer,
            head=shorten(self._head(node)),
            size=self._counts.rows(node),
            weight=self._counts.weight(node, self._precision),
            stub=f"+{count_leaves(place.hidden)}" if place.hidden else "",
            title="\n".join([full, *self._details(node)]),
            shares=self._shares(node),
            label=int(tree.shown_codes[node]) if tree.task == "classification" else -1,
            is_leaf=not tree.data["n_children"][node],
            rows=int(tree.data["rows"][node]),
        )

    def _condition(self, node: int, parent: int) -> tuple[str, str, str]:
        """The name, the answer as short as it must be, and the whole condition in words."""
        if parent < 0:
            name = format_name(self._tree.target) or "target"
            return shorten(name), "", name
        condition = self._tree.condition(parent)
        branch = node - int(self._tree.data["first_child"][parent])
        digits = int(self._digits[parent])
        full = condition_words(condition, branch, TOOLTIP_LEVELS, digits, longest=None)
        start = len(format_name(condition.attribute)) + 1
        name = full[: start - 1]
        answer = condition_words(condition, branch, TOOLTIP_LEVELS, digits)[start:]
        room = WIDEST if self._widest is None else self._widest - text_width(f"{name} ", bold=True)
        for levels in (5, 4, 3, 2, 1):
            if text_width(answer) <= room:
                break
            answer = condition_words(condition, branch, levels, digits)[start:]
        if self._widest is None:
            return shorten(name), shorten(answer), full
        # A number is never shortened, and a name no more than it must be.
        least = self._widest / 2
        if isinstance(condition, Threshold) and condition.level is None:
            least = text_width(answer)
        answer = shorten(answer, max(least, room))
        room = self._widest - text_width(answer)
        return shorten(name, max(room / _BOLD, _NARROWEST)), answer, full

    def _head(self, node: int) -> str:
        tree = self._tree
        if tree.task == "classification":
            return label_share(tree.predictions[node], float(tree.confidence[node]))
        value, spread = float(tree.predictions[node]), float(tree.spread[node])
        return f"{self._number(value)} ± {self._number(spread)}"

    def _number(self, value: float) -> str:
        return number_words(value, self._precision)

    def _shares(self, node: int) -> tuple[float, ...]:
        tree = self._tree
        value = tree.data["value"][node]
        if tree.task == "classification":
            total = float(value.sum())
            return tuple((value / total).tolist()) if total > 0 else ()
        mean, spread = float(tree.mean[node]), float(tree.spread[node])
        if not self._range > 0 or math.isnan(mean):
            return ()
        return tuple((x - self._low) / self._range for x in (mean - spread, mean, mean + spread))

    def _details(self, node: int) -> list[str]:
        tree = self._tree
        lines = [self._counts.full(node, self._precision)]
        if by_hand := tree.hand_words(node, None):
            lines.append(by_hand)
        if tree.task == "regression":
            mean = f"mean {self._number(float(tree.mean[node]))}"
            return [*lines, f"{mean}, standard deviation {self._number(float(tree.spread[node]))}"]
        value = tree.data["value"][node]
        assert tree.classes is not None
        labels = tree.classes.tolist()
        order = sorted(range(len(value)), key=lambda label: (-value[label], label))
        for label in [label for label in order if value[label] > 0][:_TOOLTIP_CLASSES]:
            share = percent(float(value[label] / value.sum()))
            weighs = self._number(float(value[label]))
            lines.append(f"{format_level(labels[label], None)}: {weighs} ({share})")
        return lines

    def _others(self, place: Visible, parent: int) -> Card:
        """The card of the branches that are not drawn one by one."""
        tree = self._tree
        branches = list(place.branches)
        rows = int(tree.data["rows"][branches].sum())
        parts = float(tree.data["weight"][branches].sum())
        condition = tree.condition(parent)
        name = format_name(condition.attribute)
        many = f"{len(place.branches):,} more branches"
        first = int(tree.data["first_child"][parent])
        listed = [
            condition_words(condition, node - first, 5) for node in place.branches[:TOOLTIP_LEVELS]
        ]
        more = len(place.branches) - len(listed)
        return Card(
            name=shorten(name),
            answer=f"+{many.removesuffix(' more branches')} branches",
            head="",
            size=count_parts(parts) if self._counts.in_parts else count_rows(rows),
            weight="",
            stub=f"+{count_leaves(place.hidden)}",
            title="\n".join([f"{name}: {many}", *listed, *([f"+{more:,}"] if more else [])]),
            shares=(),
            label=-1,
            is_leaf=False,
            rows=rows,
        )
