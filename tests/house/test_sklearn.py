"""The tools of scikit-learn that estimators are used with."""

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from helpers.estimators import ESTIMATORS
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import estimator_html_repr

from ramify import (
    TreeClassifier,
    TreeRegressor,
)
from ramify.datasets import load_titanic


@pytest.fixture(scope="module")
def titanic() -> tuple[pd.DataFrame, np.ndarray]:
    data = load_titanic()
    return data.to_frame("pandas"), np.asarray(data.y)


@pytest.fixture(scope="module")
def mixed() -> tuple[pd.DataFrame, pd.Series]:
    """Numbers, categories and holes, with a target that depends on both."""
    rng = np.random.default_rng(3)
    n = 300
    X = pd.DataFrame(
        {
            "colour": pd.Categorical(rng.choice(["red", "green", "blue", None], n)),
            "size": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "grade": pd.Categorical(
                rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True
            ),
            "member": rng.random(n) < 0.5,
        },
        index=np.arange(1000, 1000 + n),
    )
    good = (X["colour"] == "red") | (X["size"] > 0.5) | ((X["grade"] == "high") & X["member"])
    return X, pd.Series(np.where(good, "yes", "no"), index=X.index, name="answer")


def trees(estimator: Any) -> list[Any]:
    return [estimator.tree_] if hasattr(estimator, "tree_") else estimator.estimators_


# --- an estimator as scikit-learn sees it ------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: repr(e)[:60])
def test_clone_keeps_parameters_and_nothing_else(estimator: Any, mixed: Any) -> None:
    X, y = mixed
    y = y if is_classifier(estimator) else X["size"].fillna(0)
    fitted = clone(estimator).fit(X, y)
    copy = clone(fitted)
    assert copy.get_params() == estimator.get_params()
    assert not [name for name in vars(copy) if name.endswith("_")]
    with pytest.raises(NotFittedError, match=type(estimator).__name__):
        copy.predict(X)
    assert trees(copy.fit(X, y)) == trees(fitted)


def test_clone_keeps_objects_as_they_are() -> None:
    def score(counts: Any) -> float:
        return 1.0

    costs = [[0, 1], [2, 0]]
    clf = TreeClassifier(criterion=score, costs=costs, class_weight={"a": 2.0})
    copy = clone(clf)
    assert copy.criterion is score
    assert copy.costs == costs
    assert copy.class_weight == {"a": 2.0}


@pytest.mark.parametrize("method", ["predict", "apply", "decision_path", "explain"])
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_not_fitted(kind: Any, method: str) -> None:
    with pytest.raises(NotFittedError, match=f"This {kind.__name__} instance is not fitted"):
        getattr(kind(), method)([[1.0]])


@pytest.mark.parametrize(
    "ask",
    [
        lambda e: e.get_depth(),
        lambda e: e.get_n_leaves(),
        lambda e: e.feature_importances_,
        lambda e: e.arrays_,
        lambda e: e.save("nowhere.json"),
    ],
)
def test_not_fitted_has_no_tree_to_speak_of(ask: Any) -> None:
    with pytest.raises(NotFittedError, match="TreeRegressor"):
        ask(TreeRegressor())


def test_tags() -> None:
    clf, reg = TreeClassifier(), TreeRegressor()
    assert is_classifier(clf) and is_regressor(reg)
    for tags in (clf.__sklearn_tags__(), reg.__sklearn_tags__()):
        assert tags.input_tags.allow_nan and tags.input_tags.categorical and tags.input_tags.string
        assert not tags.input_tags.sparse
        assert not tags.non_deterministic
        assert tags.target_tags.required


def test_repr_and_html(mixed: Any) -> None:
    clf = TreeClassifier(max_leaves=4)
    assert repr(clf) == "TreeClassifier(max_leaves=4)"
    assert "TreeClassifier" in estimator_html_repr(clf)
    assert "Not fitted" in clf._repr_html_()
    fitted = make_pipeline(clf).fit(*mixed)
    assert "max_leaves" in fitted._repr_html_()
    assert "Not fitted" not in fitted._repr_html_()


def test_looking_at_a_fitted_estimator_does_not_fail(mixed: Any) -> None:
    X, y = mixed
    clf = TreeClassifier().fit(X, y)
    reg = TreeRegressor().fit(X, (y == "yes").astype(float))
    numeric = TreeClassifier().fit(X[["size"]], y)
    assert not hasattr(clf, "arrays_")
    assert hasattr(numeric, "arrays_")
    for thing in (clf, reg, numeric, clf.tree_, reg.tree_, clf.tree_.nodes[0], clf.schema_):
        assert inspect.getmembers(thing)
    with pytest.raises(ValueError, match="only a purely numeric binary tree"):
        _ = clf.tree_.arrays
    with pytest.raises(AttributeError, match="only a purely numeric binary tree has arrays"):
        _ = clf.arrays_


def test_feature_names_in(mixed: Any) -> None:
    X, y = mixed
    clf = TreeClassifier().fit(X, y)
    assert clf.feature_names_in_.tolist() == X.columns.tolist()
    assert clf.feature_names_in_.dtype == object
    assert clf.n_features_in_ == 4
    with pytest.raises(ValueError, match="must be in the same order"):
        clf.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="yet now missing:\n- size"):
        clf.predict(X.drop(columns="size"))
    with pytest.warns(UserWarning, match="fitted with feature names"):
        clf.predict(X.to_numpy(dtype=object))
    assert not hasattr(TreeClassifier().fit(X.to_numpy(dtype=object), y), "feature_names_in_")


def test_labels_come_back_as_they_were(mixed: Any) -> None:
    X, y = mixed
    for labels in (y, y == "yes", y.map({"yes": 7, "no": -2}), y.astype("category"), y.tolist()):
        clf = TreeClassifier().fit(X, labels)
        assert clf.classes_.tolist() == sorted(set(labels))
        assert clf.score(X, labels) == 1.0
        assert clf.predict_proba(X).shape == (len(X), 2)
    polars = pytest.importorskip("polars")
    clf = TreeClassifier().fit(polars.from_pandas(X), polars.Series(y.tolist()))
    assert clf.score(X, y) == 1.0


# --- model selection ---------------------------------------------------------------------------


def test_cross_validation_with_labels_and_frames(titanic: Any, mixed: Any) -> None:
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    clf = TreeClassifier(max_leaves=6, growth="best_first")
    assert cross_val_score(clf, *titanic, cv=folds, error_score="raise").mean() > 0.75
    X, y = mixed
    scores = cross_validate(
        TreeClassifier(min_samples_leaf=3),
        X,
        y,
        scoring=["accuracy", "roc_auc", "neg_log_loss"],
        error_score="raise",
    )
    assert scores["test_accuracy"].mean() > 0.8
    proba = cross_val_predict(TreeClassifier(), X, y, method="predict_proba")
    assert proba.shape == (len(X), 2)


def test_grid_search_over_every_kind_of_parameter(mixed: Any) -> None:
    X, y = mixed
    grid = {
        "tree__criterion": ["gini", "entropy"],
        "tree__growth": ["depth_first", "best_first"],
        "tree__max_leaves": [None, 8],
        "tree__missing": ["fractional", "separate", "direction"],
    }
    pipeline = Pipeline([("keep", "passthrough"), ("tree", TreeClassifier())])
    search = GridSearchCV(pipeline, grid, cv=3, n_jobs=2, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.85
    assert search.best_estimator_["tree"].feature_names_in_.tolist() == X.columns.tolist()
    assert set(search.predict(X)) == {"yes", "no"}


def test_a_wrong_parameter_is_said_by_grid_search(mixed: Any) -> None:
    search = GridSearchCV(TreeClassifier(), {"criterion": ["ginni"]}, error_score="raise")
    with pytest.raises(ValueError, match="criterion='ginni' is not valid; choose from"):
        search.fit(*mixed)


def test_permutation_importance(mixed: Any) -> None:
    X, y = mixed
    clf = TreeClassifier(max_depth=4).fit(X, y)
    found = permutation_importance(clf, X, y, n_repeats=3, random_state=0).importances_mean
    assert found[0] > 0 and found[1] > 0


# --- pipelines -----------------------------------------------------------------------------------


def test_column_transformer_in_front(mixed: Any) -> None:
    X, y = mixed
    front = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["size"]),
            ("names", OneHotEncoder(sparse_output=False), ["colour", "grade"]),
        ],
        remainder="passthrough",
    )
    for output in ("default", "pandas", "polars"):
        if output == "polars":
            pytest.importorskip("polars")
        model = make_pipeline(front, TreeClassifier()).set_output(transform=output).fit(X, y)
        assert model.score(X, y) > 0.95
        assert hasattr(model[-1], "feature_names_in_") == (output != "default")


def test_set_output_keeps_the_categories(mixed: Any) -> None:
    X, y = mixed
    front = ColumnTransformer(
        [("numbers", SimpleImputer(), make_column_selector(dtype_include="float"))],
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    model = make_pipeline(front, TreeClassifier()).set_output(transform="pandas").fit(X, y)
    tree = model[-1]
    assert tree.feature_names_in_.tolist() == ["size", "colour", "grade", "member"]
    assert [c.kind for c in tree.schema_.columns] == ["numeric", "nominal", "ordinal", "nominal"]
    assert "colour" in tree.tree_.to_text()


def test_select_from_model_takes_the_importances() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    chosen = SelectFromModel(TreeClassifier()).set_output(transform="pandas").fit_transform(X, y)
    assert set(chosen) <= {"petal length (cm)", "petal width (cm)"}
    importances = TreeClassifier().fit(X, y).feature_importances_
    assert importances.sum() == pytest.approx(1.0)


def test_transformed_target() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = TransformedTargetRegressor(
        TreeRegressor(min_samples_leaf=5), func=np.log, inverse_func=np.exp
    )
    assert model.fit(X, y).score(X, y) > 0.5


# --- ensembles -----------------------------------------------------------------------------------


def test_boosting_and_bagging() -> None:
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    for ensemble in (
        AdaBoostClassifier(TreeClassifier(max_depth=1), n_estimators=20, random_state=0),
        BaggingClassifier(TreeClassifier(), n_estimators=10, random_state=0, n_jobs=2),
        BaggingClassifier(TreeClassifier(), n_estimators=10, max_features=2, random_state=0),
        OneVsRestClassifier(TreeClassifier(max_depth=3)),
        VotingClassifier([("a", TreeClassifier()), ("b", DummyClassifier())], voting="soft"),
        StackingClassifier([("a", TreeClassifier(max_depth=2)), ("b", TreeClassifier())]),
    ):
        assert ensemble.fit(X, names).score(X, names) > 0.9, ensemble
    X, y = load_diabetes(return_X_y=True)
    boosted = AdaBoostRegressor(TreeRegressor(max_depth=3), n_estimators=10, random_state=0)
    assert boosted.fit(X, y).score(X, y) > 0.4


def test_boosting_on_frames_with_categories(mixed: Any) -> None:
    X, y = mixed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ensembles of scikit-learn drop the names on the way
        bagged = BaggingClassifier(TreeClassifier(), random_state=0).fit(X.to_numpy(object), y)
    assert bagged.score(X.to_numpy(object), y) > 0.9


# --- weights -------------------------------------------------------------------------------------


def test_metadata_routing_of_sample_weight(mixed: Any) -> None:
    X, y = mixed
    weights = np.where(y == "yes", 1000.0, 0.001)
    with sklearn.config_context(enable_metadata_routing=True):
        for tree in (TreeClassifier(max_depth=1), TreeRegressor(max_depth=1)):
            asked = tree.set_fit_request(sample_weight=True)
            target = y if is_classifier(tree) else (y == "yes").astype(float)
            model = make_pipeline("passthrough", asked).fit(X, target, sample_weight=weights)
            direct = clone(asked).fit(X, target, sample_weight=weights)
            assert model[-1].tree_ == direct.tree_
        clf = TreeClassifier(max_depth=1)
        clf.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        routed = cross_validate(clf, X, y, params={"sample_weight": weights}, error_score="raise")
        assert routed["test_score"].mean() > 0.95  # by weight, nearly all rows are "yes"
        plain = cross_val_score(TreeClassifier(max_depth=1), X, y)
        assert plain.mean() < 0.85


def test_balanced_class_weight_counts_weights_as_repetitions(mixed: Any) -> None:
    X, y = mixed
    times = np.random.default_rng(0).integers(0, 3, len(X))
    repeated = np.repeat(np.arange(len(X)), times)
    clf = TreeClassifier(class_weight="balanced", max_depth=2)
    by_weight = clone(clf).fit(X, y, sample_weight=times)
    by_copies = clone(clf).fit(X.iloc[repeated], y.iloc[repeated])
    np.testing.assert_allclose(by_weight.predict_proba(X), by_copies.predict_proba(X), rtol=1e-9)
    root = by_weight.tree_.nodes[0].value
    assert root[0] == pytest.approx(root[1])


def test_class_weight_by_label(mixed: Any) -> None:
    X, y = mixed
    given = TreeClassifier(class_weight={"yes": 3.0}, max_depth=2).fit(X, y)
    same = TreeClassifier(max_depth=2).fit(X, y, sample_weight=np.where(y == "yes", 3.0, 1.0))
    assert given.tree_ == same.tree_


def test_pickled_pipeline(mixed: Any) -> None:
    X, y = mixed
    model = make_pipeline(TreeClassifier()).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
