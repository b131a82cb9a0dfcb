"""Odd data and long lives: extremes, holes, many levels, pickles, refits, and what a fit keeps."""

from __future__ import annotations

import gc
import io
import pickle
import weakref
from pathlib import Path
from typing import Any

import cloudpickle
import joblib
import numpy as np
import pandas as pd
import pytest
from helpers.processes import run_python
from sklearn.base import clone

import ramify
from ramify import TreeClassifier, TreeRegressor

MISSING = ["fractional", "separate", "direction"]
INF = np.inf


def fit(X: Any, y: Any, **parameters: Any) -> Any:
    """A fitted and checked tree; the task follows from the target."""
    kind = TreeRegressor if np.asarray(y).dtype.kind == "f" else TreeClassifier
    model = kind(**parameters).fit(X, y)
    model.tree_.check()
    return model


# --- extreme values --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        [-INF, 0.0, 1.0, INF],
        [-INF, INF],
        [1.0, INF],
        [-1.7e308, 1.7e308],
        [1.6e308, 1.7e308, 1.75e308],
        [1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)],
        [0.0, 5e-324, 1e-323, -5e-324],
        [1e-308, 1.1e-308, 2.2250738585072014e-308],
        [2.0**53, 2.0**53 + 2, 2.0**53 + 4],
        [1e300, 1e-300, -1e-300, -1e300, 0.0],
    ],
)
@pytest.mark.parametrize("target", [str, float])
def test_extreme_values_are_told_apart(values: list[float], target: Any) -> None:
    X = np.array(values).reshape(-1, 1)
    y = np.array([target(i) for i in range(len(values))])
    model = fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.tree_.n_leaves == len(values)
    rules = "\n".join(map(str, model.tree_.rules()))
    assert "nan" not in rules
    buffer = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(buffer.predict(X), y)


def test_extreme_values_survive_a_model_file(tmp_path: Path) -> None:
    X = np.array([[-INF], [-1e308], [-5e-324], [0.1], [np.nextafter(0.1, 1)], [1e308], [INF]])
    y = np.arange(7)
    fit(X, y).save(tmp_path / "m.json")
    np.testing.assert_array_equal(ramify.load(tmp_path / "m.json").predict(X), y)


def test_minus_zero_is_zero() -> None:
    assert fit([[0.0], [-0.0]], [0, 1]).tree_.n_leaves == 1


def test_targets_far_from_zero_keep_their_differences() -> None:
    y = np.array([1e15, 1e15 + 1, 1e15, 1e15 + 1])
    X = np.arange(4.0).reshape(-1, 1)
    np.testing.assert_array_equal(fit(X, y).predict(X), y)
    tiny = np.array([1e-140, -1e-140, 2e-140])
    np.testing.assert_allclose(fit(X[:3], tiny).predict(X[:3]), tiny)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_targets_whose_squares_overflow_are_refused(criterion: str) -> None:
    with pytest.raises(ValueError, match=r"y holds 1e\+200; .* Scale the target"):
        TreeRegressor(criterion=criterion).fit([[0.0], [1.0]], [1e200, -1e200])


@pytest.mark.parametrize("scale", [1e-50, 1e-20, 1e20, 1e50])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(60, 3)), rng.integers(1, 4, 60) * 1.0
    y = rng.integers(0, 3, 60)
    for model, target in ((TreeClassifier(), y), (TreeRegressor(), y * 1.5)):
        one = clone(model).fit(X, target, sample_weight=w)
        other = clone(model).fit(X, target, sample_weight=w * scale)
        np.testing.assert_allclose(one.predict(X), other.predict(X), atol=1e-12)
        assert one.tree_.n_leaves == other.tree_.n_leaves


@pytest.mark.parametrize("weight", [1e-308, 5e-324, 1e308])
def test_weights_that_cannot_be_computed_with_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match=r"the weights add up to .*; scale sample_weight"):
        TreeClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=[weight, weight])


# --- degenerate tables -----------------------------------------------------------------------


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("y", [["a", "b", "a"], [1.0, 2.0, 4.0]])
def test_missing_everywhere(missing: str, y: Any) -> None:
    for X in (
        np.full((3, 2), np.nan),
        [[None, None]] * 3,
        pd.DataFrame({"a": [None] * 3, "b": pd.Categorical([None] * 3, ["x", "y"])}),
    ):
        model = fit(X, y, missing=missing)
        assert model.tree_.n_leaves == 1
        assert len(model.predict(X)) == 3
        assert model.tree_.rules()[0].conditions == ()


@pytest.mark.parametrize("missing", MISSING)
def test_missing_only_when_predicting(missing: str) -> None:
    X = pd.DataFrame({"size": [1.0, 2, 3, 4], "colour": list("rrgb")})
    model = fit(X, ["a", "a", "b", "c"], missing=missing)
    hole = pd.DataFrame({"size": [np.nan, np.nan], "colour": [None, "r"]})
    proba = model.predict_proba(hole)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_allclose(proba[0], [0.5, 0.25, 0.25])


@pytest.mark.parametrize("missing", MISSING)
def test_one_row_one_column_one_class_constant(missing: str) -> None:
    assert fit([[1.0]], ["a"], missing=missing).predict([[5.0]]).tolist() == ["a"]
    assert fit([["x"]], [2.5], missing=missing).predict([["y"]]).tolist() == [2.5]
    alone = fit([[1.0], [2.0]], ["a", "a"], missing=missing)
    np.testing.assert_array_equal(alone.predict_proba([[1.0], [9.0]]), [[1.0], [1.0]])
    assert alone.tree_.n_leaves == 1
    constant = fit([[1.0, "k"]] * 4, [0, 1, 1, 1], missing=missing)
    assert constant.tree_.n_leaves == 1
    np.testing.assert_allclose(constant.predict_proba([[7.0, "z"]]), [[0.25, 0.75]])
    assert fit([[1.0], [2.0]], [3.0, 3.0], missing=missing).tree_.n_leaves == 1


def test_feature_importances_of_a_single_leaf_are_zero() -> None:
    assert fit([[1.0, 2.0]], ["a"]).feature_importances_.tolist() == [0.0, 0.0]


def test_max_depth_zero() -> None:
    model = fit([[1.0], [2.0], [3.0]], ["a", "b", "b"], max_depth=0)
    assert (model.get_depth(), model.get_n_leaves()) == (0, 1)
    assert model.decision_path([[1.0]]).toarray().tolist() == [[1]]


def test_a_very_deep_tree() -> None:
    n = 3000  # alternating classes at doubling distances: one row is peeled off at a time
    X = np.arange(float(n)).reshape(-1, 1)
    y = np.arange(n) % 2
    model = fit(X, y, min_samples_leaf=1)
    assert model.score(X, y) == 1.0
    assert model.tree_.to_text(max_depth=2)
    assert len(model.tree_.rules()) == model.tree_.n_leaves
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_


# --- many levels -----------------------------------------------------------------------------


@pytest.mark.parametrize("n_levels", [20_000, 100_000])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_many_levels(n_levels: int, n_classes: int) -> None:
    rng = np.random.default_rng(0)
    code = np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, n_levels // 2)])
    X = pd.DataFrame({"id": pd.Categorical.from_codes(code, [f"k{i}" for i in range(n_levels)])})
    y = (code * 7919) % n_classes
    model = fit(X, y)
    assert model.score(X, y) == 1.0
    assert len(model.tree_.to_text()) < 20_000  # sets are abbreviated
    assert model.predict(pd.DataFrame({"id": ["k0", "never seen", None]}))[0] == y[0]
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X[:1000]), y[:1000])


def test_many_levels_in_regression_and_multiway() -> None:
    n = 50_000
    X = pd.DataFrame({"id": [f"k{i % 25_000}" for i in range(n)]})
    y = (np.arange(n) % 25_000) % 10 * 1.0
    assert fit(X, y).score(X, y) == 1.0
    flat = fit(X, y, categorical_split="multiway", max_depth=1)
    assert flat.tree_.n_leaves == 25_000
    assert flat.score(X, y) == pytest.approx(1.0)


def test_many_levels_come_back_from_a_model_file(tmp_path: Path) -> None:
    X = pd.DataFrame({"id": [f"k{i}" for i in range(100_000)]})
    y = np.where(np.arange(100_000) % 3 == 0, "yes", "no")
    model = fit(X, y)
    model.save(tmp_path / "m.json")
    again = ramify.load(tmp_path / "m.json")
    assert again.tree_ == model.tree_
    assert (again.predict(X) == y).all()


# --- pickles ----------------------------------------------------------------------------------


def by_size(counts: Any) -> float:
    return float(counts.max(axis=1).sum() / counts.sum())


def _round_trips(model: Any) -> dict[str, Any]:
    stream = io.BytesIO()
    joblib.dump(model, stream)
    stream.seek(0)
    trips = {f"pickle {p}": pickle.loads(pickle.dumps(model, p)) for p in range(2, 6)}
    trips["joblib"] = joblib.load(stream)
    trips["cloudpickle"] = cloudpickle.loads(cloudpickle.dumps(model))
    return trips


@pytest.mark.parametrize("criterion", ["gini", by_size])
def test_round_trips(criterion: Any) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"size": rng.normal(size=80), "colour": rng.choice(["r", "g", "b", None], size=80)}
    )
    y = rng.choice(["yes", "no"], size=80)
    model = TreeClassifier(criterion=criterion, max_depth=4, costs=[[0, 1], [2, 0]]).fit(X, y)
    for name, again in _round_trips(model).items():
        assert again.tree_ == model.tree_, name
        assert again.schema_ == model.schema_
        assert again.get_params()["criterion"] is not None
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        assert str(again.explain(X.iloc[[0]])) == str(model.explain(X.iloc[[0]]))
        again.fit(X, y)


def test_cloudpickle_of_a_local_function() -> None:
    model = TreeClassifier(criterion=lambda counts: 2 * by_size(counts), max_depth=2)
    model.fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    again = cloudpickle.loads(cloudpickle.dumps(model))
    assert again.fit([[1.0], [2.0], [3.0]], [0, 1, 0]).tree_ == model.tree_


def test_unfitted_estimators_are_pickled_too() -> None:
    model = TreeRegressor(max_leaves=3)
    assert pickle.loads(pickle.dumps(model)).get_params() == model.get_params()


def test_a_pickle_is_read_by_another_process(tmp_path: Path) -> None:
    model = fit([["a", 1.0], ["b", 2.0], ["c", None]], ["x", "y", "x"])
    (tmp_path / "m.pkl").write_bytes(pickle.dumps(model))
    code = (
        "import pickle, sys; m = pickle.load(open(sys.argv[1], 'rb'));"
        "print(*m.predict([['a', 1.0], ['b', 2.0]]))"
    )
    assert run_python(code, tmp_path / "m.pkl").split() == ["x", "y"]


# --- what a fit forgets, keeps, and leaves alone ------------------------------------------------


def test_refit_forgets() -> None:
    model = TreeClassifier()
    model.fit(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}), ["p", "q"])
    assert model.feature_names_in_.tolist() == ["a", "b"]
    model.fit([[1.0], [2.0], [3.0]], [1, 2, 3])
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 1
    assert model.classes_.tolist() == [1, 2, 3]
    assert model.schema_.names == ["x0"]
    assert set(vars(model)) - set(model.get_params()) == {"fitted_"}


def test_a_failed_refit_changes_nothing() -> None:
    model = fit(pd.DataFrame({"a": [1.0, 2.0]}), ["p", "q"])
    before = dict(vars(model))
    for X, y, options in (
        (np.zeros((2, 3)), [0, 1, 2], {}),
        (np.zeros((2, 3)), [0, 1], {"sample_weight": [-1.0, 1.0]}),
        (np.zeros((0, 3)), [], {}),
        (np.zeros((2, 3)), [0.5, 1.5], {}),
    ):
        with pytest.raises(ValueError, match=r"."):
            model.fit(X, y, **options)
        assert vars(model) == before


class Frame(pd.DataFrame):
    """A frame that weak references can watch."""


class Array(np.ndarray):
    """An array that weak references can watch."""


@pytest.mark.parametrize("kind", ["array", "fortran", "frame", "objects"])
@pytest.mark.parametrize("criterion", ["gini", by_size])
def test_fit_keeps_no_reference_to_the_data(kind: str, criterion: Any) -> None:
    rng = np.random.default_rng(0)
    X: Any
    if kind == "frame":
        X = Frame({"a": rng.normal(size=50), "b": rng.choice(["x", "y"], 50)})
    elif kind == "objects":
        X = np.array([[v, str(int(v))] for v in rng.normal(size=50)], dtype=object).view(Array)
    else:
        order: Any = "C" if kind == "array" else "F"
        X = np.array(rng.normal(size=(50, 3)), order=order).view(Array)
    y = rng.integers(0, 2, 50).view(Array)
    weights = rng.random(50).view(Array)
    watched = [weakref.ref(thing) for thing in (X, y, weights)]
    model = TreeClassifier(criterion=criterion).fit(X, y, sample_weight=weights)
    model.predict(X)
    if kind != "objects":
        model.explain(X[:1])
    size = len(pickle.dumps(model))
    del X, y, weights
    gc.collect()
    assert [ref() for ref in watched] == [None, None, None]
    assert len(pickle.dumps(model)) == size


@pytest.mark.parametrize("model", [TreeClassifier(class_weight={0: 3.0}), TreeRegressor()])
def test_nothing_given_is_modified(model: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    y, weights = rng.integers(0, 2, 40), rng.random(40)
    given = (X, y, weights)
    copies = [array.copy() for array in given]
    for array in given:
        array.flags.writeable = False
    model.fit(X, y, sample_weight=weights).predict(X)
    for array, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_read_only_memory_maps(tmp_path: Path, order: Any, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    X = np.asarray(rng.normal(size=(60, 4)) * 100, dtype=dtype, order=order)
    y = (X[:, 0] > 0).astype(np.int64)
    w = rng.random(60)
    maps = {}
    for name, array in {"X": X, "y": y, "w": w}.items():
        np.save(tmp_path / f"{name}.npy", array)
        maps[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
    model = TreeClassifier(n_jobs=2).fit(maps["X"], maps["y"], sample_weight=maps["w"])
    assert model.tree_ == TreeClassifier().fit(X, y, sample_weight=w).tree_
    np.testing.assert_array_equal(model.predict(maps["X"]), y)
    TreeRegressor().fit(maps["X"], maps["w"]).predict(maps["X"])


def test_views_of_every_stride() -> None:
    rng = np.random.default_rng(0)
    whole = rng.normal(size=(90, 12))
    for X in (whole[::-1, ::-2], whole[::3, 1::4], whole.T[:12, :12], whole[:, [0, 0, 1]]):
        y = (X[:, 0] > 0).astype(int)
        assert fit(X, y).tree_ == fit(X.copy(), y).tree_
        np.testing.assert_array_equal(fit(X, y).predict(X[::2]), y[::2])
