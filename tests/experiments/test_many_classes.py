"""The experiment on criteria for many classes, on a small folder of its own."""

from __future__ import annotations

from pathlib import Path

import many_classes
import numpy as np
import pandas as pd
import pytest
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script, write_data
from sklearn.model_selection import StratifiedKFold

from ramify import TreeClassifier


def test_accuracy_by_criterion_and_depth(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    number = rng.normal(size=240).round(2)
    level = rng.integers(0, 4, 240)
    y = (2 * level + (number > 0)).astype(str)  # eight classes
    rows = [[a, f"l{b}", f"c{c}"] for a, b, c in zip(number, level, y, strict=True)]
    about = {"rows": 240, "target": "y", "numeric": ["a"], "nominal": ["b"], "classes": 8}
    about |= {"task": "classification"}
    write_data(tmp_path / "data", "eight", about, rows)
    assert many_classes.names_in(tmp_path / "data", 240) == ["eight"]
    assert many_classes.names_in(tmp_path / "data", 239) == []
    run_script(many_classes, {"data": tmp_path / "data", "results": tmp_path}, "--quick")
    rows = csv_rows(tmp_path / "many_classes.csv")
    found = {(row["depth"], row["criterion"]): row for row in rows}
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
