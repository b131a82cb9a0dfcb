"""P-values at nodes: of the attribute taken, of the others, and of leaves that tests stopped."""

from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest
from helpers.growth_data import fit, random_problem
from oracles import inference
from oracles.greedy import grow
from scipy.stats import chi2

import ramify
from ramify import RamifyWarning, TreeClassifier, TreeRegressor, presets
from ramify.datasets import load_weather
from ramify.splits import MergeLevels
from ramify.trees.greedy.significance import least_p_value


def p_values_of(problem, rows):
    """The adjusted p-value of every attribute that can be tested, by the oracle."""
    found = {}
    for attribute in range(len(problem.columns)):
        if inference.passes(problem, rows, attribute):
            _, df, log_p = inference.test_of(problem, rows, attribute)
            if df:
                found[attribute] = log_p
    return {a: inference.adjusted(problem, log_p, len(found)) for a, log_p in found.items()}


@pytest.mark.parametrize("classes", [2, 3, 0])
@pytest.mark.parametrize("weights", ["none", "real"])
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("bonferroni", [True, False])
def test_leaves_and_competitors_of_conditional_inference(classes, weights, missing, bonferroni):
    stopped = others = 0
    for seed in range(41, 45):
        problem = random_problem(
            seed,
            rows=60,
            kinds="numeric nominal ordinal numeric",
            classes=classes,
            weights=weights,
            holes=0.1,
            missing=missing,
            criterion="gini" if classes else "squared_error",
            selection="conditional_inference",
            alpha=0.2,
            bonferroni=bonferroni,
        )
        tree = fit(problem)
        for node, expected in zip(tree.nodes, grow(problem), strict=True):
            p = p_values_of(problem, expected.rows)
            if node.is_leaf:
                least = min(p.values(), default=math.nan)
                pure = len(np.unique(problem.target[expected.rows.index])) < 2
                if least > problem.alpha and not pure and expected.rows.support >= 2:
                    assert node.p_value == pytest.approx(least, rel=1e-6)
                    stopped += 1
                else:
                    assert node.p_value is None
                continue
            assert node.p_value == pytest.approx(p[expected.split.attribute], rel=1e-6)
            for one in node.competitors:
                if one.condition.column not in p:  # known against missing of a constant
                    assert one.p_value is None
                    continue
                assert one.p_value == pytest.approx(p[one.condition.column], rel=1e-6)
                assert f"p {one.p_value:.3g}" in str(one)
                others += 1
    assert stopped > 5 and others > 5


def test_without_tests_there_are_no_p_values():
    weather = load_weather()
    tree = TreeClassifier().fit(weather.data, weather.y).tree_
    assert all(node.p_value is None for node in tree.nodes)
    assert all(one.p_value is None for node in tree.nodes for one in node.competitors)
    assert tree.nodes[0].competitors and ", p " not in str(tree.nodes[0].competitors[0])


def test_a_leaf_that_chaid_stopped():
    weather = load_weather()
    clf = presets.chaid(alpha=0.01).fit(weather.data, weather.y)
    (root,) = clf.tree_.nodes
    by_hand = [
        presets.chaid(alpha=1.0, max_depth=1).fit({name: column}, weather.y).tree_.nodes[0].p_value
        for name, column in weather.data.items()
    ]
    assert root.p_value == pytest.approx(min(p for p in by_hand if p is not None))


def grown_and_noise():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=300) > 0).astype(int)
    return X, y


def test_a_node_that_pruning_cuts_off_was_not_stopped_by_a_test():
    X, y = grown_and_noise()
    clf = presets.ctree().fit(X, y)
    small = clf.prune(alpha=0.05)
    assert small.tree_.n_leaves < clf.tree_.n_leaves
    before = {(n.depth, n.rows, n.weight): n for n in clf.tree_.nodes}
    kept = 0
    for node in small.tree_.nodes:
        if node.is_leaf:
            was = before[node.depth, node.rows, node.weight]
            assert node.p_value == (was.p_value if was.is_leaf else None)
            kept += was.is_leaf and node.p_value is not None
    assert any(node.p_value for node in clf.tree_.nodes if node.is_leaf)


def test_model_files_keep_them(tmp_path):
    X, y = grown_and_noise()
    clf = presets.ctree().fit(X, y)
    clf.save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    assert document["version"] == 7
    again = ramify.load(tmp_path / "model.json").tree_
    for one, other in zip(clf.tree_.nodes, again.nodes, strict=True):
        assert one.p_value == other.p_value
        assert [c.p_value for c in one.competitors] == [c.p_value for c in other.competitors]
    # A file of an earlier release has no p-values of competitors.
    document["version"] = 6
    del document["tree"]["competitors"]["log_p"]
    (tmp_path / "older.json").write_text(json.dumps(document))
    older = ramify.load(tmp_path / "older.json").tree_
    assert older.nodes[0].competitors
    assert all(one.p_value is None for one in older.nodes[0].competitors)
    assert older.nodes[0].p_value == clf.tree_.nodes[0].p_value


def test_other_models_stay_at_the_lowest_version(tmp_path):
    weather = load_weather()
    TreeClassifier().fit(weather.data, weather.y).save(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["version"] < 7


def test_notebooks_show_the_p_values():
    X, y = grown_and_noise()
    assert "p-value" in presets.ctree().fit(X, y).tree_.nodes[0].competitors._repr_html_()
    assert "p-value" not in TreeClassifier().fit(X, y).tree_.nodes[0].competitors._repr_html_()


# --- weights that leave every test without a chance


@pytest.mark.parametrize("model", ["ctree", "chaid"])
def test_weights_that_sum_to_one(model):
    X, y = grown_and_noise()
    learner = getattr(presets, model)()
    with pytest.warns(
        RamifyWarning, match=r"weights of the rows sum to 1, .*alpha is 0\.05"
    ) as found:
        learner.fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))
    assert found[0].filename == __file__
    assert learner.tree_.n_nodes == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learner.fit(X, y).tree_.n_nodes > 1
        TreeClassifier().fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))


def test_fishers_f_has_no_such_limit():
    X, y = grown_and_noise()
    reg = TreeRegressor(selection="chaid", categorical_split=MergeLevels())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reg.fit(X, y.astype(float), sample_weight=np.full(len(y), 3 / len(y)))


@pytest.mark.parametrize("weight", [2.0, 4.0, 4.9, 7.0, 20.0])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("test", ["permutation", "pearson", "likelihood_ratio"])
def test_no_table_has_a_smaller_p_value(weight, classes, test):
    rng = np.random.default_rng(0)
    least = least_p_value(weight, classes, test)
    tables = [np.eye(m + 1, classes) for m in range(1, classes)]
    tables += [rng.dirichlet(np.full(classes, 0.1), int(rng.integers(2, 6))) for _ in range(200)]
    smallest = 1.0
    for shares in tables:
        table = shares[:, shares.sum(axis=0) > 0] * weight / shares.sum()
        if table.shape[1] < 2:
            continue
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / weight
        if test == "likelihood_ratio":
            there = table > 0
            statistic = 2 * (table[there] * np.log(table[there] / expected[there])).sum()
        else:
            statistic = ((table - expected) ** 2 / expected).sum()
            statistic *= (weight - 1) / weight if test == "permutation" else 1.0
        df = (table.shape[0] - 1) * (table.shape[1] - 1)
        smallest = min(smallest, float(chi2.sf(statistic, df)))
    assert smallest >= least * (1 - 1e-9)
    assert smallest == pytest.approx(least, rel=1e-6)  # perfect tables reach it


def test_too_few_rows():
    with pytest.warns(RamifyWarning, match=r"there are 3 rows: .*Give more rows"):
        TreeClassifier(selection="conditional_inference").fit([[0.0], [1.0], [2.0]], [0, 1, 1])
