"""CHAID: levels merged by significance, and the trees that it grows."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.paths import fixture
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles import chaid as oracle
from scipy.stats import f

import ramify
from ramify import TreeClassifier, TreeRegressor, _core, presets
from ramify.splits import MergeLevels, merge_levels

FIXTURE = fixture("chaid.json")


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    """Counts of two to seven levels, some alike, some with one class only."""
    classes, levels = draw(st.integers(1, 4)), draw(st.integers(1, 7))
    high = draw(st.sampled_from([2, 8, 60, 5000]))
    cells = st.lists(st.integers(0, high), min_size=classes, max_size=classes).filter(any)
    rows = np.array(draw(st.lists(cells, min_size=levels, max_size=levels)), dtype=float)
    if draw(st.booleans()):
        rows *= draw(st.sampled_from([0.25, 0.3, 3.0]))
    return rows


def groups_of(numbers: list[int]) -> list[tuple[int, ...]]:
    return [
        tuple(i for i, number in enumerate(numbers) if number == group)
        for group in range(max(numbers) + 1)
    ]


OPTIONS = st.builds(
    lambda alpha, part, exhaustive, test: oracle.Rules(alpha, alpha * part, exhaustive, test),
    st.sampled_from([0.01, 0.05, 0.3, 1.0]),
    st.sampled_from([0.0, 0.0, 0.5, 1.0]),
    st.booleans(),
    st.sampled_from(["pearson", "likelihood_ratio"]),
)


@settings(max_examples=400, deadline=None)
@given(tables(), OPTIONS, st.booleans(), st.booleans(), st.sampled_from([0, 0, 5, 40]))
def test_levels_are_merged_as_by_hand(table, rules, ordered, floats, min_rows) -> None:
    assume(oracle.log_p(table, rules.test) > -600)  # or scipy's p underflows
    options = {
        "alpha": rules.alpha,
        "resplit": rules.resplit,
        "exhaustive": rules.exhaustive,
        "test": rules.test,
    }
    found, log_p, log_ways = _core.merge_levels(
        table, ordered, ordered and floats, float(min_rows), options
    )
    groups, expected, ways = oracle.merge(
        table, rules, ordered=ordered, floats=floats, min_rows=min_rows
    )
    assert groups_of(found) == groups
    assert log_p == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert log_ways == pytest.approx(math.log(ways), abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), OPTIONS, st.booleans(), st.booleans())
def test_means_are_merged_as_by_hand(seed, rules, ordered, floats) -> None:
    rng = np.random.default_rng(seed)
    levels = int(rng.integers(2, 8))
    rows = []
    for _ in range(levels):
        y = rng.normal(rng.integers(0, 3), 1.0, rng.integers(1, 30)).round(2)
        rows.append([len(y), y.sum(), (y**2).sum()])
    rules = oracle.Rules(rules.alpha, rules.resplit, rules.exhaustive, "f")
    options = {
        "alpha": rules.alpha,
        "resplit": rules.resplit,
        "exhaustive": rules.exhaustive,
        "test": "f",
    }
    table = np.array(rows)
    found, log_p, _ = _core.merge_levels(table, ordered, ordered and floats, 0.0, options)
    groups, expected, _ = oracle.merge(table, rules, ordered=ordered, floats=floats)
    assert groups_of(found) == groups
    assert log_p == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("levels", range(2, 8))
@pytest.mark.parametrize(("ordered", "floats"), [(False, False), (True, False), (True, True)])
def test_the_factors_count_the_ways(levels: int, ordered: bool, floats: bool) -> None:
    for groups in range(2, levels + 1):
        counted = oracle.ways_by_counting(levels, groups, ordered, floats)
        assert oracle.ways(levels, groups, ordered, floats, exhaustive=False) == counted


def test_the_tail_of_f_is_that_of_scipy() -> None:
    rng = np.random.default_rng(3)
    for _ in range(2000):
        df1, df2 = int(rng.integers(1, 60)), int(10 ** rng.uniform(0, 6))
        statistic = 10 ** rng.uniform(-4, 2)
        expected = f.logsf(statistic, df1, df2)
        if expected < -600:
            continue
        found = _core.log_f_tail(statistic * df1, float(df2), float(df1), float(df2))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-11)


# --- trees ------------------------------------------------------------------------------------


def drawn(seed: int, *, numbers: bool) -> tuple[list[oracle.Column], dict[str, Any], np.ndarray]:
    """A table of all kinds of columns, holes included, with what pandas makes of it."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 250))
    columns, data = [], {}
    for c, kind in enumerate(rng.choice(["nominal", "ordinal", "numeric"], 4)):
        levels = int(rng.integers(1, 7))
        codes = rng.integers(0, levels, n)
        if kind == "numeric":
            values = codes / 4.0
            columns.append(oracle.Column("numeric", values))
            data[f"x{c}"] = values
            continue
        if rng.random() < 0.5:
            codes[rng.random(n) < 0.15] = -1
        names = [f"v{i}" for i in range(levels)]
        columns.append(oracle.Column(str(kind), codes))
        data[f"x{c}"] = pd.Categorical.from_codes(codes, names, ordered=kind == "ordinal")
    effect = sum(rng.normal(0, 1) * (column.values > rng.integers(0, 4)) for column in columns)
    score = effect + rng.normal(0, rng.choice([0.3, 1.0, 3.0]), n)
    if numbers:
        return columns, data, score.round(3)
    cuts = np.quantile(score, np.linspace(0, 1, int(rng.integers(2, 5)) + 1)[1:-1])
    return columns, data, np.searchsorted(cuts, score)


def as_nested(tree: ramify.Tree, codes: dict[str, dict[Any, int]], node: int = 0) -> Any:
    """The tree as the oracle writes it."""
    at = tree.nodes[node]
    if at.is_leaf:
        return at.rows
    condition = at.condition
    children = [as_nested(tree, codes, child) for child in at.children]
    if isinstance(condition, ramify.Threshold):
        return (condition.column, [condition.value], float(tree.data["log_p"][node]), children)
    code = codes[condition.attribute]
    branches = [[code[level] for level in levels] for levels in condition.branches]
    if condition.missing_to is not None:
        branches[condition.missing_to].append(-1)
    return (condition.column, branches, float(tree.data["log_p"][node]), children)


def same(found: Any, expected: Any, columns: list[oracle.Column], rows: np.ndarray) -> None:
    if isinstance(expected, int):
        assert found == expected
        return
    assert found[0] == expected[0]
    column = columns[expected[0]]
    if column.kind == "numeric":
        assert found[1] == expected[1]
        masks = [column.values <= expected[1][0], column.values > expected[1][0]]
    else:
        # Ordinal levels that the node lacks have a branch, too.
        present = set(column.values[rows].tolist())
        assert [[k for k in b if k in present] for b in found[1]] == expected[1]
        masks = [np.isin(column.values, branch) for branch in expected[1]]
    assert found[2] == pytest.approx(expected[2], rel=1e-7, abs=1e-7)
    assert len(found[3]) == len(expected[3])
    for child, other, mask in zip(found[3], expected[3], masks, strict=True):
        same(child, other, columns, rows & mask)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_trees_are_those_of_the_oracle(seed: int, numbers: bool) -> None:
    columns, data, y = drawn(seed, numbers=numbers)
    rng = np.random.default_rng(seed + 1000)
    weights = rng.integers(1, 4, len(y)).astype(float) if seed % 3 == 0 else None
    rules = oracle.Rules(
        alpha=float(rng.choice([0.05, 0.2])),
        resplit=float(rng.choice([0.0, 0.05])),
        exhaustive=bool(rng.random() < 0.3),
        test="f" if numbers else str(rng.choice(["pearson", "likelihood_ratio"])),
    )
    least = int(rng.choice([1, 8]))
    method = MergeLevels(
        alpha=rules.alpha,
        resplit=rules.resplit or None,
        exhaustive=rules.exhaustive,
        test="pearson" if numbers else rules.test,
    )
    model = presets.chaid(
        task="regression" if numbers else "classification",
        categorical_split=method,
        max_depth=3,
        min_samples_leaf=least,
        alpha=0.1,
    ).fit(pd.DataFrame(data), y, sample_weight=weights)
    model.tree_.check()
    expected = oracle.grow(
        columns,
        y,
        np.ones(len(y)) if weights is None else weights,
        classes=0 if numbers else int(y.max()) + 1,
        rules=rules,
        alpha=0.1,
        max_depth=3,
        min_rows=least,
    )
    codes = {name: {f"v{i}": i for i in range(10)} for name in data}
    same(as_nested(model.tree_, codes), expected, columns, np.ones(len(y), dtype=bool))


def read_digits(text: str) -> np.ndarray:
    return np.array([-1 if digit == "." else int(digit) for digit in text])


@pytest.mark.parametrize("name", sorted(FIXTURE))
def test_trees_are_those_of_the_package(name: str) -> None:
    """The package CHAID does not adjust p and uses alpha_merge for everything."""
    case = FIXTURE[name]
    data = {}
    for column, kind in zip(case["columns"], case["kinds"], strict=True):
        codes = read_digits(column["codes"])
        names = [f"{i}" for i in range(codes.max() + 1)]
        data[column["name"]] = pd.Categorical.from_codes(codes, names, ordered=kind == "ordinal")
    model = presets.chaid(
        categorical_split=MergeLevels(alpha=case["alpha"]),
        alpha=case["alpha"],
        bonferroni=False,
        max_depth=case["max_depth"],
    ).fit(pd.DataFrame(data), read_digits(case["y"]))
    tree = model.tree_

    def compare(node: int, expected: Any, rows: np.ndarray) -> None:
        at = tree.nodes[node]
        assert at.rows == expected["rows"]
        assert at.is_leaf == ("children" not in expected)
        if at.is_leaf:
            return
        assert at.condition.attribute == expected["column"]
        assert float(tree.data["log_p"][node]) == pytest.approx(
            expected["log_p"], rel=1e-6, abs=1e-9
        )
        column = next(c for c in case["columns"] if c["name"] == expected["column"])
        codes = read_digits(column["codes"])
        reached = set(codes[rows].tolist())
        branches = [[int(level) for level in b] for b in at.condition.branches]
        if at.condition.missing_to is not None:
            branches[at.condition.missing_to].append(-1)
        branches = [sorted(set(branch) & reached) for branch in branches]
        assert sorted(branches) == sorted(child["levels"] for child in expected["children"])
        for child in expected["children"]:
            below = rows & np.isin(codes, child["levels"])
            compare(at.children[branches.index(child["levels"])], child, below)

    compare(0, case["tree"], np.ones(len(case["y"]), dtype=bool))


def frame(n: int = 400, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "pink", "blue", "cyan", "grey"], n).astype(object)
    size = pd.Categorical.from_codes(rng.integers(-1, 5, n), list("SMLXY"), ordered=True)
    width = rng.normal(0, 1, n)
    score = np.isin(colour, ["red", "pink"]) * 2.0 + np.isin(size.codes, [2, 3]) * 1.5
    y = np.where(score + rng.normal(0, 0.6, n) > 1.4, "yes", "no")
    return pd.DataFrame({"colour": colour, "size": size, "width": width}), y


def test_like_levels_share_a_branch_and_ranges_stay_whole() -> None:
    X, y = frame()
    tree = presets.chaid().fit(X, y).tree_
    tree.check()
    multi = [n.condition for n in tree.nodes if isinstance(n.condition, ramify.Multiway)]
    assert any(len(branch) > 1 for condition in multi for branch in condition.branches)
    assert all(len(n.children) < 5 for n in tree.nodes)
    order = {level: i for i, level in enumerate("SMLXY")}
    sizes = [c for c in multi if c.attribute == "size"]
    assert sizes
    for condition in sizes:
        for branch in condition.branches:
            places = sorted(order[level] for level in branch)
            assert places == list(range(places[0], places[-1] + 1)) if places else True
        assert condition.missing_to is not None


def test_a_level_that_a_node_lacks_goes_with_its_neighbour() -> None:
    size = pd.Categorical(["S", "S", "X", "X"] * 20, categories=list("SMLXY"), ordered=True)
    y = np.array([0, 0, 1, 1] * 20)
    model = presets.chaid().fit(pd.DataFrame({"size": size}), y)
    new = pd.Categorical(list("SMLXY"), categories=list("SMLXY"), ordered=True)
    assert model.predict(pd.DataFrame({"size": new})).tolist() == [0, 1, 1, 1, 1]


def test_the_rows_order_and_the_threads_do_not_matter() -> None:
    X, y = frame(3000, 4)
    text = presets.chaid().fit(X, y).tree_.to_text()
    order = np.random.default_rng(1).permutation(len(y))
    assert presets.chaid(n_jobs=2).fit(X.iloc[order], y[order]).tree_.to_text() == text


def test_a_weight_of_two_is_a_repeated_row() -> None:
    X, y = frame(300, 2)
    w = np.random.default_rng(0).integers(1, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), w)
    weighted = presets.chaid(max_depth=2).fit(X, y, sample_weight=w).tree_
    copies = presets.chaid(max_depth=2).fit(X.iloc[repeated], y[repeated]).tree_
    assert [n.condition for n in weighted.nodes] == [n.condition for n in copies.nodes]


@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
@pytest.mark.parametrize("selection", ["criterion", "conditional_inference", "chaid"])
def test_merging_goes_with_every_selection_and_way_with_holes(missing, selection) -> None:
    X, y = frame(250, 7)
    for model, target in (
        (TreeClassifier(criterion="gain_ratio"), y),
        (TreeRegressor(), (y == "yes") + np.linspace(0, 0.1, len(y))),
    ):
        model.set_params(
            categorical_split="merge", selection=selection, missing=missing, max_depth=4
        )
        model.fit(X, target)
        model.tree_.check()
        assert model.tree_.n_leaves > 1
        assert model.score(X, target) > 0.4
        model.unbiased_importances(X, target, n_permutations=2)


def test_a_split_nobody_needs_is_not_offered() -> None:
    """Levels that are all alike become one group, whatever selects the attribute."""
    X = {"x": np.array(list("abcd") * 50)}
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1] * 25)
    assert TreeClassifier(categorical_split="merge").fit(X, y).tree_.n_leaves == 1
    assert TreeClassifier(categorical_split="multiway").fit(X, y).tree_.n_leaves == 4


@pytest.mark.parametrize("value", [1.0, 1e15])
@pytest.mark.parametrize("rows", [1, 2, 50])
def test_small_and_plain_tables(rows: int, value: float) -> None:
    X = pd.DataFrame({"a": ["x"] * rows, "b": pd.Categorical(["k"] * rows, ordered=True)})
    assert presets.chaid().fit(X, ["only"] * rows).tree_.n_leaves == 1
    assert presets.chaid(task="regression").fit(X, np.full(rows, value)).tree_.n_leaves == 1


def test_saved_models_predict_the_same(tmp_path: Path) -> None:
    X, y = frame(300, 5)
    method = MergeLevels(alpha=0.1, resplit=0.05, test="likelihood_ratio")
    model = presets.chaid(categorical_split=method).fit(X, y)
    model.save(tmp_path / "m.json")
    loaded = ramify.load(tmp_path / "m.json")
    assert loaded.categorical_split == method
    assert loaded.tree_.to_text() == model.tree_.to_text()
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()


def test_many_levels_end() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 50, (400, 3))
    merged = merge_levels(counts)
    assert sorted(level for group in merged.groups for level in group) == list(range(400))
    assert merged.adjusted_pvalue >= merged.pvalue


@pytest.mark.parametrize("size", [1e-50, 1e-16, 1e16, 1e50])
@pytest.mark.parametrize("test", ["pearson", "likelihood_ratio"])
@pytest.mark.parametrize("exhaustive", [False, True])
def test_weights_of_very_different_sizes_end(size: float, test: Any, exhaustive: bool) -> None:
    counts = np.array([[1.0, 1.0], [size, 1.0], [1.0, size], [size, size], [2.0, 1.0]])
    method = MergeLevels(resplit=0.05, test=test, exhaustive=exhaustive)
    for ordered in (False, True):
        merged = merge_levels(counts, method=method, ordered=ordered)
        assert sorted(level for group in merged.groups for level in group) == [0, 1, 2, 3, 4]
        assert 0.0 <= merged.pvalue <= merged.adjusted_pvalue <= 1.0


def test_rows_without_weight_are_in_no_group() -> None:
    merged = merge_levels([[0, 0], [9, 1], [0, 0], [1, 9]], ordered=True)
    assert merged.groups == ((1,), (3,))
    assert merge_levels([[0, 0]]).groups == ()
    floating = merge_levels([[30, 1], [1, 30], [29, 2], [28, 2]], ordered=True, missing_last=True)
    assert floating.groups == ((0, 3), (1,), (2,)) or floating.groups == ((0,), (1,), (2, 3))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"categorical_split": MergeLevels(alpha=0)}, "categorical_split=MergeLevels: alpha=0"),
        ({"categorical_split": MergeLevels(resplit=0.1)}, "must be at most alpha=0.05"),
        ({"categorical_split": MergeLevels(exhaustive=1)}, "exhaustive=1 must be True or False"),
        ({"categorical_split": MergeLevels(test="g")}, "choose from pearson, likelihood_ratio"),
        ({"selection": "chaid"}, "selection='chaid' needs merged levels"),
        ({"criterion": "twoing", "categorical_split": "merge"}, "categorical_split='merge'"),
    ],
)
def test_what_does_not_go_together_is_refused(parameters: dict[str, Any], message: str) -> None:
    X, y = frame(50)
    with pytest.raises(ValueError, match=message):
        TreeClassifier(**parameters).fit(X, y)


def test_medians_are_not_merged() -> None:
    with pytest.raises(ValueError, match="categorical_split='merge' does not fit"):
        TreeRegressor(criterion="absolute_error", categorical_split="merge").fit([[1], [2]], [1, 2])
