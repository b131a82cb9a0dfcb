"""Columns that name the rows are found; those that describe them are not."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
import pytest

from ramify.tables import Table, find_identifiers
from ramify.tables.profiling.identifiers import look_for_identifier

RNG = np.random.default_rng(0)
ROWS = 200


def found(name: str, values: Any) -> str | None:
    other = [i % 5 for i in range(len(values))]
    table = Table.read({name: list(values), "other": other})
    one = look_for_identifier(table, 0)
    assert ([name] if one else []) == [name for name, _ in find_identifiers(table)]
    return None if one is None else one.role


def test_names_that_hardly_repeat() -> None:
    cars = [f"model {i}" for i in [*range(311), *range(95)]]  # as in the table of cars
    assert found("Name", cars) == "identifier"
    table = Table.read({"Name": cars, "mpg": RNG.normal(size=406)})
    assert find_identifiers(table) == [("Name", "311 different texts in 406 rows")]


def test_missing_names_do_not_count() -> None:
    assert found("who", [None] * 150 + [f"{i} jones" for i in range(100)]) == "identifier"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("key", [str(uuid.UUID(int=i * 7919 + 2**100)) for i in range(ROWS)]),
        ("sign", [f"{i * 2654435761 % 2**32:08x}" for i in range(ROWS)]),
        ("contact", [f"name{i}@example.org" for i in range(ROWS)]),
        ("page", [f"https://example.org/{i}" for i in range(ROWS)]),
        ("call", [f"+49 30 {i:07d}" for i in range(ROWS)]),
    ],
)
def test_texts_of_a_known_form(name: str, values: list[str]) -> None:
    assert found(name, values) == "identifier"
    assert found(name, values[:10]) == "identifier"
    assert found(name, values[:4] * 50) is None


def test_free_text() -> None:
    words = ["the", "room", "was", "cold", "and", "breakfast", "late", "staff", "kind", "again"]
    texts = [" ".join(RNG.choice(words, size=12)) for _ in range(ROWS)]
    assert found("said", texts) == "free text"


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("name", ["Unnamed: 0", "column_1", "index", "rownames", "X", "rn", "who"])
def test_row_numbers(name: str, start: int) -> None:
    assert found(name, np.arange(start, start + ROWS)) == "row index"


@pytest.mark.parametrize("name", ["id", "customerId", "ORDER_ID", "userid", "key"])
def test_numbers_under_the_name_of_a_key(name: str) -> None:
    keys = RNG.permutation(10 * ROWS)[:ROWS]
    assert found(name, keys) == "identifier"
    assert found(name, [*keys[:-9], *keys[:9]]) == "identifier"  # a few were entered twice
    assert found(name, keys % 7) is None


def test_numbers_under_a_name_that_may_be_a_key() -> None:
    assert found("account no", 10_000 + RNG.permutation(60_000)[:ROWS]) == "identifier"
    assert found("Number", RNG.permutation(ROWS) + 5) == "identifier"
    counts = np.unique(np.exp(RNG.uniform(0, 14, 3 * ROWS)).astype(int))  # of all sizes
    assert found("number", counts) is None
    assert found("number of rooms", 10_000 + RNG.permutation(60_000)[:ROWS]) is None


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("price", np.sort(RNG.permutation(10**6)[:ROWS])),
        ("price", RNG.permutation(10**6)[:ROWS]),
        ("income", RNG.normal(size=ROWS)),
        ("year", np.arange(1800, 1800 + ROWS)),
        ("day", np.arange(ROWS)),
        ("rank", np.arange(1, ROWS + 1)),
        ("paid", RNG.permutation(10**6)[:ROWS]),
        ("dose", np.arange(1, 9)),
        ("zip code", [f"{10000 + i % 100}" for i in range(40 * 100)]),
        ("zip code", np.arange(40 * 100) % 100 + 10000),
        ("town", [f"t{i}" for i in [*range(20), *range(10)]]),
        ("town", [f"t{i}" for i in range(12)]),
        ("id", RNG.normal(size=ROWS)),
        ("colour", list("rgb") * 40),
        ("flag", [True, False] * 40),
        ("seen", [None] * 40),
        ("x", [np.inf, -np.inf, np.nan, 1.0]),
    ],
)
def test_what_is_no_identifier(name: str, values: Any) -> None:
    assert found(name, values) is None


def test_the_only_column_is_none() -> None:
    assert find_identifiers(Table.read({"name": [f"n{i}" for i in range(99)]})) == []


def test_numbers_without_names_are_none() -> None:
    assert find_identifiers(Table.read(np.arange(200).reshape(100, 2)[:, [0, 0]] // 2)) == []
