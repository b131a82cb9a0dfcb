"""A tree drawn with matplotlib."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from ramify.show.cards import FONT, PADDING, SMALL, Card
from ramify.show.drawing import Drawing, DrawingOptions
from ramify.show.page import MARGIN, Page, draw_for, spread_out
from ramify.tree import Tree
from ramify.tree.colours import BLUE, EDGE, INK, PALE, PAPER, class_colours

_FIGURE = Page(14 * 72.0, 9 * 72.0, grows=1.5)  # if no axes are given


def plot_tree(
    tree: Any,
    *,
    ax: Any = None,
    max_depth: int | None = None,
    max_nodes: int | None = 100,
    direction: str = "auto",
    precision: int = 4,
) -> Any:
    """Draw a tree with matplotlib, in a size that fits the axes.

    The cards are those of :meth:`ramify.Tree.to_svg`. Needs matplotlib.

    Parameters
    ----------
    tree : estimator or Tree
        A fitted estimator with a ``tree_``, or a tree.
    ax : matplotlib axes, optional
        Where to draw. Text is as large as the axes allow, and conditions are shortened where it
        would be small. None makes a figure of the size that the tree needs.
    max_depth : int, optional
        Nodes below this depth are left out and counted.
    max_nodes : int or None, default=100
        In a larger tree, or if text would be smaller than 5 points, the nodes with most weight are
        drawn and the others counted; None draws all.
    direction : {"auto", "down", "right"}, default="auto"
        The direction in which the tree grows; "auto" takes the one that fits the axes better.
    precision : int, default=4
        Significant digits of a number, more where two thresholds would look alike.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_weather
    >>> from ramify.show import plot_tree
    >>> weather = load_weather()
    >>> ax = plot_tree(TreeClassifier().fit(weather.data, weather.y))  # doctest: +SKIP
    """
    if not isinstance(tree, Tree):
        check_is_fitted(tree)
        if not isinstance(getattr(tree, "tree_", None), Tree):
            raise TypeError(f"plot_tree takes a fitted tree of ramify, not {tree!r:.80}")
        tree = tree.tree_
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot_tree needs matplotlib: pip install 'ramify[plot]'") from error

    page = _FIGURE if ax is None else Page(*_size(ax))
    drawing = draw_for(tree, page, DrawingOptions(max_depth, max_nodes, direction, precision))
    if ax is None:
        figure = plt.figure(figsize=_figure_size(drawing))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        page = Page(*_size(ax))
    drawing = spread_out(drawing, page)
    scale = page.scale(drawing)
    middle, centre = drawing.layout.width / 2, drawing.layout.height / 2
    ax.set_xlim(middle - page.width / scale / 2, middle + page.width / scale / 2)
    ax.set_ylim(centre + page.height / scale / 2, centre - page.height / scale / 2)
    ax.set_axis_off()
    _Painter(ax, scale, class_colours(tree)).paint(drawing)
    return ax


def _figure_size(drawing: Drawing) -> tuple[float, float]:
    """Inches of a figure for a drawing: text of 8 points, or smaller on the largest figure."""
    inches = _FIGURE.readable / FONT / 72
    width = (drawing.layout.width + 2 * MARGIN) * inches
    height = (drawing.layout.height + 2 * MARGIN) * inches
    factor = min(1.0, _FIGURE.grows * _FIGURE.scale(drawing) * FONT / _FIGURE.readable)
    return max(2.0, width * factor), max(1.5, height * factor)


def _size(ax: Any) -> tuple[float, float]:
    """Width and height of axes, in points."""
    box = ax.get_window_extent()
    dpi = ax.figure.dpi
    return max(1.0, box.width / dpi * 72), max(1.0, box.height / dpi * 72)


class _Painter:
    """Draws cards and branches on axes whose units are those of the layout."""

    def __init__(self, ax: Any, scale: float, colours: list[str]) -> None:
        self._ax, self._scale, self._colours = ax, scale, colours

    def paint(self, drawing: Drawing) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        for branch in drawing.branches():
            curve = Path(branch.points, [Path.MOVETO] + [Path.CURVE4] * 3)
            width = max(0.3, branch.width * self._scale)
            self._ax.add_patch(
                PathPatch(curve, fill=False, edgecolor=EDGE, linewidth=width, capstyle="butt")
            )
        for i, card in enumerate(drawing.cards):
            self._card(card, *drawing.box(i))

    def _rectangle(self, x: float, y: float, width: float, height: float, **style: Any) -> None:
        from matplotlib.patches import Rectangle

        self._ax.add_patch(Rectangle((x, y), width, height, **({"linewidth": 0} | style)))

    def _write(self, x: float, y: float, text: str, *, size: float, **style: Any) -> None:
        if text:
            fitted = size * self._scale
            self._ax.text(x, y, text, fontsize=fitted, clip_on=True, parse_math=False, **style)

    def _card(self, card: Card, x: float, y: float, width: float, height: float) -> None:
        self._rectangle(
            x,
            y,
            width,
            height,
            facecolor=PAPER,
            edgecolor=PALE if card.is_leaf else EDGE,
            linewidth=max(0.4, self._scale),
            linestyle="--" if card.stub else "-",
        )
        if card.is_leaf:
            colour = self._colours[card.label] if card.label >= 0 else BLUE
            self._rectangle(x, y, 4, height, facecolor=colour)
        for line in card.words():
            self._write(
                x + width - PADDING - line.inset if line.right else x + PADDING,
                y + line.y,
                f"{line.bold} {line.plain}".strip(),
                size=SMALL if line.small else FONT,
                color=PALE if line.small else INK,
                weight="bold" if line.bold and not line.plain else "normal",
                ha="right" if line.right else "left",
            )
        for piece in card.bar(self._colours):
            left, top = x + piece.x, y + piece.y
            self._rectangle(left, top, piece.width, piece.height, facecolor=piece.colour)
