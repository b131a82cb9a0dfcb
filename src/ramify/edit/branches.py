"""Edits of whole branches: leaves, growth, grafts, columns that are kept out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ramify.edit.base import Asked
from ramify.edit.demands import LEAF, nodes_of
from ramify.edit.growing import read_search
from ramify.edit.marking import with_reason
from ramify.edit.price import Price
from ramify.edit.splitting import Splitting
from ramify.edit.state import State
from ramify.learning import parameters as check
from ramify.tree.by_hand import ByHand
from ramify.tree.skeleton import condition_as_dict

GROWTHS = ("greedy", "pruned", "optimal")


class Branches(Splitting):
    """Edits of whole branches; not for direct use."""

    def collapse(
        self,
        node: int,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Make a node a leaf.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=True)
        if not self._inner(node):
            raise ValueError(f"node={node} is a leaf already")
        tag = self._tag()
        marks = {tag: self._mark("collapse", node, asked)}
        after, _ = self._replaced(self._state, node, [LEAF], [tag], marks)
        return self._finish("collapse", node, {}, after, asked)

    def regrow(
        self,
        node: int,
        *,
        by: str = "greedy",
        exclude: Any = (),
        max_depth: int | None = None,
        search: Mapping[str, Any] | None = None,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Grow the tree again from a node on.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        by : {"greedy", "pruned", "optimal"}, default="greedy"
            "greedy": as the estimator grows, without pruning. "pruned": then the branch is cut back
            by the estimator's pruning, or by ``pruning="auto"`` if it has none. "optimal": the
            branch of least training error, or cost, of the given depth; for numbers, that of the
            estimator's criterion if :class:`OptimalTreeRegressor` has it. It keeps the order that
            the estimator's `monotone` asks for.
        exclude : list of columns, default=()
            Columns that this growth does not use; :meth:`exclude` keeps them out for good.
        max_depth : int, optional
            Depth of the branch. None: what the estimator's limit leaves; for "optimal" 2, or less
            if that is not left. With `search` that has "max_leaves", as many levels as these
            need.
        search : dict, optional
            For "optimal", parameters of :class:`OptimalTreeClassifier` or
            :class:`OptimalTreeRegressor`: "max_leaves", "min_samples_leaf", "sparsity" (as a share
            of the rows of the branch), "features", "n_thresholds", "start", "time_limit" and
            "memory_limit", such as ``{"max_leaves": 5, "time_limit": 60}``.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=True)
        check.choice("by", by, GROWTHS)
        search = read_search(search, by)
        if max_depth is not None:
            max_depth = check.whole("max_depth", max_depth, least=1)
        arguments: dict[str, Any] = {"by": by}
        if out := self._columns("exclude", exclude):
            arguments["exclude"] = list(out)
        if max_depth is not None:
            arguments["max_depth"] = max_depth
        if search:
            arguments["search"] = search
        after = self._grown(self._state, node, by, out, max_depth, search)
        before = self._state.by_hand.get(node)
        if before is not None and before.excluded:
            kept = ByHand(excluded=before.excluded)
            after = self._marked(after, after.at(self._state.path(node)), kept)
        return self._finish("regrow", node, arguments, after, asked)

    def split_best(
        self,
        node: int = 0,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Make the best split of all leaves at and below a node: that of most gain times weight.

        Parameters
        ----------
        node : int, default=0
            Number of the node in ``tree``.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._node(node)
        best: tuple[float, int, Any] | None = None
        for leaf in self._state.below(node):
            mark = self._state.by_hand.get(leaf, ByHand())
            if self._inner(leaf) or mark.locked:
                continue
            for condition, gain in self._best_splits(leaf)[:1]:
                weighed = gain * float(self.tree.data["weight"][leaf])
                if gain > 0 and (best is None or weighed > best[0]):
                    best = weighed, leaf, condition
        if best is None:
            raise ValueError(f"no leaf at or below node {node} has a split that gains anything")
        _, leaf, condition = best
        arguments = {"condition": condition_as_dict(condition)}
        return self._split("split", leaf, arguments["condition"], "drop", arguments, asked)

    def prune_worst(
        self,
        node: int = 0,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Undo the worst of the last splits below a node: that of least gain times weight.

        Parameters
        ----------
        node : int, default=0
            Number of the node in ``tree``.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        node = self._node(node)
        data, marks = self.tree.data, self._state.by_hand
        last = [
            at
            for at in self._state.below(node)
            if self._inner(at)
            and not any(self._inner(child) for child in self.tree.nodes[at].children)
            and not any(
                marks[one].locked for one in (at, *self.tree.nodes[at].children) if one in marks
            )
        ]
        if not last:
            raise ValueError(f"below node {node} no split can be undone")
        worst = min(last, key=lambda at: float(data["gain"][at] * data["weight"][at]))
        return self.collapse(worst, reason=reason, dry_run=dry_run, bound=bound)

    def exclude(
        self,
        column: str | int,
        node: int = 0,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Forbid a column from a node on; splits by it grow again without it.

        Parameters
        ----------
        column : str or int
            Name or position of the column.
        node : int, default=0
            Number of the node in ``tree``.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._node(node)
        names = self._columns("column", [column])
        positions = [self.tree.schema.names.index(name) for name in names]
        before = self._state.by_hand.get(node, ByHand())
        mark = replace(before, excluded=tuple(dict.fromkeys((*before.excluded, *names))))
        mark = with_reason(mark, asked, self.author)
        after = self._marked(self._state, node, mark)
        while (at := _first_that_asks(after, node, positions)) is not None:
            locked = [i for i in after.below(at) if i in after.by_hand and after.by_hand[i].locked]
            if locked:
                raise ValueError(
                    f"node {locked[0]} is locked, and {names[0]!r} is asked for at node {at} on "
                    f"the way to it; unlock({locked[0]}) first"
                )
            kept = replace(mark, action="") if at == node else None
            path = after.path(at)
            after = self._grown(after, at, "greedy", names, None)
            if kept is not None:
                after = self._marked(after, after.at(path), kept)
        return self._finish("exclude", node, {"column": column}, after, asked)

    def graft(
        self,
        node: int,
        other: Any,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Put the conditions of another tree in the place of a node.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        other : Tree, fitted estimator, or dict
            A tree on columns of the same names, or a skeleton. Its numbers are those of the rows
            here.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._free(node, below_too=True)
        nodes = nodes_of("other", other, self.tree.schema)
        tags, marks = [-1] * len(nodes), {}
        for place, one in enumerate(nodes):
            if one[0]:
                tags[place] = self._tag()
                marks[tags[place]] = replace(self._mark("graft", node, asked), excluded=())
        after, passed_over = self._replaced(self._state, node, nodes, tags, marks)
        if all(passed_over[place] for place, one in enumerate(nodes) if one[0]):
            raise ValueError(f"other: none of its conditions divides the rows of node {node}")
        return self._finish(
            "graft",
            node,
            {"other": as_skeleton(other)},
            after,
            asked,
            self._left_out(nodes, passed_over),
        )


def as_skeleton(other: Any) -> Any:
    """Give a tree, or the tree of an estimator, as a dict that can be written in code."""
    tree = getattr(other, "tree_", other)
    return tree.skeleton() if hasattr(tree, "skeleton") else other


def _first_that_asks(state: State, node: int, columns: list[int]) -> int | None:
    data = state.tree.data
    for at in state.below(node):
        if data["n_children"][at] and int(data["attribute"][at]) in columns:
            return at
    return None
