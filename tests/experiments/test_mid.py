"""The experiments of Dal Maso (2024): features, starts and sums, on data that is always there."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from importlib import import_module

import numpy as np
import pytest
from helpers.paths import EXPERIMENTS
from sklearn.datasets import load_iris

if not EXPERIMENTS.is_dir():
    pytest.skip("the experiments are not part of the installed package", allow_module_level=True)
sys.path.insert(0, str(EXPERIMENTS))

_mid, mid_bounds, mid_depths, mid_training = map(
    import_module, ("_mid", "mid_bounds", "mid_depths", "mid_training")
)
IRIS = load_iris(return_X_y=True)


def test_equal_frequency_has_an_edge_less_than_bins_and_equal_values_are_below():
    X = np.arange(80, dtype=float)[:, None]
    X = np.hstack([X, X // 10])
    train, other = _mid.equal_frequency(X, X[:5])
    assert train.shape == (80, 14)
    assert other.shape == (5, 14)
    assert np.all(np.diff(train[:, :7].sum(axis=0)) == 10)  # as many rows in every bin
    edges_at_values = train[:, 7:].sum(axis=0)
    assert np.all(edges_at_values % 10 == 0)  # no value is divided
    assert edges_at_values[0] == 10


def test_mid_features_are_nested_and_binary():
    X, y = IRIS
    few, many = _mid.mid(X, y, 5, "gini")[0], _mid.mid(X, y, 12, "gini")[0]
    assert np.array_equal(few, many[:, :5])
    assert set(np.unique(many)) == {0.0, 1.0}


def wrong_rows(nodes, B, y):
    """Send rows down a tree of (feature, code, left, right) over the codes 1 - B."""
    at = np.zeros(len(y), dtype=int)
    for _ in range(mid_bounds.DEPTH):
        for node in np.unique(at):
            feature, code, left, right = nodes[node]
            here = at == node
            if feature >= 0:
                at[here] = np.where(1 - B[here, feature] <= code, left, right)
    return sum((at == n).sum() - np.bincount(y[at == n]).max() for n in np.unique(at))


@pytest.mark.parametrize("order", mid_bounds.ORDERS)
def test_a_start_changes_nothing_but_the_work(order):
    X, y = IRIS
    (B,) = _mid.mid(X, y, 20, "entropy")
    cold, cart = mid_bounds.search(B, y, order), mid_bounds.greedy(B, y)
    assert wrong_rows(cart.nodes, B, y) == cart.wrong >= cold.wrong
    assert wrong_rows(cold.nodes, B, y) == cold.wrong
    for start in (cart.nodes, cold.nodes):
        assert mid_bounds.search(B, y, order, start).wrong == cold.wrong


def test_a_bound_is_compared_with_the_search_it_is_for():
    times = {
        ("none", 1): (1.0, 10, 3),
        ("none", 2): (2.0, 20, 2),
        ("none", 3): (8.0, 80, 1),
        ("a", 1): (6.0, 60, 1),
        ("a", 2): (2.0, 20, 1),
        ("a", 3): (0.5, 0, 1),
        ("b", 2): (1.0, 20, 2),
        ("b", 3): (4.0, 40, 1),
        **{("cart", n): (4.0, 10, 3) for n in (1, 2, 3)},
        **{("cart itself", n): (1.0, 0, 3) for n in (1, 2, 3)},
    }
    assert mid_bounds.ratio(times, "a") == pytest.approx(8 / 16)  # over 45, here 3, both times
    assert mid_bounds.ratio(times, "b", 1) == pytest.approx(60 / 100)
    a, b, cart, optimum = mid_bounds.conclude(times)
    assert a[1:] == ["0.50", "0.50", "0.69", "2 of 2", "2 of 2"]
    assert b[1:] == ["0.50", "0.60", "0.80", "2 of 2", "1 of 2"]
    assert cart[4:] == ["1 of 3", "1 of 3"]
    assert optimum[1] == "0.06"


def test_data_sets_are_better_alike_or_worse():
    test = {
        (name, 2, learner): values
        for name, learner, values in (
            ("a", "one", [90.0, 91.0, 92.0]),
            ("a", "two", [80.0, 81.0, 82.5]),
            ("b", "one", [90.0, 80.0, 70.0]),
            ("b", "two", [70.0, 80.0, 89.0]),
            ("c", "one", [50.0, 50.0, 50.0]),
            ("c", "two", [50.0, 50.0, 50.0]),
            ("d", "one", [50.0, 50.0, 50.0]),
            ("d", "two", [60.0, 61.0, 60.0]),
        )
    }
    found = mid_depths.outcomes(test, ["a", "b", "c", "d"], 2, "one", "two")
    assert found == "1, 2, 1 (2, 1, 1)"


def test_training_resumes_and_reports(tmp_path, monkeypatch, capsys):
    X, y = IRIS
    names = ["sl", "sw", "pl", "pw"]
    about = {"rows": 150, "target": "class", "numeric": names, "nominal": []}
    (tmp_path / "datasets.json").write_text(json.dumps({"iris": about}))
    with gzip.open(tmp_path / "iris.csv.gz", "wt", newline="") as file:
        csv.writer(file).writerows(
            [[*names, "class"], *([*row, f"c{c}"] for row, c in zip(X.tolist(), y, strict=True))]
        )
    (tmp_path / "mid_3_1.csv").write_text(
        "dataset,max_depth,discretizer,comparison,n_binary_features,train_accuracy,bold\n"
        "Iris,3,MDLP,MID vs MDLP,6.78,90.00,\n"
    )
    given = ["--only", "Iris"]
    for name in ("data", "published", "results"):
        given += [f"--{name}", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["mid_training.py", *given])
    mid_training.main()
    runs = (tmp_path / "mid_training_runs.csv").read_text()
    assert runs.count("\n") == 1 + 10 * 5
    assert "Iris (MID vs MDLP, MDLP +" in capsys.readouterr().out  # far from what is printed
    mid_training.main()
    assert (tmp_path / "mid_training_runs.csv").read_text() == runs
    assert "| Iris | 27.7 |" in (tmp_path / "mid_training.md").read_text()
