"""Nominal columns joined into one: the values, the containers, and which pairs are proposed."""

from __future__ import annotations

import math
import pickle
from itertools import permutations, product
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from scipy.stats import chi2
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from ramify import AttributeAggregator, TreeClassifier, TreeRegressor
from ramify._conditional_chi2 import conditional_log_p, log_chi2_tail

PARENTS = ["usual", "pretentious", "great_pret"]
HAS_NURS = ["proper", "less_proper", "improper", "critical", "very_crit"]
HEALTH = ["recommended", "priority", "not_recom"]


def nursery(n: int = 600, seed: int = 0) -> tuple[dict[str, list[Any]], list[str]]:
    """Applications to a nursery school; what counts of the employment is a combination."""
    rng = np.random.default_rng(seed)
    X = {
        "parents": rng.choice(PARENTS, n).tolist(),
        "has_nurs": rng.choice(HAS_NURS, n).tolist(),
        "health": rng.choice(HEALTH, n).tolist(),
        "children": rng.integers(1, 5, n).tolist(),
    }
    y = []
    for parents, has_nurs, health, _ in zip(*X.values(), strict=True):
        hard = (PARENTS.index(parents) + HAS_NURS.index(has_nurs)) % 2 == 0
        y.append("no" if health == "not_recom" else "priority" if hard else "standard")
    return X, y


def xor(n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Neither column tells anything of the class, both together tell all."""
    rows = [*product("ab", "uv", "xyz")] * (n // 12)
    X = np.array(rows, dtype=object)
    return X, (X[:, 0] == "a") ^ (X[:, 1] == "u")


def cells(table: Any, name: str) -> list[Any]:
    values = nw.from_native(table, eager_only=True)[name].to_list()
    return [None if v is None or v != v else v for v in values]


# --- values -------------------------------------------------------------------------------------


def test_the_aggregation_of_pereira_table_5_2() -> None:
    rows = [*product(PARENTS, HAS_NURS)]
    X = pd.DataFrame(rows, columns=["parents", "has_nurs"])
    out = AttributeAggregator(groups=[["parents", "has_nurs"]]).fit_transform(X)
    assert list(out.columns) == ["parents", "has_nurs", "parents|has_nurs"]
    assert out["parents|has_nurs"].tolist() == [f"{a}|{b}" for a, b in rows]
    assert out["parents|has_nurs"].nunique() == 15


def test_three_columns_and_two_groups_by_index() -> None:
    X = [["a", "u", "x"], ["b", "v", "y"]]
    both = AttributeAggregator(groups=[(0, 1, 2), [2, 0]], keep_originals=False).fit(X)
    assert both.groups_ == [("x0", "x1", "x2"), ("x2", "x0")]
    assert both.get_feature_names_out().tolist() == ["x0|x1|x2", "x2|x0"]
    assert both.transform(X).tolist() == [["a|u|x", "x|a"], ["b|v|y", "y|b"]]


def test_missing_in_any_part_is_missing() -> None:
    X = [["a", None], [None, "u"], ["a", "u"], [None, None], [float("nan"), "v"]]
    out = AttributeAggregator(groups=[[0, 1]]).fit_transform(X)
    assert out[:, 2].tolist() == [None, None, "a|u", None, None]
    # a column of which nothing is known
    empty = AttributeAggregator(groups=[[0, 1]]).fit([["a", "b"]]).transform([[None, "b"]])
    assert empty.tolist() == [[None, "b", None]]


def test_unseen_combinations_are_new_strings() -> None:
    both = AttributeAggregator(groups=[[0, 1]]).fit([["a", "u"], ["b", "v"]])
    assert both.transform([["a", "v"], ["z", "u"]])[:, 2].tolist() == ["a|v", "z|u"]


def test_different_combinations_are_written_differently() -> None:
    words = ["a", "|", "\\", "a|", "|a", "\\|", "a\\", "|\\"]
    X = np.array([*product(words, words)], dtype=object)
    joined = AttributeAggregator(groups=[[0, 1]]).fit_transform(X)[:, 2]
    assert len(set(joined)) == len(words) ** 2
    assert joined[0] == "a|a"


def test_whole_numbers_are_written_alike_whatever_their_type() -> None:
    names = {"groups": [["a", "b"]], "categorical_features": ["a"]}
    both = AttributeAggregator(**names).fit({"a": np.array([1, 2]), "b": np.array(["x", "y"])})
    floats = {"a": np.array([2.0, np.nan, 7.0]), "b": np.array(["x", "y", "x"])}
    assert both.transform(floats)["a|b"].tolist() == ["2|x", None, "7|x"]
    again = AttributeAggregator(**names).fit(floats)
    assert again.transform(floats)["a|b"].tolist() == ["2|x", None, "7|x"]


def test_many_columns_do_not_overflow() -> None:
    """Forty columns of forty values have more combinations than an integer can number."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 40, (50, 40)).astype(str).astype(object)
    out = AttributeAggregator(groups=[list(range(40))]).fit_transform(X)
    assert out[:, 40].tolist() == ["|".join(row) for row in X]


# --- containers ---------------------------------------------------------------------------------


FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda data: nw.from_native(pl.DataFrame(data)),
}


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


# --- with a tree --------------------------------------------------------------------------------


def test_xor_is_one_split_of_the_joined_column() -> None:
    X, y = xor()
    assert TreeClassifier(max_depth=1).fit(X, y).score(X, y) < 0.6
    for groups in ([[0, 1]], "pairs"):
        pipe = make_pipeline(AttributeAggregator(groups=groups), TreeClassifier(max_depth=1))
        assert pipe.fit(X, y).score(X, y) == 1.0
        assert pipe[-1].tree_.condition(0).attribute in ("x0|x1", "x3")


@pytest.mark.parametrize("library", FRAMES)
def test_in_a_pipeline(library: str) -> None:
    data, y = nursery()
    X = FRAMES[library](data)
    pipe = make_pipeline(AttributeAggregator(n_groups=1), TreeClassifier(max_depth=2))
    assert pipe.fit(X, y).score(X, y) == 1.0
    names = pipe[-1].feature_names_in_.tolist()
    assert names == [*data, "parents|has_nurs"]
    assert TreeClassifier(max_depth=2).fit(X, y).score(X, y) < 0.9


def test_a_tree_takes_an_unseen_combination_as_unseen() -> None:
    data, y = nursery()
    kept = [i for i, both in enumerate(zip(data["parents"], data["has_nurs"], strict=True))
            if both != ("usual", "proper")]  # fmt: skip
    X = pd.DataFrame(data)
    pipe = make_pipeline(AttributeAggregator(groups=[["parents", "has_nurs"]]), TreeClassifier())
    pipe.fit(X.iloc[kept], np.array(y)[kept])
    assert len(pipe.predict(X)) == len(X)
    strict = clone(pipe).set_params(treeclassifier__unseen="error")
    strict.fit(X.iloc[kept], np.array(y)[kept])
    with pytest.raises(ValueError, match=r"level 'usual\|proper'"):
        strict.predict(X)


def test_model_selection() -> None:
    data, y = nursery()
    pipe = make_pipeline(AttributeAggregator(), TreeClassifier(max_depth=3))
    assert cross_val_score(pipe, pd.DataFrame(data), y).mean() > 0.95
    grid = {"attributeaggregator__groups": ["pairs", [["health", "parents"]]]}
    search = GridSearchCV(pipe, grid, cv=3).fit(pd.DataFrame(data), y)
    assert search.best_params_["attributeaggregator__groups"] == "pairs"


def test_regression_with_given_groups() -> None:
    X, y = xor()
    pipe = make_pipeline(AttributeAggregator(groups=[[0, 1]]), TreeRegressor(max_depth=1))
    assert pipe.fit(X, y.astype(float) + 0.5).score(X, y + 0.5) == 1.0


# --- which pairs --------------------------------------------------------------------------------


def test_the_pair_that_interacts_comes_first() -> None:
    data, y = nursery()
    both = AttributeAggregator(n_groups=1).fit(data, y)
    assert both.groups_ == [("parents", "has_nurs")]
    assert both.log_p_values_.shape == (1,) and both.log_p_values_[0] < -50


def test_many_valued_noise_does_not_win_by_chance() -> None:
    """The plain gain in chi-square prefers the pair of many-valued columns that mean nothing."""
    rng = np.random.default_rng(1)
    n = 300
    a, b = rng.choice(list("pq"), n), rng.choice(list("uv"), n)
    noise = [rng.integers(0, 60, n).astype(str) for _ in range(2)]
    y = np.where(rng.random(n) < 0.25, rng.random(n) < 0.5, (a == "p") ^ (b == "u"))
    X = {"n1": noise[0], "n2": noise[1], "a": a, "b": b}

    def pearson(values: Any) -> float:
        table = pd.crosstab(pd.Series(values), pd.Series(y)).to_numpy(dtype=float)
        expected = np.outer(table.sum(1), table.sum(0)) / n
        return float(((table - expected) ** 2 / expected).sum())

    def plain(one: str, other: str) -> float:
        joint = pearson([f"{p}|{q}" for p, q in zip(X[one], X[other], strict=True)])
        return joint - max(pearson(X[one]), pearson(X[other]))

    assert plain("n1", "n2") > plain("a", "b")
    assert AttributeAggregator(n_groups=1).fit(X, y).groups_ == [("a", "b")]


def test_rare_classes_in_tiny_combinations_do_not_win_by_chance() -> None:
    """One row of a rare class makes a chi-square statistic of a hundred; p must know that."""
    rng = np.random.default_rng(2)
    small = 0
    runs = 60
    for _ in range(runs):
        X = {name: rng.integers(0, 25, 400).astype(str) for name in "ab"}
        y = rng.permutation(np.arange(400) < 4)
        found = AttributeAggregator(n_groups=1).fit(X, y)
        small += len(found.groups_) == 1 and found.log_p_values_[0] < math.log(0.01)
    assert small <= 3


def test_no_pair_is_proposed_where_one_part_says_it_all() -> None:
    a = ["p", "q"] * 60
    b = ["u", "u", "v", "v", "w", "w"] * 20
    both = AttributeAggregator().fit({"a": a, "b": b}, a)
    assert both.groups_ == [] and len(both.log_p_values_) == 0
    assert list(both.transform({"a": a, "b": b})) == ["a", "b"]


def test_n_groups_limits_the_pairs_in_order() -> None:
    X, y = xor()
    X = np.column_stack([X, X[:, 1]])  # x3 is x1 again: its pair ties with that of x1
    many = AttributeAggregator(n_groups=99).fit(X, y)
    assert many.groups_[:2] == [("x0", "x1"), ("x0", "x3")]
    assert (np.diff(many.log_p_values_) >= 0).all() and many.log_p_values_.max() < 0
    assert AttributeAggregator(n_groups=1).fit(X, y).groups_ == many.groups_[:1]
    assert AttributeAggregator(n_groups=0).fit(X, y).groups_ == []


def test_rows_with_a_missing_part_are_left_out_of_the_test() -> None:
    X, y = xor()
    holes = np.vstack([X, [[None, "u", "x"], ["a", None, None]] * 20])
    more = np.concatenate([y, [True, False] * 20])
    plain = AttributeAggregator(n_groups=1).fit(X, y)
    with_holes = AttributeAggregator(n_groups=1).fit(holes, more)
    assert with_holes.groups_ == plain.groups_
    assert with_holes.log_p_values_[0] == pytest.approx(plain.log_p_values_[0])


def test_log_p_is_that_of_all_permutations_within_the_values() -> None:
    """Mean and variance of the statistic by brute force: every order of the classes is dealt."""
    given = [0, 0, 0, 0, 0, 1, 1, 1, 1]
    other = [0, 0, 1, 1, 2, 0, 0, 0, 1]
    labels = [0, 0, 1, 1, 1, 0, 0, 0, 1]

    def pearson(rows: list[int], classes: Any) -> float:
        table = np.zeros((3, 2))
        np.add.at(table, (rows, list(classes)), 1.0)
        expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
        full = expected > 0
        return float(((table - expected)[full] ** 2 / expected[full]).sum())

    mean = variance = total = 0.0
    for value in (0, 1):
        at = [i for i, one in enumerate(given) if one == value]
        rows, classes = [other[i] for i in at], [labels[i] for i in at]
        every = [pearson(rows, order) for order in permutations(classes)]
        mean, variance = mean + np.mean(every), variance + np.var(every)
        total += pearson(rows, classes)
    assert total > mean
    wanted = chi2.logsf(total * 2 * mean / variance, 2 * mean**2 / variance)

    pairs = sorted(set(zip(given, other, strict=True)))
    joint = np.zeros((len(pairs), 2))
    np.add.at(joint, ([pairs.index(p) for p in zip(given, other, strict=True)], labels), 1.0)
    found = conditional_log_p(joint, np.array([a for a, _ in pairs]))
    assert found == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("freedom", [0.7, 1, 4, 33.3, 900])
def test_tail_of_chi_square(freedom: float) -> None:
    for statistic in (0.1, 1.0, freedom, 3 * freedom, 1200.0):
        assert log_chi2_tail(statistic, freedom) == pytest.approx(
            float(chi2.logsf(statistic, freedom)), rel=1e-9, abs=1e-15
        )
    # far out, where the tail itself is zero in float64: the slope is that of the density
    for statistic in (5e3, 1e5):
        step = log_chi2_tail(statistic + 2.0, freedom) - log_chi2_tail(statistic, freedom)
        slope = (freedom / 2 - 1) * math.log1p(2.0 / statistic) - 1.0
        assert step == pytest.approx(slope, rel=0.02)
    assert log_chi2_tail(0.0, freedom) == 0.0
    # the two ways of computing it meet where the first gives up
    at = next(s for s in range(1300, 6000) if chi2.sf(s, freedom) < 1e-300)
    ends = [log_chi2_tail(at + d, freedom) for d in (-1.0, 0.0, 1.0)]
    assert ends[0] - ends[1] == pytest.approx(ends[1] - ends[2], rel=1e-2)


# --- as scikit-learn sees it --------------------------------------------------------------------


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
