"""The program as a whole: version, errors of one line, interrupts, closed pipes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv
from helpers.processes import needs_signals

import ramify
from ramify.cli import main
from ramify.datasets import load_titanic, load_weather


def test_version_and_help(run) -> None:
    assert run("--version") == (0, f"ramify {ramify.__version__}\n", "")
    for arguments in (["--help"], []):
        code, out, _ = run(*arguments)
        assert code == 0
        assert all(command in out for command in ("demo", "fit", "predict", "show"))


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
    (
        ["fit", "WEATHER", "--target", "play", "--time-limit", "9", "--pruning", "none"],
        "--learner optimal, and with",
    ),
    (
        ["fit", "WEATHER", "--target", "play", "--time-limit", "9", "--pruning", "error_based"],
        "what cross-validates: --pruning auto, best_first, cost_complexity",
    ),
    (
        ["fit", "WEATHER", "--target", "play", "--time-limit", "-1", "--pruning", "auto"],
        "time_limit=-1",
    ),
    (["fit", "WEATHER", "--target", "play", "--max-depth", "-3"], "--max-depth -3 must be"),
    (["fit", "WEATHER", "--target", "play", "--max-depth", "x"], "--max-depth"),
    (["fit", "WEATHER", "--target", "play", "--task", "regression"], "is text"),
    (["fit", "WEATHER", "--target", "play", "--ignore", "wind"], "did you mean 'windy'"),
    (["fit", "WEATHER", "--target", "play", "--model", "no/such/m.json"], "there is no folder"),
    (["fit", "WEATHER", "--target", "play", "--criterion", "x"], "--criterion 'x' is not valid"),
    (["fit", "WEATHER", "--target", "play", "--folds", "1"], "2 folds at least"),
    (["fit", "WEATHER", "--target", "play", "--folds", "-1"], "--folds: it must be at least 0"),
    (["fit", "WEATHER", "--target", "play", "--alpha", "x"], "--alpha: it must be a number"),
    (["fit", "WEATHER", "--target", "play", "--task", "x"], "'x' is not one of auto, class"),
    (["fit", "WEATHER", "--target", "play", "--jobs", "0"], "--jobs 0 must be"),
    (
        ["fit", "WEATHER", "--target", "play", "--sheet", "May"],
        "weather.csv: --sheet 'May' is only for Excel files (.xlsx and .xlsm)",
    ),
    (["profile", "WEATHER", "--sheet", "May"], "weather.csv: --sheet 'May' is only for Excel"),
    (["predict", "MODEL", "WEATHER", "--sheet=May"], "weather.csv: --sheet 'May' is only for"),
    (["show", "WEATHER"], "this is not a model that fit --model saved"),
    (["fti"], "fti"),
    (["predict", "WEATHER", "WEATHER"], "weather.csv"),
    (["predict", "MODEL", "none.csv"], "none.csv"),
    (["show", "none.json"], "none.json: No such file"),
    (["demo", "--data", "mars"], "titanic"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS, ids=[" ".join(e[0]) for e in ERRORS])
def test_errors_are_one_line(
    run, weather: Path, weather_model: Path, arguments, message: str
) -> None:
    known = {"WEATHER": weather, "MODEL": weather_model}
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


@needs_signals
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
    process.stdout.readline()  # the tree is printed; cross-validation begins
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "ramify: interrupted\n")


def test_as_a_module_and_into_a_closed_pipe(weather_model: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ramify", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("ramify ")
    rows = {name: column.tolist() * 10_000 for name, column in load_weather().data.items()}
    file = write_csv(tmp_path / "many.csv", rows)
    process = subprocess.Popen(
        [sys.executable, "-m", "ramify", "predict", str(weather_model), str(file)],
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


def test_models_of_several_trees_predict_only(run, titanic: Path, tmp_path: Path) -> None:
    table, path = load_titanic(), tmp_path / "b.json"
    ramify.BoostedTreesClassifier(n_rounds=2).fit(table.data, table.y).save(path)
    assert run("predict", path, titanic)[0] == 0
    for command in (["show"], ["show", "--json"], ["export", "--to", "sql"], ["report"]):
        code, _, err = run(command[0], path, *command[1:])
        assert (code, "is not one tree" in err) == (2, True)
