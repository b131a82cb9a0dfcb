"""What notebooks show: the tree and score of an estimator, and tables of what a tree says."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.report_data import EVIL, estimators, fitted

from ramify import TreeClassifier, TreeRegressor
from ramify.show.notebook import score_lines

_VOID = {"br", "input", "link", "meta", "img", "hr"}


class Balanced(HTMLParser):
    """Whether every element is closed, and which there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def elements(html: str) -> set[str]:
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return parser.seen


def said(estimator: Any, X: Any) -> dict[str, Any]:
    return {
        "explanation": estimator.explain(X.iloc[[0]]),
        "rules": estimator.tree_.rules(),
        "contributions": estimator.contributions(X),
        "competitors": estimator.tree_.nodes[0].competitors,
        "path": estimator.pruning_path_,
    }


@pytest.mark.parametrize("name", estimators())
def test_everything_a_tree_says_is_a_table_without_scripts(name: str) -> None:
    estimator, X, _ = fitted(name)
    for what, one in said(estimator, X).items():
        html = one._repr_html_()
        assert "script" not in elements(html), what  # nor does the name of a column add one
        assert EVIL not in html
    assert isinstance(estimator.tree_.rules(), list)
    assert isinstance(estimator.tree_.nodes[0].competitors, tuple)


def test_names_are_escaped() -> None:
    estimator, X, _ = fitted("pruned")
    for one in said(estimator, X).values():
        html = one._repr_html_()
        assert "<b>bold" not in html
    assert "&lt;/script&gt;" in estimator.tree_.rules()._repr_html_()
    assert "&lt;/script&gt;" in estimator.contributions(X)._repr_html_()


def test_long_paths_are_folded() -> None:
    x = np.arange(400.0)
    deep = TreeRegressor(max_depth=9, identifiers="keep").fit(
        pd.DataFrame({"x": x % 37, "z": x}), x % 11
    )
    html = deep.explain([5.0, 200.0])._repr_html_()
    steps = len(deep.explain([5.0, 200.0]).steps)
    assert steps > 6 and f"{steps - 4} conditions more" in html
    assert "details" in elements(html)
    rules = deep.tree_.rules()
    assert f"{len(rules) - 12} rules more" in rules._repr_html_()
    path = fitted("pruned")[0].pruning_path_
    assert len(path) > 12 and "larger trees</summary>" in path._repr_html_()


def test_an_estimator_shows_its_score_beside_the_baseline() -> None:
    estimator, _, _ = fitted("pruned")
    path = estimator.pruning_path_
    right = 100 * (1 - path.error[path.selected])
    base = 100 * estimator.tree_.confidence[0]
    first, last = score_lines(estimator)
    assert first.startswith("Cross-validated") and f"accuracy {right:.1f} % ±" in first
    assert f"(baseline {base:.1f} %: always" in first and "fitted on" in last
    html = estimator._repr_html_()
    assert f"{right:.1f} %" in html and html.index("<figure") < html.index("Parameters</summary>")
    grown, _, _ = fitted("grown")
    training, advice = score_lines(grown)
    train = re.search(r"accuracy ([\d.]+) %", training)
    assert train and "report(path, X_test, y_test)" in advice
    numbers, _, _ = fitted("regression")
    error = numbers.pruning_path_.error[numbers.pruning_path_.selected]
    r2 = 1 - error / numbers.tree_.spread[0] ** 2
    assert f"R2 {r2:.3f}".rstrip("0") in score_lines(numbers)[0]
    assert score_lines(fitted("costs")[0]) == score_lines(fitted("absolute")[0]) == []


def test_training_scores_are_those_of_predict() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)).round(1)
    y = X[:, 0] + rng.normal(size=200)
    reg = TreeRegressor(max_depth=3).fit(X, y)
    assert f"R2 {reg.score(X, y):.3f}".rstrip("0") in score_lines(reg)[0]
    clf = TreeClassifier(max_depth=3).fit(X, y > 0)
    assert f"accuracy {100 * clf.score(X, y > 0):.1f} %" in score_lines(clf)[0]


def test_a_report_without_a_file_opens_inline(tmp_path: Path) -> None:
    estimator, X, y = fitted("pruned")
    shown = estimator.report(X_test=X, y_test=y)
    html = shown._repr_html_()
    assert html.startswith('<iframe srcdoc="') and "<script" not in html
    assert "save(path)" in repr(shown)
    assert shown.save(tmp_path / "r.html").read_text(encoding="utf-8") == shown.html
    assert "report-data" in shown.html
