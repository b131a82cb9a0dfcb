"""The base classes of the estimators: parameters, reading tables, fit, save, scikit-learn's rules.

An estimator declares its parameters (`PARAMETERS`), learns from a table and a target (`_learn`),
and gives and takes its fitted state (`to_state`, `from_state`). Model files, exports and reports
use only these, and no names of estimators. `MODELS` lists the estimators that can be saved.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ramify.learning.declared import Parameters
from ramify.learning.identifiers import settle_identifiers
from ramify.learning.labels import plain_labels
from ramify.learning.target import Target
from ramify.tables import Schema, Table, Unseen
from ramify.tree.doors import door

#: The estimators that a model file may hold, by name.
MODELS: dict[str, type[TableModel]] = {}
Model = TypeVar("Model", bound="type[TableModel]")


def saved_since(version: int) -> Callable[[Model], Model]:
    """Register an estimator that can be saved, with the first file version that knows it."""

    def register(model: Model) -> Model:
        model.file_version = version
        MODELS[model.__name__] = model
        return model

    return register


class ReadsColumns:
    """The attributes and tags that follow from `schema_`; not for direct use."""

    schema_: Schema

    @property
    def n_features_in_(self) -> int:
        """Number of columns."""
        return len(self.schema_.input_names)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns, if they have any."""
        if not self.schema_.named:
            raise AttributeError("feature_names_in_: the columns of X had no names in fit")
        return np.array(self.schema_.input_names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class TableModel(ReadsColumns, BaseEstimator):  # type: ignore[misc]
    """An estimator that takes any table and can be written to a file; not for direct use."""

    PARAMETERS: ClassVar[Parameters] = Parameters()
    #: The attribute that a fit sets.
    _fitted: ClassVar[str]
    #: "classification" or "regression".
    task: ClassVar[str]
    #: The first version of the model file that knows the estimator.
    file_version: ClassVar[int]
    #: The entries of the state in a model file, and those that it may leave out.
    state_entries: ClassVar[tuple[str, ...]]
    optional_entries: ClassVar[tuple[str, ...]] = ()

    #: What can be exported in place of an estimator that is not one tree; "" if it is.
    exported_instead: ClassVar[str] = ""

    categorical_features: Any
    date_parts: Any
    min_level_count: int
    identifiers: str

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check the parameters as far as that needs no data; give their settings by name.

        Keyword arguments replace the estimator's own values.
        """
        return self.PARAMETERS.read(self, instead)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to a table.

        Parameters
        ----------
        X : table
            A dataframe that narwhals reads (pandas, polars, pyarrow), an array, a list of rows, or
            a dict of columns. Cells may be missing.
        y : array-like
            The target of every row. A classifier takes classes: numbers, strings or bools. A
            regressor takes numbers.
        sample_weight : array-like or None
            Weights of the rows. A row of weight 2 counts as two rows.

        Returns
        -------
        estimator
            The estimator itself.
        """
        settings = self.check_parameters()
        table = X if isinstance(X, Table) else self._read_training(X, settings)
        self._learn(table, self._read_target(y, sample_weight, table.n_rows), settings)
        return self

    def _read_training(self, X: Any, settings: dict[str, Any]) -> Table:
        """Learn the columns of training data, without those that the parameters leave out."""
        table = Table.read(
            X,
            categorical_features=self.categorical_features,
            date_parts=self.date_parts,
            min_level_count=settings["min_level_count"],
        )
        return settle_identifiers(table, settings["identifiers"])

    def _read_target(self, y: Any, sample_weight: Any, n_rows: int) -> Target:
        """Read the target and the weights."""
        raise NotImplementedError

    def learn_from(self, table: Table, target: Target, settings: dict[str, Any]) -> Self:
        """Fit to a table and a target that are encoded already."""
        self._learn(table, target, settings)
        return self

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        """Learn from the training data. A fit that fails must change nothing."""
        raise NotImplementedError

    @property
    def _unseen(self) -> Unseen:
        """How a level is treated that was not seen in training."""
        return "missing"

    def read(self, X: Any) -> Table:
        """Encode the rows of a table in the same way as the training data."""
        if not hasattr(self, self._fitted):  # the check itself takes as long as predicting a row
            check_is_fitted(self, self._fitted)
        return self.schema_.encode(X, unseen=self._unseen, owner=type(self).__name__)

    def to_state(self) -> dict[str, Any]:
        """Give what a fit has learned, as entries of a model file."""
        raise NotImplementedError

    def from_state(self, state: dict[str, Any]) -> None:
        """Restore what a fit had learned; a ValueError names the entry that is wrong."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file that :func:`ramify.load` reads.

        Parameters that JSON cannot hold are not written, such as callables (a criterion,
        `on_progress`) and random generators. The loaded model has their defaults.

        Parameters
        ----------
        path : str or path
            The file. An existing file is replaced.
        """
        check_is_fitted(self, self._fitted)
        door("save")(self, path)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._fitted)


class Classifier(ClassifierMixin):  # type: ignore[misc]
    """What makes an estimator a classifier of scikit-learn; not for direct use."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Give the accuracy: the share of rows that are predicted correctly.

        Parameters
        ----------
        X : table
            Columns as in training.
        y : array-like
            The classes, of any type that :meth:`fit` takes.
        sample_weight : array-like or None
            Weights of the rows.
        """
        return float(super().score(X, plain_labels(y), sample_weight))


class ClassModel(TableModel):
    """An estimator that predicts classes; not for direct use."""

    task = "classification"
    classes_: NDArray[Any]
    class_weight: Any

    def _read_target(self, y: Any, sample_weight: Any, n_rows: int) -> Target:
        return Target.of_classes(
            y,
            n_rows,
            type(self).__name__,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            **self._costs_of_answers(),
        )

    def _costs_of_answers(self) -> dict[str, Any]:
        """Give `costs`, and whether they may have a column for giving no answer."""
        return {}

    def _labels(self, table: Table) -> NDArray[Any]:
        """Give the class of every row."""
        raise NotImplementedError

    def _shares(self, table: Table) -> NDArray[np.float64]:
        """Give the class probabilities of every row."""
        raise NotImplementedError

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray
            Labels as given to :meth:`fit`. If classes are equally likely, the first is given. If
            `costs` has a column for abstaining, the array holds objects, and None where abstaining
            is cheapest.
        """
        return self._labels(self.read(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the class probabilities of every row of a table.

        Returns
        -------
        ndarray of shape (rows, classes)
            One column for each of ``classes_``. A single tree gives the class shares of the leaf,
            or their mean over several leaves if missing values divide the row. A mixture gives the
            probabilities of its experts, weighted by the gates. After many rounds, the
            probabilities of boosted trees are too close to 0 and 1, except with
            ``algorithm="logit"``.
        """
        return self._shares(self.read(X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the logarithms of :meth:`predict_proba`: minus infinity for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class NumberModel(TableModel):
    """An estimator that predicts numbers; not for direct use."""

    task = "regression"

    def _read_target(self, y: Any, sample_weight: Any, n_rows: int) -> Target:
        return Target.of_numbers(y, n_rows, type(self).__name__, sample_weight=sample_weight)
