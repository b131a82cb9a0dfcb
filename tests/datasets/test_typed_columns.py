"""Columns of files that are dates, times, or numbers in disguise come with their types."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from ramify.datasets import read_table_blocks, read_table_file
from ramify.tables.forms import Form
from ramify.tables.frame import TableDict


@pytest.fixture
def write(tmp_path):
    def make(text: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


US = """sold,price,share,at,took,town,paid
12/31/2019,"$1,234.50",12.5%,2:05 PM,26:00:00,Rome,yes
1/2/2020,($5),3%,11:00 AM,1:02:03,Oslo,no
unknown,,0%,,,Rome,yes
"""


def test_types_of_a_us_file(write):
    table = read_table_file(write(US), target="paid")
    data = table.data
    assert isinstance(data, TableDict)
    assert data["sold"].dtype == "datetime64[D]"
    assert data["sold"].astype(str).tolist() == ["2019-12-31", "2020-01-02", "NaT"]
    np.testing.assert_array_equal(data["price"], [1234.5, -5, np.nan])
    assert data["share"].tolist() == [12.5, 3, 0]
    assert data["at"].tolist() == [dt.time(14, 5), dt.time(11), None]
    assert data["took"].dtype == "timedelta64[us]"
    assert data["took"][0] == np.timedelta64(26, "h") and np.isnat(data["took"][2])
    assert data["town"].tolist() == ["Rome", "Oslo", "Rome"]
    assert data.forms == {
        "sold": Form("date", order="mdy"),
        "price": Form("number", thousands=",", unit="$"),
        "share": Form("number", unit="%"),
        "at": Form("time"),
        "took": Form("duration"),
    }
    assert str(table.readings["price"]) == "read as number: $1,234.50 -> 1234.5"
    assert table.readings["sold"].extra_missing == ("unknown",)
    assert "missing: 'unknown'" in str(table.readings["sold"])
    assert repr(table) == "Dataset(3 rows, 3 date, 2 numeric and 1 nominal columns, target 'paid')"
    few = table.take(np.array([1]))
    assert few.data.forms == data.forms and few.readings == table.readings
    frame = table.to_frame("pandas")
    assert frame["sold"].dt.year.tolist()[:2] == [2019, 2020]
    assert table.to_frame("numpy").dtype == object


def test_datetimes_and_zones(write):
    text = "at,local,x\n2019-12-31T14:05:00Z,2019-12-31 14:05,1\n2020-01-01T00:00:01Z,,2\n"
    data = read_table_file(write(text)).data
    assert data["at"].dtype == data["local"].dtype == "datetime64[us]"
    assert data.forms["at"].zone == "UTC" and data.forms["local"].zone == ""
    assert str(data["at"][0]) == "2019-12-31T14:05:00.000000"
    assert np.isnat(data["local"][1])


def test_a_german_file_is_read_as_one(write):
    """Signs that one column leaves open are settled by another column, or by the semicolon."""
    text = "umsatz;preis;menge;tag\n1.264.030,0;12,5;1.234;01.02.2019\n30,0;7,25;999;03.04.2019\n"
    table = read_table_file(write(text))
    assert {name: column.tolist() for name, column in table.data.items() if name != "tag"} == {
        "umsatz": [1264030, 30],
        "preis": [12.5, 7.25],
        "menge": [1234, 999],
    }
    assert table.data.forms["tag"].order == "dmy"
    assert table.readings["menge"].example_before == "1.234"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a,b\n"1,234",x\n', 1234),
        ("a;b\n1,234;x\n", 1.234),
        ("a;b\n1,234;0.75\n", 1234),
        ('a,b\n"1,234","0,5"\n', 1.234),
        ('a,b\n"1,234",2.75\n', 1234),
    ],
)
def test_the_file_tells_what_a_sign_means(write, text, value):
    assert read_table_file(write(text)).data["a"].tolist() == [value]


def test_numbers_with_points_stay_in_a_german_file_without_groups(write):
    data = read_table_file(write("a;b;c\n1,5;2.75;1.234\n2,5;0.5;0.234\n")).data
    assert data["b"].tolist() == [2.75, 0.5]
    assert data["c"].tolist() == [1.234, 0.234]


def test_the_order_of_dates_is_heard_from_other_columns(write):
    data = read_table_file(write("a,b\n13/02/2019,01/02/2019\n14/02/2019,03/02/2019\n")).data
    assert data["b"].astype(str).tolist() == ["2019-02-01", "2019-02-03"]


def test_compact_dates_need_evidence(write):
    days = "\n".join(f"201901{day:02},{day},1" for day in range(1, 20))
    data = read_table_file(write(f"a,b,c\n{days}\n")).data
    assert data["a"].dtype == "datetime64[D]" and data["b"].dtype == np.float64
    text = "date,code\n20190101,20190101\n20190102,20190102\n,\n"
    data = read_table_file(write(text)).data
    assert str(data["date"][0]) == "2019-01-01" and np.isnat(data["date"][2])
    assert data["code"].dtype == np.float64
    forced = read_table_file(write(text), kinds={"code": "date", "date": "number"}).data
    assert forced["code"].dtype == "datetime64[D]" and forced["date"].dtype == np.float64


def test_kinds_overrule(write):
    text = 'price,zip,sold\n"$1,234",007,2019-01-01\n$5,012,2019-01-02\n'
    data = read_table_file(write(text)).data
    assert data["zip"].tolist() == ["007", "012"]
    data = read_table_file(
        write(text), kinds={"price": "text", "zip": "number", "sold": "text"}
    ).data
    assert data["price"].tolist() == ["$1,234", "$5"]
    assert data["zip"].tolist() == [7, 12]
    assert data["sold"].tolist() == ["2019-01-01", "2019-01-02"]
    assert data.forms == {}
    assert read_table_file(write(text), kinds={"price": "number"}).data["price"].tolist() == [
        1234,
        5,
    ]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"a": "number"}, "column 'a' should hold numbers, but data row 2 has 'x'"),
        ({"a": "date"}, "column 'a' should hold dates, but data row 1 has '5'"),
        ({"a": "colour"}, "is not one of"),
        ({"a": Form("date")}, "column 'a': '5' is not a date"),
    ],
)
def test_kinds_that_do_not_fit(write, kinds, message):
    with pytest.raises(ValueError, match=message):
        read_table_file(write("a,b\n5,1\nx,2\n"), kinds=kinds)


def test_words_between_numbers(write):
    rows = "\n".join(f"{i},{i},{i}" for i in range(30))
    table = read_table_file(write(f"a,b,c\n{rows}\nunknown,tbd,\n"))
    assert table.data["a"].dtype == np.float64 and np.isnan(table.data["a"][-1])
    assert table.readings["a"].extra_missing == ("unknown",)
    assert table.data["b"].dtype == object
    assert [(note.column, note.kind) for note in table.notes] == [("b", "mixed")]
    assert "'b' is text, because 'tbd' is no number" in str(table.notes[0])
    # Who says what is missing means that, and no more.
    said = read_table_file(write(f"a,b,c\n{rows}\nunknown,tbd,\n"), missing=("", "tbd"))
    assert said.data["a"].dtype == object and said.data["b"].dtype == np.float64
    # In a column of text the words are levels.
    assert read_table_file(write("a\nunknown\nred\n")).data["a"].tolist() == ["unknown", "red"]


def test_targets_have_types(write):
    table = read_table_file(write("x,y\n1,$5\n2,$6\n"), target="y")
    assert table.y.tolist() == [5, 6] and "y" in table.readings
    days = read_table_file(write("x,y\n1,2019-01-01\n"), target="y")
    assert days.y.dtype == "datetime64[D]" and days.data.forms == {}


def test_blocks_are_read_in_a_form(write):
    path = write(US)
    kinds = {"sold": Form("date", order="mdy"), "price": Form("number", ".", ",", "$")}
    (block,) = read_table_blocks(path, kinds={**kinds, "town": "text"})
    assert block.data["sold"].dtype == "datetime64[D]" and block.data.forms == kinds
    assert block.data["price"].tolist()[:2] == [1234.5, -5]
    with pytest.raises(ValueError, match="column 'town': 'Rome' is not a number"):
        list(read_table_blocks(path, kinds={"town": Form("number")}))


def test_names_that_occur_twice(write):
    path = write("a,b,a,,a_2\n1,2,3,4,5\n")
    with pytest.raises(ValueError, match=r"more than once: 'a'; rename_duplicates"):
        read_table_file(path)
    table = read_table_file(path, rename_duplicates=True)
    assert list(table.data) == ["a", "b", "a_3", "column_4", "a_2"]
    assert table.data["a_3"].tolist() == [3]
    assert {(note.column, note.kind) for note in table.notes} == {
        ("a_3", "renamed"),
        ("column_4", "unnamed"),
    }
    (block,) = read_table_blocks(path, kinds={"a_3": "number"}, rename_duplicates=True)
    assert block.data["a_3"].tolist() == [3]
    arff = write("@attribute a numeric\n@attribute a numeric\n@data\n1,2\n", "t.arff")
    assert read_table_file(arff, rename_duplicates=True).data["a_2"].tolist() == [2]


def test_arff_dates(write):
    text = """@attribute day date "dd/MM/yyyy"
@attribute at date "yyyy-MM-dd HH:mm"
@attribute x numeric
@data
"01/02/2019","2019-02-01 14:05",1
?,"2019-02-02 00:00",2
"""
    data = read_table_file(write(text, "t.arff")).data
    assert data["day"].astype(str).tolist() == ["2019-02-01", "NaT"]
    assert data["at"].dtype == "datetime64[us]"


def test_parquet_types(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    moment = dt.datetime(2019, 12, 31, 14, 5)
    table = arrow.table(
        {
            "day": arrow.array([dt.date(2019, 12, 31), None]),
            "at": arrow.array([moment, None], arrow.timestamp("ns")),
            "zoned": arrow.array([moment, None], arrow.timestamp("ms", "Europe/Berlin")),
            "clock": arrow.array([dt.time(14, 5), None]),
            "took": arrow.array([dt.timedelta(hours=26), None]),
            "dec": arrow.array([1, None]).cast(arrow.decimal128(30, 2)),
            "price": ["$1,234", None],
            "code": ["12", "13"],
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    data = read_table_file(tmp_path / "t.parquet").data
    types = {name: str(column.dtype) for name, column in data.items()}
    assert types == {
        "day": "datetime64[D]",
        "at": "datetime64[us]",
        "zoned": "datetime64[us]",
        "clock": "object",
        "took": "timedelta64[us]",
        "dec": "float64",
        "price": "float64",
        "code": "object",
    }
    assert data.forms["zoned"] == Form("datetime", zone="Europe/Berlin")
    assert str(data["zoned"][0]) == "2019-12-31T14:05:00.000000"
    assert data["clock"].tolist() == [dt.time(14, 5), None]
    assert all(np.isnat(data[name][1]) for name in ("day", "at", "zoned", "took"))


LONG = 2**63


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
@pytest.mark.parametrize("last", ["", "unknown"])
def test_long_keys_keep_their_digits(write, name, last):
    keys = [str(LONG + i) for i in range(50)]
    if name == "t.csv":
        file = write(
            "key,x\n" + "".join(f"{key},{i}\n" for i, key in enumerate([*keys, last])), name
        )
    else:
        cells = [*keys, f'"{last}"' if last else "null"]
        file = write("".join(f'{{"key": {c}, "x": {i}}}\n' for i, c in enumerate(cells)), name)
    table = read_table_file(file)
    assert table.data["key"].tolist() == [*keys, last or None]
    (note,) = table.notes
    assert (note.column, note.kind) == ("key", "long_numbers")
    assert str(note) == (
        f"'key' is text, because a number keeps 15 digits, and {LONG} has more: 50 different ones "
        "would become 1"
    )
    numbers = read_table_file(file, kinds={"key": "number"} if not last else {"x": "number"})
    assert (numbers.data["key"].dtype == np.float64) == (not last)


def test_long_keys_of_parquet_keep_their_digits(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    keys = [2**60 + i for i in range(40)]
    parquet.write_table(arrow.table({"key": keys}), tmp_path / "t.parquet")
    assert read_table_file(tmp_path / "t.parquet").data["key"].tolist() == list(map(str, keys))


@pytest.mark.parametrize(
    "cells",
    [
        [str(10**k) for k in range(3, 22)],  # quantities of many sizes
        [str(2**53 * k) for k in range(1, 20)],  # float64 keeps these
        [f"{k}e20" for k in range(1, 20)],
        [str(10**14 + k) for k in range(20)],
        ["inf", "-1", "2"],
    ],
)
def test_other_large_numbers_are_numbers(write, cells):
    table = read_table_file(write("n,x\n" + "".join(f"{cell},1\n" for cell in cells)))
    assert table.data["n"].tolist() == list(map(float, cells)) and not table.notes


def test_dates_written_in_several_ways_are_counted(write):
    days = [f"2019-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(60)]
    days += [f"{i % 28 + 1:02}/{i % 12 + 1:02}/2019" for i in range(30)]
    days += [f"{i % 28 + 1} {('March', 'May')[i % 2]} 2018" for i in range(9)]
    file = write("sold,x\n" + "".join(f"{day},1\n" for day in [*days, "soon", ""]))
    (note,) = read_table_file(file).notes
    assert (note.column, note.kind) == ("sold", "mixed")
    assert str(note) == (
        "'sold' is text, because its dates are written in 3 ways: 60 rows like 2019-01-01, 30 rows "
        "like 01/01/2019 and 9 rows like 1 March 2018; 1 row is none of these; write them in one "
        "way in the file, such as 2024-12-31, to have dates"
    )


def test_numbers_with_several_units_are_counted(write):
    cells = [f"{60 + i}.5 kg" for i in range(20)] + [f"{130 + i} lbs" for i in range(10)]
    cells += [f"{i} KG" for i in range(5)] + ["71"]
    (note,) = read_table_file(write("weight,x\n" + "".join(f"{c},1\n" for c in cells))).notes
    assert str(note) == (
        "'weight' is text, because its numbers have several units: 25 rows like 60.5 kg, 10 rows "
        "like 130 lbs and 1 row like 71; convert them to one unit in the file to have numbers"
    )


def test_text_with_digits_has_no_note(write):
    cells = [f"{i} Main St, Apt {i % 7}" for i in range(30)] + [f"PO Box {i}" for i in range(30)]
    table = read_table_file(write("a,x\n" + "".join(f'"{cell}",1\n' for cell in cells)))
    assert table.notes == ()
