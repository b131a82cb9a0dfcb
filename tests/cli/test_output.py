"""What the commands write: never over what they read, directly into devices, without formulas."""

from __future__ import annotations

import csv
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from helpers.csv_files import write_csv
from helpers.processes import posix

from ramify import TreeClassifier
from ramify.datasets import load_weather
from ramify.evaluate import compare


@pytest.fixture
def table(tmp_path: Path) -> Path:
    weather = load_weather()
    return write_csv(tmp_path / "table.csv", {**weather.data, "play": weather.y})


@pytest.fixture
def model(tmp_path: Path) -> Path:
    weather = load_weather()
    path = tmp_path / "model.json"
    TreeClassifier().fit(weather.data, weather.y).save(path)
    return path


@pytest.fixture
def here(table: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the table and the model, as the working directory."""
    monkeypatch.chdir(table.parent)
    return table.parent


COMMANDS = {
    "predict": ["predict", "model.json", "table.csv", "--output"],
    "predict proba": ["predict", "model.json", "table.csv", "--json", "--proba", "--output"],
    "discretize": ["discretize", "table.csv", "--target", "play", "--output"],
    "export": ["export", "model.json", "--to", "c", "--output"],
    "report": ["report", "model.json", "table.csv", "--target", "play", "--output"],
    "compare": ["compare", "table.csv", "--target", "play", "--output"],
    "store": ["compare", "table.csv", "--target", "play", "--store"],
    "fit": ["fit", "table.csv", "--target", "play", "--model"],
    "fit report": ["fit", "table.csv", "--target", "play", "--report"],
}
one_output = pytest.mark.parametrize("command", ["predict", "discretize", "export", "report"])


@posix
@pytest.mark.parametrize("link", [None, "symlink", "hard link"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_read_is_not_written(command: str, link: str | None, run: Any, here: Path) -> None:
    for read in (here / "table.csv", here / "model.json"):
        if read.name not in COMMANDS[command]:
            continue
        output = read if link is None else read.with_name(f"to-{read.name}")
        if link == "symlink":
            output.symlink_to(read.name)
        elif link == "hard link":
            os.link(read, output)
        before = read.read_bytes()
        code, _, err = run(*COMMANDS[command], output.name)
        assert code == 2
        assert f"{COMMANDS[command][-1]} {output.name}: this is the file that is read" in err
        assert read.read_bytes() == before


def test_two_outputs_are_two_files(run: Any, table: Path, tmp_path: Path) -> None:
    outputs = ["--model", tmp_path / "one", "--report", tmp_path / "one"]
    code, _, err = run("fit", table, "--target", "play", *outputs)
    assert code == 2 and "--model is the same file" in err
    assert not (tmp_path / "one").exists()


@posix
def test_stdout_that_is_appended_to_the_input(table: Path, model: Path) -> None:
    before = table.read_bytes()
    with open(table, "ab") as file:
        done = subprocess.run(
            [sys.executable, "-m", "ramify", "predict", str(model), str(table)],
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2 and "this is the file that is read" in done.stderr
    assert table.read_bytes() == before


@posix
@one_output
def test_a_fifo_is_written_to(command: str, run: Any, here: Path) -> None:
    arguments = COMMANDS[command]
    assert run(*arguments, "plain")[0] == 0
    os.mkfifo("fifo")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(Path("fifo").read_bytes()), daemon=True)
    reader.start()
    code, _, err = run(*arguments, "fifo")
    reader.join(timeout=60)
    assert code == 0, err
    assert stat.S_ISFIFO(os.stat("fifo").st_mode)
    assert got == [Path("plain").read_bytes()]


@posix
@one_output
def test_files_called_part_are_left_alone(command: str, run: Any, here: Path) -> None:
    Path("victim").write_text("precious")
    Path("out.part").symlink_to("victim")
    Path("other.part").write_text("my own")
    for output in ("out", "other"):
        assert run(*COMMANDS[command], output)[0] == 0
        assert Path(output).stat().st_size > 20 and not Path(output).is_symlink()
    assert Path("victim").read_text() == "precious" and Path("out.part").is_symlink()
    assert Path("other.part").read_text() == "my own"
    assert {path.name for path in here.iterdir()} == {
        *("table.csv", "model.json", "victim", "out.part", "other.part", "out", "other")
    }


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
@one_output
def test_a_full_device_is_an_error(command: str, run: Any, here: Path) -> None:
    code, _, err = run(*COMMANDS[command], "/dev/full")
    assert (code, err) == (2, "ramify: /dev/full: No space left on device\n")


def test_an_error_in_the_middle_keeps_the_old_predictions(
    run: Any, table: Path, model: Path, tmp_path: Path
) -> None:
    with open(table, "a") as file:  # the last of many blocks is ragged
        file.write(table.read_text().split("\n", 1)[1] * 2000 + "1\n")
    old = tmp_path / "old"
    old.write_text("yesterday's")
    code, _, err = run("predict", model, table, "--output", old)
    assert code == 2 and "cells" in err
    assert old.read_text() == "yesterday's"
    assert len(list(tmp_path.iterdir())) == 3


# --- formulas -----------------------------------------------------------------------------------

ODD = ["=1+1", "+x", "-low", "@SUM(A1)", "\tx", "-3.5", "+7", "-1e5", "plain", "a=b", "'q"]
SAFE = ["'=1+1", "'+x", "'-low", "'@SUM(A1)", "'\tx", "-3.5", "+7", "-1e5", "plain", "a=b", "'q"]


def cells(path: Path) -> list[list[str]]:
    with open(path, newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("keep", [False, True])
def test_predictions_are_no_formulas(keep: bool, run: Any, tmp_path: Path) -> None:
    codes = [[float(i)] for i in range(len(ODD))]
    TreeClassifier().fit({"x": [row[0] for row in codes]}, ODD).save(tmp_path / "m")
    (tmp_path / "x.csv").write_text("x,z\n" + "".join(f"{i},0\n" for i in range(len(ODD))))
    options = ["--keep-formulas"] if keep else []
    out = tmp_path / "out"
    code, _, err = run("predict", tmp_path / "m", tmp_path / "x.csv", "--output", out, *options)
    assert code == 0, err
    assert [row[0] for row in cells(out)] == ["prediction", *(ODD if keep else SAFE)]
    code, printed, _ = run("predict", tmp_path / "m", tmp_path / "x.csv", *options)
    assert printed == out.read_text()


@pytest.mark.parametrize("keep", [False, True])
def test_cut_tables_have_no_formulas(keep: bool, run: Any, tmp_path: Path) -> None:
    texts = [text for text in ODD if text != "\tx"]  # readers of tables strip it
    safe = [text for text in SAFE if text != "'\tx"]
    late = [i // 20 for i in range(4 * len(texts))]
    answers = ["no" if n else "+yes" for n in late]
    write_csv(tmp_path / "t.csv", {"=name": texts * 4, "n": late, "-y": answers})
    options = ["--keep-formulas"] if keep else []
    out = tmp_path / "out"
    code, _, err = run("discretize", tmp_path / "t.csv", "--target=-y", "--output", out, *options)
    assert code == 0, err
    head, *rows = cells(out)
    quote = "" if keep else "'"
    assert head == [f"{quote}=name", "n", f"{quote}-y"]
    assert [row[0] for row in rows] == (texts if keep else safe) * 4
    assert {row[2] for row in rows} == {f"{quote}+yes", "no"}


@pytest.mark.parametrize("keep", [False, True])
def test_tables_of_a_comparison_have_no_formulas(keep: bool, tmp_path: Path) -> None:
    weather = load_weather()
    learners = {"=cmd()": TreeClassifier(), "plain": TreeClassifier(max_depth=1)}
    found = compare(learners, {"-data": (weather.data, weather.y)}, cv=2)
    found.to_csv(tmp_path / "out", keep_formulas=keep)
    quote = "" if keep else "'"
    text = {cell for row in cells(tmp_path / "out") for cell in row}
    assert {f"{quote}=cmd()", f"{quote}-data", "plain"} <= text
    assert not {"'=cmd()" if keep else "=cmd()", "'-data" if keep else "-data"} & text
