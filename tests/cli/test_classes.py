"""Weights of classes and costs of answers: as options, as files, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command_line import one_line

import ramify


def text_file(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("balanced", "balanced"),
        ("yes=5, no=1", {"no": 1.0, "yes": 5.0}),
        ("yes=0.5", {"no": 1.0, "yes": 0.5}),
        ("FILE", {"no": 1.0, "yes": 3.0}),
    ],
)
def test_class_weights(run, numbers: Path, tmp_path: Path, given: str, expected: Any) -> None:
    path = tmp_path / "m.json"
    if given == "FILE":
        given = str(text_file(tmp_path / "w.csv", "class;weight\nyes;3\nno;1\n"))
    options = ("--class-weight", given, "--model", path, "--folds", 2)
    code, _, err = run("fit", numbers, "--target", "class", *options)
    assert (code, err) == (0, "")
    assert ramify.load(path).class_weight == expected


def test_costs_are_read_in_the_order_of_the_classes(run, numbers: Path, tmp_path: Path) -> None:
    path, file = tmp_path / "m.json", tmp_path / "costs.csv"
    text_file(file, ",yes,no\nyes,0,7\nno,2,0\n")
    options = ("--costs", file, "--model", path, "--folds", 3)
    code, printed, err = run("fit", numbers, "--target", "class", *options)
    assert (code, err) == (0, "")
    assert ramify.load(path).costs == [[0.0, 2.0], [7.0, 0.0]]
    assert "cost" in printed
    options = ("--costs", file, "--learners", "cart,ctree", "--folds", 2)
    code, printed, err = run(
        *("compare", numbers, "--target", "class", *options, "--output", tmp_path / "c.html")
    )
    assert (code, err) == (0, "")
    assert "mean cost" in printed


def test_costs_of_wrong_answers_may_be_typed(run, numbers: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = ("--costs", "yes=5", "--model", path, "--folds", 0)
    code, _, err = run("fit", numbers, "--target", "class", *options)
    assert (code, err) == (0, "")
    assert ramify.load(path).costs == [[0.0, 1.0], [5.0, 0.0]]
    code, _, err = run("fit", numbers, "--target", "class", "--costs", "yess=5")
    assert code == 2 and "did you mean 'yes'?" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",yes,no\nyes,0,7\n", "the first column does not name the class 'no'"),
        (",yes,no,maybe\nyes,0,7,1\nno,1,0,1\n", "'maybe' is not a class of the target"),
        (",yes,no\nyes,0,x\nno,1,0\n", "the cost of answering 'no' where 'yes' is true is 'x'"),
        (",yes,no\nyes,0\nno,1,0\n", "the row of 'yes' has 1 costs"),
        (",yes,no\nyes,0,1\nyes,1,0\n", "two rows for the true class 'yes'"),
        ("", "the file is empty"),
    ],
)
def test_odd_costs(run, numbers: Path, tmp_path: Path, text: str, message: str) -> None:
    file = text_file(tmp_path / "costs.csv", text)
    code, _, err = run("fit", numbers, "--target", "class", "--costs", file)
    assert code == 2 and one_line(err)
    assert message in err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("yess=2", "'yess' is not a class of the target; did you mean 'yes'?"),
        ("heavy", "'heavy' is not a class with its weight; give balanced, weights like no=5,yes=1"),
        ("yes=-1", "the weight of 'yes' is '-1'; it must be a number of at least 0"),
        ("yes=0,no=0", "one class at least needs a weight above 0"),
    ],
)
def test_odd_weights(run, numbers: Path, given: str, message: str) -> None:
    code, _, err = run("fit", numbers, "--target", "class", "--class-weight", given)
    assert code == 2 and one_line(err)
    assert message in err


def test_numbers_have_no_class_weights(run, numbers: Path) -> None:
    code, _, err = run("fit", numbers, "--target", "x", "--class-weight", "balanced")
    assert code == 2 and one_line(err)
    assert "--class-weight is for classes, and the target is read as numbers" in err


def test_costs_and_weights_are_what_is_judged(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = rng.random(400)
    y = (x > 0.8) & (rng.random(400) < 0.25)
    rows = [f"{a:.4f},{'bad' if b else 'good'}" for a, b in zip(x, y, strict=True)]
    file = text_file(tmp_path / "t.csv", "\n".join(["x,loan", *rows, ""]))
    fit = ("fit", file, "--target", "loan", "--folds", 3)
    _, printed, _ = run(*fit)
    assert "--class-weight balanced, or --costs FILE" in printed
    assert "so this one asks nothing. --class-weight balanced" in " ".join(printed.split())
    costs = text_file(tmp_path / "costs.csv", ",bad,good\nbad,0,9\ngood,1,0\n")
    code, printed, _ = run(*fit, "--costs", costs)
    assert code == 0
    assert "3-fold cross-validation: mean cost 0." in printed
    assert "On the training rows: mean cost 0." in printed
    assert "no better" not in printed and "asks nothing" not in printed
    assert "Every row counts the same" not in printed
    assert "--costs makes up for that" in printed
    code, printed, _ = run(*fit, "--class-weight", "balanced")
    assert "Every row counts the same" not in printed
    assert "By accuracy, the tree is no better than a constant answer" in printed
    assert "; by balanced accuracy, it is\n" in printed
