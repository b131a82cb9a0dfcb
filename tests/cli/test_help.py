"""What the command line says of itself, completes, and fits into a terminal."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.csv_files import write_csv
from helpers.zsh import complete_in_zsh, make_command, needs_zsh
from rich.console import Console

import ramify
from ramify import TreeClassifier
from ramify.cli import COMMANDS, output
from ramify.cli.comparison import comparison_table
from ramify.datasets import load_titanic
from ramify.evaluate import compare


def completed(typed: str, shell: str) -> list[str]:
    """Complete the last word of what was typed, as the script of a shell asks for it."""
    words = typed.split(" ")
    asked = {"_RAMIFY_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": typed}
    if shell == "bash":
        asked |= {"COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(
        [sys.executable, "-m", "ramify"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "t.csv", {"age": [1], "first name": [2], "a:b": [3], "$x": [4]})


def test_columns_are_completed_in_bash(odd: Path, tmp_path: Path) -> None:
    found = completed(f"ramify fit {odd} --target ", "bash")
    assert found[:4] == ["age", "first\\ name", "a:b", "\\$x"]
    assert completed(f"ramify fit {odd} --target a", "bash")[:2] == ["age", "a:b"]
    assert completed(f"ramify compare {odd} --folds 2 --ignore ag", "bash")[0] == "age"
    model = tmp_path / "m.json"
    model.write_text("{}")
    assert completed(f"ramify predict {model} {odd} --keep f", "bash")[0] == "first\\ name"
    assert "age" not in completed("ramify fit nothing.csv --target ", "bash")


def test_columns_are_completed_in_zsh(odd: Path) -> None:
    text = "\n".join(completed(f"ramify fit {odd} --target ", "zsh"))
    assert '"age"' in text
    assert '"first name"' in text


@needs_zsh
def test_a_real_zsh_completes_columns(odd: Path, tmp_path: Path) -> None:
    environment = make_command(tmp_path)
    for typed, wanted in {
        "ramify fit t.csv --target ag": "ramify fit t.csv --target age ",
        "ramify fit t.csv --target fi": "ramify fit t.csv --target first\\ name ",
        "ramify fit t.csv --target 'fi": "ramify fit t.csv --target 'first name' ",
        "ramify fit t.csv --target a:": "ramify fit t.csv --target a:b ",
        "ramify compare ~/t.csv --ignore \\$": "ramify compare ~/t.csv --ignore \\$x ",
    }.items():
        assert complete_in_zsh(typed, tmp_path, environment) == wanted


@needs_zsh
def test_no_column_name_is_run_by_zsh(tmp_path: Path) -> None:
    names = [
        "a\\$(touch run)",
        "b`touch run`",
        "c$(touch run)",
        "d'; touch run; '",
        'e"; touch run',
    ]
    write_csv(tmp_path / "t.csv", {name: [1] for name in [*names, "it's", "fine"]})
    environment = make_command(tmp_path)
    typed = "ramify fit t.csv --target "
    for letter in "abcde":
        complete_in_zsh(typed + letter, tmp_path, environment)
    assert not (tmp_path / "run").exists()
    # A name that would be written wrongly is not offered.
    assert complete_in_zsh(f"{typed}it", tmp_path, environment) == f"{typed}it"
    assert complete_in_zsh(f"{typed}f", tmp_path, environment) == f"{typed}fine "


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_for_people(run, command: str) -> None:
    code, printed, _ = run(command, "--help")
    assert code == 0
    # typer's own words stand beside --help and beside arguments
    own = [line for line in printed.splitlines() if "--" in line and "--help" not in line]
    own = [line for line in own if "<path>" not in line]
    for odd in ("The form; by itself", "<", "list[str]"):
        assert not any(odd in line for line in own)
    lines = [line for line in printed.splitlines() if "--" in line and "│" in line]
    assert lines
    assert max(map(len, printed.splitlines())) <= 100


def test_a_tree_fits_the_terminal(run, tmp_path: Path) -> None:
    towns = [f"A very long name of town number {i}" for i in range(12)]
    name = "a column with a name that is itself longer than most terminals are wide, or nearly so"
    table = {name: [town for town in towns for _ in range(9)]}
    table["n"] = [i * 7 % 50 for i in range(108)]
    model = ramify.TreeClassifier(max_depth=4).fit(table, ["ab"[i // 9 % 2] for i in range(108)])
    for width in (40, 60, 80, 120):
        text = model.tree_.to_text(width=width)
        assert max(map(len, text.splitlines())) <= width
        assert text.count("\n") == model.tree_.to_text().count("\n")
        assert "%" in text
    assert model.tree_.to_text(width=500) == model.tree_.to_text()
    with pytest.raises(ValueError, match="width=10 must be None or an integer of at least 40"):
        model.tree_.to_text(width=10)
    narrow = Console(force_terminal=True, width=60)
    with narrow.capture() as shown:
        output.print_tree(narrow, model)
    assert max(len(line) for line in plain(shown.get()).splitlines()) <= 60
    assert output.width_of(Console(force_terminal=False, width=60)) is None  # wide when piped


@pytest.mark.parametrize("width", [20, 40, 80])
def test_commands_to_go_on_with_fit_the_terminal(width: int) -> None:
    words = ["ramify", "fit", "a long folder/" * 6 + "my table.csv", "--target", "it's sold?"]
    words += ["--model", "m" * 70, "--report", "r.html"]
    steps = [(shlex.join(words), "save the tree"), ("ramify profile t.csv", "what is in it")]
    narrow = Console(force_terminal=True, width=width, soft_wrap=True, highlight=False)
    with narrow.capture() as shown:
        output.print_next_steps(narrow, steps)
    lines = plain(shown.get()).splitlines()
    assert max(map(len, lines)) <= width
    first, last = (i for i, line in enumerate(lines) if line.endswith(":"))
    # What a shell makes of the lines: it takes out a backslash with the end of its line.
    copied = "\n".join(lines[first + 1 : last]).replace("\\\n", "")
    assert shlex.split(copied) == words
    together = [line for line in lines if "--report" in line]
    assert width < 40 or together[0].split()[-1] == "r.html"  # an option stands beside its value
    wide = Console(force_terminal=False, width=width, soft_wrap=True)
    with wide.capture() as shown:
        output.print_next_steps(wide, steps)
    assert shlex.join(words) in shown.get()  # a file or a pipe has no width


def test_the_size_of_a_table_fits_the_terminal() -> None:
    narrow = Console(force_terminal=True, width=40, soft_wrap=True, highlight=False)
    with narrow.capture() as shown:
        output.introduce(narrow, Path("orders.csv"), "240 rows, 6 numeric columns, target paid", [])
    lines = plain(shown.get()).splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(map(str.strip, lines)) == "orders.csv: 240 rows, 6 numeric columns, target paid"


def plain(text: str) -> str:
    from rich.text import Text

    return Text.from_ansi(text).plain


@pytest.mark.parametrize("width", [40, 50, 60, 70, 80])
def test_tables_and_rules_fit_the_terminal(width: int) -> None:
    titanic = load_titanic()
    model = TreeClassifier(pruning="auto", growth="best_first").fit(titanic.data, titanic.y)
    path = model.pruning_path_
    lines = output.sizes_table(path, width).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) == len(path) + 1
    assert [line.endswith(" *") for line in lines].index(True) == path.selected + 1
    assert output.sizes_table(path, None) == output.sizes_table(path, 200) == str(path)
    console = Console(force_terminal=True, width=width, soft_wrap=True, highlight=False)
    with console.capture() as shown:
        output.print_rules(console, model.tree_.rules(), model, indent="  ")
    printed = re.sub(r"\x1b\[[0-9;]*m", "", shown.get())
    assert max(map(len, printed.splitlines())) <= width
    rules = " ".join(map(str, model.tree_.rules()))
    assert printed.split() == rules.split()
    assert not re.search(r"\d$\n *%", printed, re.MULTILINE)  # a number stands beside its unit


def test_a_comparison_is_divided_to_fit_the_terminal() -> None:
    titanic = load_titanic()
    learners = {"cart": TreeClassifier(max_leaves=6), "stump": TreeClassifier(max_leaves=2)}
    scores = ("accuracy", "f1", "roc_auc", "n_leaves")
    found = compare(learners, {"titanic": (titanic.data, titanic.y)}, cv=3, scores=scores)
    labels = np.unique(titanic.y)
    whole = comparison_table(found, scores, labels)
    assert whole == comparison_table(found, scores, labels, 200)
    for width in (40, 60):
        parts = comparison_table(found, scores, labels, width)
        assert max(map(len, parts.splitlines())) <= width
        assert set(whole.split()) == set(parts.split())
