"""The experiment on Shi's prunings, on a small folder of its own: it resumes, and it reports."""

from __future__ import annotations

from pathlib import Path

import pytest
import shi_pruning
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script, write_iris


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    data, published = tmp_path / "data", tmp_path / "published"
    published.mkdir()
    write_iris(data)
    for table, value in (("4_14", "94.47"), ("4_15", "7.82")):
        (published / f"shi_{table}.csv").write_text(
            f"dataset,column,value,mark,compared_to,note\niris,cart_without_1se,{value},,,\n"
        )
    return {"data": data, "published": published, "results": tmp_path / "results"}


def test_six_methods_beside_the_printed_figures(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    run_script(shi_pruning, folders, "--repetitions", "1")
    assert "iris, repetition 0" in capsys.readouterr().out
    runs = folders["results"] / "shi_pruning_runs.csv"
    before = runs.read_text()
    found = {row["method"]: row for row in csv_rows(runs)}
    assert sorted(found) == sorted(shi_pruning.methods())
    assert all(85 < float(row["accuracy"]) <= 100 for row in found.values())
    assert float(found["cart_with_1se"]["nodes"]) <= float(found["cart_without_1se"]["nodes"])

    run_script(shi_pruning, folders, "--repetitions", "1")  # nothing is left to do
    assert runs.read_text() == before
    text = (folders["results"] / "shi_pruning.md").read_text()
    cart = found["cart_without_1se"]
    assert f"| {float(cart['accuracy']):.2f} / 94.47 |" in text
    assert f"| {float(cart['nodes']):.2f} / 7.82 |" in text
