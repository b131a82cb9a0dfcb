"""The experiment on criteria for many classes, on a small folder of its own."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.experiment_data import write_data
from helpers.paths import EXPERIMENTS
from sklearn.model_selection import StratifiedKFold

from ramify import TreeClassifier


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch) -> Any:
    if not EXPERIMENTS.is_dir():
        pytest.skip("the experiments are not part of the installed package")
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import many_classes

    return many_classes


def test_accuracy_by_criterion_and_depth(
    experiment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    number = rng.normal(size=240).round(2)
    level = rng.integers(0, 4, 240)
    y = (2 * level + (number > 0)).astype(str)  # eight classes
    rows = [[a, f"l{b}", f"c{c}"] for a, b, c in zip(number, level, y, strict=True)]
    about = {"rows": 240, "target": "y", "numeric": ["a"], "nominal": ["b"], "classes": 8}
    about |= {"task": "classification"}
    write_data(tmp_path / "data", "eight", about, rows)
    assert experiment.names_in(tmp_path / "data", 240) == ["eight"]
    assert experiment.names_in(tmp_path / "data", 239) == []
    given = ["many_classes.py", "--quick", "--data", str(tmp_path / "data")]
    monkeypatch.setattr(sys, "argv", [*given, "--results", str(tmp_path)])
    experiment.main()
    with (tmp_path / "many_classes.csv").open(newline="") as file:
        found = {(r["depth"], r["criterion"]): r for r in csv.DictReader(file)}
    assert set(found) == {(str(d), c) for d in (3, 5, 8) for c in ("gini", "entropy", "twoing")}

    X = pd.DataFrame({"a": number, "b": [f"l{b}" for b in level]})
    tree = TreeClassifier(criterion="twoing", max_depth=3)
    own = 100 * tree.fit(X, y).score(X, y)
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    right = [tree.fit(X.iloc[a], y[a]).predict(X.iloc[b]) == y[b] for a, b in folds]
    left_out = 100 * np.concatenate(right).mean()
    assert float(found["3", "twoing"]["own_rows"]) == pytest.approx(own, abs=1e-3)
    assert float(found["3", "twoing"]["left_out"]) == pytest.approx(left_out, abs=1e-3)
    text = (tmp_path / "many_classes.md").read_text()
    assert "| eight | 240 | 8 |" in text and "the 1 data sets" in text
