"""The command line: what it prints, what it writes, and that every error is one line."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify.cli import main
from ramify.datasets import load_weather


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run_command(*arguments: str | Path) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_command


def write_csv(path: Path, columns: dict[str, list]) -> Path:
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    table = load_weather()
    columns = {name: column.tolist() for name, column in table.data.items()}
    columns["outlook"][3] = "?"
    return write_csv(tmp_path / "weather.csv", {**columns, "play": table.y.tolist()})


@pytest.fixture
def model(run, weather: Path, tmp_path: Path) -> Path:
    path = tmp_path / "m.json"
    code, out, _ = run("fit", weather, "--target", "play", "--model", path, "--folds", "0")
    assert code == 0
    assert "Saved to" in out
    return path


def one_line(text: str) -> bool:
    return text.startswith("ramify: ") and text.count("\n") == 1 and "Traceback" not in text


def test_version_and_help(run) -> None:
    assert run("--version") == (0, f"ramify {ramify.__version__}\n", "")
    for arguments in (["--help"], []):
        code, out, _ = run(*arguments)
        assert code == 0
        assert all(command in out for command in ("demo", "fit", "predict", "show"))


def test_a_pruned_model_can_be_pruned_on(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "pruned.json"
    code, _, err = run(
        *("fit", weather, "--target", "play", "--model", path),
        *("--pruning", "cost_complexity", "--folds", "0"),
    )
    assert (code, err) == (0, "")
    model = ramify.load(path)
    assert model.prune(alpha=0).tree_.target == model.tree_.target == "play"
    code, _, err = run("fit", weather, "--target", "play", "--pruning", "cart", "--folds", "0")
    assert code != 0
    assert one_line(err)
    assert "cost_complexity" in err


@pytest.mark.parametrize("data", ["titanic", "weather", "balance-scale"])
def test_demo(run, data: str) -> None:
    code, out, err = run("demo", "--data", data, "--folds", "3")
    assert (code, err) == (0, "")
    assert "3-fold cross-validation: accuracy" in out
    assert "ramify fit FILE.csv --target COLUMN" in out


def test_demo_is_in_colour_on_a_terminal(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("demo", "--folds", "0")[1]
    monkeypatch.delenv("FORCE_COLOR")
    assert "\x1b[" not in run("demo", "--folds", "0")[1]


def test_fit_prints_the_tree_its_size_and_score(run, weather: Path) -> None:
    code, out, err = run("fit", weather, "--target", "play", "--folds", "3", "--max-depth", "2")
    assert (code, err) == (0, "")
    assert "14 rows, 2 numeric and 2 nominal columns, target play" in out
    assert "\nplay: 14 rows, yes 64 %\n" in out
    assert "outlook" in out
    assert "grown from 14 rows" in out
    assert "3-fold cross-validation: accuracy" in out


def test_fit_options_reach_the_estimator(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = "--max-depth 3 --max-leaves 4 --min-samples-leaf 2 --criterion entropy"
    options += " --growth best_first --missing separate --folds 0 --ignore windy"
    assert run("fit", weather, "--target", "play", "--model", path, *options.split())[0] == 0
    loaded = ramify.load(path)
    assert loaded.schema_.names == ["outlook", "temperature", "humidity"]
    asked = {"max_depth": 3, "max_leaves": 4, "min_samples_leaf": 2, "criterion": "entropy"}
    asked |= {"growth": "best_first", "missing": "separate"}
    assert {k: v for k, v in loaded.get_params().items() if k in asked} == asked


def test_fit_an_optimal_tree(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = ("--learner", "optimal", "--max-depth", "2", "--time-limit", "60", "--folds", "2")
    code, out, err = run("fit", weather, "--target", "play", "--model", path, *options)
    assert (code, err) == (0, "")
    assert "no tree of this depth has a smaller training error" in out
    loaded = ramify.load(path)
    assert isinstance(loaded, ramify.OptimalTreeClassifier)
    assert loaded.get_params()["time_limit"] == 60.0
    assert loaded.proven_optimal_
    code, out, _ = run(
        "fit", weather, "--target", "humidity", "--learner", "optimal", "--max-depth", "1"
    )
    assert code == 0
    code, out, err = run("fit", weather, "--target", "play", *options, "--criterion", "gini")
    assert code == 2 and one_line(err)
    assert "--criterion does not go with --learner optimal; it goes with greedy and" in err


def test_a_warning_of_many_folds_is_one_note(run, tmp_path: Path) -> None:
    columns = {"x": list(range(40)), "y": ["a", "b"] * 20}
    file = write_csv(tmp_path / "t.csv", columns)
    options = ("--learner", "optimal", "--max-depth", "1", "--upper-bound", "0.01")
    code, _, err = run("fit", file, "--target", "y", *options, "--folds", 4)
    assert code == 0
    first, second = err.splitlines()
    assert first.startswith("ramify: note: the search for an optimal tree found none below")
    assert second.startswith("ramify: note: in 4 of 4 folds of the score: the search for an")


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


def test_predict_gives_what_the_model_gives(run, model: Path, weather: Path, tmp_path) -> None:
    code, out, err = run("predict", model, weather, "--proba")
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(out.splitlines()))
    loaded = ramify.load(model)
    data = {name: column.copy() for name, column in load_weather().data.items()}
    data["outlook"][3] = None
    assert [row["prediction"] for row in rows] == loaded.predict(data).tolist()
    shares = [[float(row["p(no)"]), float(row["p(yes)"])] for row in rows]
    np.testing.assert_allclose(shares, loaded.predict_proba(data))
    output = tmp_path / "out.csv"
    code, out, err = run("predict", model, weather, "--output", output)
    assert (code, out) == (0, "")
    assert "14 predictions" in err
    assert output.read_text().splitlines()[:2] == ["prediction", rows[0]["prediction"]]


def test_predict_finds_columns_by_name(run, model: Path, weather: Path, tmp_path: Path) -> None:
    expected = run("predict", model, weather)[1]
    with open(weather, newline="") as file:
        columns = {name: list(cells) for name, *cells in zip(*csv.reader(file), strict=True)}
    columns = {"id": ["2024-01-01"] * 14, **dict(reversed(columns.items()))}
    del columns["play"]
    other = write_csv(tmp_path / "other.csv", columns)
    assert run("predict", model, other)[1] == expected
    del columns["outlook"]
    columns["Outlok"] = ["sunny"] * 14
    code, out, err = run("predict", model, write_csv(other, columns))
    assert (code, out) == (2, "")
    assert one_line(err)
    assert "column 'outlook' is not in the table; did you mean 'Outlok'?" in err


def test_predict_reads_columns_as_the_model_knows_them(run, tmp_path: Path) -> None:
    table = {"zip": [f"{i % 4:03d}" for i in range(40)], "y": ["ab"[i % 4 > 1] for i in range(40)]}
    file, path = write_csv(tmp_path / "t.csv", table), tmp_path / "m.json"
    assert run("fit", file, "--target", "y", "--model", path, "--folds", "0")[0] == 0
    assert ramify.load(path).schema_["zip"].kind == "nominal"
    # Alone, these would be read as a column of numbers.
    few = write_csv(tmp_path / "few.csv", {"zip": ["1", "2"]})
    assert run("predict", path, few)[0] == 0
    code, *_ = run("fit", file, "--target", "y", "--numeric", "zip", "--model", path)
    assert code == 0
    assert ramify.load(path).schema_["zip"].kind == "numeric"


def test_show(run, model: Path) -> None:
    code, out, _ = run("show", model)
    assert code == 0
    assert out.strip() == ramify.load(model).tree_.to_text().strip()
    code, out, _ = run("show", model, "--rules")
    assert code == 0
    assert out.splitlines() == [str(rule) for rule in ramify.load(model).tree_.rules()]


def test_tasks(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    columns = {"x": x.tolist(), "few": (x > 0).astype(int).tolist(), "many": (3 * x).tolist()}
    file, path = write_csv(tmp_path / "t.csv", columns), tmp_path / "m.json"
    small = ("--max-depth", "3", "--folds", "2", "--model", path)
    code, out, _ = run("fit", file, "--target", "many", *small)
    assert code == 0
    assert "read as regression; --task classification" in out
    assert "R2 0." in out
    assert run("predict", path, file, "--proba")[0] == 2
    code, out, _ = run("fit", file, "--target", "few", "--ignore", "many", *small)
    assert "read as classification" in out
    assert ramify.load(path).classes_.tolist() == [0, 1]
    assert run("fit", file, "--target", "few", "--task", "regression", *small)[0] == 0
    assert isinstance(ramify.load(path), ramify.TreeRegressor)


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


def test_large_trees_are_cut(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    columns = {"x": rng.normal(size=500).tolist(), "y": rng.choice(["a", "b"], 500).tolist()}
    file = write_csv(tmp_path / "t.csv", columns)
    out = run("fit", file, "--target", "y", "--folds", "0")[1]
    assert "--show-depth" in out
    assert len(out.splitlines()) < 60


ERRORS = [
    (["fit", "none.csv", "--target", "y"], "none.csv: No such file"),
    (
        ["fit", "WEATHER", "--target", "ply"],
        "target 'ply' is not in the table; did you mean 'play'?",
    ),
    (["fit", "WEATHER"], "--target"),
    (["fit", "WEATHER", "--target", "play", "--criterion", "ginny"], "gini"),
    (["fit", "WEATHER", "--target", "play", "--growth", "up"], "best_first"),
    (
        ["fit", "WEATHER", "--target", "play", "--pruning", "cart"],
        "--pruning: 'cart' is not one of none, auto, best_first, cost_complexity, critical_value, "
        "error_based, mdl, reduced_error",
    ),
    (["fit", "WEATHER", "--target", "play", "--time-limit", "9"], "--learner optimal, and with"),
    (
        ["fit", "WEATHER", "--target", "play", "--time-limit", "9", "--pruning", "error_based"],
        "what cross-validates: --pruning auto, best_first, cost_complexity",
    ),
    (
        ["fit", "WEATHER", "--target", "play", "--time-limit", "-1", "--pruning", "auto"],
        "time_limit=-1",
    ),
    (["fit", "WEATHER", "--target", "play", "--max-depth", "-3"], "max_depth"),
    (["fit", "WEATHER", "--target", "play", "--max-depth", "x"], "--max-depth"),
    (["fit", "WEATHER", "--target", "play", "--task", "regression"], "is text"),
    (["fit", "WEATHER", "--target", "play", "--ignore", "wind"], "did you mean 'windy'"),
    (["fit", "WEATHER", "--target", "play", "--model", "no/such/m.json"], "there is no folder"),
    (["fti"], "fti"),
    (["predict", "WEATHER", "WEATHER"], "weather.csv"),
    (["predict", "MODEL", "none.csv"], "none.csv"),
    (["show", "none.json"], "none.json: No such file"),
    (["demo", "--data", "mars"], "titanic"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[" ".join(e[0]) for e in ERRORS])
def test_errors_are_one_line(run, weather: Path, model: Path, arguments, message: str) -> None:
    known = {"WEATHER": weather, "MODEL": model}
    code, _, err = run(*(known.get(argument, argument) for argument in arguments))
    assert code == 2
    assert one_line(err), err
    assert message in err


def test_a_defect_is_one_line_too(run, weather: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexError("boom")

    monkeypatch.setattr(ramify.TreeClassifier, "fit", fail)
    code, _, err = run("fit", weather, "--target", "play")
    assert code == 1
    assert one_line(err)
    assert "IndexError: boom" in err
    monkeypatch.setenv("RAMIFY_TRACEBACK", "1")
    with pytest.raises(IndexError):
        main(["fit", str(weather), "--target", "play"])


def test_interrupt(run, weather: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ramify.TreeClassifier, "fit", interrupt)
    code, _, err = run("fit", weather, "--target", "play")
    assert (code, err) == (130, "ramify: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_interrupt_from_outside(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = {f"x{j}": rng.normal(size=20_000).round(4).tolist() for j in range(5)}
    file = write_csv(tmp_path / "t.csv", {**table, "y": rng.choice(["a", "b"], 20_000).tolist()})
    # Ctrl-C may be ignored where the tests were started (nohup, a background job).
    heed = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = f"{heed}; from ramify.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", command, "fit", str(file), "--target", "y", "--folds", "1000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()  # the tree is there: it is cross-validating from now on
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "ramify: interrupted\n")


def test_as_a_module_and_into_a_closed_pipe(model: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ramify", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("ramify ")
    rows = {name: column.tolist() * 10_000 for name, column in load_weather().data.items()}
    file = write_csv(tmp_path / "many.csv", rows)
    process = subprocess.Popen(
        [sys.executable, "-m", "ramify", "predict", str(model), str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "prediction\n"
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.wait(timeout=60)
