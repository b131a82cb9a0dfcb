"""Nominal columns joined into one: the result is a frame of the same library."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import pytest
import sklearn
from helpers.aggregate_data import FRAMES, cells, nursery

from ramify import AttributeAggregator


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("library", FRAMES)
def test_a_frame_comes_back_as_its_kind(library: str, keep: bool) -> None:
    data, y = nursery(30)
    data["parents"][3] = None
    X = FRAMES[library](data)
    both = AttributeAggregator(groups=[["parents", "has_nurs"]], keep_originals=keep)
    out = both.fit(X, y).transform(X)
    assert type(out) is type(X)
    names = [*(data if keep else ["health", "children"]), "parents|has_nurs"]
    assert list(nw.from_native(out, eager_only=True).columns) == names
    assert both.get_feature_names_out().tolist() == names
    wanted = [
        None if a is None else f"{a}|{b}"
        for a, b in zip(data["parents"], data["has_nurs"], strict=True)
    ]
    assert cells(out, "parents|has_nurs") == wanted
    assert cells(out, "children") == data["children"]
    assert nw.from_native(out, eager_only=True)["children"].dtype == nw.Int64


def test_only_joined_columns_may_be_left() -> None:
    for make in FRAMES.values():
        X = make({"a": ["p", "q"], "b": ["u", "v"]})
        out = AttributeAggregator(groups=[["a", "b"]], keep_originals=False).fit_transform(X)
        assert list(nw.from_native(out, eager_only=True).columns) == ["a|b"]
        assert cells(out, "a|b") == ["p|u", "q|v"]


def test_pandas_keeps_its_index_and_the_input_is_not_changed() -> None:
    X = pd.DataFrame({"a": ["p", "q", "p"], "b": pd.Categorical(["u", None, "v"])}, index=[7, 7, 3])
    before = X.copy(deep=True)
    out = AttributeAggregator(groups=[["a", "b"]]).fit_transform(X)
    pd.testing.assert_frame_equal(X, before)
    assert out.index.tolist() == [7, 7, 3]
    assert cells(out, "a|b") == ["p|u", None, "p|v"]
    assert out["b"].dtype == X["b"].dtype


def test_pandas_with_numbers_for_names() -> None:
    X = pd.DataFrame([["p", "u"], ["q", "v"]])
    both = AttributeAggregator(groups=[[0, 1]]).fit(X)
    assert not hasattr(both, "feature_names_in_")
    assert list(both.transform(X).columns) == ["x0", "x1", "x0|x1"]


@pytest.mark.parametrize("kind", [list, np.array, lambda x: np.array(x, dtype=object)])
def test_rows_become_an_array_of_objects(kind: Any) -> None:
    out = AttributeAggregator(groups=[[0, 1]]).fit_transform(kind([["a", "u"], ["b", "v"]]))
    assert out.dtype == object and out.tolist() == [["a", "u", "a|u"], ["b", "v", "b|v"]]


def test_a_dict_of_columns_stays_one() -> None:
    X = {"a": ["p", "q"], "b": ["u", "v"], "c": [1.0, 2.0]}
    out = AttributeAggregator(groups=[["a", "b"]]).fit_transform(X)
    assert list(out) == ["a", "b", "c", "a|b"] and out["a|b"].tolist() == ["p|u", "q|v"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("globally", [True, False])
def test_set_output_keeps_numbers_numbers(library: str, globally: bool) -> None:
    X = [["a", "u", 1.5], ["b", "v", None]]
    both = AttributeAggregator(groups=[[0, 1]])
    with sklearn.config_context(transform_output=library if globally else "default"):
        if not globally:
            both.set_output(transform=library)
        out = both.fit(X).transform(X)
    assert isinstance(out, FRAMES[library]) and list(out.columns) == ["x0", "x1", "x2", "x0|x1"]
    assert nw.from_native(out)["x2"].dtype == nw.Float64
    assert cells(out, "x0|x1") == ["a|u", "b|v"]


def test_set_output_turns_one_frame_into_another() -> None:
    X = pd.DataFrame({"a": ["p", "q"], "b": ["u", "v"]})
    both = AttributeAggregator(groups=[["a", "b"]]).set_output(transform="polars").fit(X)
    assert both.transform(X).columns == ["a", "b", "a|b"]
