"""CSV, ARFF and Parquet files: what is read, and the errors of unreadable files."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ramify.datasets import (
    Dataset,
    read_column_names,
    read_table_blocks,
    read_table_file,
)
from ramify.datasets.readers import delimited, text
from ramify.datasets.readers.cells import ColumnKind
from ramify.tables.frame import TableDict


@pytest.fixture
def write(tmp_path: Path):
    def write_file(content: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


def lists(table: Dataset) -> dict[str, list]:
    return {name: column.tolist() for name, column in table.data.items()}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(write, delimiter: str) -> None:
    cells = [["name", "n", "why"], ["a, b", "1", "x"], ["c; d|e\tf", "2.5", 'say "hi"']]
    text = "\r\n".join(
        delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells
    )
    table = read_table_file(write(text))
    assert lists(table) == {"name": ["a, b", "c; d|e\tf"], "n": [1, 2.5], "why": ["x", 'say "hi"']}


def test_one_column_and_blank_lines(write) -> None:
    assert lists(read_table_file(write("x\n1\n\n2\n\n"))) == {"x": [1, 2]}


def test_missing_cells_by_default_and_overridden(write) -> None:
    path = write("a,b\n1,x\n?,NA\n,?\n NaN ,null\n2, y \n")
    table = read_table_file(path)
    np.testing.assert_array_equal(table.data["a"], [1, np.nan, np.nan, np.nan, 2])
    assert table.data["b"].tolist() == ["x", None, None, None, "y"]
    table = read_table_file(write("a,b\n1,x\n-9,NA\n2,?\n"), missing=["-9"])
    np.testing.assert_array_equal(table.data["a"], [1, np.nan, 2])
    assert table.data["b"].tolist() == ["x", "NA", "?"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-2.5e3", "+.5"], [1, -2500, 0.5]),
        (["inf", "-inf", "1"], [np.inf, -np.inf, 1]),
        (["007", "010", "123"], ["007", "010", "123"]),
        (["0", "0.5", "10"], [0, 0.5, 10]),
        (["1_000", "2"], ["1_000", "2"]),
        (["2024-01-01", "2"], ["2024-01-01", "2"]),
        (["true", "false"], ["true", "false"]),
        (["9007199254740993", "1"], [9007199254740992, 1]),
    ],
)
def test_which_columns_are_numbers(write, cells: list[str], expected: list) -> None:
    assert lists(read_table_file(write("x\n" + "\n".join(cells)))) == {"x": expected}


def test_kinds_override(write) -> None:
    path = write("zip,code\n1000,007\n2000,010\n")
    table = read_table_file(path, kinds={"zip": "text", "code": "number"})
    assert lists(table) == {"zip": ["1000", "2000"], "code": [7, 10]}
    with pytest.raises(ValueError, match="column 'x' should hold numbers, but data row 2 has 'b'"):
        read_table_file(write("x\n1\nb\n"), kinds={"x": "number"})
    with pytest.raises(ValueError, match=r"kinds\['zip'\]='int' is not one of"):
        read_table_file(path, kinds={"zip": "int"})  # type: ignore[dict-item]


def test_an_all_missing_column_is_numeric_unless_told(write) -> None:
    path = write("a,b\n,1\n,2\n")
    assert np.isnan(read_table_file(path).data["a"]).all()
    assert lists(read_table_file(path, kinds={"a": "text"}))["a"] == [None, None]


def test_a_column_that_turns_to_text_in_a_later_block(write, monkeypatch) -> None:
    monkeypatch.setattr(delimited, "_BLOCK", 2)
    table = read_table_file(write("a,b,c\n1,2,x\n01,3,y\n3,4,z\n4,5,?\nfive,6,x\n"), target="b")
    assert table.data["a"].tolist() == ["1", "01", "3", "4", "five"]
    assert table.data["c"].tolist() == ["x", "y", "z", None, "x"]
    assert list(table.data) == ["a", "c"]
    assert table.y.tolist() == [2, 3, 4, 5, 6]


def test_decimal_comma(write) -> None:
    path = write("a;b\n1,5;x\n2,25;y\n")
    assert lists(read_table_file(path, decimal=","))["a"] == [1.5, 2.25]
    assert lists(read_table_file(path))["a"] == [1.5, 2.25]
    assert lists(read_table_file(path, kinds={"a": "text"}))["a"] == ["1,5", "2,25"]
    assert lists(read_table_file(write("a;b\n1.500;x\n2;y\n"), decimal=","))["a"] == [1500, 2]
    with pytest.raises(ValueError, match="decimal='!' is not one of"):
        read_table_file(path, decimal="!")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings_are_found(write, encoding: str) -> None:
    table = read_table_file(write("größe,ort\n1,Köln\n2,Århus\n".encode(encoding)))
    assert lists(table) == {"größe": [1, 2], "ort": ["Köln", "Århus"]}


def test_encoding_given(write) -> None:
    path = write("a\nп\n".encode("cp1251"))
    assert lists(read_table_file(path, encoding="cp1251")) == {"a": ["п"]}
    with pytest.raises(ValueError, match="not ascii text"):
        read_table_file(path, encoding="ascii")
    with pytest.raises(ValueError, match="encoding='klingon'"):
        read_table_file(path, encoding="klingon")


def test_latin_1_is_noticed_far_into_the_file(write) -> None:
    rows = b"x\n" + b"plain\n" * 100_000 + "é\n".encode("latin-1")
    assert read_table_file(write(rows)).data["x"][-1] == "é"


def test_gzip_whatever_the_name(write) -> None:
    packed = gzip.compress(b"a,b\n1,x\n")
    for name in ("t.csv.gz", "t.csv"):
        assert lists(read_table_file(write(packed, name))) == {"a": [1], "b": ["x"]}
    with pytest.raises(ValueError, match="gzip file is damaged"):
        read_table_file(write(gzip.compress(b"a,b\n" + bytes(range(65, 90)) * 999)[:-20]))


LONG = {
    "header.csv": (b"a,", b"b,", b"\n"),
    "row.csv": (b"a,b\n1,2\n", b"3,", b"\n"),
    "cell.csv": (b"a,b\n1,2\n", b"xy", b",1\n"),
    "lines.csv": (b"a,b\n1,2\n", b'"\n",', b"1\n"),  # many lines, but one row
    "no-end.csv": (b"a,b\n1,2\n3,", b"4,", b""),
    "header.arff": (b"@relation r\n@attribute x {a", b",b", b"}\n@data\na\n"),
    "row.arff": (b"@relation r\n@attribute x numeric\n@data\n", b"1,", b"\n"),
}


@pytest.mark.parametrize("name", LONG)
def test_a_row_without_end_is_an_error_before_it_fills_the_memory(
    name: str, tmp_path: Path, monkeypatch: Any
) -> None:
    """A packed file of some kilobytes holds a row of many megabytes."""
    monkeypatch.setattr(text, "MOST_CHARACTERS", 1 << 17)
    before, piece, after = LONG[name]
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(before + piece * (1 << 23) + after))
    kinds: dict[str, ColumnKind] = {"x" if name.endswith("arff") else "a": "number"}
    readers: list[Callable[[], Any]] = [
        lambda: read_table_file(path),
        lambda: list(read_table_blocks(path, kinds=kinds)),
    ]
    if name.startswith("header"):
        readers.append(lambda: read_column_names(path))
    for read in readers:
        tracemalloc.start()
        try:
            with pytest.raises(ValueError, match=r"line \d+: a row of more than 131,072") as caught:
                read()
            assert tracemalloc.get_traced_memory()[1] < 8 << 20
        finally:
            tracemalloc.stop()
        assert str(caught.value).startswith(f"{path}: line ")


def test_the_limit_of_a_row(tmp_path: Path) -> None:
    path = tmp_path / "long.csv.gz"
    path.write_bytes(gzip.compress(b"a" + b",b" * (1 << 25) + b"\n", 1))
    with pytest.raises(ValueError, match="line 1: a row of more than 67,108,864 characters"):
        read_column_names(path)


def test_rows_up_to_the_limit_are_read(write, monkeypatch) -> None:
    head = ",".join(f"c{i}" for i in range(100)) + "\n"
    monkeypatch.setattr(text, "MOST_CHARACTERS", len(head))
    row = "1," * 99 + "2\n"
    table = read_table_file(write(head + row * 500))
    assert table.n_rows == 500 and len(table.data) == 100
    quoted = "a,b\n" + '"x\ny",1\n' * 500  # rows of two lines
    assert read_table_file(write(quoted)).n_rows == 500
    with pytest.raises(ValueError, match="line 502: a row of more"):
        read_table_file(write(head + row * 500 + "12345," * 99 + "6\n"))


def test_target_columns_and_ignore(write) -> None:
    path = write("id,a,b,y\n1,2,3,u\n4,5,6,v\n")
    table = read_table_file(path, target="y", ignore=["id"])
    assert list(table.data) == ["a", "b"]
    assert (table.y.tolist(), table.target_name) == (["u", "v"], "y")
    assert list(read_table_file(path, columns=["b", "a"]).data) == ["b", "a"]
    assert read_table_file(path).target is None


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("", "t.csv", "the file is empty"),
        ("a,b\n", "t.csv", "a header but no rows"),
        ("a,b\n1,2\n3\n", "t.csv", "data row 2 has 1 cells, but the header has 2"),
        ("a,a,b\n1,2,3\n", "t.csv", "more than once: 'a'"),
        ("1,2\n3,4\n", "t.csv", "looks like data"),
        ('a,b\n1,"x\n', "t.csv", "line 2: unexpected end of data"),
        (b"PK\x03\x04" + bytes(50), "t.csv", "not a text file"),
        ("a\n1\n", "t.xls", "save the sheet as .xlsx or CSV"),
        ("a\n1\n", "t.doc", "'.doc' is not one of .csv"),
        ("a\n1\n", "t.parquet", "not a Parquet file"),
    ],
)
def test_unreadable_files_say_why(write, content, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        read_table_file(write(content, name))
    assert name in str(error.value)


def test_no_header(write) -> None:
    assert lists(read_table_file(write("1,x\n2,y\n"), header=False)) == {
        "x0": [1, 2],
        "x1": ["x", "y"],
    }
    assert list(read_table_file(write(",a\n1,2\n")).data) == ["column_1", "a"]


def test_unknown_columns_name_close_ones(write) -> None:
    path = write("age,income,Town\n1,2,3\n")
    with pytest.raises(ValueError, match=r"target 'incom' is not .* did you mean 'income'"):
        read_table_file(path, target="incom")
    with pytest.raises(ValueError, match="did you mean 'Town'"):
        read_table_file(path, ignore=["town"])
    with pytest.raises(ValueError, match="the columns are 'age', 'income', 'Town'"):
        read_table_file(path, columns=["zzz"])


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_table_file(tmp_path / "none.csv")


ARFF = """\
% a comment
@RELATION 'some data'

@attribute 'my size' {small, 'very large', "it\\'s"}
@attribute weight REAL
@attribute count integer
@attribute note string
@Attribute class{yes,no}
@data
small, 1.5, 2, 'a, b', yes
% between
'very large', ?, 3, ?, no
"it\\'s",-1e3,4,"?",?
"""


def test_arff(write) -> None:
    table = read_table_file(write(ARFF, "t.arff"), target="class")
    assert table.data["my size"].tolist() == ["small", "very large", "it's"]
    np.testing.assert_array_equal(table.data["weight"], [1.5, np.nan, -1000])
    assert table.data["count"].dtype == np.float64
    assert table.data["note"].tolist() == ["a, b", None, "?"]
    assert table.y.tolist() == ["yes", "no", None]
    assert table.levels["my size"] == ("small", "very large", "it's")
    packed = read_table_file(write(gzip.compress(ARFF.encode()), "t.arff.gz"), target="class")
    assert packed.y.tolist() == table.y.tolist()


def test_arff_sparse_rows(write) -> None:
    header = "@attribute a numeric\n@attribute b {u,'v w'}\n@attribute c real\n@data\n"
    text = header + "{0 3, 1 'v w'}\n{}\n{2 ?}\n"
    table = read_table_file(write(text, "t.arff"))
    np.testing.assert_array_equal(table.data["a"], [3, 0, 0])
    assert table.data["b"].tolist() == ["v w", "u", "u"]
    np.testing.assert_array_equal(table.data["c"], [0, 0, np.nan])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation x\n@attribute a numeric\n", "no @data line"),
        ("@relation x\n@data\n1\n", "line 2: @data before any @attribute"),
        ("hello\n", "line 1: expected @attribute"),
        ("@attribute a numeric\n@data\n", "no rows"),
        ("@attribute a numeric\n@data\nx\n", "column 'a' is declared numeric: .*'x'"),
        ("@attribute a {u,v}\n@data\nw\n", "data row 1: 'w' is not a declared level .u, v"),
        ("@attribute a {u,v\n@data\nw\n", "no closing brace"),
        ("@attribute a numeric\n@data\n1,2\n", "line 3 has 2 cells, but 1"),
        ("@attribute a numeric\n@data\n1,{2}\n", "instance weights"),
        ("@attribute a numeric\n@data\n'1\n", "line 3: a quote is not closed"),
        ("@attribute a numeric\n@data\n{7 1}\n", "'7 1' is not an attribute index"),
        ("@attribute a string\n@data\n{}\n", "sparse row with the string column 'a'"),
        ("@attribute a relational\n@data\n2020\n", "'a' has the ARFF type 'relational'"),
        ('@attribute a date "yyyy"\n@data\n"2020"\n', "'a' is declared as date 'yyyy'"),
    ],
)
def test_arff_errors_name_the_place(write, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_table_file(write(text, "t.arff"))


def test_arff_dates_can_be_left_out(write) -> None:
    text = '@attribute a date "yyyy"\n@attribute b numeric\n@data\n"2020",1\n'
    assert lists(read_table_file(write(text, "t.arff"), ignore=["a"])) == {"b": [1]}


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    table = arrow.table(
        {
            "i": arrow.array([1, None, 2**53 + 1], arrow.int64()),
            "f": arrow.array([0.5, float("nan"), None], arrow.float32()),
            "s": ["a", None, "b"],
            "b": [True, None, False],
            "c": arrow.array(["u", "v", None]).dictionary_encode(),
            "none": arrow.nulls(3),
            "many": [[1], [2], None],
        }
    )
    parquet.write_table(table, path)
    with pytest.raises(ValueError, match="column 'many' has the type list"):
        read_table_file(path)
    read = read_table_file(path, ignore=["many"], target="c", kinds={"i": "text"})
    assert read.data["i"].tolist() == ["1", None, "9007199254740993"]
    np.testing.assert_array_equal(read.data["f"], [0.5, np.nan, np.nan])
    assert read.data["s"].tolist() == ["a", None, "b"]
    assert read.data["b"].tolist() == [True, None, False]
    assert np.isnan(read.data["none"]).all()
    assert read.y.tolist() == ["u", "v", None]
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises((ValueError, OSError)):
        read_table_file(path)


def test_parquet_without_pyarrow_says_what_to_install(write, monkeypatch) -> None:
    def refuse(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", refuse)
    with pytest.raises(ValueError, match="pip install pyarrow"):
        read_table_file(write(b"PAR1 and more", "t.parquet"))


def test_text_columns_keep_their_codes(write) -> None:
    table = read_table_file(write("a,town,y\n1,Rome,u\n2,,v\n3, Oslo,u\n4,Rome,v\n"), target="y")
    assert isinstance(table.data, TableDict)
    coded = table.data.coded("town")
    assert coded is not None and coded.values is table.data["town"]
    assert (coded.codes.tolist(), list(coded.levels)) == ([0, -1, 1, 0], ["Rome", "Oslo"])
    assert table.data.coded("a") is None
    few = table.take(np.array([2, 3])).data
    assert isinstance(few, TableDict)
    assert few["town"].tolist() == ["Oslo", "Rome"]
    assert few.coded("town").codes.tolist() == [1, 0]  # type: ignore[union-attr]
    assert few.without("a").coded("town") is few.coded("town")
    # Codes and texts cannot come to differ: texts do not change, and new ones have no codes.
    with pytest.raises(ValueError, match="read-only"):
        table.data["town"][0] = "Bonn"
    table.data["town"] = table.data["town"].copy()
    assert table.data.coded("town") is None


@pytest.mark.parametrize("delimiter", [";;", '"', "\n"])
def test_delimiters_that_cannot_be(write, delimiter: str) -> None:
    with pytest.raises(ValueError, match="must be one character"):
        read_table_file(write("a;b\n1;2\n"), delimiter=delimiter)


def test_progress_ends_at_the_end(write) -> None:
    seen: list[float] = []
    read_table_file(write("x\n" + "1\n" * 1_000_000), progress=seen.append)
    assert len(seen) == 2 and seen[-1] == 1.0 and seen[0] > 0.4


def test_a_byte_order_mark_and_line_ends_of_all_kinds(write) -> None:
    table = read_table_file(write(b"\xef\xbb\xbfa,b\r1,x\r\n2,y\n\r\n3,z"))
    assert lists(table) == {"a": [1, 2, 3], "b": ["x", "y", "z"]}


def test_utf_16_is_read_a_piece_at_a_time(write, monkeypatch) -> None:
    monkeypatch.setattr(text, "_CHUNK", 7)
    table = read_table_file(write("größe,ort\n1,K𝟛ln\n2,Århus\n".encode("utf-16")))
    assert lists(table) == {"größe": [1, 2], "ort": ["K𝟛ln", "Århus"]}
