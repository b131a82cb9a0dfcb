"""The page, the report and the pictures: complete, escaped, and without outside files."""

from __future__ import annotations

import json
import re
import sys
import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.counting import CountingTree
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier

from ramify import TreeClassifier, TreeRegressor
from ramify.evaluate import Comparison, compare

EVIL = '<script>alert("x")</script>'


class Page(HTMLParser):
    """Checks that tags nest, and keeps the text, the tags and the attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def found() -> Comparison:
    some = {
        "tree": TreeClassifier(),
        "stump": TreeClassifier(max_depth=1),
        "none": DummyClassifier(),
    }
    return compare(some, {"iris": load_iris, "wine": load_wine}, cv=(5, 2))


def test_the_page_has_everything(found: Comparison, tmp_path: Path) -> None:
    text = found.to_html(tmp_path / "page.html", title="Trees & others")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
    page = Page(text)
    words = "".join(page.words)
    assert words.count("Trees & others") == 2  # title and heading
    for part in ("At a glance", "Accuracy by data set", "Ranks over the data sets", "Details",
                 "Accuracy against size", "Leaves by data set", "Fit time", "win/tie/loss",
                 "corrected resampled t-test, two-tailed, 5 %", "Iman-Davenport", "scikit-learn",
                 "TreeClassifier(max_depth=1)", "seed 0, 2 repeats"):  # fmt: skip
        assert part in words, part
    assert page.tags.count("svg") == 2
    table = found.table()
    for value in table.mean.ravel():
        assert f"{100 * value:.2f}" in words
    assert f"critical difference {found.ranks().critical_difference:.2f}" in words
    assert len(re.findall('class="mark bad"', text)) >= 5  # the legend, and what is worse


def test_the_page_stands_alone(found: Comparison) -> None:
    text = found.to_html()
    page = Page(text)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {"src", "href"} & {name for name, _ in page.attributes}
    assert "url(" not in text and "@import" not in text and "://" not in text
    assert "prefers-color-scheme:dark" in text


def test_names_are_escaped_everywhere(tmp_path: Path) -> None:
    learners = {
        EVIL: TreeClassifier(),
        f'"a" onload="{EVIL}': CountingTree(fail_with=EVIL),
        "a|b": TreeClassifier(max_depth=1),
    }
    data = {f"{EVIL}1": load_iris, f"2'{EVIL}": load_wine}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evil = compare(learners, data, cv=3, store=tmp_path / "s.jsonl")
    two = compare({k: learners[k] for k in (EVIL, "a|b")}, data, cv=3)  # with ranks
    for text in (evil.to_html(), two.to_html(title=EVIL), two._repr_html_()):
        page = Page(text)
        assert "script" not in page.tags
        assert "onload" not in {name for name, _ in page.attributes}
        assert EVIL in "".join(page.words)
        assert "<script" not in text
    assert EVIL in "".join(Page(evil.to_html()).words)
    for text in (evil.to_markdown(), two.to_markdown()):
        assert "<script" not in text and "a\\|b" in text
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert all(line.endswith(" |") for line in rows)
    again = Comparison.read(tmp_path / "s.jsonl")
    assert again.learners == tuple(learners) and again.datasets == tuple(data)


def test_small_comparisons_have_a_page_too() -> None:
    one = compare({"a": TreeClassifier()}, {"iris": load_iris}, cv=2, scores=["accuracy"])
    words = "".join(Page(one.to_html()).words)
    assert "1 learner on iris" in words and "150 rows of 4 columns and 3 classes" in words
    assert "Ranks" not in words and "worse" not in words
    rows = compare(
        {"a": TreeRegressor(), "b": TreeRegressor(max_depth=2)}, {"d": load_diabetes}, cv=3
    )
    words = "".join(Page(rows.to_html()).words)
    assert "R2 against size" in words and "by data set" not in words
    assert "b has the highest mean R2" in words and "most frequent class" not in words
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        none = compare({"bad": CountingTree(fail_with="no")}, {"iris": load_iris}, cv=2)
    words = "".join(Page(none.to_html()).words)
    assert "2 folds failed, of bad." in words and "RuntimeError: no" in words
    assert none.to_markdown()


def test_the_page_of_one_data_set_has_a_row_for_each_learner(found: Comparison) -> None:
    wine = found.select(datasets=["wine"])
    table = wine.table()
    page, report = wine.to_html(), wine.to_markdown()
    rows = re.findall(r'<tr><th scope="row" title="(\w+)">(.*?)</tr>', page)
    assert [name for name, _ in rows[:3]] == list(table.learners)
    lines = [line for line in report.splitlines() if line.startswith(("| tree", "| stump", "| no"))]
    for j, (name, cells) in enumerate(rows[:3]):
        shown = f"{100 * table.mean[0, j]:.2f}"
        assert cells.count("<td") == 3 and shown in cells
        assert lines[j].startswith(f"| {name} | {shown} ± ")
    words = "".join(Page(page).words)
    assert "3 learners on wine" in words and report.startswith("# 3 learners on wine\n")
    for text in (words, report):
        assert re.search(r"tree wins, surely \(p (?:[=<]|&lt;) 0\.\d+\)\.", text)
        assert "Always answering the most frequent class is 39.89 % right." in text  # 71 of 178


def test_what_may_be_chance_is_said_to_be() -> None:
    same = {"one": TreeClassifier(), "other": TreeClassifier()}
    words = "".join(Page(compare(same, {"iris": load_iris}, cv=3).to_html()).words)
    assert "one and other are as good as each other; nobody is surely better." in words
    assert "wins" not in words


def test_markdown_and_notebook(found: Comparison) -> None:
    text = found.to_markdown()
    assert text.startswith("# 3 learners on 2 data sets\n")
    for part in ("## accuracy", "## leaves", "## fit time", "## Ranks", "## Learners beaten"):
        assert part in text
    assert "<table>" in found._repr_html_()
    assert str(found.table()) in str(found)


def test_pictures(found: Comparison) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    _, (left, right) = plt.subplots(1, 2)
    assert found.plot_critical_difference(ax=left) is left
    assert found.plot_accuracy_size(ax=right) is right
    texts = " ".join(text.get_text() for text in left.texts)
    for name, rank in found.ranks().mean_ranks.items():
        assert name in texts and f"{rank:.2f}" in texts
    assert f"CD = {found.ranks().critical_difference:.2f}" in texts
    assert {text.get_text() for text in right.texts} == {"tree", "stump"}  # learners with leaves
    points = {tuple(line.get_xydata()[0]) for line in right.lines if len(line.get_xydata()) == 1}
    leaves, accuracy = found.table("n_leaves").average, found.table().average
    assert points == {(leaves[j], 100 * accuracy[j]) for j in (0, 1)}
    for draw in (found.plot_critical_difference, found.plot_accuracy_size):
        plt.close(draw().figure)
    plt.close("all")
    few = compare([TreeClassifier()], {"iris": load_iris}, cv=2, scores=["accuracy"])
    with pytest.raises(ValueError, match="no size was measured; add one of n_leaves"):
        few.plot_accuracy_size()


def test_without_matplotlib_the_error_says_what_to_install(
    found: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 'ramify\[plot\]'"):
        found.plot_accuracy_size()
    assert "<svg" in found.to_html()


def test_names_in_the_picture_do_not_cover_one_another() -> None:
    from ramify.evaluate.pictures.layout import SizePoint
    from ramify.evaluate.pictures.svg import _box, _Frame, _touch

    rng = np.random.default_rng(0)
    for _ in range(20):
        points = [
            SizePoint(f"learner {i}", float(rng.uniform(2, 100)), float(rng.uniform()), False)
            for i in range(6)
        ]
        boxes = [_box(place[:3], 6.9 * 9) for place in _Frame(points).labels(points)]
        touching = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if _touch(a, b)]
        assert len(touching) <= 1


def test_a_store_is_plain_json(tmp_path: Path) -> None:
    compare([TreeClassifier()], {"iris": load_iris}, cv=2, store=tmp_path / "s.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [line["kind"] for line in lines] == [
        "ramify.evaluate", "run", "dataset", "fold", "fold"
    ]  # fmt: skip
