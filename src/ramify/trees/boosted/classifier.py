"""Boosted trees: the sum of many small best-first trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.learning.declared import for_core
from ramify.learning.folds import deal, hold_out_of_each_class
from ramify.learning.model import saved_since
from ramify.learning.progress import progress
from ramify.learning.target import Target
from ramify.learning.weights import class_weights, times_class_weights
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.tree.as_dict import read_classes
from ramify.trees.boosted.algorithms import ALGORITHMS, Algorithm, Codes, Floats, settled
from ramify.trees.boosted.leaves import LeavesByFolds, Size, cross_validate
from ramify.trees.boosted.parameters import PARAMETERS, check_together
from ramify.trees.boosted.predict import BoostedModel
from ramify.trees.boosted.rounds import BoostedRows, RoundRules, Rounds, Term, boost
from ramify.trees.boosted.state import read_boosting, write_boosting
from ramify.trees.single.importance import counts_rows


@saved_since(4)
class BoostedTreesClassifier(ClassifierMixin, BoostedModel):  # type: ignore[misc]
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
        Where rows with a missing value go: down all branches in proportion, to a branch of their
        own, or to the branch that was better in training.
    missing_gain : {"known", "divided"}, default="known"
        "fractional": what a split gains where rows lack the attribute. It is scored on the known
        rows, or on all rows, those with holes divided among its branches first.
    missing_count : {"parts", "pieces"}, default="parts"
        "fractional": what a divided row counts for in `min_samples_split` and `min_samples_leaf`:
        its part, or one in every branch.
    unseen : {"missing", "majority", "error"}, default="missing"
        What a level does that was not seen in training.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Columns to take as nominal, beside those whose type says so.
    time_limit : float or None, default=None
        Seconds after which no other round is begun; the first always is made. At most half of them
        go to the cross-validation of `max_leaves`; folds that are not finished by then do not
        count, which a warning tells.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all. The result is the same for any number.
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

    PARAMETERS = PARAMETERS
    _fitted = "estimators_"
    state_entries = ("schema", "classes", "boosting")
    exported_instead = "each of its estimators_"

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

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Validate what can be validated without data; give what the parameters mean, by name."""
        settings = super().check_parameters(**instead)
        check_together(settings)
        return settings

    def _read_target(self, y: Any, sample_weight: Any, n_rows: int) -> Target:
        # Without the weights of the classes, which every fold has its own of.
        return Target.of_classes(y, n_rows, type(self).__name__, sample_weight=sample_weight)

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        assert target.classes is not None
        given = target.row_weights()
        weights = self._weights(given, target)
        sizes: tuple[Size, ...] = settings["max_leaves"]
        chosen, path = sizes[0], None
        if target.n_classes == 1:
            rounds = Rounds(stopped="one_class")
        else:
            boosting = _Boosting(self, table, target, settings)
            if len(sizes) > 1:
                path = boosting.size_errors(sizes, given, weights)
                chosen = sizes[0] if path is None else path.best()
            with progress("boosting", settings["n_rounds"], shown=settings["verbose"]) as on_round:
                rounds = boosting.run(
                    weights, table.n_rows, chosen, settings["time_limit"], on_round
                )
        self.take_over(
            [_tree(term, table.schema, target, settings["unseen"]) for term in rounds.terms],
            np.array([term.weight for term in rounds.terms]),
            table.schema,
            target.classes,
            algorithm=settings["algorithm"],
            z_max=settings["z_max"],
            unseen=settings["unseen"],
        )
        self.take_over_size(chosen, None if path is None else path.to_dict())
        self.train_score_ = np.array(rounds.train_loss)
        if rounds.held_out_loss:
            self.validation_score_ = np.array(rounds.held_out_loss)
        elif hasattr(self, "validation_score_"):
            del self.validation_score_
        self.stopped_ = rounds.stopped

    def to_state(self) -> dict[str, Any]:
        """Give what a fit has learned, as entries of a model file."""
        return write_boosting(self)

    def from_state(self, state: dict[str, Any]) -> None:
        """Take over what a fit had learned; a ValueError names the entry that is wrong."""
        schema, classes = Schema.from_dict(state["schema"]), read_classes(state["classes"])
        read_boosting(state["boosting"], self, schema, classes)

    def _weights(self, given: Floats, target: Target) -> Floats:
        """Give the weights of the rows, those of their classes included."""
        assert target.classes is not None
        by_class = class_weights(self.class_weight, target.classes, target.y, given)
        weights = times_class_weights(given, by_class, target.y)
        assert weights is not None
        return weights


class _Boosting:
    """One fit: the table, encoded once, and rounds on it."""

    def __init__(
        self,
        owner: BoostedTreesClassifier,
        table: Table,
        target: Target,
        settings: dict[str, Any],
    ) -> None:
        self.owner, self.target, self.settings = owner, target, settings
        self.core, self.cells = table.core(settings["n_jobs"]), table.cells
        self.algorithm: Algorithm = ALGORITHMS[settings["algorithm"]](
            target.n_classes, settings["z_max"]
        )

    def size_errors(
        self, sizes: tuple[Size, ...], given: Floats, weights: Floats
    ) -> LeavesByFolds | None:
        """Cross-validate the number of leaves; None if there was no time for it."""
        settings, codes = self.settings, self.target.y
        rows = np.flatnonzero(weights > 0)
        folds = deal(codes, rows, settings["folds"], settings["random_state"], by_class=True)

        def predict(train: NDArray[np.bool_], size: Size, clock: Clock) -> Codes:
            own = self.owner._weights(np.where(train, given, 0.0), self.target)
            scores = self.run(own, int(np.count_nonzero(train)), size, clock, None).scores
            if scores is None:  # no round was of use
                return np.zeros(len(train), dtype=np.int32)
            labels: Codes = settled(scores).argmax(axis=1).astype(np.int32)
            return labels

        limit = settings["time_limit"].limit
        n_fits = len(sizes) * (int(folds.max()) + 1)
        with progress("number of leaves", n_fits, shown=settings["verbose"]) as on_progress:
            return cross_validate(
                sizes,
                folds,
                codes,
                weights,
                predict,
                time_limit=limit / 2,
                on_progress=on_progress,
            )

    def run(
        self,
        weights: Floats,
        n_rows: int,
        max_leaves: Size,
        clock: Clock,
        on_round: Callable[[int], None] | None,
    ) -> Rounds:
        """Make the rounds on the rows that have a weight, so many."""
        growth = self._growth(n_rows, max_leaves)
        rules = RoundRules(
            n_rounds=self.settings["n_rounds"],
            learning_rate=self.settings["learning_rate"],
            weight_trimming=self.settings["weight_trimming"],
            n_iter_no_change=self.settings["n_iter_no_change"],
            tol=self.settings["tol"],
            unseen=self.settings["unseen"],
            threads=self.settings["n_jobs"],
            clock=clock,
        )
        return boost(self.algorithm, growth, self._rows(weights), rules, on_round)

    def _rows(self, weights: Floats) -> BoostedRows:
        """Hold out rows if they are asked for."""
        codes, patience = self.target.y, self.settings["n_iter_no_change"]
        if patience is None:
            return BoostedRows(self.cells, codes, weights, None)
        fraction, some = self.settings["validation_fraction"], np.flatnonzero(weights > 0)
        seed = self.settings["random_state"]
        held_out = hold_out_of_each_class(codes, some, fraction, seed)[1]
        if not len(held_out):
            raise ValueError(
                f"n_iter_no_change={self.owner.n_iter_no_change!r} needs a class with two rows, "
                f"one of them to be held out; X has {len(codes)} rows and {len(np.unique(codes))} "
                "classes. Give more rows, or n_iter_no_change=None"
            )
        marked = np.zeros(len(codes), dtype=np.bool_)
        marked[held_out] = True
        return BoostedRows(
            self.cells, codes, np.where(marked, 0.0, weights), np.where(marked, weights, 0.0)
        )

    def _growth(self, n_rows: int, max_leaves: Size) -> _core.Regrowth:
        """Give what all trees are grown by."""
        settings = self.settings
        criterion, split = settings["criterion"], settings["categorical_split"]
        told = for_core(settings, PARAMETERS, n_rows) | {
            "growth": "best_first",
            "weigh_gains": not counts_rows(criterion),
            "max_leaves": check.limit("max_leaves", max_leaves, least=2),
        }
        if self.algorithm.of_classes:
            problem = _core.classification_problem(
                self.core,
                self.target.y,
                self.algorithm.n_classes,
                None,
                "gini" if criterion == "auto" else criterion,
                split,
                0.0,
                None,
                told,
            )
        else:
            told["exact_levels"] = split == "exact"
            nothing = np.zeros(len(self.target.y))
            problem = _core.regression_problem(
                self.core, nothing, None, "squared_error", split == "multiway", told
            )
        return _core.Regrowth(problem)


def _tree(term: Term, schema: Schema, target: Target, unseen: str) -> Tree:
    """Wrap a tree of the core; one of numbers is named after the class that it is for."""
    assert target.classes is not None
    if term.core.task == "classification":
        return target.tree(term.core, schema, unseen=unseen)
    label = target.classes[1] if target.n_classes == 2 else target.classes[term.first]
    name = f"score of {target.name} = {label}"
    return Tree(term.core, schema, task="regression", target=name, unseen=unseen)
