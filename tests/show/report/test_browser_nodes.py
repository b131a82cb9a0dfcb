"""The report in a browser: distributions, sizes, numbers, dates, colours and what can be saved."""

from __future__ import annotations

import base64
import csv
import datetime as dt
import re
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from helpers.report_browser import browser, complaints, open_page, reports, text
from helpers.report_data import fitted
from selenium.webdriver.common.by import By

from ramify import TreeClassifier, TreeRegressor, presets
from ramify.datasets import load_titanic
from ramify.show.numbers import number_words, threshold_words

__all__ = ["browser", "reports"]  # fixtures


@pytest.fixture(scope="module")
def titanic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = load_titanic()
    X, y = pd.DataFrame(data.data), pd.Series(data.y, name="survived")
    clf = TreeClassifier(pruning="auto").fit(X, y)
    folder = tmp_path_factory.mktemp("titanic")
    return clf.report(folder / "titanic.html", X_train=X, y_train=y, n_permutations=0)


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> tuple[TreeRegressor, Path]:
    rng = np.random.default_rng(0)
    n = 600
    days = rng.integers(0, 1500, n)
    X = pd.DataFrame(
        {
            "sold": [dt.date(2017, 1, 1) + dt.timedelta(days=int(d)) for d in days],
            "year_built": rng.integers(1900, 2020, n),
            "income": rng.integers(1_000, 40_000, n) * 1000.0,
        }
    )
    y = (days > 800) * 3e6 + (X["income"] > 2e7) * 1e6 + (X["year_built"] > 1984) * 2e5
    y = pd.Series(y + rng.normal(0, 1e4, n), name="price")
    reg = TreeRegressor(max_leaves=8).fit(X, y)
    folder = tmp_path_factory.mktemp("sales")
    path = reg.report(folder / "sales.html", X_train=X, y_train=y, n_permutations=0)
    return reg, path


# --- distributions ------------------------------------------------------------------------------


def test_a_node_shows_its_column_with_the_threshold(browser: Any, sales: Any) -> None:
    reg, path = sales
    open_page(browser, path)
    panel = text(browser, "#panel-node")
    assert "sold here (600 rows, training data)" in panel and "price here" in panel
    assert len(browser.find_elements(By.CSS_SELECTOR, "#panel-node .dist")) == 2
    left, edge, right = browser.execute_script(
        "const plot = document.querySelector('#panel-node .dist');"
        "const line = plot.querySelector('.threshold').getBoundingClientRect();"
        "const bars = [...plot.querySelectorAll('rect')].map(r => r.getBoundingClientRect());"
        "const on = f => bars.filter(f).length, x = line.left + line.width / 2;"
        "return [on(b => b.right <= x + 1), on(b => b.left < x - 1 && b.right > x + 1),"
        " on(b => b.left >= x - 1)]"
    )
    assert left > 3 and right > 3 and edge == 0  # no bar stands on both sides
    bound = reg.tree_.condition(0).describe(0).removeprefix("sold < ")
    assert bound in text(browser, "#panel-node .dist")
    assert complaints(browser) == []


def test_a_node_shows_the_levels_by_branch(browser: Any, titanic: Path) -> None:
    open_page(browser, titanic)
    panel = text(browser, ".level-bars")
    assert "Branch 1: yes 73 %" in panel and "female" in panel and "470" in panel
    widths = browser.execute_script(
        "return [...document.querySelectorAll('.lying')].map(b => b.offsetWidth)"
    )
    assert len(widths) == 2 and widths[1] > 3 * widths[0]  # 1,731 men, 470 women
    assert complaints(browser) == []


def test_cards_of_a_small_tree_have_distributions(browser: Any, titanic: Path) -> None:
    open_page(browser, titanic)
    inner = len(browser.find_elements(By.CSS_SELECTOR, ".node.inner"))
    minis = "return document.querySelectorAll('#world .mini').length"
    assert browser.execute_script(minis) == inner > 0
    button = browser.find_element(By.ID, "minis")
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert browser.execute_script(minis) == 0
    assert button.get_attribute("aria-pressed") == "false"


def test_without_data_the_panel_says_how_to_get_distributions(browser: Any, tmp_path: Path) -> None:
    estimator, _, _ = fitted("pruned")
    open_page(browser, estimator.report(tmp_path / "r.html"))
    assert "Give X_train and y_train to report()" in text(browser, "#panel-node")
    assert not browser.find_element(By.ID, "minis").is_displayed()
    assert not browser.find_elements(By.ID, "save-rows")


# --- what the tree shows ------------------------------------------------------------------------


def test_a_small_tree_fills_the_window_unfolded(browser: Any, titanic: Path) -> None:
    open_page(browser, titanic)
    k, wide, high, folded = browser.execute_script(
        "const v = ramifyReport.view, c = document.getElementById('canvas');"
        "return [v.k, v.width * v.k / c.clientWidth, v.height * v.k / c.clientHeight,"
        " document.querySelectorAll('.node.folded').length]"
    )
    assert k >= 0.85 and folded == 0
    assert max(wide, high) > 0.85 and min(wide, high) > 0.6


def test_figures_follow_the_slider(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    before = text(browser, "#figures")
    browser.execute_script("ramifyReport.setStep(ramifyReport.data.path.leaves.length - 1)")
    after = text(browser, "#figures")
    assert before != after and "\n1\nleaf\n" in after
    wrong = browser.execute_script("return ramifyReport.data.path.training.at(-1)")
    assert f"{100 * (1 - wrong):.1f} %\naccuracy on training rows" in after


def test_rows_add_up(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    shown = browser.execute_script(
        "return [...document.querySelectorAll('.node')].map(n =>"
        " [Number(n.dataset.node), n.getAttribute('aria-label')])"
    )
    rows = {}
    for node, words in shown:
        found = re.search(r"([\d,.<]+) rows?", words)
        assert found
        rows[node] = float(found[1].replace(",", "").replace("<", ""))
    parent = browser.execute_script("return ramifyReport.data.nodes.parent")
    checked = 0
    for node, own in rows.items():
        children = [rows[child] for child in rows if parent[child] == node]
        if children:
            assert sum(children) == pytest.approx(own, abs=0.15)
            checked += 1
    assert checked > 2
    assert "Rows are counted in parts" in text(browser, "#parts-note")
    browser.execute_script("ramifyReport.select(1)")
    assert "the sum of the parts of" in text(browser, "#panel-node")


def test_weights_are_not_called_rows(browser: Any, tmp_path: Path) -> None:
    X, y = [["a"], ["b"], ["a"]], ["x", "y", "x"]
    clf = TreeClassifier().fit(X, y, sample_weight=[1.0, 2.5, 1.0])
    open_page(browser, clf.report(tmp_path / "r.html"))
    assert "3 rows" in text(browser, "#world") and "weight 4.5" in text(browser, "#world")


def test_p_values_where_a_test_chose(browser: Any, tmp_path: Path) -> None:
    data = load_titanic()
    X, y = pd.DataFrame(data.data), data.y
    for preset in (presets.ctree(), presets.chaid()):
        open_page(browser, preset.fit(X, y).report(tmp_path / "r.html"))
        assert "p < 0.001" in text(browser, "#world")
        assert "p-value" in text(browser, "#panel-node")
    open_page(browser, TreeClassifier(max_depth=1).fit(X, y).report(tmp_path / "r.html"))
    assert "p <" not in text(browser, "#world") and "p-value" not in text(browser, "#panel-node")


def test_dates_years_and_large_numbers_in_words(browser: Any, sales: Any) -> None:
    reg, path = sales
    open_page(browser, path)
    words = text(browser, "#world") + text(browser, "#rules-body")
    date = reg.tree_.condition(0).describe(0)
    assert re.fullmatch(r"sold < \d{4}-\d\d-\d\d", date) and date in words
    assert date.replace("<", "≥") in words
    assert "<=" not in words and ">=" not in words
    assert re.search(r"[\d.]+\sM ± ", words)  # predictions of millions
    income = next(
        n.condition for n in reg.tree_.nodes if n.condition and n.condition.attribute == "income"
    )
    assert f"income ≤ {threshold_words(income.value)}" in words
    years = [
        n.condition
        for n in reg.tree_.nodes
        if n.condition and n.condition.attribute == "year_built"
    ]
    assert all(f"year_built ≤ {one.value:g}" in words for one in years)


def test_numbers_read_as_in_drawings(browser: Any, reports: Any) -> None:
    open_page(browser, reports("leaf"))
    numbers = [0.29471, 17.25, 999.94, 1000, 1411.4, 180796.06, 999_999.4, 12_250_000, 2.38e9]
    numbers += [-x for x in numbers] + [0, 0.5, 1e-5, 3e13, 1234567.8]
    found = browser.execute_script("return arguments[0].map(x => ramifyReport.short(x))", numbers)
    found = [one.replace("\u00a0", " ") for one in found]
    expected = [number_words(float(x)) for x in numbers]
    assert [one for one in found if "e" not in one and one != "0.00001"] == [
        one for one in expected if "e" not in one
    ]
    assert found[:9] == [
        *["0.2947", "17.25", "999.9", "1,000", "1,411", "180,796", "999,999"],
        *["12.25 M", "2.38 B"],
    ]
    amounts = browser.execute_script("return [1, 1259, 312.24, 2943.98].map(ramifyReport.amount)")
    assert amounts == ["1", "1,259", "312.2", "2,944"]


def test_colours_of_a_regression_rise_with_the_value(browser: Any, sales: Any) -> None:
    _, path = sales
    open_page(browser, path)
    found = browser.execute_script(
        "return [...document.querySelectorAll('.node.leaf')].map(n =>"
        " [ramifyReport.data.nodes.pred[n.dataset.node], n.querySelector('path').getAttribute("
        "'fill').match(/\\d+/g).map(Number)])"
    )
    assert len(found) > 4
    lightness = [np.dot(rgb, [0.2126, 0.7152, 0.0722]) for _, rgb in sorted(found)]
    assert lightness == sorted(lightness) and lightness[-1] > lightness[0] + 60
    assert "price:" in text(browser, "#legend")
    assert browser.find_elements(By.CSS_SELECTOR, "#legend .scale")


# --- saves --------------------------------------------------------------------------------------


def saved(browser: Any, folder: Path, press: str, name: str) -> Path:
    """Press a button of the menu and wait for the file."""
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
    )
    if press != "save-rows":
        browser.find_element(By.CSS_SELECTOR, "#save-menu summary").click()
    button = browser.find_element(By.ID, press)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    end = time.monotonic() + 10
    while not (folder / name).is_file() and time.monotonic() < end:
        time.sleep(0.05)
    return folder / name


def test_the_drawing_is_saved(browser: Any, titanic: Path, tmp_path: Path) -> None:
    open_page(browser, titanic)
    file = saved(browser, tmp_path, "save-svg", "decision-tree-for-survived-tree.svg")
    svg = file.read_text(encoding="utf-8")
    root = ET.fromstring(svg)
    cards = [one for one in root.iter() if one.get("class", "").startswith("node ")]
    shown = browser.execute_script("return document.querySelectorAll('#world .node').length")
    assert len(cards) == shown and "var(--" not in svg and "sex" in svg
    assert "tabindex" not in svg and "handle" not in svg and "survived" in svg
    png = saved(browser, tmp_path, "save-png", "decision-tree-for-survived-tree.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    width = int.from_bytes(png[16:20], "big")
    assert width == pytest.approx(3 * float(root.get("width", 0)), abs=2)
    assert complaints(browser) == []


def test_rules_are_saved(browser: Any, reports: Any, tmp_path: Path) -> None:
    estimator, _, _ = fitted("grown")
    open_page(browser, reports("grown"))
    name = "decision-tree-for-what-i-rules.csv"
    file = saved(browser, tmp_path, "save-rules", name)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        head, *rows = csv.reader(lines)
    rules = estimator.tree_.rules()
    assert head == ["leaf", "if", "then", "rows", "share of all rows", "confidence"]
    assert [[int(r[0]), r[2], float(r[3])] for r in rows] == [
        [rule.leaf, rule.label, rule.support] for rule in rules
    ]


@pytest.mark.parametrize("name", ["grown", "regression"])
def test_the_rows_of_a_node_are_saved(
    browser: Any, reports: Any, tmp_path: Path, name: str
) -> None:
    estimator, X, y = fitted(name)
    open_page(browser, reports(name))
    browser.execute_script("ramifyReport.select(2)")
    title = re.sub(r"[^a-z]+", "-", f"decision-tree-for-{y.name}".lower()).strip("-")
    file = saved(browser, tmp_path, "save-rows", f"{title}-node-2.csv")
    with file.open(encoding="utf-8-sig", newline="") as lines:
        found = list(csv.DictReader(lines))
    node = browser.execute_script("return ramifyReport.model.number[2]")
    there = np.flatnonzero(estimator.decision_path(X)[:, node].toarray().ravel())
    assert [int(row["row"]) for row in found] == there.tolist()
    sizes = [np.nan if row["size"] == "" else float(row["size"]) for row in found]
    np.testing.assert_array_equal(sizes, X["size"].to_numpy()[there])
    towns = [row["town"] or None for row in found]
    assert towns == [None if pd.isna(one) else one for one in X["town"].to_numpy()[there]]
    truths = [row[y.name] if name == "grown" else float(row[y.name]) for row in found]
    assert truths == y.to_numpy()[there].tolist()
    assert complaints(browser) == []


def test_a_page_prints_as_pdf(browser: Any, titanic: Path) -> None:
    open_page(browser, titanic)
    made = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
    pdf = base64.b64decode(made["data"])
    assert pdf.startswith(b"%PDF") and len(pdf) > 20_000
    # Afterwards the drawing is as before.
    assert (
        browser.execute_script("return document.getElementById('canvas').viewBox.baseVal")["width"]
        == 0
    )
    assert browser.execute_script(
        "return document.getElementById('world').getAttribute('transform')"
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    for hidden in (".tools", "#save-menu", ".tabs", "nav"):
        assert not browser.find_element(By.CSS_SELECTOR, hidden).is_displayed()
    assert browser.find_element(By.ID, "canvas").is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
