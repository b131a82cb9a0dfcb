"""A way to run commands, and tables and models to run them on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.csv_files import write_csv

from ramify.cli import main
from ramify.datasets import load_titanic, load_weather


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """A function that runs a command and gives its exit code, stdout and stderr."""

    def run_command(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_command


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    table = load_weather()
    columns = {name: column.tolist() for name, column in table.data.items()}
    columns["outlook"][3] = "?"
    return write_csv(tmp_path / "weather.csv", {**columns, "play": table.y.tolist()})


@pytest.fixture
def weather_model(run: Any, weather: Path, tmp_path: Path) -> Path:
    path = tmp_path / "m.json"
    options = ("--model", path, "--folds", 0, "--pruning", "none")
    code, out, _ = run("fit", weather, "--target", "play", *options)
    assert code == 0
    assert "Saved to" in out
    return path


@pytest.fixture
def titanic(tmp_path: Path) -> Path:
    table = load_titanic()
    columns = {**table.data, "survived": table.y}
    return write_csv(
        tmp_path / "titanic.csv", {name: column.tolist() for name, column in columns.items()}
    )


@pytest.fixture
def titanic_model(run: Any, titanic: Path, tmp_path: Path) -> Path:
    path = tmp_path / "m.json"
    options = ("--model", path, "--folds", 0, "--pruning", "none")
    assert run("fit", titanic, "--target", "survived", *options)[0] == 0
    return path


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    """Two columns of numbers; the first one decides the class."""
    generator = np.random.default_rng(0)
    x, z = generator.random(300), generator.random(300)
    columns = {"x": x, "z": z, "class": np.where(x > 0.5, "yes", "no")}
    return write_csv(
        tmp_path / "numbers.csv", {name: column.tolist() for name, column in columns.items()}
    )
