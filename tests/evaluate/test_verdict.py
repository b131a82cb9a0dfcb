"""Who wins on a data set, and whether that is sure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from ramify.evaluate import compare
from ramify.evaluate.constant import LargestClass, Mean
from ramify.evaluate.results import Results
from ramify.evaluate.tables.verdict import decide

NOISE = np.random.default_rng(0).normal(size=10) / 200


def results(greater: bool = True, **scores: Any) -> Results:
    rows = [
        {"dataset": "d", "learner": name, "repeat": 0, "fold": i, "n_train": 90, "n_test": 10}
        | {"s": float(value), "error": None}
        for name, values in scores.items()
        for i, value in enumerate(values)
    ]
    return Results(
        learners=tuple(scores),
        datasets=("d",),
        scores={"s": greater},
        task="classification",
        cv="10-fold",
        test="corrected_t",
        alpha=0.05,
        rows=rows,
    )


def verdict(found: Results, **options: Any) -> str:
    return str(decide(found, "d", **options))


def test_who_wins() -> None:
    high, same, low = 0.9 + NOISE, 0.9 + NOISE[::-1], 0.7 - NOISE
    assert verdict(results(a=low, b=high)) == "b wins, surely (p < 0.001)."
    assert verdict(results(a=high, b=same)).endswith(
        "are as good as each other; nobody is surely better."
    )
    three = verdict(results(a=high, b=same, c=low))
    assert "a and b are as good as each other" in three or "b and a are" in three
    assert three.endswith("is surely better than c (p < 0.001).")
    assert verdict(results(greater=False, a=low, b=high)) == "a wins, surely (p < 0.001)."
    assert verdict(results(a=high, b=same, c=low), learners=["b", "c"]).startswith("b wins")
    assert decide(results(a=[np.nan] * 3), "d") is None


def test_p_values_are_corrected_for_the_number_of_learners() -> None:
    rng = np.random.default_rng(1)
    folds = {name: 0.8 + rng.normal(size=10) / 50 for name in "abcdef"}
    folds["best"] = folds["a"] + 0.02 + rng.normal(size=10) / 80
    alone = decide(results(best=folds["best"], a=folds["a"]), "d")
    among = decide(results(**folds), "d")
    assert alone is not None and among is not None
    assert among.pvalues["a"] > alone.pvalues["a"]


def test_constant_learners() -> None:
    X, y = load_iris(return_X_y=True)
    found = compare({"constant": LargestClass()}, {"iris": (X, y)}, cv=3, scores=["brier"])
    assert np.mean(found.results["brier"]) == pytest.approx(2 / 3, abs=1e-3)
    columns = {"x": X[:, 0]}
    assert Mean().fit(columns, y).predict({"x": X[:2, 0]}).tolist() == [1, 1]
    labels = np.array(["no", "yes", "yes"])
    assert LargestClass().fit(X[:3], labels).predict(X[:2]).tolist() == ["yes", "yes"]
