"""Model files: what is saved comes back; anything that is not a model is refused."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.edit_data import hand_edited
from helpers.handmade import weather
from helpers.model_schema import validator
from sklearn.datasets import load_wine

import ramify
from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    load,
)
from ramify.files import ModelFileError, dumps, loads
from ramify.pruning import CostComplexity

X, y = weather()
HOLES = X.astype({"outlook": object}).copy()
HOLES.loc[[1, 7], "humidity"] = np.nan
HOLES.loc[[3, 4], "outlook"] = None
ORDERED = X.assign(size=pd.Categorical(["S", "M", "L", "XL"] * 3 + ["S", "L"], ordered=True))

MODELS = {
    "plain": lambda: TreeClassifier().fit(X, y),
    "multiway": lambda: TreeClassifier(categorical_split="multiway").fit(X, y),
    "ordered": lambda: TreeClassifier(max_depth=3).fit(ORDERED, y),
    "holes": lambda: TreeClassifier().fit(HOLES, y),
    "weights": lambda: TreeClassifier().fit(X, y, sample_weight=np.linspace(0.1, 2, 14)),
    "one class": lambda: TreeClassifier().fit(X, ["a"] * 14),
    "no names": lambda: TreeClassifier().fit(X[["temperature", "humidity"]].to_numpy(), y),
    "integers": lambda: TreeClassifier().fit(X, (y == "yes").astype(int).to_numpy() * 7),
    "booleans": lambda: TreeClassifier().fit(X, (y == "yes").to_numpy()),
    "objects": lambda: TreeClassifier().fit(X, y.astype(object).to_numpy()),
    "regression": lambda: TreeRegressor().fit(X, X["temperature"] / 7),
    "pruned": lambda: TreeClassifier(pruning=CostComplexity(folds=4)).fit(HOLES, y),
    "pruned by errors": lambda: TreeClassifier(pruning="error_based").fit(HOLES, y),
    "pruned to order": lambda: TreeRegressor(pruning="best_first").fit(X, X["humidity"]),
    "edited": lambda: hand_edited(TreeClassifier(max_depth=3).fit(HOLES, y), HOLES, y),
    "edited regression": lambda: hand_edited(
        TreeRegressor(max_depth=2).fit(X, X["temperature"] / 7), X, X["temperature"] / 7
    ),
    "optimal": lambda: OptimalTreeClassifier(max_depth=2).fit(HOLES, y),
    "optimal from a tree": lambda: OptimalTreeClassifier(
        max_depth=1, start=TreeClassifier(max_depth=1).fit(HOLES, y).tree_, upper_bound=0.9
    ).fit(HOLES, y),
    "optimal pruned": lambda: OptimalTreeClassifier(max_depth=2).fit(HOLES, y).prune(n_leaves=2),
    "optimal regression": lambda: OptimalTreeRegressor(max_depth=2, sparsity=0.01).fit(
        X, X["temperature"] / 7
    ),
    "regression multiway": lambda: TreeRegressor(categorical_split="multiway").fit(
        X, X["humidity"]
    ),
}


@functools.cache
def model(name: str) -> Any:
    return MODELS[name]()


def table_of(estimator: Any) -> Any:
    if estimator.n_features_in_ == 2:
        return X[["temperature", "humidity"]].to_numpy()
    return ORDERED if estimator.n_features_in_ == 5 else HOLES


@pytest.mark.parametrize("name", ["pruned", "pruned by errors", "pruned to order"])
def test_a_loaded_tree_can_be_pruned_otherwise(name):
    saved = model(name)
    loaded = loads(dumps(saved))
    assert loaded.fitted_.grown == saved.fitted_.grown
    assert loaded.get_params() == saved.get_params()
    for column in saved.pruning_path_.columns:
        np.testing.assert_array_equal(loaded.pruning_path_[column], saved.pruning_path_[column])
    assert loaded.pruning_path_.selected == saved.pruning_path_.selected
    assert loaded.prune(n_leaves=3).tree_ == saved.prune(n_leaves=3).tree_


def test_the_order_of_a_path_is_that_of_its_growth():
    X, y = load_wine(return_X_y=True)
    saved = TreeClassifier(growth="best_first", pruning="best_first").fit(X, y)
    saved.set_params(growth="best_first_unweighted")  # for the next fit
    loaded = loads(dumps(saved))
    for n_leaves in range(1, saved.fitted_.grown.n_leaves):
        assert loaded.prune(n_leaves=n_leaves).tree_ == saved.prune(n_leaves=n_leaves).tree_


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"path.growth": "upwards"}, "growth='upwards' is unknown"),
        ({"grown": None}, "pruning must be an object with grown"),
        ({"other": 1}, "unknown entry 'other'"),
        ({"path": {}}, "pruning.path must have keys"),
        ({"path.keys": "size"}, "keys='size' is unknown"),
        ({"path.error": [0.5]}, "pruning.path.error must be"),
        ({"path.standard_error": "all"}, "pruning.path.standard_error must be"),
        ({"path.selected": 99}, "selected=99"),
    ],
)
def test_damaged_pruning_is_named(change, message):
    document = json.loads(dumps(model("pruned")))
    for place, value in change.items():
        *way, key = place.split(".")
        at = document["pruning"]["path"] if way else document["pruning"]
        at[key] = value
    with pytest.raises(ModelFileError, match=message):
        loads(json.dumps(document))


@pytest.mark.parametrize(
    "name", ["optimal", "optimal from a tree", "optimal pruned", "optimal regression"]
)
def test_the_search_of_an_optimal_tree_is_kept(name):
    saved = model(name)
    loaded = loads(dumps(saved))
    for fact in ("error_", "objective_", "lower_bound_", "gap_", "proven_optimal_", "search_"):
        assert getattr(loaded, fact) == getattr(saved, fact), fact
    assert len(saved.history_) > 0
    for column in saved.history_:
        np.testing.assert_array_equal(loaded.history_[column], saved.history_[column])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"error": -1.0}, "search.error=-1.0"),
        ({"lower_bound": "low"}, "search.lower_bound='low'"),
        ({"proven_optimal": 1}, "search.proven_optimal"),
        ({"facts": [1]}, "search.facts"),
        ({"other": 1}, "search must be an object with"),
        ({"history": {}}, "search.history must be"),
        (None, "'search' is missing, which OptimalTreeClassifier needs"),
    ],
)
def test_a_damaged_search_is_named(change, message):
    document = json.loads(dumps(model("optimal")))
    if change is None:
        del document["search"]
    else:
        document["search"] |= change
    with pytest.raises(ModelFileError, match=message):
        loads(json.dumps(document))


@pytest.mark.parametrize(
    ("column", "values"), [("error", [0.5]), ("seconds", "all"), ("n_features", [0.5])]
)
def test_a_damaged_history_is_named(column, values):
    document = json.loads(dumps(model("optimal")))
    document["search"]["history"][column] = values
    with pytest.raises(ModelFileError, match=r"search\.history"):
        loads(json.dumps(document))


def test_only_optimal_trees_have_a_search():
    document = json.loads(dumps(model("plain")))
    document["search"] = json.loads(dumps(model("optimal")))["search"]
    with pytest.raises(ModelFileError, match="unknown entry 'search'"):
        loads(json.dumps(document))


@pytest.mark.parametrize("name", MODELS)
def test_round_trip(name, tmp_path):
    saved = model(name)
    saved.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert type(loaded) is type(saved)
    assert loaded.tree_ == saved.tree_
    loaded.tree_.check()
    assert loaded.schema_ == saved.schema_
    assert loaded.n_features_in_ == saved.n_features_in_
    assert hasattr(loaded, "feature_names_in_") == (name != "no names")
    if name != "no names":
        np.testing.assert_array_equal(loaded.feature_names_in_, saved.schema_.names)
        assert loaded.feature_names_in_.dtype == object
    assert repr(loaded.get_params()) == repr(saved.get_params())
    table = table_of(saved)
    np.testing.assert_array_equal(loaded.predict(table), saved.predict(table))
    if hasattr(saved, "classes_"):
        assert loaded.classes_.dtype.kind == saved.classes_.dtype.kind
        np.testing.assert_array_equal(loaded.classes_, saved.classes_)
        np.testing.assert_array_equal(loaded.predict_proba(table), saved.predict_proba(table))
    assert loaded.tree_.to_text() == saved.tree_.to_text()
    assert dumps(loaded) == (tmp_path / "model.json").read_text("utf-8")


@pytest.mark.parametrize("name", MODELS)
def test_saved_files_satisfy_the_published_schema(name):
    validator().validate(json.loads(dumps(model(name))))


def test_parameters_keep_their_types():
    saved = TreeClassifier().fit(X, y)
    values = {"no": 1.0, "yes": 2, 3: float("inf"), True: (1, None, "x")}
    saved.set_params(class_weight=values, costs=np.array([[0.0, 1.0], [2.5, 0.0]]))
    text = dumps(saved)
    validator().validate(json.loads(text))
    loaded = loads(text)
    assert loaded.class_weight == values and type(loaded.class_weight[True]) is tuple
    np.testing.assert_array_equal(loaded.costs, saved.costs)
    assert loaded.costs.dtype == np.float64


def test_a_parameter_that_json_cannot_hold_is_noted():
    saved = TreeClassifier().fit(X, y)
    saved.set_params(criterion=lambda counts: 0.0)
    document = json.loads(dumps(saved))
    assert document["unsaved_parameters"] == ["criterion"]
    assert document["parameters"]["criterion"] is None
    validator().validate(document)
    loaded = loads(json.dumps(document))
    assert loaded.criterion == TreeClassifier().criterion
    np.testing.assert_array_equal(loaded.predict(X), saved.predict(X))


def test_what_cannot_be_saved(tmp_path):
    from sklearn.exceptions import NotFittedError

    path = tmp_path / "model.json"
    with pytest.raises(NotFittedError):
        TreeClassifier().save(path)
    with pytest.raises(TypeError, match="TreeClassifier"):
        ramify.files.save(object(), path)
    assert not path.exists()
    with pytest.raises(FileNotFoundError):
        load(path)


def _document() -> dict[str, Any]:
    return json.loads(dumps(model("plain")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a model file"),
        ("{", "not a model file"),
        ("3", "format"),
        ("[]", "format"),
        ("{}", "format"),
        (b"\xff\xfe\x00", "not a model file"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ('{"format": NaN}', "NaN"),
        ('{"format": "ramify", "format": "ramify"}', "twice"),
        ("1" * 10_000, "not a model file"),
        ('{"format": "ramify"}', "version"),
        ('{"format": "ramify", "version": true}', "version"),
        ('{"format": "ramify", "version": 1}', "missing"),
        ('{"format": "ramify", "version": 99, "ramify_version": "9.1"}', "9.1.*newer"),
    ],
)
def test_not_a_model(text, message, tmp_path):
    with pytest.raises(ModelFileError, match=message):
        loads(text)
    path = tmp_path / "model.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ModelFileError, match=r"model\.json: "):
        load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"estimator": "os.system"}, "os.system"),
        ({"estimator": "TreeRegressor"}, "TreeRegressor"),
        ({"estimator": ["TreeClassifier"]}, "unknown"),
        ({"parameters": []}, "parameters"),
        ({"parameters": {"colour": 3}}, "colour"),
        ({"parameters": {"criterion": {"type": "code"}}}, "criterion"),
        ({"parameters": {"criterion": {"type": "dict", "items": [[[], 1]]}}}, "hashable"),
        ({"unsaved_parameters": [1]}, "unsaved_parameters"),
        ({"schema": None}, "schema"),
        ({"classes": {"dtype": "str", "values": ["no"]}}, "value"),
        ({"classes": {"dtype": "<U9999999999", "values": ["no", "yes"]}}, "dtype"),
        ({"tree": []}, "tree"),
        ({"extra": 1}, "extra"),
    ],
)
def test_damaged_entries_are_named(change, message):
    with pytest.raises(ModelFileError, match=message):
        loads(json.dumps(_document() | change))


def test_numbers_beyond_float64_are_refused():
    text = dumps(model("plain")).replace('"weight":[14.0', '"weight":[1e999')
    assert "1e999" in text
    with pytest.raises(ModelFileError, match="weight"):
        loads(text)


def test_every_truncation_is_refused():
    text = dumps(model("plain"))
    for end in range(0, len(text), 7):
        with pytest.raises(ModelFileError):
            loads(text[:end])
