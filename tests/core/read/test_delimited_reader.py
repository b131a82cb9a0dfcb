"""The reader of delimited text against Python's csv module and float(), cut in every way."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import delimited as oracle

from ramify import _core

MARKS = ("", "NA", "?", "nan")
PIECES = (
    *(",", ",", ",", "\n", "\n", "\r", "\r\n", '"', '"', '""', '","', '"\n', " ", "\t", "a", "b"),
    *("0", "1", "7", "-", "+", ".", "e", "_", "é", "€", "𝟛", "٣", "\xa0", "\u2003", "\x1c", "\x00"),
    *("NA", "nan", "inf", "Infinity", "007", "1e400", "5e-324", "0x1", "1_0", ";", "?"),
)
CELLS = (
    *("", " ", "1", "-2.5", "+.5", "1e3", "007", "1_000", "inf", "-nan", "NA", " ? ", "x", "é y"),
    *("1,5", "1.5", 'say "hi"', "two\nlines", "two\r\nlines", "\xa012\xa0", "٣٤", "nan(1)", "1e"),
)


def quoted(cell: str, always: bool) -> str:
    if always or any(sign in cell for sign in ',"\r\n;'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


@st.composite
def tables(draw: Any) -> tuple[str, int]:
    """A table that is well formed, or nearly so."""
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[st.sampled_from(CELLS)] * width), max_size=12))
    always = draw(st.booleans())
    ends = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
    text = "".join(
        ",".join(quoted(cell, always) for cell in row) + draw(ends)
        for row in [tuple("abc"[:width]), *rows]
    )
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(PIECES)) + text[at:]
    return text[: draw(st.sampled_from([len(text), len(text), len(text) - 1]))], width


soups = st.tuples(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(1, 3))


def read_with_core(
    text: str,
    *,
    cuts: int = 1 << 20,
    block: int = 1 << 20,
    threads: int = 1,
    width: int = 1,
    kinds: dict[int, str] | None = None,
    delimiter: str = ",",
    header: bool = True,
    decimal: str = ".",
    missing: tuple[str, ...] = MARKS,
    longest_row: int = 1 << 26,
) -> list[list[Any]]:
    kinds = dict.fromkeys(range(width), "open") if kinds is None else kinds

    def once(kinds: dict[int, str]) -> list[Any]:
        reader = _core.DelimitedReader(
            [*kinds.items()],
            width=width,
            header=header,
            delimiter=delimiter,
            decimal=decimal,
            missing=missing,
            longest_row=longest_row,
            block=block,
            expected=len(text),
            threads=threads,
        )
        data = text.encode("utf-8", "surrogatepass")
        for at in range(0, len(data), cuts):
            reader.add(data[at : at + cuts])
        reader.finish()
        if reader.wrong is not None:
            column, row, cell = reader.wrong
            raise ValueError(f"column {list(kinds)[column]}, data row {row + 1}: {cell!r}")
        return reader.take()

    columns = []
    for (j, kind), found in zip(kinds.items(), once(kinds), strict=True):
        assert found is not None or kind == "open"
        column = once({j: "text"})[0] if found is None else found
        if isinstance(column, tuple):
            codes, levels = column
            assert len(set(levels)) == len(levels)
            seen = [code for code in dict.fromkeys(codes.tolist()) if code >= 0]
            assert seen == list(range(len(levels)))  # in the order in which they are first seen
            columns.append([None if code < 0 else levels[code] for code in codes.tolist()])
        else:
            columns.append(column.tolist())
    return columns


def outcome(function: Any, *arguments: Any, **options: Any) -> Any:
    """Columns in a form that can be compared (also NaN and -0.0), or the message of the error."""
    try:
        return [[repr(value) for value in c] for c in function(*arguments, **options)]
    except ValueError as error:
        return str(error).partition(", which is")[0]


@settings(max_examples=600, deadline=None)
@given(
    table=st.one_of(tables(), tables(), soups),
    cuts=st.integers(1, 60),
    block=st.integers(1, 60),
    threads=st.integers(1, 3),
    kind=st.sampled_from(["open", "open", "text", "number"]),
    header=st.booleans(),
    decimal=st.sampled_from([".", ","]),
    longest_row=st.sampled_from([8, 30, 1 << 26]),
)
@example(('"', 1), 1, 1, 1, "open", True, ".", 1 << 26)
@example(("a\n1\n2\nNA\nx\n", 1), 1, 2, 2, "open", True, ".", 1 << 26)
@example(("a\nnan\nnan\nx\n", 1), 1, 2, 2, "open", True, ".", 1 << 26)
@example(('a\n"x\ny\nz"\n"1\r\n2"\r3\n', 1), 3, 2, 3, "open", True, ".", 1 << 26)
@example(('a,b\n1,"2"3\n', 2), 3, 2, 3, "open", True, ".", 8)
def test_against_the_csv_module(
    table: tuple[str, int],
    cuts: int,
    block: int,
    threads: int,
    kind: str,
    header: bool,
    decimal: str,
    longest_row: int,
) -> None:
    text, width = table
    if header:  # the width is that of the header
        with suppress(ValueError):
            width = len(next(oracle.records(text, ",", longest_row), [])) or width
    kinds = dict.fromkeys(range(width), kind)
    form: dict[str, Any] = {"width": width, "header": header, "kinds": kinds, "delimiter": ","}
    form["longest_row"] = longest_row
    expected = outcome(oracle.read, text, rules=oracle.Rules(MARKS, decimal), **form)
    split = {"cuts": cuts, "block": block, "threads": threads}
    assert outcome(read_with_core, text, decimal=decimal, **split, **form) == expected


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " ", "é", "€", "𝟛"])
@given(text=st.lists(st.sampled_from([*PIECES, "D", "D", "D"]), max_size=30).map("".join))
@settings(max_examples=60, deadline=None)
def test_other_delimiters(delimiter: str, text: str) -> None:
    text = text.replace("D", delimiter)
    form: dict[str, Any] = {"width": 2, "header": False, "kinds": {1: "open"}}
    form |= {"delimiter": delimiter, "longest_row": 1 << 26}
    expected = outcome(oracle.read, text, rules=oracle.Rules(MARKS, "."), **form)
    for cuts in (1, 5, 1000):
        assert outcome(read_with_core, text, cuts=cuts, block=cuts, **form) == expected


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        st.floats().map(repr),
        st.floats().map(lambda x: f"{x:.25e}"),
        st.integers(-(10**30), 10**30).map(str),
        st.from_regex(r"[+-]?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,4})?", fullmatch=True),
        st.text(st.sampled_from("0123456789.eE+-_ infatyINFATY\xa0٣"), max_size=12),
    )
)
@example("2.2250738585072011e-308")
@example("1" + "0" * 400 + "e-390")
@example("0." + "0" * 400 + "1e399")
@example("0e99999999999999999999")
@example("1e-99999999999999999999")
@example("9007199254740993")
@example("8.5e22")
def test_numbers_are_those_of_python(cell: str) -> None:
    for decimal in ".,":
        rules = oracle.Rules((), decimal)
        written = cell.replace(".", decimal)
        for kind in ("open", "number"):
            expected = rules.number(written, forced=kind == "number")
            try:
                [[value]] = read_with_core(
                    f'"{written}"\n', header=False, kinds={0: kind}, missing=(), decimal=decimal
                )
            except ValueError:
                value = None
            found = value if isinstance(value, float) else None
            assert repr(found) == repr(expected), (written, kind)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=12).map(str.strip), max_size=60), st.integers(1, 40))
def test_levels_of_any_text(texts: list[str], block: int) -> None:
    text = "".join(quoted(one, True) + "\n" for one in texts)
    [column] = read_with_core(text, header=False, kinds={0: "text"}, missing=(), block=block)
    assert column == texts


def test_many_levels() -> None:
    texts = [f"level {i % 30_011}" for i in range(100_000)]
    [column] = read_with_core("x\n" + "\n".join(texts), threads=2, block=1 << 14, cuts=1 << 15)
    assert column == texts


def test_marks_that_look_like_numbers_or_codes() -> None:
    text = "x\n1\n-9\n099\nnot_given\n2\n"
    [column] = read_with_core(text, missing=("-9", "099", "not_given"))
    np.testing.assert_array_equal(column, [1, np.nan, np.nan, np.nan, 2])


def test_text_after_missing_cells_alone_needs_no_second_pass() -> None:
    reader = _core.DelimitedReader([(0, "open")], 1, False, ",", ".", ("NA",), 99, 1)
    for piece in (b"NA\nNA\n", b"NA\nx\n", b"1\n"):
        reader.add(piece)
    reader.finish()
    [(codes, levels)] = reader.take()  # type: ignore[misc]
    assert codes.tolist() == [-1, -1, -1, 0, 1] and levels == ["x", "1"]


def test_rows_are_given_away_block_by_block() -> None:
    reader = _core.DelimitedReader(
        [(1, "text"), (0, "number")], 2, True, ",", ".", MARKS, 99, 1, 0, 2
    )
    found = []
    for piece in (b"a,b\n1,x\n2,y\n", b"3,x\n", b"4,", b"z\n5,x\nfive,x\n"):
        reader.add(piece)
        [(codes, levels), numbers] = reader.take()
        found.append(([levels[code] for code in codes], np.asarray(numbers).tolist()))
        if reader.wrong:
            break
    assert found[:3] == [(["x", "y"], [1, 2]), (["x"], [3]), ([], [])]
    assert reader.wrong == (1, 5, "five")
    assert reader.rows == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n" + "x" * 131_073 + "\n", 2),
        ("a\n" + "é" * 131_073, 2),
        ("a\n1\n" + '"\n' + "x" * 131_073 + '"', 4),
        ('a\n"' + '""' * 70_000 + "\n" + '""' * 70_000 + "\n", 3),  # a quote that is not closed
    ],
)
def test_a_cell_that_is_too_long(text: str, line: int) -> None:
    with pytest.raises(ValueError, match=f"line {line}: a cell of more than 131,072 characters"):
        read_with_core(text, cuts=1 << 16)
    whole = text.replace("x", "", 10).replace("é", "", 10)
    if "x" in whole or "é" in whole:
        assert len(read_with_core(whole, cuts=1 << 16)[0]) == len(whole.splitlines()[:2]) - 1 + (
            line == 4
        )


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="column 3 of 2"):
        _core.DelimitedReader([(3, "open")], 2, True, ",", ".", (), 99, 1)
    with pytest.raises(ValueError, match="kind 'int' is not one of open, number, text"):
        _core.DelimitedReader([(0, "int")], 2, True, ",", ".", (), 99, 1)


@settings(deadline=None)
@given(table=st.one_of(tables(), soups), longest_row=st.sampled_from([8, 1 << 26]))
def test_the_first_record(table: tuple[str, int], longest_row: int) -> None:
    text = table[0]

    def first() -> list[Any]:
        return [_core.first_record(text.encode(), True, ",", longest_row) or []]

    def expected() -> list[Any]:
        return [next(oracle.records(text, ",", longest_row), [])]

    assert outcome(first) == outcome(expected)
    for end in range(len(text)):
        part = text.encode()[:end]
        try:
            record = _core.first_record(part, False, ",", 1 << 26)
        except ValueError:
            continue
        assert record is None or record == _core.first_record(part + b"\nx", False, ",", 1 << 26)
