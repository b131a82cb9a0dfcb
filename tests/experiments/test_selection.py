"""The experiment on selections: a run on little data."""

from __future__ import annotations

from pathlib import Path

import selection
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script, write_iris


def test_a_run(tmp_path: Path, monkeypatch) -> None:
    data, results = tmp_path / "data", tmp_path / "results"
    write_iris(data)
    monkeypatch.setattr(selection, "names_in", lambda *_: ["iris"])
    run_script(selection, {"data": data, "results": results}, "--quick")
    rows = csv_rows(results / "selection.csv")
    assert [(row["identifiers"], row["selection"]) for row in rows] == [
        (identifiers, how) for identifiers in ("False", "True") for how in selection.SELECTIONS
    ]
    plain, beyond, _, with_identifiers = (float(row["score"]) for row in rows)
    assert min(plain, beyond, with_identifiers) > 90
    assert "Over 1 data sets" in (results / "selection.md").read_text()
