"""The experiment on Pereira's trees: the rules of the published program, and a run on few rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pereira_trees
import pytest
from _pereira_tree import ProgramTree, chi_square, printed_cut
from _pereira_trees_report import beats
from helpers.experiment_data import run_script, write_data
from scipy.stats import chi2_contingency

from ramify import TreeClassifier


def categories(codes: Any) -> Any:
    return pd.DataFrame({f"a{i}": pd.Categorical(c) for i, c in enumerate(codes.T)})


def test_chi_square_is_pearsons() -> None:
    rng = np.random.default_rng(1)
    codes, labels = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    codes[codes == 2] = 3  # a level that is not there
    table = np.array([[((codes == c) & (labels == k)).sum() for k in range(3)] for c in (0, 1, 3)])
    expected = chi2_contingency(table, correction=False)
    statistic, df, second = chi_square(codes, labels, 3)
    assert statistic == pytest.approx(expected.statistic)
    assert df == expected.dof
    assert second == sorted(table.sum(axis=1))[-2]


def test_of_different_values_the_printed_scan_finds_the_best_but_splits_before_it() -> None:
    rng = np.random.default_rng(2)
    values, labels = rng.permutation(120).astype(float), rng.integers(0, 3, 120)
    tree = TreeClassifier(criterion="chi2", max_depth=1).fit(values[:, None], labels).tree_
    score, at = printed_cut(values, labels, 3)
    assert score == pytest.approx(tree.nodes[0].gain)
    assert at < tree.condition(0).value  # halfway from the value of the second best cut


def test_the_printed_scan_scores_cuts_between_equal_values() -> None:
    # 2 | 3 is worse than 1 | 2, so the threes are open, class 0 first.
    values = np.array([1.0] * 4 + [2.0] * 4 + [3.0] * 20)
    labels = np.array([0] * 4 + [1] * 4 + [0] * 10 + [1] * 10)
    best = TreeClassifier(criterion="chi2", max_depth=1).fit(values[:, None], labels).tree_
    score, at = printed_cut(values, labels, 2)
    assert best.condition(0).value == 1.5
    assert score > best.nodes[0].gain + 0.1
    assert at == 2.5  # the split that is made has a chi-square of zero


@pytest.mark.parametrize("search", ["pc_ext", "largest_class_alone"])
def test_on_nominal_attributes_the_program_grows_the_tree_of_the_library(search: str) -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 5, (800, 4))
    y = (codes[:, 0] + codes[:, 1] * (codes[:, 2] > 2) + rng.integers(0, 2, 800)) % 3
    X, settings = categories(codes), {"categorical_split": search, "max_depth": 4}
    theirs = ProgramTree(**settings).fit(X, y)
    ours = TreeClassifier(**settings, significance=0.1, min_second_value=15).fit(X, y)
    assert theirs.n_leaves_ == ours.tree_.n_leaves > 3
    np.testing.assert_array_equal(theirs.predict(X), ours.predict(X))


def test_of_p_values_that_round_to_nothing_the_first_attribute_wins() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 2000)
    weak, strong = (np.where(rng.random(2000) < share, y, 1 - y) for share in (0.75, 0.98))
    X = categories(np.column_stack([weak, strong]))
    program = ProgramTree(max_depth=1, select="rounded_inference").fit(X, y)
    library = TreeClassifier(max_depth=1, selection="conditional_inference").fit(X, y)
    assert program.root_.column == 0
    assert library.tree_.condition(0).column == 1


def test_a_run_is_resumed_and_stands_beside_print(tmp_path: Path) -> None:
    data, published, results = (tmp_path / name for name in ("data", "published", "results"))
    published.mkdir()
    rng = np.random.default_rng(5)
    rows = [[f"v{a}", f"w{b}", "ab"[int(a > 1)]] for a, b in rng.integers(0, 4, (240, 2))]
    about = {"rows": 240, "target": "class", "numeric": [], "nominal": ["a", "b"]}
    write_data(data, "car", about, rows)
    (published / "pereira_5_6.csv").write_text("dataset,method,accuracy\nCars,PC-ext,86.5\n")
    folders = {"data": data, "published": published, "results": results}
    options = ("--quick", "--kinds", "nominal", "numeric")
    run_script(pereira_trees, folders, *options)
    text = (results / "pereira_trees.md").read_text()
    assert "| 5.6 | 5 | nominal attributes, library | 1 |" in text
    assert "**100.00 (86.50)**" in text
    assert "| 5.6 | Cars | PC-ext | 100.00 | 86.50 | +13.50 |" in text
    store = results / "pereira_trees" / "nominal.jsonl"
    folds = store.read_text().count('"kind":"fold"')
    assert folds == 3 * 3 * len(pereira_trees.METHODS)
    runs = (results / "pereira_trees_runs.csv").read_text()
    run_script(pereira_trees, folders, *options)  # nothing is left to do
    assert store.read_text().count('"kind":"fold"') == folds
    assert (results / "pereira_trees_runs.csv").read_text() == runs


def test_beats_counts_methods_that_are_worse_in_nearly_every_repetition() -> None:
    base = {r: 80 + 0.1 * r for r in range(6)}
    noise = (0.1, -0.1, 0.2, -0.2, 0.05, 0.0)
    cells = {
        "good": {r: v + 2 + noise[r] for r, v in base.items()},
        "plain": base,
        "same": dict(base),
    }
    assert [beats(cells, name) for name in cells] == [2, 0, 0]


def test_the_program_cuts_the_levels_in_the_order_of_the_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    rows = [["z", "x", "a"], ["b", "y", "b"], ["z", "y", "a"]]
    write_data(
        data, "car", {"rows": 3, "target": "class", "numeric": [], "nominal": ["a", "b"]}, rows
    )
    X, _ = pereira_trees.read("Cars", data, kind="nominal_program")
    assert list(X["a"].cat.categories) == ["z", "b"]
    X, _ = pereira_trees.read("Cars", data, kind="nominal")
    assert list(X["a"].cat.categories) == ["b", "z"]
