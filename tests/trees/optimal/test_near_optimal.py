"""Near-best trees of an estimator: whole tables, holes, categories, weights and costs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.near_data import oracle_of
from helpers.optimal_data import mixed
from sklearn.datasets import load_iris

from ramify import OptimalTreeClassifier, OptimalTreeRegressor, TreeClassifier, _core
from ramify.datasets import load_weather
from ramify.tables import Table
from ramify.trees.optimal.features import add_features, all_features, column_facts


def small(seed: int, n: int = 12) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 3, n).astype(float)
    numbers[rng.random(n) < 0.25] = np.nan
    return pd.DataFrame({"n": numbers, "c": rng.choice(list("pqr"), n), "b": rng.integers(0, 2, n)})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_a_table_with_holes_and_categories_has_the_trees_of_the_enumeration(
    seed: int, epsilon: float
) -> None:
    X = small(seed)
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, len(X))
    weights = rng.integers(1, 3, len(X)).astype(float) if seed % 2 else None
    costs = np.array([[0.0, 1.0], [2.0, 0.0]]) if seed % 3 == 0 else None
    oracle = oracle_of(X, y, classes=2, weights=weights, costs=costs)
    total = oracle.row_weights.sum()
    wanted = oracle.near(2, epsilon * total, sparsity=0.02 * total)
    near = OptimalTreeClassifier(
        max_depth=2, sparsity=0.02, features="all", start=None, costs=costs
    ).near_optimal(X, y, weights, epsilon=epsilon)
    assert near.count == len(wanted) == len(near)
    assert near.complete and near.epsilon == pytest.approx(epsilon)
    assert near.best_objective == pytest.approx(wanted[0][0] / total)
    texts = set()
    for number in range(min(near.count, 60)):
        tree = near[number]
        tree.check()
        texts.add(tree.to_text())
        leaves = tree.data["kind"] == 0
        error = near._near.target.tree_error(tree.data)
        assert near.objective(number) == pytest.approx(error + 0.02 * leaves.sum(), abs=1e-9)
    assert len(texts) == min(near.count, 60)
    for j in range(3):
        without = [one for one in wanted if j not in oracle.used(one[2])]
        assert near.without(j).count == len(without)
        assert near.without(X.columns[j]).count == len(without)


def test_numbers_are_enumerated_too() -> None:
    X, rng = small(3), np.random.default_rng(3)
    y = rng.normal(size=len(X))
    oracle = oracle_of(X, y)
    whole = oracle.leaf(oracle.all)[0]
    wanted = oracle.near(2, 0.3 * whole, sparsity=0.05 * whole)
    reg = OptimalTreeRegressor(max_depth=2, sparsity=0.05, features="all", start=None)
    near = reg.near_optimal(X, y, epsilon=0.3)
    assert near.count == len(wanted) > 1
    answers = np.array([oracle.answers(tree) for *_, tree in wanted])
    np.testing.assert_allclose(near.agreement()[:, 0], answers.mean(axis=0))
    np.testing.assert_allclose(near.agreement()[:, 1], answers.std(axis=0), atol=1e-6)
    far = near.most_different()
    assert far.distance == pytest.approx(
        ((answers - oracle.answers(wanted[0][2])) ** 2).mean(axis=1).max()
    )


def test_the_first_tree_is_as_good_as_that_of_a_fit() -> None:
    X, y = mixed(0)
    clf = OptimalTreeClassifier(max_depth=2, sparsity=0.005, n_thresholds=10, features="mid")
    near = clf.near_optimal(X, y, epsilon=0.01)
    assert near.best_objective == pytest.approx(clf.fit(X, y).objective_)
    assert near[0].n_leaves == near.levels[0].leaves
    assert near.objective(near.count - 1) <= near.best_objective + 0.01 + 1e-9
    assert not hasattr(OptimalTreeClassifier(), "tree_")


def test_parts_of_a_set_are_nested() -> None:
    weather = load_weather()
    clf = OptimalTreeClassifier(max_depth=3, sparsity=0.01)
    near = clf.near_optimal(weather.data, weather.y, epsilon=0.15)
    names = list(weather.data)
    assert sum(near.with_root(name).count for name in names) + near.at_most(1).count == near.count
    assert near.at_most(3).without("windy").count <= near.without("windy").count
    assert near.within(0.0).levels[0].objective == near.levels[0].objective
    assert near.within(0.0).count == sum(
        level.count for level in near.levels if level.objective < near.best_objective + 1e-9
    )
    assert "outlook" not in near.without("outlook")[0].to_text()
    for tree in near.with_root("windy").sample(5):
        assert names[tree.data["attribute"][0]] == "windy"
    shown = near.columns()
    assert list(shown.column) == names and (shown.least <= shown.most + 1e-12).all()
    assert near.without(*names).count <= 1


def test_samples_are_uniform() -> None:
    weather = load_weather()
    near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
        weather.data, weather.y, epsilon=0.02
    )
    drawn = [tree.to_text() for tree in near.sample(400 * near.count, random_state=1)]
    counts = np.array([drawn.count(near[i].to_text()) for i in range(near.count)])
    assert counts.sum() == 400 * near.count
    assert (np.abs(counts - 400) < 6 * 20).all()


def test_the_closest_tree_to_the_model_in_use() -> None:
    X, y = load_iris(return_X_y=True)
    old = TreeClassifier(max_depth=2).fit(X[::2], y[::2])
    near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(X, y, epsilon=0.03)
    closest, farthest = near.closest(old), near.most_different(old)
    model = old.predict(X)
    moved = []
    for tree in near:
        codes = tree.core.predict_class(near._near.table.cells, "missing", 1, None)
        moved.append((np.arange(3)[codes] != model).mean())
    assert closest.distance == pytest.approx(min(moved))
    assert farthest.distance == pytest.approx(max(moved))
    assert near.closest(model).distance == closest.distance
    with pytest.raises(ValueError, match="150 training rows"):
        near.closest(model[:5])


def test_what_ends_a_search_early_is_said() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (200, 12)), rng.integers(0, 2, 200)
    clf = OptimalTreeClassifier(max_depth=3)
    near = clf.near_optimal(X, y, epsilon=0.05, max_trees=50)
    assert near.stopped_by == "max_trees" and not near.complete and near.epsilon < 0.05
    assert near.count == clf.near_optimal(X, y, epsilon=near.epsilon).count
    with pytest.raises(TimeoutError, match="time_limit"):
        clf.near_optimal(X, y, epsilon=0.05, time_limit=1e-6)
    with pytest.raises(ValueError, match="epsilon=-1 must be"):
        clf.near_optimal(X, y, epsilon=-1)
    with pytest.raises(ValueError, match="'grow'"):
        OptimalTreeClassifier(n_thresholds="grow", features="mid").near_optimal(X, y, epsilon=0)
    with pytest.raises(ValueError, match="column 'age' is not among"):
        near.without("age")
    with pytest.raises(IndexError, match="set of"):
        near[near.count]


def test_it_is_shown() -> None:
    weather = load_weather()
    near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
        weather.data, weather.y, epsilon=0.05
    )
    text = str(near)
    assert text.startswith(f"{near.count} trees within 0.05 of the best objective, ")
    assert "used by" in text and "same answer from every tree" in text
    assert near._repr_html_().count("<tr>") == 1 + (near.columns().used > 0).sum()
    assert repr(near) == f"<RashomonSet of {near.count} trees within 0.05 of the best>"


def test_the_ranges_are_plotted() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = load_iris(return_X_y=True)
    near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(X, y, epsilon=0.02)
    ax = near.plot()
    dots = ax.get_lines()[0].get_xdata()
    spans = [segment[:, 0] for segment in ax.collections[0].get_segments()]
    assert len(dots) == len(spans) == (near.columns().used > 0).sum()
    for dot, (low, high) in zip(dots, spans, strict=True):
        assert low - 1e-9 <= dot <= high + 1e-9
    assert near.plot(ax=ax) is ax


def test_twin_columns_are_different_questions() -> None:
    rng = np.random.default_rng(1)
    one = rng.integers(0, 2, 30)
    X = pd.DataFrame({"a": one, "twin": one, "b": rng.integers(0, 2, 30)})
    y = np.where(rng.random(30) < 0.1, 1 - one, one)
    near = OptimalTreeClassifier(max_depth=1).near_optimal(X, y, epsilon=0.0)
    assert near.count == 2 and near.without("a").count == near.without("twin").count == 1
    table = Table.read(X)
    features = _core.FeatureSet(30, across_columns=False)
    add_features(features, all_features(table, column_facts(table)))
    assert features.columns == [0, 1, 2]


def test_trees_are_tested_one_by_one() -> None:
    weather = load_weather()
    near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
        weather.data, weather.y, epsilon=0.08
    )
    asked: list[int] = []

    def shallow(tree: Any) -> bool:
        asked.append(tree.n_leaves)
        return bool(tree.n_leaves <= 3)

    found = next(near.where(shallow))
    assert found.to_text() == near.at_most(3)[0].to_text()
    assert len(asked) < near.count
    assert sum(1 for _ in near.where(lambda tree: tree.n_leaves <= 3)) == near.at_most(3).count
    with pytest.raises(ValueError, match="test=3 must be a callable"):
        near.where(3)


def test_a_page_shows_the_set(tmp_path: Path) -> None:
    weather = load_weather()
    data = {
        "<b>windy</b>" if name == "windy" else name: weather.data[name] for name in weather.data
    }
    near = OptimalTreeClassifier(max_depth=2, sparsity=0.01).near_optimal(
        data, weather.y, epsilon=0.08
    )
    page = near.report(tmp_path / "near.html", title="Play & <run>", trees=4)
    assert (tmp_path / "near.html").read_text(encoding="utf-8") == page
    assert "<title>Play &amp; &lt;run&gt;</title>" in page and "<b>windy</b>" not in page
    assert "<script" not in page and "http://" not in page.replace("http://www.w3.org/", "")
    assert near.summary()[0] in page
    found = near.columns()
    for name, least, most in zip(found.column, found.least, found.most, strict=True):
        if most > 0:
            assert f"{least:.3f} to {most:.3f}" in page and escape(name) in page
    shares = near.agreement()
    divided = int(np.argmin(shares.max(axis=1)))
    assert f">{divided}</td>" in page
    assert 2 <= page.count("<figure") <= 4
    assert near.without(*data).within(0).report().count("<h2>") == 0
    numbers = OptimalTreeRegressor(max_depth=2, sparsity=0.02).near_optimal(
        data, (np.asarray(weather.y) == "yes") * 1.0, epsilon=0.05
    )
    assert "mean answer" in numbers.report() and "mean squared difference" in numbers.report()
