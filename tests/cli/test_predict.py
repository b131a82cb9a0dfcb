"""The command predict."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
from helpers.command_line import one_line
from helpers.csv_files import write_csv

import ramify
from ramify.datasets import load_weather
from ramify.datasets.readers import delimited


def test_predict_gives_what_the_model_gives(
    run, weather_model: Path, weather: Path, tmp_path
) -> None:
    code, out, err = run("predict", weather_model, weather, "--proba")
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(out.splitlines()))
    loaded = ramify.load(weather_model)
    data = {name: column.copy() for name, column in load_weather().data.items()}
    data["outlook"][3] = None
    assert [row["prediction"] for row in rows] == loaded.predict(data).tolist()
    shares = [[float(row["p(no)"]), float(row["p(yes)"])] for row in rows]
    np.testing.assert_allclose(shares, loaded.predict_proba(data))
    output = tmp_path / "out.csv"
    code, out, err = run("predict", weather_model, weather, "--output", output)
    assert (code, out) == (0, "")
    assert "14 predictions" in err
    assert output.read_text().splitlines()[:2] == ["prediction", rows[0]["prediction"]]


def test_predict_finds_columns_by_name(
    run, weather_model: Path, weather: Path, tmp_path: Path
) -> None:
    expected = run("predict", weather_model, weather)[1]
    with open(weather, newline="") as file:
        columns = {name: list(cells) for name, *cells in zip(*csv.reader(file), strict=True)}
    columns = {"id": ["2024-01-01"] * 14, **dict(reversed(columns.items()))}
    del columns["play"]
    other = write_csv(tmp_path / "other.csv", columns)
    assert run("predict", weather_model, other)[1] == expected
    del columns["outlook"]
    columns["Outlok"] = ["sunny"] * 14
    code, out, err = run("predict", weather_model, write_csv(other, columns))
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


def test_predict_does_not_depend_on_the_blocks(
    run, titanic_model, titanic, tmp_path, monkeypatch
) -> None:
    whole = run("predict", titanic_model, titanic, "--proba")[1]
    monkeypatch.setattr(delimited, "_BLOCK", 100)
    assert run("predict", titanic_model, titanic, "--proba")[1] == whole
    lines = run("predict", titanic_model, titanic, "--proba", "--json")[1].splitlines()
    rows = list(csv.DictReader(whole.splitlines()))
    assert len(rows) == len(lines) == 2201
    for row, line in zip(rows, lines, strict=True):
        assert {k: str(v) for k, v in json.loads(line).items()} == row


def test_predict_of_a_file_that_breaks_off_writes_nothing(
    run, titanic_model, titanic, tmp_path
) -> None:
    broken, output = tmp_path / "broken.csv", tmp_path / "out.csv"
    broken.write_text(titanic.read_text() + "first,adult\n")
    output.write_text("kept")
    code, _, err = run("predict", titanic_model, broken, "--output", output)
    assert code == 2
    assert "has 2 cells" in err
    assert output.read_text() == "kept"
    assert not list(tmp_path.glob("*.part"))


def test_predict_finds_levels_that_are_no_text(run, tmp_path: Path) -> None:
    X = {"smokes": np.array([True, False] * 10, dtype=object), "age": np.arange(20.0)}
    y = np.where(X["smokes"], "ill", "well")
    path, table = tmp_path / "m.json", tmp_path / "t.csv"
    ramify.TreeClassifier().fit(X, y).save(path)
    table.write_text("age,smokes\n3,True\n4,false\n5,\n")
    assert run("predict", path, table)[1].split()[1:3] == ["ill", "well"]
