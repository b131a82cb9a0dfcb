"""Predicting rows that a learner has not seen: cross-validation, a held-out part, a test table."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from ramify.learning.folds import RowIndices, first_fold, k_fold
from ramify.learning.held_out.held_out import HeldOut
from ramify.learning.labels import class_codes, numbers
from ramify.learning.measures.answers import ABSTAINS, Floats
from ramify.learning.measures.measure import CLASSIFICATION, REGRESSION
from ramify.learning.weights import cost_matrix, sample_weights
from ramify.tables.rows import n_rows_of, take_rows

#: Above this many rows, one fifth is held out in place of ten folds: the score is precise enough,
#: and ten fits would take long.
MANY_ROWS = 50_000
_FOLDS, _PART = 10, 5

Take = Callable[[Any, NDArray[Any]], Any]


def cross_predict(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    folds: int | None = None,
    seed: int = 0,
    take: Take = take_rows,
    progress: Callable[[float], Any] | None = None,
) -> HeldOut | None:
    """Predict every row by a learner that has not seen it: cross-validation.

    Parameters
    ----------
    estimator : estimator
        Any estimator of scikit-learn's kind; it is cloned.
    X : table
        A frame, an array, or a dict of columns.
    y : array-like
        The target: classes of any type, or numbers.
    sample_weight : array-like or None
        Weights of the rows, in fits and in scores.
    folds : int or None
        How many; None means 10, and fewer if the largest class has fewer rows.
    seed : int
        Seed of the folds. They are stratified by class.
    take : callable
        Gives some rows of X.
    progress : callable or None
        Called with the part that is done, 0 to 1.

    Returns
    -------
    HeldOut or None
        None if there are too few rows.
    """
    truth = _Truth.read(estimator, y, n_rows_of(X), sample_weight)
    wanted = min(_FOLDS if folds is None else folds, truth.most_folds)
    if wanted < 2:
        return None
    parts = k_fold(truth.y, wanted, seed, by_class=truth.classes is not None)
    gathered = _Gathered(truth)
    heard = _Warnings()
    for done, (train, test) in enumerate(parts, start=1):
        with heard:
            fold = truth.fit(clone(estimator), take(X, train), train)
            gathered.add(fold, take(X, test), train, test)
        if progress is not None:
            progress(done / len(parts))
    heard.pass_on(len(parts))
    return gathered.held_out(f"{len(parts)}-fold cross-validation")


def hold_out(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    seed: int = 0,
    take: Take = take_rows,
    fit: Callable[..., Any] | None = None,
) -> tuple[Any, HeldOut]:
    """Fit an estimator to four fifths of the rows, and predict the other fifth.

    Parameters
    ----------
    estimator : estimator
        It is fitted, not a copy of it.
    X, y, sample_weight, seed, take
        As in :func:`cross_predict`.
    fit : callable or None
        Called with the estimator, X and y in place of its `fit`, to show progress.

    Returns
    -------
    tuple of estimator and HeldOut
        The fitted estimator, and its predictions of the rows that it has not seen.

    Examples
    --------
    >>> import numpy as np
    >>> from ramify import TreeRegressor
    >>> from ramify.learning.held_out import hold_out
    >>> x = np.arange(100.0)
    >>> tree, found = hold_out(TreeRegressor(max_depth=4), x[:, None], x)
    >>> found
    <HeldOut: 20 rows, a fifth of the rows, held out, R2 0.994 ± 0.002>
    """
    truth = _Truth.read(estimator, y, n_rows_of(X), sample_weight)
    train, test = truth.divide(seed)
    estimator = truth.fit(estimator, take(X, train), train, fit)
    gathered = _Gathered(truth)
    gathered.add(estimator, take(X, test), train, test)
    return estimator, gathered.held_out("a fifth of the rows, held out")


def hold_out_rows(estimator: Any, y: Any, *, seed: int = 0) -> tuple[RowIndices, RowIndices]:
    """Give the rows that :func:`hold_out` fits an estimator to, and those that it holds out.

    Examples
    --------
    >>> import numpy as np
    >>> from ramify import TreeRegressor
    >>> train, test = hold_out_rows(TreeRegressor(), np.arange(10.0))
    >>> len(train), len(test)
    (8, 2)
    """
    return _Truth.read(estimator, y, len(y), None).divide(seed)


def predict_held_out(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    how: str,
    sample_weight: Any = None,
    y_train: Any = None,
    weight_train: Any = None,
) -> HeldOut:
    """Predict the rows of a test table by a fitted estimator.

    Parameters
    ----------
    estimator : estimator
        It is fitted.
    X, y, sample_weight
        The test rows. A class that the estimator does not know is always predicted wrongly.
    how : str
        The name of the test table, such as its file.
    y_train, weight_train : array-like or None
        Target and weights of the training rows, for the baseline. None takes the shares of classes
        or the mean at the root of a tree, or those of the test rows.
    """
    truth = _Truth.read(estimator, y, n_rows_of(X), sample_weight, fitted=True)
    guess = None
    if y_train is not None:
        known = _Truth.read(estimator, y_train, len(y_train), weight_train)
        guess = truth.guess_like(known)
    elif (at_root := _root_guess(estimator, truth)) is not None:
        guess = at_root
    gathered = _Gathered(truth)
    everything = np.arange(len(truth.y))
    gathered.add(estimator, X, everything, everything, guess)
    return gathered.held_out(how)


@dataclass(frozen=True, eq=False)
class _Truth:
    """The target of all rows as codes or numbers, with weights and costs."""

    y: NDArray[Any]
    classes: NDArray[Any] | None
    weights: Floats | None
    costs: Floats | None

    @classmethod
    def read(
        cls, estimator: Any, y: Any, n_rows: int, sample_weight: Any, *, fitted: bool = False
    ) -> _Truth:
        owner = type(estimator).__name__
        weights = sample_weights(sample_weight, n_rows)
        if not is_classifier(estimator):
            return cls(numbers(y, n_rows, owner), None, weights, None)
        classes, codes = class_codes(y, n_rows, owner)
        costs = getattr(estimator, "costs", None)
        if not fitted:
            return cls(codes, classes, weights, cost_matrix(costs, classes, abstain=True))
        known = np.asarray(estimator.classes_)
        classes, codes = _with_known(known, classes, codes)
        tree: Any = getattr(estimator, "tree_", None)
        # A tree has the costs that it was grown with; parameters may have changed since.
        matrix = tree.costs if hasattr(tree, "costs") else cost_matrix(costs, known, abstain=True)
        return cls(codes, classes, weights, _with_new_classes(matrix, known, classes))

    @property
    def most_folds(self) -> int:
        """The most folds that make sense: no more than rows of the largest class."""
        if self.classes is None:
            return len(self.y) // 2
        return int(np.bincount(self.y).max(initial=0))

    def divide(self, seed: int) -> tuple[RowIndices, RowIndices]:
        """Give four fifths of the rows and the other fifth, the same shares of every class."""
        if len(self.y) < _PART:
            raise ValueError(f"{len(self.y)} rows are too few to hold out a fifth of them")
        by_class = self.classes is not None and self.most_folds >= _PART
        return first_fold(self.y, _PART, seed, by_class=by_class)

    def labels(self, rows: RowIndices) -> NDArray[Any]:
        return self.y[rows] if self.classes is None else self.classes[self.y[rows]]

    def guess(self, rows: RowIndices) -> Any:
        """Give the constant answer of some training rows: shares of the classes, or the mean."""
        w = None if self.weights is None else self.weights[rows]
        if self.classes is None:
            return float(np.average(self.y[rows], weights=w))
        found = np.bincount(self.y[rows], weights=w, minlength=len(self.classes))
        return found / found.sum()

    def guess_like(self, training: _Truth) -> Any:
        """Give the constant answer of other rows, for the classes of these."""
        found = training.guess(np.arange(len(training.y)))
        if self.classes is None or training.classes is None:
            return found
        share = dict(zip(training.classes.tolist(), found.tolist(), strict=True))
        return np.array([share.get(label, 0.0) for label in self.classes.tolist()])

    def fit(
        self, estimator: Any, X: Any, rows: RowIndices, fit: Callable[..., Any] | None = None
    ) -> Any:
        """Fit an estimator to some rows; costs are those of the classes that they have."""
        more = {} if self.weights is None else {"sample_weight": self.weights[rows]}
        if self.costs is not None and self.classes is not None:
            there = np.unique(self.y[rows])
            if len(there) < len(self.classes):
                answers = [*there.tolist(), *range(len(self.classes), self.costs.shape[1])]
                estimator.set_params(costs=self.costs[np.ix_(there, answers)])
        if fit is not None:
            return fit(estimator, X, self.labels(rows), **more)
        return estimator.fit(X, self.labels(rows), **more)


class _Gathered:
    """The predictions of one part after the other."""

    def __init__(self, truth: _Truth) -> None:
        self.truth = truth
        self.rows: list[RowIndices] = []
        self.predicted: list[NDArray[Any]] = []
        self.probabilities: list[Floats] = []
        self.guesses: list[Any] = []

    def add(
        self, estimator: Any, X: Any, train: RowIndices, test: RowIndices, guess: Any = None
    ) -> None:
        """Predict the test rows."""
        truth = self.truth
        self.rows.append(test)
        self.guesses.append(truth.guess(train) if guess is None else guess)
        predicted = np.asarray(estimator.predict(X))
        if truth.classes is None:
            self.predicted.append(predicted.astype(np.float64).reshape(len(test)))
            return
        place = {label: code for code, label in enumerate(truth.classes.tolist())}
        codes = [place.get(label, ABSTAINS) for label in predicted.tolist()]
        self.predicted.append(np.array(codes, dtype=np.int64))
        if hasattr(estimator, "predict_proba"):
            table = np.zeros((len(test), len(truth.classes)))
            known = [place[label] for label in np.asarray(estimator.classes_).tolist()]
            table[:, known] = estimator.predict_proba(X)
            self.probabilities.append(table)

    def held_out(self, how: str) -> HeldOut:
        """Give the predictions of all parts, in the order of the rows."""
        truth = self.truth
        rows = np.concatenate(self.rows)
        order = np.argsort(rows, kind="stable")
        index = rows[order]
        lengths = [len(part) for part in self.rows]
        fold = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)[order]
        probabilities = np.concatenate(self.probabilities)[order] if self.probabilities else None
        every = len(index) == len(truth.y)
        return HeldOut(
            task=REGRESSION if truth.classes is None else CLASSIFICATION,
            how=how,
            y=truth.y[index],
            predicted=np.concatenate(self.predicted)[order],
            fold=fold,
            guesses=np.array(self.guesses, dtype=np.float64),
            classes=truth.classes,
            probabilities=probabilities,
            weights=None if truth.weights is None else truth.weights[index],
            costs=truth.costs,
            index=None if every else index,
        )


class _Warnings:
    """Catches the warnings of every fold; passes on the first of each kind."""

    def __init__(self) -> None:
        self.kinds: dict[type[Warning], list[str]] = {}  # the last warning of each fold with one

    def __enter__(self) -> None:
        self.catcher = warnings.catch_warnings(record=True)
        self.caught: Any = self.catcher.__enter__()
        warnings.simplefilter("always")

    def __exit__(self, *what: Any) -> None:
        self.catcher.__exit__(*what)
        for kind, text in {one.category: str(one.message) for one in self.caught}.items():
            self.kinds.setdefault(kind, []).append(text)

    def pass_on(self, folds: int) -> None:
        """Warn once of each kind, with the number of folds that have such a warning."""
        for kind, texts in self.kinds.items():
            where = f"in {len(texts)} of {folds} folds of the score"
            warnings.warn(f"{where}: {texts[0]}", kind, stacklevel=3)


def _with_known(
    known: NDArray[Any], classes: NDArray[Any], codes: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Give the classes of a fitted estimator, those it does not know behind, and the codes."""
    place = {label: code for code, label in enumerate(known.tolist())}
    new = [label for label in classes.tolist() if label not in place]
    if new:
        every = np.empty(len(known) + len(new), dtype=object)
        every[:] = [*known.tolist(), *new]
        place |= {label: len(known) + i for i, label in enumerate(new)}
        known = every
    table = np.array([place[label] for label in classes.tolist()], dtype=np.int64)
    return known, table[codes]


def _with_new_classes(
    costs: Floats | None, known: NDArray[Any], classes: NDArray[Any]
) -> Floats | None:
    """Give rows of a class that the estimator does not know the highest cost of all."""
    if costs is None or len(classes) == len(known):
        return costs
    n, new = len(known), len(classes) - len(known)
    wide = np.full((len(classes), costs.shape[1] + new), float(costs.max()))
    wide[:n, :n] = costs[:, :n]
    wide[:n, n + new :] = costs[:, n:]
    return wide


def _root_guess(estimator: Any, truth: _Truth) -> Any:
    """Give the class shares or the mean at the root of a tree; None if they are not there."""
    tree: Any = getattr(estimator, "tree_", None)
    data = getattr(tree, "data", None)
    if data is None or getattr(estimator, "class_weight", None) is not None:
        return None  # class weights have changed the shares
    if truth.classes is None:
        return float(tree.mean[0])
    value = np.asarray(data["value"][0], dtype=np.float64)
    shares = np.zeros(len(truth.classes))
    shares[: len(value)] = value
    return shares / shares.sum() if shares.sum() > 0 else None
