"""`TreeEditor`: a fitted tree that a person changes, one step after the other."""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from ramify import _core
from ramify.edit.candidates import Candidate, Candidates
from ramify.edit.history import Edit
from ramify.edit.losses import NewLosses, RowLosses
from ramify.edit.price import Change, Price
from ramify.edit.reading import read_condition
from ramify.edit.state import State
from ramify.learning import parameters as check
from ramify.learning.target import Target
from ramify.support.warn import RamifyWarning
from ramify.tables import Table
from ramify.tree import Tree
from ramify.tree.by_hand import ByHand
from ramify.tree.conditions import CodedCondition, Condition
from ramify.tree.skeleton import condition_as_dict
from ramify.trees.greedy.base import GreedyTree
from ramify.trees.greedy.skeleton import read_skeleton, skeleton_for_core

_LEAF: _core.SkeletonNode = (0, -1, 0.0, -1, [], [], False, None)
BELOW = ("keep", "drop", "regrow")


@dataclass(frozen=True, eq=False)
class _Step:
    """A step that can be undone: the states around it, and the losses that it replaced."""

    edit: Edit
    before: State
    after: State
    losses: tuple[tuple[RowLosses, NewLosses, NewLosses], ...]


class TreeEditor:
    """A fitted tree that a person changes; every edit says what it costs.

    Parameters
    ----------
    estimator : TreeClassifier or TreeRegressor
        A fitted estimator. It does not change.
    X, y, sample_weight
        The rows that the tree was grown on. With other rows the conditions stay, and all numbers
        are those of the new rows.
    validation : None, float or tuple
        Rows for prices that the tree has not seen: a tuple (X, y) or (X, y, weights), or a fraction
        of the rows, for which the tree is grown again on the others. None: prices are of the
        training rows only, and say so.
    random_state : int, default=0
        Seed of the rows that are held out.
    author : str, optional
        Who edits, for the records.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> clf = TreeClassifier(max_depth=2).fit(weather.data, weather.y)
    >>> editor = TreeEditor(clf, weather.data, weather.y)
    >>> price = editor.split(0, "humidity <= 80", reason="easier to measure")
    >>> price.training.before, price.training.after
    (0.14285714285714285, 0.21428571428571427)
    >>> editor.undo()
    >>> editor.tree == clf.tree_
    True
    """

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        validation: Any = None,
        random_state: int = 0,
        author: str | None = None,
    ) -> None:
        if not isinstance(estimator, GreedyTree):
            raise ValueError(
                f"estimator={type(estimator).__name__} cannot be edited; give a fitted "
                "TreeClassifier or TreeRegressor. Another single tree becomes one by "
                "TreeClassifier(skeleton=fitted).fit(X, y)"
            )
        self.author = author
        #: What was said when the editor was made, such as that the tree was grown again.
        self.notes: list[str] = []
        table, target = estimator.read_rows(X, y, sample_weight)
        held_out: tuple[Table, Target] | None = None
        if isinstance(validation, tuple):
            if len(validation) not in (2, 3):
                raise ValueError(
                    f"validation has {len(validation)} parts; give (X, y) or (X, y, weights)"
                )
            held_out = estimator.read_rows(*validation)
        elif validation is not None:
            fraction = _fraction(validation)
            learn, rest = target.hold_out(target.rows, fraction, random_state)
            held_out = table.take(rest), target.take(rest)
            table, target = table.take(learn), target.take(learn)
            estimator = _regrown(estimator, table, target)
            self._note(
                f"the tree was grown again on {len(learn):,} rows; {len(rest):,} are held out"
            )
        self._start(estimator, table, target, held_out)

    def _start(
        self,
        estimator: GreedyTree,
        table: Table,
        target: Target,
        held_out: tuple[Table, Target] | None,
    ) -> None:
        self._estimator = estimator
        self._settings = estimator.check_parameters(skeleton=None)
        self._threads = check.threads(estimator.n_jobs)
        tree = estimator.tree_
        self._training = estimator.training(table, target, self._settings)
        self._table, self._target = table, target
        cells = (
            []
            if held_out is None
            else [np.ascontiguousarray(held_out[0].column(j)) for j in range(len(tree.schema))]
        )
        self._core = _core.TreeEditor(self._training.problem, cells, tree.unseen)
        version, passed_over, as_grown = self._core.open(tree.core)
        if not as_grown:
            left_out = sum(passed_over)
            more = f", and {left_out} conditions that divide none of them are left out"
            self._note(
                "X and y are not the rows that the tree was grown on: its conditions are kept, and "
                f"all numbers are those of these rows{more if left_out else ''}",
                warn=True,
            )
        template = tree.with_core(tree.core)
        self._state = State(version, {}, template)
        loss = estimator.number_loss
        self._losses = [RowLosses("walked", table, target, loss, self._threads)]
        if held_out is not None:
            self._losses.append(RowLosses("held_out", *held_out, loss, self._threads))
        for losses in self._losses:
            losses.put(losses.below(version, self._state.tree, 0))
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._version = 0
        self._next_tag = 0

    def _note(self, text: str, *, warn: bool = False) -> None:
        self.notes.append(text)
        if warn:
            warnings.warn(text, RamifyWarning, stacklevel=4)

    # --- what there is ------------------------------------------------------------------------

    @property
    def tree(self) -> Tree:
        """The tree as it is now."""
        return self._state.tree

    @property
    def estimator(self) -> Any:
        """A fitted estimator with the tree as it is now; an ordinary one, and a copy."""
        return self._estimator.with_tree(self.tree)

    @property
    def version(self) -> int:
        """A number that changes with every edit, undo and redo."""
        return self._version

    @property
    def history(self) -> tuple[Edit, ...]:
        """The edits that led to this tree, the first one first."""
        return tuple(step.edit for step in self._done)

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to do again."""
        return bool(self._undone)

    @property
    def errors(self) -> dict[str, dict[str, float]]:
        """The loss of the tree as it is now, for "training" and, if there are any, "validation"."""
        names = ("training", "validation")
        return {
            name: dict(zip(losses.measures, losses.means(), strict=True))
            for name, losses in zip(names, self._losses, strict=False)
        }

    def __repr__(self) -> str:
        return f"<TreeEditor: {self.tree!r}, {len(self._done)} edits>"

    # --- looking ------------------------------------------------------------------------------

    def candidates(self, node: int, *, limit: int | None = None) -> Candidates:
        """Give the best split of a node by every column, by falling gain.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        limit : int, optional
            The most candidates to give; the current one is always among them.
        """
        node = self._node(node)
        state = self._state
        conditions = self._best_splits(node)
        if limit is not None:
            conditions = conditions[: check.whole("limit", limit, least=1)]
        as_leaf, _, _ = self._core.replace(state.version, node, [_LEAF], [-1])
        before = self._held_out(as_leaf, node)
        current = self.tree.condition(node) if self._is_inner(node) else None
        candidates = []
        for condition, gain, p_value in conditions:
            nodes, _ = self._skeleton(read_condition(condition, self.tree.schema))
            version, _, _ = self._core.replace(state.version, node, nodes, [-1] * len(nodes))
            made = State(version, {}, state.template)
            at = made.at(state.path(node))
            first = int(made.tree.data["first_child"][at])
            count = int(made.tree.data["n_children"][at])
            branches = slice(first, first + count)
            candidates.append(
                Candidate(
                    condition=condition,
                    column=condition.attribute,
                    gain=gain,
                    p_value=p_value,
                    rows=tuple(made.tree.data["rows"][branches].tolist()),
                    weight=tuple(made.tree.data["weight"][branches].tolist()),
                    validation=self._effect(before, version, made, at),
                    is_current=condition == current,
                )
            )
        return Candidates(candidates)

    def _best_splits(self, node: int) -> list[tuple[Condition, float, float | None]]:
        """Give the best split by every column with gain and p-value, the best one first."""
        stump = self._core.candidates(
            self._state.version, node, self._allowed(node), [], "conditional_inference"
        )
        root = self.tree.with_core(stump).nodes[0]
        if root.condition is None:
            return []
        found = [(root.condition, root.gain, root.p_value)]
        found += [(one.condition, one.gain, one.p_value) for one in root.competitors]
        if self._settings["selection"] in ("conditional_inference", "chaid"):
            return sorted(found, key=lambda one: (1.0 if one[2] is None else one[2], -one[1]))
        return sorted(found, key=lambda one: -one[1])

    def _held_out(self, version: _core.EditedTree, node: int) -> NewLosses | None:
        """Give the losses of held-out rows at a node of another version."""
        if len(self._losses) < 2:
            return None
        made = State(version, {}, self._state.template)
        return self._losses[1].below(version, made.tree, made.at(self._state.path(node)))

    def _effect(
        self, before: NewLosses | None, version: _core.EditedTree, made: State, at: int
    ) -> Change | None:
        if before is None:
            return None
        held_out = self._losses[1]
        replaced = held_out.put(before)
        try:
            return held_out.changes(held_out.below(version, made.tree, at))[-1]
        finally:
            held_out.put(replaced)

    # --- editing ------------------------------------------------------------------------------

    def split(
        self,
        node: int,
        condition: Any,
        *,
        below: str = "keep",
        reason: str | None = None,
        dry_run: bool = False,
    ) -> Price:
        """Give a node another condition.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``; a leaf or an inner node.
        condition : str, Threshold, Subset, Multiway or dict
            What is asked: "age <= 40", "job in {clerk, nurse}", "job: {clerk} | {nurse, cook}",
            "age is missing", each followed by "missing left", "missing right" or "missing 0" if
            rows without a value shall take a branch; a condition of a tree, such as that of a
            candidate; or a dict like a node of a skeleton. The left branch has what is at most the
            threshold, also if the text says "age > 40".
        below : {"keep", "drop", "regrow"}, default="keep"
            What becomes of the conditions below: those of a branch stay where they still divide its
            rows; or the branches become leaves; or they grow again.
        reason : str, optional
            Why. It is recorded with the node.
        dry_run : bool, default=False
            Only say what it would cost.
        """
        node = self._free(node, below_too=below != "keep")
        check.choice("below", below, BELOW)
        given = read_condition(condition, self.tree.schema)
        nodes, tags = self._skeleton(given)
        if below == "keep" and len(nodes) == 1 + len(nodes[0][5]):
            nodes, tags = self._kept_below(node, nodes[0])
        mark = self._mark("split", reason, self._state.by_hand.get(node))
        tags[0] = self._next_tag
        version, passed_over, _ = self._core.replace(self._state.version, node, nodes, tags)
        if passed_over[0]:
            raise ValueError(
                f"condition {condition!r:.80} does not divide the rows of node {node}: all of them "
                "take one branch"
            )
        after = self._made(version, {self._next_tag: mark})
        return self._finish(
            "split",
            node,
            {"condition": _as_code(condition), "below": below},
            after,
            self._words(nodes, passed_over),
            reason,
            dry_run,
        )

    def collapse(self, node: int, *, reason: str | None = None, dry_run: bool = False) -> Price:
        """Make a node a leaf.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        reason : str, optional
            Why. It is recorded with the node.
        dry_run : bool, default=False
            Only say what it would cost.
        """
        node = self._free(node, below_too=True)
        if not self._is_inner(node):
            raise ValueError(f"node={node} is a leaf already")
        mark = self._mark("collapse", reason, self._state.by_hand.get(node))
        version, _, _ = self._core.replace(self._state.version, node, [_LEAF], [self._next_tag])
        after = self._made(version, {self._next_tag: mark})
        return self._finish("collapse", node, {}, after, (), reason, dry_run)

    def lock(self, node: int, *, reason: str | None = None) -> Price:
        """Lock the condition of a node: edits of it are refused, and no pruning cuts it off.

        The way from the root to the node stays as well, but its conditions may be edited as long as
        the node is kept.
        """
        return self._lock("lock", node, True, reason)

    def unlock(self, node: int, *, reason: str | None = None) -> Price:
        """Undo :meth:`lock`."""
        return self._lock("unlock", node, False, reason)

    def _lock(self, action: str, node: int, locked: bool, reason: str | None) -> Price:
        node = self._node(node)
        before = self._state.by_hand.get(node, ByHand())
        if before.locked == locked:
            raise ValueError(f"node={node} is {'locked already' if locked else 'not locked'}")
        mark = replace(before, locked=locked)
        if locked and reason:
            mark = replace(mark, reason=reason)
        nodes, tags = self._state.version.demand(node)
        tag = self._next_tag
        tags = [tag, *tags[1:]]
        version, _, _ = self._core.replace(self._state.version, node, nodes, tags)
        return self._finish(action, node, {}, self._made(version, {tag: mark}), (), reason, False)

    # --- undoing ------------------------------------------------------------------------------

    def undo(self) -> None:
        """Go back by one edit."""
        if not self._done:
            raise ValueError("there is no edit to undo")
        step = self._done.pop()
        for losses, old, _ in step.losses:
            losses.put(old)
        self._undone.append(step)
        self._state = step.before
        self._version += 1

    def redo(self) -> None:
        """Do the edit again that was undone last."""
        if not self._undone:
            raise ValueError("there is no edit to do again")
        step = self._undone.pop()
        for losses, _, new in step.losses:
            losses.put(new)
        self._done.append(step)
        self._state = step.after
        self._version += 1

    # --- parts of an edit ---------------------------------------------------------------------

    def _node(self, node: Any) -> int:
        count = self.tree.n_nodes
        if isinstance(node, bool) or not isinstance(node, int | np.integer):
            raise ValueError(f"node={node!r:.80} must be the number of a node of the tree")
        if not 0 <= node < count:
            raise ValueError(f"node={node} is not a node; the nodes are numbered 0 to {count - 1}")
        return int(node)

    def _is_inner(self, node: int) -> bool:
        return bool(self.tree.data["n_children"][node])

    def _free(self, node: Any, *, below_too: bool) -> int:
        """Refuse to edit what is locked."""
        number = self._node(node)
        marks = self._state.by_hand
        for at in self._state.below(number) if below_too else [number]:
            if at in marks and marks[at].locked:
                where = f"node {at}" if at == number else f"node {at}, below node {number},"
                why = f" ({marks[at].reason})" if marks[at].reason else ""
                raise ValueError(f"{where} is locked{why}; unlock({at}) first")
        return number

    def _mark(self, action: str, reason: str | None, before: ByHand | None) -> ByHand:
        if reason is not None and not isinstance(reason, str):
            raise ValueError(f"reason={reason!r:.80} must be text")
        excluded = before.excluded if before is not None else ()
        return ByHand(action, reason, self.author, _now(), excluded=excluded)

    def _made(self, version: _core.EditedTree, marks: dict[int, ByHand]) -> State:
        return State(version, {**self._state.marks, **marks}, self._state.template)

    def _skeleton(self, given: dict[str, Any]) -> tuple[list[_core.SkeletonNode], list[int]]:
        skeleton = read_skeleton("condition", given)
        assert skeleton is not None
        nodes, _ = skeleton_for_core(skeleton, self.tree.schema, [])
        if nodes[0][0] == 0:
            raise ValueError(f"condition={given!r:.80} has no condition; collapse() makes a leaf")
        return nodes, [-1] * len(nodes)

    def _kept_below(
        self, node: int, root: _core.SkeletonNode
    ) -> tuple[list[_core.SkeletonNode], list[int]]:
        """Give the new condition of a node, with the branches that it has now."""
        old, old_tags = self._state.version.demand(node)
        places = old[0][5]
        children = [
            places[b] if b < len(places) else len(old) + b - len(places)
            for b in range(len(root[5]))
        ]
        more = max(0, len(root[5]) - len(places))
        nodes = [(*root[:5], children, *root[6:]), *old[1:], *[_LEAF] * more]
        return nodes, [-1, *old_tags[1:], *[-1] * more]

    def _words(
        self, nodes: Sequence[_core.SkeletonNode], passed_over: Sequence[int]
    ) -> tuple[str, ...]:
        """Give the conditions that were left out, in words."""
        schema = self.tree.schema
        return tuple(
            _in_words(node, schema.columns[node[1]])
            for node, passed in zip(nodes, passed_over, strict=True)
            if passed
        )

    def _allowed(self, node: int) -> list[int] | None:
        """Give the columns that may be used at a node; None means all."""
        marks = self._state.by_hand
        out = {
            name
            for at in [node, *self._state.above(node)]
            if at in marks
            for name in marks[at].excluded
        }
        if not out:
            return None
        return [j for j, name in enumerate(self.tree.schema.names) if name not in out]

    def _require_locked(self, before: State, after: State, node: int) -> None:
        """Refuse an edit that leaves out what is locked."""
        kept = set(after.tags.tolist())
        for at, mark in before.by_hand.items():
            if mark.locked and at != node and int(before.tags[at]) not in kept:
                raise ValueError(
                    f"node {at} is locked, and its condition would divide no rows any more; "
                    f"unlock({at}) first"
                )

    def _finish(
        self,
        action: str,
        node: int,
        arguments: dict[str, Any],
        after: State,
        passed_over: tuple[str, ...],
        reason: str | None,
        dry_run: bool,
    ) -> Price:
        """Work out the price, and take the new state over unless it is only tried."""
        before = self._state
        self._require_locked(before, after, node)
        at = after.at(before.path(node))
        new = [losses.below(after.version, after.tree, at) for losses in self._losses]
        changes = [losses.changes(one) for losses, one in zip(self._losses, new, strict=True)]
        price = Price(
            action=action,
            node=at,
            training=changes[0][0],
            validation=changes[1][0] if len(changes) > 1 else None,
            training_cost=changes[0][1] if len(changes[0]) > 1 else None,
            validation_cost=changes[1][1] if len(changes) > 1 and len(changes[1]) > 1 else None,
            leaves_before=before.tree.n_leaves,
            leaves_after=after.tree.n_leaves,
            depth_before=before.tree.depth,
            depth_after=after.tree.depth,
            passed_over=passed_over,
            dry_run=dry_run,
        )
        if dry_run:
            return price
        edit = Edit(action, node, arguments, price, reason, self.author, _now())
        replaced = tuple(
            (losses, losses.put(one), one) for losses, one in zip(self._losses, new, strict=True)
        )
        self._done.append(_Step(edit, before, after, replaced))
        self._undone.clear()
        self._state = after
        self._next_tag += 1
        self._version += 1
        return price


def _fraction(validation: Any) -> float:
    if not check.is_number(validation) or not 0.0 < float(validation) < 1.0:
        raise ValueError(
            f"validation={validation!r:.80} must be None, a number between 0 and 1, or a tuple "
            "(X, y) or (X, y, weights)"
        )
    return float(validation)


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _as_code(condition: Any) -> Any:
    """Give a condition so that it can be written in code."""
    if isinstance(condition, str):
        return condition
    return dict(condition) if isinstance(condition, dict) else condition_as_dict(condition)


def _in_words(node: _core.SkeletonNode, column: Any) -> str:
    codes = np.arange(len(node[4]), dtype=np.int32)
    coded = CodedCondition(
        node[0],
        node[1],
        node[2],
        None if node[3] < 0 else node[3],
        len(node[5]),
        codes,
        np.array(node[4], np.int32),
    )
    condition: Condition = coded.in_words(column)
    return condition.describe(0)


def _regrown(estimator: GreedyTree, table: Table, target: Target) -> GreedyTree:
    """Grow the tree of an estimator again on other rows, with the weights that they have."""
    fresh: GreedyTree = clone(estimator)
    settings = fresh.check_parameters()
    fresh.learn_from(table, target, settings)
    return fresh
