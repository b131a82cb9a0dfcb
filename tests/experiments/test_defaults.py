"""The experiment on the defaults: counts, ranks, and a run on little data."""

from __future__ import annotations

import json
from pathlib import Path

import defaults
from _defaults_report import compared
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script, write_iris


def test_better_alike_and_worse() -> None:
    pairs = ((90.0, 89.0), (80.0, 80.0), (70.0, 71.0), (60.0, 58.0))
    found = {
        f"d{i}": {"one": (a, 1.0, 1.0), "other": (b, 1.0, 1.0)} for i, (a, b) in enumerate(pairs)
    }
    counts, p = compared(found, "one", "other")
    assert counts == [2, 1, 1]
    assert 0.3 < p <= 1
    assert compared(found, "one", "one") == ([0, 4, 0], 1.0)


def test_a_run(tmp_path: Path) -> None:
    data, results = tmp_path / "data", tmp_path / "results"
    write_iris(data)
    about = json.loads((data / "datasets.json").read_text())
    about["other"] = about["iris"] | {"used_in": ["mid"]}  # no file: it must not be asked for
    (data / "datasets.json").write_text(json.dumps(about))
    run_script(defaults, {"data": data, "results": results}, "--quick")
    found = {row["learner"]: row for row in csv_rows(results / "defaults.csv")}
    assert list(found) == list(defaults.learners())
    assert found["TreeClassifier()"]["alike"] == "1"
    grown, pruned = (float(found[n]["leaves"]) for n in ("TreeClassifier()", "pruning='auto'"))
    assert pruned < grown
    assert "on 1 data sets" in (results / "defaults.md").read_text()
