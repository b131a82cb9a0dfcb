"""The classical learners by name: what they set, what can be overridden, what they grow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from ramify import TreeClassifier, TreeRegressor, presets
from ramify.datasets import load_titanic, load_weather
from ramify.pruning import BestFirst, CostComplexity, ErrorBased

SHI = {
    "criterion": "gini",
    "categorical_split": "shi",
    "min_samples_leaf": 2,
    "abandon_small": True,
    "min_gain": 5e-8,
    "missing_gain": "divided",
    "missing_count": "pieces",
    "unseen": "majority",
}
EXPECTED: dict[str, dict[str, Any]] = {
    "id3": {"criterion": "entropy", "categorical_split": "multiway"},
    "c45": {
        "criterion": "gain_ratio",
        "categorical_split": "multiway",
        "numeric_penalty": True,
        "small_branches": True,
        "min_samples_leaf": 2,
        "pruning": ErrorBased(),
    },
    "cart": {"criterion": "gini", "categorical_split": "auto"},
    "twoing_cart": {"criterion": "twoing", "categorical_split": "twoing"},
    "ctree": {
        "selection": "conditional_inference",
        "alpha": 0.05,
        "min_samples_split": 20,
        "min_samples_leaf": 7,
    },
    "bftree": SHI
    | {"growth": "best_first_unweighted", "pruning": BestFirst(finished_folds="drop")},
    "simple_cart": SHI | {"pruning": CostComplexity(rule="min")},
    "chaid": {
        "criterion": "chi2",
        "categorical_split": "merge",
        "selection": "chaid",
        "alpha": 0.05,
        "missing": "separate",
    },
}


def test_all_presets_are_listed() -> None:
    assert sorted(presets.__all__) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_preset_sets_what_it_says_and_nothing_else(name: str) -> None:
    estimator = getattr(presets, name)()
    assert type(estimator) is TreeClassifier
    assert estimator.get_params() == TreeClassifier().get_params() | EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_overrides_pass_through(name: str) -> None:
    estimator = getattr(presets, name)(max_depth=2, missing="direction", criterion="entropy")
    wanted = {"max_depth": 2, "missing": "direction", "criterion": "entropy"}
    wanted |= {"missing_gain": "known", "missing_count": "parts"}  # no row is divided
    assert estimator.get_params() == TreeClassifier().get_params() | EXPECTED[name] | wanted
    with pytest.raises(TypeError, match="max_dept"):
        getattr(presets, name)(max_dept=2)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_preset_fits_a_table_as_it_is(name: str) -> None:
    data = load_titanic()
    estimator = getattr(presets, name)()
    fitted = estimator.fit(data.X, data.y)
    fitted.tree_.check()
    # women and the first class were saved: every learner finds that much in the rows it grew from
    assert fitted.score(data.X, data.y) > 0.77
    assert clone(fitted).get_params() == estimator.get_params()


@pytest.mark.parametrize("name", ["cart", "ctree"])
def test_regression(name: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.random((200, 2))
    y = np.where(x[:, 0] < 0.5, 0.0, 5.0) + rng.normal(scale=0.1, size=200)
    estimator = getattr(presets, name)(task="regression")
    assert type(estimator) is TreeRegressor
    fitted = estimator.fit(x, y)
    assert fitted.tree_.condition(0).attribute == "x0"
    assert fitted.score(x, y) > 0.99


@pytest.mark.parametrize("name", ["cart", "ctree"])
def test_an_unknown_task_lists_the_choices(name: str) -> None:
    with pytest.raises(ValueError, match="task='survival' is not valid; choose from classif"):
        getattr(presets, name)(task="survival")


def test_id3_gives_quinlans_tree() -> None:
    weather = load_weather()
    columns = {name: weather.data[name] for name in ("outlook", "windy")}
    columns["humid"] = np.where(np.asarray(weather.data["humidity"], dtype=float) > 75, "y", "n")
    tree = presets.id3().fit(columns, weather.y).tree_
    # Quinlan (1986), figure 2: outlook, then humidity where sunny and windy where rainy
    assert tree.condition(0).attribute == "outlook"
    assert (tree.n_leaves, tree.depth) == (5, 2)


def test_c45_pays_for_the_choice_of_a_threshold() -> None:
    """Sixteen distinct numbers that gain less than log2(15)/16 are not worth a cut."""
    x = np.arange(16.0)[:, None]
    y = np.array(list("aabbababbaabbaba"))
    assert presets.c45().fit(x, y).tree_.n_leaves == 1
    assert presets.c45(numeric_penalty=False, pruning=None).fit(x, y).tree_.n_leaves > 1


@pytest.mark.parametrize("name", ["ctree", "chaid"])
def test_noise_is_not_split_on(name: str) -> None:
    rng = np.random.default_rng(5)
    grown = 0
    for _ in range(40):
        X = rng.choice(list("abc"), (200, 1)).astype(object)
        y = rng.choice(["no", "yes"], 200)
        grown += getattr(presets, name)().fit(X, y).tree_.n_leaves > 1
        assert presets.id3().fit(X, y).tree_.n_leaves > 1
    # 40 tests at the 5 % level: 2 expected, 8 or more with probability 0.0007
    assert grown < 8
