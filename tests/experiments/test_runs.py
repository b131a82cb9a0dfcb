"""What the experiments share: files of runs that survive a kill, folders, and the run of all."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

import _options
import _rows
import all as everything
import pytest
from helpers.csv_files import csv_rows
from helpers.paths import EXPERIMENTS

HEAD = ("dataset", "value")


def test_a_torn_line_is_cut_off_and_written_again(tmp_path: Path) -> None:
    file = tmp_path / "new" / "runs.csv"
    assert _rows.read_rows(file) == []
    _rows.add_rows(file, HEAD, [("iris", 1), ("a, b", 2)])
    _rows.add_rows(file, HEAD, [("wine", 3)])
    whole = file.read_bytes()
    assert [row["dataset"] for row in _rows.read_rows(file)] == ["iris", "a, b", "wine"]
    for cut in (1, 3, 6):  # inside the last line
        file.write_bytes(whole[:-cut])
        assert [row["value"] for row in _rows.read_rows(file)] == ["1", "2"]
        _rows.add_rows(file, HEAD, [("wine", 3)])
        assert file.read_bytes() == whole
    file.write_bytes(b"datas")  # killed in the head
    _rows.add_rows(file, HEAD, [("iris", 1)])
    assert file.read_bytes() == b"dataset,value\niris,1\n"


def test_quick_results_do_not_replace_the_others(tmp_path: Path) -> None:
    folder = _options.results_folder
    results = EXPERIMENTS / "results"
    for given, quick, expected in (
        (None, False, results),
        (None, True, results / "quick"),
        (tmp_path, True, tmp_path),
    ):
        assert folder(argparse.Namespace(results=given, quick=quick)) == expected


def test_every_script_is_run_with_options_that_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = everything.SCRIPTS
    drawn = {"mixture_picture", "near_best_picture"}
    others = {"all", "summary", "weka_reference", "j48_agreement", "messy_files"} | drawn
    assert {file.stem for file in EXPERIMENTS.glob("[a-z]*.py")} - others == set(scripts)
    readme = (EXPERIMENTS / "README.md").read_text()
    for script, options in scripts.items():
        monkeypatch.setattr(sys, "argv", [script, "--help"])
        with pytest.raises(SystemExit):
            import_module(script).main()
        text = capsys.readouterr().out
        for option in ("quick", "results", *options):
            assert f"[--{option}" in text, (script, option)
        assert readme.count(f"`{script}.py") >= 2, script  # what it does, and how long it takes


def test_all_goes_on_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    (tmp_path / "bad.py").write_text("raise SystemExit('no luck')")
    (tmp_path / "good.py").write_text("import sys; print(*sys.argv[1:])")
    monkeypatch.setattr(everything, "HERE", tmp_path)
    monkeypatch.setattr(everything, "SCRIPTS", {"bad": (), "good": ("data", "jobs")})
    given = ["all.py", "--quick", "--data", "d", "--jobs", "3", "--results", str(results)]
    monkeypatch.setattr(sys, "argv", given)
    assert everything.main() == 1
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["bad", "good", "together"]
    assert [("failed, see" in line) for line in printed] == [True, False, False]
    assert (results / "logs" / "bad.log").read_text() == "no luck\n"
    log = (results / "logs" / "good.log").read_text()
    assert log == f"--data d --jobs 3 --results {results} --quick\n"
    times = csv_rows(results / "logs" / "times.csv")
    assert [row["exit_code"] for row in times] == ["1", "0"]
    monkeypatch.setattr(sys, "argv", [*given, "--only", "good"])
    assert everything.main() == 0
