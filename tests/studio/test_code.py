"""The command line and the script of what was clicked run as they are, and give the same tree."""

from __future__ import annotations

import io
import runpy
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.csv_files import write_csv
from helpers.studio_data import edit, open_session, settled, write_messy_csv

import ramify
from ramify.cli import main
from ramify.studio.code import code_json
from ramify.studio.session import Session


def grown(file: Path, choices: dict[str, Any], settings: dict[str, Any]) -> Session:
    session = open_session(file)
    if choices:
        session.choose(choices, session.version)
    assert not session.problem, session.problem
    session.set_up(settings, session.version)
    session.grow(session.version)
    return settled(session)


def run_commands(text: str, folder: Path) -> Any:
    """Run the commands in this process: an interpreter of their own takes longer to start."""
    with chdir(folder), redirect_stdout(io.StringIO()):
        for line in text.splitlines():
            words = shlex.split(line)
            assert words[0] == "ramify"
            assert main(words[1:]) == 0
    return ramify.load(folder / "t-tree.json")


def run_script(text: str, folder: Path) -> Any:
    """Run the script in this process."""
    script = write_script(text, folder)
    with chdir(folder):
        runpy.run_path(str(script), run_name="__main__")
    return ramify.load(folder / "again.json")


def write_script(text: str, folder: Path) -> Path:
    script = folder / "again.py"
    script.write_text(text + "clf.save('again.json')\n", encoding="utf-8")
    return script


def run_alone(folder: Path, *words: str) -> None:
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


USE = {"account": "ignore"}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "usual": ({"roles": USE}, {}),
    "an identifier": ({"roles": {**USE, "customer": "use"}}, {}),
    "kinds": ({"roles": USE, "kinds": {"calls": "category", "joined": "category"}}, {}),
    "a number": ({"roles": USE, "target": "fee"}, {"limits": {"max_leaves": 6}}),
    "no rows held out": ({"roles": USE, "hold_out": False}, {"limits": {"max_depth": 3}}),
    "constraints": (
        {"roles": USE},
        {"monotone": {"calls": 1, "tenure": -1}, "never_together": [["plan", "region"]]},
    ),
    "costs": ({"roles": USE, "positive": "yes"}, {"costs": {"yes": 5.0}}),
    "balanced": ({"roles": USE}, {"balanced": True, "limits": {"min_samples_leaf": 30}}),
    "optimal": ({"roles": USE}, {"learner": "optimal", "limits": {"max_depth": 2}}),
    "cart": ({"roles": USE}, {"learner": "cart"}),
    "c45": ({"roles": USE}, {"learner": "c45"}),
    "ctree": ({"roles": USE}, {"learner": "ctree"}),
    "chaid": ({"roles": USE}, {"learner": "chaid"}),
    "signs": (
        {"roles": USE, "parsing": {"delimiter": ";", "decimal": ",", "encoding": "utf-8"}},
        {},
    ),
    "rare levels": ({"roles": USE, "min_level_count": 200}, {}),
}


@pytest.mark.parametrize("name", CASES)
def test_both_give_the_tree_that_was_clicked(tmp_path: Path, name: str) -> None:
    choices, settings = CASES[name]
    session = grown(write_messy_csv(tmp_path / "t.csv", 500), choices, settings)
    expected = session.present_tree().editor.tree.to_text()
    code = code_json(session)
    assert code["notes"] == []
    assert run_commands(code["command"], tmp_path).tree_.to_text() == expected
    assert run_script(code["script"], tmp_path).tree_.to_text() == expected


def test_the_dial(tmp_path: Path) -> None:
    session = grown(write_messy_csv(tmp_path / "t.csv", 500), {"roles": USE}, {})
    leaves = sorted(session.present_tree().base.estimator.pruning_path_.leaves.tolist())
    session.dial(leaves[1], session.version)
    expected = session.present_tree().editor.tree.to_text()
    code = code_json(session)
    assert run_commands(code["command"], tmp_path).tree_.to_text() == expected
    assert run_script(code["script"], tmp_path).tree_.to_text() == expected


def test_weights_are_in_the_script_and_said_of_the_command_line(tmp_path: Path) -> None:
    session = grown(
        write_messy_csv(tmp_path / "t.csv", 500), {"roles": {**USE, "fee": "weight"}}, {}
    )
    assert session.present_tree().prepared.weights is not None
    edit(session, "lock", 0)
    code = code_json(session)
    assert any("takes no weights of rows (fee)" in note for note in code["notes"])
    found = run_script(code["script"], tmp_path)
    assert found.tree_.to_text() == session.present_tree().editor.tree.to_text()
    np.testing.assert_array_equal(
        found.tree_.data["weight"], session.present_tree().editor.tree.data["weight"]
    )


@pytest.mark.parametrize("learner", ["greedy", "optimal"])
def test_edits_are_in_the_script(tmp_path: Path, learner: str) -> None:
    limits = {"max_depth": 2} if learner == "optimal" else {}
    settings = {"learner": learner, "limits": limits}
    session = grown(write_messy_csv(tmp_path / "t.csv", 500), {"roles": USE}, settings)
    edit(
        session,
        "split",
        0,
        'so "wanted"',
        condition={"column": "plan", "codes": [[0], [1, 2, 3, 4]]},
    )
    edit(session, "regrow", 1, by="pruned")
    edit(session, "lock", 0)
    code = code_json(session)
    assert any("before the edits" in note for note in code["notes"])
    found = run_script(code["script"], tmp_path)
    assert found.tree_.to_text() == session.present_tree().editor.tree.to_text()
    assert found.tree_.by_hand[0].reason == 'so "wanted"' and found.tree_.by_hand[0].locked


def test_hostile_names_stay_in_quotes(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    evil = 'a\'; import os #""" $(touch gone) `touch gone`'
    x = rng.integers(0, 5, 200)
    columns = {evil: x, "--target": rng.integers(0, 5, 200), "y": np.where(x > 2, "yes", "no")}
    file = write_csv(tmp_path / "t.csv", columns)
    session = grown(file, {"roles": {evil: "use", "--target": "ignore"}}, {})
    code = code_json(session)
    expected = session.present_tree().editor.tree.to_text()
    run_alone(tmp_path, sys.executable, str(write_script(code["script"], tmp_path)))
    assert ramify.load(tmp_path / "again.json").tree_.to_text() == expected
    command = code["command"].replace("ramify", f"{sys.executable} -m ramify", 1)
    run_alone(tmp_path, "bash", "-c", command)
    assert ramify.load(tmp_path / "t-tree.json").tree_.to_text() == expected
    assert not (tmp_path / "gone").exists()
