"""The report as a file: complete, escaped, small, and with the numbers of the estimator."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.report_data import EVIL, data_of, estimators, fitted, mixed
from sklearn.exceptions import NotFittedError
from sklearn.metrics import confusion_matrix

import ramify
from ramify import TreeClassifier, TreeRegressor
from ramify.show.report.columns import _numbers
from ramify.show.report.html import BASIC_SCRIPTS, TREE_SCRIPTS
from ramify.show.report.levels import run_lengths
from ramify.show.report.sizes import sizes_of


class Tags(HTMLParser):
    """Which elements a page has, and where they point."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]


def tags(path: Path) -> Tags:
    found = Tags()
    found.feed(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", estimators())
def test_a_report_of_every_kind_of_tree(name: str, tmp_path: Path) -> None:
    estimator, X, y = fitted(name)
    path = estimator.report(tmp_path / "r.html", X, y)
    data = data_of(path)
    assert data["path"]["leaves"][data["path"]["fitted"]] == estimator.tree_.n_leaves
    assert data["path"]["leaves"][-1] == 1
    assert data["path"]["leaves"] == sorted(data["path"]["leaves"], reverse=True)
    page = tags(path)
    assert page.tags.count("script") == 2  # data and program; no name has added one
    assert all(link.startswith(("#", "data:")) for link in page.links)


@pytest.mark.parametrize("name", estimators())
def test_every_step_is_a_tree_of_the_path(name: str) -> None:
    estimator, _, _ = fitted(name)
    sizes = sizes_of(estimator)
    tree = sizes.base
    for step in range(len(sizes.rows)):
        # Cut by the steps in which nodes retire, and by the core: the same tree.
        keep, leaves = [0], 0
        for node in keep:
            if sizes.retired[node] <= step:
                leaves += 1
                continue
            first = int(tree.data["first_child"][node])
            keep += range(first, first + int(tree.data["n_children"][node]))
        core = sizes.core(step)
        assert leaves == sizes.leaves[step]
        assert core.n_nodes == len(keep)
        np.testing.assert_array_equal(core.arrays()["value"], tree.data["value"][sorted(keep)])
    assert sizes.core(sizes.fitted).n_nodes == estimator.tree_.n_nodes


@pytest.mark.parametrize("name", ["pruned", "costs", "regression", "absolute", "error_based"])
def test_errors_on_test_data_are_those_of_predict(name: str, tmp_path: Path) -> None:
    estimator, X, y = fitted(name)
    data = data_of(estimator.report(tmp_path / "r.html", X, y))
    predicted, fit = estimator.predict(X), data["path"]["fitted"]
    if name == "regression":
        expected = np.mean((predicted - y) ** 2)
    elif name == "absolute":
        expected = np.mean(np.abs(predicted - y))
    elif name == "costs":
        index = {label: i for i, label in enumerate(estimator.classes_)}
        costs = np.asarray(estimator.costs)
        expected = np.mean([costs[index[t], index[p]] for t, p in zip(y, predicted, strict=True)])
    else:
        expected = np.mean(predicted != y)
    assert data["test"]["error"][fit] == pytest.approx(expected)
    if name in ("pruned", "error_based"):
        expected = confusion_matrix(y, predicted, labels=estimator.classes_)
        assert data["held"]["steps"][str(fit)]["matrix"] == expected.ravel().tolist()
    if name == "pruned":
        small = estimator.prune(n_leaves=2)
        step = data["path"]["leaves"].index(small.tree_.n_leaves)
        assert data["test"]["error"][step] == pytest.approx(np.mean(small.predict(X) != y))


def test_weights_and_new_classes_of_test_rows(tmp_path: Path) -> None:
    clf = TreeClassifier().fit([["a"], ["b"]], ["x", "y"])
    rows, y, w = [["a"], ["b"], ["a"]], ["x", "x", "new"], [1.0, 2.0, 5.0]
    data = data_of(clf.report(tmp_path / "r.html", rows, y, sample_weight_test=w))
    assert data["held"]["unknown"] == 1
    assert data["test"]["error"][0] == pytest.approx(7 / 8)
    assert data["held"]["steps"]["0"]["matrix"] == [1, 2, 0, 0]


def test_the_summary_of_the_data(tmp_path: Path) -> None:
    X = pd.DataFrame({"n": [1.0, 2.0, None, 4.0] * 5, "c": (["a"] * 12 + ["b"] * 7 + ["rare"])})
    y = [0, 1] * 10
    clf = TreeClassifier().fit(X, y)
    new = pd.DataFrame({"n": [1.0], "c": ["unheard of"]})
    data = data_of(
        clf.report(tmp_path / "r.html", new, [1], X_train=X, y_train=y, n_permutations=1)
    )
    numbers, levels = data["data"]
    assert numbers["missing"] == 5 and numbers["distinct"] == 3
    assert numbers["quantiles"] == [1, 1, 2, 4, 4]
    assert sum(numbers["bins"]) == 15
    assert levels["top"] == [["a", 12], ["b", 7], ["rare", 1]]
    assert (levels["rare"], levels["rare_rows"], levels["rare_names"]) == (1, 1, ["rare"])
    assert data["unseen_in_test"] == [0, 1]
    assert data["examples"] == [[1.0, -2]] and data["truths"] == [1]
    assert len(data["importances"]["unbiased"]) == 2


@pytest.mark.parametrize(
    "values",
    [
        [float(10**17 + i) for i in range(40)],
        [1e17, 1e17 + 16],
        [5e-324 * i for i in range(4)],
        [1e308, np.nextafter(1e308, 0)],
        [-1e308, 1e308],
        [3.0, 3.0],
        [0.0, -0.0],
    ],
)
def test_numbers_that_lie_next_to_each_other(values: list[float], tmp_path: Path) -> None:
    x = np.array(values * 3)
    X, y = pd.DataFrame({"x": x}), np.arange(len(x)) % 2
    path = TreeClassifier().fit(X, y).report(tmp_path / "r.html", X, y, X_train=X, y_train=y)
    assert path.stat().st_size > 1000
    found = _numbers(x)
    if "bins" in found:  # the range of the numbers may overflow
        assert sum(found["bins"]) == len(x)
    assert ("bins" in found) == np.isfinite(float(x.max()) - float(x.min()))


def test_bins_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    for x in (np.arange(21.0), rng.integers(0, 100, 500) * 1.0, rng.normal(size=500)):
        edges = np.histogram(x, bins=len(_numbers(x)["bins"]))[0].tolist()
        assert _numbers(x)["bins"] == edges


def test_without_data_it_says_so_and_still_has_a_tree(tmp_path: Path) -> None:
    estimator, _, _ = fitted("pruned")
    data = data_of(estimator.report(tmp_path / "r.html"))
    assert data["test"] is None and data["data"] is None and data["examples"] is None
    assert data["importances"]["unbiased"] is None


def test_parameters_version_and_title(tmp_path: Path) -> None:
    clf = TreeClassifier(max_depth=2, min_samples_leaf=3).fit([[1], [2]] * 5, [0, 1] * 5)
    path = clf.report(tmp_path / "r.html", title="A <title> & more")
    data = data_of(path)
    changed = {name: value for name, value, changed in data["parameters"] if changed}
    assert changed == {"max_depth": "2", "min_samples_leaf": "3"}
    assert ["Ramify", ramify.__version__] in data["facts"]
    assert "<title>A &lt;title&gt; &amp; more</title>" in path.read_text()


def test_parts_of_dates_are_not_counted_as_columns(tmp_path: Path) -> None:
    days = pd.date_range("2020-01-01", periods=500, freq="37h")
    X = pd.DataFrame({"sold": days, "price": np.arange(500.0) % 7})
    model = TreeClassifier(max_depth=3).fit(X, np.where(days.month > 6, "late", "early"))
    assert len(model.tree_.schema) > 2
    data = data_of(model.report(tmp_path / "r.html", X_train=X, y_train=model.predict(X)))
    assert data["n_columns"] == 2
    assert dict(data["facts"])["Columns"] == "2"


def test_a_loaded_model_and_a_pruned_one_have_reports(tmp_path: Path) -> None:
    estimator, X, y = fitted("pruned")
    estimator.save(tmp_path / "m.json")
    loaded = ramify.load(tmp_path / "m.json")
    one = data_of(estimator.report(tmp_path / "a.html", X, y))
    two = data_of(loaded.report(tmp_path / "b.html", X, y))
    for part in ("nodes", "path", "columns", "test"):
        assert one[part] == two[part]
    small = data_of(estimator.prune(n_leaves=3).report(tmp_path / "c.html"))
    assert small["path"]["leaves"][small["path"]["fitted"]] <= 3
    assert small["path"]["leaves"] == one["path"]["leaves"]


# --- names that are no harmless words -----------------------------------------------------------


def test_names_never_become_markup(tmp_path: Path) -> None:
    X, labels, _ = mixed()
    y = labels.rename("<script>alert(1)</script>")
    clf = TreeClassifier(max_leaves=30).fit(X, y)
    path = clf.report(tmp_path / "r.html", X, y, X_train=X, y_train=y, n_permutations=0)
    text = path.read_text(encoding="utf-8")
    assert EVIL not in text and "<script>alert" not in text and "<b>bold" not in text
    assert tags(path).tags.count("script") == 2
    assert EVIL in [column["name"] for column in data_of(path)["columns"]]


# --- sizes ---------------------------------------------------------------------------------------


def noise(n: int, levels: int, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {f"number {j}": rng.normal(size=n) for j in range(8)}
        | {"group": rng.choice([f"a level of some length {i}" for i in range(levels)], n)}
    )
    return X, rng.integers(0, 3, n)


@pytest.mark.parametrize("levels", [20, 20_000])
def test_500_leaves_take_less_than_a_megabyte_and_a_half(levels: int, tmp_path: Path) -> None:
    X, y = noise(25_000, levels)
    clf = TreeClassifier(max_leaves=500).fit(X, y)
    assert clf.tree_.n_leaves == 500
    path = clf.report(tmp_path / "r.html", X, y, X_train=X, y_train=y, n_permutations=0)
    assert path.stat().st_size < 1_500_000


def test_thousands_of_columns(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3000))
    y = (X[:, 2500] > 0).astype(int)
    clf = TreeClassifier().fit(X, y)
    path = clf.report(tmp_path / "r.html", X, y, X_train=X, y_train=y, n_permutations=0)
    data = data_of(path)
    assert path.stat().st_size < 650_000
    assert len(data["shown"]) == len(data["data"]) == 300 and 2500 in data["shown"]
    assert data["examples"][0][data["shown"].index(2500)] == X[0, 2500]


def test_hundreds_of_classes(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 3)), rng.integers(0, 800, 6000)
    clf = TreeClassifier(max_leaves=500).fit(X, y)
    path = clf.report(tmp_path / "r.html", X, y)
    data, predicted = data_of(path), clf.predict(X)
    assert path.stat().st_size < 1_600_000
    places = np.array(data["places"])
    assert places.max() == 24 and (np.bincount(places)[:24] == 1).all()
    expected = confusion_matrix(places[y], places[predicted], labels=range(25))
    assert data["held"]["steps"][str(data["path"]["fitted"])]["matrix"] == expected.ravel().tolist()


def test_the_sets_of_20000_levels_are_all_there(tmp_path: Path) -> None:
    X, y = noise(30_000, 20_000)
    clf = TreeClassifier(max_leaves=20).fit(X[["group"]], y)
    data = data_of(clf.report(tmp_path / "r.html"))
    named = data["columns"][0]
    codes = named.get("codes", list(range(named["n"])))
    assert len(codes) == len(named["levels"]) > 10_000
    condition = clf.tree_.condition(0)
    branch = {level: b for b, own in enumerate(condition.branches) for level in own}
    expected = np.array([branch[clf.schema_["group"].levels[code]] for code in codes])
    assert data["nodes"]["sets"][0] == run_lengths(expected)
    assert data["nodes"]["counts"][0] == [len(own) for own in condition.branches]


def test_a_grown_tree_of_thousands_of_leaves_is_shown_from_500_down(tmp_path: Path) -> None:
    X, y = noise(9_000, 5)
    clf = TreeClassifier(min_samples_leaf=1).fit(X, y)
    assert clf.tree_.n_leaves > 2_000
    whole = clf.report(tmp_path / "a.html")
    assert max(data_of(whole)["path"]["leaves"]) == clf.tree_.n_leaves
    pruned = clf.prune(n_leaves=10).report(tmp_path / "b.html")
    assert 10 < max(data_of(pruned)["path"]["leaves"]) <= 500
    assert pruned.stat().st_size < whole.stat().st_size / 2


# --- what is wrong ------------------------------------------------------------------------------


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    clf = TreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    path = tmp_path / "r.html"
    with pytest.raises(NotFittedError):
        TreeClassifier().report(path)
    for arguments, message in (
        ({"X_test": [[1.0]]}, "X_test was given without y_test"),
        ({"y_train": ["a"]}, "y_train was given without X_train"),
        ({"X_test": [[1.0]], "y_test": ["a", "b"]}, "inconsistent numbers of samples"),
        ({"X_test": [[1.0, 2.0]], "y_test": ["a"]}, "2 features"),
        ({"X_test": np.empty((0, 1)), "y_test": []}, "X_test has no rows|minimum of 1"),
        ({"n_permutations": -1}, "n_permutations=-1 must be"),
        ({"title": 3}, "title=3 must be None or a string"),
        (
            {"X_test": [[1.0]], "y_test": ["a"], "sample_weight_test": [-1.0]},
            "sample_weight must be finite, not negative",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            clf.report(path, **arguments)
    assert not path.exists()


def test_odd_levels_and_numbers(tmp_path: Path) -> None:
    X = pd.DataFrame(
        {
            "b": pd.Series([True, False] * 10, dtype=object),
            "i": pd.Series([1, 2, 3, "1"] * 5, dtype=object),
            "f": [np.inf, -np.inf, 1e300, -0.0] * 5,
        }
    )
    reg = TreeRegressor().fit(X, np.arange(20) * 1e10)
    data = data_of(
        reg.report(tmp_path / "r.html", X, np.arange(20), X_train=X, y_train=np.arange(20.0))
    )
    assert [column.get("levels") for column in data["columns"]][:2] == [
        ["False", "True"],
        ["1", "2", "3", "1"],
    ]


def test_the_page_needs_nothing_from_elsewhere() -> None:
    folder = Path(ramify.__file__).parent / "show" / "report" / "page"
    assert {path.name for path in folder.glob("*.js")} == {*BASIC_SCRIPTS, *TREE_SCRIPTS, "main.js"}
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        addresses = re.findall(r"(?:https?:)?//[\w.]+\.\w+", text)
        assert set(addresses) <= {"http://www.w3.org"}, path.name
        assert len(text.splitlines()) <= 400
        assert "innerHTML" not in text and "eval(" not in text
