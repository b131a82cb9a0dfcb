"""Ways to look at a tree: SVG, matplotlib, notebooks, curves, and the HTML report.

- `svg.py`, `plot.py` and `notebook.py` draw a tree. They share `cards.py` (what is written),
  `visible.py` (which nodes), `layout.py` (where they stand), `drawing.py` and `page.py` (all of it
  together, for any size and for a page), and `colours.py`.
- `curves.py` draws a pruning path, the search of an optimal tree, and error against leaves.
- `near.py` draws the importances of columns over all near-best trees.
- `report/` makes the report.

It imports the packages below: trees, pruning, learning, tree and tables. The command line uses it.
The tree and the estimators reach it through `tree/doors.py`.
"""

from ramify.show.curves import plot_pareto, plot_progress, plot_pruning_path
from ramify.show.near import plot_near
from ramify.show.plot import plot_tree
from ramify.show.svg import tree_to_svg
from ramify.tree.frame import tree_to_frame
from ramify.tree.text import tree_to_text

__all__ = [
    "plot_near",
    "plot_pareto",
    "plot_progress",
    "plot_pruning_path",
    "plot_tree",
    "tree_to_frame",
    "tree_to_svg",
    "tree_to_text",
]
