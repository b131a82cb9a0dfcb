"""The classifier of boosted trees: a sum of many small best-first trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from ramify.learning.declared import Parameters
from ramify.learning.model import Classifier, saved_since
from ramify.learning.target import Target
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.tree.as_dict import read_classes
from ramify.trees.boosted.algorithms import Floats
from ramify.trees.boosted.fit import BoostingFit
from ramify.trees.boosted.leaves import Size
from ramify.trees.boosted.parameters import PARAMETERS, check_together
from ramify.trees.boosted.predict import BoostedModel
from ramify.trees.boosted.rounds import Rounds, Term
from ramify.trees.boosted.state import read_boosting, write_boosting


@saved_since(4)
class BoostedTreesClassifier(Classifier, BoostedModel):
    """Boosted trees for classes: each small best-first tree corrects the sum of those before it.

    There are the four algorithms of Friedman, Hastie and Tibshirani (2000). The table is encoded
    once, and every tree is grown on it with new weights, so a round costs what its trees cost.
    Nominal columns and missing values are used as they are.

    Parameters
    ----------
    algorithm : {"logit", "gentle", "real", "discrete"}, default="logit"
        "logit" (LogitBoost) maximises the log-likelihood by Newton steps; its probabilities are
        the best of the four. "gentle" (Gentle AdaBoost) takes Newton steps on the exponential
        loss. "real" (Real AdaBoost) adds half the log-odds of the leaves. "discrete" (AdaBoost.M1)
        lets trees vote. With K > 2 classes, a round of "logit" or "gentle" has K regression trees;
        a round of "real" or "discrete" has one tree for all classes (SAMME.R and SAMME).
    n_rounds : int, default=200
        Number of rounds.
    learning_rate : float, default=0.3
        Factor of every round, above 0 and at most 1. A smaller rate needs more rounds, and often
        gives a smaller error.
    criterion : str or callable, default="auto"
        How well a split of a tree separates the classes. "real" and "discrete" have trees of
        classes and take the criteria of :class:`TreeClassifier`; "auto" is "gini". "logit" and
        "gentle" have regression trees and take only "auto" and "squared_error", which are the same.
    max_leaves : int, None, "cv" or list, default=8
        Largest number of leaves of a tree. Trees grow best first. Trees of two leaves (stumps) add
        up the effects of single columns; a tree of L leaves lets up to L - 1 columns act together.
        From a list, cross-validation chooses the number of least error, the smallest if several
        tie. "cv" is the list 2, 4, 8, 16, 32. None is no limit.
    folds : int, default=5
        Folds of the cross-validation of `max_leaves`; classes are spread evenly over them.
    max_depth : int or None, default=None
        Largest depth of a tree; None is no limit.
    min_samples_leaf : int or float, default=1
        Rows that every leaf needs; a number below 1 is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Share of the weight of all rows that every leaf needs. It is that of the weights of the
        round. At most 0.5.
    monotone : dict, array-like or None, default=None
        Columns that the prediction never falls (1) or never rises (-1) with. The prediction is
        the probability of the second class, or of the class that is named:
        ``{"age": (1, "late")}``. Only for two classes; see :class:`TreeClassifier`.
    z_max : float, default=4.0
        Largest working response of "logit", and largest half log-odds of a leaf of "real". The
        paper advises 2 to 4.
    weight_trimming : float, default=0.0
        Share of all weight that is left out of a tree, least influential rows first. 0.1 makes
        late rounds faster and seldom changes the error.
    n_iter_no_change : int or None, default=None
        Stop after this many rounds without a lower loss on held-out rows, and keep the rounds up
        to the best. None makes all rounds, on all rows.
    validation_fraction : float, default=0.1
        Fraction of the rows of each class to hold out if `n_iter_no_change` is given.
    tol : float, default=1e-7
        A loss counts as lower only if it fell by more than this.
    categorical_split : str, default="auto"
        How the levels of a nominal column are divided. "real" and "discrete" take the choices of
        :class:`TreeClassifier`; "logit" and "gentle" take "auto", "exact" and "multiway".
    interactions : list of list of str or int, or None, default=None
        Groups of columns that may meet on a path. The columns that a path from the root to a leaf
        of a tree splits on all lie in one group. A column may be in several groups. Columns that
        are in no group form one more group. None lets all columns meet.
    missing : {"fractional", "separate", "direction"}, default="fractional"
        Where rows with a missing value go: down all branches in proportion, to a branch of their
        own, or to the branch that was better in training.
    missing_gain : {"known", "divided"}, default="known"
        "fractional": how a split is scored if rows lack the attribute. "known": on the known rows.
        "divided": on all rows, after those with missing values are divided among its branches.
    missing_count : {"parts", "pieces"}, default="parts"
        "fractional": what a divided row counts for in `min_samples_split` and `min_samples_leaf`:
        its part, or one in every branch.
    unseen : {"missing", "majority", "error"}, default="missing"
        What becomes of a level that was not seen in training.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Columns to take as nominal, besides those whose type says so.
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
    time_limit : float or None, default=None
        Seconds after which no new round begins; the first round is always made. The
        cross-validation of `max_leaves` gets at most half of them. Folds that are not finished by
        then do not count, and a warning says so.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 is all. The result is the same for any number.
    random_state : int, random generator or None, default=None
        Seed of folds, held-out rows and randomised searches for nominal splits.
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    estimators_ : list of Tree
        The trees, round by round. With K > 2 classes, each round of "logit" and "gentle" has K
        trees, one per class.
    estimator_weights_ : ndarray
        The weight of each tree.
    n_rounds_ : int
        Number of rounds that are kept.
    max_leaves_ : int or None
        The largest number of leaves of a tree, given or chosen.
    max_leaves_path_ : dict
        Errors of the sizes, only if one was chosen by cross-validation: lists or arrays
        "max_leaves", "error" (the share of held-out rows that is wrong) and "standard_error".
    train_score_ : ndarray
        The mean loss of the training rows after each round: the negative log-likelihood for
        "logit", the exponential loss for the others.
    validation_score_ : ndarray
        The mean loss of the held-out rows after each round; only with `n_iter_no_change`.
    stopped_ : str
        Why boosting stopped: "n_rounds" (all rounds were made), "early" (the loss on held-out rows
        did not fall), "time_limit", "perfect" (a tree of "discrete" made no error), "chance" (a
        tree was no better than chance; it is not used), "no_change" (a round changed nothing) or
        "one_class".
    feature_importances_ : ndarray
        Each column's share of the weighted gains of all trees.

    See Also
    --------
    TreeClassifier : A single tree that can be read.

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

    PARAMETERS = Parameters(PARAMETERS)
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
        min_weight_fraction_leaf: float = 0.0,
        monotone: Any = None,
        z_max: float = 4.0,
        weight_trimming: float = 0.0,
        n_iter_no_change: int | None = None,
        validation_fraction: float = 0.1,
        tol: float = 1e-7,
        categorical_split: str = "auto",
        interactions: Sequence[Sequence[str | int]] | None = None,
        missing: Literal["fractional", "separate", "direction"] = "fractional",
        missing_gain: Literal["known", "divided"] = "known",
        missing_count: Literal["parts", "pieces"] = "parts",
        unseen: Literal["missing", "majority", "error"] = "missing",
        class_weight: dict[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
        date_parts: Any = "auto",
        min_level_count: int = 1,
        identifiers: str = "warn",
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
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.monotone = monotone
        self.z_max = z_max
        self.weight_trimming = weight_trimming
        self.n_iter_no_change = n_iter_no_change
        self.validation_fraction = validation_fraction
        self.tol = tol
        self.categorical_split = categorical_split
        self.interactions = interactions
        self.missing = missing
        self.missing_gain = missing_gain
        self.missing_count = missing_count
        self.unseen = unseen
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.date_parts = date_parts
        self.min_level_count = min_level_count
        self.identifiers = identifiers
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check what can be checked without data; give the values that were read, by name."""
        settings = super().check_parameters(**instead)
        check_together(settings)
        return settings

    def _read_target(self, y: Any, sample_weight: Any, n_rows: int) -> Target:
        # Class weights come later: each fold computes its own.
        return Target.of_classes(y, n_rows, type(self).__name__, sample_weight=sample_weight)

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        assert target.classes is not None
        sizes: tuple[Size, ...] = settings["max_leaves"]
        chosen, path = sizes[0], None
        boosting = BoostingFit(table, target, settings)
        if target.n_classes == 1:
            rounds = Rounds(stopped="one_class")
        else:
            if len(sizes) > 1:
                path = boosting.size_errors(sizes)
                chosen = sizes[0] if path is None else path.best()
            rounds = boosting.run(chosen)
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
        """Give the fitted state as entries of a model file."""
        return write_boosting(self)

    def from_state(self, state: dict[str, Any]) -> None:
        """Set the fitted state from a model file; a ValueError names the entry that is wrong."""
        schema, classes = Schema.from_dict(state["schema"]), read_classes(state["classes"])
        read_boosting(state["boosting"], self, schema, classes)


def _tree(term: Term, schema: Schema, target: Target, unseen: str) -> Tree:
    """Wrap a tree of the core. The target of a regression tree is named after its class."""
    assert target.classes is not None
    if term.core.task == "classification":
        return target.tree(term.core, schema, unseen=unseen)
    label = target.classes[1] if target.n_classes == 2 else target.classes[term.first]
    name = f"score of {target.name} = {label}"
    return Tree(term.core, schema, task="regression", target=name, unseen=unseen)
