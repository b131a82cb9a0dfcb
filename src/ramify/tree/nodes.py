"""Nodes: what a tree knows at one place. They are made from its arrays when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ramify.tree.conditions import Condition
from ramify.tree.doors import door


class NotOfThisTree(ValueError, AttributeError):
    """A tree of this kind does not have what was asked for.

    It is an AttributeError as well, so that ``hasattr``, ``dir`` and displays of objects find
    nothing instead of failing.
    """


@dataclass(frozen=True)
class Competitor:
    """The best split of another attribute: what nearly won."""

    condition: Condition
    gain: float
    #: Of its test, adjusted as for the comparison with ``alpha``. None if no test was made.
    p_value: float | None = None

    def __str__(self) -> str:
        tested = "" if self.p_value is None else f", p {self.p_value:.3g}"
        return f"{self.condition.describe(0)} (gain {self.gain:.4g}{tested})"


class Competitors(tuple[Competitor, ...]):
    """What nearly won at a node: a tuple that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = door("competitors_html")(self)
        return html


@dataclass(frozen=True, eq=False)
class Node:
    """One node of a tree.

    Parameters
    ----------
    id : int
        Position in ``tree.nodes``; the root is 0 and children come after their parents.
    parent : int or None
        The node above, None at the root.
    depth : int
        Number of conditions on the way from the root.
    condition : Threshold, Subset, Multiway or None
        The question asked here, None at a leaf.
    children : tuple of int
        The nodes below, in the order of the condition's branches.
    rows : int
        Training rows that reach the node, in whole or in part.
    weight : float
        Their weight.
    value : ndarray
        Weight per class; in regression the sums of w, w*y and w*y**2.
    prediction : object
        The class, or the number, predicted if the tree ended here.
    impurity, gain : float
        By the criterion of growth; the gain is 0 at a leaf.
    p_value : float or None
        Of the test that selected the attribute (``selection="conditional_inference"`` or "chaid"),
        adjusted as for the comparison with ``alpha``, or the probability that its gain is reached
        by chance ("beyond_chance"). ``tree_.data["log_p"]`` has its logarithm,
        which does not underflow. At a leaf that the tests stopped, the smallest p-value, which is
        above ``alpha``. None at other leaves, and where the criterion selected the attribute.
    expansion : int or None
        The step of growth in which the node was split, None at a leaf.
    key : float
        Key in a pruning sequence: the value of its parameter at which the node becomes a leaf.
        NaN if there is no sequence; infinity if a skeleton demands the split.
    proportion : float
        Share of the parent's known weight that came here.
    competitors : Competitors
        The best splits of other attributes, by falling gain; with their p-values if attributes
        are selected by tests.
    """

    id: int
    parent: int | None
    depth: int
    condition: Condition | None
    children: tuple[int, ...]
    rows: int
    weight: float
    value: NDArray[np.float64] = field(repr=False)
    prediction: Any
    impurity: float
    gain: float
    p_value: float | None = field(repr=False)
    expansion: int | None
    key: float = field(repr=False)
    proportion: float = field(repr=False)
    competitors: Competitors = field(repr=False)

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no children."""
        return self.condition is None


class NodeSequence(Sequence[Node]):
    """All nodes of a tree. Each is made when it is asked for."""

    def __init__(self, n_nodes: int, make: Callable[[int], Node]) -> None:
        self._n_nodes = n_nodes
        self._make = make

    def __len__(self) -> int:
        return self._n_nodes

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> list[Node]: ...
    def __getitem__(self, index: int | slice) -> Node | list[Node]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(self._n_nodes)[index]]
        try:
            return self._make(range(self._n_nodes)[index])
        except IndexError:
            raise IndexError(f"node {index} is out of range: there are {self._n_nodes}") from None

    def __repr__(self) -> str:
        return f"<{self._n_nodes} nodes>"
