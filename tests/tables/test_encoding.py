"""Names, nominal columns by choice, kinds that change, unseen levels, many levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.table_data import LIBRARIES, NAN, cells, frame, kinds

from ramify.tables import read_table

# --- names -----------------------------------------------------------------------------------


def test_duplicate_names() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_table(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_table(pa.table([[1], [2]], names=["a", "a"]))


def test_names_that_are_not_strings() -> None:
    pd = pytest.importorskip("pandas")
    for names in ([0, 1], [("a", 1), ("a", 2)]):
        schema, _ = read_table(pd.DataFrame([[1, "a"]], columns=names))
        assert not schema.named
        assert schema.names == ["x0", "x1"]
        assert kinds(schema) == ["numeric", "nominal"]
    with pytest.raises(TypeError, match="Feature names are only supported if all input features"):
        read_table(pd.DataFrame([[1, 2]], columns=["a", 1]))


def test_names_are_checked_in_the_words_of_scikit_learn() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(np.zeros((2, 3)), columns=["a", "b", "c"])
    schema, _ = read_table(X)
    start = "The feature names should match those that were passed during fit.\n"
    with pytest.raises(ValueError, match=start + "Feature names must be in the same order"):
        schema.encode(X[["b", "a", "c"]])
    with pytest.raises(ValueError, match=start + "Feature names unseen at fit time:\n- z\n"):
        schema.encode(X.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="seen at fit time, yet now missing:\n- c\n"):
        schema.encode(X[["a", "b"]])
    with pytest.warns(UserWarning, match="does not have valid feature names, but TreeClassifier"):
        schema.encode(X.to_numpy(), owner="TreeClassifier")
    with pytest.warns(UserWarning, match="X has feature names, but Schema was fitted without"):
        read_table(X.to_numpy())[0].encode(X)


def test_number_of_columns() -> None:
    schema, _ = read_table(np.zeros((2, 4)))
    with pytest.raises(
        ValueError, match="X has 3 features, but Tree is expecting 4 features as input"
    ):
        schema.encode(np.zeros((2, 3)), owner="Tree")


# --- categorical_features ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "choice", [[False, True], np.array([False, True]), [1], (1,), np.array([1]), ["b"], {"b"}]
)
def test_categorical_features(choice: Any) -> None:
    pd = pytest.importorskip("pandas")
    schema, columns = read_table(
        pd.DataFrame({"a": [1, 2], "b": [7.0, 3.0]}), categorical_features=choice
    )
    assert kinds(schema) == ["numeric", "nominal"]
    assert schema["b"].levels == (3.0, 7.0)
    assert cells(columns, 1) == [1, 0]


@pytest.mark.parametrize("choice", ["from_dtype", None, [], (), np.array([], dtype=int)])
def test_no_categorical_features(choice: Any) -> None:
    schema, _ = read_table([[1, "a"]], categorical_features=choice)
    assert kinds(schema) == ["numeric", "nominal"]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("a", r"categorical_features='a': expected 'from_dtype'"),
        (7, "categorical_features=7: expected"),
        ([2], "2 is not an index; valid are 0 to 1"),
        ([-1], "-1 is not an index"),
        ([True], "the mask has length 1, but X has 2 columns"),
        (["z"], r"no column 'z'; its columns are 'a', 'b'"),
        ([0, "a"], "items of type int, str"),
        ([1.5], "items of type float"),
    ],
)
def test_bad_categorical_features(choice: Any, message: str) -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=message):
        read_table(pd.DataFrame({"a": [1], "b": [2]}), categorical_features=choice)


def test_names_need_a_named_table() -> None:
    with pytest.raises(ValueError, match="X has no column names"):
        read_table(np.zeros((2, 2)), categorical_features=["x0"])


# --- kinds that change ------------------------------------------------------------------------


def table(values: Any, dtype: Any = None) -> Any:
    pd = pytest.importorskip("pandas")
    return pd.DataFrame({"a": pd.Series(values, dtype=dtype)})


@pytest.mark.parametrize(
    ("fitted", "now"),
    [
        (([1.0, 2.0],), (["x"],)),
        (([1.0, 2.0],), ([1, "x"], object)),
        (([1.0, 2.0],), ([True],)),
        (([1.0, 2.0],), (["1"], "category")),
        ((["x", "y"],), ([1.0],)),
        ((["x", "y"], "category"), ([1], "Int64")),
    ],
)
def test_a_changed_kind_is_an_error(fitted: Any, now: Any) -> None:
    schema, _ = read_table(table(*fitted))
    with pytest.raises(ValueError, match=f"Column 'a' was {schema[0].kind} in fit.*dtype"):
        schema.encode(table(*now))


@pytest.mark.parametrize(
    ("fitted", "now", "expected"),
    [
        (([1.0, 2.0],), ([3, None], object), [3.0, None]),
        (([1.0, 2.0],), ([None, None], object), [None, None]),
        (([1.0, 2.0],), ([2, 7], "category"), [2.0, 7.0]),
        ((["x", "y"],), (["y", "z"], "category"), [1, -2]),
        ((["x", "y"], "category"), (["y", None], "string"), [1, -1]),
        ((["x", "y"],), ([NAN, NAN],), [-1, -1]),
        ((["x", "y"],), ([5, "x"], object), [-2, 0]),
        ((["x", "y"],), ([5], object), [-2]),
        (([True, False],), ([False, True], object), [0, 1]),
        (([True, False],), ([1, 0],), [1, 0]),
        (([1, 2], "category"), ([2.0, 1.0, NAN, 1.5],), [1, 0, -1, -2]),
    ],
)
def test_values_matter_not_dtypes(fitted: Any, now: Any, expected: list[Any]) -> None:
    schema, _ = read_table(table(*fitted))
    assert cells(schema.encode(table(*now))) == expected


def test_numeric_array_for_a_nominal_column() -> None:
    schema, _ = read_table([["a", 1], ["b", 2]])
    with pytest.raises(ValueError, match="Column 'x0' was nominal in fit, with levels 'a', 'b'"):
        schema.encode(np.array([[1.0, 2.0]]))


# --- unseen levels ----------------------------------------------------------------------------


def test_unseen_policies() -> None:
    schema, _ = read_table(table(["x", "y"]))
    now = table(["z", "x", None])
    assert cells(schema.encode(now, unseen="missing")) == [-2, 0, -1]
    assert cells(schema.encode(now, unseen="majority")) == [-2, 0, -1]
    with pytest.raises(ValueError, match=r"'a' holds the level 'z' \(row 0\).*Levels: 'x', 'y'"):
        schema.encode(now, unseen="error")
    with pytest.raises(ValueError, match=r"unseen must be one of .*'majority'.* got 'other'"):
        schema.encode(now, unseen="other")  # type: ignore[arg-type]


def test_categories_that_do_not_occur_are_not_unseen() -> None:
    pd = pytest.importorskip("pandas")
    schema, _ = read_table(table(["x", "y"]))
    now = pd.DataFrame({"a": pd.Categorical(["y"], categories=["z", "y"])})
    assert cells(schema.encode(now, unseen="error")) == [1]


def test_unseen_ordinal_level() -> None:
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Categorical(["s"], categories=["s", "m"], ordered=True)})
    schema, _ = read_table(X)
    assert cells(schema.encode(table(["m", "huge", "s"]))) == [1, -2, 0]


# --- many levels ------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_hundred_thousand_levels(library: str) -> None:
    n = 100_000
    values = [f"v{i:06d}" for i in range(n)]
    X = frame(library, {"a": values[::-1]})
    schema, columns = read_table(X)
    assert schema[0].levels == tuple(values)
    np.testing.assert_array_equal(columns.arrays[0], np.arange(n)[::-1])
    np.testing.assert_array_equal(schema.encode(X).arrays[0], columns.arrays[0])


def test_one_row_of_many_categories() -> None:
    pd = pytest.importorskip("pandas")
    levels = [f"v{i:06d}" for i in range(100_000)]
    X = pd.DataFrame({"a": pd.Categorical(levels)})
    schema, _ = read_table(X)
    assert cells(schema.encode(X[99_999:])) == [99_999]
    gone = pd.DataFrame({"a": pd.Categorical([None], categories=levels)})
    assert cells(schema.encode(gone, unseen="error")) == [-1]
