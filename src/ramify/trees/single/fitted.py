"""A fitted tree: the tree that was grown, the path it was cut along, and the tree that is left."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ramify.pruning.path import PruningPath, sequence
from ramify.tree import Tree


@dataclass(frozen=True, eq=False)
class FittedTree:
    """A tree, and the grown tree it was cut from, so that another size can be cut later.

    Parameters
    ----------
    tree : Tree
        The tree that predicts.
    grown : Tree
        The tree before pruning; the same object if it was not pruned.
    path : PruningPath or None
        The trees that pruning chose from; None if it made no sequence.
    growth : str
        The order in which the tree was grown.
    """

    tree: Tree
    grown: Tree
    path: PruningPath | None = None
    growth: str = "depth_first"

    @property
    def pruned(self) -> bool:
        """Whether the tree differs from the one that was grown."""
        return self.grown is not self.tree

    def cost_complexity_path(self) -> PruningPath:
        """Give the cost-complexity sequence of the grown tree."""
        return sequence(self.grown.core, "cost_complexity", self.growth, self.grown.costs)

    def cut(self, path: PruningPath, row: int) -> FittedTree:
        """Give this with another tree: the one in a row of a path."""
        tree = self.grown.with_core(path.cut(self.grown.core, row))
        return replace(self, tree=tree, path=path.select(row))
