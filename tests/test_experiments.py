"""What the experiments share: files of runs that survive a kill, folders, and the run of all."""

from __future__ import annotations

import argparse
import csv
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ramify import presets
from ramify.datasets import Dataset, load_weather

FOLDER = Path(__file__).parents[1] / "experiments"
HEAD = ("dataset", "value")


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    if not FOLDER.exists():
        pytest.skip("the experiments are not part of this distribution")
    monkeypatch.syspath_prepend(str(FOLDER))


def module(name: str) -> Any:
    return importlib.import_module(name)


def test_a_torn_line_is_cut_off_and_written_again(tmp_path: Path) -> None:
    rows, file = module("_rows"), tmp_path / "new" / "runs.csv"
    assert rows.read_rows(file) == []
    rows.add_rows(file, HEAD, [("iris", 1), ("a, b", 2)])
    rows.add_rows(file, HEAD, [("wine", 3)])
    whole = file.read_bytes()
    assert [row["dataset"] for row in rows.read_rows(file)] == ["iris", "a, b", "wine"]
    for cut in (1, 3, 6):  # inside the last line
        file.write_bytes(whole[:-cut])
        assert [row["value"] for row in rows.read_rows(file)] == ["1", "2"]
        rows.add_rows(file, HEAD, [("wine", 3)])
        assert file.read_bytes() == whole
    file.write_bytes(b"datas")  # killed in the head
    rows.add_rows(file, HEAD, [("iris", 1)])
    assert file.read_bytes() == b"dataset,value\niris,1\n"


def test_quick_results_do_not_replace_the_others(tmp_path: Path) -> None:
    folder = module("_options").results_folder
    results = FOLDER / "results"
    for given, quick, expected in (
        (None, False, results),
        (None, True, results / "quick"),
        (tmp_path, True, tmp_path),
    ):
        assert folder(argparse.Namespace(results=given, quick=quick)) == expected


def test_every_script_is_run_with_options_that_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = module("all").SCRIPTS
    others = {"all", "summary", "weka_reference", "j48_agreement", "mixture_picture"}
    assert {file.stem for file in FOLDER.glob("[a-z]*.py")} - others == set(scripts)
    readme = (FOLDER / "README.md").read_text()
    for script, options in scripts.items():
        monkeypatch.setattr(sys, "argv", [script, "--help"])
        with pytest.raises(SystemExit):
            module(script).main()
        text = capsys.readouterr().out
        for option in ("quick", "results", *options):
            assert f"[--{option}" in text, (script, option)
        assert readme.count(f"`{script}.py") >= 2, script  # what it does, and how long it takes


def test_all_goes_on_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    everything, results = module("all"), tmp_path / "results"
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
    with (results / "logs" / "times.csv").open() as file:
        assert [row["exit_code"] for row in csv.DictReader(file)] == ["1", "0"]
    monkeypatch.setattr(sys, "argv", [*given, "--only", "good"])
    assert everything.main() == 0


def test_random_tables_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = module("pereira_monte_carlo")
    task = ("gini", 12, 3, 4, 2, 1 << 16)
    first = experiment.measured(tmp_path, *task)
    monkeypatch.setattr(experiment, "measure", None)  # not to be called again
    again = experiment.measured(tmp_path, *task)
    assert again.key == first.key == ("gini", 12, 3)
    assert np.array_equal(again.exact, first.exact, equal_nan=True)
    for kind in ("impurity", "variants"):
        one, other = getattr(first, kind), getattr(again, kind)
        assert list(one) == list(other) and len(one) >= 5
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_bounds_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = module("mid_bounds")
    calls: list[str] = []

    def measure(data: Any, order: str, counts: Any, runs: int) -> list[tuple[Any, ...]]:
        calls.append(order)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return [("none", 45, 1.25, 7, 2)]

    monkeypatch.setattr(experiment, "measure", measure)
    monkeypatch.setattr(experiment, "table", lambda name, data: None)
    file = tmp_path / "mid_bounds" / "runs.csv"
    with pytest.raises(KeyboardInterrupt):
        experiment.measure_all(file, tmp_path, [45], 1)
    found = experiment.measure_all(file, tmp_path, [45], 1)
    assert len(calls) == 5  # four, and the one that was interrupted
    assert len(found) == 4 and len({row[:2] for row in found}) == 4
    assert found[0] == ("Banknote", "limited discrepancy", "none", 45, 1.25, 7, 2)


PRINTED = """
x0 = v0: c1 (4.31)
x0 = v1
|   x3 = v0: c1 (2.31)
|   x3 = v1: c0 (2.0)
x0 = v2
|   x2 <= 75: c1 (2.0)
|   x2 > 75: c0 (3.38/0.38)

Number of Leaves  : \t5

Size of the tree : \t8
"""


def test_trees_that_j48_prints_are_read() -> None:
    experiment, loaded = module("j48_agreement"), load_weather()
    weather = Dataset({name: column.copy() for name, column in loaded.data.items()}, loaded.y)
    weather.data["outlook"][3] = None
    assert experiment.printed_size(PRINTED) == (5, 8)
    ours = presets.c45(pruning=None).fit(weather.data, weather.y).tree_
    read = experiment.make_tree(experiment.read_branches(PRINTED), weather, ours)
    for name in ("kind", "attribute", "n_children", "rows", "level_code", "level_branch"):
        assert np.array_equal(read.data[name], ours.data[name]), name
    for name in ("proportion", "weight", "value"):
        np.testing.assert_allclose(read.data[name], ours.data[name])
    assert 75.0 in read.data["threshold"]  # a value of the data, where ours is a midpoint
    given = experiment.OfGiven(grown=read.core)
    again = presets.c45(pruning=given).fit(weather.data, weather.y).tree_
    assert experiment.size_in_weka(again) == (5, 8)
    wrong = experiment.read_branches(PRINTED.replace("(2.31)", "(3.0)"))
    with pytest.raises(ValueError, match=r"2\.31 rows are here"):
        experiment.make_tree(wrong, weather, ours)


def test_levels_without_rows_are_leaves_in_weka() -> None:
    experiment = module("j48_agreement")
    data = {"a": np.array(list("ppqqqq"), object), "b": np.array(list("uwuuvv"), object)}
    table = Dataset(data, np.array(list("nnnnyy"), object))
    printed = "x0 = v0: c0 (2.0)\nx0 = v1\n|   x1 = v0: c0 (2.0)\n|   x1 = v1: c1 (2.0)\n"
    printed += "|   x1 = v2: c0 (0.0)\n"
    like = presets.c45().fit(table.data, table.y).tree_
    tree = experiment.make_tree(experiment.read_branches(printed), table, like)
    assert (tree.n_leaves, tree.n_nodes) == (3, 5)
    assert experiment.size_in_weka(tree) == (4, 6)


def test_the_summary_counts_agreement_reasons_and_what_is_open(tmp_path: Path) -> None:
    summary = module("summary")
    (tmp_path / "shi_pruning.csv").write_text(
        "measure,dataset,method,repetitions,ours,printed\n"
        "Accuracy,iris,cart,10,94.0,95.0\n"  # within three points
        "Accuracy,vowel,cart,10,40.0,50.0\n"  # explained
        "Accuracy,iris,post,10,80.0,95.0\n"  # open
        "Accuracy,zoo,post,10,80.0,\n"  # not printed
        "Nodes,iris,cart,10,9.0,7.5\n"  # within two nodes
    )
    assert summary.summary(tmp_path).splitlines()[2:] == [
        "| Shi 2007 | accuracy of six prunings, 4.14 | 3 | 3 points | 1 | 1: a draw of the folds "
        "(audiology), or Weka's levels of a speaker (vowel) | 1 |",
        "| Shi 2007 | nodes of six prunings, 4.15 | 1 | 20 % or 2 nodes | 1 | 0 | 0 |",
    ]
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{summary.BEGIN}\nold\n{summary.END}\nafter\n")
    summary.write_into(readme, "| new |")
    text = f"before\n{summary.BEGIN}\n\n| new |\n\n{summary.END}\nafter\n"
    assert readme.read_text() == text
