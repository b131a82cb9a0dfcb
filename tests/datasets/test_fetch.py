"""OpenML without a network: scikit-learn's loader is replaced, or reads its own test files."""

from __future__ import annotations

import gzip
import importlib.util
import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from ramify import TreeClassifier
from ramify.datasets import fetch

Calls = list[dict[str, Any]]


def bunch(**fields: Any) -> Bunch:
    given = {
        "feature_names": ["size", "code"],
        "target_names": ["kind"],
        "categories": {"code": ["01", "02"]},
        "details": {"id": "7", "name": "things", "version": "2"},
    }
    return Bunch(**{**given, **fields})


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Calls]:
    def install(result: Any) -> Calls:
        calls: Calls = []

        def loader(**given: Any) -> Any:
            calls.append(given)
            if isinstance(result, Exception):
                raise result
            return result

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", loader)
        return calls

    return install


def array_bunch(**fields: Any) -> Bunch:
    data = np.array([[1.5, 0], [np.nan, 1], [2, np.nan]])
    return bunch(data=data, target=np.array(["a", "b", "a"], dtype=object), **fields)


def check(table: Any) -> None:
    assert np.array_equal(table.data["size"], [1.5, np.nan, 2.0], equal_nan=True)
    assert table.data["code"].tolist() == ["01", "02", None]
    assert table.y.tolist() == ["a", "b", "a"]
    assert (table.target_name, table.levels) == ("kind", {"code": ("01", "02")})
    assert table.description == "OpenML 7: things, version 2."
    assert TreeClassifier().fit(table.data, table.y).score(table.data, table.y) == 1.0


def test_nominal_columns_stay_nominal_without_pandas(
    answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    calls = answer(array_bunch())
    table = fetch("things")
    assert calls[0]["as_frame"] is False
    assert calls[0]["parser"] == "liac-arff"
    check(table)


def test_nominal_columns_stay_nominal_with_pandas(answer: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"size": [1.5, None, 2.0], "code": pandas.Categorical(["01", "02", None])}
    )
    target = pandas.Series(pandas.Categorical(["a", "b", "a"]), name="kind")
    calls = answer(bunch(data=frame, target=target))
    table = fetch("things")
    assert calls[0]["as_frame"] is True
    check(table)


def test_a_category_of_numbers_is_text(answer: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": [1, 2], "code": pandas.Categorical([5, 6])})
    answer(bunch(data=frame, target=pandas.Series([0.5, 1.5]), categories=None))
    table = fetch(3)
    assert table.data["code"].tolist() == ["5", "6"]
    assert table.data["size"].dtype == np.float64
    assert table.y.tolist() == [0.5, 1.5]


def test_what_is_asked_of_the_loader(answer: Any) -> None:
    calls = answer(array_bunch())
    fetch("things", version=2, target="kind", data_home="/nowhere")
    fetch(61)
    fetch(53, source="uci")
    assert (calls[0]["name"], calls[0]["version"]) == ("things", 2)
    assert (calls[0]["target_column"], calls[0]["data_home"]) == ("kind", "/nowhere")
    assert calls[1]["data_id"] == 61
    assert "name" not in calls[1]
    assert calls[1]["target_column"] == "default-target"
    assert (calls[2]["name"], calls[2]["version"]) == ("iris", 1)


def test_without_a_network_the_error_says_what_to_do(answer: Any) -> None:
    answer(URLError("Temporary failure in name resolution"))
    with pytest.raises(ConnectionError, match=r"cannot fetch 'iris' .*name resolution.*built-in"):
        fetch("iris")


def test_names_that_cannot_be(answer: Any) -> None:
    answer(array_bunch())
    with pytest.raises(ValueError, match=r"name=99999 is not one of the UCI numbers 1 \(abalone\)"):
        fetch(99999, source="uci")
    with pytest.raises(ValueError, match="source='kaggle' is not valid; choose from openml, uci"):
        fetch("iris", source="kaggle")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"name=1\.5 must be the name"):
        fetch(1.5)  # type: ignore[arg-type]


def test_several_targets_are_refused(answer: Any) -> None:
    several = array_bunch(target_names=["a", "b"])
    several.target = np.zeros((3, 2))
    answer(several)
    with pytest.raises(ValueError, match="several targets"):
        fetch("things")


STORED = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml"
KINDS = {
    "/json/data/features/": "api-v1-jdf-{}.json.gz",
    "/json/data/qualities/": "api-v1-jdq-{}.json.gz",
    "/json/data/": "api-v1-jd-{}.json.gz",
    "/download/": "data-v1-dl-*.arff.gz",
}


class Answer(io.BytesIO):
    def info(self) -> dict[str, str]:
        return {}


@pytest.mark.parametrize("pandas_is_there", [True, False])
def test_with_the_answers_that_scikit_learn_keeps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pandas_is_there: bool
) -> None:
    number = 40966  # MiceProtein: 80 numeric columns, missing cells, 3 nominal columns, 8 classes
    if not (STORED / f"id_{number}").is_dir():
        pytest.skip("this scikit-learn comes without its test files")
    if pandas_is_there:
        pytest.importorskip("pandas")
    else:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    def urlopen(request: Any, *args: Any, **kwargs: Any) -> Answer:
        url = request.get_full_url()
        pattern = next(name for part, name in KINDS.items() if part in url).format(number)
        [path] = (STORED / f"id_{number}").glob(pattern)
        return Answer(gzip.decompress(path.read_bytes()))

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", urlopen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # several versions, and no checksum
        table = fetch(number, data_home=str(tmp_path))
    assert table.description == "OpenML 40966: MiceProtein, version 4."
    numeric = [name for name, column in table.data.items() if column.dtype == np.float64]
    assert len(numeric) == 77
    assert any(np.isnan(table.data[name]).any() for name in numeric)
    assert table.target_name == "class"
    assert set(table.y) <= {
        f"{kind}-{test}-{drug}" for kind in "ct" for test in ("CS", "SC") for drug in "ms"
    }
