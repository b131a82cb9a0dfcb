"""The schema as data: JSON, pickle, and the errors of a damaged one."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from helpers.table_data import NAN, cells, objects
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify.tables import ColumnSchema, Schema, read_table

# --- the schema as data -----------------------------------------------------------------------


json_levels = st.one_of(
    st.text(), st.integers(), st.floats(allow_nan=False), st.booleans(), st.binary(max_size=4)
)
schemas = st.builds(
    Schema,
    st.lists(
        st.one_of(
            st.builds(ColumnSchema, st.text(), st.just("numeric")),
            st.builds(
                ColumnSchema,
                st.text(),
                st.sampled_from(["nominal", "ordinal"]),
                st.lists(json_levels, unique=True, max_size=6).map(tuple),
            ),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda column: column.name,
    ).map(tuple),
    st.booleans(),
)


@settings(deadline=None)
@given(schemas)
def test_json_round_trip(schema: Schema) -> None:
    text = json.dumps(schema.to_dict(), allow_nan=False)
    again = Schema.from_dict(json.loads(text))
    assert again == schema
    for a, b in zip(again.columns, schema.columns, strict=True):
        assert list(map(type, a.levels)) == list(map(type, b.levels))


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["named", "columns", "name", "kind", "levels", "float"]), inner
        ),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(anything)
def test_from_dict_accepts_or_raises_value_error(data: Any) -> None:
    for candidate in (data, {"named": True, "columns": data}):
        try:
            schema = Schema.from_dict(candidate)
        except ValueError:
            continue
        assert Schema.from_dict(schema.to_dict()) == schema


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (3, r"schema.columns\[0\]: expected an object, got int"),
        ({"kind": "numeric"}, "'name' is missing"),
        ({"name": "a", "kind": "odd"}, r"columns\[0\].kind: expected one of .*got 'odd'"),
        ({"name": "a", "kind": "numeric", "levels": []}, "unknown key 'levels'"),
        ({"name": 1, "kind": "numeric"}, r"columns\[0\].name: expected str, got int"),
        ({"name": "a", "kind": "nominal"}, "'levels' is missing"),
        ({"name": "a", "kind": "nominal", "levels": [[]]}, r"levels\[0\]: expected a string"),
        ({"name": "a", "kind": "nominal", "levels": [NAN]}, r"levels\[0\]: expected a string"),
        ({"name": "a", "kind": "nominal", "levels": [{"bytes": "zz"}]}, r"levels\[0\]: expected"),
        ({"name": "a", "kind": "nominal", "levels": [1, True]}, "two levels are equal"),
    ],
)
def test_from_dict_names_the_place(column: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Schema.from_dict({"named": True, "columns": [column]})


def test_from_dict_checks_the_whole() -> None:
    column = {"name": "a", "kind": "numeric"}
    with pytest.raises(ValueError, match="at least one column"):
        Schema.from_dict({"named": True, "columns": []})
    with pytest.raises(ValueError, match="same name"):
        Schema.from_dict({"named": True, "columns": [column, column]})
    with pytest.raises(ValueError, match=r"schema\.named: expected bool, got int"):
        Schema.from_dict({"named": 1, "columns": [column]})
    with pytest.raises(ValueError, match="schema: unknown key 'x'"):
        Schema.from_dict({"named": True, "columns": [column], "x": 1})


def test_a_level_json_cannot_hold() -> None:
    schema, _ = read_table(objects(frozenset("t"), frozenset("u")))
    with pytest.raises(
        ValueError, match=r"column 'x0': level frozenset\(\{'t'\}\) of type frozenset"
    ):
        schema.to_dict()
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_pickle_does_not_depend_on_use() -> None:
    schema, _ = read_table([["a"], ["b"]])
    before = pickle.dumps(schema)
    schema.encode([["a"]])
    assert pickle.dumps(schema) == before
    assert cells(pickle.loads(before).encode([["b"]])) == [1]


def test_schema_looks_like_a_sequence_of_columns() -> None:
    schema, _ = read_table([["a", 1]])
    assert len(schema) == 2
    assert schema["x1"] is schema[1]
    with pytest.raises(KeyError, match="no column 'y'"):
        schema["y"]
