"""Colours of classes that everyone can tell apart (Okabe and Ito 2008)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ramify.tree import Tree

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
OTHER = "#9A9A9A"


def class_colours(tree: Tree) -> list[str]:
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
