"""Excel sheets and JSON records are read like other files, with their types."""

from __future__ import annotations

import datetime as dt
import gzip
import json

import numpy as np
import pytest

from ramify.datasets import read_column_names, read_table_blocks, read_table_file

ROWS = [
    ["sold", "price", "town", "at", "mixed", "ok"],
    [dt.datetime(2019, 12, 31), 12.5, "Rome", dt.time(14, 5), 5, True],
    [dt.datetime(2020, 1, 1), None, "Oslo", None, "n/a", False],
    [None, 3, None, None, 7.5, None],
]


@pytest.fixture
def save(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")

    def make(rows, *, other=None):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        if other is not None:
            sheet = book.create_sheet("other")
            for row in other:
                sheet.append(row)
        path = tmp_path / "t.xlsx"
        book.save(path)
        return path

    return make


def test_excel(save):
    path = save([["Sales of 2019"], [], *ROWS, []])
    table = read_table_file(path, target="town")
    assert list(table.data) == ["sold", "price", "at", "mixed", "ok"]
    assert table.data["sold"].astype(str).tolist() == ["2019-12-31", "2020-01-01", "NaT"]
    np.testing.assert_array_equal(table.data["price"], [12.5, np.nan, 3])
    assert table.data["at"].tolist() == [dt.time(14, 5), None, None]
    np.testing.assert_array_equal(table.data["mixed"], [5, np.nan, 7.5])
    assert table.data["ok"].tolist() == [True, False, None]
    assert table.y.tolist() == ["Rome", "Oslo", None]
    assert read_column_names(path) == ROWS[0]
    (block,) = read_table_blocks(path, kinds={"price": "text", "mixed": "text"})
    assert block.data["price"].tolist() == ["12.5", None, "3"]


def test_excel_sheets_and_names(save):
    path = save(ROWS, other=[["a", None, "a"], [1, "$5", 3]])
    with pytest.raises(ValueError, match=r"sheet='othr' is not there; did you mean 'other'"):
        read_table_file(path, sheet="othr")
    with pytest.raises(ValueError, match="more than once"):
        read_table_file(path, sheet="other")
    table = read_table_file(path, sheet="other", rename_duplicates=True)
    assert {name: column.tolist() for name, column in table.data.items()} == {
        "a": [1],
        "column_2": [5],
        "a_2": [3],
    }


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the sheet is empty"),
        ([["a", "b"]], "a header but no rows"),
        ([[1, 2], [3, 4]], "looks like data"),
    ],
)
def test_excel_errors(save, rows, message):
    with pytest.raises(ValueError, match=message):
        read_table_file(save(rows))
    if rows and rows[0][0] == 1:
        assert read_table_file(save(rows), header=False).data["x0"].tolist() == [1, 3]


def test_excel_says_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK and more")
    with pytest.raises(ValueError, match=r"not an Excel workbook.*, or it is damaged"):
        read_table_file(path)

    def refuse(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", refuse)
    with pytest.raises(ValueError, match=r"pip install 'ramify\[excel\]'"):
        read_table_file(path)


RECORDS = [
    {"age": 31, "town": "Rome", "sold": "2019-12-31", "pay": "$1,234"},
    {"age": None, "town": "Oslo", "sold": "2020-01-01", "pay": "n/a", "late": True},
    {"age": 2.5, "town": "?", "sold": None, "pay": "$5", "tags": ["a"]},
]


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "json", "jsonl.gz"])
def test_json(tmp_path, ending):
    lines = "\n".join(map(json.dumps, RECORDS)) + "\n\n"
    text = json.dumps(RECORDS) if ending == "json" else lines
    path = tmp_path / f"t.{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    assert read_column_names(path) == ["age", "town", "sold", "pay", "late", "tags"]
    table = read_table_file(path, ignore=["tags"])
    np.testing.assert_array_equal(table.data["age"], [31, np.nan, 2.5])
    assert table.data["town"].tolist() == ["Rome", "Oslo", None]
    assert table.data["sold"].dtype == "datetime64[D]"
    np.testing.assert_array_equal(table.data["pay"], [1234, np.nan, 5])
    assert table.data["late"].tolist() == [None, True, None]
    with pytest.raises(ValueError, match=r"column 'tags' holds lists or objects \(row 3\)"):
        read_table_file(path)
    (block,) = read_table_blocks(path, kinds={"town": "text", "age": "number"})
    assert list(block.data) == ["town", "age"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.jsonl", '{"a": 1}\n[1]\n', r"line 2 is not an object"),
        ("t.jsonl", '{"a": 1}\n{"a": \n', "line 2 is not JSON"),
        ("t.jsonl", "", "the file is empty"),
        ("t.json", '{"a": 1}', "not a list of records"),
        ("t.json", "[", "is not JSON"),
        ("t.json", "[]", "the file is empty"),
        ("t.json", "[{}]", "have no keys"),
    ],
)
def test_json_errors(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_table_file(path)


def test_json_lines_under_another_name(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('{"a": 1}\n{"a": 2}\n')
    assert read_table_file(path).data["a"].tolist() == [1, 2]
