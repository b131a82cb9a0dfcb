"""Every container gives the same table, and is never written to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from helpers.processes import run_python
from helpers.table_data import FRAMES, LIBRARIES, MIXED, NAN, cells, frame, kinds, objects, one
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify.tables import read_table


@pytest.mark.parametrize("library", LIBRARIES)
def test_same_table_from_every_library(library: str) -> None:
    data = dict(MIXED)
    X = frame(library, data)
    schema, columns = read_table(X)
    assert kinds(schema) == ["numeric", "numeric", "nominal", "nominal"]
    assert schema.named is (library in FRAMES)
    assert schema.names == (list(data) if schema.named else ["x0", "x1", "x2", "x3"])
    assert schema[2].levels == ("blue", "red")
    assert schema[3].levels == (False, True)
    assert type(schema[3].levels[0]) is bool
    expected = [[1.5, None, -3.0, math.inf], [3, 1, 2, 2], [1, -1, 0, 1], [1, 0, -1, 1]]
    assert [cells(columns, j) for j in range(4)] == expected
    again = schema.encode(X)
    assert [cells(again, j) for j in range(4)] == expected
    assert columns.n_rows == again.n_rows == 4


@pytest.mark.parametrize("fitted", LIBRARIES)
@pytest.mark.parametrize("given_", LIBRARIES)
@pytest.mark.filterwarnings("ignore:X (has|does not have)")
def test_fit_with_one_library_predict_with_another(fitted: str, given_: str) -> None:
    schema, columns = read_table(frame(fitted, MIXED))
    again = schema.encode(frame(given_, MIXED))
    assert [cells(again, j) for j in range(4)] == [cells(columns, j) for j in range(4)]


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(allow_nan=True, allow_infinity=True, width=16),
    st.sampled_from(["", "a", "b", "1", "nan"]),
    st.just(b"x"),
)


@settings(deadline=None)
@given(st.lists(scalars, min_size=1, max_size=30))
def test_object_column_by_value(values: list[Any]) -> None:
    X = objects(*values)
    column, codes = one(X)
    missing = [v is None or (type(v) is float and math.isnan(v)) for v in values]
    known = [v for v, m in zip(values, missing, strict=True) if not m]
    if column.kind == "numeric":
        assert all(type(v) in (int, float) for v in values if v is not None)
        assert codes == [None if m else float(v) for v, m in zip(values, missing, strict=True)]
        return
    assert len(set(column.levels)) == len(column.levels) == len(set(known))
    for value, gone, code in zip(values, missing, codes, strict=True):
        assert code == -1 if gone else column.levels[code] == value
    assert cells(read_table(X)[0].encode(X)) == codes


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.sampled_from("abcde")), min_size=1), st.randoms())
@pytest.mark.parametrize("library", FRAMES)
def test_levels_do_not_depend_on_row_order(library: str, values: list[Any], random: Any) -> None:
    pytest.importorskip("polars" if library == "narwhals" else library)
    shuffled = values[:]
    random.shuffle(shuffled)
    first, _ = one(frame(library, {"a": values}))
    second, codes = one(frame(library, {"a": shuffled}))
    assert first == second
    assert [None if c < 0 else second.levels[c] for c in codes] == shuffled


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(width=64), min_size=3, max_size=3), min_size=1, max_size=20))
def test_floats_are_kept_exactly(rows: list[list[float]]) -> None:
    X = np.array(rows)
    schema, columns = read_table(X)
    assert columns.matrix is X
    _, listed = read_table(rows)
    for j in range(3):
        np.testing.assert_array_equal(listed.column(j), X[:, j])
    assert kinds(schema) == ["numeric"] * 3


@pytest.mark.parametrize("library", LIBRARIES)
def test_one_row_equals_batch(library: str) -> None:
    schema, columns = read_table(frame(library, MIXED))
    for i in range(4):
        row = {
            name: [values[i]] if values[i] is not None else [None] for name, values in MIXED.items()
        }
        encoded = schema.encode(frame(library, row))
        for j in range(4):
            assert cells(encoded, j) == cells(columns, j)[i : i + 1]


def test_input_is_never_written_to() -> None:
    pd = pytest.importorskip("pandas")
    X = np.array([["b", 1.0], [None, NAN]], dtype=object)
    X.flags.writeable = False
    schema, _ = read_table(X)
    schema.encode(X)
    data = pd.DataFrame(MIXED)
    copy = data.copy(deep=True)
    read_table(data)[0].encode(data)
    pd.testing.assert_frame_equal(data, copy)


def test_memory_map(tmp_path: Any) -> None:
    np.save(tmp_path / "x.npy", np.arange(6.0).reshape(3, 2))
    X = np.load(tmp_path / "x.npy", mmap_mode="r")
    _, columns = read_table(X)
    assert type(columns.matrix) is np.ndarray
    assert np.shares_memory(columns.matrix, X)


def test_array_like_object() -> None:
    class Wrapped:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([[1.0, 2.0]])

    assert read_table(Wrapped())[1].matrix.tolist() == [[1.0, 2.0]]


def test_import_brings_in_no_heavy_library() -> None:
    code = (
        "import sys, ramify.tables; "
        "print([m for m in ('pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    assert run_python(code).strip() == "[]"
