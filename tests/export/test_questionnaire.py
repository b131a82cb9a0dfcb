"""The questionnaire as a page: its answers, its questions, its reasons, and what it lets in.

`test_answers.py` compares its answers with `predict` on the tables that all exports are tested on.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.export_data import disturb, mixed
from helpers.export_runners import assert_equal
from helpers.questionnaire_runner import converse, read_texts, run_questionnaire
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ramify import (
    BoostedTreesClassifier,
    MixtureOfExpertsClassifier,
    TreeClassifier,
    TreeRegressor,
)
from ramify.export import ExportError, to_questionnaire
from ramify.export.questionnaire.document import SCRIPTS
from ramify.export.questionnaire.wording import questions_of
from ramify.export.routing import route
from ramify.support.page.parts import source_hash
from ramify.tables import tidy

EVIL = "</script><img src=x onerror=alert(1)>%%data%% ${1} `x`"


def data_of(page: str) -> Any:
    start = page.index('id="questionnaire-data">') + len('id="questionnaire-data">')
    return json.loads(page[start : page.index("</script>", start)])


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


# --- it asks what the way needs, and no more -------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    classes=st.sampled_from([0, 3]),
    missing=st.sampled_from(["fractional", "direction", "separate"]),
    split=st.sampled_from(["auto", "multiway", "merge"]),
    holes=st.sampled_from([0.0, 0.2]),
)
def test_the_questions_are_those_of_the_nodes_that_predict_visits(
    seed: int, classes: int, missing: Any, split: Any, holes: float
) -> None:
    X, y = mixed(seed, 90, classes=classes, holes=holes)
    kind = TreeClassifier if classes else TreeRegressor
    model = kind(max_leaves=20, missing=missing, categorical_split=split).fit(X, y)
    rows = disturb(X, seed + 1, 0.3)
    visited = model.decision_path(rows)
    asked = questions_of(route(model))
    question = {column: k for k, one in enumerate(asked) for column in one.columns}
    attribute = model.tree_.data["attribute"]
    for i, one in enumerate(converse(model, rows)):
        columns = {int(attribute[node]) for node in visited[[i]].indices} - {-1}
        assert sorted(one["asked"]) == sorted({question[column] for column in columns})


def test_the_weightiest_branch_is_asked_about_first() -> None:
    """Without an answer to `a`, three quarters of the case wait for `b` and one quarter for `c`."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (4000, 3)).astype(float), columns=["c", "b", "a"])
    X["a"] = (rng.random(4000) < 0.25).astype(float)
    y = np.where(X["a"] == 1, X["c"] * 10 + 50, X["b"] * 10)
    model = TreeRegressor(max_leaves=4).fit(X, y)
    found = converse(model, pd.DataFrame({"c": [1.0], "b": [1.0], "a": [np.nan]}))[0]
    names = [one.name for one in questions_of(route(model))]
    assert [names[k] for k in found["asked"]] == ["a", "b", "c"]


def test_where_unseen_levels_are_errors_there_is_no_other_answer() -> None:
    X, y = mixed(3)
    model = TreeClassifier(max_leaves=12, unseen="error").fit(X, y)
    questions = data_of(to_questionnaire(model))["questions"]
    assert all(one["other"] is None for one in questions if one["kind"] == "levels")
    assert_equal(run_questionnaire(model, X), model, X)
    free = data_of(to_questionnaire(TreeClassifier(max_leaves=12).fit(X, y)))["questions"]
    assert any(one["other"] == -2 for one in free if one["kind"] == "levels")


def test_bools_are_yes_and_no() -> None:
    X = pd.DataFrame({"smokes": [True, False] * 30})
    model = TreeClassifier().fit(X, X["smokes"].map({True: "ill", False: "well"}))
    (question,) = data_of(to_questionnaire(model))["questions"]
    assert [name for _, name in question["choices"]] == ["Yes", "No"]
    assert_equal(run_questionnaire(model, X), model, X)


def test_only_whether_a_number_is_known() -> None:
    rng = np.random.default_rng(1)
    known = rng.random(300) < 0.5
    X = pd.DataFrame({"x": np.where(known, rng.normal(size=300), np.nan)})
    model = TreeClassifier(missing="separate", max_leaves=2).fit(X, np.where(known, "a", "b"))
    assert [one["kind"] for one in data_of(to_questionnaire(model))["questions"]] == ["known"]
    assert_equal(run_questionnaire(model, X), model, X)


# --- dates, and numbers as they are typed ------------------------------------------------------


def dated(seed: int, n: int = 300) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(seed)
    sold = pd.Timestamp("2017-11-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    X = pd.DataFrame(
        {
            "sold": sold,
            "at": (sold + pd.to_timedelta(rng.integers(0, 86_400, n), unit="s")).tz_localize(
                "Europe/Berlin", ambiguous=True, nonexistent="shift_forward"
            ),
            "took": pd.to_timedelta(rng.integers(0, 10**6, n), unit="s"),
            "town": rng.choice([*"RRRRRROOOOOOabcdefgh"], n),
        }
    )
    y = (sold.month > 5) * 2.0 + (X["at"].dt.hour > 14) + (X["took"].dt.days > 4) * 0.9
    y += (sold > "2018-10-02") * 1.5 + (~X["town"].isin(["R", "O"])) * 3.0
    X.loc[rng.random(n) < 0.05, ["sold", "town"]] = None
    return X, y + rng.normal(scale=0.1, size=n)


def test_dates_times_durations_and_pooled_levels() -> None:
    X, y = dated(0)
    model = TreeRegressor(max_depth=7, min_level_count=25).fit(X, y)
    asked = {one["name"]: one for one in data_of(to_questionnaire(model))["questions"]}
    assert asked["sold"]["kind"] == "date" and "month" in asked["sold"]["parts"]
    assert asked["took"]["kind"] == "duration" and asked["town"]["other"] is not None
    rows = dated(1, 200)[0].assign(town=lambda f: f["town"].where(f["town"] != "a", "Paris"))
    assert_equal(run_questionnaire(model, rows), model, rows)


def test_times_of_day() -> None:
    pa = pytest.importorskip("pyarrow")
    clock = [dt.time(h % 24, h * 7 % 60, h * 11 % 60) for h in range(120)]
    table = pa.table({"clock": clock})
    model = TreeClassifier().fit(table, [one > dt.time(9, 20) for one in clock])
    assert [one["kind"] for one in data_of(to_questionnaire(model))["questions"]] == ["time"]
    found = converse(model, table.to_pandas())
    assert [one["label"] for one in found] == model.predict(table).astype(int).tolist()


def test_the_month_alone_is_asked_for_by_its_name() -> None:
    days = pd.Series(pd.date_range("2015-01-01", "2019-12-31", freq="3D"))
    model = TreeClassifier(max_leaves=2).fit(pd.DataFrame({"sold": days}), days.dt.month > 6)
    for name in ("sold", "month of sold"):
        page = to_questionnaire(model, questions={name: "When?"})
        (question,) = data_of(page)["questions"]
        assert question["kind"] == "levels" and question["words"] == "When?"
    assert [name for _, name in question["choices"]][:2] == ["January", "February"]
    X = pd.DataFrame({"sold": days})
    assert_equal(run_questionnaire(model, X), model, X)


NUMBERS = {
    "12": 12, " 1 234.5 ": 1234.5, "12,5": 12.5, "0,125": 0.125, "1.125": 1.125, "-3e2": -300,
    "1,234,567": 1234567, "1,234.5": 1234.5, "1.234,5": 1234.5, "1'234": 1234, "−4": -4, ".5": 0.5,
    "1,234": None, "12a": None, "": None, "1,23,4": None, "1.2.3": None, "1,2.3,4": None,
    "--1": None, "1e": None, "0x10": None, ",": None,
}  # fmt: skip


def test_numbers_are_read_or_asked_for_again_and_never_guessed() -> None:
    model = TreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    for (text, value), read in zip(NUMBERS.items(), read_texts(model, [*NUMBERS]), strict=True):
        assert read.get("cell") == value, text
        assert bool(read.get("problem")) == (value is None), text


def test_numbers_in_the_form_of_the_column() -> None:
    X = tidy({"price": [f"{i}.{i % 10}00,50 €" for i in range(1, 60)]})
    model = TreeRegressor(max_leaves=3).fit(X, range(59))
    (question,) = data_of(to_questionnaire(model))["questions"]
    assert question["form"]["unit"] == "€"
    texts = {"12.300,50 €": 12300.5, "12,5": 12.5, "12.300": None, "12300": 12300, "7.5": 7.5}
    for (text, value), read in zip(texts.items(), read_texts(model, [*texts]), strict=True):
        assert read.get("cell") == value, text


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("date", {"2018-03-01": 17591, "01.03.2018": None, "2018-02-31": None}),
        (
            "duration",
            {"90": 90, "01:30": 5400, "2 days 00:00:01": 172801, "1 day": 86400, "x": None},
        ),
    ],
)
def test_dates_and_durations_are_read(kind: str, texts: dict[str, Any]) -> None:
    X = dated(0)[0][["sold" if kind == "date" else "took"]]
    model = TreeRegressor(max_leaves=3, date_parts=None).fit(X, np.arange(300.0))
    assert data_of(to_questionnaire(model))["questions"][0]["kind"] == kind
    for (text, value), read in zip(texts.items(), read_texts(model, [*texts]), strict=True):
        assert read.get("cell") == value, text


# --- reasons -----------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), classes=st.sampled_from([0, 3]))
def test_what_would_change_the_answer_changes_it(seed: int, classes: int) -> None:
    """Each sure change does, whatever the other columns hold; if none is told, there is none."""
    X, y = mixed(seed, 80, classes=classes, holes=0.0)
    kind = TreeClassifier if classes else TreeRegressor
    model = kind(max_leaves=10).fit(X, y)
    asked, now = questions_of(route(model)), model.predict(X)
    rows = X.iloc[:12]
    for i, one in enumerate(converse(model, rows, texts=len(rows))):
        for change in one["changes"]:
            column = asked[change["index"]].columns[0]
            changed = X.copy()  # the columns that were not asked for are those of every row
            for k in one["asked"]:
                name = X.columns[asked[k].columns[0]]
                changed[name] = pd.Series([X[name].iloc[i]] * len(X), dtype=X[name].dtype)
            about = model.schema_.columns[column]
            cell = change["cell"] if about.kind == "numeric" else about.levels[change["cell"]]
            name = X.columns[column]
            changed[name] = pd.Series([cell] * len(X), dtype=X[name].dtype)
            if change["sure"]:
                assert (model.predict(changed) != now[i]).all()
        assert len({change["sure"] for change in one["changes"]}) < 2
        if not one["changes"]:
            for k in one["asked"]:
                assert set(answers_with(model, X, i, asked[k].columns[0])) == {now[i]}


def answers_with(model: Any, X: pd.DataFrame, row: int, column: int) -> list[Any]:
    """Predict a row with every value that its column has."""
    rows = X.iloc[[row] * len(X)].reset_index(drop=True)
    rows[X.columns[column]] = X[X.columns[column]].to_numpy()
    rows[X.columns[column]] = rows[X.columns[column]].astype(X.dtypes.iloc[column])
    return list(model.predict(rows))


@pytest.mark.parametrize("seed", range(4))
def test_the_change_of_a_number_is_the_nearest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.arange(60.0)
    model = TreeClassifier(max_leaves=12).fit(pd.DataFrame({"x": x}), rng.integers(0, 3, 60))
    fine = np.arange(-1, 61, 0.25)
    answers = model.predict(pd.DataFrame({"x": fine}))
    found = converse(model, pd.DataFrame({"x": x}), texts=60)
    for value, label, one in zip(x, model.predict(pd.DataFrame({"x": x})), found, strict=True):
        (change,) = one["changes"]
        nearest = np.abs(fine[answers != label] - value).min()
        assert nearest - 0.25 <= abs(change["cell"] - value) <= nearest
        (other,) = model.predict(pd.DataFrame({"x": [change["cell"]]}))
        assert other != label and change["words"] == str(other)


def test_the_text_says_the_answer_the_reasons_and_the_nearest_change() -> None:
    x = np.arange(100.0)
    X = pd.DataFrame({"age": x, "place": np.where(x % 2, "town", "village")})
    y = np.where(x < 40, "no", np.where(X["place"] == "town", "yes", "no"))
    model = TreeClassifier().fit(X, pd.Series(y, name="buys"))
    (found,) = converse(model, pd.DataFrame({"age": [55.0], "place": ["town"]}), texts=1)
    assert found["text"].splitlines()[:3] == ["Questions about buys", "", "buys: yes (100 %)"]
    for words in (
        "Of the 30 training rows with such answers, 100 % are yes; of all 100 training rows, 30 %.",
        "Age? 55 (more than 40); then yes",
        "Place? town; then yes",
        "- Age? at most 40: the answer would be no",
        "- Place? village: the answer would be no",
    ):
        assert words in found["text"]
    (unknown,) = converse(model, pd.DataFrame({"age": [np.nan], "place": ["town"]}), texts=1)
    assert "Age? not known (every answer counts" in unknown["text"]
    assert "mixed from" in unknown["text"]


# --- the page lets nothing in, and sends nothing out --------------------------------------------


def test_names_are_text_only() -> None:
    rng = np.random.default_rng(0)
    X = {EVIL: rng.choice([EVIL, "b", "<b>"], 200), "\ud800": rng.normal(size=200)}
    y = pd.Series(np.where(X[EVIL] == EVIL, EVIL, np.where(X["\ud800"] > 0, "b", "c")), name=EVIL)
    model = TreeClassifier().fit(X, y)
    page = to_questionnaire(model, title=EVIL, questions={EVIL: EVIL})
    assert "<img" not in page and "onerror=alert(1)>" not in page
    tags = Tags(page).tags
    assert [tag for tag, _ in tags].count("script") == 2
    assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
    data = data_of(page)
    assert data["title"] == EVIL and EVIL in data["classes"]
    assert EVIL in [one["words"] for one in data["questions"]]
    page.encode()


def test_the_policy_allows_the_one_style_and_the_one_script_and_nothing_else() -> None:
    page = to_questionnaire(TreeClassifier().fit([[1.0], [2.0]], ["a", "b"]))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules.pop("default-src") == "'none'"
    assert rules == {
        "style-src": source_hash(style),
        "script-src": source_hash(script),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page and "fetch(" not in page and "localStorage" not in page
    for _, attributes in Tags(page).tags:
        assert (attributes.get("href") or "data:,") == "data:,"
        assert "src" not in attributes and "style" not in attributes


def test_every_script_is_in_the_page() -> None:
    import ramify.export.questionnaire as package

    folder = Path(package.__file__).parent / "page"
    assert {path.name for path in folder.glob("*.js")} == set(SCRIPTS)


# --- what it refuses ----------------------------------------------------------------------------


def test_the_page_is_written_as_utf_8(tmp_path: Path) -> None:
    model = TreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    page = to_questionnaire(model, path=tmp_path / "q.html", title="Größe?")
    assert (tmp_path / "q.html").read_text(encoding="utf-8") == page and "Größe?" in page


def test_models_of_several_trees_are_refused_by_name() -> None:
    X = np.random.default_rng(0).normal(size=(120, 2))
    y = np.where(X[:, 0] > 0, "high", "low")
    for model in (
        BoostedTreesClassifier(n_rounds=2).fit(X, y),
        MixtureOfExpertsClassifier(depth=1, max_iter=50).fit(X, y),
    ):
        with pytest.raises(ExportError, match=f"a {type(model).__name__} is not one tree"):
            to_questionnaire(model)
    with pytest.raises(TypeError, match="its last step"):
        to_questionnaire(make_pipeline(StandardScaler(), TreeClassifier()).fit(X, y))


def test_wrong_arguments_are_named() -> None:
    X = pd.DataFrame({"age": [1.0, 2.0], "unused": [1.0, 1.0]})
    model = TreeClassifier().fit(X, ["a", "b"])
    to_questionnaire(model, questions={"unused": "Not asked?"})
    with pytest.raises(ValueError, match=r"'agee' is no column of the tree; did you mean 'age'\?"):
        to_questionnaire(model, questions={"agee": "How old?"})
    with pytest.raises(ValueError, match=r"questions\['age'\]=3 must be a text"):
        to_questionnaire(model, questions={"age": 3})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="questions='age' must be a mapping"):
        to_questionnaire(model, questions="age")  # type: ignore[arg-type]
    for title in ("", 3):
        with pytest.raises(ValueError, match=f"title={title!r} must be None or a text"):
            to_questionnaire(model, title=title)  # type: ignore[arg-type]
