"""The distributions of a report count the rows that the tree counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.report_data import data_of, estimators, fitted, mixed

from ramify import TreeClassifier, TreeRegressor
from ramify.show.report.distributions import aligned_bins
from ramify.show.report.routing import arrivals


def training(name: str) -> tuple[Any, pd.DataFrame, Any]:
    """A fitted estimator and the rows it was fitted on."""
    X, labels, numbers = mixed()
    y = numbers if estimators()[name][1] else labels
    if name == "many":
        y = (numbers.rank(pct=True) * 13).astype(int)
    return fitted(name)[0], X[:400], y[:400]


@pytest.mark.parametrize("name", [name for name in estimators() if name != "optimal"])
def test_what_arrives_at_a_node_is_its_weight(name: str) -> None:
    estimator, X, _ = training(name)
    tree = estimator.tree_
    found = {
        here.node: here for here in arrivals(tree, tree.data["n_children"] > 0, estimator.read(X))
    }
    assert len(found) == tree.n_nodes
    for node, here in found.items():
        assert here.parts.sum() == pytest.approx(tree.data["weight"][node])
        assert len(here.rows) == tree.data["rows"][node]


@pytest.mark.parametrize("name", ["pruned", "grown", "multiway", "many", "regression"])
def test_bars_add_up_to_the_node(name: str, tmp_path: Path) -> None:
    estimator, X, y = training(name)
    path = estimator.report(tmp_path / "r.html", X_train=X, y_train=y, n_permutations=0)
    data = data_of(path)
    nodes, weight = data["distributions"]["nodes"], data["nodes"]["weight"]
    assert nodes
    seen = set()
    for place, own in nodes.items():
        bars = [*own.get("bins", [])]
        bars += [counts for *_, counts in [*own.get("levels", []), *own.get("more", [])]]
        bars += [own[key] for key in ("missing", "unseen") if key in own]
        rows = sum(bar[0] if name == "regression" else sum(bar) for bar in bars)
        if bars:
            assert rows == pytest.approx(weight[int(place)], rel=1e-3)
            seen |= own.keys()
        if name == "regression":
            assert sum(own["target"]) == pytest.approx(weight[int(place)], rel=1e-3)
        else:
            assert data["nodes"]["first"][int(place)] >= 0  # only splits have bars
    assert {"bins", "levels", "missing"} <= seen


def test_levels_say_their_branch_and_the_mean(tmp_path: Path) -> None:
    X = pd.DataFrame({"town": ["a"] * 4 + ["b"] * 4 + ["c"] * 4})
    y = [1.0] * 4 + [2.0] * 4 + [9.0] * 4
    reg = TreeRegressor(max_depth=1).fit(X, y)
    data = data_of(reg.report(tmp_path / "r.html", X_train=X, y_train=y, n_permutations=0))
    own = data["distributions"]["nodes"]["0"]
    assert own["levels"] == [[0, 0, [4, 1]], [1, 0, [4, 2]], [2, 1, [4, 9]]]
    assert own["more"] == [] and sum(own["target"]) == 12


def test_rare_levels_and_classes_share_bars(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"key": rng.integers(0, 60, 3000).astype(str)})
    y = rng.integers(0, 20, 3000)
    clf = TreeClassifier(max_depth=1).fit(X, y)
    data = data_of(clf.report(tmp_path / "r.html", X_train=X, y_train=y, n_permutations=0))
    own = data["distributions"]["nodes"]["0"]
    assert data["distributions"]["others"] and len(own["levels"][0][2]) == 8
    assert len(own["levels"]) == 16
    assert sum(n for n, *_ in own["more"]) == 60 - 16


@pytest.mark.parametrize("threshold", [2.5, 3.0, 0.1, np.inf])
def test_bins_have_an_edge_at_the_threshold(threshold: float) -> None:
    rng = np.random.default_rng(1)
    for values in (
        rng.integers(0, 9, 300).astype(float),
        rng.normal(3, 2, 300),
        np.append(rng.normal(3, 1, 300), [1e6, -1e6]),
        np.array([3.0, 3.0]),
    ):
        bins = aligned_bins(values, threshold)
        assert bins is not None
        start, width, n_bins, place = bins
        assert len(place) == len(values) and 1 <= n_bins <= 32
        assert place.min() >= 0 and place.max() < n_bins
        if np.isfinite(threshold):
            at = round((threshold - start) / width)
            np.testing.assert_array_equal(place < at, values <= threshold)
        inside = (values > start) & (values <= start + n_bins * width)
        edges = start + width * np.arange(n_bins + 1)
        assert (values[inside] <= edges[place[inside] + 1] * (1 + 1e-12)).all()
    assert aligned_bins(np.array([np.inf]), 1.0) is None


def test_few_nodes_are_in_the_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 4)), rng.integers(0, 2, 3000)
    clf = TreeClassifier(max_leaves=300).fit(X, y)
    data = data_of(clf.report(tmp_path / "r.html", X_train=X, y_train=y, n_permutations=0))
    assert len(data["distributions"]["nodes"]) == 60


def test_rows_in_the_file_are_capped_and_can_be_left_out(tmp_path: Path) -> None:
    estimator, X, y = training("pruned")
    report = {"X_train": X, "y_train": y, "n_permutations": 0}
    every = data_of(estimator.report(tmp_path / "r.html", **report))
    assert every["rows"]["index"] == list(range(400)) and every["rows"]["total"] == 400
    some = data_of(estimator.report(tmp_path / "r.html", max_rows=50, **report))
    assert len(some["rows"]["index"]) == 50 and some["rows"]["index"][-1] == 399
    none = data_of(estimator.report(tmp_path / "r.html", max_rows=0, **report))
    assert none["rows"] is None and none["examples"] is None
    assert none["distributions"]["nodes"]
    with pytest.raises(ValueError, match="max_rows=-1 must be"):
        estimator.report(tmp_path / "r.html", max_rows=-1)
