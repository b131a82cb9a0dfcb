"""The experiment on Shi's tables: where accuracy ceases to grow, parts of the rows, and a run."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from experiment_data import write_iris

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"
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


def test_a_larger_part_contains_the_smaller() -> None:
    from shi_tables import OnPart

    class Rows:
        classes_, tree_ = None, None

        def get_params(self, deep: bool = True) -> dict[str, object]:
            return {}

        def fit(self, X: object, y: np.ndarray) -> Rows:
            self.seen = set(y.tolist())
            return self

    y = np.arange(200)
    X = pandas.DataFrame({"x": y})
    seen = [
        OnPart(learner=Rows(), percent=percent, random_state=7).fit(X, y).fitted_.seen
        for percent in (10, 50, 100)
    ]
    assert [len(part) for part in seen] == [20, 100, 200]
    assert seen[0] < seen[1] < seen[2]


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
