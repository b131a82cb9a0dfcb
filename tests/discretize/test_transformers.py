"""The discretisers as transformers: what comes out, in which container, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from ramify import TreeClassifier
from ramify.discretize import (
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    MIDDiscretizer,
)

SUPERVISED = [MIDDiscretizer, MDLPDiscretizer, ChiMergeDiscretizer]
ALL = [*SUPERVISED, EqualWidthDiscretizer, EqualFrequencyDiscretizer]
ENCODINGS = ["ordinal", "thresholds", "onehot"]


def mixed(n: int = 60) -> tuple[dict[str, list[Any]], list[str]]:
    """A number with holes that tells the class, one that tells nothing, and a nominal column."""
    rng = np.random.default_rng(0)
    size = rng.integers(0, 100, n).astype(float)
    y = np.where(size < 30, "small", np.where(size < 70, "medium", "large"))
    size[::10] = np.nan
    colour = rng.choice(["red", "green", "blue"], n).tolist()
    colour[1] = None
    return {"size": size.tolist(), "flat": [1.5] * n, "colour": colour}, y.tolist()


def frame(data: dict[str, Any], kind: str) -> Any:
    if kind == "pandas":
        return pd.DataFrame(data, index=[f"r{i}" for i in range(len(data["size"]))])
    if kind == "polars":
        return pl.DataFrame(data, strict=False)
    return pa.table(data) if kind == "pyarrow" else data


def column(table: Any, name: str) -> list[Any]:
    values = table[name] if isinstance(table, dict) else nw.from_native(table)[name].to_list()
    return [None if v is None or v != v else v for v in values]


# --- encodings ----------------------------------------------------------------------------------


def test_iris_by_hand() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    mid = MIDDiscretizer(n_thresholds=3, encode="thresholds").fit(X, y)
    assert mid.get_feature_names_out().tolist() == [
        "petal length (cm) <= 2.45",
        "petal width (cm) <= 0.8",
        "sepal length (cm) <= 5.55",
    ]
    assert mid.ranking_.gain[0] == pytest.approx(np.log2(3) - 2 / 3)  # setosa is separated
    out = mid.transform(X)
    for (_, cells), j, t in zip(out.items(), [2, 3, 0], [2.45, 0.8, 5.55], strict=True):
        assert (cells == (X.iloc[:, j] <= t)).all()


@pytest.mark.parametrize("kind", ALL)
def test_the_encodings_say_the_same(kind: Any) -> None:
    X, y = load_wine(return_X_y=True)
    X = X.copy()
    X[::7, 3] = np.nan
    made = {encode: kind(encode=encode).fit(X, y) for encode in ENCODINGS}
    ordinal, binary, onehot = (made[encode].transform(X) for encode in ENCODINGS)
    cuts = made["ordinal"].thresholds_
    assert ordinal.shape == X.shape
    assert binary.shape[1] == sum(map(len, cuts))
    assert onehot.shape[1] == sum(len(one) + 1 for one in cuts if len(one))
    names = made["thresholds"].get_feature_names_out().tolist()
    first = 0
    for j, at in enumerate(cuts):
        known = ~np.isnan(X[:, j])
        expected = (X[:, [j]] > at).sum(axis=1)
        np.testing.assert_array_equal(ordinal[known, j], expected[known])
        assert np.isnan(ordinal[~known, j]).all()
        for t in at.tolist():
            place = [i for i, one in enumerate(names) if one.startswith(f"x{j} <= ")]
            cell = [i for i in place if float(names[i].split(" <= ")[1]) == pytest.approx(t)]
            assert len(cell) == 1
            np.testing.assert_array_equal(binary[known, cell[0]], X[known, j] <= t)
            assert np.isnan(binary[~known, cell[0]]).all()
        if len(at):
            part = onehot[:, first : first + len(at) + 1]
            np.testing.assert_array_equal(part[known].argmax(axis=1), expected[known])
            np.testing.assert_array_equal(part.sum(axis=1), known)
            first += len(at) + 1


def test_names_of_intervals() -> None:
    X = {"x": [1, 2, 3, 4, 5, 6] * 9}
    y = [0, 0, 1, 1, 2, 2] * 9
    found = MDLPDiscretizer(encode="onehot").fit(X, y)
    assert found.get_feature_names_out().tolist() == ["x <= 2.5", "2.5 < x <= 4.5", "x > 4.5"]


def test_close_thresholds_have_different_names_in_every_prefix() -> None:
    X = 1000000.0 + np.arange(8)[:, None] / 1e6
    mid = MIDDiscretizer(n_thresholds="all", encode="thresholds").fit(X, [0, 1] * 4)
    names = mid.get_feature_names_out().tolist()
    assert len(set(names)) == len(names) == 7
    assert mid.prefix(3).get_feature_names_out().tolist() == names[:3]


@pytest.mark.parametrize("encode", ENCODINGS)
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dict"])
def test_containers_and_nominal_columns(kind: str, encode: str) -> None:
    data, y = mixed()
    X = frame(data, kind)
    made = MDLPDiscretizer(encode=encode).fit(X, y)
    out = made.transform(X)
    assert type(out) is type(X)
    names = list(out) if kind == "dict" else list(nw.from_native(out).columns)
    assert names == made.get_feature_names_out().tolist()
    assert column(out, "colour") == data["colour"]
    missing = [value is None for value in column(out, names[0])]
    assert missing == [encode != "onehot" and i % 10 == 0 for i in range(60)]
    if kind == "pandas":
        assert out.index.equals(X.index)


def test_indicators_and_drop() -> None:
    data, y = mixed()
    levels = MDLPDiscretizer(nominal="indicators").fit(data, y)
    names = levels.get_feature_names_out().tolist()
    assert names == ["size", "flat", "colour = blue", "colour = green", "colour = red"]
    new = {"size": [1.0, 2.0, 3.0], "flat": [0, 0, 0], "colour": ["red", None, "violet"]}
    out = levels.transform(new)
    assert column(out, "colour = red") == [1.0, None, 0.0]
    assert column(out, "colour = blue") == [0.0, None, 0.0]
    zeros = levels.set_params(encode="onehot").transform(new)
    assert column(zeros, "colour = red") == [1.0, 0.0, 0.0]
    dropped = MDLPDiscretizer(nominal="drop").fit(data, y)
    assert dropped.get_feature_names_out().tolist() == ["size", "flat"]
    rows = np.array(list(zip(*data.values(), strict=True)), dtype=object)
    assert MDLPDiscretizer(nominal="drop").fit_transform(rows, y).dtype == np.float64
    kept = MDLPDiscretizer().fit_transform(rows, y)
    assert kept.dtype == object and kept[0].tolist()[1:] == [0.0, data["colour"][0]]


def test_numbers_that_are_categories() -> None:
    X = np.array([[1.0, 5.0], [2.0, 6.0], [1.0, 7.0]])
    made = MIDDiscretizer(categorical_features=[0], nominal="indicators").fit(X, [0, 1, 0])
    assert made.get_feature_names_out().tolist() == ["x0 = 1", "x0 = 2", "x1"]
    assert made.ranking_.attribute.tolist() == ["x1", "x1"]


# --- set_output ---------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("given", ["pandas", "polars", "dict", "rows"])
@pytest.mark.parametrize("kind", ALL)
def test_set_output(kind: Any, given: str, library: str) -> None:
    data, y = mixed()
    X: Any = frame(data, given) if given != "rows" else list(zip(*data.values(), strict=True))
    made = kind(encode="thresholds").set_output(transform=library).fit(X, y)
    native = pd.DataFrame if library == "pandas" else pl.DataFrame
    for out in (made.transform(X), made.fit_transform(X, y)):
        assert isinstance(out, native)
        assert list(out.columns) == made.get_feature_names_out().tolist()
        last = out.columns[-1]
        assert column(out, last) == data["colour"]
        if library == given == "pandas":
            assert out.index.equals(X.index)
    with sklearn.config_context(transform_output=library):
        assert isinstance(kind().fit(X, y).transform(X), native)


def test_set_output_of_a_prefix() -> None:
    X, y = load_iris(return_X_y=True)
    mid = MIDDiscretizer(n_thresholds=5, encode="thresholds").set_output(transform="pandas")
    short = mid.fit(X, y).transform(X, n_thresholds=2)
    assert list(short.columns) == mid.get_feature_names_out()[:2].tolist()


# --- with scikit-learn --------------------------------------------------------------------------


@parametrize_with_checks(
    [
        MIDDiscretizer(),
        MIDDiscretizer(n_thresholds="mdl", impurity="gini", encode="onehot"),
        MDLPDiscretizer(),
        MDLPDiscretizer(encode="thresholds"),
        ChiMergeDiscretizer(),
        MIDDiscretizer(impurity="variance"),
        EqualWidthDiscretizer(),
        EqualFrequencyDiscretizer(n_bins=3, encode="onehot"),
    ]
)
def test_common_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("encode", ENCODINGS)
def test_before_a_tree(kind: Any, encode: str) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipe = make_pipeline(kind(encode=encode), TreeClassifier(max_depth=3)).fit(X, y)
    assert pipe.score(X, y) > (0.9 if kind in SUPERVISED else 0.7)
    data, labels = mixed()
    pipe = make_pipeline(kind(encode=encode), TreeClassifier()).fit(data, labels)
    assert pipe.score(data, labels) > (0.8 if kind in SUPERVISED else 0.7)


def test_the_number_of_thresholds_can_be_searched() -> None:
    X, y = load_wine(return_X_y=True)
    pipe = make_pipeline(MIDDiscretizer(encode="thresholds"), TreeClassifier(max_depth=3))
    grid = {"middiscretizer__n_thresholds": [1, 10, "mdl"]}
    search = GridSearchCV(pipe, grid, cv=3).fit(X, y)
    assert search.best_params_["middiscretizer__n_thresholds"] != 1


@pytest.mark.parametrize("kind", ALL)
def test_clone_pickle_refit(kind: Any) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    made = kind().fit(X, y)
    assert clone(made).get_params() == made.get_params()
    with pytest.raises(NotFittedError):
        clone(made).transform(X)
    again = pickle.loads(pickle.dumps(made))
    pd.testing.assert_frame_equal(again.transform(X), made.transform(X))
    made.fit(X.to_numpy()[:, :2], y)
    assert made.n_features_in_ == 2 and not hasattr(made, "feature_names_in_")


# --- edges --------------------------------------------------------------------------------------


@pytest.mark.parametrize("encode", ENCODINGS)
@pytest.mark.parametrize("kind", ALL)
def test_nothing_to_cut(kind: Any, encode: str) -> None:
    n_columns = 2 if encode == "ordinal" else 0
    one_class = [(np.arange(6.0).reshape(3, 2), ["a", "a", "a"])] if kind in SUPERVISED else []
    for X, y in [
        *one_class,
        (np.ones((3, 2)), [0, 1, 0]),  # constant columns
        (np.array([[1.0, 2.0]]), [7]),  # one row
        (np.full((3, 2), np.nan), [0, 1, 0]),  # no known cell
    ]:
        made = kind(encode=encode).fit(X, y)
        assert [len(one) for one in made.thresholds_] == [0, 0]
        out = made.transform(X)
        assert out.shape == (len(X), n_columns)
        np.testing.assert_array_equal(np.isnan(out), np.isnan(X)[:, :n_columns])
        assert np.nansum(out) == 0
        shown = made.set_output(transform="pandas").transform(X)
        assert shown.shape[1] == n_columns
    only_words = kind(encode=encode).fit({"a": ["p", "q"]}, [0, 1])
    assert only_words.get_feature_names_out().tolist() == ["a"]


def test_the_ranking_is_a_table() -> None:
    X, y = load_iris(return_X_y=True)
    ranking = MIDDiscretizer(n_thresholds=6).fit(X, y).ranking_
    assert len(ranking) == 6 and list(ranking) == ["attribute", "threshold", "gain"]
    shown = ranking.to_frame(backend="polars")
    assert shown.columns == list(ranking) and shown["gain"].to_list() == ranking["gain"].tolist()
    assert dict(ranking)["attribute"].tolist() == shown["attribute"].to_list()
    assert len(str(ranking).splitlines()) == 7
    with pytest.raises(KeyError, match="'key' is not a column; choose from attribute"):
        _ = ranking["key"]


def test_counts_of_the_mdlp_discretization_package() -> None:
    """Numbers of cuts by version 0.3.3 of that package, min_split=0.

    It orders equal values at random and may cut between them. So where values repeat, its
    thresholds differ, and for one column of wine (hue: 2 there) their number does too.
    """
    found = MDLPDiscretizer().fit(*load_iris(return_X_y=True)).thresholds_
    assert [len(one) for one in found] == [2, 2, 2, 2]
    found = MDLPDiscretizer().fit(*load_wine(return_X_y=True)).thresholds_
    counts = [len(one) for one in found]
    assert counts[:10] + counts[11:] == [2, 2, 1, 1, 1, 2, 3, 1, 1, 2, 2, 3]
    found = MDLPDiscretizer().fit(*load_breast_cancer(return_X_y=True)).thresholds_
    assert [len(one) for one in found] == [
        *(3, 1, 3, 3, 1, 2, 3, 3, 2, 0),
        *(3, 0, 3, 3, 0, 2, 2, 2, 1, 1),
        *(3, 2, 3, 3, 1, 3, 2, 3, 2, 1),
    ]


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            MIDDiscretizer(n_thresholds="few"),
            "n_thresholds='few' must be an integer of at least 0, 'all' or 'mdl'",
        ),
        (MIDDiscretizer(n_thresholds=-1), "n_thresholds=-1 must be an integer"),
        (MIDDiscretizer(n_thresholds=True), "n_thresholds=True must be an integer"),
        (MIDDiscretizer(n_thresholds=4.0), "n_thresholds=4.0 must be an integer"),
        (EqualWidthDiscretizer(n_bins=1), "n_bins=1 must be an integer of at least 2"),
        (EqualFrequencyDiscretizer(n_bins="5"), "n_bins='5' must be an integer"),
        (EqualFrequencyDiscretizer(encode="bins"), "encode='bins' is not valid"),
        (MIDDiscretizer(impurity="error"), "impurity='error' is not valid; choose from entropy"),
        (MDLPDiscretizer(encode="binary"), "encode='binary' is not valid; choose from ordinal"),
        (MDLPDiscretizer(nominal="keep"), "nominal='keep' is not valid; choose from passthrough"),
        (MDLPDiscretizer(n_jobs=0), "n_jobs=0"),
        (MDLPDiscretizer(categorical_features=["z"]), "X has no column 'z'"),
        (ChiMergeDiscretizer(significance=0), "significance=0 must be a number above 0"),
        (ChiMergeDiscretizer(threshold=-1), "threshold=-1 must be a finite number"),
        (ChiMergeDiscretizer(min_intervals=0), "min_intervals=0 must be"),
        (ChiMergeDiscretizer(min_intervals=None), "min_intervals=None must be"),
        (ChiMergeDiscretizer(min_intervals=9, max_intervals=5), "at least min_intervals=9"),
    ],
    ids=str,
)
def test_errors_name_parameter_value_and_choices(made: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made.fit({"a": [1.0, 2.0]}, [0, 1])


def test_errors_of_data() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    with pytest.raises(ValueError, match="continuous"):
        MDLPDiscretizer().fit(X, np.linspace(0, 1, 150))
    with pytest.raises(ValueError, match=r"continuous.*For a numeric target: impurity='variance'"):
        MIDDiscretizer().fit(X, np.linspace(0, 1, 150))
    with pytest.raises(ValueError, match="could not convert"):
        MIDDiscretizer(impurity="variance").fit(X, ["a", "b"] * 75)
    with pytest.raises(ValueError, match="requires y to be passed"):
        MDLPDiscretizer().fit(X, None)
    with pytest.raises(ValueError, match="must not be negative, but row 0 has -1"):
        MDLPDiscretizer().fit(X, y, sample_weight=-np.ones(150))
    mid = MIDDiscretizer(n_thresholds=5).fit(X, y)
    with pytest.raises(ValueError, match="n_thresholds=6 is more than the 5 that were ranked"):
        mid.transform(X, n_thresholds=6)
    with pytest.raises(ValueError, match="n_thresholds=6 is more than the 5 that were ranked"):
        mid.prefix(6)
    with pytest.raises(ValueError, match="n_thresholds='all' must be an integer"):
        mid.prefix("all")
    assert len(MIDDiscretizer(n_thresholds="all").fit(X, y).prefix(10**6).ranking_) < 1000
    with pytest.raises(ValueError, match="feature names should match"):
        mid.transform(X[X.columns[::-1]])
    words = X.assign(**{"petal width (cm)": "wide"})
    with pytest.raises(ValueError, match=r"Column 'petal width .cm.' was numeric in fit"):
        mid.transform(words)
    twice = {"b": ["p", "q"], "b = p": [1.0, 2.0]}
    with pytest.raises(ValueError, match="two columns of the result would be named 'b = p'"):
        MDLPDiscretizer(nominal="indicators").fit(twice, [0, 1]).transform(twice)
