"""The experiment on the defaults of `ramify fit`: a run on little data."""

from __future__ import annotations

import json
from pathlib import Path

import fit_defaults
import pytest
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script, write_iris


def test_a_run(tmp_path: Path) -> None:
    data, results = tmp_path / "data", tmp_path / "results"
    write_iris(data)
    about = json.loads((data / "datasets.json").read_text())
    (data / "datasets.json").write_text(json.dumps({"iris": about["iris"] | {"missing": 1}}))
    run_script(fit_defaults, {"data": data, "results": results}, "--quick")
    rows = csv_rows(results / "fit_defaults.csv")
    assert [row["learner"] for row in rows] == list(fit_defaults.LEARNERS["classification"])
    assert rows[0]["score"] == rows[1]["score"]  # there are no holes
    text = (results / "fit_defaults.md").read_text()
    assert "on 1 data sets with holes" in text and "better on 0 and worse on 0" in text
    assert "R2" not in text


def test_sets_that_are_others_again_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    hole = {"task": "classification", "rows": 9, "missing": 1}
    about = {
        "a": hole,
        "b": hole | {"missing": 0},
        "binary-a": hole,
        "a_with_aggreg": hole,
        "large": hole | {"rows": 10},
        "n": {"task": "regression", "rows": 8, "missing": 0},
    }
    monkeypatch.setattr(fit_defaults, "manifest", lambda _: about)
    assert fit_defaults.names_in(Path(), "classification", 9) == ["a"]
    assert fit_defaults.names_in(Path(), "regression", 9) == ["n"]
