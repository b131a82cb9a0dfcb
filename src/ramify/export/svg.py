"""A tree as a drawing in SVG: what `Tree.to_svg` draws, as a form of export."""

from __future__ import annotations

import os
from typing import Any

from ramify.export.refusals import tree_of
from ramify.export.source_text import write


def to_svg(model: Any, *, path: str | os.PathLike[str] | None = None) -> str:
    """Write a tree as SVG; see :meth:`ramify.Tree.to_svg`."""
    return write(tree_of(model, abstains=True).to_svg(), path)
