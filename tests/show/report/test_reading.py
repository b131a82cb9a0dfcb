"""The report in a browser: its texts belong to the tree that is shown, and have room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.report_browser import browser, complaints, open_page, reports, text
from helpers.report_data import fitted
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

__all__ = ["browser", "reports"]  # fixtures


def test_a_drawing_that_does_not_fit_leaves_no_room_empty(browser: Any, reports: Any) -> None:
    open_page(browser, reports("grown"), width=700)
    for _ in range(2):
        browser.execute_script("document.getElementById('more').click()")
        start, end, size, k = browser.execute_script(
            "const v = ramifyReport.view, c = document.getElementById('canvas').clientWidth;"
            "return [v.x, v.x + v.width * v.k, c, v.k]"
        )
        assert end - start > size and k > 0.6
        assert start <= 17 and end >= size - 17
        browser.execute_script("document.getElementById('turn').click()")
        start, end, size, bottom = browser.execute_script(
            "const v = ramifyReport.view, c = document.getElementById('canvas').clientHeight;"
            "return [v.y, v.y + v.height * v.k, c, document.getElementById('legend').offsetHeight]"
        )
        assert start <= 17 and end >= size - bottom - 17
        browser.execute_script("document.getElementById('turn').click()")


def test_columns_are_called_used_and_asked_for_as_the_shown_tree_uses_them(
    browser: Any, tmp_path: Path
) -> None:
    estimator, X, y = fitted("pruned")
    estimator = estimator.prune(n_leaves=2)
    open_page(browser, estimator.report(tmp_path / "r.html", X, y))
    used = {node.condition.attribute for node in estimator.tree_.nodes if node.children}
    assert used < set(X.columns)  # the grown tree uses them all
    marked = browser.execute_script(
        "return [...document.querySelectorAll('#data-body tbody tr')]"
        ".filter(r => r.querySelector('.pill')).map(r => r.cells[0].firstChild.textContent)"
    )
    assert set(marked) == used
    asked = (
        "return [...document.querySelectorAll('.explain .field')]"
        ".filter(f => !f.hidden && f.htmlFor).map(f => f.firstChild.textContent)"
    )
    assert set(browser.execute_script(asked)) == used
    browser.execute_script("ramifyReport.setStep(0)")
    assert set(browser.execute_script(asked)) == set(X.columns)
    browser.execute_script("ramifyReport.setStep(1000)")
    assert browser.execute_script(asked) == []


def test_levels_that_a_rule_does_not_name_are_found_and_shown_on_hover(
    browser: Any, reports: Any
) -> None:
    estimator, _, _ = fitted("grown")
    open_page(browser, reports("grown"))
    rule, town = next(
        (rule, level)
        for rule in estimator.tree_.rules()
        for level in rule_levels(estimator.tree_, rule.leaf, "town")
        if not any(level in condition for condition in rule.conditions)
    )
    search = browser.find_element(By.ID, "search")
    search.send_keys(town)
    shown = "return [...document.querySelectorAll('.rule')].map(b => b.textContent)"
    words = " and ".join(rule.conditions).replace(" <= ", " ≤ ")
    WebDriverWait(browser, 5).until(lambda page: " of " in text(page, "#rules-count"))
    found = browser.execute_script(shown)
    assert words in found
    button = browser.find_elements(By.CSS_SELECTOR, ".rule")[found.index(words)]
    browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button
    )
    ActionChains(browser).move_to_element(button).perform()
    assert town in button.get_attribute("title")


def rule_levels(tree: Any, leaf: int, attribute: str) -> list[str]:
    """The levels of an attribute that reach a leaf; none if the path does not ask for it."""
    levels = None
    node = leaf
    while (parent := int(tree.data["parent"][node])) >= 0:
        condition = tree.condition(parent)
        if condition.attribute == attribute:
            branch = node - int(tree.data["first_child"][parent])
            own = set(condition.branches[branch])
            levels = own if levels is None else levels & own
        node = parent
    return sorted(levels or [])


def test_what_nearly_won_is_told_to_a_tenth_or_it_is_said_why_not(
    browser: Any, reports: Any
) -> None:
    estimator, _, _ = fitted("grown")
    open_page(browser, reports("grown"))
    root = estimator.tree_.nodes[0]
    second = root.competitors[0].gain / root.gain
    assert f"{100 * second:.1f} %" in text(browser, ".rivals")
    open_page(browser, reports("optimal"))
    assert "no record of it" in text(browser, "#panel-node")


def test_figures_of_a_regression_follow_the_size(browser: Any, reports: Any) -> None:
    estimator, X, y = fitted("regression")
    open_page(browser, reports("regression"))
    leaves_of = browser.execute_script("return ramifyReport.data.path.leaves")
    for step in (len(leaves_of) - 1, len(leaves_of) - 3):
        browser.execute_script("ramifyReport.setStep(arguments[0])", step)
        predicted = estimator.prune(n_leaves=leaves_of[step]).predict(X)
        rmse, mae = (
            float(text(browser, f"#measures tr[data-measure={name}] td.lead"))
            for name in ("rmse", "mae")
        )
        assert rmse == pytest.approx(np.sqrt(((predicted - y) ** 2).mean()), rel=1e-3)
        assert mae == pytest.approx(np.abs(predicted - y).mean(), rel=1e-3)
        assert f"{leaves_of[step]} lea" in text(browser, "#figures").replace("\n", " ")
    browser.execute_script("ramifyReport.setStep(ramifyReport.data.path.fitted)")
    labels = browser.execute_script(
        "const s = document.querySelector('.scatter').getBoundingClientRect();"
        "return [...document.querySelectorAll('.scatter text')].every(t => {"
        " const b = t.getBoundingClientRect();"
        " return b.left >= s.left - 1 && b.right <= s.right + 1; })"
    )
    assert labels
    assert complaints(browser) == []


def test_rules_have_room_on_a_phone(browser: Any, reports: Any) -> None:
    open_page(browser, reports("grown"), width=380, height=800)
    width, inner = browser.execute_script(
        "return [document.querySelector('.rule').parentNode.clientWidth, window.innerWidth]"
    )
    assert width > 0.7 * inner
