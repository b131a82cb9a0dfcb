"""The optimal regressor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from sklearn.base import RegressorMixin

from ramify.learning.declared import Parameters
from ramify.learning.model import saved_since
from ramify.learning.number_loss import NumberLoss, require_targets
from ramify.learning.target import Target
from ramify.trees.optimal.base import OptimalTree
from ramify.trees.optimal.parameters import OF_NUMBERS
from ramify.trees.optimal.search import Progress
from ramify.trees.single.base import NumberTree


@saved_since(3)
class OptimalTreeRegressor(RegressorMixin, NumberTree, OptimalTree):  # type: ignore[misc]
    """The decision tree of least squared or absolute error or deviance, of limited depth.

    This is :class:`OptimalTreeClassifier` for numbers. Its bounds are weaker, because a row can
    always be predicted better than by the mean of its leaf. So proofs take longer.

    Parameters
    ----------
    criterion : str, default="squared_error"
        What is minimised. "squared_error"; "absolute_error", where leaves predict the median;
        "quantile", the pinball loss of `quantile`; "poisson", half the Poisson deviance, for
        targets of at least 0; "gamma", half the gamma deviance, for targets above 0. Leaves predict
        as those of :class:`TreeRegressor`. A search by ranks ("absolute_error", "quantile") takes
        several times as long as one by squares.
    quantile : float, default=0.5
        The quantile that leaves predict if `criterion` is "quantile".
    max_depth : int or None, default=3
        Largest depth. Each level makes the search many times as long. With None, only `sparsity` or
        `max_leaves` limits the trees; one of them is needed.
    features : {"auto", "binary", "mid", "all"}, default="auto"
        The questions that a tree may ask; see :class:`OptimalTreeClassifier`. "mid" ranks
        thresholds by how much they lower the squared error, whatever the `criterion`: MID with the
        variance in place of the entropy.
    n_thresholds : int, "grow" or "mdl", default=45
        "mid": the number of thresholds, in all columns together. "grow" tries more and more of
        them, and searches once more on all rows with the number that did best on held-out rows.
        "mdl" takes as many as an MDL criterion accepts, see
        :class:`ramify.discretize.MIDDiscretizer`.
    start : {"greedy"}, fitted estimator, Tree or None, default="greedy"
        "greedy" starts from the tree of :class:`TreeRegressor` under the same limits. It is grown
        on a sample if time is short, and on some small tables only if the search is stopped; see
        :class:`OptimalTreeClassifier`. A fitted estimator with a ``tree_``, or that tree itself,
        can be the start instead. None starts from nothing.
    upper_bound : float or None, default=None
        Search only for trees whose objective (see ``objective_``) is below this. The search finds
        the best of them, or proves that there is none; see :class:`OptimalTreeClassifier`.
    min_samples_leaf : int or float, default=1
        Rows that every leaf needs; a float is a fraction of all rows.
    sparsity : float, default=0.0
        Price of a leaf, as a share of the error of the best single prediction. With 0.01 and
        squared error, an extra leaf must raise R2 by more than 0.01, whatever the scale of the
        target.
    max_leaves : int or None, default=None
        Largest number of leaves.
    exclude : list of str or int, or None, default=None
        Columns that no split may use; they stay columns of the table. A proof is then about trees
        without them. The conditions of `skeleton` may use them.
    skeleton : dict, Tree, fitted estimator or None, default=None
        The beginning of the tree: conditions that are made whatever they gain. It has the form that
        :class:`TreeRegressor` takes. What follows below is optimal, and no pruning undoes them.
        Where a condition does not say where missing values go, the better way is found. See the
        guide on constraints.
    monotone : dict, list or None, default=None
        Columns that the prediction never falls (1) or never rises (-1) with. It has the form that
        :class:`TreeRegressor` takes. No tree that keeps to it has a smaller error; see the guide
        on constraints.
    time_limit : float or None, default=None
        Seconds for the whole fit; None and infinity are no limit. After the limit, or on Ctrl-C,
        the best tree found is kept, with a ``ConvergenceWarning``; see
        :class:`OptimalTreeClassifier`.
    memory_limit : int, str or None, default=None
        Memory of the search: bytes, or a size such as "500MB" or "2GB". None is 1 GB.
    validation_fraction : float or None, default=0.2
        ``n_thresholds="grow"``: the share of the rows to hold out, which choose among the trees of
        the other rows. The last search is on all rows. With None, no row is held out.
    unseen : {"missing", "majority", "error"}, default="missing"
        What becomes of a level that was not seen in training: it counts as missing, takes the
        heaviest branch, or is an error.
    categorical_features : "from_dtype", mask, indices, names or None, default="from_dtype"
        Columns to take as nominal, besides those whose type says so: text, bool, a category
        without order, a polars Enum.
    date_parts : "auto", None or list of {"month", "weekday", "day", "hour"}, default="auto"
        Parts of dates that the tree may ask about, besides the date itself. "auto" takes those that
        repeat: the month if the dates span a year, the weekday if they span two weeks, the hour if
        they span two days.
    min_level_count : int, default=1
        Levels of a nominal column with fewer rows than this are pooled in one level, "(other)".
        Levels that were not seen in training then belong to it, too.
    identifiers : {"warn", "drop", "keep"}, default="warn"
        What to do with columns that name the rows: identifiers, names, free text, row numbers. A
        tree can only learn them by heart. "warn" keeps them with a :class:`ramify.RamifyWarning`,
        "drop" leaves them out, "keep" keeps them without a warning.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all.
    random_state : int, RandomState, Generator or None, default=None
        Seed for choosing the held-out rows; None is 0.
    on_progress : callable or None, default=None
        Called as ``on_progress(seconds, error, bound)``, about ten times a second. It may raise
        KeyboardInterrupt: then the search ends, and the best tree found is kept, as on Ctrl-C.
    verbose : bool, default=False
        Whether to show error, bound and gap while the search runs.

    Attributes
    ----------
    tree_ : Tree
        The tree: ``print(reg.tree_.to_text())``.
    error_ : float
        Weighted mean error on all training rows, as `criterion` measures it.
    objective_ : float
        What was minimised: the error plus the price of every leaf.
    lower_bound_ : float
        No tree over these features has a smaller objective. Trees over other features may have one:
        see `features`.
    gap_ : float
        ``objective_ - lower_bound_``; 0 if the tree is proven optimal.
    proven_optimal_ : bool
        Whether it is proven that no tree over these features is better.
        ``search_["all_thresholds"]`` and ``search_["all_level_sets"]`` tell whether these features
        are all that there are.
    below_upper_bound_ : bool or None
        With `upper_bound`: True if the tree is below it; False if it is proven that no tree over
        these features is below it; None if the search was stopped before that was known.
    history_ : SearchHistory
        Columns seconds, error, bound and n_features; ``history_.to_frame()``.
    search_ : dict
        Facts about the search, and why it ended.
    feature_importances_ : ndarray
        Each column's share of the total gain.

    Examples
    --------
    >>> from ramify import OptimalTreeRegressor
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [1.0, 5.0, 5.0, 1.0]
    >>> OptimalTreeRegressor(max_depth=2).fit(X, y).predict(X)
    array([1., 5., 5., 1.])
    """

    PARAMETERS = Parameters(OF_NUMBERS)

    def __init__(
        self,
        *,
        criterion: Literal[
            "squared_error", "absolute_error", "quantile", "poisson", "gamma"
        ] = "squared_error",
        quantile: float = 0.5,
        max_depth: int | None = 3,
        features: Literal["auto", "binary", "mid", "all"] = "auto",
        n_thresholds: int | Literal["grow", "mdl"] = 45,
        start: Any = "greedy",
        upper_bound: float | None = None,
        min_samples_leaf: float = 1,
        sparsity: float = 0.0,
        max_leaves: int | None = None,
        exclude: Sequence[str | int] | None = None,
        skeleton: Any = None,
        monotone: Any = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        validation_fraction: float | None = 0.2,
        unseen: Literal["missing", "majority", "error"] = "missing",
        categorical_features: Any = "from_dtype",
        date_parts: Any = "auto",
        min_level_count: int = 1,
        identifiers: str = "warn",
        n_jobs: int | None = None,
        random_state: Any = None,
        on_progress: Progress | None = None,
        verbose: bool = False,
    ) -> None:
        self.criterion = criterion
        self.quantile = quantile
        self.max_depth = max_depth
        self.features = features
        self.n_thresholds = n_thresholds
        self.start = start
        self.upper_bound = upper_bound
        self.min_samples_leaf = min_samples_leaf
        self.sparsity = sparsity
        self.max_leaves = max_leaves
        self.exclude = exclude
        self.skeleton = skeleton
        self.monotone = monotone
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.validation_fraction = validation_fraction
        self.unseen = unseen
        self.categorical_features = categorical_features
        self.date_parts = date_parts
        self.min_level_count = min_level_count
        self.identifiers = identifiers
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.on_progress = on_progress
        self.verbose = verbose

    @property
    def number_loss(self) -> NumberLoss:
        """The loss that is minimised."""
        return NumberLoss.of_criterion(self.criterion, self.quantile)

    def _for_objective(self, target: Target, settings: dict[str, Any]) -> Target:
        criterion, quantile = settings["criterion"], settings["quantile"]
        if criterion in ("absolute_error", "quantile") and settings["monotone"]:
            raise ValueError(
                f"monotone is proven for means alone, and leaves of criterion={criterion!r} "
                "predict a quantile; choose criterion='squared_error', 'poisson' or 'gamma', or "
                "monotone=None"
            )
        require_targets(criterion, target.y, target.rows)
        return replace(target, measure=NumberLoss.of_criterion(criterion, quantile))

    def _check_near(self, settings: dict[str, Any]) -> None:
        if settings["criterion"] != "squared_error":
            raise ValueError(
                f"near_optimal counts trees of squared error, not of criterion="
                f"{settings['criterion']!r}; choose criterion='squared_error'"
            )

    @property
    def measured(self) -> str:
        """What is minimised, in words."""
        if self.criterion == "squared_error":
            return super().measured
        return f"{self.number_loss.mean_name} in training"
