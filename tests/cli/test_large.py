"""fit and predict of folders, patterns and tables larger than memory."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv
from helpers.processes import needs_signals

import ramify
from ramify.cli.large import options as large_options

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from ramify.cli.large.rows import ChosenRows, Sample  # noqa: E402
from ramify.cli.large.scans import Scans  # noqa: E402
from ramify.scale.sources import open_source  # noqa: E402

N_ROWS = 6000


def columns(n_rows: int = N_ROWS, seed: int = 0) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    x, z = generator.normal(size=n_rows), generator.normal(size=n_rows).astype(np.float32)
    colour = np.array(["red", "green", "blue"], dtype=object)[generator.integers(0, 3, n_rows)]
    right = (x > 0.3) ^ (colour == "red")
    wrong = generator.random(n_rows) < 0.1
    return {"x": x, "z": z, "colour": colour, "y": np.where(right ^ wrong, "yes", "no")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three Parquet files."""
    place = tmp_path / "data"
    place.mkdir()
    for part in range(3):
        pq.write_table(pa.table(columns(seed=part)), place / f"{part}.parquet", row_group_size=1000)
    return place


def whole(folder: Path) -> Any:
    return pa.concat_tables([pq.read_table(file) for file in sorted(folder.glob("*.parquet"))])


def grown_in_memory(table: Any, **parameters: Any) -> Any:
    X, y = table.drop_columns(["y"]), np.array(table["y"].to_pylist(), dtype=object)
    usual = {"missing": "direction", "identifiers": "keep"}
    return ramify.TreeClassifier(**(usual | parameters)).fit(X, y)


# --- fit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", ["200KB", "1GB", None])
def test_a_pattern_gives_the_tree_of_all_rows_in_memory(run, folder, tmp_path, memory) -> None:
    model = tmp_path / "m.json"
    given = ("fit", folder / "*.parquet", "--target", "y", "--folds", 0, "--pruning", "none")
    options = () if memory is None else ("--memory", memory)
    code, out, err = run(*given, "--model", model, "--max-depth", 5, *options)
    assert (code, err) == (0, "")
    assert f"{folder}/*.parquet: 18,000 rows, 2 numeric and 1 nominal columns, target y\n" in out
    assert ("scans" in out) and "cut back" not in out
    expected = grown_in_memory(whole(folder), max_depth=5)
    expected.name_target("y")
    found = ramify.load(model)
    assert found.tree_.to_text() == expected.tree_.to_text()
    assert found.tree_.target == "y"


def test_a_folder_is_all_its_files(run, folder: Path) -> None:
    given = ("--target", "y", "--json", "--memory", "1MB")
    one = json.loads(run("fit", folder, *given)[1])
    two = json.loads(run("fit", folder / "*.parquet", *given)[1])
    assert one["rows"] == two["rows"] == 3 * N_ROWS
    assert (one["leaves"], one["score"]) == (two["leaves"], two["score"])


def test_the_tree_is_cut_back_and_scored_by_rows_held_out(run, folder: Path) -> None:
    found = json.loads(run("fit", folder, "--target", "y", "--json", "--memory", "1MB")[1])
    assert found["grown_from"] == pytest.approx(0.8 * 3 * N_ROWS, abs=3)
    assert any("cut back from" in note for note in found["notes"])
    assert found["leaves"] <= 8
    assert found["score"]["mean"] == pytest.approx(0.9, abs=0.03)
    assert found["score"]["how"].endswith("rows, held out")
    plain = json.loads(
        run("fit", folder, "--target", "y", "--json", "--memory", "1MB", "--pruning", "none")[1]
    )
    assert plain["leaves"] > 500
    assert plain["score"]["mean"] < found["score"]["mean"]


def test_a_test_file_scores_in_place_of_rows_held_out(run, folder: Path, tmp_path: Path) -> None:
    test, page = tmp_path / "test.parquet", tmp_path / "page.html"
    pq.write_table(pa.table(columns(500, seed=9)), test)
    given = ("fit", folder, "--target", "y", "--json", "--max-depth", 3, "--memory", "1MB")
    found = json.loads(run(*given, "--test", test, "--report", page)[1])
    assert found["grown_from"] == 3 * N_ROWS
    assert (found["score"]["how"], found["score"]["rows"]) == ("test.parquet", 500)
    assert "</html>" in page.read_text()


def test_one_file_is_held_in_memory_unless_memory_is_said(run, folder: Path) -> None:
    out = run("fit", folder / "0.parquet", "--target", "y", "--folds", 0)[1]
    assert "scans" not in out
    out = run("fit", folder / "0.parquet", "--target", "y", "--folds", 0, "--memory", "1GB")[1]
    assert "grown in 2 scans" in out


def test_numbers_are_predicted(run, tmp_path: Path) -> None:
    x = np.random.default_rng(0).random(20_000)
    file = tmp_path / "n.parquet"
    pq.write_table(pa.table({"x": x, "y": np.round(10 * x) + 0.5}), file)
    found = json.loads(run("fit", file, "--target", "y", "--json", "--memory", "100KB")[1])
    assert found["task"] == "regression"
    assert found["score"]["mean"] > 0.99


def test_rows_without_a_target_are_left_out(run, tmp_path: Path) -> None:
    table = columns()
    labels = table["y"].tolist()
    labels[10:20] = [None] * 10
    file = tmp_path / "t.parquet"
    pq.write_table(pa.table({**table, "y": labels}), file)
    code, out, _ = run("fit", file, "--target", "y", "--memory", "100KB", "--folds", 0)
    assert code == 0
    assert "- 10 rows without a target are left out\n" in out
    assert "grown from 5,990 of" in out or "grown from 5,990 rows" in out


def test_text_files_are_read_in_scans(run, tmp_path: Path) -> None:
    for part in range(2):
        table = {name: cells.tolist() for name, cells in columns(seed=part).items()}
        write_csv(tmp_path / f"t{part}.csv", {**table, "code": [i % 7 for i in range(N_ROWS)]})
    given = ("fit", tmp_path / "t*.csv", "--target", "y", "--folds", 0, "--memory", "200KB")
    model = tmp_path / "m.json"
    assert run(*given, "--model", model, "--nominal", "code", "--ignore", "z")[0] == 0
    schema = ramify.load(model).schema_
    assert {one.name: one.kind for one in schema.columns} == {
        "x": "numeric",
        "colour": "nominal",
        "code": "nominal",
    }


def test_class_weights_are_of_all_classes(run, folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    given = ("fit", folder, "--target", "y", "--folds", 0, "--memory", "1MB", "--model", model)
    assert run(*given, "--class-weight", "yes=5,no=1", "--max-depth", 3)[0] == 0
    assert ramify.load(model).class_weight == {"yes": 5.0, "no": 1.0}
    code, _, err = run(*given, "--class-weight", "maybe=5")
    assert code == 2 and "'maybe' is not a class of the target" in err


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--memory", "lots"), "--memory 'lots' is no amount of memory"),
        (("--memory", "1MB", "--folds", 5), "--folds 5: a tree grown in scans"),
        (("--memory", "1MB", "--learner", "c45"), "--learner c45 needs the whole table"),
        (
            ("--memory", "50KB", "--selection", "beyond_chance"),
            "--selection 'beyond_chance' cannot",
        ),
        (("--dask", "tcp://h:1", "--spark", "local[2]"), "--dask tcp://h:1 and --spark local[2]"),
        (("--memory", "1MB", "--delimiter", ";"), "--delimiter is for text files"),
        (("--memory", "1MB", "--ignore", "colur"), "did you mean 'colour'?"),
        (("--memory", "1MB", "--numeric", "colour"), "--numeric colour: the files hold string"),
        (("--memory", "1MB", "--spill", "nowhere"), "--spill 'nowhere': there is no such folder"),
        (("--memory", "1MB", "--target", "Y"), "--target: column 'Y' is not in the table"),
    ],
)
def test_errors_name_the_option(run, folder: Path, options, words: str) -> None:
    given = ("fit", folder, *(() if "--target" in options else ("--target", "y")), *options)
    code, out, err = run(*given)
    assert (code, out) == (2, "")
    assert one_line(err)
    assert words in err


def test_names_that_are_no_files(run, tmp_path: Path, folder: Path) -> None:
    for name, words in (
        (tmp_path / "no*.parquet", "no file has a name of this pattern"),
        (tmp_path / "empty", "the folder has no files that end in"),
        (folder / "4.parquet", "there is no such file"),
    ):
        (tmp_path / "empty").mkdir(exist_ok=True)
        code, _, err = run("fit", name, "--target", "y", "--memory", "1MB")
        assert code == 2 and words in err, err
    (folder / "t.csv").write_text("x\n1\n")
    code, _, err = run("fit", folder, "--target", "y")
    assert code == 2 and "all files must be of one kind" in err


@pytest.mark.parametrize(
    ("option", "value", "package"),
    [("--dask", "tcp://127.0.0.1:1", "dask"), ("--spark", "local[2]", "pyspark")],
)
def test_an_engine_that_is_not_installed_is_named(
    run, folder, monkeypatch, option, value, package
) -> None:
    real = large_options.importlib.import_module

    def without(name: str, **more: Any) -> Any:
        if name.startswith(package):
            raise ImportError(name)
        return real(name, **more)

    monkeypatch.setattr(large_options.importlib, "import_module", without)
    code, _, err = run("fit", folder, "--target", "y", option, value)
    assert code == 2
    assert one_line(err)
    assert f"{option} {value}: this needs " in err and "pip install" in err and package in err


def test_a_cluster_grows_cuts_back_and_predicts(run, folder: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    model, answers = tmp_path / "m.json", tmp_path / "answers.parquet"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        at = ("--dask", cluster.scheduler_address)
        given = ("fit", folder, "--target", "y", "--json", "--memory", "1MB", *at)
        found = json.loads(run(*given)[1])
        assert found["rows"] == 3 * N_ROWS
        assert found["grown_from"] == pytest.approx(0.8 * 3 * N_ROWS, rel=0.05)
        assert found["leaves"] <= 8
        assert found["score"]["mean"] == pytest.approx(0.9, abs=0.03)
        # Without rows that are held out, the tree is that of all rows in memory.
        run(*given, "--folds", 0, "--max-depth", 4, "--pruning", "none", "--model", model)
        code, _, err = run("predict", model, folder, "--output", answers, *at)
        assert code == 0 and "written to the folder" in err
    expected = grown_in_memory(whole(folder), max_depth=4)
    expected.name_target("y")
    assert ramify.load(model).tree_.to_text() == expected.tree_.to_text()
    found = pq.read_table(answers)
    table = whole(folder)
    assert found.num_rows == table.num_rows
    assert found[found.column_names[-1]].to_pylist() == list(
        expected.predict(table.drop_columns(["y"]))
    )


# --- predict --------------------------------------------------------------------------------------


@pytest.fixture
def model(run, folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "m.json"
    given = ("fit", folder, "--target", "y", "--folds", 0, "--max-depth", 3, "--memory", "1MB")
    assert run(*given, "--model", path)[0] == 0
    return path


def test_parquet_to_parquet(run, folder: Path, model: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.parquet"
    given = ("predict", model, folder / "*.parquet", "--output", output)
    code, out, err = run(*given, "--proba", "--keep", "z", "--memory", "1MB")
    assert (code, out) == (0, "")
    assert "18,000 predictions written" in err
    found, table, tree = pq.read_table(output), whole(folder), ramify.load(model)
    assert found.column_names == ["z", "prediction", "p(no)", "p(yes)"]
    assert found["z"].equals(table["z"])
    X = table.drop_columns(["y"])
    assert found["prediction"].to_pylist() == tree.predict(X).tolist()
    np.testing.assert_array_equal(found["p(yes)"].to_numpy(), tree.predict_proba(X)[:, 1])


def test_many_files_to_text(run, folder: Path, model: Path, tmp_path: Path) -> None:
    code, out, _ = run("predict", model, folder, "--keep", "colour")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0 and len(rows) == 3 * N_ROWS
    expected = ramify.load(model).predict(whole(folder).drop_columns(["y"]))
    assert [row["prediction"] for row in rows] == expected.tolist()
    for part in range(2):
        table = {name: cells[:50].tolist() for name, cells in columns(seed=part).items()}
        write_csv(tmp_path / f"t{part}.csv", table)
    code, out, _ = run("predict", model, tmp_path / "t*.csv")
    assert out.split()[1:] == [*expected[:50], *expected[N_ROWS : N_ROWS + 50]]


def test_predict_refuses(run, folder: Path, model: Path, tmp_path: Path) -> None:
    code, _, err = run("predict", model, folder, "--keep", "w")
    assert code == 2 and "--keep: column 'w' is not in the table" in err
    code, _, err = run("predict", model, folder, "--output", folder / "0.parquet")
    assert code == 2 and "this is the file that is read" in err
    code, _, err = run("predict", model, folder, "--memory", "none")
    assert code == 2 and "--memory 'none' is no amount of memory" in err
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"X": [1.0], "z": [2.0], "colour": ["red"]}), other)
    code, _, err = run("predict", model, other, "--memory", "1GB", "--output", tmp_path / "o.csv")
    assert code == 2 and "column 'x' is not in the table; did you mean 'X'?" in err
    assert not (tmp_path / "o.csv").exists()


# --- scans ----------------------------------------------------------------------------------------


def test_all_scans_hold_out_the_same_rows(folder: Path) -> None:
    source = open_source(str(folder / "*.parquet"))
    rows = ChosenRows(source, "y", 0.1, 10**9)
    names = source.schema.names
    first = pa.Table.from_batches(list(rows.batches(names)))
    again = pa.Table.from_batches(list(rows.batches(names)))
    assert first.equals(again)
    assert rows.held_out is not None
    out = rows.held_out.table()
    assert len(out) == pytest.approx(0.1 * 3 * N_ROWS, abs=2)
    both = sorted([*first["x"].to_pylist(), *out["x"].to_pylist()])
    assert both == sorted(whole(folder)["x"].to_pylist())


def test_a_sample_stays_small() -> None:
    sample = Sample(100)
    for begin in range(0, 10_000, 70):
        sample.add(pa.record_batch({"i": np.arange(begin, min(10_000, begin + 70))}))
        assert len(sample) <= 200
    kept = sample.table()["i"].to_numpy()
    assert sample.n_rows == 10_000 and len(kept) > 50
    assert len({*np.diff(kept).tolist()}) == 1  # every n-th row


def test_a_scan_says_what_is_done_and_left() -> None:
    scans = Scans(4_000_000, 10**8, 20, 10)
    scans.begin(1, "levels and classes")
    said = re.fullmatch(r"scan 1 of about (\d+), levels and classes", scans.text())
    assert said is not None
    expected = int(said[1])
    assert 4 < expected <= 22  # two for each of the ten levels at most, and two more
    scans.begin(3, "values")
    scans.rows(1_000_000)
    about = f"scan 3 of about {expected}, values: 1.0 million of 4.0 million rows, "
    assert scans.text().startswith(about)
    assert scans.text().endswith("rows/s")
    assert scans.part() == pytest.approx(2.25 / expected)
    folds = Scans(4_000_000, 10**8, 20, 10, folds=10)
    folds.begin(1, "levels and classes")
    again = re.fullmatch(r"scan 1 of about (\d+), levels and classes", folds.text())
    assert again is not None
    assert int(again[1]) == expected + 2  # the targets and the losses; all trees grow together
    waves = Scans(4_000_000, 10**7, 20, 10, folds=10)
    waves.begin(1, "levels and classes")
    more = re.search(r"of about (\d+)", waves.text())
    assert more is not None
    assert int(more[1]) > 2 * expected
    unknown = Scans(None, 10**8, 20, None)
    unknown.begin(1, "levels and classes")
    unknown.rows(5)
    assert unknown.text().startswith("scan 1, levels and classes: 5 rows")


# --- the end --------------------------------------------------------------------------------------


@pytest.fixture
def long_fit(tmp_path: Path) -> list[str]:
    """A command that takes long; it has a folder of its own for temporary files."""
    file = tmp_path / "long.parquet"
    generator = np.random.default_rng(0)
    table = {f"x{j}": generator.normal(size=400_000).astype(np.float32) for j in range(10)}
    table["y"] = (table["x0"] + generator.normal(size=400_000) > 0).astype(np.int8)
    pq.write_table(pa.table(table), file, row_group_size=50_000)
    (tmp_path / "spill").mkdir()
    words = ["fit", file, "--target", "y", "--memory", "3MB", "--spill", tmp_path / "spill"]
    return [sys.executable, "-c", _CHILD, *map(str, words), "--model", str(tmp_path / "m.json")]


_CHILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from ramify.cli import main
sys.exit(main(sys.argv[1:]))
"""


def stopped(command: list[str], spill: Path, sent: signal.Signals) -> tuple[int, float, str]:
    """Stop a command once it has a folder for temporary files; give code, seconds and stderr."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not list(spill.iterdir()):
        assert child.poll() is None and time.monotonic() < until, child.communicate()
        time.sleep(0.01)
    os.kill(child.pid, sent)
    begin = time.monotonic()
    _, err = child.communicate(timeout=60)
    return child.returncode, time.monotonic() - begin, err


@needs_signals
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_fit_that_is_stopped_leaves_nothing_behind(long_fit, tmp_path, sent, code) -> None:
    found, _, err = stopped(long_fit, tmp_path / "spill", sent)
    assert found == code, err
    assert err == ("ramify: interrupted\n" if sent == signal.SIGINT else "")
    assert not list((tmp_path / "spill").iterdir())
    assert not (tmp_path / "m.json").exists()


def test_what_the_first_rows_show_is_said(run, tmp_path) -> None:
    rng = np.random.default_rng(0)
    n = 3000
    age = rng.integers(18, 80, n)
    table = pa.table(
        {
            "Account ID": [f"A-{i:05d}" for i in range(n)],
            "price": [f"€{1000 + 7 * i:,}" for i in rng.permutation(n)],
            "age": age,
            "y": np.where((age > 40) ^ (rng.random(n) < 0.1), "yes", "no"),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    words = ("fit", tmp_path / "t.parquet", "--target", "y", "--memory", "1MB")
    code, text, err = run(*words, "--json")
    assert (code, err) == (0, "")
    found = json.loads(text)
    notes = " ".join(found["notes"])
    assert "Account ID looks like an identifier: 3,000 different keys" in notes
    assert "price is text, but all of it is numbers" in notes
    assert "--ignore price leaves it out" in notes
    assert found["left_out"] == ["Account ID"]
    code, text, _ = run(*words, "--json", "--use", "Account ID", "--nominal", "price")
    assert (code, json.loads(text)["left_out"]) == (0, [])
    assert "price is text" not in text


@needs_signals
def test_a_fit_that_is_killed_is_not_in_the_way_of_the_next(run, long_fit, tmp_path) -> None:
    spill = tmp_path / "spill"
    assert stopped(long_fit, spill, signal.SIGKILL)[0] == -signal.SIGKILL
    assert len(list(spill.iterdir())) == 1
    more = ("--max-depth", 2, "--folds", 0)
    code, _, err = run(*long_fit[3:], *more)
    assert (code, err) == (0, "")
    assert not list(spill.iterdir())
