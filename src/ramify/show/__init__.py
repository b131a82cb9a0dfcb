"""Ways to look at a tree."""

from ramify.show.frame import tree_to_frame
from ramify.show.optimal import plot_progress
from ramify.show.pruning import plot_pruning_path
from ramify.show.text import tree_to_text

__all__ = ["plot_progress", "plot_pruning_path", "tree_to_frame", "tree_to_text"]
