"""scikit-learn's trees by ours: their parameters, their attributes, our fits.

`PARAMETERS` is the table of "ours for theirs". What has no counterpart skips the test and says why:
that is a difference by design, and docs/migrating.md lists it. `max_features` is ignored: our trees
look at all columns, so whatever theirs learn from some of them ours learn, too.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pytest
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from ramify import TreeClassifier, TreeRegressor
from ramify.pruning import CostComplexity


def no_counterpart(reason: str) -> None:
    """Skip the test: theirs has it and ours does not, by design."""
    pytest.skip(f"by design: {reason}")


#: Their criterion: ours.
CRITERIA = {"log_loss": "entropy", "friedman_mse": "squared_error"}
#: Their parameter: what ours takes instead.
PARAMETERS = {
    "criterion": lambda v: {"criterion": CRITERIA.get(v, v)},
    "max_depth": lambda v: {"max_depth": v},
    "min_samples_split": lambda v: {"min_samples_split": v},
    "min_samples_leaf": lambda v: {"min_samples_leaf": v},
    "min_weight_fraction_leaf": lambda v: {"min_weight_fraction_leaf": v},
    "max_leaf_nodes": lambda v: {} if v is None else {"max_leaves": v, "growth": "best_first"},
    "min_impurity_decrease": lambda v: {"min_gain": v},
    "class_weight": lambda v: {"class_weight": v},
    "ccp_alpha": lambda v: {"pruning": CostComplexity(alpha=v, risk="impurity")} if v else {},
    "monotonic_cst": lambda v: {"monotone": v},
    "random_state": lambda v: {},  # the same data give the same tree
}


_ARRAYS = (
    "children_left",
    "children_right",
    "feature",
    "threshold",
    "impurity",
    "n_node_samples",
    "weighted_n_node_samples",
    "missing_go_to_left",
)


class _Theirs(BaseEstimator):
    """An estimator of scikit-learn's signature around one of ours; not for direct use."""

    _ours: type[Any]

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        given = self.get_params(deep=False)
        given.pop("max_features")
        if given.pop("splitter") != "best":
            no_counterpart("the same data give the same tree: no random splits")
        if not issparse(y) and np.ndim(y) == 2 and np.shape(y)[1] > 1:
            no_counterpart("a tree predicts one target")
        _dense(X)
        chosen: dict[str, Any] = {"missing": "direction", "identifiers": "keep"}
        for name, value in given.items():
            chosen |= PARAMETERS[name](value)
        self.ours_ = self._ours(**chosen).fit(X, y, sample_weight=sample_weight)
        self.__dict__.pop("tree_", None)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "ours_":
            raise AttributeError(name)
        if "ours_" not in vars(self):
            check_is_fitted(self, "ours_")
        return getattr(self.ours_, name)

    def __sklearn_is_fitted__(self) -> bool:
        return "ours_" in vars(self)

    def predict(self, X: Any, check_input: bool = True) -> Any:
        return self._fitted().predict(_dense(X))

    def apply(self, X: Any, check_input: bool = True) -> Any:
        return self._fitted().apply(_dense(X))

    def decision_path(self, X: Any, check_input: bool = True) -> Any:
        return self._fitted().decision_path(_dense(X))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        whole = clone(self).set_params(ccp_alpha=1e-300).fit(X, y, sample_weight)
        path = whole.ours_.pruning_path_
        return Bunch(ccp_alphas=np.maximum(path.key, 0.0), impurities=path.training_error)

    def _fitted(self) -> Any:
        check_is_fitted(self)
        return self.ours_

    @property
    def feature_importances_(self) -> Any:
        return self._fitted().feature_importances_

    @property
    def max_features_(self) -> int:
        return int(self.ours_.n_features_in_)

    @cached_property
    def tree_(self) -> TheirTree:
        return TheirTree(self._fitted())


def _dense(X: Any) -> Any:
    if issparse(X):
        no_counterpart("no sparse input")
    return X


class TheirTree:
    """The arrays of one of our trees under their names; nodes keep our numbers."""

    def __init__(self, model: Any) -> None:
        self.model = model
        arrays = model.arrays_
        for name in _ARRAYS:
            setattr(self, name, getattr(arrays, name))
        shares = arrays.value
        if model.tree_.task == "classification":
            shares = shares / shares.sum(axis=1, keepdims=True)
        self.value = shares[:, np.newaxis, :]
        self.node_count, self.max_depth = model.tree_.n_nodes, model.tree_.depth
        self.n_leaves, self.n_features = model.tree_.n_leaves, model.n_features_in_
        self.n_outputs = 1
        self.n_classes = np.array([shares.shape[1]])
        self.capacity = self.node_count

    def apply(self, X: Any) -> Any:
        return self.model.apply(np.asarray(_dense(X), dtype=np.float64))

    def decision_path(self, X: Any) -> Any:
        return self.model.decision_path(np.asarray(_dense(X), dtype=np.float64))

    def __getstate__(self) -> dict[str, Any]:
        return {"nodes": self.model.tree_.to_dict(), "values": self.value}


class DecisionTreeClassifier(ClassifierMixin, _Theirs):
    _ours = TreeClassifier

    def __init__(
        self, *, criterion="gini", splitter="best", max_depth=None, min_samples_split=2,
        min_samples_leaf=1, min_weight_fraction_leaf=0.0, max_features=None, random_state=None,
        max_leaf_nodes=None, min_impurity_decrease=0.0, class_weight=None, ccp_alpha=0.0,
        monotonic_cst=None,
    ):  # fmt: skip
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst

    def predict_proba(self, X, check_input=True):
        return self._fitted().predict_proba(X)

    def predict_log_proba(self, X):
        with np.errstate(divide="ignore"):
            return np.log(self._fitted().predict_proba(X))

    @property
    def n_classes_(self):
        return len(self.ours_.classes_)


class DecisionTreeRegressor(RegressorMixin, _Theirs):
    _ours = TreeRegressor

    def __init__(
        self, *, criterion="squared_error", splitter="best", max_depth=None, min_samples_split=2,
        min_samples_leaf=1, min_weight_fraction_leaf=0.0, max_features=None, random_state=None,
        max_leaf_nodes=None, min_impurity_decrease=0.0, ccp_alpha=0.0, monotonic_cst=None,
    ):  # fmt: skip
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst


class ExtraTreeClassifier(DecisionTreeClassifier):
    def fit(self, X, y, sample_weight=None, check_input=True):
        no_counterpart("the same data give the same tree: no random splits")


class ExtraTreeRegressor(DecisionTreeRegressor):
    def fit(self, X, y, sample_weight=None, check_input=True):
        no_counterpart("the same data give the same tree: no random splits")
