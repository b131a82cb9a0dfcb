"""Costs of answers: any numbers, and a column for giving none."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from typer.testing import CliRunner

import ramify
from ramify import OptimalTreeClassifier, TreeClassifier, export
from ramify.cli import app
from ramify.evaluate import compare
from ramify.pruning import BestFirst, CostComplexity, CriticalValue, ErrorBased, ReducedError
from ramify.splits import best_nominal_split, score

PRUNINGS = [CostComplexity(), BestFirst(), ErrorBased(), ReducedError(), CriticalValue()]
ABSTAIN = [[0.0, 1.0, 0.3], [1.0, 0.0, 0.3]]


def table(seed: int = 0, rows: int = 300, classes: int = 3) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 6, rows).astype(str), "b": rng.random(rows)})
    wave = rng.random(rows) + 0.15 * X["a"].astype(int) + X["b"]
    y = np.array(["no", "perhaps", "yes"])[np.digitize(wave, [1.0, 1.6][: classes - 1])]
    X.loc[rng.random(rows) < 0.1, "b"] = np.nan
    return X, y


def answers(model: TreeClassifier, X: Any, costs: Any) -> list[Any]:
    """The cheapest answers to the shares that the model gives."""
    labels = [*model.classes_.tolist(), None]
    return [labels[i] for i in (model.predict_proba(X) @ np.array(costs)).argmin(axis=1)]


def assert_cheapest(model: TreeClassifier, X: Any, costs: np.ndarray) -> None:
    expected = model.predict_proba(X) @ costs
    places = list(model.tree_.answers)
    given = [places.index(one) for one in model.predict(X).tolist()]
    np.testing.assert_allclose(expected[np.arange(len(X)), given], expected.min(axis=1), atol=1e-9)


def matrices(columns: int) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, (3, columns), elements=st.integers(-9, 9).map(float))


@given(costs=matrices(3) | matrices(4), above=arrays(np.float64, 3, elements=st.integers(-5, 5)))
@settings(max_examples=40, deadline=None)
def test_any_numbers_are_costs(costs: np.ndarray, above: np.ndarray) -> None:
    """A cost that all answers to a class share changes no answer."""
    X, y = table(rows=80)
    for criterion in ("gini", "squared_gini", "entropy"):
        model = TreeClassifier(criterion=criterion, costs=costs, max_depth=3).fit(X, y)
        assert_cheapest(model, X, costs)
        other = TreeClassifier(criterion=criterion, costs=costs + above[:, None], max_depth=3)
        other.fit(X, y)
        one, two = (
            each.tree_.to_frame().drop(columns=["prediction", "confidence"])
            for each in (model, other)
        )
        assert one.equals(two)
        assert_cheapest(other, X, costs)  # answers that cost the same may differ by rounding


@pytest.mark.parametrize("pruning", PRUNINGS, ids=lambda pruning: type(pruning).__name__)
@pytest.mark.parametrize("abstain", [False, True])
def test_pruning_counts_costs_above_the_cheapest_answer(
    pruning: Any, abstain: bool, tmp_path: Path
) -> None:
    X, y = table(1)
    costs = np.array([[-2.0, 4, 7, 0], [3, 1, 5, 2], [9, 6, 0, 3]])[:, : 4 if abstain else 3]
    options = {
        "pruning": pruning,
        "min_samples_leaf": 4,
        "growth": "best_first" if isinstance(pruning, BestFirst) else "depth_first",
    }
    first, second = (
        TreeClassifier(costs=costs + above, **options).fit(X, y)
        for above in (0.0, np.array([[8.0], [-4.0], [16.0]]))
    )
    assert first.tree_.n_leaves == second.tree_.n_leaves
    assert first.predict(X).tolist() == second.predict(X).tolist() == answers(first, X, costs)
    first.save(tmp_path / "model.json")
    loaded = ramify.load(tmp_path / "model.json")
    assert loaded.predict(X).tolist() == first.predict(X).tolist()


def test_the_path_holds_mean_costs_above_the_cheapest_answer() -> None:
    X, y = table(2)
    X = X.fillna(0.5)
    costs = np.array([[-2.0, 4, 7, 0], [3, 1, 5, 2], [9, 6, 0, 3]])
    above = costs - costs.min(axis=1, keepdims=True)
    grown = TreeClassifier(costs=costs, min_samples_leaf=8).fit(X, y)
    path, codes = grown.pruning_path_, np.searchsorted(grown.classes_, y)
    for leaves, error in list(zip(path.leaves, path.training_error, strict=True))[:6]:
        model = TreeClassifier(costs=costs, min_samples_leaf=8).fit(X, y)
        pruned = model.prune(n_leaves=int(leaves))
        given = [list(pruned.tree_.answers).index(one) for one in pruned.predict(X).tolist()]
        assert error == pytest.approx(float(np.mean(above[codes, given])))


def test_growth_by_the_cost_of_treating_one_class_as_another() -> None:
    """Gini and squared Gini by their definitions, for gains and for answers that are not best."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        costs = rng.integers(-5, 6, (4, 4)).astype(float)
        best = [y if costs[y, y] == costs[y].min() else int(costs[y].argmin()) for y in range(4)]
        mixing = np.array(
            [[costs[x, best[y]] - costs[x].min() for y in range(4)] for x in range(4)]
        )
        children = rng.integers(0, 9, (2, 4)) + 1.0
        node = children.sum(axis=0)

        def gini(weights: np.ndarray, mixing: np.ndarray = mixing) -> float:
            share = weights / weights.sum()
            return float(share @ mixing @ share)

        drop = gini(node) - sum(c.sum() / node.sum() * gini(c) for c in children)
        assert score(children, criterion="gini", costs=costs) == pytest.approx(drop, abs=1e-12)
        left, right = children
        cut = (left @ mixing @ right + right @ mixing @ left) / node.sum() ** 2
        assert score(children, criterion="squared_gini", costs=costs) == pytest.approx(cut)
        split = best_nominal_split(
            rng.integers(0, 9, (5, 4)), method="greedy_cut", criterion="squared_gini", costs=costs
        )
        assert split is None or split.score >= 0.0


def test_abstaining() -> None:
    X, y = table(3, classes=2)
    y = np.where(y == "no", 0, 1)
    model = TreeClassifier(costs=ABSTAIN, min_samples_leaf=10).fit(X, y)
    given = model.predict(X)
    assert given.dtype == object and set(given.tolist()) == {0, 1, None}
    assert given.tolist() == answers(model, X, ABSTAIN)
    assert model.classes_.tolist() == [0, 1]
    assert model.predict_proba(X).shape == (len(y), 2)
    assert model.score(X, y) == pytest.approx(
        np.mean([a == b for a, b in zip(given, y, strict=True)])
    )
    # If abstaining is expensive enough, no row abstains and the trees are equal.
    dear = TreeClassifier(costs=[[0, 1, 2], [1, 0, 2]], min_samples_leaf=10).fit(X, y)
    plain = TreeClassifier(costs=[[0, 1], [1, 0]], min_samples_leaf=10).fit(X, y)
    assert dear.predict(X).tolist() == plain.predict(X).tolist()
    assert dear.predict(X).dtype == object and plain.predict(X).dtype == y.dtype
    free = TreeClassifier(costs=[[0, 1, 0], [1, 0, 0]]).fit([[0], [0]], [0, 1])
    assert free.predict([[0]]).tolist() == [None]


def test_what_shows_and_says_that_a_tree_abstains(tmp_path: Path) -> None:
    X, y = table(3, classes=2)
    model = TreeClassifier(costs=ABSTAIN, min_samples_leaf=10).fit(X, y)
    said = model.tree_.to_text()
    assert re.search(r"abstain \([\d.]+ rows, .*largest class \d+ %\)", said)
    assert re.search(r"abstain, largest class \d+ %$", said, re.MULTILINE)
    assert "| abstain | largest class" in export.rules_to_markdown(model)
    assert any(
        "then abstain (" in str(rule) and "largest class" in str(rule)
        for rule in model.tree_.rules()
    )
    assert 0 < model.tree_.to_frame()["prediction"].isna().sum() < model.tree_.n_nodes
    assert re.search(r'label="abstain\\n[\d.]+ rows, largest class', export.to_dot(model))
    assert "abstain" in model.tree_.to_svg()
    row = X[[one is None for one in model.predict(X)]].iloc[:1]
    told = model.explain(row)
    assert told.prediction is None and "=> abstain (largest class " in str(told)
    assert "then abstain (" in export.rules_to_text(
        model
    ) and "| abstain |" in export.rules_to_markdown(model)
    rules = [rule.label for rule in model.tree_.rules()]
    assert export.rules_to_frame(model, backend="pyarrow")["prediction"].to_pylist() == rules
    cells = [line.split(",")[-6] for line in export.rules_to_csv(model).splitlines()[1:]]
    assert cells == ["" if label is None else label for label in rules]
    for form in ("sql", "python", "c", "pmml", "onnx"):
        with pytest.raises(export.ExportError, match="abstains where its costs say so"):
            getattr(export, f"to_{form}")(model)
    with pytest.raises(ValueError, match="abstains where costs say so, which the report"):
        model.report(tmp_path / "report.html", X, y)
    model.save(tmp_path / "model.json")
    X.to_csv(tmp_path / "rows.csv", index=False)
    ran = CliRunner().invoke(
        app, ["predict", str(tmp_path / "model.json"), str(tmp_path / "rows.csv")]
    )
    assert ran.exit_code == 0, ran.output
    cells = [row[0] for row in csv.reader(ran.stdout.splitlines())][1:]
    assert cells == [one or "" for one in model.predict(X).tolist()]


def test_comparing_trees_that_abstain() -> None:
    X, y = table(3, classes=2)
    models = {"abstains": TreeClassifier(costs=ABSTAIN), "answers": TreeClassifier()}
    found = compare(models, {"data": (X, y)}, cv=3, scores=["accuracy"])
    means = found.to_frame().groupby("learner")["accuracy"].mean()
    assert 0 < means["abstains"] < means["answers"]
    wanted = "f1: ValueError: this measure needs an answer to every row"
    with pytest.warns(UserWarning, match=wanted):
        compare(models, {"data": (X, y)}, cv=3, scores=["f1"])


def test_optimal_trees_take_any_square_costs() -> None:
    X, y = table(4, rows=120)
    numbers = X[["b"]].fillna(0.5)
    costs = np.array([[-2.0, 4, 7], [3, 1, 5], [9, 6, 0]])
    first, second = (
        OptimalTreeClassifier(max_depth=2, costs=costs + above).fit(numbers, y)
        for above in (0.0, np.array([[8.0], [-4.0], [16.0]]))
    )
    assert first.predict(numbers).tolist() == second.predict(numbers).tolist()
    codes, given = (np.searchsorted(first.classes_, one) for one in (y, first.predict(numbers)))
    above = costs - costs.min(axis=1, keepdims=True)
    assert first.error_ == second.error_ == pytest.approx(float(np.mean(above[codes, given])))
    with pytest.raises(ValueError, match=r"3 classes need \(3, 3\), true class"):
        OptimalTreeClassifier(costs=np.ones((3, 4))).fit(numbers, y)


@pytest.mark.parametrize(
    ("learner", "costs", "message"),
    [
        (
            TreeClassifier,
            np.ones((2, 4)),
            r"^costs=.* has shape \(2, 4\); 2 classes need \(2, 2\), or \(2, 3\) with",
        ),
        (
            OptimalTreeClassifier,
            np.ones((2, 3)),
            r"^costs=.* has shape \(2, 3\); 2 classes .* only TreeClassifier .* for abstaining$",
        ),
        (TreeClassifier, [[0, 1], [np.inf, 0]], r"^costs\[1\]\[0\]=inf must be finite"),
        (TreeClassifier, [[0, 1], [-1e308, 1e308]], r"^costs\[1\]\[0\]=-1e\+308 is beyond 1e\+140"),
    ],
)
def test_what_is_wrong_with_costs_is_said_in_a_line(learner: Any, costs: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as found:
        learner(costs=costs).fit([[0], [1]], ["no", "yes"])
    assert "\n" not in str(found.value)
