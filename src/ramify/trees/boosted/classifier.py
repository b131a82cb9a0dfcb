"""Boosted trees: the sum of many small best-first trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.learning.folds import deal, hold_out_of_each_class
from ramify.learning.labels import class_codes, target_name
from ramify.learning.model import TableModel
from ramify.learning.progress import progress
from ramify.tables import Schema, read_table
from ramify.tables.core import as_core, core_table
from ramify.tree import Tree
from ramify.trees.boosted.algorithms import ALGORITHMS, Algorithm, Codes, Floats, settled
from ramify.trees.boosted.criterion import check_criterion
from ramify.trees.boosted.leaves import LeavesByFolds, Size, cross_validate, read_sizes
from ramify.trees.boosted.predict import PredictsBoosted
from ramify.trees.boosted.rounds import Rounds, Rows, Settings, boost
from ramify.trees.greedy.classifier import CATEGORICAL_SPLITS
from ramify.trees.greedy.regressor import CATEGORICAL_SPLITS as NUMBER_SPLITS
from ramify.trees.single.base import UNSEEN, missing_rules
from ramify.trees.single.importance import counts_rows


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """What all rounds are made of: the table, to grow on and to predict, and its classes."""

    core: Any
    cells: Any
    codes: Codes
    algorithm: Algorithm
    seed: int


class BoostedTreesClassifier(ClassifierMixin, PredictsBoosted, TableModel):  # type: ignore[misc]
    """Boosted trees for classes: small best-first trees, each grown where the sum so far errs.

    The four algorithms of Friedman, Hastie and Tibshirani (2000). The table is encoded once; every
    tree is grown on it with new weights, so a round costs what its tree costs. Nominal columns and
    missing values are used as they are.

    Parameters
    ----------
    algorithm : {"logit", "gentle", "real", "discrete"}, default="logit"
        "logit" (LogitBoost) makes the log-likelihood large by Newton steps; its probabilities are
        the best of the four. "gentle" (Gentle AdaBoost) makes Newton steps on the exponential
        loss, "real" (Real AdaBoost) adds half the log-odds of the leaves, "discrete" (AdaBoost.M1)
        lets trees vote. With K > 2 classes a round of "logit" and "gentle" has K regression trees;
        "real" and "discrete" have one tree of all classes (SAMME.R and SAMME).
    n_rounds : int, default=200
        Rounds of boosting.
    learning_rate : float, default=0.3
        What every round is multiplied by, above 0 and at most 1. Smaller needs more rounds, and
        often errs less.
    criterion : str or callable, default="auto"
        How well a split of a tree separates the classes, as in :class:`TreeClassifier`, for "real"
        and "discrete", whose trees are of classes; "auto" is "gini". The trees of "logit" and
        "gentle" are least squares fits of numbers: "auto" and "squared_error", nothing else.
    max_leaves : int, None, "cv" or list, default=8
        Leaves of a tree, grown best first: two make stumps, which add up the columns' effects one
        by one; a tree of L leaves lets up to L - 1 columns act together. Of a list, the number of
        least cross-validated error is taken, the smallest of equals; "cv" is the list 2, 4, 8, 16,
        32. None: no limit.
    folds : int, default=5
        Folds of that cross-validation, dealt class by class.
    max_depth : int or None, default=None
        Most conditions on a path.
    min_samples_leaf : int or float, default=1
        Rows that a leaf must have; below 1, a fraction of all rows.
    z_max : float, default=4.0
        Largest working response of "logit", and largest half log-odds of a leaf of "real". The
        paper advises 2 to 4.
    weight_trimming : float, default=0.0
        Share of all weight that is left out of a tree, rows of least influence first; 0.1 makes
        late rounds faster and seldom changes the error.
    n_iter_no_change : int or None, default=None
        Stop when so many rounds in a row have not lowered the loss of held-out rows, and keep the
        rounds up to the best. None: all rounds are made, on all rows.
    validation_fraction : float, default=0.1
        Fraction of the rows held out of every class, if `n_iter_no_change` is given.
    tol : float, default=1e-7
        A loss must fall by more than this to count as lower.
    categorical_split : str, default="auto"
        How the levels of a nominal column are divided, as in :class:`TreeClassifier` for "real"
        and "discrete"; "auto", "exact" or "multiway" for the regression trees of the others.
    missing : {"fractional", "separate", "direction"}, default="fractional"
        What a row does whose value is missing: it is divided among the branches, has a branch of
        its own, or takes the branch that was better in training.
    missing_gain : {"known", "divided"}, default="known"
        "fractional": whether a split is scored on the rows whose value is known, or on all, those
        with holes divided among its branches first, as in :class:`TreeClassifier`.
    missing_count : {"parts", "pieces"}, default="parts"
        "fractional": whether a divided row counts by its part in `min_samples_leaf`, or one in
        every branch.
    unseen : {"missing", "majority", "error"}, default="missing"
        What a level does that was not seen in training.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Columns that are nominal whatever their dtype.
    time_limit : float or None, default=None
        Seconds after which no other round is begun; the first always is made. At most half of them
        go to the cross-validation of `max_leaves`; folds that are not finished by then do not
        count, which a warning tells.
    n_jobs : int or None, default=None
        Threads; the result does not depend on them.
    random_state : int, random generator or None, default=None
        Seed of folds, of the rows that are held out, and of searches for nominal splits that draw.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray
    estimators_ : list of Tree
        The trees, round by round; with K > 2 classes "logit" and "gentle" have K in a row, one for
        each class.
    estimator_weights_ : ndarray
        What the answer of each tree is multiplied by.
    n_rounds_ : int
        Rounds that are used.
    max_leaves_ : int or None
        The leaves that a tree may have, given or chosen.
    max_leaves_path_ : dict
        What it was chosen by, only if there was a choice: lists or arrays "max_leaves", "error"
        (the share of held-out rows that is wrong) and "standard_error".
    train_score_ : ndarray
        The mean loss of the training rows after every round that was made: the negative
        log-likelihood of "logit", the exponential loss of the others.
    validation_score_ : ndarray
        The same of the held-out rows; only with `n_iter_no_change`.
    stopped_ : str
        Why there are no more rounds: "n_rounds" (all were made), "early" (held-out rows),
        "time_limit", "perfect" (a tree of "discrete" errs nowhere), "chance" (one is no better
        than chance, and not used), "no_change" (a round changed nothing) or "one_class".
    feature_importances_ : ndarray

    See Also
    --------
    TreeClassifier : A single tree, to be read.

    References
    ----------
    Friedman, Hastie and Tibshirani, "Additive logistic regression: a statistical view of boosting",
    Annals of Statistics 28 (2000).

    Examples
    --------
    >>> from ramify import BoostedTreesClassifier
    >>> from ramify.datasets import load_titanic
    >>> titanic = load_titanic()
    >>> clf = BoostedTreesClassifier(n_rounds=20).fit(titanic.data, titanic.y)
    >>> clf.n_rounds_, len(clf.estimators_), clf.estimators_[0].n_leaves
    (20, 20, 8)
    >>> bool(clf.score(titanic.data, titanic.y) > 0.78)
    True
    """

    _fitted = "estimators_"

    def __init__(
        self,
        *,
        algorithm: Literal["logit", "gentle", "real", "discrete"] = "logit",
        n_rounds: int = 200,
        learning_rate: float = 0.3,
        criterion: str | Callable[[Floats], float] = "auto",
        max_leaves: Any = 8,
        folds: int = 5,
        max_depth: int | None = None,
        min_samples_leaf: float = 1,
        z_max: float = 4.0,
        weight_trimming: float = 0.0,
        n_iter_no_change: int | None = None,
        validation_fraction: float = 0.1,
        tol: float = 1e-7,
        categorical_split: str = "auto",
        missing: Literal["fractional", "separate", "direction"] = "fractional",
        missing_gain: Literal["known", "divided"] = "known",
        missing_count: Literal["parts", "pieces"] = "parts",
        unseen: Literal["missing", "majority", "error"] = "missing",
        class_weight: dict[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.algorithm = algorithm
        self.n_rounds = n_rounds
        self.learning_rate = learning_rate
        self.criterion = criterion
        self.max_leaves = max_leaves
        self.folds = folds
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.z_max = z_max
        self.weight_trimming = weight_trimming
        self.n_iter_no_change = n_iter_no_change
        self.validation_fraction = validation_fraction
        self.tol = tol
        self.categorical_split = categorical_split
        self.missing = missing
        self.missing_gain = missing_gain
        self.missing_count = missing_count
        self.unseen = unseen
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    # --- parameters -----------------------------------------------------------------------

    def _check_parameters(self) -> None:
        """Validate what can be validated without data."""
        check.choice("algorithm", self.algorithm, tuple(ALGORITHMS))
        splits = CATEGORICAL_SPLITS if ALGORITHMS[self.algorithm].of_classes else NUMBER_SPLITS
        check.choice("categorical_split", self.categorical_split, splits)
        check_criterion(self.criterion, self.algorithm)
        sizes = read_sizes(self.max_leaves)
        check.folds(self.folds)
        if not check.number("z_max", self.z_max, least=0.0) > 0:
            raise ValueError(f"z_max={self.z_max!r} must be a number above 0")
        check.fraction("validation_fraction", self.validation_fraction)
        check.boolean("verbose", self.verbose)
        self._settings()
        self._grow_parameters(1, sizes[0])

    def _settings(self) -> Settings:
        patience = self.n_iter_no_change
        return Settings(
            n_rounds=check.whole("n_rounds", self.n_rounds, least=1),
            learning_rate=check.probability("learning_rate", self.learning_rate),
            weight_trimming=check.fraction("weight_trimming", self.weight_trimming, zero=True),
            n_iter_no_change=None
            if patience is None
            else check.limit("n_iter_no_change", patience, least=1),
            tol=check.number("tol", self.tol, least=0.0),
            unseen=check.choice("unseen", self.unseen, UNSEEN),
            threads=check.threads(self.n_jobs),
            clock=Clock(check.time_limit(self.time_limit)),
        )

    def _grow_parameters(self, n_rows: int, max_leaves: Size) -> dict[str, Any]:
        """Give the parameters of the trees as the core takes them."""
        return {
            "growth": "best_first",
            "weigh_gains": not counts_rows(self.criterion),
            **missing_rules(self.missing, self.missing_gain, self.missing_count),
            "max_leaves": check.limit("max_leaves", max_leaves, least=2),
            "max_depth": check.limit("max_depth", self.max_depth, least=1),
            "min_samples_leaf": check.rows(
                "min_samples_leaf", self.min_samples_leaf, n_rows, least=1
            ),
            "threads": check.threads(self.n_jobs),
        }

    # --- fitting --------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BoostedTreesClassifier:
        """Grow the trees.

        Parameters
        ----------
        X : table
            Any dataframe narwhals reads (pandas, polars, pyarrow), array, list of rows, or dict of
            columns. Missing cells are welcome.
        y : array-like
            The class of every row; numbers, strings or bools.
        sample_weight : array-like or None
            Weights of the rows; a weight of 2 equals a repeated row.

        Returns
        -------
        BoostedTreesClassifier
            The estimator itself.
        """
        self._check_parameters()
        settings = self._settings()  # its clock runs from here
        schema, columns = read_table(X, categorical_features=self.categorical_features)
        classes, codes = class_codes(y, columns.n_rows, type(self).__name__)
        given = check.sample_weights(sample_weight, columns.n_rows)
        if given is None:
            given = np.ones(columns.n_rows)
        weights = self._weights(given, classes, codes)
        sizes = read_sizes(self.max_leaves)
        chosen, path = sizes[0], None
        if len(classes) == 1:
            rounds = Rounds(stopped="one_class")
        else:
            table = EncodedTable(
                core_table(columns, schema, settings.threads),
                as_core(columns),
                codes,
                ALGORITHMS[self.algorithm](len(classes), float(self.z_max)),
                check.seed(self.random_state),
            )
            if len(sizes) > 1:
                path = self._size_errors(table, sizes, given, classes, weights, settings)
                chosen = sizes[0] if path is None else path.best()
            with progress("boosting", settings.n_rounds, shown=self.verbose) as on_round:
                rounds = self._boost(table, weights, columns.n_rows, chosen, settings, on_round)
        self._remember(
            [
                self._tree(term.core, schema, classes, term.first, target_name(y))
                for term in rounds.terms
            ],
            np.array([term.weight for term in rounds.terms]),
            schema,
            classes,
            algorithm=self.algorithm,
            z_max=float(self.z_max),
            unseen=self.unseen,
        )
        self._remember_size(chosen, None if path is None else path.to_dict())
        self.train_score_ = np.array(rounds.train_loss)
        if rounds.held_out_loss:
            self.validation_score_ = np.array(rounds.held_out_loss)
        elif hasattr(self, "validation_score_"):
            del self.validation_score_
        self.stopped_ = rounds.stopped
        return self

    def _weights(self, given: Floats, classes: NDArray[Any], codes: Codes) -> Floats:
        """Give the weights of the rows, those of their classes included."""
        by_class = check.class_weights(self.class_weight, classes, codes, given)
        weights = check.times_class_weights(given, by_class, codes)
        assert weights is not None
        return weights

    def _size_errors(
        self,
        table: EncodedTable,
        sizes: tuple[Size, ...],
        given: Floats,
        classes: NDArray[Any],
        weights: Floats,
        settings: Settings,
    ) -> LeavesByFolds | None:
        """Cross-validate the number of leaves; None if there was no time for it."""
        rows = np.flatnonzero(weights > 0)
        folds = deal(table.codes, rows, int(self.folds), table.seed, by_class=True)

        def predict(train: NDArray[np.bool_], size: Size, clock: Clock) -> Codes:
            own = self._weights(np.where(train, given, 0.0), classes, table.codes)
            asked = replace(settings, clock=clock)
            count = int(np.count_nonzero(train))
            scores = self._boost(table, own, count, size, asked, None).scores
            if scores is None:  # no round was of use
                return np.zeros(len(train), dtype=np.int32)
            labels: Codes = settled(scores).argmax(axis=1).astype(np.int32)
            return labels

        limit = check.time_limit(self.time_limit)
        n_fits = len(sizes) * (int(folds.max()) + 1)
        with progress("number of leaves", n_fits, shown=self.verbose) as on_progress:
            return cross_validate(
                sizes,
                folds,
                table.codes,
                weights,
                predict,
                time_limit=None if limit is None else limit / 2,
                on_progress=on_progress,
            )

    def _boost(
        self,
        table: EncodedTable,
        weights: Floats,
        n_rows: int,
        max_leaves: Size,
        settings: Settings,
        on_round: Callable[[int], None] | None,
    ) -> Rounds:
        """Make the rounds on the rows that have a weight, so many."""
        rows = self._rows(table, weights)
        growth = self._growth(table, n_rows, max_leaves)
        return boost(table.algorithm, growth, rows, settings, on_round)

    def _rows(self, table: EncodedTable, weights: Floats) -> Rows:
        """Hold out rows if they are asked for."""
        codes = table.codes
        if self.n_iter_no_change is None:
            return Rows(table.cells, codes, weights, None)
        fraction, some = float(self.validation_fraction), np.flatnonzero(weights > 0)
        held_out = hold_out_of_each_class(codes, some, fraction, table.seed)[1]
        if not len(held_out):
            raise ValueError(
                f"n_iter_no_change={self.n_iter_no_change!r} needs a class with two rows, one of "
                f"them to be held out; X has {len(codes)} rows and {len(np.unique(codes))} "
                "classes. Give more rows, or n_iter_no_change=None"
            )
        marked = np.zeros(len(codes), dtype=np.bool_)
        marked[held_out] = True
        return Rows(
            table.cells, codes, np.where(marked, 0.0, weights), np.where(marked, weights, 0.0)
        )

    def _growth(self, table: EncodedTable, n_rows: int, max_leaves: Size) -> _core.Regrowth:
        """Pose the problem of all trees."""
        parameters = self._grow_parameters(n_rows, max_leaves) | {"seed": table.seed}
        if table.algorithm.of_classes:
            problem = _core.classification_problem(
                table.core,
                table.codes,
                table.algorithm.n_classes,
                None,
                "gini" if self.criterion == "auto" else self.criterion,
                self.categorical_split,
                0.0,
                None,
                parameters,
            )
        else:
            multiway = self.categorical_split == "multiway"
            parameters["exact_levels"] = self.categorical_split == "exact"
            problem = _core.regression_problem(
                table.core, np.zeros(len(table.codes)), None, "squared_error", multiway, parameters
            )
        return _core.Regrowth(problem)

    def _tree(
        self, core: _core.Tree, schema: Schema, classes: NDArray[Any], first: int, target: str
    ) -> Tree:
        """Wrap a tree of the core; one of numbers is named after the class that it is for."""
        if core.task == "classification":
            return Tree(
                core,
                schema,
                task="classification",
                classes=classes,
                target=target,
                unseen=self.unseen,
            )
        label = classes[1] if len(classes) == 2 else classes[first]
        name = f"score of {target} = {label}"
        return Tree(core, schema, task="regression", target=name, unseen=self.unseen)
