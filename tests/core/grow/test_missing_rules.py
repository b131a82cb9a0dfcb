"""Rules for divided rows, against the oracle: what a split gains, what counts for the limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.growth_data import assert_root, assert_same_tree, fit, frame_of, random_problem
from helpers.growth_strategies import RELAXED, problems
from helpers.growth_tasks import BINARY, task
from helpers.sequence_pruning_data import folds_of, wrong_rows
from hypothesis import given
from hypothesis import strategies as st
from oracles.greedy import grow
from oracles.problem import Column, Problem
from typer.testing import CliRunner

import ramify
from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor, presets
from ramify.cli import app
from ramify.pruning import BestFirst

weighting = pytest.mark.parametrize("weights", ["none", "real"])
counting = pytest.mark.parametrize("missing_count", ["parts", "pieces"])


def shi_example() -> tuple[np.ndarray, np.ndarray]:
    x1 = np.r_[[0.0] * 5, [1.0] * 5, [np.nan] * 10]
    x2 = np.r_[[0, 0, 0, 0, 1], [1, 1, 1, 0, 0], [0] * 4 + [1], [1] * 4 + [0]]
    return np.c_[x1, x2], np.repeat([0, 1, 0, 1], 5)


def test_the_root_differs_by_rule() -> None:
    X, y = shi_example()
    known = TreeClassifier(max_depth=1).fit(X, y).tree_
    divided = TreeClassifier(max_depth=1, missing_gain="divided").fit(X, y).tree_
    assert known.data["attribute"][0] == 0
    assert known.data["gain"][0] == pytest.approx(0.25)
    assert divided.data["attribute"][0] == 1
    assert divided.data["gain"][0] == pytest.approx(0.1263, abs=5e-5)
    assert divided.data["competitor_gain"][0] == pytest.approx(0.125)
    for preset in (presets.bftree, presets.simple_cart):
        assert preset(pruning=None).fit(X, y).tree_.data["attribute"][0] == 1


@task
@counting
@pytest.mark.parametrize("missing_gain", ["known", "divided"])
def test_whole_trees(classes, criterion, missing_gain, missing_count) -> None:
    for seed, split, least, weights in (
        (1, "auto", 1, "none"),
        (2, "auto", 4, "real"),
        (3, "multiway", 2, "none" if missing_count == "parts" else "real"),
    ):
        if criterion in BINARY and split == "multiway":
            continue
        problem = random_problem(
            seed,
            rows=26,
            holes=0.3,
            classes=classes,
            criterion=criterion,
            weights=weights,
            missing_gain=missing_gain,
            missing_count=missing_count,
            categorical_split=split,
            min_samples_leaf=least,
            max_depth=4,
        )
        assert_same_tree(problem)


@task
@counting
def test_abandoned_splits(classes, criterion, missing_count) -> None:
    for seed, least in ((4, 2), (5, 6)):
        problem = random_problem(
            seed,
            rows=30,
            holes=0.35,
            classes=classes,
            criterion=criterion,
            missing_gain="divided",
            missing_count=missing_count,
            min_samples_leaf=least,
            abandon_small=True,
            max_depth=4,
        )
        assert_same_tree(problem)


@pytest.mark.parametrize(
    "options",
    [
        {"selection": "conditional_inference", "alpha": 0.5},
        {"significance": 0.5},
        {"criterion": "gain_ratio", "numeric_penalty": True, "min_samples_leaf": 3},
        {"criterion": "gain_ratio", "categorical_split": "multiway", "small_branches": True},
        {"growth": "best_first", "max_leaves": 6},
        {"min_weight_split": 8.0},
        {"min_samples_split": 9},
        {"categorical_split": "shi", "levels": 9},
    ],
    ids=str,
)
@weighting
@counting
def test_with_other_parameters(options, weights, missing_count) -> None:
    rules: dict[str, Any] = {"missing_gain": "divided", "missing_count": missing_count}
    options = {"max_depth": 5, **options}
    for seed in (6, 7):
        problem = random_problem(
            seed, rows=30, holes=0.25, classes=3, weights=weights, **rules, **options
        )
        assert_same_tree(problem)


@pytest.mark.parametrize("classes", [2, 3, 0])
@counting
def test_large_nodes(classes, missing_count) -> None:
    # Coded columns, and nodes whose counts are kept.
    problem = random_problem(
        8,
        rows=700,
        holes=0.1,
        kinds="numeric nominal ordinal nominal",
        classes=classes,
        criterion="gini" if classes else "squared_error",
        missing_gain="divided",
        missing_count=missing_count,
        min_samples_leaf=10,
        max_depth=4,
    )
    assert_same_tree(problem)
    if classes:
        assert_same_tree(replace(problem, criterion="entropy"))


@given(
    problems(classification=True) | problems(classification=False),
    st.sampled_from(["known", "divided"]),
    st.sampled_from(["parts", "pieces"]),
    st.booleans(),
)
@RELAXED
def test_any_table(problem, missing_gain, missing_count, abandon_small) -> None:
    problem = replace(
        problem,
        missing="fractional",
        missing_gain=missing_gain,
        missing_count=missing_count,
        abandon_small=abandon_small,
        max_depth=5,
    )
    assert_root(problem, exact=False)
    assert_same_tree(problem)


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "twoing"])
def test_squares_of_the_known_share(criterion) -> None:
    # One column with holes at the root: its gain shrinks by the share and by its square.
    for seed in range(5):
        problem = random_problem(
            seed,
            holes=0.3,
            kinds="numeric",
            classes=0 if criterion == "squared_error" else 3,
            criterion=criterion,
        )
        share = 1 - np.isnan(problem.columns[0].values).mean()
        known = fit(problem, max_depth=1).data
        divided = fit(problem, max_depth=1, missing_gain="divided").data
        assert known["threshold"][0] == divided["threshold"][0]
        assert divided["gain"][0] == pytest.approx(known["gain"][0] * share)


def test_light_pieces_are_divided_for_longer() -> None:
    # Rows without any value halve at every level. Counted by parts, they are soon divided no more;
    # counted by pieces, later. The oracle has both limits.
    half, holes = 30, 3
    rng = np.random.default_rng(1)
    side = np.repeat([0.0, 1.0, np.nan], [half, half, holes])
    number = np.r_[rng.normal(size=2 * half).round(1), [np.nan] * holes]
    target = np.where(side == 1.0, 1 + (number > 0), 0)
    weights = np.where(side == 1.0, 1e-4, 1.0) * rng.uniform(0.9, 1.1, len(side))
    problem = Problem(
        (Column("numeric", side), Column("numeric", number)),
        target,
        weights,
        3,
        missing_count="pieces",
        missing_gain="divided",
    )
    assert_same_tree(problem)
    fractions = np.concatenate([node.rows.fraction for node in grow(problem)])
    assert fractions.min() < 2.0**-10  # parts are not divided so far


def test_leaves_hold_as_many_pieces_as_asked_for() -> None:
    for seed in range(20):
        problem = random_problem(
            seed,
            rows=60,
            holes=0.4,
            classes=3,
            missing_count="pieces",
            min_samples_leaf=5,
            abandon_small=bool(seed % 2),
        )
        data = fit(problem).data
        assert data["rows"][data["n_children"] == 0].min() >= 5
        parts = fit(problem, missing_count="parts").data
        assert len(data["kind"]) >= len(parts["kind"])


def test_without_holes_pieces_are_rows() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(4, 40))
        X, y, weights = rng.normal(size=(n, 2)), rng.integers(0, 3, n), rng.integers(1, 4, n)
        parts, pieces = (
            TreeClassifier(missing_count=rule, abandon_small=True, min_samples_leaf=2)
            .fit(X, y, sample_weight=weights)
            .tree_.to_text()
            for rule in ("parts", "pieces")
        )
        assert parts == pieces


@pytest.mark.parametrize("rules", [("known", "parts"), ("divided", "parts"), ("known", "pieces")])
def test_the_rules_reach_the_folds_of_a_pruning(rules) -> None:
    problem = random_problem(9, rows=200, holes=0.3, classes=3)
    X, y = frame_of(problem), problem.target
    settings = {
        "growth": "best_first",
        "min_samples_leaf": 6,
        "missing_gain": rules[0],
        "missing_count": rules[1],
    }
    clf = TreeClassifier(pruning=BestFirst(folds=5, rule="min"), random_state=9, **settings)
    path = clf.fit(X, y).pruning_path_
    wrong = wrong_rows(TreeClassifier(**settings), X, y, folds_of(clf, y, None, 5))
    assert path.error[np.argmax(path.leaves)] == wrong / len(y)


@pytest.mark.parametrize("model", [TreeClassifier, TreeRegressor])
@pytest.mark.parametrize("missing", ["separate", "direction"])
@pytest.mark.parametrize("rule", [{"missing_gain": "divided"}, {"missing_count": "pieces"}])
def test_rules_without_effect_are_refused(model, missing, rule) -> None:
    (name, value), *_ = rule.items()
    with pytest.raises(ValueError, match=f"{name}='{value}' is a rule for divided rows"):
        model(missing=missing, **rule).fit([[1.0], [2.0]], [0, 1])


def test_a_model_file_keeps_the_rules(tmp_path) -> None:
    X, y = shi_example()
    clf = TreeClassifier(missing_gain="divided", missing_count="pieces", min_weight_split=3.0)
    clf.fit(X, y).save(tmp_path / "m.json")
    loaded = ramify.load(tmp_path / "m.json")
    assert loaded.get_params() == clf.get_params()
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("model", [TreeClassifier, TreeRegressor])
def test_threads_and_the_order_of_rows_change_nothing(model) -> None:
    problem = random_problem(10, rows=3000, holes=0.2, classes=2, ties=False)
    X, y = frame_of(problem), problem.target
    rules: dict[str, Any] = {"missing_gain": "divided", "missing_count": "pieces", "max_depth": 6}
    tree = model(**rules, min_samples_leaf=20).fit(X, y).tree_
    order = np.random.default_rng(0).permutation(len(y))
    others = [
        model(**rules, min_samples_leaf=20, n_jobs=2).fit(X, y).tree_,
        model(**rules, min_samples_leaf=20).fit(X.iloc[order], y[order]).tree_,
    ]
    for other in others:
        assert other.to_text() == tree.to_text()


def test_boosted_trees_have_the_rules() -> None:
    X, y = shi_example()
    roots = {
        rule: BoostedTreesClassifier(n_rounds=1, max_leaves=2, missing_gain=rule).fit(X, y)
        for rule in ("known", "divided")
    }
    attributes = {r: int(m.estimators_[0].data["attribute"][0]) for r, m in roots.items()}
    assert attributes == {"known": 0, "divided": 1}
    with pytest.raises(ValueError, match="missing_count='pieces' is a rule for divided rows"):
        BoostedTreesClassifier(missing="separate", missing_count="pieces").fit(X, y)


def test_the_command_line_has_the_rules(tmp_path) -> None:
    X, y = shi_example()
    lines = [
        "a,b,y",
        *(f"{'' if a != a else int(a)},{int(b)},{c}" for (a, b), c in zip(X, y, strict=True)),
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    found = {}
    for rule in ("known", "divided"):
        model = tmp_path / f"{rule}.json"
        options = ["--missing-gain", rule, "--missing-count", "pieces", "--max-depth", "1"]
        options += ["--pruning", "none", "--selection", "criterion"]
        arguments = ["fit", str(tmp_path / "t.csv"), "--target", "y", "--model", str(model)]
        done = CliRunner().invoke(app, [*arguments, *options])
        assert done.exit_code == 0, done.output
        found[rule] = ramify.load(model).tree_.condition(0).attribute
    assert found == {"known": "a", "divided": "b"}
