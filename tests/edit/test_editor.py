"""Prices, locks, labels, records and everything else that an editor promises."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.edit_data import make_rows
from helpers.export_runners import EXACT, run_pmml
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import ramify
from ramify import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    RamifyWarning,
    TreeClassifier,
    TreeRegressor,
)
from ramify.edit import GainCurve, LevelCurve, TreeEditor, skeleton_of
from ramify.edit.demands import LEAF, nodes_of
from ramify.edit.price import compare
from ramify.export import to_dot
from ramify.tree.skeleton import condition_as_dict

ROWS = make_rows(240)
TRAIN, TEST = ROWS.take(slice(80, None)), ROWS.take(slice(0, 80))


def fit(**parameters: Any) -> TreeClassifier:
    settings = {"max_depth": 3, "min_samples_leaf": 3, **parameters}
    return TreeClassifier(**settings).fit(TRAIN.X, TRAIN.y)


def make_editor(clf: Any = None, **options: Any) -> TreeEditor:
    given = {"validation": (TEST.X, TEST.y), **options}
    return (fit() if clf is None else clf).edit(TRAIN.X, TRAIN.y, **given)


# --- prices -------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("counts", [False, True])
def test_change_is_that_of_the_definition(weighted: bool, counts: bool) -> None:
    rng = np.random.default_rng(1)
    before = rng.integers(0, 2, 50).astype(float) if counts else rng.random(50)
    rows = np.sort(rng.choice(50, 20, replace=False))
    after = rng.integers(0, 2, 20).astype(float) if counts else rng.random(20)
    weights = rng.random(50) + 0.5 if weighted else None
    found = compare("error", before, after, rows, weights, counts=counts)
    whole = before.copy()
    whole[rows] = after
    w = np.ones(50) if weights is None else weights
    difference = whole - before
    mean = np.average(difference, weights=w)
    np.testing.assert_allclose(found.before, np.average(before, weights=w))
    np.testing.assert_allclose(found.after, np.average(whole, weights=w))
    np.testing.assert_allclose(found.change, mean, atol=1e-15)
    if weighted:
        error = math.sqrt(((w * (difference - mean)) ** 2).sum()) / w.sum()
    else:
        error = difference.std(ddof=1) / math.sqrt(50)
    np.testing.assert_allclose(found.standard_error, error)
    if counts and not weighted:
        better, worse = int((difference < 0).sum()), int((difference > 0).sum())
        expected = stats.binomtest(better, better + worse).pvalue
    else:
        expected = 2 * stats.t.sf(abs(mean) / error, 49)
    np.testing.assert_allclose(found.p_value, expected, rtol=1e-9)


def test_without_held_out_rows_the_price_says_so() -> None:
    editor = fit().edit(TRAIN.X, TRAIN.y)
    price = editor.collapse(0)
    assert price.validation is None
    assert "training only" in str(price)
    assert "training only" in price.note


def test_a_fraction_is_held_out_and_the_tree_grown_again() -> None:
    editor = fit().edit(TRAIN.X, TRAIN.y, validation=0.25, random_state=3)
    assert "grown again on 120 rows; 40 are held out" in editor.notes[0]
    assert editor.tree.nodes[0].rows == 120
    price = editor.collapse(0)
    assert price.validation is not None
    assert price.validation.rows == 40
    for bad in (0, 1, 1.5, "half", True):
        with pytest.raises(ValueError, match="validation"):
            fit().edit(TRAIN.X, TRAIN.y, validation=bad)
    with pytest.raises(ValueError, match="1 parts"):
        fit().edit(TRAIN.X, TRAIN.y, validation=(TEST.X,))


def test_other_rows_are_said_to_be_other_rows() -> None:
    with pytest.warns(RamifyWarning, match="not the rows that the tree was grown on"):
        editor = fit().edit(TEST.X, TEST.y)
    assert editor.tree.nodes[0].rows == len(TEST.y)
    editor.tree.check()
    with pytest.raises(ValueError, match="which the tree does not know"):
        fit().edit(TEST.X, ["other", *TEST.y[1:]])


def test_what_cannot_be_edited_is_named() -> None:
    optimal = OptimalTreeClassifier(max_depth=1).fit(TRAIN.X, TRAIN.y)
    with pytest.raises(ValueError, match="OptimalTreeClassifier cannot be edited"):
        TreeEditor(optimal, TRAIN.X, TRAIN.y)
    again = TreeClassifier(skeleton=optimal, max_depth=1).fit(TRAIN.X, TRAIN.y)
    editor = again.edit(TRAIN.X, TRAIN.y)
    with pytest.raises(ValueError, match="demanded by the skeleton"):
        editor.collapse(0)
    editor.unlock(0)
    editor.collapse(0)


# --- candidates and curves ----------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["fractional", "direction", "separate"])
@pytest.mark.parametrize("kind", ["classes", "costs", "numbers", "medians"])
def test_candidates_say_what_making_them_would_do(missing: str, kind: str) -> None:
    rows = make_rows(240, weighted=True, numbers=kind in ("numbers", "medians"))
    train, test = rows.take(slice(80, None)), rows.take(slice(0, 80))
    parameters: dict[str, Any] = {"max_depth": 2, "missing": missing}
    if kind == "costs":
        parameters["costs"] = [[0, 1, 4], [2, 0, 1], [1, 1, 0]]
    if kind == "medians":
        parameters["criterion"] = "absolute_error"
    make = TreeRegressor if kind in ("numbers", "medians") else TreeClassifier
    model = make(**parameters).fit(train.X, train.y, train.weights)
    validation = (test.X, test.y, test.weights)
    editor = model.edit(train.X, train.y, train.weights, validation=validation)
    for node in range(editor.tree.n_nodes):
        path = editor._state.path(node)
        leaf, _ = editor._replaced(editor._state, node, [LEAF], [-1], {})
        before = editor._below(leaf, path)
        candidates = editor.candidates(node)
        gains = [one.gain for one in candidates]
        assert gains == sorted(gains, reverse=True)
        for one in candidates:
            nodes = nodes_of("it", condition_as_dict(one.condition), editor.tree.schema)
            made, _ = editor._replaced(editor._state, node, nodes, [-1] * len(nodes), {})
            assert before is not None
            old = editor._losses[1].put(before)
            after = editor._below(made, path)
            assert after is not None
            expected = editor._losses[1].changes(after)[-1]
            editor._losses[1].put(old)
            assert one.validation is not None
            np.testing.assert_allclose(one.validation.change, expected.change, atol=1e-9)
            np.testing.assert_allclose(
                one.validation.standard_error, expected.standard_error, atol=1e-9
            )
            at = made.at(path)
            np.testing.assert_allclose(one.gain, made.tree.data["gain"][at], atol=1e-9)
            children = made.tree.nodes[at].children
            if one.condition.missing_to is not None or missing != "fractional":
                assert one.rows == tuple(made.tree.nodes[child].rows for child in children)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_p_values_are_those_of_conditional_inference(numbers: bool, weighted: bool) -> None:
    rows = make_rows(200, numbers=numbers, weighted=weighted)
    make = TreeRegressor if numbers else TreeClassifier
    model = make(max_depth=3, min_samples_leaf=5).fit(rows.X, rows.y, rows.weights)
    editor = model.edit(rows.X, rows.y, rows.weights)
    for node in range(editor.tree.n_nodes):
        stump = editor._core.candidates(
            editor._state.version, node, None, [], "conditional_inference"
        )
        root = editor.tree.with_core(stump).nodes[0]
        if root.condition is None:
            continue
        expected = {root.condition.attribute: root.p_value}
        expected |= {one.condition.attribute: one.p_value for one in root.competitors}
        for one in editor.candidates(node):
            if one.column in expected and expected[one.column] is not None:
                np.testing.assert_allclose(one.p_value, expected[one.column], rtol=1e-6)


def test_the_grown_split_leads_and_is_current() -> None:
    editor = make_editor()
    for node in editor.tree.nodes:
        candidates = editor.candidates(node.id)
        if node.condition is not None:
            assert candidates[0].condition == node.condition
            assert candidates.current is candidates[0]
            rivals = {str(one.condition): one.gain for one in node.competitors}
            found = {str(one.condition): one.gain for one in candidates[1:]}
            assert found.keys() == rivals.keys()
            for name, gain in rivals.items():
                np.testing.assert_allclose(found[name], gain, atol=1e-12)
    assert len(editor.candidates(0, limit=2)) == 2
    assert "current" in str(editor.candidates(0))


@pytest.mark.parametrize(
    ("make", "parameters"),
    [
        (TreeClassifier, {}),
        (TreeClassifier, {"missing": "direction"}),
        (TreeClassifier, {"missing_gain": "divided"}),
        (TreeClassifier, {"missing_gain": "divided", "criterion": "entropy"}),
        (TreeClassifier, {"criterion": "chi2"}),
        (TreeRegressor, {}),
        (TreeRegressor, {"missing": "separate"}),
        (TreeRegressor, {"criterion": "absolute_error"}),
    ],
)
def test_curve_is_the_gain_of_each_threshold(make: Any, parameters: dict[str, Any]) -> None:
    rows = make_rows(200, numbers=make is TreeRegressor)
    model = make(max_depth=2, **parameters).fit(rows.X, rows.y)
    editor = model.edit(rows.X, rows.y)
    for node in range(editor.tree.n_nodes):
        for column in ("age", "score", "size"):
            curve = editor.curve(node, column)
            assert isinstance(curve, GainCurve)
            assert len(curve.threshold) <= 200
            position = editor.tree.schema.names.index(column)
            for threshold, gain in zip(curve.threshold, curve.gain, strict=True):
                expected = editor._gain_of(node, position, float(threshold))
                np.testing.assert_allclose(gain, expected, atol=1e-9)


def test_levels_of_a_curve() -> None:
    editor = make_editor()
    curve = editor.curve(0, "job")
    assert isinstance(curve, LevelCurve)
    for one in curve.levels:
        cells = TRAIN.X["job"]
        own = (cells == one.level).to_numpy() if one.level is not None else cells.isna().to_numpy()
        assert one.rows == own.sum()
        shares = [(TRAIN.y[own] == label).mean() for label in editor.tree.classes]  # type: ignore[union-attr]
        np.testing.assert_allclose(one.shares, shares)
    with pytest.raises(ValueError, match="did you mean 'job'"):
        editor.curve(0, "jobs")


# --- locks, columns, labels ---------------------------------------------------------------------


def test_locks_hold_in_edits_and_in_pruning() -> None:
    editor = make_editor()
    inner = next(n.id for n in editor.tree.nodes if n.parent == 0 and not n.is_leaf)
    editor.lock(inner, reason="agreed with the regulator")
    asked = editor.tree.condition(inner).describe(0)
    for action in (
        lambda: editor.split(inner, "score <= 2"),
        lambda: editor.collapse(inner),
        lambda: editor.collapse(0),
        lambda: editor.regrow(0),
        lambda: editor.graft(0, editor.tree),
        lambda: editor.split(0, "score <= 2", below="drop"),
    ):
        with pytest.raises(ValueError, match=rf"unlock\({inner}\) first"):
            action()
    pruned = editor.estimator.prune(alpha=1e9).tree_
    assert asked in [pruned.condition(n.id).describe(0) for n in pruned.nodes if not n.is_leaf]
    assert any(mark.locked for mark in pruned.by_hand.values())
    with pytest.raises(ValueError, match="locked already"):
        editor.lock(inner)
    editor.unlock(inner)
    editor.collapse(0)
    with pytest.raises(ValueError, match="is a leaf already"):
        editor.collapse(0)


def test_an_excluded_column_stays_out() -> None:
    editor = make_editor()
    column = editor.tree.condition(0).attribute
    editor.exclude(column, 0)
    used = {n.condition.attribute for n in editor.tree.nodes if n.condition is not None}
    assert column not in used
    assert column not in [one.column for one in editor.candidates(0)]
    editor.regrow(0)
    used = {n.condition.attribute for n in editor.tree.nodes if n.condition is not None}
    assert column not in used
    with pytest.raises(ValueError, match="not a column"):
        editor.exclude("nothing", 0)


def test_a_label_wins_for_whole_rows_and_probabilities_stay() -> None:
    editor = make_editor()
    leaf = max((n for n in editor.tree.nodes if n.is_leaf), key=lambda n: n.rows)
    other = next(c for c in editor.tree.classes.tolist() if c != leaf.prediction)  # type: ignore[union-attr]
    before = editor.estimator
    editor.label(leaf.id, other, reason="the law")
    after = editor.estimator
    np.testing.assert_array_equal(after.predict_proba(TEST.X), before.predict_proba(TEST.X))
    visited = np.asarray(before.decision_path(TEST.X).sum(axis=1)).ravel()
    whole = (before.apply(TEST.X) == leaf.id) & (visited == leaf.depth + 1)
    assert whole.any()
    assert (after.predict(TEST.X)[whole] == other).all()
    assert (after.predict(TEST.X)[~whole] == before.predict(TEST.X)[~whole]).all()
    assert after.tree_.nodes[leaf.id].prediction == other
    assert "(set by hand: the law)" in after.tree_.to_text()
    assert "set by hand: the law" in to_dot(after)
    rule = next(rule for rule in after.tree_.rules() if rule.leaf == leaf.id)
    assert rule.label == other
    assert rule.by_hand == ("set by hand: the law",)
    assert "set by hand: the law" in str(rule)
    assert (pickle.loads(pickle.dumps(after)).predict(TEST.X) == after.predict(TEST.X)).all()
    editor.clear_label(leaf.id)
    assert (editor.estimator.predict(TEST.X) == before.predict(TEST.X)).all()
    with pytest.raises(ValueError, match="the classes are"):
        editor.label(leaf.id, "never heard of")
    with pytest.raises(ValueError, match="is no leaf"):
        editor.label(0, other)


def test_a_label_in_regression_is_the_prediction() -> None:
    rows = make_rows(150, numbers=True)
    editor = TreeRegressor(max_depth=2).fit(rows.X, rows.y).edit(rows.X, rows.y)
    leaf = next(n for n in editor.tree.nodes if n.is_leaf)
    price = editor.label(leaf.id, 7.5)
    assert editor.tree.nodes[leaf.id].prediction == 7.5
    assert (editor.estimator.predict(rows.X) == 7.5).any()
    loss = float(np.mean((editor.estimator.predict(rows.X) - rows.y) ** 2))
    np.testing.assert_allclose(price.training.after, loss)
    editor.tree.check()


@pytest.mark.parametrize("missing", ["fractional", "direction"])
@pytest.mark.parametrize("form", [*EXACT, "pmml"])
def test_exports_answer_as_predict(form: str, missing: str) -> None:
    editor = make_editor(fit(missing=missing))
    editor.split(0, "age <= 40 missing right", reason="round")
    leaf = max((n for n in editor.tree.nodes if n.is_leaf), key=lambda n: n.rows)
    other = next(c for c in editor.tree.classes.tolist() if c != leaf.prediction)  # type: ignore[union-attr]
    editor.label(leaf.id, other)
    model = editor.estimator
    X = TEST.X.astype({"size": object})
    if form == "pmml":  # it has no rule for rows that are divided
        X = X.dropna().reset_index(drop=True)
        assert list(run_pmml(model, X)[0]) == model.predict(X).tolist()
    else:
        labels, _, _ = EXACT[form](model, X)
        assert list(labels) == model.predict(X).tolist()


def test_explain_and_report_know_the_marks(tmp_path: Any) -> None:
    editor = make_editor()
    editor.split(0, "age <= 40", reason="a round number")
    model = editor.estimator
    assert "age" in str(model.explain(TEST.X.iloc[[0]]))
    path = tmp_path / "report.html"
    model.report(path, TEST.X, TEST.y)
    assert "set by hand: a round number" in path.read_text(encoding="utf-8")
    assert "set by hand: a round number" in model.tree_.to_svg()
    assert model.tree_.to_frame(backend="pandas").shape[0] == model.tree_.n_nodes


# --- growth -------------------------------------------------------------------------------------


def test_regrown_as_it_was() -> None:
    clf = fit()
    editor = make_editor(clf)
    editor.collapse(0)
    editor.regrow(0)
    first, now = clf.tree_.to_dict(), editor.tree.to_dict()
    assert first["nodes"] == now["nodes"]
    assert first["competitors"] == now["competitors"]


def test_pruned_and_optimal_branches() -> None:
    editor = make_editor()
    before = editor.tree.n_leaves
    editor.regrow(0, by="pruned")
    assert 1 <= editor.tree.n_leaves <= before
    editor.undo()
    price = editor.regrow(0, by="optimal", max_depth=2)
    assert editor.tree.depth <= 2
    greedy = fit(max_depth=2).tree_
    wrong = sum(n.weight - n.value.max() for n in greedy.nodes if n.is_leaf)
    assert price.training.after <= wrong / len(TRAIN.y) + 1e-9
    with pytest.raises(ValueError, match="greedy, pruned, optimal"):
        editor.regrow(0, by="magic")


def test_an_optimal_branch_takes_parameters_of_the_search() -> None:
    editor = make_editor()
    search = {"max_leaves": 4, "features": "mid", "n_thresholds": 20, "time_limit": 60}
    price = editor.regrow(0, by="optimal", search=search)
    alone = OptimalTreeClassifier(max_depth=3, max_leaves=4, n_thresholds=20, features="mid")
    alone.learn_from(editor._table, editor._target, alone.check_parameters())
    assert editor.tree.n_leaves <= 4
    assert price.training.after == pytest.approx(alone.error_)
    dear = make_editor()
    dear.regrow(0, by="optimal", search={"sparsity": 0.5})
    assert dear.tree.n_leaves == 1
    names = {"clf": fit(), "X": TRAIN.X, "y": TRAIN.y, "validation": (TEST.X, TEST.y)}
    exec(editor.script(), names)
    assert names["editor"].tree.to_dict()["nodes"] == editor.tree.to_dict()["nodes"]
    for wrong, words in (
        ({"objective": "f1"}, "'objective' is not a parameter of an optimal branch"),
        ({"n_thresholds": "grow"}, "chooses by held-out rows"),
        (3, "search=3 must be None or a dict"),
        ({"features": "some"}, "features='some'"),
    ):
        with pytest.raises(ValueError, match=words):
            editor.regrow(0, by="optimal", search=wrong)
    with pytest.raises(ValueError, match="is for by='optimal', not by='greedy'"):
        editor.regrow(0, search=search)


def test_an_optimal_branch_keeps_the_order_and_the_criterion() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (150, 3)).astype(float)
    y = rng.poisson(np.exp((X[:, 0] - 2 * np.sin(X[:, 0]) + X[:, 1]) / 5)).astype(float)
    reg = TreeRegressor(max_depth=3, criterion="poisson", monotone={0: 1}).fit(X, y)
    editor = TreeEditor(reg, X, y)
    editor.regrow(0, by="optimal", max_depth=2)
    best = OptimalTreeRegressor(max_depth=2, criterion="poisson", monotone={0: 1}, features="all")
    best.fit(X, y)
    found = [node.weight for node in editor.tree.nodes if node.is_leaf]
    assert sorted(found) == sorted(node.weight for node in best.tree_.nodes if node.is_leaf)
    free = OptimalTreeRegressor(max_depth=2, criterion="poisson", features="all").fit(X, y)
    assert free.error_ < best.error_


def test_the_best_split_and_the_worst() -> None:
    editor = make_editor(fit(max_depth=1))
    leaves = [n for n in editor.tree.nodes if n.is_leaf]
    gains = {n.id: editor.candidates(n.id)[0].gain * n.weight for n in leaves}
    best = max(gains, key=lambda leaf: gains[leaf])
    expected = editor.candidates(best)[0].condition
    price = editor.split_best()
    assert editor.tree.condition(price.node) == expected
    assert editor.tree.n_leaves == len(leaves) + 1
    editor.prune_worst()
    assert editor.tree.n_leaves == len(leaves)
    names = {"clf": fit(max_depth=1), "X": TRAIN.X, "y": TRAIN.y, "validation": (TEST.X, TEST.y)}
    exec(editor.script(), names)
    assert names["editor"].tree.to_dict()["nodes"] == editor.tree.to_dict()["nodes"]
    editor.collapse(0)
    with pytest.raises(ValueError, match="no split can be undone"):
        editor.prune_worst()


def test_rows_of_a_node() -> None:
    editor = make_editor()
    paths = editor.estimator.decision_path(TRAIN.X)
    for node in range(editor.tree.n_nodes):
        np.testing.assert_array_equal(editor.rows(node), paths[:, [node]].nonzero()[0])
    part = fit().edit(TRAIN.X, TRAIN.y, validation=0.25)
    both = np.concatenate((part.rows(0), part.rows(0, held_out=True)))
    np.testing.assert_array_equal(np.sort(both), np.arange(len(TRAIN.y)))


def test_bound_is_the_best_that_the_locks_allow() -> None:
    rows = make_rows(120, holes=False)
    clf = TreeClassifier(max_depth=2).fit(rows.X, rows.y)
    editor = clf.edit(rows.X, rows.y)
    editor.split(0, "score <= 6", reason="known early")
    price = editor.lock(0, bound=True)
    assert price.bound is not None
    assert price.bound.proven
    left = (rows.X["score"] <= 6).to_numpy()
    expected = 0.0
    for side in (left, ~left):
        best = OptimalTreeClassifier(max_depth=1, features="all").fit(rows.X[side], rows.y[side])
        expected += (best.predict(rows.X[side]) != rows.y[side]).sum()
    np.testing.assert_allclose(price.bound.loss, expected / len(rows.y))
    assert price.bound.loss <= price.training.after
    assert "with these locks" in str(price)


def test_monotone_order_is_kept_or_refused() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.random(300), "z": rng.random(300)})
    y = np.where(X["x"] + 0.3 * rng.normal(size=300) > 0.5, "yes", "no")
    clf = TreeClassifier(max_depth=3, min_samples_leaf=5, monotone={"x": 1}).fit(X, y)
    editor = clf.edit(X, y)
    done = refused = 0
    for _ in range(60):
        node = int(rng.integers(editor.tree.n_nodes))
        try:
            editor.split(node, f"{rng.choice(['x', 'z'])} <= {rng.random():.2f}")
            done += 1
        except ValueError as why:
            refused += "monotone" in str(why)
        grid = np.linspace(0, 1, 41)
        for z in (0.1, 0.5, 0.9):
            shares = editor.estimator.predict_proba(pd.DataFrame({"x": grid, "z": z}))[:, 1]
            assert (np.diff(shares) >= -1e-9).all()
    assert done
    assert refused
    editor.regrow(0)
    assert editor.tree.to_dict()["nodes"] == clf.tree_.to_dict()["nodes"]


# --- records ------------------------------------------------------------------------------------


def test_history_goes_with_the_model(tmp_path: Any) -> None:
    editor = make_editor(author="Ada")
    editor.split(0, "age <= 40", reason="round")
    editor.lock(0)
    assert [edit.action for edit in editor.history] == ["split", "lock"]
    assert editor.history[0].author == "Ada"
    path = tmp_path / "model.json"
    editor.estimator.save(path)
    assert '"version":8' in path.read_text()
    loaded = ramify.load(path)
    assert loaded.tree_ == editor.tree
    record = loaded.tree_.history[0]
    assert (record.action, record.node, record.reason, record.author) == (
        "split", 0, "round", "Ada",
    )  # fmt: skip
    assert record.price["training"]["after"] == editor.history[0].price.training.after
    again = loaded.edit(TRAIN.X, TRAIN.y)
    assert again.tree.by_hand == editor.tree.by_hand
    with pytest.raises(ValueError, match="locked"):
        again.collapse(0)
    fit().save(path)
    assert '"version":8' not in path.read_text()


def test_damaged_records_are_refused() -> None:
    editor = make_editor()
    editor.split(0, "age <= 40")
    leaf = next(n.id for n in editor.tree.nodes if n.is_leaf)
    editor.label(leaf, "yes")
    good = editor.tree.to_dict()
    for change in (
        {"by_hand": 3},
        {"by_hand": [{"node": 99, "action": "split"}]},
        {"by_hand": [{"node": 0, "wrong": 1}]},
        {"by_hand": [{"node": 0, "locked": "yes"}]},
        {"by_hand": [{"node": leaf, "labelled": True, "label": "never heard of"}]},
        {"by_hand": [{"node": 0, "labelled": True, "label": "yes"}]},
        {"by_hand": [{"node": 0, "excluded": {"type": "tuple", "items": ["nothing"]}}]},
        {"history": [{"action": "split"}]},
        {"history": [1]},
    ):
        with pytest.raises(ValueError, match=r"by_hand|history"):
            ramify.Tree.from_dict({**good, **change})
    assert ramify.Tree.from_dict(good) == editor.tree


def path_of(tree: Any, node: int) -> list[str]:
    found = []
    while (parent := tree.nodes[node].parent) is not None:
        found.append(tree.condition(parent).describe(node - tree.nodes[parent].children[0]))
        node = parent
    return found


def test_a_skeleton_lays_down_the_policy_in_every_fold() -> None:
    editor = make_editor()
    editor.split(0, "score <= 4", reason="known early", below="regrow")
    policy = skeleton_of(editor)
    assert policy["column"] == "score"
    model = clone(editor.estimator).set_params(skeleton=policy)
    fitted = model.fit(TEST.X, TEST.y)
    assert fitted.tree_.condition(0).describe(0) == "score <= 4"
    assert len(cross_val_score(model, TRAIN.X, TRAIN.y, cv=3)) == 3
    editor.exclude("age", 1)
    policy = skeleton_of(editor)
    assert policy["left"] == {"exclude": ["age"]}
    fitted = clone(model).set_params(skeleton=policy).fit(TEST.X, TEST.y).tree_
    left = [n for n in fitted.nodes if n.condition and "score <= 4" in path_of(fitted, n.id)]
    assert left
    assert "age" not in [n.condition.attribute for n in left if n.condition is not None]
    leaf = next(n.id for n in editor.tree.nodes if n.is_leaf)
    closed = skeleton_of(editor.tree, locked=[leaf])
    assert "'closed': True" in str(closed)
    assert skeleton_of(fit()) == {}
    with pytest.raises(ValueError, match="99 is not a node"):
        skeleton_of(editor, locked=[99])


def test_new_data_can_replay_a_script() -> None:
    editor = make_editor()
    editor.split(0, "age <= 40", reason="round")
    editor.split(1, "score <= 4", below="drop")
    names = {"clf": fit(), "X": TEST.X, "y": TEST.y, "validation": (TRAIN.X, TRAIN.y)}
    with pytest.warns(RamifyWarning, match="not the rows"):
        exec(editor.script(), names)
    again = names["editor"]
    assert isinstance(again, TreeEditor)
    assert again.tree.condition(0).describe(0) == "age <= 40"
    assert again.tree.nodes[0].rows == len(TEST.y)


def test_what_is_asked_wrongly_is_named() -> None:
    editor = make_editor()
    leaf = next(n.id for n in editor.tree.nodes if n.is_leaf)
    for call, message in (
        (lambda: editor.split(-1, "age <= 40"), "numbered 0 to"),
        (lambda: editor.split("0", "age <= 40"), "must be the number of a node"),  # type: ignore[arg-type]
        (lambda: editor.split(0, "age <= 40", below="forget"), "keep, drop, regrow"),
        (lambda: editor.split(0, "age <= 40", reason=3), "must be text"),  # type: ignore[arg-type]
        (lambda: editor.move_levels(leaf, "cook", 1), "has no condition"),
        (lambda: editor.send_missing(0, 5), "is not a branch"),
        (lambda: editor.swap(0, rank=50), "other candidates"),
        (lambda: editor.preview("burn", 0), "choose from split"),
        (editor.undo, "no edit to undo"),
        (editor.redo, "no edit to do again"),
        (lambda: editor.unlock(0), "is not locked"),
        (lambda: editor.clear_label(leaf), "no label"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert editor.history == ()
