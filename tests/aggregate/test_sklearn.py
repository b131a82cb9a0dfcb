"""The aggregator as scikit-learn sees it, and what it says about bad input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from helpers.aggregate_data import nursery, xor
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from ramify import AttributeAggregator


@parametrize_with_checks([AttributeAggregator(), AttributeAggregator(groups=[])])
def test_common_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_clone_pickle_and_refit() -> None:
    data, y = nursery()
    both = AttributeAggregator(n_groups=2).fit(data, y)
    assert clone(both).get_params() == both.get_params()
    with pytest.raises(NotFittedError):
        clone(both).transform(data)
    again = pickle.loads(pickle.dumps(both))
    assert again.groups_ == both.groups_
    assert again.transform(data)["parents|has_nurs"].tolist() == (
        both.transform(data)["parents|has_nurs"].tolist()
    )
    X, z = xor()
    both.fit(X, z)
    assert both.n_features_in_ == 3 and not hasattr(both, "feature_names_in_")


def test_names_out_from_names_in() -> None:
    X, y = xor()
    both = AttributeAggregator(n_groups=1).fit(X, y)
    assert both.get_feature_names_out(["p", "q", "r"]).tolist() == ["p", "q", "r", "p|q"]
    with pytest.raises(ValueError, match="length equal to number of features"):
        both.get_feature_names_out(["p"])
    named = AttributeAggregator(groups=[["a", "b"]]).fit({"a": ["p"], "b": ["u"]})
    with pytest.raises(ValueError, match="not equal to feature_names_in_"):
        named.get_feature_names_out(["b", "a"])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"groups": "triples"}, "groups='triples' is not valid; give 'pairs', or a list"),
        ({"groups": 3}, "groups=3 is not valid"),
        ({"groups": ["a", "b"]}, r"groups=\['a', 'b'\] is not valid"),
        ({"groups": [["a"]]}, "must be two or more different columns"),
        ({"groups": [["a", "a"]]}, "must be two or more different columns"),
        ({"groups": [["a", "z"]]}, "X has no column 'z'; its columns are 'a', 'b', 'c'"),
        ({"groups": [["a", 9]]}, "9 is neither a column name nor an index of 0 to 2"),
        ({"groups": [["a", True]]}, "True is neither"),
        ({"groups": [["a", "c"]]}, "column 'c' is numeric, and only nominal columns"),
        ({"groups": [["a", "b"], [0, 1]]}, r"two columns would be named 'a\|b'"),
        ({"n_groups": -1}, "n_groups=-1 must be None or an integer of at least 0"),
        ({"categorical_features": ["z"]}, "X has no column 'z'"),
    ],
)
def test_errors_name_the_value_and_the_choices(parameters: Any, message: str) -> None:
    X = {"a": ["p", "q"], "b": ["u", "v"], "c": [1.0, 2.0]}
    with pytest.raises(ValueError, match=message):
        AttributeAggregator(**parameters).fit(X, [0, 1])


def test_errors_of_data() -> None:
    X = xor()[0]
    with pytest.raises(ValueError, match="requires y to be passed"):
        AttributeAggregator().fit(X)
    with pytest.raises(ValueError, match="continuous"):
        AttributeAggregator().fit(X, np.linspace(0, 1, len(X)))
    both = AttributeAggregator(groups=[["a", "b"]]).fit({"a": ["p"], "b": ["u"]})
    with pytest.raises(ValueError, match="feature names should match"):
        both.transform({"b": ["p"], "a": ["u"]})
    with pytest.raises(ValueError, match="no column names, so 'a' must be an index"):
        AttributeAggregator(groups=[["a", "b"]]).fit([["p", "u"]])
    with pytest.raises(ValueError, match=r"two columns would be named 'a\|b'"):
        AttributeAggregator(groups=[["a", "b"]]).fit({"a": ["p"], "b": ["u"], "a|b": ["x"]})
