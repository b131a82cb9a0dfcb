"""The experiment on Shi's tables: where accuracy ceases to grow, parts of the rows, and a run."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.experiment_data import write_iris
from helpers.paths import EXPERIMENTS

from ramify import TreeClassifier

pandas = pytest.importorskip("pandas")

# Tables 4.17 and 4.18: accuracy on arti1000 for 10 to 100 percent, and the printed percentage.
ARTI1000 = (
    ([74.48, 77.70, 77.70, 78.40, 77.91, 77.88, 79.26, 79.49, 80.81, 81.50], 90),
    ([74.91, 78.52, 78.59, 80.67, 81.19, 83.90, 85.14, 86.07, 88.81, 89.50], 100),
    ([83.97, 88.02, 89.34, 91.02, 92.18, 92.24, 92.45, 92.76, 92.42, 92.35], 50),
    ([83.49, 86.91, 88.12, 89.79, 91.30, 91.59, 92.00, 92.13, 91.91, 92.23], 60),
)


@pytest.fixture(autouse=True)
def experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    if not EXPERIMENTS.is_dir():
        pytest.skip("the experiments are not part of the installed package")
    monkeypatch.syspath_prepend(str(EXPERIMENTS))


@pytest.mark.parametrize(("accuracy", "percent"), ARTI1000)
def test_where_accuracy_ceases_to_grow(accuracy: list[float], percent: int) -> None:
    from _shi_tables_report import losses

    size = list(range(10, 101, 10))
    found = losses(accuracy, [float(s) for s in size])
    at = size.index(percent)
    assert found == pytest.approx((percent, accuracy[-1] - accuracy[at], 100 - percent))


def test_the_size_is_chosen_on_a_part_and_the_tree_grown_on_all() -> None:
    from shi_tables import OnPart, learners

    class Seen(TreeClassifier):
        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Seen:
            self.seen_ = set(X["x"])
            return super().fit(X, y)

    X = pandas.DataFrame({"x": np.arange(200.0)})
    y = np.where(X["x"] % 50 < 20, "a", "b")
    parameters = learners("fractions")["post_without_1se 10"].learner.get_params()
    made = [
        OnPart(learner=Seen(**parameters), percent=percent, random_state=7).fit(X, y)
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
    import shi_tables

    monkeypatch.setattr(shi_tables, "ARTIFICIAL_ROWS", 60)
    published, results = tmp_path / "published", tmp_path / "results"
    published.mkdir()
    for table in ("4_17", "4_18"):
        (published / f"shi_{table}.csv").write_text(
            "train_percent,rule,accuracy,tree_size\n10,with_1se,91.25,7.50\n"
        )
    given = ["--data", str(tmp_path), "--published", str(published), "--results", str(results)]
    families = ["--quick", "--families", "artificial"]
    monkeypatch.setattr(sys, "argv", ["shi_tables.py", *given, *families])
    shi_tables.main()
    text = (results / "shi_tables.md").read_text()
    assert "## Table 4.17: pre-pruning" in text and "## Table 4.18: post-pruning" in text
    with (results / "shi_tables_runs.csv").open(newline="") as file:
        found = {row["learner"]: row for row in csv.DictReader(file)}
    pre, post = (found[f"{stage}_with_1se 10"] for stage in ("pre", "post"))
    for run in (pre, post):
        assert f"{float(run['accuracy']):.2f} / 91.25 | {float(run['size']):.2f} / 7.50 |" in text


def test_a_run_stands_beside_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shi_tables

    data, published, results = (tmp_path / name for name in ("data", "published", "results"))
    published.mkdir()
    write_iris(data)
    for table, column in (("4_2", "error_rate_gini"), ("4_4", "pre_rmse")):
        (published / f"shi_{table}.csv").write_text(f"dataset,column,value\niris,{column},91.25\n")
    given = ["--data", str(data), "--published", str(published), "--results", str(results)]
    families = ["--quick", "--families", "criterion", "search"]
    monkeypatch.setattr(sys, "argv", ["shi_tables.py", *given, *families])
    shi_tables.main()
    with (results / "shi_tables_runs.csv").open(newline="") as file:
        found = {row["learner"]: float(row["accuracy"]) for row in csv.DictReader(file)}
    assert set(found) == set(shi_tables.learners("criterion"))
    assert all(85 < accuracy <= 100 for accuracy in found.values())
    text = (results / "shi_tables.md").read_text()
    assert f"| iris | {found['post_error_rate']:.2f} / 91.25 |" in text
    assert f"{found['pre_rmse']:.2f} / 91.25 |" in text
    assert "## Table 4.3" not in text  # print is not at hand
