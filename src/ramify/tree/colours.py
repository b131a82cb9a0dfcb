"""Colours of drawings. Everyone can tell those of the classes apart (Okabe and Ito 2008)."""

from __future__ import annotations

import numpy as np

from ramify.tree.data import TreeData

BLUE, ORANGE = "#0072B2", "#D55E00"
PALETTE = (BLUE, "#E69F00", "#009E73", "#CC79A7", "#56B4E9", ORANGE, "#F0E442")
#: Of the classes that have no colour of their own.
OTHER = "#9A9A9A"
#: Text, small text, lines, and the background of cards.
INK, PALE, EDGE, PAPER = "#1d2733", "#5b6774", "#c3ccd6", "#ffffff"
#: The bar of a regression: its background, and one standard deviation around the mean.
TROUGH, BAND = "#e8edf2", "#9cc7e3"


def class_colours(tree: TreeData) -> list[str]:
    """One colour per class; where there are too many classes, the rare ones share a grey.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> class_colours(TreeClassifier().fit([[1], [2]], ["a", "b"]).tree_)
    ['#0072B2', '#E69F00']
    """
    if tree.classes is None:
        return []
    count = len(tree.classes)
    if count <= len(PALETTE):
        return list(PALETTE[:count])
    heaviest = np.argsort(-tree.data["value"][0], kind="stable")[: len(PALETTE)]
    colours = [OTHER] * count
    for colour, label in zip(PALETTE, sorted(heaviest.tolist()), strict=True):
        colours[label] = colour
    return colours
