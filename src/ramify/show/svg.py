"""A tree as SVG: one string, no other program needed."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from ramify.show.cards import FONT, PADDING, SMALL, Card, Words, shorten, text_width
from ramify.show.drawing import Drawing, DrawingOptions, make_drawing
from ramify.tree import Tree
from ramify.tree.colours import BLUE, EDGE, INK, PALE, PAPER, class_colours
from ramify.tree.words import count_leaves, format_label

_MARGIN = 14.0
_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def tree_to_svg(
    tree: Tree,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = 200,
    direction: str = "auto",
    precision: int = 4,
) -> str:
    """Draw a tree as SVG.

    Every card has the condition in words, the prediction, the rows (and their weight where it
    differs) and a bar of the classes, or of the target's mean and spread. The width of a branch
    shows its rows. Long sets of levels are shortened; the tooltip of a card has them in full.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_depth : int, optional
        Nodes below this depth are left out and counted.
    max_nodes : int or None, default=200
        In a larger tree the nodes with most weight are drawn and the others counted; None draws
        all.
    direction : {"auto", "down", "right"}, default="auto"
        The direction in which the tree grows; "auto" takes the one that fits a page better.
    precision : int, default=4
        Significant digits of a number, more where two thresholds would look alike.

    Returns
    -------
    str
        An ``svg`` element, to be written to a file or put into a page.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> svg = TreeClassifier().fit(weather.data, weather.y).tree_.to_svg()
    >>> svg[:4], "outlook" in svg
    ('<svg', True)
    """
    options = DrawingOptions(max_depth, max_nodes, direction, precision)
    return drawing_to_svg(tree, make_drawing(tree, options))


def drawing_to_svg(tree: Tree, drawing: Drawing, scale: float = 1.0, style: str = "") -> str:
    """Write a drawing as SVG; `style` is that of the whole element."""
    colours = class_colours(tree)
    width, height = drawing.layout.width + 2 * _MARGIN, drawing.layout.height + 2 * _MARGIN
    legend = list(_legend(tree, colours, width, height))
    height += 24 * bool(legend)
    styled = f" style={quoteattr(style)}" if style else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'width="{_n(width * scale)}" height="{_n(height * scale)}" '
        f'role="img" aria-label={_alt(tree)} '
        f'font-family="{_FONTS}" font-size="{_n(FONT)}" fill="{INK}"{styled}>',
        f'<rect width="{_n(width)}" height="{_n(height)}" rx="8" fill="{PAPER}"/>',
        f'<g transform="translate({_n(_MARGIN)} {_n(_MARGIN)})">',
        f'<g fill="none" stroke="{EDGE}" stroke-linecap="butt">',
        *_branches(drawing),
        "</g>",
    ]
    for i, card in enumerate(drawing.cards):
        parts += _card(card, drawing.box(i), colours)
    return "\n".join([*parts, "</g>", *legend, "</svg>"])


def _n(number: float) -> str:
    """A coordinate, short."""
    return f"{number:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    """A text that XML can hold: characters it has no place for are replaced."""
    return escape("".join(c if c.isprintable() or c == "\n" else "�" for c in text))


def _alt(tree: Tree) -> str:
    target = "".join(c if c.isprintable() else "�" for c in tree.target)
    return quoteattr(
        f"Decision tree for {target}: {count_leaves(tree.n_leaves)}, depth {tree.depth:,}"
    )


def _branches(drawing: Drawing) -> Iterator[str]:
    for branch in drawing.branches():
        (x0, y0), *others = branch.points
        curve = " ".join(f"{_n(x)} {_n(y)}" for x, y in others)
        yield (
            f'<path d="M{_n(x0)} {_n(y0)}C{curve}" '
            f'stroke-width="{branch.width:.2f}" stroke-opacity="0.75"/>'
        )


def _card(card: Card, box: tuple[float, float, float, float], colours: list[str]) -> list[str]:
    x, y, width, height = box
    dashed = ' stroke-dasharray="4 3"' if card.stub else ""
    parts = [
        f'<g transform="translate({_n(x)} {_n(y)})"><title>{_text(card.title)}</title>',
        f'<rect width="{_n(width)}" height="{_n(height)}" rx="6" fill="{PAPER}" '
        f'stroke="{PALE if card.is_leaf else EDGE}"{dashed}/>',
    ]
    if card.is_leaf:
        colour = colours[card.label] if card.label >= 0 else BLUE
        parts.append(
            f'<path d="M5 0a5 5 0 0 0 -5 5v{_n(height - 10)}a5 5 0 0 0 5 5z" fill="{colour}"/>'
        )
    for line in card.words():
        parts.append(_words(line, width))
    for piece in card.bar(colours):
        parts.append(
            f'<rect x="{_n(piece.x)}" y="{_n(piece.y)}" width="{piece.width:.2f}" '
            f'height="{_n(piece.height)}" fill="{piece.colour}"/>'
        )
    return [*parts, "</g>"]


def _words(line: Words, width: float) -> str:
    bold = f'<tspan font-weight="600">{_text(line.bold)}</tspan> ' if line.bold else ""
    style = f' font-size="{_n(SMALL)}" fill="{PALE}"' if line.small else ""
    style += ' text-anchor="end"' if line.right else ""
    x = width - PADDING - line.inset if line.right else PADDING
    return f'<text x="{_n(x)}" y="{_n(line.y)}"{style}>{bold}{_text(line.plain)}</text>'


def _legend(tree: Tree, colours: list[str], width: float, height: float) -> Iterator[str]:
    """The classes with their colours, as many as fit."""
    if tree.classes is None:
        return
    x, y = _MARGIN, height + 3
    for label, colour in zip(tree.classes.tolist(), colours, strict=True):
        text = shorten(format_label(label), 150, SMALL)
        needed = 14 + text_width(text, SMALL) + 14
        if x + needed > width - _MARGIN / 2:
            yield f'<text x="{_n(x)}" y="{_n(y + 8)}" font-size="{_n(SMALL)}">…</text>'
            return
        yield (
            f'<rect x="{_n(x)}" y="{_n(y)}" width="9" height="9" rx="2" fill="{colour}"/>'
            f'<text x="{_n(x + 14)}" y="{_n(y + 8.5)}" font-size="{_n(SMALL)}" fill="{PALE}">'
            f"{_text(text)}</text>"
        )
        x += needed
