"""The numbers of a report in a browser: figures, threshold, curves, reasons, dates, the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.report_browser import browser, complaints, open_page, reports, text
from helpers.report_data import data_of, fitted, mixed
from sklearn import metrics

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.held_out import cross_predict

__all__ = ["browser", "reports"]  # fixtures

Two = tuple[Path, TreeClassifier, pd.DataFrame, pd.Series]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Two:
    """A report of two classes: its file, the tree, and the test rows."""
    X, _, score = mixed(500)
    y = pd.Series(np.where(score > score.median(), "late", "in time"), name="arrival")
    clf = TreeClassifier(pruning="auto").fit(X[:300], y[:300])
    path = tmp_path_factory.mktemp("two") / "r.html"
    clf.report(path, X[300:], y[300:], X_train=X[:300], y_train=y[:300], n_permutations=0)
    return path, clf, X[300:], y[300:]


def type_into(browser: Any, selector: str, value: str, event: str = "input") -> None:
    script = (
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event(arguments[2], {bubbles: true}))"
    )
    browser.execute_script(script, selector, value, event)


def open_explain(browser: Any) -> None:
    browser.execute_script("document.getElementById('tab-explain').click()")


# --- scores -------------------------------------------------------------------------------------


def test_the_training_score_is_that_of_the_predictions(browser: Any, tmp_path: Path) -> None:
    X, _, score = mixed(300)
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)  # rows go down in parts
    reg = TreeRegressor(max_depth=3).fit(X, score)
    reg.report(tmp_path / "r.html", X_train=X, y_train=score, n_permutations=0)
    open_page(browser, tmp_path / "r.html")
    right = f"{reg.score(X, score):.3f}".rstrip("0")
    assert right in text(browser, "#figures").split("\n")
    browser.execute_script("document.getElementById('tab-scores')?.click()")
    assert right in text(browser, "#measures")


def test_the_score_leads_with_its_baseline_and_follows_the_size(browser: Any, two: Two) -> None:
    path, clf, X, y = two
    open_page(browser, path)
    figures = text(browser, "#figures").split("\n")
    right = float((clf.predict(X) == y).mean())
    assert figures[0].startswith(f"{100 * right:.1f} % ± ") and "test rows" in figures[1]
    assert "baseline: always" in figures[3]
    assert "training rows" in figures[-1]  # training comes last
    steps = browser.execute_script("return ramifyReport.data.path.leaves.length")
    browser.execute_script("ramifyReport.setStep(arguments[0])", steps - 1)
    alone = text(browser, "#figures").split("\n")
    assert alone[0] == alone[2]  # a root without children is the baseline
    assert text(browser, "#measures tr[data-measure=roc_auc] td.lead") == "0.5"
    assert complaints(browser) == []


def test_the_threshold_moves_matrix_precision_and_cost(browser: Any, two: Two) -> None:
    path, clf, X, y = two
    open_page(browser, path)
    share = clf.predict_proba(X)[:, 1]  # of "late"

    def cells() -> list[int]:
        found = browser.execute_script(
            "return [...document.querySelectorAll('#threshold-matrix td.right, "
            "#threshold-matrix td.wrong')].map(e => e.textContent)"
        )
        return [0 if one == "·" else int(one.replace(",", "")) for one in found]

    labels = list(clf.classes_)
    expected = metrics.confusion_matrix(y, clf.predict(X), labels=labels)
    assert cells() == expected.ravel().tolist()
    for threshold in (10, 80, 100):
        type_into(browser, "#threshold", str(threshold))
        said = np.where(share > threshold / 100, "late", "in time")
        expected = metrics.confusion_matrix(y, said, labels=labels)
        assert cells() == expected.ravel().tolist()
        words = text(browser, "#threshold-figures")
        if expected[:, 1].sum():
            precision = metrics.precision_score(y, said, pos_label="late")
            assert f"{100 * precision:.1f} % of those called" in words
        recall = metrics.recall_score(y, said, pos_label="late")
        assert f"{100 * recall:.1f} % of all" in words
    type_into(browser, "#cost-missed", "9")
    browser.execute_script("document.getElementById('cheapest').click()")
    cheapest = float(browser.execute_script("return document.getElementById('threshold').value"))

    def cost(threshold: float) -> float:
        said = share > threshold
        return float((9 * ((y == "late") & ~said) + ((y != "late") & said)).mean())

    assert cost(cheapest / 100) == pytest.approx(min(map(cost, np.linspace(0, 1, 501))))
    browser.execute_script("document.getElementById('threshold-back').click()")
    # The other class is looked for: the same table, the other way round.
    type_into(browser, "#positive", "0", "change")
    assert cells() == metrics.confusion_matrix(y, clf.predict(X), labels=labels).ravel().tolist()
    assert complaints(browser) == []


def test_curves_have_the_areas_of_scikit_learn(browser: Any, two: Two, reports: Any) -> None:
    path, clf, X, y = two
    open_page(browser, path)
    share, own = clf.predict_proba(X)[:, 1], y == "late"
    area = "return Number(document.querySelector(arguments[0]).dataset.area)"
    roc = browser.execute_script(area, "#curves .roc")
    assert roc == pytest.approx(metrics.roc_auc_score(own, share), abs=1e-3)
    pr = browser.execute_script(area, "#curves .pr")
    assert pr == pytest.approx(metrics.average_precision_score(own, share), abs=1e-3)
    assert browser.execute_script("return document.querySelectorAll('#curves .lift').length") == 1
    # More classes: one is chosen.
    estimator, X, y = fitted("pruned")
    open_page(browser, reports("pruned"))
    for k, label in enumerate(estimator.classes_):
        type_into(browser, "#curve-class", str(k), "change")
        roc = browser.execute_script(area, "#curves .roc")
        expected = metrics.roc_auc_score(y == label, estimator.predict_proba(X)[:, k])
        assert roc == pytest.approx(expected, abs=1e-3)
    assert complaints(browser) == []


def test_cross_validated_figures_stay_those_of_the_fitted_tree(
    browser: Any, tmp_path: Path
) -> None:
    X, labels, _ = mixed(300)
    clf = TreeClassifier(max_leaves=8).fit(X, labels)
    held = cross_predict(clf, X, labels, folds=3)
    assert held is not None
    path = clf.report(tmp_path / "r.html", X_train=X, y_train=labels, held_out=held)
    open_page(browser, path)
    assert text(browser, "#figures b") == held.score("accuracy").text
    browser.execute_script("ramifyReport.setStep(1)")
    assert "of the fitted tree" in text(browser, "#figures")
    assert text(browser, "#figures b") == held.score("accuracy").text
    assert complaints(browser) == []


def test_cells_that_are_no_whole_numbers_say_why(browser: Any, tmp_path: Path) -> None:
    clf = TreeClassifier().fit([["a"], ["b"]] * 4, ["x", "y"] * 4)
    w = [1.5, 2.25, 3.5]
    path = clf.report(
        tmp_path / "r.html", [["a"], ["b"], ["a"]], ["x", "x", "y"], sample_weight_test=w
    )
    open_page(browser, path)
    assert "sums of the weights of rows" in text(browser, "#threshold-matrix")
    estimator, _, _ = fitted("pruned")  # missing values divide its rows
    open_page(browser, estimator.report(tmp_path / "s.html"))
    assert "sums of parts of rows" in text(browser, "#scores-body")


# --- reasons ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pruned", "costs", "grown", "regression", "multiway"])
def test_contributions_are_those_of_the_estimator(browser: Any, reports: Any, name: str) -> None:
    estimator, X, _ = fitted(name)
    path = reports(name)
    open_page(browser, path)
    examples = data_of(path)["examples"]
    places = np.linspace(0, len(X) - 1, min(25, len(X))).astype(int)
    found = estimator.contributions(X.iloc[places])
    script = (
        "const r = ramifyReport; return arguments[0].map(cells => {"
        " const row = cells.map((c, j) => r.data.columns[j].kind === 'numeric' && c === null"
        "   ? null : c);"
        " const p = r.predictRow(row); const c = r.contributionsOf(p, p.label);"
        " return [p.label ?? 0, [...c.added], c.bias]; })"
    )
    shown = browser.execute_script(script, examples)
    for i, (label, added, bias) in enumerate(shown):
        values = found.values[i] if name == "regression" else found.values[i, :, label]
        expected = {j: value for j, value in enumerate(values.tolist()) if abs(value) > 1e-9}
        got = {j: value for j, value in added if abs(value) > 1e-9}
        assert got == pytest.approx(expected)
        assert bias == pytest.approx(found.bias if name == "regression" else found.bias[label])


@pytest.mark.parametrize("name", ["pruned", "costs", "regression", "multiway", "optimal"])
def test_counterfactuals_change_the_answer_by_as_little_as_can_be(
    browser: Any, reports: Any, name: str
) -> None:
    open_page(browser, reports(name))
    open_explain(browser)
    script = (
        "const r = ramifyReport; const out = [];"
        "const pick = document.getElementById('example');"
        "for (let i = 0; i < 12; i++) {"
        " pick.value = String(i); pick.dispatchEvent(new Event('change'));"
        " const cells = r.data.columns.map(() => null);"
        " r.data.shown.forEach((j, k) => (cells[j] = r.data.examples[i][k]));"
        " const before = r.predictRow(cells);"
        " for (const one of r.counterfactuals(before)) {"
        "  const after = r.predictRow(one.row);"
        "  const fewer = one.columns.filter((_, k) => {"
        "   const row = one.row.slice(); row[one.columns[k]] = cells[one.columns[k]];"
        "   const p = r.predictRow(row);"
        "   return before.label === undefined ? (one.outcome === 'more' ? p.value > before.value"
        "     : p.value < before.value) : p.label === one.outcome; });"
        "  out.push([before.label ?? null, after.label ?? null, before.value ?? null,"
        "   after.value ?? null, one.outcome, fewer.length,"
        "   one.columns.filter(j => one.row[j] === cells[j]).length]); } } return out;"
    )
    found = browser.execute_script(script)
    assert found
    for before, after, value, new_value, outcome, fewer, same in found:
        if before is None:
            assert new_value > value if outcome == "more" else new_value < value
        else:
            assert after == outcome != before
        assert fewer == 0 and same == 0  # no change could be left out
    assert "What would change the answer" in text(browser, "#way")
    assert complaints(browser) == []


def test_wrong_input_clears_the_answer_and_says_what_is_wrong(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    open_explain(browser)
    type_into(browser, "#value-0", "50")
    assert browser.execute_script("return !!document.getElementById('verdict')")
    type_into(browser, "#value-0", "fifty")
    assert not browser.execute_script("return !!document.getElementById('verdict')")
    assert "size: “fifty” is no number" in text(browser, "#answer")
    assert text(browser, "#way") == ""
    assert browser.execute_script("return ramifyReport.tree.path === null")
    invalid = "return document.getElementById('value-0').getAttribute('aria-invalid')"
    assert browser.execute_script(invalid) == "true"
    type_into(browser, "#value-0", "")
    assert browser.execute_script("return !!document.getElementById('verdict')")
    assert complaints(browser) == []


def test_dates_are_typed_as_dates(browser: Any, tmp_path: Path) -> None:
    days = pd.date_range("2018-01-01", periods=900, freq="D")
    X = pd.DataFrame({"sold": days, "n": np.arange(900) % 5})
    y = np.where(days.month.isin([6, 7]) | (days > "2020-04-01"), "yes", "no")
    clf = TreeClassifier().fit(X, y)
    path = clf.report(tmp_path / "r.html", X_train=X, y_train=y, n_permutations=0)
    open_page(browser, path)
    assert "2 columns" in text(browser, "#figures").replace("\n", " ")
    open_explain(browser)
    place = clf.schema_.names.index("sold")
    kind = f"return document.getElementById('value-{place}').type"
    assert browser.execute_script(kind) == "date"
    for day in ("2018-06-15", "2018-08-02", "2020-05-01", "2019-07-31", "2019-12-31"):
        type_into(browser, f"#value-{place}", day)
        row = pd.DataFrame({"sold": pd.to_datetime([day]), "n": [None]}).astype({"n": float})
        assert text(browser, "#verdict") == clf.predict(row)[0], day
    assert complaints(browser) == []


# --- effects and the data -----------------------------------------------------------------------


def test_effects_are_drawn_for_every_column(browser: Any, reports: Any) -> None:
    estimator, _, _ = fitted("pruned")
    open_page(browser, reports("pruned"))
    used = {node.condition.attribute for node in estimator.tree_.nodes if node.condition}
    drawn = "return document.querySelectorAll('#effects .plot').length"
    assert browser.execute_script(drawn) == len(used)
    before = text(browser, "#effects-body")
    type_into(browser, "#effect-class", "0", "change")
    assert text(browser, "#effects-body") != before
    assert browser.execute_script(drawn) == len(used)


@pytest.mark.parametrize("width", [390, 1300])
def test_the_data_on_a_phone(browser: Any, two: Two, width: int) -> None:
    path, _, X, _ = two
    open_page(browser, path, width=width)
    words = text(browser, "#data-body")
    assert "The target: arrival" in words and "Association" in words
    inside = (
        "const w = document.documentElement.clientWidth;"
        "return [document.documentElement.scrollWidth <= w,"
        " [...document.querySelectorAll('#data-body *, #scores-body .threshold-card *')]"
        "  .filter(e => e.getClientRects().length && !e.closest('thead, .unseen'))"
        "  .every(e => e.getBoundingClientRect().right <= w + 1)]"
    )
    assert browser.execute_script(inside) == [True, True]
    shown = "return document.querySelectorAll('#data-body .columns tbody tr').length"
    assert browser.execute_script(shown) == X.shape[1]
    assert complaints(browser) == []
