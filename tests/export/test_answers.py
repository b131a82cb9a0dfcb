"""Every export answers as predict does, on every row of five data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.export_data import disturb, mixed, tables
from helpers.export_runners import EXACT, Answers, assert_equal, expected, run_pmml
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import (
    BoostedTreesClassifier,
    MixtureOfExpertsClassifier,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from ramify.export import ExportError, to_python
from ramify.splits import MergeLevels

TABLES = tables()
PARAMETERS: dict[str, dict[str, Any]] = {
    "fractional": {},
    "direction": {"missing": "direction"},
    "separate, multiway": {"missing": "separate", "categorical_split": "multiway"},
    "multiway, majority": {"categorical_split": "multiway", "unseen": "majority"},
    "majority, direction": {"missing": "direction", "unseen": "majority"},
    "merge, fractional": {"categorical_split": MergeLevels(alpha=0.3)},
    "merge, separate": {"missing": "separate", "categorical_split": MergeLevels(alpha=0.3)},
}


def fit(name: str, **parameters: Any) -> Any:
    X, y, _ = TABLES[name]
    kind = TreeClassifier if name != "numbers" else TreeRegressor
    return kind(**({"max_leaves": 20} | parameters)).fit(X, y)


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("data", TABLES)
@pytest.mark.parametrize("export", EXACT)
def test_answers_have_the_same_bits(export: str, data: str, parameters: str) -> None:
    model = fit(data, **PARAMETERS[parameters])
    assert_equal(EXACT[export](model, TABLES[data][2]), model, TABLES[data][2])


def test_models_of_several_trees_are_refused_with_the_reason() -> None:
    X = np.random.default_rng(0).normal(size=(200, 2))
    labels = np.where(X[:, 0] > 0, "high", "low")
    boosted = BoostedTreesClassifier(n_rounds=2).fit(X, labels)
    mixture = MixtureOfExpertsClassifier(depth=1, max_iter=500).fit(X, labels)
    with pytest.raises(ExportError, match="BoostedTreesClassifier is not one tree"):
        to_python(boosted)
    with pytest.raises(ExportError, match="to_hard_tree"):
        to_python(mixture)
    assert "def predict" in to_python(boosted.estimators_[0])
    assert "def predict" in to_python(mixture.to_hard_tree())


@pytest.mark.parametrize("export", EXACT)
def test_costs_decide(export: str) -> None:
    costs = [[0, 1, 2], [5, 0, 1], [1, 3, 0]]
    model = fit("mixed", costs=costs, min_samples_leaf=5)
    plain = fit("mixed", min_samples_leaf=5)
    rows = TABLES["mixed"][2]
    assert (model.predict(rows) != plain.predict(rows)).any()
    assert_equal(EXACT[export](model, rows), model, rows)


@pytest.mark.parametrize("export", EXACT)
@pytest.mark.parametrize("classes", [[1, 2, 3], [-1.0, 0.0, 3.0], [False, True, True]])
def test_labels_of_any_type(export: str, classes: list[Any]) -> None:
    X, y, rows = TABLES["mixed"]
    target = np.array(classes)[np.unique(y, return_inverse=True)[1]]
    weights = np.random.default_rng(0).uniform(0.1, 3, len(y))
    model = TreeClassifier(max_leaves=15, class_weight="balanced").fit(X, target, weights)
    assert_equal(EXACT[export](model, rows), model, rows)


@pytest.mark.parametrize("export", EXACT)
def test_a_single_leaf(export: str) -> None:
    X, y, rows = TABLES["mixed"]
    for model in (
        TreeClassifier(max_depth=0).fit(X, y),
        TreeRegressor(max_depth=0).fit(X, [*range(300)]),
    ):
        assert_equal(EXACT[export](model, rows), model, rows)


@pytest.mark.parametrize("export", EXACT)
def test_optimal_trees(export: str) -> None:
    X, y, rows = TABLES["titanic"]
    model = OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert_equal(EXACT[export](model, rows), model, rows)
    number = OptimalTreeRegressor(max_depth=2).fit(X, (np.asarray(y) == "yes") * 1.5)
    assert_equal(EXACT[export](number, rows), number, rows)


@pytest.mark.parametrize("export", EXACT)
@pytest.mark.parametrize("chain", [60, 600])
def test_a_deep_chain(export: str, chain: int) -> None:
    """Every step cuts off one leaf: nested code would be as deep as the tree."""
    x = np.arange(chain, dtype=float)
    X = pd.DataFrame({"x": x, "z": x % 2})
    # Weights fall so fast that the best cut always takes one end off.
    y = np.array(["a", "b"])[(x % 2).astype(int)]
    model = TreeClassifier().fit(X[["x"]], y, sample_weight=0.9 ** np.minimum(x, 700))
    assert model.get_depth() >= chain // 4
    rows = pd.DataFrame({"x": np.append(x + 0.25, [np.nan, np.inf, -np.inf])})
    if export in ("sqlite", "duckdb") and model.tree_.n_leaves > 500:
        from ramify.export import ExportError

        with pytest.raises(ExportError, match="mix=False"):
            EXACT[export](model, rows)
        found = EXACT[export](model, rows.dropna(), mix=False)  # type: ignore[operator]
        assert_equal(found, model, rows.dropna())
        return
    assert_equal(EXACT[export](model, rows), model, rows)


@settings(max_examples=6, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    classes=st.sampled_from([0, 2, 5]),
    missing=st.sampled_from(["fractional", "direction", "separate"]),
    split=st.sampled_from(["auto", "multiway", "merge"]),
    unseen=st.sampled_from(["missing", "majority"]),
    holes=st.sampled_from([0.0, 0.2]),
)
def test_random_tables(
    seed: int, classes: int, missing: Any, split: Any, unseen: Any, holes: float
) -> None:
    X, y = mixed(seed, 80, classes=classes, holes=holes)
    kind = TreeClassifier if classes else TreeRegressor
    model = kind(max_leaves=25, missing=missing, categorical_split=split, unseen=unseen).fit(X, y)
    rows = pd.concat([X, disturb(X, seed + 1, 0.4)], ignore_index=True)
    for run in EXACT.values():
        assert_equal(run(model, rows), model, rows)
    found = run_pmml(model, rows)
    compare_pmml(found, model, rows)


# --- PMML: rows that spread have no prediction, or are mixed by the reader -----------------------


def compare_pmml(found: Answers, model: Any, rows: pd.DataFrame, *, mixed: bool = False) -> None:
    labels, shares, _ = expected(model, rows)
    spread = (
        np.diff(model.decision_path(rows).indptr) > model.tree_.data["depth"][model.apply(rows)] + 1
    )
    answered = np.array([label is not None and label == label for label in found[0]])
    if not mixed:
        # A divided row may still reach only one leaf, if the other branches weigh nothing.
        assert not answered[spread].any()
        answered &= ~spread
    assert answered[~spread].all()
    same = np.array([a == b for a, b in zip(found[0], labels.tolist(), strict=True)])
    if shares is None:
        assert same[answered].all()
        return
    np.testing.assert_allclose(
        np.array(found[1], dtype=float)[answered], shares[answered], rtol=0, atol=1e-12
    )
    top = np.sort(shares, axis=1)
    clear = top[:, -1] - top[:, -2] > 1e-12 if shares.shape[1] > 1 else same
    assert same[answered & (clear | ~spread)].all()


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("data", TABLES)
def test_pmml_by_the_standard(data: str, parameters: str) -> None:
    model, rows = fit(data, **PARAMETERS[parameters]), TABLES[data][2]
    compare_pmml(run_pmml(model, rows), model, rows)
    if data != "numbers":
        compare_pmml(run_pmml(model, rows, mix=True), model, rows, mixed=True)
