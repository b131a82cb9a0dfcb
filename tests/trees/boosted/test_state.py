"""Boosted trees in model files: what is saved comes back, and damage is named."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import pytest
from helpers.boosted_data import NAMES, table
from helpers.model_schema import validator

import ramify
from ramify import BoostedTreesClassifier, TreeClassifier
from ramify.files import ModelFileError, dumps, loads


@functools.cache
def model(name: str, k: int) -> BoostedTreesClassifier:
    X, y, w = table(1, k, 80, holes=True)
    labels = np.array(["a", "b", "c"])[y]
    clf = BoostedTreesClassifier(
        algorithm=name,  # type: ignore[arg-type]
        n_rounds=6,
        max_leaves=4,
        n_iter_no_change=3 if k == 2 else None,
    )
    return clf.fit(X, labels, w)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name: str, k: int, tmp_path: Any) -> None:
    saved = model(name, k)
    saved.save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text("utf-8")
    validator().validate(json.loads(text))
    loaded = ramify.load(tmp_path / "model.json")
    X = table(2, k, 50, holes=True)[0]
    for ask in ("decision_function", "predict", "predict_proba"):
        np.testing.assert_array_equal(getattr(loaded, ask)(X), getattr(saved, ask)(X))
    assert loaded.estimators_ == saved.estimators_
    assert loaded.get_params() == saved.get_params()
    assert loaded.n_rounds_ == saved.n_rounds_ and loaded.stopped_ == saved.stopped_
    np.testing.assert_array_equal(loaded.train_score_, saved.train_score_)
    assert hasattr(loaded, "validation_score_") == (k == 2)
    assert loaded.feature_names_in_.tolist() == ["x", "level", "coarse"]
    assert dumps(loaded) == text


def test_what_was_fitted_counts_not_what_was_set_since() -> None:
    saved = BoostedTreesClassifier(n_rounds=2).fit(*table(1, 2)[:2])
    X = table(2, 2)[0]
    before = saved.decision_function(X)
    saved.set_params(algorithm="real", z_max=1.0)
    np.testing.assert_array_equal(loads(dumps(saved)).decision_function(X), before)


def test_one_class() -> None:
    loaded = loads(dumps(BoostedTreesClassifier().fit([[1], [2]], ["a", "a"])))
    assert loaded.predict([[3]]).tolist() == ["a"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"algorithm": "ada"}, "boosting.algorithm='ada' is unknown; valid choices: logit"),
        ({"algorithm": "real"}, r"boosting\.trees\[0\] must be a tree of classification"),
        ({"unseen": "ignore"}, "boosting.unseen='ignore'"),
        ({"stopped": "tired"}, "boosting.stopped='tired'"),
        ({"z_max": -1.0}, "boosting.z_max=-1.0 must be above 0"),
        ({"weights": [0.3]}, "6 trees have 1 weights"),
        ({"weights": "all"}, "boosting.weights must be finite numbers"),
        ({"train_loss": [None]}, "boosting.train_loss must be"),
        ({"held_out_loss": 1.0}, "boosting.held_out_loss must be"),
        ({"trees": {}}, "boosting.trees must be a list"),
        ({"trees": [1]}, "do not make rounds of 3 for 3 classes"),
        ({"trees": [1, 2, 3]}, r"boosting\.trees\[0\] must be a tree without"),
        ({"other": 1}, "boosting must be an object with algorithm"),
    ],
)
def test_damage_is_named(change: Any, message: str) -> None:
    saved = BoostedTreesClassifier(n_rounds=2).fit(*table(1, 3)[:2])
    document = json.loads(dumps(saved))
    document["boosting"] |= change
    with pytest.raises(ModelFileError, match=message):
        loads(json.dumps(document))


def test_trees_and_boosted_trees_are_not_mistaken() -> None:
    boosted = json.loads(dumps(model("logit", 2)))
    single = json.loads(dumps(TreeClassifier().fit([[1], [2]], [0, 1])))
    assert boosted["version"] == 4 and single["version"] == 2
    with pytest.raises(ModelFileError, match="unknown entry 'tree'"):
        loads(json.dumps(boosted | {"tree": single["tree"]}))
    with pytest.raises(ModelFileError, match="unknown entry 'boosting'"):
        loads(json.dumps(single | {"boosting": boosted["boosting"]}))
    del boosted["boosting"]
    with pytest.raises(ModelFileError, match="'boosting' is missing"):
        loads(json.dumps(boosted))
