"""The set of all trees near the best one: counted, asked and sampled without listing them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.support.writer import write_text
from ramify.tables.frame import NamedArrays
from ramify.tree import Tree
from ramify.tree.arrays import flat
from ramify.tree.doors import door
from ramify.trees.optimal.given import GivenTree, recode
from ramify.trees.optimal.near_search import Near, Part

_HALF = 2**64


@dataclass(frozen=True, eq=False)
class ColumnRanges(NamedArrays):
    """What the trees of a set do with each column: one row a column.

    Attributes
    ----------
    column : ndarray of str
        Name of the column.
    used : ndarray
        Share of the trees that ask it anywhere.
    at_root : ndarray
        Share of the trees that ask it at the root.
    least, most : ndarray
        The smallest and the largest importance in any of the trees: the share of the impurity of
        all rows (Gini index, or squared error) that its splits remove.
    """

    column: NDArray[Any]
    used: NDArray[np.float64]
    at_root: NDArray[np.float64]
    least: NDArray[np.float64]
    most: NDArray[np.float64]

    COLUMNS = ("column", "used", "at_root", "least", "most")

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.COLUMNS

    def __len__(self) -> int:
        return len(self.column)


@dataclass(frozen=True)
class NearTree:
    """A tree of the set, its objective, and how far its answers are from the given ones.

    `distance` is the share of the training weight that gets another answer; for numbers, the mean
    squared difference.
    """

    tree: Tree
    objective: float
    distance: float


@dataclass(frozen=True)
class Level:
    """How many trees have this objective and this number of leaves."""

    objective: float
    leaves: int
    count: int


class RashomonSet:
    """All trees whose objective is within `epsilon` of the best.

    It comes from ``near_optimal`` of :class:`OptimalTreeClassifier` and
    :class:`OptimalTreeRegressor`. The trees share their parts, so that millions of them take little
    memory, and what is asked here lists none of them. They have an order: by objective, then by
    leaves, then by the order of their questions. ``trees[0]`` is a best tree.

    Two trees are the same if they have the same shape and ask in each node the same column for the
    same division of the training rows of that node. Of two thresholds between which no row of a
    node lies, only one counts there. Columns that divide the rows alike count as different.

    Attributes
    ----------
    epsilon : float
        Every tree within this of the best objective is in the set. It is less than what was asked
        if time, memory or `max_trees` ended the search.
    stopped_by : str
        "time_limit", "memory_limit", "max_trees", "interrupt", or "" if nothing did.
    count : int
        The exact number of trees.
    best_objective : float
        The objective of the best tree over all these features, also in a part of the set.

    Examples
    --------
    >>> from ramify import OptimalTreeClassifier
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
    ...     weather.data, weather.y, epsilon=0.08
    ... )
    >>> near.count, near.without("outlook").count
    (39, 4)
    >>> near[0].n_leaves
    4
    """

    def __init__(self, near: Near, part: Part | None = None, asked: float = np.nan) -> None:
        self._near = near
        self._part = Part() if part is None else part
        self._asked = asked
        self._view: _core.NearView = near.view(self._part)
        self._counts = self._view.buckets()

    # --- how many ---------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of trees."""
        return sum(_whole(count) for _, _, count in self._counts)

    def __len__(self) -> int:
        return min(self.count, sys.maxsize)

    @property
    def best_objective(self) -> float:
        """The objective of the best tree: its error and the price of its leaves."""
        return self._near.core.best / self._near.target.total

    @property
    def epsilon(self) -> float:
        """Every tree within this of the best objective is there; in the unit of `sparsity`."""
        unit = self._near.target.unit
        if unit <= 0.0:  # numbers that are all alike
            return self._asked
        radius = self._near.core.radius / unit
        return min(radius, self._asked) if radius > self._asked * (1 - 1e-6) else radius

    @property
    def complete(self) -> bool:
        """Whether the set goes as far as was asked."""
        return not self.stopped_by

    @property
    def stopped_by(self) -> str:
        """What ended the search before it had all trees; empty if nothing did."""
        return self._near.core.stopped_by

    @property
    def levels(self) -> list[Level]:
        """The number of trees for each objective and number of leaves, best first."""
        total = self._near.target.total
        return [Level(loss / total, leaves, _whole(n)) for loss, leaves, n in self._counts]

    # --- which ------------------------------------------------------------------------------

    def without(self, *columns: str | int) -> RashomonSet:
        """Give the trees that do not ask some columns, by name or number."""
        numbers = {self._column(column) for column in columns}
        return self._with(without=self._part.without | numbers)

    def with_root(self, column: str | int) -> RashomonSet:
        """Give the trees that ask this column at the root."""
        return self._with(root=self._column(column))

    def at_most(self, leaves: int) -> RashomonSet:
        """Give the trees with at most so many leaves."""
        most = check.whole("leaves", leaves, least=1)
        return self._with(max_leaves=min(most, self._part.max_leaves))

    def within(self, epsilon: float) -> RashomonSet:
        """Give the trees that are this near the best objective, or nearer."""
        target = self._near.target
        most = check.number("epsilon", epsilon, least=0.0) * target.unit / target.total
        return self._with(most=min(self._part.most, self.best_objective + most))

    def where(self, test: Callable[[Tree], bool]) -> Iterator[Tree]:
        """Go through the trees that pass a test, best first.

        The other filters give a set and list no tree. Here every tree is made and asked, one by
        one, so take as many as are needed: ``next(near.where(is_allowed), None)``.

        Parameters
        ----------
        test : callable
            Gets a tree, and tells whether it is wanted.
        """
        if not callable(test):
            raise ValueError(f"test={test!r:.80} must be a callable that takes a tree")
        return (tree for tree in self if test(tree))

    def _with(self, **changes: Any) -> RashomonSet:
        return RashomonSet(self._near, replace(self._part, **changes), self._asked)

    def _column(self, column: str | int) -> int:
        names = self._near.table.schema.names
        if isinstance(column, str):
            if column in names:
                return names.index(column)
        elif 0 <= int(column) < len(names):
            return int(column)
        raise ValueError(f"column {column!r} is not among the columns: {', '.join(names)}")

    # --- the trees --------------------------------------------------------------------------

    @overload
    def __getitem__(self, index: int) -> Tree: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tree]: ...
    def __getitem__(self, index: int | slice) -> Tree | list[Tree]:
        """Give a tree by its number in the order, or some trees."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = int(index) + (self.count if index < 0 else 0)
        if not 0 <= number < self.count:
            raise IndexError(f"tree {index} of a set of {self.count:,} trees")
        tree: Tree = self._near.tree(self._splits(number)[1])
        return tree

    def _splits(self, number: int) -> tuple[float, list[tuple[int, int, int, int]]]:
        return self._view.tree(number // _HALF, number % _HALF)

    def __iter__(self) -> Iterator[Tree]:
        """Give the trees one by one, best first."""
        for number in range(self.count):
            yield self[number]

    def objective(self, index: int) -> float:
        """Give the objective of a tree by its number."""
        for level in self.levels:
            if index < level.count:
                return level.objective
            index -= level.count
        raise IndexError(f"tree {index} is beyond the {self.count:,} trees")

    def sample(self, n: int, random_state: Any = None) -> list[Tree]:
        """Draw trees, each as likely as any other, with replacement.

        Parameters
        ----------
        n : int
            How many.
        random_state : int, RandomState, Generator or None
            Seed; None is 0.
        """
        wanted = check.whole("n", n, least=0)
        total = self._some("sample")
        rng = np.random.default_rng(check.seed(random_state))
        found: list[Tree] = []
        while len(found) < wanted:
            number = int.from_bytes(rng.bytes(16), "little") >> (128 - total.bit_length())
            if number < total:
                found.append(self[number])
        return found

    # --- all at once ------------------------------------------------------------------------

    def columns(self) -> ColumnRanges:
        """Give what the trees do with each column: how many ask it, and how much it matters."""
        total = self._some("columns")
        rows = []
        for j, name in enumerate(self._near.table.schema.names):
            rest = self.without(j).count
            root = self.with_root(j).count if self._part.root in (-1, j) else 0
            least, most = self._view.importance(j)
            rows.append((name, 1 - rest / total, root / total, least, most))
        columns = list(zip(*rows, strict=True))
        return ColumnRanges(
            np.array(columns[0], dtype=object), *(np.array(one, float) for one in columns[1:])
        )

    def agreement(self) -> NDArray[np.float64]:
        """Give how the trees answer each training row of positive weight.

        Returns
        -------
        ndarray of shape (rows, classes)
            The share of the trees that answer each class. For numbers, two columns: the mean answer
            and its standard deviation over the trees.
        """
        self._some("agreement")
        found = self._view.answers()
        if not self._near.target.n_classes:
            found[:, 1] = np.sqrt(np.maximum(found[:, 1] - found[:, 0] ** 2, 0.0))
        return found

    def most_different(self, to: Any = None) -> NearTree:
        """Give the tree whose answers to the training rows differ most from those of another.

        Parameters
        ----------
        to : Tree, fitted estimator, array of answers, or None
            What to differ from; None is the first tree of the set. An array has one answer for each
            training row.
        """
        return self._extreme(to, largest=True)

    def closest(self, to: Any) -> NearTree:
        """Give the tree whose answers differ least from given ones: retraining with least change.

        Parameters
        ----------
        to : Tree, fitted estimator or array of answers
            The model in use. Of several trees that are equally close, the first is given.
        """
        return self._extreme(to, largest=False)

    def _extreme(self, to: Any, *, largest: bool) -> NearTree:
        self._some("most_different" if largest else "closest")
        given = self._answers(self[0] if to is None else to)
        kind = "labels" if self._near.target.n_classes else "numbers"
        distance, splits = self._view.farthest(**{kind: given}, largest=largest)
        tree: Tree = self._near.tree(splits)
        objective = self._near.task.objective(tree.core)
        return NearTree(tree, objective, distance / self._near.target.total)

    def _answers(self, to: Any) -> NDArray[Any]:
        """Give the answers of a tree, or given ones, as codes of classes or as numbers."""
        table, target = self._near.table, self._near.target
        if isinstance(to, Tree) or hasattr(to, "tree_"):
            given = GivenTree.of(to)
            given.check(table.schema, target.task)
            cells, tree = recode(table, given.tree.schema).cells, given.tree
            if target.classes is None:
                return np.ascontiguousarray(tree.core.predict(cells, tree.unseen, 1)[:, 0])
            codes = tree.core.predict_class(cells, tree.unseen, 1, flat(tree.costs))
            answers = np.asarray(tree.answers)[codes]
        else:
            answers = np.asarray(to)
        if answers.shape != (table.n_rows,):
            raise ValueError(
                f"to has the shape {answers.shape}, but there are {table.n_rows} training rows of "
                "positive weight; give one answer for each"
            )
        if target.classes is None:
            return np.ascontiguousarray(answers, dtype=np.float64)
        index = {label: code for code, label in enumerate(target.classes.tolist())}
        return np.array([index.get(one, -1) for one in answers.tolist()], dtype=np.int32)

    def _some(self, what: str) -> int:
        total = self.count
        if total == 0:
            raise ValueError(f"{what}: the set is empty")
        return total

    def plot(self, ax: Any = None) -> Any:
        """Plot the range of each column's importance; see :func:`ramify.show.plot_near`."""
        self._some("plot")
        return door("plot_near")(self, ax=ax)

    # --- shown ------------------------------------------------------------------------------

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        trees: int = 5,
        title: str | None = None,
    ) -> str:
        """Write a page about the set: one HTML file, which needs no network and no other file.

        It says how many trees there are and how large they are, how much each column matters at
        least and at most, on which training rows the trees disagree, and draws some of them: the
        best, the most different one, the smallest, and others by lot.

        Parameters
        ----------
        path : str or path, optional
            The file. An existing file is replaced. Without it, nothing is written.
        trees : int, default=5
            How many trees are drawn at most.
        title : str, optional
            The heading.

        Returns
        -------
        str
            The page.

        Examples
        --------
        >>> from ramify import OptimalTreeClassifier
        >>> from ramify.datasets import load_weather
        >>> weather = load_weather()
        >>> near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
        ...     weather.data, weather.y, epsilon=0.05
        ... )
        >>> "<h2>Columns</h2>" in near.report(title="Play outside?")
        True
        """
        wanted = check.whole("trees", trees, least=0)
        page: str = door("near_page")(self, trees=wanted, title=title)
        if path is not None:
            write_text(path, page)
        return page

    @property
    def classes(self) -> NDArray[Any] | None:
        """The classes, in the order of the columns of :meth:`agreement`; None for numbers."""
        return self._near.target.classes

    def training_rows(self, rows: Sequence[int] | NDArray[Any]) -> dict[str, list[str]]:
        """Give the cells of some training rows as text, by column, as :meth:`agreement` counts."""
        table = self._near.table.take(np.asarray(rows, dtype=np.intp))
        return {
            column.name: [
                ""
                if missing
                else f"{cell:g}"
                if column.kind == "numeric"
                else str(column.levels[int(cell)])
                for cell, missing in zip(table.column(j), table.missing(j), strict=True)
            ]
            for j, column in enumerate(table.schema.columns)
        }

    def summary(self) -> list[str]:
        """Say in a few lines how many trees there are, and how near they are to the best."""
        return self._shown()[0]

    def __repr__(self) -> str:
        return f"<RashomonSet of {self.count:,} trees within {self.epsilon:g} of the best>"

    def __str__(self) -> str:
        head, columns, rows = self._shown()
        width = max(len(name) for name, *_ in columns)
        lines = [*head, ""]
        lines.append(f"{'column':<{width}}  {'used by':>8}  {'at root':>8}  importance")
        lines += [
            f"{name:<{width}}  {used:>8}  {root:>8}  {span}" for name, used, root, span in columns
        ]
        return "\n".join([*lines, *rows])

    def _repr_html_(self) -> str:
        head, columns, rows = self._shown()
        cells = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in columns
        )
        names = "".join(
            f"<th>{name}</th>" for name in ("column", "used by", "at root", "importance")
        )
        text = "".join(f"<p>{escape(line)}</p>" for line in (*head, *rows) if line)
        return (
            f"<div>{text}<table><thead><tr>{names}</tr></thead><tbody>{cells}</tbody></table></div>"
        )

    def _shown(self) -> tuple[list[str], list[tuple[str, str, str, str]], list[str]]:
        """Give the lines above the table of columns, its rows, and the lines below."""
        count = self.count
        trees = "1 tree" if count == 1 else f"{count:,} trees"
        head = [f"{trees} within {self.epsilon:g} of the best objective, {self.best_objective:.6g}"]
        if self.stopped_by:
            head.append(
                f"The search was stopped by {self.stopped_by}; farther trees are not there."
            )
        if count == 0:
            return head, [("", "", "", "")], []
        sizes: dict[int, int] = {}
        for level in self.levels:
            sizes[level.leaves] = sizes.get(level.leaves, 0) + level.count
        head.append("leaves: " + ", ".join(f"{n} ({sizes[n]:,})" for n in sorted(sizes)))
        found = self.columns()
        order = np.argsort(-found.most, kind="stable")
        columns = [
            (
                str(found.column[j]),
                f"{found.used[j]:.0%}",
                f"{found.at_root[j]:.0%}",
                f"{found.least[j]:.3f} to {found.most[j]:.3f}",
            )
            for j in order
            if found.used[j] > 0
        ]
        rows = []
        if self._near.target.n_classes:
            shares = self.agreement()
            weights = self._near.target.row_weights()
            same = float(np.average(shares.max(axis=1) > 1 - 1e-9, weights=weights))
            rows = ["", f"{same:.1%} of the rows get the same answer from every tree"]
        return head, columns or [("(no column)", "", "", "")], rows


def _whole(halves: tuple[int, int]) -> int:
    return halves[0] * _HALF + halves[1]
