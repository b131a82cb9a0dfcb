"""What all edits share: the state, the price of a new one, undo and redo.

Invariant: an edit that is refused changes nothing.
"""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ramify import _core
from ramify.edit.history import Edit
from ramify.edit.losses import NewLosses, RowLosses
from ramify.edit.monotone import Order
from ramify.edit.price import Bound, Price
from ramify.edit.state import State
from ramify.learning import parameters as check
from ramify.learning.target import Target
from ramify.support.warn import RamifyWarning
from ramify.tables import Table
from ramify.tree import Tree
from ramify.tree.by_hand import ByHand, carried
from ramify.trees.greedy.base import GreedyTree


@dataclass(frozen=True, eq=False)
class Step:
    """A step that can be undone: the states around it, and the losses before and after it."""

    edit: Edit
    before: State
    after: State
    losses: tuple[tuple[RowLosses, NewLosses, NewLosses], ...]


@dataclass(frozen=True)
class Asked:
    """What every edit is told beside its own arguments."""

    reason: str | None = None
    dry_run: bool = False
    bound: bool = False


class Editing:
    """The state of an editor, and the parts of an edit; not for direct use."""

    #: Who edits, for the records.
    author: str | None
    #: The rows of X that are learned from, and those held out; None if they are all of X.
    _places: tuple[NDArray[np.intp], NDArray[np.intp]] | None
    #: What was said when the editor was made, such as that the tree was grown again.
    notes: list[str]

    def _open(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        sample_weight: Any,
        validation: Any,
        random_state: int,
    ) -> None:
        if not isinstance(estimator, GreedyTree):
            raise ValueError(
                f"estimator={type(estimator).__name__} cannot be edited; give a fitted "
                "TreeClassifier or TreeRegressor. Another single tree becomes one by "
                "TreeClassifier(skeleton=fitted).fit(X, y)"
            )
        self.notes = []
        #: Gives the time of an edit. Whoever replays edits gives the times that they had.
        self.clock: Callable[[], str] = now
        self._places = None
        table, target = estimator.read_rows(X, y, sample_weight)
        held_out: tuple[Table, Target] | None = None
        if isinstance(validation, tuple):
            if len(validation) not in (2, 3):
                raise ValueError(
                    f"validation has {len(validation)} parts; give (X, y) or (X, y, weights)"
                )
            held_out = estimator.read_rows(*validation)
        elif validation is not None:
            learn, rest = target.hold_out(target.rows, _fraction(validation), random_state)
            self._places = np.asarray(learn), np.asarray(rest)
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
        self._table, self._target, self._held_out = table, target, held_out
        tree = estimator.tree_
        self._problem = estimator.training(table, target, self._settings).problem
        cells = (
            []
            if held_out is None
            else [np.ascontiguousarray(held_out[0].column(j)) for j in range(len(tree.schema))]
        )
        self._core = _core.TreeEditor(self._problem, cells, tree.unseen)
        self._order = Order(self._settings, tree)
        self._next_tag = 0
        version, passed_over, as_grown = self._core.open(tree.core)
        if not as_grown:
            left_out = sum(passed_over)
            more = f"; {left_out} conditions that divide none of them are left out"
            self._note(
                "X and y are not the rows that the tree was grown on: its conditions are kept, and "
                f"all numbers are those of these rows{more if left_out else ''}",
                warn=True,
            )
        self._state = self._with_marks(State(version, {}, tree, tree.history), tree)
        loss = estimator.number_loss
        self._losses = [RowLosses("walked", table, target, loss, self._threads)]
        if held_out is not None:
            self._losses.append(RowLosses("held_out", *held_out, loss, self._threads))
        for losses in self._losses:
            losses.put(losses.below(self._state.version, self._state.tree, 0))
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._version = 0

    def _with_marks(self, state: State, tree: Tree) -> State:
        """Give the marks that a tree has to the nodes at the same places.

        Nodes that a skeleton demanded are locked.
        """
        found = dict(tree.by_hand)
        forced = np.flatnonzero(np.isinf(tree.data["key"]) & (tree.data["n_children"] > 0))
        if not any(mark.locked for mark in found.values()):
            for node in forced.tolist():
                found[node] = replace(
                    found.get(node, ByHand(reason="demanded by the skeleton")), locked=True
                )
        if not found:
            return state
        kept = carried(found, tree.data, state.tree.data)
        tags = [self._tag() for _ in kept]
        version = self._core.tag(state.version, list(kept), tags)
        marks = dict(zip(tags, kept.values(), strict=True))
        return State(version, marks, state.template, state.history)

    def _note(self, text: str, *, warn: bool = False) -> None:
        self.notes.append(text)
        if warn:
            warnings.warn(text, RamifyWarning, stacklevel=6)

    # --- what there is ------------------------------------------------------------------------

    @property
    def tree(self) -> Tree:
        """The tree as it is now."""
        return self._state.tree

    @property
    def estimator(self) -> Any:
        """A fitted estimator with the tree as it is now: an ordinary one, and a copy."""
        return self._estimator.with_tree(self.tree)

    @property
    def version(self) -> int:
        """A number that changes with every edit, undo and redo."""
        return self._version

    @property
    def history(self) -> tuple[Edit, ...]:
        """The edits of this editor that led to this tree, the first one first.

        ``tree.history`` also has those that the tree had before.
        """
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
        """The loss of the tree as it is now, on "training" and, if there are any, "validation"."""
        names = ("training", "validation")
        return {
            name: dict(zip(losses.measures, losses.means(), strict=True))
            for name, losses in zip(names, self._losses, strict=False)
        }

    def rows(self, node: int, *, held_out: bool = False) -> NDArray[np.intp]:
        """Give the rows that reach a node, whole or in part, in ascending order.

        Parameters
        ----------
        node : int
            Number of the node in ``tree``.
        held_out : bool, default=False
            Give rows that the tree has not seen: of the X in `validation`, or of X itself if a
            fraction of it was held out.
        """
        which = "held_out" if held_out else "grown"
        whole, divided, _ = self._core.rows(self._state.version, self._node(node), which)
        rows = np.sort(np.concatenate((whole, divided))).astype(np.intp)
        found: NDArray[np.intp] = rows if self._places is None else self._places[held_out][rows]
        return found

    # --- undoing ------------------------------------------------------------------------------

    def undo(self) -> None:
        """Go back by one edit."""
        if not self._done:
            raise ValueError("there is no edit to undo")
        step = self._done.pop()
        for losses, before, _ in step.losses:
            losses.put(before)
        self._undone.append(step)
        self._state = step.before
        self._version += 1

    def redo(self) -> None:
        """Do the edit again that was undone last."""
        if not self._undone:
            raise ValueError("there is no edit to do again")
        step = self._undone.pop()
        for losses, _, after in step.losses:
            losses.put(after)
        self._done.append(step)
        self._state = step.after
        self._version += 1

    # --- parts of an edit ---------------------------------------------------------------------

    def _tag(self) -> int:
        self._next_tag += 1
        return self._next_tag

    def _node(self, node: Any) -> int:
        count = self.tree.n_nodes
        if isinstance(node, bool) or not isinstance(node, int | np.integer):
            raise ValueError(f"node={node!r:.80} must be the number of a node of the tree")
        if not 0 <= node < count:
            raise ValueError(f"node={node} is not a node; the nodes are numbered 0 to {count - 1}")
        return int(node)

    def _inner(self, node: int) -> bool:
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

    def _mark(self, action: str, node: int, asked: Asked, **others: Any) -> ByHand:
        if asked.reason is not None and not isinstance(asked.reason, str):
            raise ValueError(f"reason={asked.reason!r:.80} must be text")
        before = self._state.by_hand.get(node, ByHand())
        mark = ByHand(action, asked.reason, self.author, self.clock(), excluded=before.excluded)
        return replace(mark, **others)

    def _replaced(
        self,
        state: State,
        node: int,
        nodes: list[_core.SkeletonNode],
        tags: list[int],
        marks: dict[int, ByHand],
    ) -> tuple[State, list[int]]:
        """Give the state with other conditions at a node, and the places that were passed over."""
        version, passed_over, _ = self._core.replace(state.version, node, nodes, tags)
        made = State(version, {**state.marks, **marks}, state.template, state.history)
        return made, passed_over

    def _marked(self, state: State, node: int, mark: ByHand) -> State:
        """Give the state with another mark at a node, and nothing else changed."""
        tag = self._tag()
        version = self._core.tag(state.version, [node], [tag])
        return State(version, {**state.marks, tag: mark}, state.template, state.history)

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
        asked: Asked,
        passed_over: tuple[str, ...] = (),
    ) -> Price:
        """Work out the price, and take the new state over unless it is only tried."""
        before = self._state
        self._require_locked(before, after, node)
        self._order.require(after.tree)
        at = after.at(before.path(node))
        new = [losses.below(after.version, after.tree, at) for losses in self._losses]
        changes = [losses.changes(one) for losses, one in zip(self._losses, new, strict=True)]
        held_out = changes[1] if len(changes) > 1 else None
        price = Price(
            action=action,
            node=at,
            training=changes[0][0],
            validation=held_out[0] if held_out else None,
            training_cost=changes[0][1] if len(changes[0]) > 1 else None,
            validation_cost=held_out[1] if held_out and len(held_out) > 1 else None,
            leaves_before=before.tree.n_leaves,
            leaves_after=after.tree.n_leaves,
            depth_before=before.tree.depth,
            depth_after=after.tree.depth,
            passed_over=passed_over,
            bound=self._bound(after) if asked.bound else None,
            dry_run=asked.dry_run,
        )
        if asked.dry_run:
            return price
        edit = Edit(action, node, arguments, price, asked.reason, self.author, self.clock())
        after = after.with_history((*before.history, edit.record()))
        losses = tuple(
            (losses, losses.put(one), one) for losses, one in zip(self._losses, new, strict=True)
        )
        self._done.append(Step(edit, before, after, losses))
        self._undone.clear()
        self._state = after
        self._version += 1
        return price

    def _bound(self, state: State) -> Bound:
        raise NotImplementedError


def _fraction(validation: Any) -> float:
    if not check.is_number(validation) or not 0.0 < float(validation) < 1.0:
        raise ValueError(
            f"validation={validation!r:.80} must be None, a number between 0 and 1, or a tuple "
            "(X, y) or (X, y, weights)"
        )
    return float(validation)


def now() -> str:
    """Give the time in words: ISO 8601, UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _regrown(estimator: GreedyTree, table: Table, target: Target) -> GreedyTree:
    """Grow the tree of an estimator again on other rows, with the weights that they have."""
    fresh: GreedyTree = clone(estimator)
    fresh.learn_from(table, target, fresh.check_parameters())
    return fresh
