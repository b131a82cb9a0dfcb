"""The trees of a report: one tree, and the step of pruning at which each node becomes a leaf.

Invariant: at step s the nodes with ``retired <= s`` are leaves. Step ``fitted`` is the tree of the
estimator. The trees of the steps are nested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.pruning.path import PruningPath, sequence
from ramify.tree import Tree

#: A grown tree is shown from this size downwards; the fitted tree always is.
MOST_LEAVES = 500


@dataclass(frozen=True)
class Sizes:
    """The nested trees, from the largest to the root alone."""

    base: Tree
    path: PruningPath
    rows: list[int]  # of the path; -1 is the base itself, which the path may not hold
    retired: NDArray[np.int64]  # per node of the base: the step at which it is a leaf
    fitted: int  # the step of the estimator's own tree

    @property
    def leaves(self) -> list[int]:
        """Leaves per step."""
        return [self.base.n_leaves if r < 0 else int(self.path.leaves[r]) for r in self.rows]

    @property
    def places(self) -> list[int]:
        """Per step its place on the axis of a curve: the leaves, or more beyond the whole tree."""
        return [self.base.n_leaves if r < 0 else int(self.path.sizes[r]) for r in self.rows]

    @property
    def kept(self) -> NDArray[np.int64]:
        """The nodes of the largest tree, parents first."""
        first, children = self.base.data["first_child"], self.base.data["n_children"]
        keep = np.zeros(self.base.n_nodes, dtype=bool)
        keep[0] = True
        for node in range(self.base.n_nodes):
            if keep[node] and self.retired[node] > 0:
                keep[int(first[node]) : int(first[node]) + int(children[node])] = True
        return np.flatnonzero(keep)

    def core(self, step: int) -> _core.Tree:
        """The tree of a step."""
        row = self.rows[step]
        return self.base.core if row < 0 else self.path.cut(self.base.core, row)

    def column(self, name: str) -> list[float | None]:
        """A column of the path, per step; None where it is not known."""
        values = [np.nan if row < 0 else float(self.path[name][row]) for row in self.rows]
        if name == "training_error" and self.rows[0] < 0 and len(values) > 1:
            # Branches that cost nothing save no error. With other keys the first row is the base.
            values[0] = values[1]
        return [value if np.isfinite(value) else None for value in values]


def sizes_of(estimator: Any) -> Sizes:
    """The trees that a fitted estimator can be cut back to."""
    tree, grown = estimator.tree_, estimator.fitted_.grown
    path: PruningPath = estimator.pruning_path_
    selected = path.selected
    on_path = selected is not None and path.leaves[selected] == tree.n_leaves
    if selected is not None and on_path and grown.n_nodes == len(path.keys_of_nodes):
        base, fitted_row = grown, selected
    else:
        # Never pruned, or pruned by a rule without a sequence: the sequence of the tree itself.
        base, fitted_row = tree, -1
        if grown is not tree:
            path = sequence(tree.core, "cost_complexity", path.growth, tree.costs)
        if path.leaves[0] == tree.n_leaves:
            fitted_row = 0
    first = 0
    if fitted_row > 0:
        small = np.flatnonzero(path.leaves <= max(MOST_LEAVES, tree.n_leaves))
        first = min(int(small[0]), fitted_row)
    rows = ([-1] if fitted_row < 0 else []) + list(range(first, len(path)))
    # The keys as steps. No threshold is low enough to retire a node of the base itself.
    limits = [-np.inf if row < 0 else float(path.thresholds[row]) for row in rows]
    retired = np.searchsorted(np.asarray(limits), path.keys_of_nodes, side="left")
    if rows[0] < 0:
        retired = np.maximum(retired, 1)
    retired[base.data["n_children"] == 0] = 0
    return Sizes(base, path, rows, retired, rows.index(fitted_row))
