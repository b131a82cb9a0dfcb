"""What is said about an optimal tree is what was searched."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.optimal import Oracle

from ramify import OptimalTreeClassifier, OptimalTreeRegressor
from ramify.cli import main
from ramify.files import dumps, loads
from ramify.trees.optimal.claim import describe_proof

UNQUALIFIED = "no tree of this depth has a smaller training error"


def noise(n: int = 300, p: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, p)), rng.integers(0, 2, n)


def every_question(X: pd.DataFrame) -> list[np.ndarray]:
    """Every threshold and every set of levels there is, with missing values on either side."""
    found = []
    for name in X:
        column, missing = X[name], X[name].isna().to_numpy()
        values = sorted(set(column[~missing]))
        if column.dtype.kind == "f":
            sets = [values[:i] for i in range(1, len(values))]
        else:
            sets = [list(c) for k in range(1, len(values)) for c in combinations(values, k)]
        for chosen in sets:
            inside = column.isin(chosen).to_numpy()
            found += [~(inside & ~missing), ~(inside | missing)]
        found.append(missing)
    return [no.astype(np.int32) for no in found]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_values=st.sampled_from([2, 4, 30]),
    n_levels=st.sampled_from([2, 5, 7]),
    parameters=st.sampled_from(
        [
            {},
            {"features": "all"},
            {"features": "mid", "n_thresholds": 3},
            {"features": "mid", "n_thresholds": 100},
            {"features": "mid", "n_thresholds": 2, "start": None},
            {"n_thresholds": "mdl"},
            {"n_thresholds": "grow", "validation_fraction": None},
        ]
    ),
    holes=st.booleans(),
)
def test_nothing_is_added_only_if_no_tree_of_the_depth_is_better(
    seed: int, n_values: int, n_levels: int, parameters: dict[str, Any], holes: bool
) -> None:
    rng = np.random.default_rng(seed)
    n = 14
    number = rng.integers(0, n_values, n).astype(float)
    level = rng.choice(list("abcdefg")[:n_levels], n).astype(object)
    if holes:
        number[rng.random(n) < 0.2] = np.nan
        level[rng.random(n) < 0.2] = None
    X = pd.DataFrame({"number": number, "level": level})
    y = rng.integers(0, 2, n)
    clf = OptimalTreeClassifier(max_depth=2, **parameters).fit(X, y)
    words = describe_proof(clf)
    facts = clf.search_
    assert (UNQUALIFIED in words) == (facts["all_thresholds"] and facts["all_level_sets"])
    assert ("thresholds" in words) == (not facts["all_thresholds"])
    if UNQUALIFIED in words:
        classes, labels = np.unique(y, return_inverse=True)
        oracle = Oracle(every_question(X), labels.astype(np.int32), len(classes))
        assert clf.error_ == pytest.approx(oracle.objective(2) / n)
    # It is said wherever it is true: with all thresholds and few levels.
    few = len(set(level) - {None}) <= 5
    if few and parameters.get("features") == "all":
        assert words == UNQUALIFIED


def test_a_proof_over_some_thresholds_is_not_one_over_all() -> None:
    X, y = noise()
    some = OptimalTreeClassifier(max_depth=2, features="mid", n_thresholds=10).fit(X, y)
    every = OptimalTreeClassifier(max_depth=2, features="all").fit(X, y)
    assert every.error_ < some.error_ and some.proven_optimal_  # why it matters
    assert describe_proof(every) == UNQUALIFIED
    assert describe_proof(some) == (
        "no tree of this depth that asks these 10 thresholds or the start's has a smaller training "
        "error; features='all' would search all thresholds"
    )


def test_limits_and_prices_are_told() -> None:
    X, y = noise(60, 2)
    clf = OptimalTreeClassifier(max_depth=2, max_leaves=3, min_samples_leaf=5, sparsity=0.01)
    assert describe_proof(clf.fit(X, y)) == (
        "no tree of this depth with at most 3 leaves and at least 5 rows in a leaf has a smaller "
        "sum of training error and price of leaves"
    )
    costs = [[0, 1], [5, 0]]
    words = describe_proof(OptimalTreeClassifier(max_depth=1, costs=costs).fit(X, y))
    assert words == "no tree of this depth has a smaller training cost"
    words = describe_proof(OptimalTreeRegressor(max_depth=1, min_samples_leaf=0.1).fit(X, y))
    assert words == (
        "no tree of this depth with at least 10 % of the rows in a leaf has a smaller training "
        "error"
    )


def test_levels_that_are_asked_one_at_a_time_are_told() -> None:
    X = {"level": list("abcdefgh") * 4}
    words = describe_proof(OptimalTreeClassifier(max_depth=1).fit(X, [0, 1] * 16))
    asked = "that asks one level at a time of columns with more than 5"
    assert words == f"no tree of this depth {asked} has a smaller training error"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_without_a_proof_the_gap_is_told_with_its_questions() -> None:
    X, y = noise(2000, 20)
    stopped = OptimalTreeClassifier(max_depth=5, time_limit=0.2).fit(X, y)
    assert not stopped.proven_optimal_
    words = describe_proof(stopped)
    assert words.startswith("its training error may be ")
    assert "above the least of trees that ask these 45 thresholds" in words
    with pytest.warns(UserWarning, match="of trees that ask these 45 thresholds"):
        stopped.fit(X, y)


def test_models_of_earlier_releases_claim_no_more_than_they_know() -> None:
    X, y = noise(60, 3)
    for features, levels, whole in [("mid", 2, False), ("all", 2, True), ("all", 7, False)]:
        table = {"x": X[:, 0], "level": list("abcdefg"[:levels] * 60)[:60]}
        clf = OptimalTreeClassifier(max_depth=1, features=features).fit(table, y)
        document = json.loads(dumps(clf))
        new = ("all_thresholds", "all_level_sets", "below_upper_bound")
        items = document["search"]["facts"]["items"]
        document["search"]["facts"]["items"] = [one for one in items if one[0] not in new]
        for name in ("upper_bound", "threshold_impurity"):
            del document["parameters"][name]
        old = loads(json.dumps(document))
        assert (describe_proof(old) == UNQUALIFIED) is whole
        assert old.predict(table).tolist() == clf.predict(table).tolist()


def test_the_terminal_and_the_report_say_it(tmp_path: Path, capsys: Any) -> None:
    X, y = noise(200)
    path, page = tmp_path / "noise.csv", tmp_path / "noise.html"
    pd.DataFrame(X, columns=list("abcdef")).assign(y=y).to_csv(path, index=False)
    given = ["fit", str(path), "--target", "y", "--learner", "optimal", "--max-depth", "4"]
    given += ["--folds", "0", "--report", str(page)]
    said = "no tree of this depth that asks these 45 thresholds or the start's has a smaller"
    assert main(given) == 0
    printed = capsys.readouterr().out
    assert said in printed and "; --features all would search all thresholds" in printed
    assert said in page.read_text(encoding="utf-8")
    assert main([*given, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert said in summary["proof"] and summary["searched"]["all_thresholds"] is False
    assert main([*given[:-2], "--max-depth", "2", "--features", "all"]) == 0
    assert UNQUALIFIED in capsys.readouterr().out
