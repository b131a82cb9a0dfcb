"""Ways to look at a tree.

Imports the tree, the pruning path and what optimal trees claim. The tree and the estimators reach
it through `tree/doors.py`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ramify.show.optimal import plot_progress
from ramify.show.pruning import plot_pruning_path
from ramify.show.svg import tree_to_svg
from ramify.tree.frame import tree_to_frame
from ramify.tree.text import tree_to_text

if TYPE_CHECKING:
    from ramify.show.plot import plot_tree

__all__ = [
    "plot_progress",
    "plot_pruning_path",
    "plot_tree",
    "tree_to_frame",
    "tree_to_svg",
    "tree_to_text",
]


def __getattr__(name: str) -> Any:
    if name == "plot_tree":  # knows Tree, which knows this package
        return import_module("ramify.show.plot").plot_tree
    raise AttributeError(f"module 'ramify.show' has no attribute {name!r}")
