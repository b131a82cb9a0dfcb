"""Prunings that judge rows give the tree of a fit in memory, or are refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, in_partitions, make_table
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, TreeRegressor, scale
from ramify.pruning import MDL, BestFirst, ErrorBased, ReducedError
from ramify.scale import distinct as distinct_values
from ramify.scale import raising

LIMIT = 30_000
# All four pairs of these are drawn by the tests of any table.
rows = pytest.mark.parametrize(
    ("missing", "weighted"), [(0.0, False), (0.1, True)], ids=["plain", "missing and weighted"]
)


def compare(estimator: Any, table: pa.Table, parts: int = 1, limit: int = LIMIT) -> list[str]:
    """Fit in memory and out of core; the trees before and after pruning are the same."""
    expected = fit_in_memory(type(estimator)(**estimator.get_params()), table)
    scans: list[str] = []
    scale.fit(
        estimator,
        in_partitions(table, parts),
        weight="w" if "w" in table.column_names else None,
        memory_limit=limit,
        progress=lambda number, what: scans.append(what),
    )
    assert "counts" in scans
    assert_same_tree(estimator.tree_.core, expected.tree_.core)
    assert_same_tree(estimator.fitted_.grown.core, expected.fitted_.grown.core)
    return scans


@pytest.mark.parametrize("significance", [None, 0.05, 0.5])
@pytest.mark.parametrize("numbers", [False, True])
@rows
def test_reduced_error(
    significance: float | None, numbers: bool, weighted: bool, missing: float
) -> None:
    table = make_table(800, 11, numbers=numbers, weighted=weighted, missing=missing)
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = ReducedError(significance=significance)
    scans = compare(kind(pruning=pruning, identifiers="keep", random_state=3), table, 3)
    assert scans.count("the target") == scans.count("rows held out") == 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"costs": [[0, 1], [4, 0]]},
        {"class_weight": "balanced"},
        {"missing": "separate"},
        {"growth": "best_first", "max_leaves": 20},
        {"monotone": {"x0": 1}, "max_depth": 5},
    ],
    ids=", ".join,
)
def test_reduced_error_with(parameters: dict[str, Any]) -> None:
    table = make_table(800, 12, missing=0.05)
    clf = TreeClassifier(pruning=ReducedError(holdout=0.25), identifiers="keep", **parameters)
    compare(clf, table, 2)


def test_reduced_error_of_a_count() -> None:
    table = make_table(700, 13, numbers=True)
    y = np.exp(table["y"].to_numpy()).round()
    table = table.set_column(table.column_names.index("y"), "y", pa.array(y))
    compare(TreeRegressor(criterion="poisson", pruning=ReducedError(), identifiers="keep"), table)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    classes=st.sampled_from([2, 4]),
    missing=st.sampled_from([0.0, 0.2]),
    distinct=st.sampled_from([None, 6]),
    weighted=st.booleans(),
    holdout=st.sampled_from([0.1, 1 / 3, 0.6]),
    parts=st.sampled_from([1, 4]),
)
def test_reduced_error_of_any_table(
    seed: int, numbers: bool, holdout: float, parts: int, **made: Any
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = ReducedError(holdout=holdout)
    tree = kind(pruning=pruning, identifiers="keep", random_state=seed)
    compare(tree, make_table(500, seed, numbers=numbers, **made), parts, 15_000)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_reduced_error_at_a_level_of_the_folds(
    numbers: bool, weighted: bool, missing: float
) -> None:
    table = make_table(700, 17, numbers=numbers, weighted=weighted, missing=missing)
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = ReducedError(significance="cv", folds=5)
    scans = compare(kind(pruning=pruning, identifiers="keep", random_state=3), table, 3)
    assert scans.count("the target") == scans.count("losses of the folds") == 1
    assert scans.count("rows held out") == 2  # of the folds, and of the whole tree


@pytest.mark.parametrize(
    "parameters",
    [
        {"costs": [[0, 1], [4, 0]]},
        {"class_weight": "balanced"},
        {"missing": "separate"},
        {"missing": "direction"},
        {"growth": "best_first", "max_leaves": 20},
    ],
    ids=", ".join,
)
def test_reduced_error_at_a_level_of_the_folds_with(parameters: dict[str, Any]) -> None:
    table = make_table(800, 18, missing=0.05)
    pruning = ReducedError(holdout=0.25, significance="cv", folds=4)
    compare(TreeClassifier(pruning=pruning, identifiers="keep", **parameters), table, 2)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    missing=st.sampled_from([0.0, 0.2]),
    distinct=st.sampled_from([None, 6]),
    weighted=st.booleans(),
    folds=st.sampled_from([2, 3, 7]),
    parts=st.sampled_from([1, 7]),
)
def test_reduced_error_at_a_level_of_any_folds(
    seed: int, numbers: bool, folds: int, parts: int, **made: Any
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = ReducedError(significance="cv", folds=folds)
    tree = kind(pruning=pruning, identifiers="keep", random_state=seed)
    compare(tree, make_table(400, seed, numbers=numbers, **made), parts, 15_000)


def test_more_folds_than_a_mark_has_bits() -> None:
    pruning = ReducedError(significance="cv", folds=70)
    clf = TreeClassifier(pruning=pruning, identifiers="keep", max_depth=3, random_state=3)
    scans = compare(clf, make_table(300, 19, numeric=1, nominal=0), 2, 8_000)
    assert scans.count("losses of the folds") == 2


def test_reduced_error_of_one_class() -> None:
    table = make_table(600, 14)
    one = table.set_column(table.column_names.index("y"), "y", pa.array(np.zeros(600)))
    clf = TreeClassifier(pruning=ReducedError(), identifiers="keep")
    scale.fit(clf, in_partitions(one, 1), memory_limit=LIMIT)
    assert clf.tree_.n_leaves == 1


def compare_in_step(estimator: Any, table: pa.Table, parts: int = 1, limit: int = LIMIT) -> None:
    """Compare what growth in step gives, and the errors that it saw."""
    expected = fit_in_memory(type(estimator)(**estimator.get_params()), table)
    scans = compare(estimator, table, parts, limit)
    assert scans.count("the target") == scans.count("losses of the folds") == 1
    found, path = estimator.pruning_path_, expected.pruning_path_
    assert found.selected == path.selected
    np.testing.assert_array_equal(found.key, path.key)
    np.testing.assert_allclose(found.error, path.error, rtol=1e-6)
    np.testing.assert_allclose(found.standard_error, path.standard_error, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("rule", ["min", "1se", "1point"])
@pytest.mark.parametrize("numbers", [False, True])
@rows
def test_best_first_in_step(rule: Any, numbers: bool, weighted: bool, missing: float) -> None:
    table = make_table(600, 21, numbers=numbers, weighted=weighted, missing=missing)
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = BestFirst(stage="pre", rule=rule, folds=4)
    compare_in_step(kind(pruning=pruning, identifiers="keep", random_state=2), table, 2)


@pytest.mark.parametrize(
    "parameters",
    [
        {"growth": "best_first"},
        {"growth": "best_first_unweighted"},
        {"max_leaves": 6},
        {"max_leaves": 7, "categorical_split": "multiway"},
        {"max_expansions": 5, "growth": "best_first"},
        {"max_depth": 3},
        {"missing": "separate"},
        {"missing": "direction"},
        {"costs": [[0, 1], [4, 0]]},
        {"class_weight": "balanced"},
        {"monotone": {"x0": 1}, "max_depth": 5},
        {"min_gain": 0.5},
        {"skeleton": {"column": "x1", "threshold": 0.25}},
    ],
    ids=", ".join,
)
@pytest.mark.parametrize("finished_folds", ["keep", "drop"])
def test_best_first_in_step_with(parameters: dict[str, Any], finished_folds: Any) -> None:
    table = make_table(700, 22, missing=0.05 if "missing" in parameters else 0.0)
    pruning = BestFirst(stage="pre", folds=3, error="rmse", finished_folds=finished_folds)
    compare_in_step(TreeClassifier(pruning=pruning, identifiers="keep", **parameters), table)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    classes=st.sampled_from([2, 4]),
    missing=st.sampled_from([0.0, 0.2]),
    distinct=st.sampled_from([None, 6]),
    weighted=st.booleans(),
    rule=st.sampled_from(["min", "1se", "1point"]),
    parts=st.sampled_from([1, 7]),
)
def test_best_first_in_step_of_any_table(
    seed: int, numbers: bool, rule: Any, parts: int, **made: Any
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    pruning = BestFirst(stage="pre", rule=rule, folds=3)
    tree = kind(pruning=pruning, identifiers="keep", random_state=seed)
    compare_in_step(tree, make_table(400, seed, numbers=numbers, **made), parts, 15_000)


@pytest.mark.parametrize("confidence", [0.1, 0.25, 0.5])
@pytest.mark.parametrize(
    "parameters",
    [{}, {"costs": [[0, 1], [3, 0]]}, {"missing": "direction"}, {"categorical_split": "multiway"}],
    ids=str,
)
def test_error_based(confidence: float, parameters: dict[str, Any]) -> None:
    pruning = ErrorBased(confidence=confidence, raising=False)
    table = make_table(800, 15, missing=0.1 if parameters else 0.0)
    clf = TreeClassifier(pruning=pruning, identifiers="keep", **parameters)
    compare(clf, table, 2)


RAISING = (
    {},
    {"costs": 3},
    {"class_weight": "balanced"},
    {"missing": "direction"},
    {"missing": "separate"},
    {"categorical_split": "multiway"},
    {"categorical_split": "multiway", "unseen": "majority"},
    {"unseen": "majority"},
    {"categorical_split": "multiway", "missing": "direction"},
    {"growth": "best_first"},
    {"skeleton": {"column": "x1", "threshold": 0.25}},
)


def with_costs(parameters: dict[str, Any], classes: int) -> dict[str, Any]:
    """Give parameters with costs for so many classes, of which those above the diagonal differ."""
    if "costs" not in parameters:
        return parameters
    costs = np.triu(np.ones((classes, classes)), 1)
    return parameters | {"costs": costs + parameters["costs"] * costs.T}


@pytest.fixture
def raised_by_scans(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the list to which every branch that scans raise adds its number of nodes."""
    seen: list[int] = []
    take_over: Any = raising._Arrived.take_over

    def counted(arrived: Any) -> None:
        seen.append(len(arrived._children))
        take_over(arrived)

    monkeypatch.setattr(raising._Arrived, "take_over", counted)
    return seen


def noisy(table: pa.Table, seed: int) -> pa.Table:
    """Give most rows another class: chance splits, whose heaviest branch is better, come up."""
    rng = np.random.default_rng(seed)
    y = table["y"].to_numpy()
    y = np.where(rng.random(len(y)) < 0.8, rng.integers(0, y.max() + 1, len(y)), y)
    return table.set_column(table.column_names.index("y"), "y", pa.array(y))


@pytest.mark.parametrize("parameters", RAISING, ids=str)
@rows
def test_branches_are_raised(
    parameters: dict[str, Any], missing: float, weighted: bool, raised_by_scans: list[int]
) -> None:
    n_rows = 500 if weighted or missing else 900  # so many that chance makes branches worth raising
    for seed in (8, 9):
        table = make_table(n_rows, seed, nominal=3, missing=missing, weighted=weighted)
        clf = TreeClassifier(pruning=ErrorBased(), identifiers="keep", **with_costs(parameters, 2))
        scans = compare(clf, noisy(table, seed), 2, 10_000)
        assert scans.count("branches") > 3
    if not weighted and not missing:
        assert max(raised_by_scans) > 3


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    classes=st.sampled_from([2, 4]),
    missing=st.sampled_from([0.0, 0.0, 0.2]),
    distinct=st.sampled_from([None, 6]),
    nominal=st.sampled_from([1, 3]),
    weighted=st.booleans(),
    confidence=st.sampled_from([0.1, 0.25, 0.5]),
    parameters=st.sampled_from(RAISING),
    parts=st.sampled_from([1, 2, 7]),
    limit=st.sampled_from([6_000, 15_000]),
)
def test_branches_of_any_table_are_raised(
    seed: int,
    confidence: float,
    parameters: dict[str, Any],
    parts: int,
    limit: int,
    **made: Any,
) -> None:
    pruning = ErrorBased(confidence=confidence)
    own = with_costs(parameters, made["classes"])
    clf = TreeClassifier(pruning=pruning, identifiers="keep", **own)
    compare(clf, noisy(make_table(300, seed, **made), seed), parts, limit)


def test_a_subtree_that_fits_in_memory_takes_one_scan() -> None:
    table = make_table(600, 24)
    clf = TreeClassifier(pruning=ErrorBased(), identifiers="keep")
    scans = compare(clf, table, 1, 100_000)
    assert scans.count("branches") <= 4


@pytest.mark.parametrize("code", ["exact", "mehta"])
@rows
@pytest.mark.parametrize(
    "parameters",
    [{}, {"missing": "direction"}, {"missing": "separate"}, {"categorical_split": "multiway"}],
    ids=str,
)
def test_description_length(
    code: Any, missing: float, weighted: bool, parameters: dict[str, Any]
) -> None:
    table = make_table(700, 25, missing=missing, weighted=weighted)
    clf = TreeClassifier(pruning=MDL(code=code, structure=0.5), identifiers="keep", **parameters)
    scans = compare(clf, table, 2, 12_000)
    assert scans.count("distinct values") > 1  # not all of them fit at a time
    assert clf.tree_.n_leaves < clf.fitted_.grown.n_leaves


@pytest.mark.parametrize("precision", [None, 0.01])
@pytest.mark.parametrize("weighted", [False, True])
def test_description_length_of_numbers(precision: float | None, weighted: bool) -> None:
    table = make_table(700, 26, numbers=True, missing=0.05, weighted=weighted)
    y = table["y"].to_numpy().round(2)
    table = table.set_column(table.column_names.index("y"), "y", pa.array(y))
    scans = compare(TreeRegressor(pruning=MDL(precision=precision), identifiers="keep"), table, 2)
    assert scans.count("the target") == 1


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.booleans(),
    classes=st.sampled_from([2, 4]),
    missing=st.sampled_from([0.0, 0.2]),
    distinct=st.sampled_from([None, 6]),
    weighted=st.booleans(),
    rule=st.sampled_from(["fractional", "separate", "direction"]),
    structure=st.sampled_from([0.1, 1.0]),
    parts=st.sampled_from([1, 2, 7]),
    limit=st.sampled_from([6_000, 15_000]),
)
def test_description_length_of_any_table(
    seed: int, numbers: bool, rule: Any, structure: float, parts: int, limit: int, **made: Any
) -> None:
    kind = TreeRegressor if numbers else TreeClassifier
    tree = kind(pruning=MDL(structure=structure), missing=rule, identifiers="keep")
    compare(tree, make_table(250, seed, numbers=numbers, **made), parts, limit)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    values=st.lists(st.integers(-9, 9), min_size=1, max_size=60),
    parts=st.integers(1, 5),
    room=st.integers(1, 30),
)
def test_distinct_values_are_counted_in_any_room(values: list[int], parts: int, room: int) -> None:
    cells = np.where(np.arange(len(values)) % 7 == 3, np.nan, np.array(values) / 2)
    first, count = 0, 0
    while first <= distinct_values.LAST:
        total = distinct_values.Seen(first, distinct_values.LAST, room)
        for part in np.array_split(cells, parts):
            seen = distinct_values.Seen(first, distinct_values.LAST, room)
            seen.add("here", part)
            total = total + seen
        found = total.values["here"]
        assert len(found) <= room
        count, first = count + len(found), total.last + 1
    assert count == len(np.unique(cells[~np.isnan(cells)]))
    assert ("here" in total.holes) == bool(np.isnan(cells).any())


@pytest.mark.parametrize(
    ("pruning", "words"),
    [
        (BestFirst(time_limit=1.0), "time_limit=None"),
    ],
    ids=str,
)
def test_what_cannot_be_had_is_refused(pruning: Any, words: str) -> None:
    clf = TreeClassifier(pruning=pruning, identifiers="keep")
    with pytest.raises(ValueError, match=rf"pruning=.*cannot be had out of core.*{words}"):
        scale.fit(clf, in_partitions(make_table(600, 16), 1), memory_limit=LIMIT)
