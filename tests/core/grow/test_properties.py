"""What holds for growth on any data: weights, order of rows, threads, scales, limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.growth_data import COSTS, assert_same_tree, fit, frame_of, random_problem
from helpers.growth_tasks import NUMBERS
from oracles.problem import Column, Problem

from ramify import TreeClassifier, TreeRegressor

TASKS = [
    (classes, criterion)
    for classes in (2, 3)
    for criterion in ("gini", "entropy", "misclassification", "gini with costs", "callable")
]
TASKS += [(0, criterion) for criterion in NUMBERS]
task = pytest.mark.parametrize(("classes", "criterion"), TASKS)
policy = pytest.mark.parametrize("missing", ["complete", "fractional", "separate", "direction"])


def made(seed: int, missing: str, **options) -> Problem:
    if missing != "complete":
        options |= {"missing": missing, "holes": 0.15}
    return random_problem(seed, **options)


def take(problem: Problem, index: np.ndarray) -> Problem:
    weights = None if problem.weights is None else problem.weights[index]
    columns = tuple(Column(c.kind, c.values[index]) for c in problem.columns)
    return replace(problem, columns=columns, target=problem.target[index], weights=weights)


def assert_equal_trees(a, b, *, but: tuple[str, ...] = ()) -> None:
    assert a.n_nodes == b.n_nodes
    for name, array in a.data.items():
        if name in but or name.startswith("competitor"):
            continue
        if array.dtype.kind != "f":
            np.testing.assert_array_equal(array, b.data[name], err_msg=name)
        else:
            np.testing.assert_allclose(
                array, b.data[name], rtol=1e-9, atol=1e-10, err_msg=name, equal_nan=True
            )


@task
@policy
def test_a_weight_of_two_is_a_repeated_row(classes, criterion, missing):
    # Parts of rows count by their part, and repeated rows count twice against the limits. There are
    # enough rows for that not to matter.
    problem = made(
        21, missing, rows=300, classes=classes, criterion=criterion, weights="whole", max_depth=2
    )
    assert problem.weights is not None
    repeated = take(problem, np.repeat(np.arange(300), problem.weights.astype(int)))
    repeated = replace(repeated, weights=None)
    tree = fit(problem)
    assert tree.n_leaves > 2
    assert_equal_trees(tree, fit(repeated), but=("rows",))


@task
@policy
def test_a_weight_of_zero_is_an_absent_row(classes, criterion, missing):
    problem = made(22, missing, rows=60, classes=classes, criterion=criterion, weights="zeros")
    present = np.flatnonzero(problem.weights > 0)
    assert len(present) < 60
    a, b = fit(problem), fit(take(problem, present))
    assert a.n_leaves > 2
    # All levels stay in use, so codes keep their meaning.
    assert [c.levels for c in a.schema.columns] == [c.levels for c in b.schema.columns]
    assert_equal_trees(a, b)


@task
@policy
def test_order_of_rows_does_not_matter(classes, criterion, missing):
    problem = made(23, missing, rows=50, classes=classes, criterion=criterion, ties=classes > 0)
    order = np.random.default_rng(0).permutation(50)
    tree = fit(problem)
    assert tree.n_leaves > 2
    assert_equal_trees(tree, fit(take(problem, order)))


@task
@policy
def test_scale_of_a_column_does_not_matter(classes, criterion, missing):
    problem = made(
        24, missing, rows=50, kinds="numeric numeric", classes=classes, criterion=criterion
    )

    def scaled(function) -> Problem:
        columns = tuple(Column("numeric", function(c.values)) for c in problem.columns)
        return replace(problem, columns=columns)

    tree = fit(problem)
    assert tree.n_leaves > 2
    larger = fit(scaled(lambda v: v * 1024.0))
    assert_equal_trees(tree, larger, but=("threshold",))
    np.testing.assert_array_equal(larger.data["threshold"], tree.data["threshold"] * 1024.0)
    assert_equal_trees(tree, fit(scaled(np.exp)), but=("threshold",))


# --- threads


def large_table(*, holes: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """60,000 rows; three columns have one value in most rows, which is not stored."""
    rng = np.random.default_rng(31)
    n = 60_000
    X = pd.DataFrame(
        {
            "continuous": rng.normal(size=n),
            "coarse": rng.integers(0, 300, n).astype(float),
            "mostly_zero": np.where(rng.random(n) < 0.9, 0.0, rng.normal(size=n).round(2)),
            "flag": rng.random(n) < 0.2,
            "rare": pd.Categorical(
                np.where(rng.random(n) < 0.8, "usual", rng.integers(0, 40, n).astype(str))
            ),
            "level": pd.Categorical(rng.integers(0, 60, n).astype(str)),
        }
    )
    signal = X["continuous"] + (X["mostly_zero"] != 0) + X["flag"] + rng.normal(size=n)
    signal += X["level"].cat.codes % 7 / 3
    if holes:
        for name in ("coarse", "level"):
            X[name] = X[name].mask(rng.random(n) < 0.05)
    return X, signal.to_numpy()


@pytest.mark.parametrize(
    ("holes", "parameters"),
    [
        (False, {}),
        (False, {"growth": "best_first", "max_leaves": 200, "criterion": "entropy"}),
        (False, {"categorical_split": "multiway"}),
        (True, {"missing": "direction"}),
        (True, {"missing": "separate", "criterion": "entropy"}),
        (True, {"missing": "fractional", "max_depth": 9}),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_any_number_of_threads_gives_the_same_tree(holes, parameters, weighted, classes):
    X, signal = large_table(holes=holes)
    weights = np.random.default_rng(1).uniform(0.5, 2.0, len(X)) if weighted else None
    parameters = {"min_samples_leaf": 20, "max_depth": 14} | parameters
    if classes:
        y = np.digitize(signal, [0.5, 1.5][: classes - 1])
        make = TreeClassifier
    else:
        y = signal
        make = TreeRegressor
        parameters.pop("criterion", None)
    trees = [
        make(**parameters, n_jobs=n_jobs).fit(X, y, sample_weight=weights).tree_
        for n_jobs in (1, 2, 5)
    ]
    assert trees[0].n_leaves > 100
    for tree in trees[1:]:
        assert tree == trees[0]  # every array, bit for bit


@pytest.mark.parametrize("missing", ["complete", "direction", "separate"])
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_a_common_weight_does_not_matter(missing, classes):
    # Rows of equal weight and weighted rows are counted in different ways.
    X, signal = large_table(holes=missing != "complete")
    y = np.digitize(signal, [0.5, 1.5][: classes - 1]) if classes else signal
    make = TreeClassifier if classes else TreeRegressor
    estimator = make(max_depth=9, min_samples_leaf=10)
    if missing != "complete":
        estimator.set_params(missing=missing)
    plain = estimator.fit(X, y).tree_
    assert plain.n_leaves > 100
    doubled = estimator.fit(X, y, sample_weight=np.full(len(X), 2.0)).tree_
    assert_equal_trees(plain, doubled, but=("weight", "value"))
    np.testing.assert_allclose(
        2.0 * plain.data["value"], doubled.data["value"], rtol=1e-8, atol=1e-7
    )


# --- columns of which one value is not stored


SPARSE_COLUMNS = [
    ("numeric", 0),
    ("numeric", 3),
    ("numeric", 6),
    ("ordinal", 2),
    ("nominal", 0),
    ("nominal", 4),
    ("nominal", 2),
]
SPARSE_TASKS = [
    (2, "gini"),
    (2, "entropy"),
    (2, "misclassification"),
    (3, "gini"),
    (3, "entropy"),
    (0, "squared_error"),
    (0, "absolute_error"),
    (0, "quantile"),
    (0, "poisson"),
    (0, "gamma"),
]


def sparse_problem(seed: int, classes: int, criterion: str, **parameters) -> Problem:
    """Columns with one dominant value: at the low end, in the middle, at the high end."""
    rng = np.random.default_rng(seed)
    n = 60
    target = rng.integers(0, classes, n) if classes else rng.normal(size=n).round(1)
    if classes:
        target[:classes] = np.arange(classes)
    if criterion in ("poisson", "gamma"):
        target = np.exp(target) if criterion == "gamma" else np.floor(np.exp(target))
    columns = []
    for i, (kind, mode) in enumerate(SPARSE_COLUMNS):
        values = rng.integers(0, 7, n).astype(float)
        values[rng.random(n) < 0.6 + 0.3 * (target <= np.median(target)) * (i % 2)] = mode
        assert (values == mode).mean() > 0.5  # so it is a column whose mode is hidden
        columns.append(Column(kind, values))
    return Problem(tuple(columns), target, None, classes, criterion, **parameters)


@pytest.mark.parametrize(("classes", "criterion"), SPARSE_TASKS)
@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize("hole", [None, "direction", "separate"])
def test_dominating_values(classes, criterion, split, hole):
    for seed in range(2):
        problem = sparse_problem(seed, classes, criterion, categorical_split=split)
        if hole is not None:  # one more column, with holes: the others still hide their modes
            values = np.random.default_rng(seed + 100).integers(0, 4, 60).astype(float)
            values[values == 3] = np.nan
            columns = (*problem.columns, Column("numeric", values))
            problem = replace(problem, columns=columns, missing=hole)
        tree = assert_same_tree(problem)
        assert tree.n_leaves > 4
        # With weights no mode is hidden; the tree must be the same.
        doubled = fit(replace(problem, weights=np.full(60, 2.0)))
        assert_equal_trees(tree, doubled, but=("weight", "value"))


# --- limits, classes and costs


@policy
@pytest.mark.parametrize("growth", ["depth_first", "best_first"])
def test_limits_are_respected(growth, missing):
    rows = 150
    problem = made(41, missing, rows=rows, classes=3, growth=growth, ties=False)
    free = fit(problem)

    def inner(tree):
        return tree.data["n_children"] > 0

    tree = fit(problem, max_depth=3)
    assert tree.depth == 3 < free.depth
    tree = fit(problem, max_leaves=6)
    assert tree.n_leaves == 6
    tree = fit(problem, min_gain=0.06)
    assert 1 < tree.n_leaves < free.n_leaves
    assert tree.data["gain"][inner(tree)].min() >= 0.06
    # Without weights, a node weighs its number of rows; parts of rows count as parts.
    tree = fit(problem, min_samples_split=30)
    assert tree.n_leaves < free.n_leaves
    assert tree.data["weight"][inner(tree)].min() >= 30 - 1e-6
    for least in (12, 12 / rows):  # a fraction of the rows is rounded up
        tree = fit(problem, min_samples_leaf=least)
        assert 2 < tree.n_leaves < free.n_leaves
        assert tree.data["weight"].min() >= 12 - 1e-6


@pytest.mark.parametrize("missing", ["complete", "fractional", "direction"])
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_a_best_first_tree_contains_its_smaller_versions(criterion, missing):
    classes = 3 if criterion == "gini" else 0
    problem = made(42, missing, rows=120, classes=classes, criterion=criterion, weights="real")
    problem = replace(problem, growth="best_first")
    full = fit(problem).data
    worth = full["gain"] * full["weight"]
    assert full["n_children"].max() == 2
    for leaves in (1, 2, 3, 7, 15):
        small = fit(problem, max_leaves=leaves).data
        count = 2 * leaves - 1
        assert len(small["parent"]) == count
        kept = (full["expansion"] >= 0) & (full["expansion"] < leaves - 1)
        np.testing.assert_array_equal(small["kind"], np.where(kept, full["kind"], 0)[:count])
        np.testing.assert_array_equal(small["parent"], full["parent"][:count])
        np.testing.assert_array_equal(small["value"], full["value"][:count])
        inner = kept[:count]
        for name in ("attribute", "threshold", "missing_to", "gain", "expansion"):
            np.testing.assert_array_equal(small[name][inner], full[name][:count][inner])
        # A node left out is worth no more than the last one expanded, unless it was made later.
        open_nodes = (small["kind"] == 0) & (full["kind"][:count] > 0)
        if leaves > 1:
            last = np.flatnonzero(full["expansion"] == leaves - 2)[0]
            older = open_nodes & (small["parent"] != last)
            assert (worth[:count][older] <= worth[last]).all()


def test_a_leaf_has_no_competitors():
    data = fit(random_problem(42, rows=120), max_leaves=3).data
    listed = np.diff(data["competitor_start"])
    assert (listed[data["kind"] == 0] == 0).all()


def test_levels_of_equal_mean_are_cut_in_the_order_of_codes():
    level = Column("nominal", np.array([0.0, 0, 0, 0, 0, 3, 1, 3, 2, 0]))
    target = np.array([0.0, 0, 0, 0, 2, 0, 1, 2, 1, 0])
    assert_same_tree(Problem((level,), target, criterion="squared_error"))


def test_class_weight_is_sample_weight():
    problem = random_problem(43, rows=80, classes=3, holes=0.1)
    X, y = frame_of(problem), problem.target
    by_class = {0: 1.0, 1: 2.5, 2: 0.25}
    a = TreeClassifier(class_weight=by_class).fit(X, y).tree_
    b = TreeClassifier().fit(X, y, sample_weight=np.array([by_class[c] for c in y])).tree_
    assert a == b
    assert a != TreeClassifier().fit(X, y).tree_
    balanced = TreeClassifier(class_weight="balanced").fit(X, y).tree_
    shares = balanced.data["value"][0] / balanced.data["weight"][0]
    np.testing.assert_allclose(shares, 1 / 3)


def test_costs_decide_the_label():
    X = pd.DataFrame({"a": ["x"] * 10 + ["y"] * 10})
    y = ["no"] * 6 + ["yes"] * 4 + ["no"] * 9 + ["yes"]
    cells = pd.DataFrame({"a": ["x", "y"]})
    plain = TreeClassifier(criterion="entropy").fit(X, y)
    assert plain.predict(cells).tolist() == ["no", "no"]
    # Missing a "yes" costs four: 0.4 * 4 > 0.6 but 0.1 * 4 < 0.9.
    careful = TreeClassifier(criterion="entropy", costs=[[0, 1], [4, 0]]).fit(X, y)
    assert careful.predict(cells).tolist() == ["yes", "no"]
    np.testing.assert_array_equal(plain.predict_proba(cells), careful.predict_proba(cells))
    # Both errors cost the same: nothing changes but the scale of the generalised index.
    even = TreeClassifier(costs=[[0, 3], [3, 0]]).fit(X, y)
    assert even.predict(cells).tolist() == ["no", "no"]
    gini = TreeClassifier().fit(X, y)
    np.testing.assert_allclose(even.tree_.data["gain"], 3 * gini.tree_.data["gain"])


@pytest.mark.parametrize("missing", ["complete", "fractional"])
def test_predictions_have_the_least_expected_cost(missing):
    problem = made(44, missing, rows=90, classes=3, max_depth=3)
    X = frame_of(problem)
    clf = TreeClassifier(costs=COSTS[3], max_depth=3).fit(X, problem.target)
    expected = (clf.predict_proba(X) @ COSTS[3]).argmin(axis=1)
    np.testing.assert_array_equal(clf.predict(X), expected)
    assert (expected != clf.predict_proba(X).argmax(axis=1)).any()


@pytest.mark.parametrize("task", ["two classes", "five classes", "entropy", "regression"])
def test_small_subtrees_equal_the_general_way(task: str) -> None:
    # Purely numeric tables grow their small subtrees in a buffer of their own. A constant nominal
    # column rules that out and can change nothing else.
    rng = np.random.default_rng(8)
    rows = 12_000
    X = pd.DataFrame(
        {
            "continuous": rng.normal(size=rows),
            "more": rng.normal(size=rows),
            "few": rng.integers(0, 9, rows).astype(float),
            "rare": np.where(rng.random(rows) < 0.1, rng.integers(1, 5, rows), 0).astype(float),
            "flag": (rng.random(rows) < 0.2).astype(float),
            "other flag": (rng.random(rows) < 0.1).astype(float),
            "ties": np.round(rng.normal(size=rows), 2),
        }
    )
    score = X["continuous"] + 0.3 * X["few"] * X["flag"] + rng.normal(size=rows)
    with_nominal = X.assign(constant="same")
    if task == "regression":
        model, y = TreeRegressor(), score.to_numpy()
    elif task == "five classes":
        model, y = TreeClassifier(), np.digitize(score, [-1, 0, 1, 2])
    else:
        criterion = "entropy" if task == "entropy" else "gini"
        model, y = TreeClassifier(criterion=criterion), (score > 0.5).to_numpy()
    one = model.fit(X, y).tree_.data
    other = model.fit(with_nominal, y).tree_.data
    assert one["depth"].max() > 12
    for name in ("attribute", "threshold", "rows", "expansion", "first_child"):
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    np.testing.assert_allclose(one["gain"], other["gain"], rtol=1e-9, atol=1e-12)
