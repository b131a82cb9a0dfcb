"""The policy tree: which action for whom, so that the mean reward is the largest."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ramify.learning.declared import Parameters
from ramify.learning.model import saved_since
from ramify.pruning.path import Rule
from ramify.tables import Table
from ramify.tables.frame import NamedArrays
from ramify.trees.greedy.constraints import allowed_columns
from ramify.trees.optimal.base import limits_of
from ramify.trees.optimal.feature_search import FeatureSearch
from ramify.trees.optimal.features import tree_of_splits
from ramify.trees.optimal.loop import FeaturePlan
from ramify.trees.optimal.parameters import OF_POLICIES, check_limited
from ramify.trees.optimal.ranking import BY_ENTROPY, RankingOrder
from ramify.trees.optimal.rewards import Rewards
from ramify.trees.optimal.search import Searcher, SearchHistory, progress_line
from ramify.trees.optimal.state import read_search, write_search
from ramify.trees.single.base import ClassTree
from ramify.trees.single.fitted import FittedTree

_VERSION = 7


@dataclass(frozen=True, eq=False)
class LeafRewards(NamedArrays):
    """The leaves of a policy tree: one row each.

    Attributes
    ----------
    leaf : ndarray of int
        Number of the node.
    rows : ndarray of int
        Training rows in it.
    action : ndarray
        The action that the tree takes there.
    reward : ndarray
        Mean reward of that action in the leaf.
    others : ndarray
        The largest mean reward of any other action there; NaN if there is no other.
    """

    leaf: NDArray[np.int64]
    rows: NDArray[np.int64]
    action: NDArray[Any]
    reward: NDArray[np.float64]
    others: NDArray[np.float64]

    COLUMNS = ("leaf", "rows", "action", "reward", "others")

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.COLUMNS

    def __len__(self) -> int:
        return len(self.leaf)


@saved_since(_VERSION)
class PolicyTree(ClassTree):
    """The tree of actions with the largest mean reward, among trees of limited depth.

    For every row there is a reward for every action: measured, or estimated, as by doubly robust
    scores of a trial or of observed treatments. The tree divides the rows, and each leaf takes one
    action. The search covers all trees that ask certain questions and proves that none has a larger
    mean reward, as :class:`OptimalTreeClassifier` does for errors.

    Parameters
    ----------
    max_depth : int or None, default=2
        Largest depth. With None, only `sparsity` or `max_leaves` limits the trees; one of them
        is needed.
    features : {"auto", "binary", "mid", "all"}, default="all"
        The questions that a tree may ask; see :class:`OptimalTreeClassifier`. "mid" ranks
        thresholds by how they divide the best actions of the rows.
    n_thresholds : int, default=45
        "mid": the number of thresholds, in all columns together.
    min_samples_leaf : int or float, default=1
        Rows that every leaf needs; a float is a fraction of all rows.
    sparsity : float, default=0.0
        Price of a leaf: what another leaf must add to the mean reward.
    max_leaves : int or None, default=None
        Largest number of leaves.
    exclude : list of str or int, or None, default=None
        Columns that no split may use; they stay columns of the table. A proof is then about trees
        without them.
    time_limit : float or None, default=None
        Seconds for the whole fit. At the limit, or on Ctrl-C, the best tree found is kept, with a
        ``ConvergenceWarning``.
    memory_limit : int, str or None, default=None
        Memory of the search: bytes, or a size such as "500MB". None is 1 GB.
    unseen : {"missing", "majority", "error"}, default="missing"
        What becomes of a level that was not seen in training.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, besides those whose type says so.
    date_parts : "auto", None or list of {"month", "weekday", "day", "hour"}, default="auto"
        Parts of dates that the tree may ask about, besides the date itself.
    min_level_count : int, default=1
        Levels of a nominal column with fewer rows than this are pooled in one level, "(other)".
    identifiers : {"warn", "drop", "keep"}, default="warn"
        What to do with columns that name the rows.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all.
    on_progress : callable or None, default=None
        Called as ``on_progress(seconds, regret, bound)``, about ten times a second.
    verbose : bool, default=False
        Whether to show error, bound and gap while the search runs.

    Attributes
    ----------
    tree_ : Tree
        The tree. Its classes are the actions; the class weights of a node say which actions the
        tree takes for its rows.
    classes_ : ndarray
        The actions: names of the columns of the rewards, or 0, 1, 2, ...
    reward_ : float
        Mean reward of the tree on the training rows.
    upper_bound_ : float
        No tree over these features has a larger mean reward (less the price of its leaves).
    error_ : float
        Mean regret: what the best action of each row would bring above the tree.
    lower_bound_ : float
        No tree over these features has a smaller regret plus price of leaves.
    gap_ : float
        How much larger the mean reward of another tree could be, at most.
    proven_optimal_ : bool
        Whether it is proven that no tree over these features is better.
    leaf_rewards_ : LeafRewards
        Rows, action and mean rewards of every leaf; ``leaf_rewards_.to_frame()``.
    history_ : SearchHistory
        Regret and bound over time.
    search_ : dict
        Facts about the search.

    Examples
    --------
    >>> from ramify import PolicyTree
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> rewards = [[1.0, 0.0], [0.0, 2.0], [0.0, 1.0], [3.0, 0.0]]
    >>> policy = PolicyTree(max_depth=2).fit(X, rewards)
    >>> policy.predict(X), policy.reward_, policy.proven_optimal_
    (array([0, 1, 1, 0]), 1.75, True)
    """

    PARAMETERS = Parameters(OF_POLICIES)
    measured = "training error"
    state_entries = (*ClassTree.state_entries, "search", "policy")
    costs = None
    class_weight = None

    error_: float
    lower_bound_: float
    proven_optimal_: bool
    history_: SearchHistory
    search_: dict[str, Any]
    reward_: float
    leaf_rewards_: LeafRewards

    def __init__(
        self,
        *,
        max_depth: int | None = 2,
        features: Literal["auto", "binary", "mid", "all"] = "all",
        n_thresholds: int = 45,
        min_samples_leaf: float = 1,
        sparsity: float = 0.0,
        max_leaves: int | None = None,
        exclude: Sequence[str | int] | None = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        unseen: Literal["missing", "majority", "error"] = "missing",
        categorical_features: Any = "from_dtype",
        date_parts: Any = "auto",
        min_level_count: int = 1,
        identifiers: str = "warn",
        n_jobs: int | None = None,
        on_progress: Callable[[float, float, float], None] | None = None,
        verbose: bool = False,
    ) -> None:
        self.max_depth = max_depth
        self.features = features
        self.n_thresholds = n_thresholds
        self.min_samples_leaf = min_samples_leaf
        self.sparsity = sparsity
        self.max_leaves = max_leaves
        self.exclude = exclude
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.unseen = unseen
        self.categorical_features = categorical_features
        self.date_parts = date_parts
        self.min_level_count = min_level_count
        self.identifiers = identifiers
        self.n_jobs = n_jobs
        self.on_progress = on_progress
        self.verbose = verbose

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check what can be checked without data; give the values that were read, by name."""
        settings = super().check_parameters(**instead)
        check_limited(settings)
        return settings

    def fit(self, X: Any, rewards: Any, sample_weight: Any = None) -> Self:
        """Search for the best policy.

        Parameters
        ----------
        X : table
            A dataframe that narwhals reads, an array, a list of rows, or a dict of columns.
        rewards : array-like or dataframe of shape (rows, actions)
            What every action brings in every row; more is better. The column names of a data frame
            are the names of the actions.
        sample_weight : array-like or None
            Weights of the rows.

        Returns
        -------
        estimator
            The estimator itself.
        """
        settings = self.check_parameters()
        table = X if isinstance(X, Table) else self._read_training(X, settings)
        read = Rewards.read(rewards, table.n_rows, sample_weight)
        rows = read.rows
        self._search(table.take(rows), read.take(rows), settings)
        return self

    def _search(self, table: Table, rewards: Rewards, settings: dict[str, Any]) -> None:
        clock = settings["time_limit"]
        limits = limits_of(settings, table.n_rows)
        with progress_line(settings["on_progress"], settings["verbose"]) as progress:
            allowed = allowed_columns(settings["exclude"], table.schema)
            searcher = Searcher(limits, settings["sparsity"], clock, progress, allowed=allowed)
            task = FeatureSearch(table, rewards.best_actions(), searcher)
            order: RankingOrder = BY_ENTROPY
            plan = FeaturePlan(settings["features"], settings["n_thresholds"], None, order)
            kind, taken, _ = plan.make_features(task)
            found = searcher.run(task.features, rewards, complete=task.complete)
        first = tree_of_splits(found.splits, task.features, table, task.target)
        leaf = np.asarray(first.apply(table.cells, "missing", 1))
        leaves, place = np.unique(leaf, return_inverse=True)
        groups = [np.flatnonzero(place == at) for at in range(len(leaves))]
        actions = np.array([rewards.least_regret(group) for group in groups], dtype=np.int32)
        target = rewards.target(np.ascontiguousarray(actions[place]))
        core = tree_of_splits(found.splits, task.features, table, target)
        tree = target.tree(core, table.schema, unseen=settings["unseen"])
        self._take_over(FittedTree(tree, tree))
        self.leaf_rewards_ = _leaf_rewards(leaves, groups, actions, rewards)
        regret = rewards.regrets[np.arange(table.n_rows), actions[place]]
        self.error_ = float(np.average(regret, weights=rewards.weights))
        chosen = rewards.values[np.arange(table.n_rows), actions[place]]
        self.reward_ = float(np.average(chosen, weights=rewards.weights))
        self.proven_optimal_ = found.proven
        best = self.error_ + float(self.sparsity) * tree.n_leaves
        self.lower_bound_ = best if found.proven else min(found.lower_bound, best)
        self.history_ = SearchHistory.of([(len(task.features), found)])
        ended = "proof" if found.proven else "interrupt" if found.interrupted else "time_limit"
        self.search_ = {
            "features": kind,
            "n_features": len(task.features),
            "n_thresholds": taken,
            "stopped_by": ended,
            "seconds": clock.elapsed(),
            **found.statistics,
        }
        if not found.proven:
            warnings.warn(
                f"the search for a policy was stopped by {ended}: the best tree found, with a mean "
                f"reward of {self.reward_:.5g}, is kept; another may bring {self.gap_:.3g} more",
                ConvergenceWarning,
                stacklevel=3,
            )

    @property
    def gap_(self) -> float:
        """How much larger the mean reward (less the price of leaves) of another tree could be."""
        check_is_fitted(self, "error_")
        best = self.error_ + float(self.sparsity) * self.tree_.n_leaves
        return 0.0 if self.proven_optimal_ else max(0.0, best - self.lower_bound_)

    @property
    def upper_bound_(self) -> float:
        """No tree over these features has a larger mean reward less the price of its leaves."""
        return self.reward_ - float(self.sparsity) * self.tree_.n_leaves + self.gap_

    def score(self, X: Any, rewards: Any, sample_weight: Any = None) -> float:
        """Give the mean reward of the actions that the tree takes.

        Parameters
        ----------
        X : table
            Columns as in training.
        rewards : array-like of shape (rows, actions)
            What every action brings in these rows, in the order of ``classes_``.
        sample_weight : array-like or None
            Weights of the rows.
        """
        taken = self.predict(X)
        read = Rewards.read(rewards, len(taken), sample_weight)
        if len(read.actions) != len(self.classes_):
            raise ValueError(
                f"rewards has {len(read.actions)} columns, but there are {len(self.classes_)} "
                "actions"
            )
        order = {action: at for at, action in enumerate(self.classes_.tolist())}
        places = np.array([order[action] for action in taken.tolist()], dtype=np.intp)
        return float(np.average(read.values[np.arange(len(taken)), places], weights=read.weights))

    def prune(
        self,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        rule: Rule | None = None,
    ) -> Self:
        """Refuse: a leaf that replaces a branch would take the commonest action, not the best.

        Parameters
        ----------
        alpha, n_leaves, rule
            As for other trees; none is possible.
        """
        raise ValueError(
            "a policy tree is not cut back after the fit, because a leaf would take the commonest "
            "action of its rows and not the best one; fit with max_leaves or a larger sparsity"
        )

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        X_test: Any = None,
        y_test: Any = None,
        **more: Any,
    ) -> Any:
        """Write a report on the tree alone: the scores of a report are for classes, not rewards.

        Parameters
        ----------
        path : str or path, optional
            The file. Without a file, a notebook shows the report.
        X_test, y_test : None
            Not for policies; :meth:`score` gives the mean reward on other rows.
        **more
            ``title``, the heading of the report; ``max_rows``.
        """
        rows = {"X_test": X_test, "y_test": y_test} | more
        for name in ("X_test", "y_test", "X_train", "y_train", "held_out"):
            if rows.get(name) is not None:
                raise ValueError(
                    f"{name}: the report of a policy tree takes no rows, because its scores are "
                    "for classes; score(X, rewards) gives the mean reward"
                )
        return super().report(path, **more)

    def facts(self) -> list[tuple[str, str]]:
        """Give what was proven, and how long it took, for a report."""
        return [
            ("Mean reward", f"{self.reward_:.6g}"),
            ("Proven optimal", "yes" if self.proven_optimal_ else f"no, gap {self.gap_:.3g}"),
            ("Search", f"{float(self.search_['seconds']):.3g} seconds"),
        ]

    def to_state(self) -> dict[str, Any]:
        """Give the fitted state as entries of a model file."""
        table = self.leaf_rewards_
        leaves = {
            "leaf": table.leaf.tolist(),
            "rows": table.rows.tolist(),
            "reward": table.reward.tolist(),
            "others": [None if math.isnan(one) else one for one in table.others.tolist()],
        }
        policy = {"reward": self.reward_, "leaves": leaves}
        return super().to_state() | {"search": write_search(self), "policy": policy}

    def from_state(self, state: dict[str, Any]) -> None:
        """Set the fitted state from a model file; a ValueError names the entry that is wrong."""
        super().from_state(state)
        read_search(state["search"], self)
        self.reward_, self.leaf_rewards_ = _read_policy(state["policy"], self)


def _leaf_rewards(
    leaves: NDArray[np.int64],
    groups: list[NDArray[np.intp]],
    actions: NDArray[np.int32],
    rewards: Rewards,
) -> LeafRewards:
    means = np.array([rewards.mean(group) for group in groups])
    taken = means[np.arange(len(groups)), actions]
    means[np.arange(len(groups)), actions] = -np.inf
    others = means.max(axis=1)
    return LeafRewards(
        leaves.astype(np.int64),
        np.array([len(group) for group in groups], np.int64),
        rewards.actions[actions],
        taken,
        np.where(np.isfinite(others), others, np.nan),
    )


def _read_policy(document: Any, policy: PolicyTree) -> tuple[float, LeafRewards]:
    """Read the rewards from a model file."""
    leaves = document.get("leaves") if isinstance(document, dict) else None
    if not isinstance(leaves, dict) or set(document) != {"reward", "leaves"}:
        raise ValueError("policy must be an object with reward and leaves")
    if type(document["reward"]) not in (int, float) or not math.isfinite(document["reward"]):
        raise ValueError("policy.reward must be a number")
    if set(leaves) != {"leaf", "rows", "reward", "others"}:
        raise ValueError("policy.leaves must be an object with leaf, rows, reward and others")
    data = policy.tree_.data
    expected = np.flatnonzero(data["n_children"] == 0)
    kinds: dict[str, set[type]] = {"leaf": {int}, "rows": {int}, "reward": {int, float}}
    kinds["others"] = {int, float, type(None)}
    for name, column in leaves.items():
        if not isinstance(column, list) or not set(map(type, column)) <= kinds[name]:
            raise ValueError(f"policy.leaves.{name} must be a list of numbers")
        if len(column) != len(expected):
            raise ValueError(f"policy.leaves.{name} must have one entry for each leaf")
    if leaves["leaf"] != expected.tolist() or leaves["rows"] != data["rows"][expected].tolist():
        raise ValueError("policy.leaves does not fit the leaves of the tree")
    reward = np.array(leaves["reward"], np.float64)
    others = np.array([math.nan if one is None else one for one in leaves["others"]], np.float64)
    if not np.isfinite(reward).all() or np.isinf(others).any():
        raise ValueError("policy.leaves.reward and others must be finite")
    action = policy.classes_[data["value"][expected].argmax(axis=1)]
    numbers = np.array(leaves["leaf"], np.int64)
    rows = np.array(leaves["rows"], np.int64)
    return float(document["reward"]), LeafRewards(numbers, rows, action, reward, others)
