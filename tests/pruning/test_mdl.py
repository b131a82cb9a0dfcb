"""Pruning by the minimum description length, against every pruning of a tree written down."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from helpers.growth_data import random_problem
from helpers.pruning_data import (
    CASES_OF_CLASSES,
    any_problem,
    assert_in_order,
    assert_same,
    training_of,
    training_on,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import bottom_up_pruning, description_length
from oracles.problem import Column, Problem
from sklearn.datasets import load_breast_cancer, load_diabetes

from ramify import TreeClassifier, TreeRegressor, _core, load, presets
from ramify.pruning import MDL

CASES = [
    *CASES_OF_CLASSES,
    {"classes": 4},
    {"classes": 0, "criterion": "squared_error"},
    {"classes": 0, "criterion": "absolute_error"},
    {"classes": 0, "criterion": "absolute_error", "weights": "real"},
    {"classes": 0, "criterion": "squared_error", "holes": 0.15, "categorical_split": "multiway"},
    {"classes": 0, "criterion": "squared_error", "weights": "zeros", "ties": False},
]


def assert_shortest(problem: Problem, unseen: str = "missing", **parameters: Any) -> Any:
    """Equal to the oracle's tree; gives the grown tree with the bits of its nodes."""
    training = training_of(problem, unseen=unseen)
    pruning = MDL(**parameters)
    pruned = pruning.prune(training)
    pruned.tree.check()
    assert_in_order(pruned.tree)
    grown = bottom_up_pruning.as_dict(pruned.grown.arrays())
    described = {key: parameters[key] for key in ("code", "precision") if key in parameters}
    description_length.Described(problem, grown, unseen=unseen, **described)
    _, expected = description_length.shortest(grown, pruning.structure)
    assert_same(bottom_up_pruning.as_dict(pruned.tree.arrays()), expected)
    return grown


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_the_oracle(case: dict[str, Any]) -> None:
    for seed in range(8):
        problem = random_problem(seed, rows=60, **case)
        parameters: dict[str, Any] = {"structure": (1.0, 0.2, 0.0, 3.0)[seed % 4]}
        if problem.classes:
            parameters["code"] = ("exact", "mehta")[seed % 2]
        elif seed % 3 == 2:
            parameters["precision"] = 0.5
        assert_shortest(problem, ("missing", "majority")[seed % 2], **parameters)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_pruning_of_the_tree_is_shorter(case: dict[str, Any]) -> None:
    sizes = set()
    for seed in range(12):
        problem = random_problem(seed, rows=22, **{**case, "min_samples_leaf": 3})
        structure = (0.1, 0.3, 1.0)[seed % 3]
        grown = assert_shortest(problem, structure=structure)
        every = list(description_length.prunings(grown, structure))
        least = min(bits for bits, _, _ in every)
        # Among equals, the smallest.
        best = min((n, i) for i, (bits, n, _) in enumerate(every) if bits <= least + 1e-7)[1]
        pruned = MDL(structure=structure).prune(training_of(problem))
        assert pruned.tree.n_nodes == every[best][1]
        assert_same(bottom_up_pruning.as_dict(pruned.tree.arrays()), every[best][2])
        sizes.add((len(every) > 2, pruned.tree.n_nodes > 1))
    assert (True, True) in sizes or case.get("classes") == 0


@settings(max_examples=60, deadline=None)
@given(any_problem(regression=True), st.sampled_from([0.0, 0.1, 1.0]))
def test_on_any_problem(problem: Problem, structure: float) -> None:
    assert_shortest(problem, structure=structure)


def bits_of(problem: Problem, code: str) -> tuple[Any, Any]:
    training = training_of(problem)
    grown = training.grow()
    return _core.description_length(training.problem, grown, code, 1.0, 1.0, 1.0)[1:]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_the_code_of_a_leaf_is_that_of_its_rows_one_by_one(labels: list[int]) -> None:
    k = len(set(labels))
    codes = np.unique(labels, return_inverse=True)[1]
    constant = Column("numeric", np.zeros(len(labels)))
    as_leaf, question = bits_of(Problem((constant,), codes, None, k), "exact")
    assert as_leaf[0] == pytest.approx(
        description_length.sequential_bits(codes.tolist(), k), abs=1e-9
    )
    assert question.tolist() == [0.0]


def test_the_printed_formula_is_a_little_longer_than_the_code() -> None:
    # Two classes, any number of rows: their difference is at most that of the constants.
    for n in (4, 10, 100, 1000):
        for share in (0.0, 0.1, 0.5):
            codes = np.repeat([0, 1], [n - max(1, int(n * share)), max(1, int(n * share))])
            problem = Problem((Column("numeric", np.zeros(n)),), codes, None, 2)
            exact, mehta = (bits_of(problem, code)[0][0] for code in ("exact", "mehta"))
            assert 0 < mehta - exact < math.log2(math.pi)


def test_a_tree_by_hand() -> None:
    """Twenty rows, the class is whether the number is above the middle; a second column is noise.

    As a leaf: KT of 10 and 10. The tree: three bits for three nodes, one for the column, log2(19)
    for the threshold, and KT of 10 and 0 twice.
    """
    noise = np.tile([0.0, 1.0], 10)
    columns = (Column("numeric", np.arange(20.0)), Column("numeric", noise))
    problem = Problem(columns, np.repeat([0, 1], 10), None, 2)
    as_leaf, question = bits_of(problem, "exact")
    mixed = description_length.sequential_bits([0] * 10 + [1] * 10, 2)
    pure = description_length.sequential_bits([0] * 10, 2)
    np.testing.assert_allclose(as_leaf, [mixed, pure, pure])
    np.testing.assert_allclose(question, [1 + math.log2(19), 0, 0])
    saved = mixed + 1 - (3 + 1 + math.log2(19) + 2 * pure)
    assert saved > 0
    assert MDL().prune(training_of(problem)).tree.n_nodes == 3
    # What a bit of structure may cost before the tree is not worth it.
    most = (mixed - 2 * pure) / (2 + 1 + math.log2(19))
    assert MDL(structure=most * 0.999).prune(training_of(problem)).tree.n_nodes == 3
    assert MDL(structure=most * 1.001).prune(training_of(problem)).tree.n_nodes == 1


def groupings(levels: int, groups: int, *, ordered: bool, floats: bool) -> int:
    """Every way to give each level a group is written down; the last level may float."""
    found = set()
    for chosen in itertools.product(range(groups), repeat=levels):
        if len(set(chosen)) < groups:
            continue
        placed = chosen[:-1] if floats else chosen
        if ordered and any(
            a != b and b in placed[: i + 1] for i, (a, b) in enumerate(itertools.pairwise(placed))
        ):
            continue  # a group that is left and entered again is no range
        found.add(frozenset(frozenset(np.flatnonzero(np.array(chosen) == g)) for g in chosen))
    return len(found)


@pytest.mark.parametrize("missing", ["fractional", "separate"])
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("regression", [False, True])
def test_the_groups_of_merged_levels(missing: Any, ordered: bool, regression: bool) -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 5, 400)
    y = (np.array([0, 0, 1, 2, 2, 1])[codes] + (rng.random(400) < 0.1)) % 3
    column = pandas.Categorical.from_codes(codes, list("abcde"), ordered=ordered)
    X = pandas.DataFrame({"level": column})
    make = TreeRegressor if regression else TreeClassifier
    estimator = make(categorical_split="merge", missing=missing, max_depth=1)
    training = training_on(estimator, X, y)
    grown = training.grow()
    code = "normal" if regression else "exact"
    question = _core.description_length(training.problem, grown, code, 1.0, 1.0, 2.0)[2]
    branches = int(grown.arrays()["n_children"][0])
    assert branches > 2
    holes = missing == "separate"
    ways = groupings(5 + holes, branches, ordered=ordered, floats=ordered and holes)
    assert question[0] == pytest.approx(math.log2((4 + holes) * ways))
    assert make(categorical_split="merge", pruning="mdl").fit(X, y).tree_.n_leaves > 1


def test_noise_is_a_leaf_and_a_signal_stays() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    noise = rng.integers(0, 2, 300)
    assert TreeClassifier().fit(X, noise).tree_.n_leaves > 50
    assert TreeClassifier(pruning="mdl").fit(X, noise).tree_.n_leaves == 1
    signal = (X[:, 1] > 0.3).astype(int)
    assert TreeClassifier(pruning="mdl").fit(X, signal).tree_.n_leaves == 2
    numbers = rng.normal(size=300).round(3)
    assert TreeRegressor(pruning="mdl").fit(X, numbers).tree_.n_leaves == 1
    steps = np.where(X[:, 2] > 0, 5.0, 0.0) + rng.normal(size=300).round(3)
    for criterion in ("squared_error", "absolute_error"):
        tree = TreeRegressor(criterion=criterion, pruning="mdl").fit(X, steps).tree_
        assert tree.n_leaves == 2


@pytest.mark.parametrize("scale", [1e-6, 1e9])
def test_the_unit_of_numbers_does_not_matter(scale: float) -> None:
    X, y = load_diabetes(return_X_y=True)
    one = TreeRegressor(pruning="mdl").fit(X, y)
    other = TreeRegressor(pruning="mdl").fit(X, y * scale)
    assert one.tree_.n_leaves == other.tree_.n_leaves > 1
    coarse = TreeRegressor(pruning=MDL(precision=40.0)).fit(X, y)
    assert coarse.tree_.n_leaves >= 1


@pytest.mark.parametrize("constant", [3.0, "a"])
def test_nothing_to_tell(constant: Any) -> None:
    make = TreeRegressor if isinstance(constant, float) else TreeClassifier
    for n in (1, 5):
        fitted = make(pruning="mdl").fit(np.arange(float(n))[:, None], [constant] * n)
        assert fitted.tree_.n_leaves == 1


def test_weights_are_repeated_rows_and_columns_that_say_nothing_do_not_count() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = TreeClassifier(pruning="mdl").fit(X, y, weight)
    repeated = TreeClassifier(pruning="mdl").fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    for name in ("attribute", "threshold", "value"):
        np.testing.assert_array_equal(weighted.tree_.data[name], repeated.tree_.data[name])
    wider = TreeClassifier(pruning="mdl").fit(np.column_stack([X, np.zeros((len(y), 500))]), y)
    assert wider.tree_.n_leaves == TreeClassifier(pruning="mdl").fit(X, y).tree_.n_leaves


def test_the_same_for_any_order_of_rows_and_threads() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(1).permutation(len(y))
    one = TreeClassifier(pruning="mdl").fit(X, y)
    two = TreeClassifier(pruning="mdl", n_jobs=2).fit(X[order], y[order])
    assert one.tree_.to_text() == two.tree_.to_text()


def test_files_paths_and_presets(tmp_path: Any) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    pruning = MDL(code="mehta", structure=0.5)
    clf = presets.c45(pruning=pruning).fit(X, y)
    clf.save(tmp_path / "model.json")
    read = load(tmp_path / "model.json")
    assert read.tree_ == clf.tree_
    assert read.pruning == pruning
    assert read.prune(n_leaves=2).tree_.n_leaves == 2
    assert np.isnan(clf.pruning_path_.error).all()
    clf.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"code": "short"}, "pruning=MDL: code='short' is not valid; choose from exact, mehta"),
        ({"structure": -1}, "structure=-1 must be"),
        ({"structure": math.nan}, "structure=nan"),
        ({"precision": 0}, "precision=0 must be None or a number above 0"),
        ({"precision": "fine"}, "precision='fine'"),
        ({"precision": 0.5}, r"MDL\(precision=0.5\) is for targets that are numbers"),
    ],
)
def test_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TreeClassifier(pruning=MDL(**parameters)).fit([[0.0], [1.0]], [0, 1])


def test_costs_are_refused() -> None:
    clf = TreeClassifier(pruning="mdl", costs=[[0, 1], [2, 0]])
    with pytest.raises(ValueError, match="cannot use costs; choose CostComplexity"):
        clf.fit([[0.0], [1.0]], [0, 1])
