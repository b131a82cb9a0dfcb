"""The experiment on Shi's tables: where accuracy stops growing, parts of the rows, and a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import shi_tables
from _shi_tables_report import losses
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script, write_iris

from ramify import TreeClassifier

# Tables 4.17 and 4.18: accuracy on arti1000 for 10 to 100 percent, and the printed percentage.
ARTI1000 = (
    ([74.48, 77.70, 77.70, 78.40, 77.91, 77.88, 79.26, 79.49, 80.81, 81.50], 90),
    ([74.91, 78.52, 78.59, 80.67, 81.19, 83.90, 85.14, 86.07, 88.81, 89.50], 100),
    ([83.97, 88.02, 89.34, 91.02, 92.18, 92.24, 92.45, 92.76, 92.42, 92.35], 50),
    ([83.49, 86.91, 88.12, 89.79, 91.30, 91.59, 92.00, 92.13, 91.91, 92.23], 60),
)


@pytest.mark.parametrize(("accuracy", "percent"), ARTI1000)
def test_where_accuracy_ceases_to_grow(accuracy: list[float], percent: int) -> None:
    size = list(range(10, 101, 10))
    found = losses(accuracy, [float(s) for s in size])
    at = size.index(percent)
    assert found == pytest.approx((percent, accuracy[-1] - accuracy[at], 100 - percent))


def test_the_size_is_chosen_on_a_part_and_the_tree_grown_on_all() -> None:
    class Seen(TreeClassifier):
        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Seen:
            self.seen_ = set(X["x"])
            return super().fit(X, y)

    X = pd.DataFrame({"x": np.arange(200.0)})
    y = np.where(X["x"] % 50 < 20, "a", "b")
    parameters = shi_tables.learners("fractions")["post_without_1se 10"].learner.get_params()
    made = [
        shi_tables.OnPart(learner=Seen(**parameters), percent=percent, random_state=7).fit(X, y)
        for percent in (10, 50, 100)
    ]
    seen = [each.chosen_.seen_ for each in made]
    assert [len(part) for part in seen] == [20, 100, 200]
    assert seen[0] < seen[1] < seen[2]
    for each in made:
        assert each.fitted_.seen_ == seen[2]
        assert each.tree_.n_nodes == each.chosen_.tree_.n_nodes
    assert made[2].tree_.to_text() == made[2].chosen_.tree_.to_text()


def test_the_artificial_data_stand_beside_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shi_tables, "ARTIFICIAL_ROWS", 60)
    published, results = tmp_path / "published", tmp_path / "results"
    published.mkdir()
    for table in ("4_17", "4_18"):
        (published / f"shi_{table}.csv").write_text(
            "train_percent,rule,accuracy,tree_size\n10,with_1se,91.25,7.50\n"
        )
    folders = {"data": tmp_path, "published": published, "results": results}
    run_script(shi_tables, folders, "--quick", "--families", "artificial")
    text = (results / "shi_tables.md").read_text()
    assert "## Table 4.17: pre-pruning" in text and "## Table 4.18: post-pruning" in text
    found = {row["learner"]: row for row in csv_rows(results / "shi_tables_runs.csv")}
    pre, post = (found[f"{stage}_with_1se 10"] for stage in ("pre", "post"))
    for run in (pre, post):
        assert f"{float(run['accuracy']):.2f} / 91.25 | {float(run['size']):.2f} / 7.50 |" in text


def test_a_run_stands_beside_print(tmp_path: Path) -> None:
    data, published, results = (tmp_path / name for name in ("data", "published", "results"))
    published.mkdir()
    write_iris(data)
    for table, column in (("4_2", "error_rate_gini"), ("4_4", "pre_rmse")):
        (published / f"shi_{table}.csv").write_text(f"dataset,column,value\niris,{column},91.25\n")
    folders = {"data": data, "published": published, "results": results}
    run_script(shi_tables, folders, "--quick", "--families", "criterion", "search")
    rows = csv_rows(results / "shi_tables_runs.csv")
    found = {row["learner"]: float(row["accuracy"]) for row in rows}
    assert set(found) == set(shi_tables.learners("criterion"))
    assert all(85 < accuracy <= 100 for accuracy in found.values())
    text = (results / "shi_tables.md").read_text()
    assert f"| iris | {found['post_error_rate']:.2f} / 91.25 |" in text
    assert f"{found['pre_rmse']:.2f} / 91.25 |" in text
    assert "## Table 4.3" not in text  # its printed values are not there
