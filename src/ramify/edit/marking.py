"""What a person sets at one node without changing its condition: locks and answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ramify.edit.base import Asked, Editing
from ramify.edit.price import Price
from ramify.learning import parameters as check
from ramify.tables.levels import as_level
from ramify.tree.arrays import LARGEST
from ramify.tree.by_hand import ByHand


class Marking(Editing):
    """Locks and labels; not for direct use."""

    def label(
        self,
        node: int,
        value: Any,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Set the answer of a leaf by hand. Its probabilities stay the shares of its rows.

        The label wins over the majority and over the costs, for every row that reaches the leaf
        whole. A row that missing values divide among leaves is answered by its shares.

        Parameters
        ----------
        node : int
            Number of a leaf in ``tree``.
        value : object
            A class of the tree, or a number in regression. None where the costs allow no answer.
        reason, dry_run, bound
            As in :meth:`split`.
        """
        asked = Asked(reason, dry_run, bound)
        node = self._leaf(node)
        answer = self._answer(value)
        mark = self._mark("label", node, asked, labelled=True, label=answer)
        after = self._marked(self._state, node, mark)
        return self._finish("label", node, {"value": answer}, after, asked)

    def clear_label(
        self,
        node: int,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        bound: bool = False,
    ) -> Price:
        """Let the rows of a leaf decide its answer again."""
        asked = Asked(reason, dry_run, bound)
        node = self._leaf(node)
        before = self._state.by_hand.get(node, ByHand())
        if not before.labelled:
            raise ValueError(f"node={node} has no label that was set by hand")
        after = self._marked(self._state, node, ByHand(excluded=before.excluded))
        return self._finish("clear_label", node, {}, after, asked)

    def lock(
        self, node: int, *, reason: str | None = None, dry_run: bool = False, bound: bool = False
    ) -> Price:
        """Lock a node: edits of its condition are refused, and no pruning cuts it off.

        Conditions on the way to it may be edited as long as it still divides its rows. A leaf may
        be locked, too: then it is not split, and its label stays.
        """
        return self._lock("lock", node, True, Asked(reason, dry_run, bound))

    def unlock(
        self, node: int, *, reason: str | None = None, dry_run: bool = False, bound: bool = False
    ) -> Price:
        """Undo :meth:`lock`."""
        return self._lock("unlock", node, False, Asked(reason, dry_run, bound))

    # --- parts --------------------------------------------------------------------------------

    def _lock(self, action: str, node: int, locked: bool, asked: Asked) -> Price:
        node = self._node(node)
        before = self._state.by_hand.get(node, ByHand())
        if before.locked == locked:
            raise ValueError(f"node={node} is {'locked already' if locked else 'not locked'}")
        mark = replace(before, locked=locked)
        if locked:
            mark = with_reason(mark, asked, self.author)
        return self._finish(action, node, {}, self._marked(self._state, node, mark), asked)

    def _leaf(self, node: Any) -> int:
        number = self._free(node, below_too=False)
        if self._inner(number):
            raise ValueError(f"node={number} is no leaf; collapse({number}) makes it one")
        return number

    def _answer(self, value: Any) -> Any:
        tree = self.tree
        if tree.classes is None:
            if not check.is_number(value) or not abs(float(value)) <= LARGEST:
                raise ValueError(f"value={value!r:.80} must be a number")
            return float(value)
        labels = tree.answers.tolist()
        given = as_level(value) if value is not None else None
        if given not in labels:
            raise ValueError(
                f"value={value!r:.80} is not a class; the classes are "
                f"{', '.join(map(repr, labels[:20]))}"
            )
        return labels[labels.index(given)]


def with_reason(mark: ByHand, asked: Asked, author: str | None) -> ByHand:
    """Add a reason to those that a mark has already."""
    if asked.reason is None:
        return mark
    if not isinstance(asked.reason, str):
        raise ValueError(f"reason={asked.reason!r:.80} must be text")
    reasons = asked.reason if mark.reason is None else f"{mark.reason}; {asked.reason}"
    return replace(mark, reason=reasons, author=author or mark.author)
