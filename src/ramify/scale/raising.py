"""Error-based pruning that raises branches, with rows that are read in scans.

Whether a branch takes the place of its parent depends on the errors below it if it got all rows of
the parent. A scan sends the rows of a node through its heaviest branch and adds up the classes in
its leaves. Nodes none of which is above another have different rows, so one scan serves all nodes
whose branches are pruned. As soon as the rows of a node fit in memory, they are collected, and the
subtree is pruned in memory. The decisions are those of the core in both cases
(core/prune/error_pruner.hpp).

A row without a value is divided among the branches by the weight of the rows that have one. In a
branch that got more rows these weights are not known before the rows are there. So such rows wait
at the first condition that would divide them, the scan tells the weights, and the next one sends
the rows on: without missing values a branch takes one scan, with them one for every level that
divides rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.scale.common import Common
from ramify.scale.counting import PickedRows, ScanTask, Slot
from ramify.scale.forks import AS_MISSING, MULTIWAY, THRESHOLD, Fork, Key, scan_of
from ramify.scale.memory import Budget
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource
from ramify.scale.spill import RowStore
from ramify.scale.whole_numbers import Form

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class _At:
    """A node of the tree."""

    node: int


@dataclass(frozen=True)
class _Through:
    """A node of a branch that may be raised: all rows of another node are sent there."""

    top: int
    node: int


@dataclass(frozen=True)
class _New:
    """The rows of a level that a multiway split of such a branch did not have."""

    top: int
    node: int
    code: int


@dataclass(frozen=True)
class _Waiting:
    """The rows that a condition of such a branch would divide by weights that are not known."""

    top: int
    node: int


@dataclass
class _Sums:
    """What arrives somewhere: parts of rows, and their weights by class."""

    rows: int
    value: Weights

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(self.rows + other.rows, self.value + other.value)


@dataclass
class _Branch:
    """The heaviest branch of a node whose branches are pruned.

    Parameters
    ----------
    node : int
    shares : dict
        Of its conditions that divide rows, the parts of the branches, new levels last.
    arrived : dict
        Of the same conditions, the rows that come to them.
    """

    node: int
    shares: dict[int, list[float]] = field(default_factory=dict)
    arrived: dict[int, int] = field(default_factory=dict)


class Raising:
    """Prunes a tree.

    Parameters
    ----------
    common : Common
    budget : Budget
    folder : Path
        For the rows of subtrees that are pruned in memory.
    grown : _core.Tree
    confidence : float
    unseen : str
    """

    def __init__(
        self,
        common: Common,
        budget: Budget,
        folder: Path,
        grown: _core.Tree,
        confidence: float,
        unseen: str,
    ) -> None:
        self._common, self._unseen = common, unseen
        # A level that a raised branch has not seen divides rows, whatever is missing.
        self._form = Form.of(common.learned, common.problem, common.settings, divides=True)
        self._pruner = _core.ErrorPruner(common.problem, grown, confidence, unseen)
        self._home_rows = max(1, budget.home_rows(len(common.reader.schema)))
        self._store = RowStore(folder / "raised", budget.rows)
        self._pruned: set[int] = set()
        self._branches: dict[int, _Branch] = {}

    def run(self, source: RowSource, scans: Scans) -> _core.Tree:
        """Prune the tree, scan by scan."""
        while True:
            homes, ready, above = self._survey()
            at_once = [node for node in ready if self._decide_at_once(node)]
            if at_once:
                continue
            if not homes and not ready:
                return self._pruner.tree()
            for node in ready:
                if node not in self._branches:
                    self._branches[node] = _Branch(self._pruner.heaviest(node))
            sums = self._scan(source, scans, homes, above)
            for node in homes:
                self._prune_home(node)
            for node in ready:
                self._look(node, sums)

    def _survey(self) -> tuple[set[int], list[int], set[int]]:
        """Give what fits in memory, the nodes whose branches are pruned, and what is above."""
        homes: set[int] = set()
        ready: list[int] = []
        unpruned: set[int] = set()
        stack = [(0, False)]
        while stack:
            node, seen_below = stack.pop()
            children = self._children(node)
            if not children or node in self._pruned:
                continue
            if seen_below:
                if unpruned.isdisjoint(children):
                    ready.append(node)
                unpruned.add(node)
            elif self._rows(node) <= self._home_rows:
                homes.add(node)
                unpruned.add(node)
            else:
                stack.append((node, True))
                stack += ((child, False) for child in children)
        return homes, ready, unpruned - homes - set(ready)

    def _decide_at_once(self, node: int) -> bool:
        """Decide on a node for which no row is read; tell whether that was possible."""
        if self._pruner.forced(node):
            self._decide(node, 0.0)
            return True
        if self._children(self._pruner.heaviest(node)):
            return False
        # A leaf that takes the place of its parent has the rows of its parent.
        self._decide(node, self._pruner.expected(self._pruner.value(node)))
        return True

    def _scan(
        self, source: RowSource, scans: Scans, homes: set[int], above: set[int]
    ) -> dict[Key, _Sums]:
        """Collect the rows of some nodes, and send those of others through their branches."""

        def look(key: Key) -> Fork | Slot | None:
            if isinstance(key, _At):
                if key.node in homes:
                    return Slot(rows=True)
                if key.node in self._branches:
                    return self._through(_Through(key.node, self._branches[key.node].node))
                return self._fork(key.node) if key.node in above else None
            return self._through(key) if isinstance(key, _Through) else Slot()

        form = self._form
        scan, keys = scan_of(form, _At(0), look)
        task = ScanTask(
            self._common.reader, self._common.columns, [scan], summed=source.stamps is None
        )

        def keep(rows: PickedRows) -> None:
            key = keys[rows.slot]
            assert isinstance(key, _At)
            self._store.add(key.node, rows)

        (found,) = scans.run(source, "branches", task, keep)
        return {
            key: _Sums(totals.rows, _core.class_weights(form.for_core, totals.channels))
            for key, totals in zip(keys, found.totals, strict=True)
        }

    def _fork(self, node: int) -> Fork:
        """Give the condition of a node that has all its rows."""
        shares = [self._pruner.proportion(child) for child in self._children(node)]
        return self._condition(node, [_At(child) for child in self._children(node)], shares, {})

    def _through(self, at: _Through) -> Fork | Slot:
        """Give what becomes of rows inside a branch that may be raised."""
        children = self._children(at.node)
        if not children:
            return Slot()
        new = self._new_levels(at)
        places: list[Key] = [_Through(at.top, child) for child in children]
        to_new = {code: len(children) + i for i, code in enumerate(new)}
        places += (_New(at.top, at.node, code) for code in new)
        shares = self._branches[at.top].shares.get(at.node)
        if shares is not None:
            return self._condition(at.node, places, shares, to_new)
        places.append(_Waiting(at.top, at.node))
        return self._condition(at.node, places, None, to_new)

    def _new_levels(self, at: _Through) -> list[int]:
        """Give the levels that a multiway split has no branch for."""
        kind, attribute, _, _, levels, _, _ = self._pruner.node(at.node)
        form = self._common.forms[attribute]
        if kind != MULTIWAY or not isinstance(form, int):
            return []
        known = {code for code, _ in levels}
        return [code for code in range(form) if code not in known]

    def _condition(
        self,
        node: int,
        places: list[Key],
        shares: list[float] | None,
        to_new: dict[int, int],
    ) -> Fork:
        """Give a condition; without shares, the last of its places is where rows wait."""
        kind, attribute, threshold, missing_to, levels, _, _ = self._pruner.node(node)
        if shares is None:
            missing_to = len(places) - 1
            elsewhere = AS_MISSING
            shares = [1.0] * len(places)
        elif self._unseen == "majority":
            elsewhere = int(np.argmax(shares))
        else:
            elsewhere = AS_MISSING
        form = self._common.forms[attribute]
        branches: list[int] = []
        if isinstance(form, int) and kind != THRESHOLD:
            branches = [elsewhere] * form
            for code, branch in [*levels, *to_new.items()]:
                branches[code] = branch
        return Fork(kind, attribute, threshold, missing_to, branches, places, shares)

    def _prune_home(self, node: int) -> None:
        """Prune what lies below a node whose rows were collected."""
        columns, y, parts, weights = self._common.unpacked(self._store.take(node), divides=True)
        problem = self._common.problem_of(columns, y, weights)
        self._pruner.prune_below(node, problem, parts, self._form.grain_rows)
        self._pruned.add(node)

    def _look(self, node: int, sums: dict[Key, _Sums]) -> None:
        """Decide on a node if all its rows have come through its branch."""
        branch = self._branches[node]
        arrived = _Arrived(self._pruner, node, branch, self._new_levels, sums)
        if arrived.anybody_waits():
            return
        errors = sum(self._pruner.expected(value) for value in arrived.leaves())
        if self._decide(node, errors):
            arrived.take_over()
        del self._branches[node]

    def _decide(self, node: int, raised: float) -> bool:
        """Decide on a node; true if a branch has taken its place."""
        if self._pruner.decide(node, raised):
            # What lies below has other rows now.
            stack = [node]
            while stack:
                below = stack.pop()
                self._pruned.discard(below)
                stack += self._children(below)
            return True
        self._pruned.add(node)
        return False

    def _children(self, node: int) -> list[int]:
        children: list[int] = self._pruner.node(node)[5]
        return children

    def _rows(self, node: int) -> int:
        return int(self._pruner.node(node)[6])


class _Arrived:
    """What a scan found of a branch that may be raised.

    Parameters
    ----------
    pruner : _core.ErrorPruner
    top : int
        The node whose rows were sent through the branch.
    branch : _Branch
    new_levels : callable
        Gives the levels that a multiway split has no branch for.
    sums : dict
        What arrived where the rows end.
    """

    def __init__(
        self,
        pruner: _core.ErrorPruner,
        top: int,
        branch: _Branch,
        new_levels: Callable[[_Through], list[int]],
        sums: dict[Key, _Sums],
    ) -> None:
        self._pruner, self._top, self._branch = pruner, top, branch
        #: The nodes of the branch, parents first, as they were before it takes over.
        self._children: dict[int, list[int]] = {}
        #: Per condition, the new levels of its column, and what arrived of each.
        self._new: dict[int, dict[int, _Sums]] = {}
        self._total: dict[int, _Sums] = {}
        self._waiting: dict[int, _Sums] = {}
        stack = [branch.node]
        while stack:
            node = stack.pop()
            self._children[node] = children = pruner.node(node)[5]
            stack += reversed(children)
        for node, children in reversed(self._children.items()):
            at = _Through(top, node)
            if not children:
                self._total[node] = sums[at]
                continue
            self._new[node] = {code: sums[_New(top, node, code)] for code in new_levels(at)}
            here = [self._total[child] for child in children] + [*self._new[node].values()]
            if waiting := sums.get(_Waiting(top, node)):
                self._waiting[node] = waiting
                here.append(waiting)
            total = here[0]
            for one in here[1:]:
                total = total + one
            # Parts of rows that are divided here are one row above.
            self._total[node] = _Sums(branch.arrived.get(node, total.rows), total.value)

    def anybody_waits(self) -> bool:
        """Tell whether rows wait, and at the first such conditions learn how they are divided."""
        found = False
        stack = [self._branch.node]
        while stack:
            node = stack.pop()
            if node in self._waiting and self._waiting[node].rows:
                self._branch.shares[node] = self._shares(node)
                self._branch.arrived[node] = self._total[node].rows
                found = True
            else:
                stack += self._children[node]
        return found

    def leaves(self) -> Iterator[Weights]:
        """Give the class weights of what would be leaves."""
        for node, children in self._children.items():
            if not children:
                yield self._total[node].value
            else:
                yield from (one.value for one in self._new[node].values() if one.rows)

    def take_over(self) -> None:
        """Give the nodes of the branch, which has taken the place of the top, their rows."""
        for node, children in self._children.items():
            if not children:
                continue
            shares = iter(self._branch.shares.get(node) or self._shares(node))
            for child in children:
                self._set(child, self._total[child], next(shares))
            parent = self._top if node == self._branch.node else node
            for (code, one), share in zip(self._new[node].items(), shares, strict=True):
                if one.rows:
                    self._set(self._pruner.add_branch(parent, code), one, share)

    def _shares(self, node: int) -> list[float]:
        """Give the parts of the branches, new levels last; equal ones if no row has a branch."""
        children = self._children[node]
        known = [self._total[child] for child in children] + [*self._new[node].values()]
        weights = [float(one.value.sum()) for one in known]
        total = sum(weights)
        if total > 0:
            return [weight / total for weight in weights]
        return [1 / len(children)] * len(children) + [0.0] * len(self._new[node])

    def _set(self, node: int, sums: _Sums, share: float) -> None:
        self._pruner.set_rows(node, sums.rows, sums.value, share)
