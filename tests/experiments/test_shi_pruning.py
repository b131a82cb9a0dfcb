"""The experiment on Shi's prunings, on a small folder of its own: it resumes, and it reports."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.experiment_data import write_iris
from helpers.paths import EXPERIMENTS


@pytest.fixture
def experiment(monkeypatch: pytest.MonkeyPatch) -> Any:
    if not EXPERIMENTS.is_dir():
        pytest.skip("the experiments are not part of the installed package")
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import shi_pruning

    return shi_pruning


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


def run(experiment: Any, folders: dict[str, Path], *more: str) -> None:
    given = [text for name, path in folders.items() for text in (f"--{name}", str(path))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["shi_pruning.py", *given, *more])
        experiment.main()


def test_six_methods_beside_the_printed_figures(
    experiment: Any, folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    run(experiment, folders, "--repetitions", "1")
    assert "iris, repetition 0" in capsys.readouterr().out
    runs = folders["results"] / "shi_pruning_runs.csv"
    before = runs.read_text()
    with runs.open(newline="") as file:
        found = {row["method"]: row for row in csv.DictReader(file)}
    assert sorted(found) == sorted(experiment.methods())
    assert all(85 < float(row["accuracy"]) <= 100 for row in found.values())
    assert float(found["cart_with_1se"]["nodes"]) <= float(found["cart_without_1se"]["nodes"])

    run(experiment, folders, "--repetitions", "1")  # nothing is left to do
    assert runs.read_text() == before
    text = (folders["results"] / "shi_pruning.md").read_text()
    cart = found["cart_without_1se"]
    assert f"| {float(cart['accuracy']):.2f} / 94.47 |" in text
    assert f"| {float(cart['nodes']):.2f} / 7.82 |" in text
