"""The experiments of Dal Maso (2024): features, starts and sums, on data that is always there."""

from __future__ import annotations

from typing import Any

import _mid
import mid_bounds
import mid_depths
import mid_training
import numpy as np
import pytest
from helpers.experiment_data import run_script, write_iris
from sklearn.datasets import load_iris

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


def test_bounds_are_measured_once(tmp_path, monkeypatch):
    calls: list[str] = []

    def measure(data: Any, order: str, counts: Any, runs: int) -> list[tuple[Any, ...]]:
        calls.append(order)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return [("none", 45, 1.25, 7, 2)]

    monkeypatch.setattr(mid_bounds, "measure", measure)
    monkeypatch.setattr(mid_bounds, "table", lambda name, data: None)
    file = tmp_path / "mid_bounds" / "runs.csv"
    with pytest.raises(KeyboardInterrupt):
        mid_bounds.measure_all(file, tmp_path, [45], 1)
    found = mid_bounds.measure_all(file, tmp_path, [45], 1)
    assert len(calls) == 5  # four, and the one that was interrupted
    assert len(found) == 4 and len({row[:2] for row in found}) == 4
    assert found[0] == ("Banknote", "limited discrepancy", "none", 45, 1.25, 7, 2)


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


def test_training_resumes_and_reports(tmp_path, capsys):
    write_iris(tmp_path)
    (tmp_path / "mid_3_1.csv").write_text(
        "dataset,max_depth,discretizer,comparison,n_binary_features,train_accuracy,bold\n"
        "Iris,3,MDLP,MID vs MDLP,6.78,90.00,\n"
    )
    folders = dict.fromkeys(("data", "published", "results"), tmp_path)
    run_script(mid_training, folders, "--only", "Iris")
    runs = (tmp_path / "mid_training_runs.csv").read_text()
    assert runs.count("\n") == 1 + 10 * 5
    assert "Iris (MID vs MDLP, MDLP +" in capsys.readouterr().out  # far from what is printed
    run_script(mid_training, folders, "--only", "Iris")
    assert (tmp_path / "mid_training_runs.csv").read_text() == runs
    assert "| Iris | 27.7 |" in (tmp_path / "mid_training.md").read_text()
