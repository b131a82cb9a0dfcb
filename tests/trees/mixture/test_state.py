"""Model files of mixtures of experts."""

from __future__ import annotations

import copy
import json
import warnings
from typing import Any

import numpy as np
import pytest
from helpers.mixture_data import estimator, mixed, target
from helpers.model_schema import validator
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor, TreeClassifier, load
from ramify.files import ModelFileError, dumps, loads

X = mixed(0)
KEPT = ("loglik_path_", "held_out_path_", "objectives_", "n_iter_", "converged_", "stopped_by_")


def fitted(n_classes: int, **parameters: Any) -> Any:
    y = target(X, 0, n_classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator(n_classes, max_iter=4, **parameters).fit(X, y)


MODELS = {
    "numbers": lambda: fitted(0),
    "two classes": lambda: fitted(2, class_weight="balanced"),
    "three classes and branches": lambda: fitted(3, depth=1, branching=3, early_stopping=True),
    "one class": lambda: fitted(1, depth=1),
    "one expert": lambda: fitted(0, depth=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_round_trip(name: str, tmp_path: Any) -> None:
    model = MODELS[name]()
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.gate_probabilities(X), model.gate_probabilities(X))
    if hasattr(model, "classes_"):
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.to_hard_tree() == model.to_hard_tree()
    assert again.feature_names_in_.tolist() == model.feature_names_in_.tolist()
    for one in (*KEPT, "hard_tree_agreement_"):
        np.testing.assert_array_equal(getattr(again, one), getattr(model, one))
    assert dumps(again) == dumps(model)


@pytest.mark.parametrize("name", MODELS)
def test_saved_files_satisfy_the_published_schema(name: str) -> None:
    document = json.loads(dumps(MODELS[name]()))
    assert document["version"] == 4
    validator().validate(document)


def test_only_fitted_mixtures_are_saved(tmp_path: Any) -> None:
    with pytest.raises(NotFittedError):
        MixtureOfExpertsRegressor().save(tmp_path / "m.json")
    with pytest.raises(NotFittedError):
        dumps(MixtureOfExpertsClassifier())


DOCUMENT = json.loads(dumps(MODELS["numbers"]()))
DAMAGES = {
    "mixture must be an object with": lambda m: m.pop("gates"),
    "mixture.gates has": lambda m: m["gates"].append(1.0),
    "too few numbers": lambda m: m.update(depth=9),
    "make over 4096 experts": lambda m: m.update(depth=60),
    "mixture.depth and mixture.branching": lambda m: m.update(branching=1),
    "mixture.variances is missing": lambda m: m.update(variances=None),
    "mixture.variances must be above 0": lambda m: m.update(variances=[0, 1, 1, 1]),
    "mixture.variances has 1 numbers, expected 4": lambda m: m.update(variances=[1]),
    "mixture.experts must be a list of numbers": lambda m: m.update(experts=["1"]),
    "mixture.encoding must be": lambda m: m.update(encoding=[]),
    "mixture.encoding.means has 1": lambda m: m["encoding"].update(means=[0.0]),
    "mixture.encoding.scales must be above 0": lambda m: m["encoding"].update(scales=[0.0] * 4),
    "mixture.encoding.shares must be 4 lists": lambda m: m["encoding"].update(shares=[]),
    r"mixture.encoding.shares\[0\] has 1": lambda m: m["encoding"]["shares"][0].append(0.5),
    "mixture.n_iter": lambda m: m.update(n_iter=-1),
    "mixture.converged": lambda m: m.update(converged=1),
    "mixture.stopped_by": lambda m: m.update(stopped_by="luck"),
    "mixture.hard_tree_agreement": lambda m: m.update(hard_tree_agreement=2),
}


@pytest.mark.parametrize("message", DAMAGES)
def test_damaged_mixtures_are_named(message: str) -> None:
    document = copy.deepcopy(DOCUMENT)
    DAMAGES[message](document["mixture"])
    with pytest.raises(ModelFileError, match=message):
        loads(json.dumps(document))


def test_only_mixtures_have_one() -> None:
    tree = json.loads(dumps(TreeClassifier().fit([[1.0], [2.0]], [0, 1])))
    with pytest.raises(ModelFileError, match="unknown entry 'mixture'"):
        loads(json.dumps(tree | {"mixture": DOCUMENT["mixture"]}))
    without = {key: value for key, value in DOCUMENT.items() if key != "mixture"}
    with pytest.raises(ModelFileError, match="'mixture' is missing"):
        loads(json.dumps(without))
    with pytest.raises(ModelFileError, match="unknown entry 'pruning'"):
        loads(json.dumps(DOCUMENT | {"pruning": {"grown": DOCUMENT["tree"]}}))


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(DOCUMENT["mixture"])),
    value=st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-5, 10**20),
        st.floats(allow_nan=False),
        st.text(max_size=3),
        st.lists(st.one_of(st.none(), st.floats(allow_nan=False)), max_size=5),
        st.dictionaries(st.sampled_from(["means", "scales", "shares"]), st.lists(st.none())),
    ),
)
def test_anything_else_is_refused_or_predicts(name: str, value: Any) -> None:
    document = copy.deepcopy(DOCUMENT)
    document["mixture"][name] = value
    try:
        model = loads(json.dumps(document))
    except ModelFileError:
        return
    assert model.predict(X).shape == (len(X),)
