"""Text that is numbers, dates and times: every form is found and read, and text stays text."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pytest
from hypothesis import example as also
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify.tables.forms import Form
from ramify.tables.written import example, find, find_form, is_gap, long_keys, parse

NUMBERS = [
    (["$1,234", "$99.50", "n/a"], [1234, 99.5, np.nan], Form("number", thousands=",", unit="$")),
    (["1.264.030,0", "12,5"], [1264030, 12.5], Form("number", decimal=",", thousands=".")),
    (["12,5"], [12.5], Form("number", decimal=",")),
    (["1,234", "5,678"], [1234, 5678], Form("number", thousands=",")),
    (["1,234", "0,567"], [1.234, 0.567], Form("number", decimal=",")),
    (["1,234", "5678"], [1.234, 5678], Form("number", decimal=",")),
    (["1\u202f234", "12 345 678,9"], [1234, 12345678.9], Form("number", ",", " ")),
    (["12,34,567", "1,234"], [1234567, 1234], Form("number", thousands=",")),
    (["12.5%", "3 %", "0"], [12.5, 3, 0], Form("number", unit="%")),
    (["12,5 %", "0,0"], [12.5, 0], Form("number", decimal=",", unit="%")),
    (["(1,234)", "55"], [-1234, 55], Form("number", thousands=",")),
    (["(€5)", "€7", "€ 1.000"], [-5, 7, 1000], Form("number", ",", ".", "€")),
    (["1.234,56-", "10"], [-1234.56, 10], Form("number", decimal=",", thousands=".")),
    (["\u22125", "3", "-"], [-5, 3, np.nan], Form("number")),
    (["-$5.00", "$-6", "$7"], [-5, -6, 7], Form("number", unit="$")),
    (["USD 1,234", "$5", "5 US$"], [1234, 5, 5], Form("number", thousands=",", unit="$")),
    (["1.234 €", "99 €"], [1234, 99], Form("number", decimal=",", thousands=".", unit="€")),
    (["$1.234", "$2.345"], [1.234, 2.345], Form("number", unit="$")),
    (["CHF 1’234.50", "10"], [1234.5, 10], Form("number", thousands="'", unit="CHF")),
    (["5 kr", "1 234 kr."], [5, 1234], Form("number", thousands=" ", unit="kr")),
    (["Rs. 1,00,000", "Rs 5"], [100000, 5], Form("number", thousands=",", unit="₹")),
    (["$1.2M", "$300K", "$5"], [1.2e6, 3e5, 5], Form("number", unit="$")),
    (["1,5 Mio. €", "2 €"], [1.5e6, 2], Form("number", decimal=",", unit="€")),
    (["90 min", "120 min"], [90, 120], Form("number", unit="min")),
    (["5 m", "1,200 m"], [5, 1200], Form("number", thousands=",", unit="m")),
    (["32GB", "64gb"], [32, 64], Form("number", unit="GB")),
    (["1 day", "2 days"], [1, 2], Form("number", unit="day")),
    (["1e5", "unknown", "2"], [1e5, np.nan, 2], Form("number")),
]

DATES = [
    (["2019-12-31", "2020-1-1"], ["2019-12-31", "2020-01-01"], "ymd"),
    (["2019/12/31"], ["2019-12-31"], "ymd"),
    (["2019-12-31 00:00:00"], ["2019-12-31"], "ymd"),
    (["31.12.2019", "1.1.2020", "."], ["2019-12-31", "2020-01-01", "nan"], "dmy"),
    (["31/12/2019"], ["2019-12-31"], "dmy"),
    (["12/31/2019"], ["2019-12-31"], "mdy"),
    (["12/31/19", "1/2/70"], ["2019-12-31", "1970-01-02"], "mdy"),
    (["31.12.19"], ["2019-12-31"], "dmy"),
    (["31-Dec-2019", "1-JAN-20"], ["2019-12-31", "2020-01-01"], "dmy"),
    (["Dec 31, 2019", "January 1 2020"], ["2019-12-31", "2020-01-01"], "mdy"),
    (["Tuesday, December 31, 2019"], ["2019-12-31"], "mdy"),
    (["31. Dezember 2019", "1. März 2020"], ["2019-12-31", "2020-03-01"], "dmy"),
    (["1er janvier 2020", "31 décembre 2019"], ["2020-01-01", "2019-12-31"], "dmy"),
    (["31 de diciembre de 2019"], ["2019-12-31"], "dmy"),
    (["Dec 2019"], ["2019-12-01"], "mdy"),
    (["29.02.2020"], ["2020-02-29"], "dmy"),
]

MOMENTS = [
    ("2019-12-31T14:05:33", "2019-12-31 14:05:33", ""),
    ("2019-12-31 14:05:33.25", "2019-12-31 14:05:33.25", ""),
    ("2019-12-31T14:05:33Z", "2019-12-31 14:05:33Z", "UTC"),
    ("2019-12-31 14:05+01:00", "2019-12-31 14:05+01:00", "+01:00"),
    ("2019-12-31T14:05:33-0530", "2019-12-31 14:05:33-05:30", "-05:30"),
    ("12/31/2019 2:05 PM", "2019-12-31 14:05", ""),
    ("31.12.2019, 14:05", "2019-12-31 14:05", ""),
    ("Dec 31, 2019 12:05:01 AM", "2019-12-31 00:05:01", ""),
    ("Tue, 31 Dec 2019 14:05:33 GMT", "2019-12-31 14:05:33Z", "UTC"),
]

TIMES = [
    (["14:05", "3:00"], "time", [50700, 10800]),
    (["14:05:33.5"], "time", [50733.5]),
    (["2:05 PM", "12 a.m."], "time", [50700, 0]),
    (["26:00:00", "1:02:03"], "duration", [93600, 3723]),
    (["0:00:59", "0:07:54"], "duration", [59, 474]),
    (["0:00:59", "1:07:54"], "duration", [59, 4074]),
    (["00:00:59", "01:07:54"], "time", [59, 4074]),
    (["58:30", "1:02:03"], "duration", [3510, 3723]),
    (["2 days 03:04:05", "-1 days +23:00:00"], "duration", [183845, -3600]),
    (["PT1H30M", "P1DT2H", "PT0.5S"], "duration", [5400, 93600, 0.5]),
    (["1h 30m", "45m"], "duration", [5400, 2700]),
    (["45 min", "1 hr 5 mins"], "duration", [2700, 3900]),
]

TEXTS = [
    ["007"], ["2019-20"], ["1.2.3"], ["192.168.1.1", "10.0.0.1"], ["192.168.100.100"],
    ["555-123-4567"], ["612 345 678", "612 345 679"], ["030 123 456"], ["0.5", "50%"], ["£5", "€5"],
    ["5 kg", "5 lb"], ["1,2,3"], ["30/02/2019"], ["31/31/2019"], ["13/01/2019", "01/13/2019"],
    ["29.02.2019"], ["1.2.19", "2.3.19"], ["10-12-1234"], ["May", "June"], ["5a", "6b"],
    ["A+", "B-"], ["2-", "3"], ["(1)", "(2)"], ["3/4", "1/2"], ["10:75"], ["25:00 PM"],
    ["123-45-6789"], ["Rome 5"], ["$"], ["%"], ["n/a", "-"], [], ["2019-12-31 25:00"], ["1.10.0"],
    ["#12", "#13"], ["1\n2"], ["18-25", "26-35"], ["<5", "5"], ["2019W05"], ["e5"], ["12/2019"],
    ["2019-12-31T14:05Z", "2019-12-31T14:05"], ["2D", "3D"], ["36 L", "38 L"],
    ["+49 170 123 456", "+1 555 123 456"], ["3:1", "2:0"], ["4K", "8K"],
]  # fmt: skip


@pytest.mark.parametrize(("cells", "values", "form"), NUMBERS, ids=lambda value: str(value)[:30])
def test_numbers(cells, values, form):
    assert find_form(cells) == form
    np.testing.assert_allclose(parse(cells, form), values, rtol=1e-15)


@pytest.mark.parametrize(("cells", "days", "order"), DATES, ids=lambda value: str(value)[:30])
def test_dates(cells, days, order):
    form = find_form(cells)
    assert form == Form("date", order=order)
    assert [form.show(float(v)) for v in parse(cells, form)] == days


@pytest.mark.parametrize(("cell", "shown", "zone"), MOMENTS)
def test_moments(cell, shown, zone):
    form = find_form([cell])
    assert (form.kind, form.zone) == ("datetime", zone)
    assert form.show(float(parse([cell], form)[0])) == shown


@pytest.mark.parametrize(("cells", "kind", "values"), TIMES, ids=lambda value: str(value)[:30])
def test_times(cells, kind, values):
    form = find_form(cells)
    assert form == Form(kind)
    assert parse(cells, form).tolist() == values


@pytest.mark.parametrize("cells", TEXTS, ids=str)
def test_text_stays_text(cells):
    assert find_form(cells) is None


def test_hints_are_heard_where_cells_leave_it_open():
    assert find_form(["1,234"], decimal=",") == Form("number", decimal=",")
    assert find_form(["12.5%"], decimal=",") == Form("number", unit="%")
    assert not find(["1,234"]).proven and find(["12,5"]).proven
    assert find_form(["01/02/2019"]).order == "mdy"
    assert find_form(["01/02/2019"], day_first=True).order == "dmy"
    assert find_form(["01.02.2019"]).order == "dmy"
    assert find_form(["12/31/2019"], day_first=True).order == "mdy"
    assert not find(["01/02/2019"]).proven
    # The first of every month, over years, is no row of days in January.
    assert find_form(["1/1/2019", "1/2/2019", "1/3/2020"]).order == "dmy"


def test_names_help():
    assert find_form(["612 345", "61 345"], name="phone") is None
    assert find_form(["612 345", "61 345"], name="hotel_rooms") == Form("number", thousands=" ")
    assert find_form(["3:45", "4:10"], name="duration") == Form("duration")


def test_wanted_kinds():
    assert find(["007"], wanted="number").form == Form("number")
    assert find(["20191231"], wanted="date").form == Form("date")
    assert find(["20191331"], wanted="date") is None
    assert find(["abc"], wanted="number") is None


def test_zones_that_differ_are_read_in_utc():
    cells = ["2019-12-31T14:00+01:00", "2019-12-31T14:00+02:00"]
    form = find_form(cells)
    assert form.zone == "UTC"
    assert np.diff(parse(cells, form)) == -3600


def test_a_date_takes_dates_of_other_shapes():
    values = parse(["31.12.2019", "2019-12-31", "31 Dec 2019"], Form("date", order="dmy"))
    assert len(set(values)) == 1


@pytest.mark.parametrize(
    ("cells", "form", "message"),
    [
        (["$5", "€6"], Form("number", unit="$"), "'€6' is not a number like the others"),
        (["5", "x"], Form("number"), "'x' is not a number"),
        (["2019-01-01", "na", "2019-02-30"], Form("date"), "'2019-02-30' is not a date"),
        (["14:05", "24:05"], Form("time"), "'24:05' is not a time"),
        (["1h", "soon"], Form("duration"), "'soon' is not a duration"),
        (["5", "1\n2"], Form("number"), "is not a number"),
    ],
)
def test_what_does_not_fit_is_named(cells, form, message):
    with pytest.raises(ValueError, match=message):
        parse(cells, form)


def test_example_is_telling():
    assert example(["7", "$1,234.50", "n/a"], Form("number", thousands=",", unit="$")) == (
        "$1,234.50",
        "1234.5",
    )
    assert example(["31.12.2019"], Form("date", order="dmy")) == ("31.12.2019", "2019-12-31")


def write_number(value, form, *, parentheses=False):
    text = f"{abs(value):,.2f}" if form.thousands else f"{abs(value):.2f}"
    text = text.translate({ord(","): form.thousands, ord("."): form.decimal})
    text = f"{form.unit}{text}" if form.unit in ("$", "£") else f"{text} {form.unit}".strip()
    if value < 0:
        return f"({text})" if parentheses else f"-{text}"
    return text


@settings(max_examples=150, deadline=None)
@given(
    values=st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8),
    signs=st.sampled_from([(".", ","), (",", "."), (",", " "), (".", "'"), (".", ""), (",", "")]),
    unit=st.sampled_from(["", "$", "€", "%", "kg", "£"]),
    parentheses=st.booleans(),
)
@also(values=[-5], signs=(".", ""), unit="", parentheses=True)
def test_numbers_come_back(values, signs, unit, parentheses):
    form = Form("number", decimal=signs[0], thousands=signs[1], unit=unit)
    values = [value / 100 for value in values]
    parentheses = parentheses and max(values) >= 0
    cells = [write_number(value, form, parentheses=parentheses) for value in values]
    found = find_form(cells)
    assert found is not None and found.unit == unit
    np.testing.assert_allclose(parse(cells, found), values, rtol=1e-12)
    np.testing.assert_allclose(parse(cells, form), values, rtol=1e-12)


DAY_FORMATS = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d %b %Y",
    "%d-%b-%y",
    "%B %d, %Y",
    "%a %d %b %Y",
]


@settings(max_examples=150, deadline=None)
@given(
    days=st.lists(st.dates(dt.date(1970, 1, 1), dt.date(2060, 12, 31)), min_size=1, max_size=8),
    how=st.sampled_from(DAY_FORMATS),
)
def test_dates_come_back(days, how):
    cells = [day.strftime(how) for day in days]
    form = find_form(cells)
    assert form is not None and form.kind == "date"
    assert parse(cells, form).tolist() == [(day - dt.date(1970, 1, 1)).days for day in days]


@settings(max_examples=100, deadline=None)
@given(
    moments=st.lists(
        st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2060, 12, 31)), min_size=1, max_size=5
    ),
    zone=st.sampled_from(["", "Z", "+05:30", "-0800"]),
)
def test_moments_come_back(moments, zone):
    cells = [moment.isoformat(sep=" ") + zone for moment in moments]
    form = find_form(cells)
    assert form is not None
    if form.kind == "date":  # all at midnight
        assert all(moment.time() == dt.time() for moment in moments)
        return
    ahead = {"": 0, "Z": 0, "+05:30": 19800, "-0800": -28800}[zone]
    expected = [(m - dt.datetime(1970, 1, 1)) / dt.timedelta(seconds=1) - ahead for m in moments]
    np.testing.assert_allclose(parse(cells, form), expected, rtol=0, atol=1e-5)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5))
def test_text_is_never_read_as_something_else(cells):
    """What is read has a digit in every cell that is no gap, and reads as a finite number."""
    form = find_form(cells)
    if form is not None:
        values = parse(cells, form)
        for cell, value in zip(cells, values.tolist(), strict=True):
            assert is_gap(cell) == math.isnan(value)
            assert is_gap(cell) or any(sign in "0123456789" for sign in cell)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.from_regex(r"[A-Za-z]{1,3}[A-Za-z ]{0,10}", fullmatch=True), min_size=1))
def test_words_stay_text(cells):
    assert find_form(cells) is None


def test_ft_are_feet_and_forints_have_a_capital() -> None:
    assert find_form(["5 ft", "6.5 ft"]) == Form("number", unit="ft")
    assert find_form(["500 Ft", "650 Ft"]) == Form("number", unit="HUF")
    assert find_form(["5.9 ft", "1.7 m"]) is None


@given(st.lists(st.integers(10**15, 10**20), min_size=1, max_size=8))
def test_keys_are_long_where_float64_rounds(numbers: list[int]) -> None:
    cells = list(dict.fromkeys(map(str, numbers)))
    if long_keys(cells):
        assert any(int(float(cell)) != int(cell) for cell in cells)
        assert find_form(cells) is None
    elif len({len(cell) for cell in cells}) == 1 and len(cells[0]) > 15:
        assert all(int(float(cell)) == int(cell) for cell in cells)
