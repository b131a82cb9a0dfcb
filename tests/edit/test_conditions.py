"""Conditions as text, dicts and objects; what is wrong is named."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import numpy as np
import pytest
from helpers.edit_data import make_rows

from ramify import TreeClassifier
from ramify.edit import TreeEditor
from ramify.edit.reading import read_condition
from ramify.edit.snapping import snapped
from ramify.tables import Table
from ramify.tree import Multiway, Subset, Threshold


@pytest.fixture(scope="module")
def editor() -> TreeEditor:
    rows = make_rows()
    clf = TreeClassifier(max_depth=3, min_samples_leaf=3).fit(rows.X, rows.y)
    return clf.edit(rows.X, rows.y)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age <= 40", "age <= 40"),
        ("age > 40", "age <= 40"),
        ("age <= 40 missing left", "age <= 40 or missing"),
        ("age <= 40, missing right", "age <= 40"),
        ("`age` <= 40", "age <= 40"),
        ("age is missing", "age is known"),
        ("size <= M", "size <= M"),
        ("size < L", "size <= M"),
        ("job in {clerk, cook}", "job in {clerk, cook}"),
        ("job = clerk missing 1", "job = clerk"),
        ("job not in {clerk}", "job in {cook, nurse, pilot}"),
        ("job: clerk, cook | nurse | {pilot} missing 2", "job in {clerk, cook}"),
        ('town in {"a, b", e}', 'town in {"a, b", e}'),
        ('town = "c \\"d\\""', 'town = "c \\"d\\""'),
    ],
)
def test_text(editor: TreeEditor, text: str, words: str) -> None:
    editor.split(0, text, below="drop")
    try:
        assert editor.tree.condition(0).describe(0) == words
    finally:
        editor.undo()


def test_below_a_value_the_value_itself_is_on_the_right(editor: TreeEditor) -> None:
    given = read_condition("score < 4", editor.tree.schema)
    assert 3.9 < given["threshold"] < 4.0
    assert given["threshold"] == math.nextafter(4.0, -math.inf)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ages <= 40", "did you mean 'age'"),
        ("age ~ 40", "comes one of"),
        ("age <= forty", "'forty' is not a number"),
        ("age in {40}", "is numeric and has no levels"),
        ("job <= clerk", "is nominal and has no threshold"),
        ("job in {clark}", "did you mean 'clerk'"),
        ("job: {clerk}", "separate the branches"),
        ("size < S", "no level is below"),
        ("age is old", "'missing' or 'known'"),
        ("age <= 40 missing 7", "is not a branch"),
    ],
)
def test_what_is_wrong_is_named(editor: TreeEditor, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        editor.split(0, text)


def test_other_forms(editor: TreeEditor) -> None:
    for given in (
        Threshold("age", 0, 40.0, 1),
        {"column": "age", "threshold": 40.0, "missing": 1},
    ):
        editor.split(0, given, below="drop")
        assert editor.tree.condition(0) == Threshold("age", 0, 40.0, 1)
        editor.undo()
    editor.split(0, Subset("job", 2, (("clerk",), ("cook", "nurse", "pilot")), 1), below="drop")
    assert isinstance(editor.tree.condition(0), Subset)
    editor.undo()
    editor.split(0, {"column": "job", "levels": [["clerk"], ["cook"], ["nurse", "pilot"]],
                     "branches": [{}, {"column": "age", "threshold": 40}, {}]})  # fmt: skip
    assert isinstance(editor.tree.condition(0), Multiway)
    assert editor.tree.condition(2).attribute == "age"
    editor.undo()
    with pytest.raises(ValueError, match="must be text"):
        editor.split(0, 40)


def test_a_threshold_that_divides_nothing_is_refused(editor: TreeEditor) -> None:
    with pytest.raises(ValueError, match="all of them take one branch"):
        editor.split(0, "age <= 4000")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (dt.date(2024, 3, 1), "sold < 2024-02-20"),
        (dt.date(2024, 3, 1), "sold <= 2024-02-15"),
        (dt.datetime(2024, 3, 1, 12), "sold <= 2024-03-01T12:00:00"),
        (dt.time(12, 30), "sold <= 11:00"),
    ],
)
def test_dates_and_times(value: Any, text: str) -> None:
    others: list[Any] = [value] * 4
    if isinstance(value, dt.time):
        others = [dt.time(hour) for hour in (9, 10, 12, 13)]
    else:
        others = [value + dt.timedelta(days=days) for days in (-20, -15, 5, 9)]
    schema = Table.read({"sold": others}).schema
    numbers = Table.read({"sold": others}).column(0)
    given = read_condition(text, schema)
    below = int((numbers <= given["threshold"]).sum())
    bound = text.rsplit(maxsplit=1)[-1]
    kind = type(others[0])
    limit = kind.fromisoformat(bound)
    expect = sum(other < limit if "<=" not in text else other <= limit for other in others)
    assert below == expect
    with pytest.raises(ValueError, match="is no"):
        read_condition("sold <= tomorrow", schema)


@pytest.mark.parametrize("seed", range(20))
def test_the_roundest_number_moves_no_row(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.append(rng.normal(100.0 * seed, 10.0 ** (seed % 5), 30), np.nan)
    known = np.sort(values[:-1])
    threshold = float(known[10] / 2 + known[11] / 2)
    rounded = snapped(threshold, "round", values)
    assert ((values <= rounded) == (values <= threshold)).all()
    digits = len(f"{rounded:e}".split("e")[0].rstrip("0").replace(".", "").lstrip("-"))
    for fewer in range(1, digits):  # no number of fewer digits lies in the gap
        scale = 10.0 ** (math.floor(math.log10(abs(threshold))) - fewer + 1)
        first = math.ceil(known[10] / scale - 1e-9) * scale
        assert not known[10] + 1e-12 < first < known[11] - 1e-12


def test_snap(editor: TreeEditor) -> None:
    editor.split(0, "age <= 37.96", snap=1, below="drop")
    assert editor.tree.condition(0).value == 40.0  # type: ignore[union-attr]
    editor.undo()
    for bad in (0, "rounder", 2.5):
        with pytest.raises(ValueError, match="snap"):
            editor.split(0, "age <= 37.96", snap=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no threshold to round"):
        editor.split(0, "job = clerk", snap=1)
