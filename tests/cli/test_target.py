"""The target of a command: asked for, checked, and rows without one left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv

from ramify import TreeClassifier
from ramify.cli import files
from ramify.cli import output as out
from ramify.datasets import read_table_file
from ramify.steps.target import target_of_model


@pytest.mark.parametrize(
    ("command", "instead"),
    [
        (("fit", "--task", "classification"), "--task regression"),
        (("discretize", "--method", "mid"), "--method mid --impurity variance"),
        (("discretize",), "--method mid --impurity variance"),
    ],
)
def test_numbers_that_are_no_classes_are_an_error_with_the_option(
    run, tmp_path: Path, command: tuple[str, ...], instead: str
) -> None:
    file = write_csv(tmp_path / "t.csv", {"x": [1, 2, 3, 4], "wage": [10, 10.56, 11, 12]})
    code, _, err = run(command[0], file, "--target", "wage", *command[1:])
    assert code == 2 and one_line(err)
    assert "target 'wage' has numbers like 10.56, which are no classes" in err
    assert f"{instead} is for numbers" in err


def test_rows_without_target_are_left_out_and_named(run, tmp_path: Path) -> None:
    columns = {"x": list(range(20)), "y": ["a", "b"] * 9 + ["", "?"]}
    code, out, _ = run("fit", write_csv(tmp_path / "t.csv", columns), "--target", "y")
    assert code == 0
    assert "2 rows without a target are left out" in out
    assert "grown from 18 rows" in out
    columns["y"] = ["a"] + [""] * 1100 + ["b"] * 11
    columns["x"] = list(range(len(columns["y"])))
    _, out, _ = run("fit", write_csv(tmp_path / "t.csv", columns), "--target", "y")
    assert "1,100 rows without a target are left out" in out
    columns = {"x": [1, 2, 3, 4, 5], "y": ["a", "a", "b", "b", ""]}
    _, out, _ = run("fit", write_csv(tmp_path / "t.csv", columns), "--target", "y")
    assert "1 row without a target is left out" in out


def test_without_a_target_the_columns_are_listed(run, titanic: Path, monkeypatch) -> None:
    code, _, err = run("fit", titanic)
    assert code == 2
    assert "--target one of: class, age, sex, survived" in err
    monkeypatch.setattr(out, "is_interactive", lambda: True)
    answers = iter(["nothing", "4"])
    monkeypatch.setattr(files.typer, "prompt", lambda *_, **__: next(answers))
    code, printed, err = run("fit", titanic, "--folds", 0)
    assert code == 0
    assert "target survived" in printed
    assert "'nothing' is not one of the columns" in err


def test_texts_of_numbers_are_the_classes_of_a_model(tmp_path: Path) -> None:
    """A file holds 1 and 2 where a model of Python has the classes "01" and "02"."""
    x = np.arange(40.0)
    columns = {"x": x.tolist(), "y": [1 if value < 20 else 2 for value in x]}
    table = read_table_file(write_csv(tmp_path / "t.csv", columns), target="y")
    model = TreeClassifier().fit(table.data, np.where(x < 20, "01", "02"))
    assert target_of_model(table, model)[1].tolist() == model.predict(table.data).tolist()
    both = TreeClassifier().fit(table.data, np.where(x < 20, "1", "01"))
    assert set(target_of_model(table, both)[1].tolist()) == {"1", "2"}
