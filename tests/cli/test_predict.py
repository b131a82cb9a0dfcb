"""The command predict."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv

import ramify
from ramify.datasets import load_weather, read_table_file
from ramify.datasets.readers import delimited
from ramify.tables.frame import TableDict


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


def test_predict_keeps_columns(run, weather_model: Path, weather: Path, tmp_path: Path) -> None:
    with open(weather, newline="") as file:
        columns = {name: list(cells) for name, *cells in zip(*csv.reader(file), strict=True)}
    columns = {"id": [f"00{i}" for i in range(14)], **columns}
    table = write_csv(tmp_path / "ids.csv", columns)
    code, out, err = run("predict", weather_model, table, "--keep", "id", "--keep", "humidity")
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(out.splitlines()))
    assert list(rows[0]) == ["id", "humidity", "prediction"]
    assert [row["id"] for row in rows] == columns["id"]
    assert [float(row["humidity"]) for row in rows] == [*map(float, columns["humidity"])]
    out = run("predict", weather_model, table, "--keep-all", "--proba")[1]
    assert out.splitlines()[0] == ",".join([*columns, "prediction", "p(no)", "p(yes)"])
    again = tmp_path / "again.csv"
    again.write_text(out)
    code, out, err = run("predict", weather_model, again, "--keep", "prediction")
    assert out.splitlines()[0] == "prediction,prediction_2"
    assert "the new one is called 'prediction_2'" in err
    code, out, err = run("predict", weather_model, table, "--keep", "Id")
    assert (code, out) == (2, "")
    assert "--keep: column 'Id' is not in the table; did you mean 'id'?" in err


def test_kept_columns_have_their_types_in_json(run, tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    ramify.TreeClassifier().fit({"x": [1.0, 2.0, 3.0]}, ["a", "b", "b"]).save(model)
    rows = [
        {"x": 1, "flag": 0, "ok": True, "code": "01", "id": 12345678901234567891, "n": None},
        {"x": 2.5, "flag": 1, "ok": False, "code": "12", "id": 2, "n": -0.25},
        {"x": None, "flag": 1, "ok": None, "code": "13", "id": 3, "n": 1e22},
    ]
    wanted = [row | {"prediction": label} for row, label in zip(rows, "abb", strict=True)]
    table = write_csv(tmp_path / "t.csv", {name: [row[name] for row in rows] for name in rows[0]})
    table.write_text(table.read_text().replace("None", "").replace("True", "true"))
    lines = tmp_path / "t.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for file in (table, lines):
        code, out, err = run("predict", model, file, "--keep-all", "--json")
        assert (code, err) == (0, "")
        assert [json.loads(line) for line in out.splitlines()] == wanted
    assert "01" in run("predict", model, table, "--keep", "code")[1]
    table.write_text("x,unit,yes\ninf,$3,yes\n-1,4,no\n")
    out = run("predict", model, table, "--keep-all", "--json")[1]
    first, second = map(json.loads, out.splitlines())
    assert first == {"x": None, "unit": "$3", "yes": "yes", "prediction": "b"}  # no infinity
    assert second == {"x": -1, "unit": "4", "yes": "no", "prediction": "a"}


def test_kept_numbers_are_numbers_in_parquet(run, weather_model: Path, weather: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = weather.read_text().splitlines()
    ids = ["id,day", *(f"{i},{2**60 + i}" for i in range(14))]
    table, output = weather.with_name("ids.csv"), weather.with_name("out.parquet")
    table.write_text("".join(f"{a},{b}\n" for a, b in zip(ids, lines, strict=True)))
    code, _, err = run("predict", weather_model, table, "--keep-all", "--output", output)
    assert code == 0, err
    found = parquet.read_table(output)
    assert found["id"].to_pylist() == [*range(14)]
    assert found["day"].to_pylist() == [str(2**60 + i) for i in range(14)]  # not rounded
    code, out, err = run("predict", weather_model, output, "--keep", "day", "--json")
    assert json.loads(out.splitlines()[3])["day"] == str(2**60 + 3)


def as_number(cell: str) -> str:
    """Give 85 for 85.0, which a file may have."""
    return f"{float(cell):g}" if cell[:1].isdigit() else cell


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "jsonl", "parquet", "xlsx", "arff"])
def test_predict_writes_what_it_reads(
    run, weather_model: Path, weather: Path, tmp_path: Path, ending: str
) -> None:
    needed = {"parquet": "pyarrow", "xlsx": "openpyxl"}.get(ending)
    if needed is not None:
        pytest.importorskip(needed)
    whole = list(csv.reader(run("predict", weather_model, weather, "--keep-all")[1].splitlines()))
    output = tmp_path / f"out.{ending}"
    code, _, err = run("predict", weather_model, weather, "--keep-all", "--output", output)
    assert (code, err) == (0, f"14 predictions written to {output}\n")
    table = read_table_file(output)
    assert list(table.data) == whole[0]
    for name, *cells in zip(*whole, strict=True):
        column = table.data[name].tolist()
        texts = [
            ""
            if cell is None or cell != cell
            else f"{cell:g}"
            if isinstance(cell, float)
            else str(cell).lower()  # True, where a format has booleans
            for cell in column
        ]
        assert texts == [as_number(cell).lower() for cell in cells]
    again = run("predict", weather_model, output)[1].split()[1:]
    assert again == [row[-1] for row in whole[1:]]


def test_predict_refuses_endings_that_it_cannot_write(
    run, weather_model: Path, weather: Path, tmp_path: Path
) -> None:
    given = ("predict", weather_model, weather, "--output")
    for ending, message in (("ods", "choose .xlsx or .csv"), ("parquet.gz", "leave .gz out")):
        code, _, err = run(*given, tmp_path / f"out.{ending}")
        assert code == 2 and one_line(err)
        assert message in err
    code, _, err = run(*given, tmp_path / "out.parquet", "--json")
    assert (code, "choose the ending .jsonl" in err) == (2, True)


def test_predict_reads_dates_as_the_model_knows_them(run, tmp_path: Path) -> None:
    days = np.datetime64("2020-01-01") + np.arange(200)
    data = TableDict({"sold": days})
    path, table = tmp_path / "m.json", tmp_path / "t.csv"
    ramify.TreeClassifier().fit(data, np.where(days < np.datetime64("2020-05-01"), "a", "b")).save(
        path
    )
    table.write_text("id,sold\n7,2020-04-30\n8,2020-05-01\n9,\n")
    code, out, err = run("predict", path, table, "--keep", "sold")
    assert (code, err) == (0, "")
    assert out.splitlines()[:3] == ["sold,prediction", "2020-04-30,a", "2020-05-01,b"]


def test_kept_moments_say_their_zone(run, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    seconds = np.arange(200) * 5003 % (40 * 86400) + 1_600_000_000
    when = arrow.array(seconds * 1_000_000, arrow.timestamp("us", tz="Europe/Berlin"))
    late = np.where((seconds // 3600 + 2) % 24 >= 12, "pm", "am")
    table, model = tmp_path / "t.parquet", tmp_path / "m.json"
    parquet.write_table(arrow.table({"when": when, "half": late}), table)
    assert run("fit", table, "--target", "half", "--model", model, "--folds", 0)[0] == 0
    code, out, _ = run("predict", model, table, "--keep-all")
    assert code == 0
    lines = [line.split(",") for line in out.splitlines()[1:]]
    assert lines[0][0] == "2020-09-13 12:26:40+00:00"
    assert all(truth == answer for _, truth, answer in lines)


@pytest.mark.parametrize("cells", [["1", "-2", "3", "5.", "(4)"], ["+1", "- 2", "3", "5", "7 -"]])
def test_the_file_of_the_fit_can_be_predicted(cells: list[str], run, tmp_path: Path) -> None:
    """Also where its numbers have signs that no other number has."""
    columns = {"v": cells * 4, "y": ["a", "b", "a", "b", "b"] * 4}
    table = write_csv(tmp_path / "t.csv", columns)
    model, out = tmp_path / "m.json", tmp_path / "p.csv"
    assert run("fit", table, "--target", "y", "--model", model, "--folds", 0)[0] == 0
    code, _, err = run("predict", model, table, "--output", out)
    assert code == 0, err
    assert len(out.read_text().splitlines()) == 21
