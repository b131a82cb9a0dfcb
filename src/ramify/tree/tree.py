"""The tree: what it knows, and the forms in which it is shown and kept.

It knows its nodes, columns and classes, and nothing of who grew it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ramify.tree.array_checks import check_arrays
from ramify.tree.as_dict import BY_HAND, PARTS, TASKS, make_core, read_tree, write_tree
from ramify.tree.data import TreeData
from ramify.tree.doors import door
from ramify.tree.frame import tree_to_frame
from ramify.tree.rules import Rules, tree_to_rules
from ramify.tree.skeleton import tree_to_skeleton
from ramify.tree.sklearn_arrays import NumericArrays, tree_to_arrays
from ramify.tree.text import tree_to_text

#: The most nodes that are drawn below a cell of a notebook.
IN_A_CELL = 60


class Tree(TreeData):
    """A fitted decision tree.

    Parameters
    ----------
    core : ramify._core.Tree
        The nodes, which also predict.
    schema : Schema
        The columns the tree was fitted on.
    task : {"classification", "regression"}
        What is predicted.
    classes : ndarray or None
        The class labels, in the order of the class weights; None in regression.
    target : str
        Name of what is predicted.
    unseen : {"missing", "majority", "error"}
        What becomes of a level that was not seen in training.
    costs : ndarray or None
        Cost of predicting class j (column) where class i (row) is true.
    by_hand : mapping from int to ByHand, optional
        What a person has set, by node; see :mod:`ramify.edit`.
    history : tuple of EditRecord
        The edits that made the tree, the first one first.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = [["sunny", 85], ["sunny", 70], ["overcast", 83], ["overcast", 64]]
    >>> tree = TreeClassifier().fit(X, ["no", "yes", "yes", "yes"]).tree_
    >>> tree.n_leaves, tree.depth
    (2, 1)
    >>> print(tree.rules()[1])
    if x1 > 84 then no (1 row, 100 %)
    """

    @property
    def arrays(self) -> NumericArrays:
        """The tree as scikit-learn's arrays, if all its splits are thresholds on numbers.

        Raises
        ------
        ValueError
            If a split asks for levels or uses an ordinal or nominal column.
        """
        return tree_to_arrays(self)

    # --- showing --------------------------------------------------------------------------

    def to_text(
        self,
        *,
        max_depth: int | None = None,
        max_levels: int | None = 5,
        precision: int = 4,
        show_weights: bool = True,
        different_rows: bool = False,
        width: int | None = None,
    ) -> str:
        """Draw the tree; see :func:`ramify.show.tree_to_text`."""
        return tree_to_text(
            self,
            max_depth=max_depth,
            max_levels=max_levels,
            precision=precision,
            show_weights=show_weights,
            different_rows=different_rows,
            width=width,
        )

    def to_svg(
        self,
        *,
        max_depth: int | None = None,
        max_nodes: int | None = 200,
        direction: str = "auto",
        precision: int = 4,
    ) -> str:
        """Draw the tree as SVG; see :func:`ramify.show.tree_to_svg`."""
        svg: str = door("tree_to_svg")(
            self,
            max_depth=max_depth,
            max_nodes=max_nodes,
            direction=direction,
            precision=precision,
        )
        return svg

    def _repr_svg_(self) -> str:
        return self.to_svg(max_nodes=IN_A_CELL)

    def _repr_html_(self) -> str:
        html: str = door("figure")(self)
        return html

    def rules(
        self,
        *,
        min_support: float = 0,
        min_confidence: float = 0.0,
        order: str = "tree",
        max_levels: int | None = 5,
        precision: int = 4,
        different_rows: bool = False,
    ) -> Rules:
        """One if/then rule per leaf; see :func:`ramify.export.tree_to_rules`."""
        return tree_to_rules(
            self,
            min_support=min_support,
            min_confidence=min_confidence,
            order=order,
            max_levels=max_levels,
            precision=precision,
            different_rows=different_rows,
        )

    def to_frame(self, *, backend: str | None = None) -> Any:
        """One row per node, as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the data frame; None takes the first that is installed, or a dict of
            lists if there is none.
        """
        return tree_to_frame(self, backend=backend)

    def skeleton(self, *, cut: Iterable[int] = (), closed: bool = False) -> dict[str, Any]:
        """The conditions as nested dicts, which another tree may begin with.

        Parameters
        ----------
        cut : iterable of int, default=()
            Nodes where the conditions end: growth goes on from them.
        closed : bool, default=False
            Whether the leaves of this tree are closed. Otherwise growth goes on from them, too.

        Returns
        -------
        dict
            For the parameter `skeleton` of :class:`~ramify.TreeClassifier` and
            :class:`~ramify.TreeRegressor`; it may be edited before.

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> X = {"age": [20, 30, 40, 50], "income": [1, 2, 1, 2]}
        >>> clf = TreeClassifier().fit(X, ["a", "b", "c", "c"])
        >>> clf.tree_.skeleton(cut=[1], closed=True)
        {'column': 'age', 'threshold': 35.0, 'left': {}, 'right': {'closed': True}}
        """
        return tree_to_skeleton(self, cut=cut, closed=closed)

    # --- checking and keeping -------------------------------------------------------------

    def check(self) -> None:
        """Verify every invariant; ValueError names the first one that is violated."""
        self.core.check()
        if self.task not in TASKS:
            raise ValueError(f"task={self.task!r} is unknown; valid choices: {TASKS}")
        if (self.classes is None) != (self.task == "regression"):
            raise ValueError("a tree has classes if and only if its task is classification")
        width = 3 if self.classes is None else len(self.classes)
        if self.data["value"].shape != (self.n_nodes, width):
            raise ValueError(
                f"value has shape {self.data['value'].shape}, expected (nodes, {width})"
            )
        shapes = (width, width), (width, width + 1)
        if self.costs is not None and self.costs.shape not in shapes:
            raise ValueError(f"costs have shape {self.costs.shape}, expected one of {shapes}")
        check_arrays(self.data, self.schema, self.task)

    def to_dict(self) -> dict[str, Any]:
        """The whole tree as what JSON can hold; see ``docs/model-format.md``."""
        return write_tree(self)

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> Tree:
        """The tree that :meth:`to_dict` wrote.

        Everything is verified before it is used, and ValueError names what is wrong. Only
        :meth:`check` verifies that the weights of children add up to that of their parent.
        """
        return cls(**read_tree(tree))

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in PARTS | BY_HAND}
        return {**state, "arrays": {name: np.array(array) for name, array in self.data.items()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.core = make_core(state["arrays"], state["schema"], state["task"], state["classes"])
        for name in PARTS:
            setattr(self, name, state[name])
        self.by_hand = state.get("by_hand", {})  # an older pickle has none
        self.history = state.get("history", ())
