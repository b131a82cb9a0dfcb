"""The nodes of a tree with its columns and classes, and all that follows from them.

Invariant: the arrays never change after construction, so all that follows from them is cached.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tables import Schema
from ramify.tree.arrays import Arrays, flat
from ramify.tree.by_hand import ByHand, EditRecord, carried
from ramify.tree.conditions import Condition, ConditionReader
from ramify.tree.nodes import Competitor, Competitors, Node, NodeSequence, NotOfThisTree
from ramify.tree.words import count_leaves, format_name, shorten


class TreeData:
    """What a tree knows. :class:`Tree` adds the forms in which it is shown and kept."""

    def __init__(
        self,
        core: _core.Tree,
        schema: Schema,
        *,
        task: str,
        classes: NDArray[Any] | None = None,
        target: str = "y",
        unseen: str = "missing",
        costs: NDArray[np.float64] | None = None,
        by_hand: Mapping[int, ByHand] | None = None,
        history: tuple[EditRecord, ...] = (),
    ) -> None:
        self.core = core
        self.schema = schema
        self.task = task
        self.classes = classes
        self.target = target
        self.unseen = unseen
        self.costs = costs
        self.by_hand: dict[int, ByHand] = dict(by_hand or {})
        self.history = history

    def with_core(self, core: _core.Tree) -> Self:
        """Give another tree of the same columns and classes.

        Marks of nodes that were set by hand stay with the nodes that are at the same places.
        """
        other = self._with_core(core)
        if self.by_hand:
            other.by_hand = carried(self.by_hand, self.data, other.data)
        return other

    def edited(
        self, core: _core.Tree, by_hand: Mapping[int, ByHand], history: tuple[EditRecord, ...]
    ) -> Self:
        """Give a tree that a person has changed, with the marks of its nodes and the records."""
        other = self._with_core(core)
        other.by_hand = dict(by_hand)
        other.history = history
        return other

    def with_history(self, history: tuple[EditRecord, ...]) -> Self:
        """Give the same tree with other records."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)  # and with all that follows from its arrays
        other.history = history
        return other

    def _with_core(self, core: _core.Tree) -> Self:
        return type(self)(
            core,
            self.schema,
            task=self.task,
            classes=self.classes,
            target=self.target,
            unseen=self.unseen,
            costs=self.costs,
            history=self.history,
        )

    # --- size -----------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.core.n_nodes)

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.data["n_children"] == 0))

    @cached_property
    def depth(self) -> int:
        """Number of conditions on the longest path."""
        return int(self.data["depth"].max())

    def __len__(self) -> int:
        return self.n_nodes

    def __repr__(self) -> str:
        size = f"{count_leaves(self.n_leaves)}, depth {self.depth:,}"
        return f"<Tree: {self.task} of {self.target!r}, {size}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeData):
            return NotImplemented
        return (
            (self.task, self.target, self.unseen) == (other.task, other.target, other.unseen)
            and self.schema == other.schema
            and _same(self.classes, other.classes)
            and _same(self.costs, other.costs)
            and self.by_hand == other.by_hand
            and self.history == other.history
            and self.data.keys() == other.data.keys()
            and all(_same(array, other.data[name]) for name, array in self.data.items())
        )

    __hash__ = None  # type: ignore[assignment]

    # --- nodes ----------------------------------------------------------------------------

    @cached_property
    def data(self) -> Arrays:
        """The arrays of the tree, read-only; see ``docs/model-format.md`` for their meaning."""
        arrays = self.core.arrays()
        arrays.setdefault("spread", np.full(self.n_nodes, np.nan))
        for array in arrays.values():
            array.flags.writeable = False
        return arrays

    @property
    def nodes(self) -> NodeSequence:
        """The nodes; node 0 is the root."""
        return NodeSequence(self.n_nodes, self._node)

    def condition(self, node: int) -> Condition:
        """The question asked at an inner node."""
        if not self.data["n_children"][node]:
            raise ValueError(f"node {node} is a leaf and has no condition")
        return self._conditions.read(node)

    @cached_property
    def _conditions(self) -> ConditionReader:
        return ConditionReader(self.data, self.schema)

    @cached_property
    def _competing(self) -> ConditionReader:
        return ConditionReader(self.data, self.schema, competitors=True)

    def _node(self, i: int) -> Node:
        data = self.data
        first, count = int(data["first_child"][i]), int(data["n_children"][i])
        start, end = int(data["competitor_start"][i]), int(data["competitor_start"][i + 1])
        parent, expansion = int(data["parent"][i]), int(data["expansion"][i])
        return Node(
            id=i,
            parent=None if parent < 0 else parent,
            depth=int(data["depth"][i]),
            condition=self.condition(i) if count else None,
            children=tuple(range(first, first + count)) if count else (),
            rows=int(data["rows"][i]),
            weight=float(data["weight"][i]),
            value=data["value"][i],
            prediction=self.predictions[i],
            impurity=float(data["impurity"][i]),
            gain=float(data["gain"][i]),
            p_value=_p_value(data["log_p"][i]),
            expansion=None if expansion < 0 else expansion,
            key=float(data["key"][i]),
            proportion=float(data["proportion"][i]),
            competitors=Competitors(
                Competitor(
                    self._competing.read(j),
                    float(data["competitor_gain"][j]),
                    _p_value(data["competitor_log_p"][j]),
                )
                for j in range(start, end)
            ),
        )

    # --- what the nodes say ---------------------------------------------------------------

    @cached_property
    def predictions(self) -> list[Any]:
        """Per node, what would be predicted if the tree ended there."""
        if self.classes is None:
            given = self.data["prediction"]
            predicted: list[Any] = np.where(np.isnan(given), self.mean, given).tolist()
            return predicted
        labels = self.answers.tolist()
        return [labels[i] for i in self.label_codes.tolist()]

    @property
    def abstains(self) -> bool:
        """Whether the costs have a column for giving no answer."""
        return self.costs is not None and self.costs.shape[1] > self.costs.shape[0]

    @cached_property
    def answers(self) -> NDArray[Any]:
        """What can be predicted: the classes and, where the costs say so, None for no answer."""
        self._require_task("classification")
        assert self.classes is not None
        if not self.abstains:
            return self.classes
        return np.array([*self.classes.tolist(), None], dtype=object)

    @cached_property
    def label_codes(self) -> NDArray[np.int64]:
        """Per node the class of largest share, or of least expected cost; the first of equals.

        The code after the last class means that no answer costs least. At a leaf with a label that
        was set by hand, it is that label.
        """
        self._require_task("classification")
        codes = self.core.labels(flat(self.costs))
        if not self.labelled:
            return codes
        codes = codes.copy()
        for leaf, code in self.labelled.items():
            codes[leaf] = code
        return codes

    @cached_property
    def labelled(self) -> dict[int, int]:
        """The leaves whose class was set by hand, with its code (classification)."""
        if self.classes is None:
            return {}
        places = {label: code for code, label in enumerate(self.answers.tolist())}
        return {
            node: places[mark.label]
            for node, mark in self.by_hand.items()
            if mark.labelled and not self.data["n_children"][node]
        }

    def predict_codes(self, cells: Any, threads: int) -> NDArray[np.int64]:
        """Give the code of the class of every row; the one after the last means no answer.

        A row that reaches a leaf whole gets the label that was set there by hand. A row that
        missing values divide among leaves is answered by its shares.
        """
        codes = self.core.predict_class(cells, self.unseen, threads, flat(self.costs))
        if not self.labelled:
            return codes
        own = np.full(self.n_nodes, -1, np.int64)
        own[list(self.labelled)] = list(self.labelled.values())
        leaves = self.core.apply(cells, self.unseen, threads)
        rows = np.flatnonzero(own[leaves] >= 0)
        one = isinstance(cells, np.ndarray)
        some = cells[rows] if one else [np.ascontiguousarray(column[rows]) for column in cells]
        passed = np.diff(self.core.paths(some, self.unseen)[0])
        whole = rows[passed == self.data["depth"][leaves[rows]] + 1]
        codes = codes.copy()
        codes[whole] = own[leaves[whole]]
        return codes

    def hand_words(self, node: int, longest: int | None = 60) -> str:
        """Say that a node was set by hand, and why; "" if it was not."""
        mark = self.by_hand.get(node)
        if mark is None or not (mark.is_set or mark.locked):
            return ""
        what = mark.what if mark.is_set else "locked"
        return f"{what}: {shorten(format_name(mark.reason), longest)}" if mark.reason else what

    @cached_property
    def shown_codes(self) -> NDArray[np.int64]:
        """Per node the predicted class; where there is no answer, the class of largest share."""
        self._require_task("classification")
        codes = self.label_codes
        largest = self.data["value"].argmax(axis=1)
        return np.asarray(np.where(codes < self.data["value"].shape[1], codes, largest))

    @cached_property
    def confidence(self) -> NDArray[np.float64]:
        """Per node, the share of the predicted class; where there is no answer, the largest."""
        self._require_task("classification")
        value = self.data["value"]
        with np.errstate(invalid="ignore", divide="ignore"):
            share = value[np.arange(len(value)), self.shown_codes] / value.sum(axis=1)
        return np.asarray(share, dtype=np.float64)

    @cached_property
    def mean(self) -> NDArray[np.float64]:
        """Per node, the mean of the target (regression)."""
        self._require_task("regression")
        with np.errstate(all="ignore"):
            return np.asarray(self.data["value"][:, 1] / self.data["value"][:, 0])

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """Per node, the standard deviation of the target (regression).

        A node may say it. Otherwise it is derived. The impurity of a squared-error tree is its
        square, and is taken where it agrees with the sums of the node: the difference of the sums
        loses the digits that all targets share.
        """
        self._require_task("regression")
        impurity, value = self.data["impurity"], self.data["value"]
        with np.errstate(all="ignore"):
            squares = value[:, 2] / value[:, 0]
            variance = squares - self.mean**2
            agrees = np.abs(variance - impurity) <= 1e-9 * squares
            derived = np.sqrt(np.maximum(np.where(agrees, impurity, variance), 0.0))
        given = self.data["spread"]
        return np.where(np.isnan(given), derived, given)

    def _require_task(self, task: str) -> None:
        if self.task != task:
            raise NotOfThisTree(f"only a {task} tree has this, but the task is {self.task}")


def _p_value(log_p: float) -> float | None:
    return None if np.isnan(log_p) else float(np.exp(log_p))


def _same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")
