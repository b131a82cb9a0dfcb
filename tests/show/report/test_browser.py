"""The report in a browser: it draws, answers clicks and keys, and predicts as it should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.report_browser import browser, complaints, leaves, open_page, reports, text
from helpers.report_data import EVIL, estimators, fitted
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from ramify import TreeClassifier
from ramify.show.layout import layout

__all__ = ["browser", "reports"]  # fixtures

# --- the tree -----------------------------------------------------------------------------------


def test_a_click_opens_a_node_and_names_are_text(browser: Any, reports: Any) -> None:
    estimator, _, _ = fitted("pruned")
    open_page(browser, reports("pruned"))
    panel, root = text(browser, "#panel-node"), estimator.tree_.nodes[0]
    assert "All training rows" in panel and f"{root.rows:,} (100 %)" in panel
    assert "What nearly won" in panel and "Contingency table" in panel
    for other in root.competitors[:3]:
        assert other.condition.attribute in panel
    for label, value in zip(estimator.classes_, root.value, strict=True):
        assert f"{label} {value:g}" in panel
    node = browser.find_elements(By.CSS_SELECTOR, "#world .node")[1]
    ActionChains(browser).move_to_element_with_offset(node, -20, -8).click().perform()
    panel = text(browser, "#panel-node")
    assert "All training rows" not in panel and "Rows" in panel
    assert len(browser.find_elements(By.CSS_SELECTOR, ".node.selected")) == 1
    assert browser.execute_script("return ramifyReport.tree.selected") == 1
    assert EVIL in text(browser, "#data-body")
    assert browser.execute_script("return window.broken") is None
    assert not browser.find_elements(By.CSS_SELECTOR, "main b > b, #data-body b")
    assert complaints(browser) == []


def test_folding_walking_by_keys_zooming_and_panning(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    count = "return document.querySelectorAll('#world .node').length"
    before = browser.execute_script(count)
    root = browser.find_element(By.CSS_SELECTOR, "#world .node")
    browser.execute_script("arguments[0].focus()", root)
    sideways = browser.execute_script("return ramifyReport.tree.sideways")
    down, along = (
        (Keys.ARROW_RIGHT, Keys.ARROW_DOWN) if sideways else (Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    )
    ActionChains(browser).send_keys(down).send_keys(along).perform()
    selected = browser.execute_script("return ramifyReport.tree.selected")
    assert selected == 2
    assert browser.execute_script("return document.activeElement.dataset.node") == "2"
    ActionChains(browser).send_keys(Keys.HOME).send_keys(Keys.SPACE).perform()
    assert browser.execute_script(count) == 1
    assert "leaves" in text(browser, "#world")
    ActionChains(browser).send_keys(Keys.SPACE).perform()
    assert browser.execute_script(count) == before
    roles = browser.execute_script(
        "return [...document.querySelectorAll('#world .node')].every(n =>"
        " n.getAttribute('role') === 'treeitem' && n.getAttribute('aria-label'))"
    )
    assert roles
    where = "const v = ramifyReport.view; return [v.x, v.y, v.k]"
    x, y, k = browser.execute_script(where)
    browser.find_element(By.ID, "zoom-in").click()
    assert browser.execute_script(where)[2] == pytest.approx(1.25 * k)
    browser.find_element(By.ID, "fit").click()
    canvas = browser.find_element(By.ID, "canvas")
    x, y, _ = browser.execute_script(where)
    ActionChains(browser).move_to_element_with_offset(
        canvas, 0, 200
    ).click_and_hold().move_by_offset(60, 30).release().perform()
    moved = browser.execute_script(where)
    assert moved[0] - x == pytest.approx(60, abs=8) and moved[1] - y == pytest.approx(30, abs=8)
    assert complaints(browser) == []


# --- the curve ----------------------------------------------------------------------------------


def test_dragging_the_curve_cuts_the_tree(browser: Any, reports: Any) -> None:
    estimator, _, _ = fitted("pruned")
    open_page(browser, reports("pruned"))
    assert leaves(browser) == estimator.tree_.n_leaves
    curve = browser.find_element(By.ID, "curve")
    scroll = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})"
    browser.execute_script(scroll, curve)
    nodes = "return document.querySelectorAll('#world .node').length"
    before = browser.execute_script(nodes)
    drag = ActionChains(browser).move_to_element(curve).click_and_hold()
    drag.move_by_offset(-curve.size["width"] // 2 + 66, 0).release().perform()
    assert leaves(browser) == 1 and browser.execute_script(nodes) == 1
    assert "1 leaf" in text(browser, "#size-now")
    slider = browser.find_element(By.ID, "slider")
    slider.send_keys(Keys.ARROW_RIGHT)
    second = estimator.pruning_path_.leaves[-2]
    assert leaves(browser) == second
    WebDriverWait(browser, 5).until(lambda page: f"{second} rules" in text(page, "#rules-count"))
    browser.execute_script("document.getElementById('as-fitted').click()")
    assert leaves(browser) == estimator.tree_.n_leaves
    assert browser.execute_script(nodes) == before
    assert complaints(browser) == []


# --- predictions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", estimators())
def test_predictions_rules_and_cut_trees_are_those_of_the_estimator(
    browser: Any, reports: Any, name: str
) -> None:
    estimator, X, _ = fitted(name)
    X = X.copy()
    X.iloc[:20, 2] = "a town that nobody knows"
    open_page(browser, reports(name))
    encoded = estimator.read(X)
    rows = []
    for i in range(len(X)):
        cells = [encoded.column(j)[i].item() for j in range(X.shape[1])]
        numeric = [column.kind == "numeric" for column in estimator.schema_.columns]
        rows.append(
            [
                None if (np.isnan(c) if is_number else c == -1) else c
                for c, is_number in zip(cells, numeric, strict=True)
            ]
        )
    found = browser.execute_script(
        "return arguments[0].map(r => { const p = ramifyReport.predictRow(r);"
        " return [p.shares ?? p.value, p.label ?? -1, p.unsure]; })",
        rows,
    )
    assert not any(unsure for _, _, unsure in found)
    if name in ("regression", "absolute", "quantile"):
        np.testing.assert_allclose([v for v, _, _ in found], estimator.predict(X), rtol=1e-12)
    else:
        np.testing.assert_allclose([s for s, _, _ in found], estimator.predict_proba(X), atol=1e-12)
        assert [estimator.classes_[label] for _, label, _ in found] == estimator.predict(X).tolist()
    assert_rules(browser, estimator.tree_)
    steps = browser.execute_script("return ramifyReport.data.path.leaves")
    if estimator.fitted_.path is None and estimator.fitted_.grown is not estimator.tree_:
        steps = []  # cut by what makes no sequence: prune() starts from the grown tree
    for step in range(max(1, len(steps) - 5), len(steps)):
        browser.execute_script("ramifyReport.setStep(arguments[0])", step)
        assert_rules(browser, estimator.prune(n_leaves=steps[step]).tree_)
    assert complaints(browser) == []


def assert_rules(browser: Any, tree: Any) -> None:
    shown = browser.execute_script(
        "return ramifyReport.makeRules().map(r =>"
        " [r.conditions, r.rows, ramifyReport.model.number[r.leaf]])"
    )
    signs = [[c.replace(" <= ", " ≤ ") for c in rule.conditions] for rule in tree.rules()]
    expected = [[c, r.support, r.leaf] for c, r in zip(signs, tree.rules(), strict=True)]
    assert shown == expected


def test_typing_values_shows_the_way(browser: Any, reports: Any) -> None:
    estimator, X, y = fitted("pruned")
    open_page(browser, reports("pruned"))
    browser.find_element(By.ID, "tab-explain").click()
    number = browser.find_element(By.ID, "value-0")
    number.send_keys("71.5")
    town = browser.find_elements(By.ID, "value-2")
    row = {"size": 71.5}
    if town:
        town[0].send_keys("town 7")
        row["town"] = "town 7"
    assert text(browser, "#verdict") == str(estimator.explain(row).prediction)
    assert browser.find_elements(By.CSS_SELECTOR, ".node.way")
    number.clear()
    number.send_keys("no number")
    assert number.get_attribute("aria-invalid") == "true"
    example = browser.find_element(By.ID, "example")
    example.find_elements(By.TAG_NAME, "option")[1].click()
    assert text(browser, "#verdict") == str(estimator.predict(X[:1])[0])
    assert text(browser, "#truth").startswith(f"In the data it is {y.iloc[0]}")
    number.clear()
    number.send_keys("12")
    assert not browser.find_elements(By.ID, "truth")  # no row of the data any more
    assert complaints(browser) == []


def test_long_names_of_classes_break_between_their_words(browser: Any, tmp_path: Path) -> None:
    names = ["alternarialeaf-spot", "frog-eye-leaf-spot", "diaporthe-pod-&-stem-blight", "rot"]
    X, y = [[float(i)] for i in range(80)], [names[i // 20] for i in range(80)]
    page = TreeClassifier().fit(X, y).report(tmp_path / "long.html", X, y, n_permutations=0)
    open_page(browser, page)
    pieces = browser.execute_script(
        "return [...document.querySelectorAll('#panel-node .scroll thead th + th')].map(head =>"
        " [...head.querySelectorAll('span:not(.swatch)')].map(one =>"
        " [one.textContent, one.getClientRects().length, one.getBoundingClientRect().bottom]))"
    )
    assert ["".join(text for text, _, _ in head) for head in pieces] == sorted(names)
    assert all(lines == 1 for head in pieces for _, lines, _ in head)
    assert [text for text, _, _ in pieces[2]] == ["frog-eye-leaf-", "spot"]
    assert pieces[2][0][2] < pieces[2][1][2]  # one below the other


# --- tables, themes, windows --------------------------------------------------------------------


def test_rules_are_searched_and_sorted(browser: Any, reports: Any) -> None:
    estimator, _, _ = fitted("grown")
    open_page(browser, reports("grown"))
    rules = estimator.tree_.rules()
    assert text(browser, "#rules-count") == f"{len(rules)} rules"
    browser.find_element(By.ID, "search").send_keys("size town top")
    needed = [
        rule
        for rule in rules
        if all(word in " and ".join(rule.conditions) + str(rule.label) for word in ("size", "town"))
        and "top" in (" and ".join(rule.conditions) + " " + str(rule.label)).lower()
    ]
    assert 0 < len(needed) < len(rules)
    WebDriverWait(browser, 5).until(
        lambda page: text(page, "#rules-count") == f"{len(needed)} of {len(rules)} rules"
    )
    button = browser.find_element(By.CSS_SELECTOR, "th[data-key='rows'] button")
    browser.execute_script("arguments[0].click()", button)
    shown = browser.execute_script(
        "return [...document.querySelectorAll('#rules-rows tr')].map(r => r.cells[2].textContent)"
    )
    expected = sorted((rule.support for rule in needed), reverse=True)
    assert [int(cell.replace(",", "")) for cell in shown] == expected[:50]
    assert complaints(browser) == []


def contrast(one: list[float], two: list[float]) -> float:
    """Ratio of WCAG 2."""

    def luminance(rgb: list[float]) -> float:
        linear = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
            for c in (value / 255 for value in rgb)
        ]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_light_and_dark_can_be_read(browser: Any, reports: Any) -> None:
    open_page(browser, reports("leaf"))
    paper = "return getComputedStyle(document.body).backgroundColor"
    seen = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        seen.append(browser.execute_script(paper))
        check_contrasts(browser)
    browser.find_element(By.ID, "theme").click()  # not the theme of the system
    assert seen[0] != seen[1] and browser.execute_script(paper) == seen[0]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def check_contrasts(browser: Any) -> None:
    colours = browser.execute_script(
        "const of = name => { const e = document.createElement('i'); document.body.append(e);"
        " e.style.color = `var(--${name})`; const c = getComputedStyle(e).color; e.remove();"
        " return c.match(/[0-9.]+/g).slice(0, 3).map(Number); };"
        "return Object.fromEntries(['paper', 'ground', 'ink', 'pale', 'accent', 'second', 'third',"
        " 'warn', 'warn-ink', 'soft'].map(n => [n, of(n)]))"
    )
    for ink in ("ink", "pale"):
        for paper in ("paper", "ground", "soft"):
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)
    assert contrast(colours["warn-ink"], colours["warn"]) >= 4.5
    for line in ("accent", "second", "third"):
        assert contrast(colours[line], colours["paper"]) >= 3, line


def test_a_phone(browser: Any, reports: Any) -> None:
    for name in ("pruned", "regression"):
        open_page(browser, reports(name), width=380, height=800)
        width, inner = browser.execute_script(
            "return [document.documentElement.scrollWidth, window.innerWidth]"
        )
        assert width <= inner
        assert browser.find_elements(By.CSS_SELECTOR, "#world .node")
        small = browser.execute_script("return ramifyReport.view.k")
        assert small > 0.45
    assert complaints(browser) == []


def test_2000_leaves_are_folded_and_can_be_used(browser: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(9000, 6)), rng.integers(0, 2, 9000)
    clf = TreeClassifier(max_leaves=2000).fit(X, y)
    open_page(browser, clf.report(tmp_path / "r.html", X, y))
    assert leaves(browser) == 2000
    drawn = "return document.querySelectorAll('#world .node').length"
    before = browser.execute_script(drawn)
    assert before <= 50
    last = clf.tree_.rules()[-1].leaf
    browser.execute_script("ramifyReport.select(arguments[0])", last)
    assert f"Leaf {last}" in text(browser, "#panel-node")
    browser.find_element(By.ID, "more").click()
    assert browser.execute_script(drawn) > before
    assert complaints(browser) == []


# --- the layout ---------------------------------------------------------------------------------


def test_the_page_lays_out_as_python_does(browser: Any, reports: Any) -> None:
    open_page(browser, reports("leaf"))
    rng = np.random.default_rng(0)
    for _ in range(20):
        n = int(rng.integers(1, 60))
        children: list[list[int]] = [[] for _ in range(n)]
        for node in range(1, n):
            children[int(rng.integers(max(0, node - 6), node))].append(node)
        widths, heights = rng.uniform(5, 90, (2, n)).tolist()
        for sideways in (False, True):
            found = browser.execute_script(
                "return ramifyReport.layout(...arguments)",
                children,
                widths,
                heights,
                sideways,
                14,
                44,
            )
            made = layout(children, widths, heights, sideways=sideways)
            np.testing.assert_allclose(found["x"], made.x, atol=1e-6)
            np.testing.assert_allclose(found["y"], made.y, atol=1e-6)
