"""The report in a browser: for every window, by keyboard, and for readers who cannot see it."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.report_browser import axe_source, browser, complaints, open_page, reports, text
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

__all__ = ["browser", "reports"]  # fixtures


@pytest.mark.parametrize("name", ["pruned", "regression"])
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (1300, "dark"), (390, "light")])
def test_axe_finds_nothing_serious(
    browser: Any, reports: Any, name: str, width: int, scheme: str
) -> None:
    source = axe_source()
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    open_page(browser, reports(name), width=width)
    browser.execute_script(source)
    for tab in ("tab-explain", "tab-node"):
        browser.execute_script("document.getElementById(arguments[0]).click()", tab)
        found = browser.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map("
            "v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 200))])))"
        )
        assert [one for one in found if one[0] in ("serious", "critical")] == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("name", ["pruned", "regression"])
def test_nothing_is_cut_off_on_a_phone(browser: Any, reports: Any, name: str) -> None:
    open_page(browser, reports(name), width=390, height=844)
    wide, outside = browser.execute_script(
        "const cut = [...document.querySelectorAll('button, input, select, summary, nav a, h2, p')]"
        ".filter(e => e.checkVisibility() && !e.closest('.scroll, .unseen, .skip, .menu > div'))"
        ".filter(e => { const b = e.getBoundingClientRect();"
        " return b.width > 0 && (b.left < -1 || b.right > innerWidth + 1); })"
        ".map(e => e.outerHTML.slice(0, 120));"
        "return [document.documentElement.scrollWidth, cut.filter(h => !h.includes('skip'))]"
    )
    assert wide <= 390 and outside == []
    browser.find_element(By.CSS_SELECTOR, "#save-menu summary").click()
    box = browser.execute_script(
        "const b = document.querySelector('#save-menu > div').getBoundingClientRect();"
        "return [b.left, b.right]"
    )
    assert box[0] >= 0 and box[1] <= 390
    browser.execute_script("ramifyReport.select(1)")
    plot = browser.execute_script(
        "const plot = document.querySelector('#panel-node .dist, #panel-node .level-bars');"
        "const b = plot.getBoundingClientRect(); return [b.left, b.right, b.width]"
    )
    assert plot[0] >= 0 and plot[1] <= 390 and plot[2] > 250
    assert complaints(browser) == []


def test_every_control_is_reached_by_tab_named_and_seen(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    wanted = set(
        browser.execute_script(
            "return [...document.querySelectorAll('main button[id], main input[id],"
            " main select[id], #theme')].filter(e => e.checkVisibility() && e.tabIndex >= 0"
            " && !e.disabled && !e.closest('#save-menu > div')).map(e => e.id)"
        )
    )
    assert {"fit", "minis", "slider", "tab-node", "search", "theme"} <= wanted
    reached, unnamed, unseen, tree = set(), [], [], False
    for _ in range(120):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        tag, name, words, outline, role = browser.execute_script(
            "const e = document.activeElement, s = getComputedStyle(e);"
            "const box = e.querySelector(':scope > .box');"
            "return [e.tagName, e.id, (e.getAttribute('aria-label') || e.textContent ||"
            " (e.labels && e.labels[0] && e.labels[0].textContent) || '').trim(),"
            " box ? getComputedStyle(box).strokeWidth !== '1px' : s.outlineStyle !== 'none',"
            " e.getAttribute('role')]"
        )
        if tag == "BODY":
            break
        reached.add(name)
        tree |= role == "treeitem"
        if not words:
            unnamed.append((tag, name))
        if not outline:
            unseen.append((tag, name))
    assert wanted <= reached and tree
    assert unnamed == [] and unseen == []


def test_the_tree_is_a_tree_for_screen_readers(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    assert browser.find_element(By.ID, "canvas").get_attribute("role") == "tree"
    items = browser.execute_script(
        "return [...document.querySelectorAll('#world .node')].map(n => ['role', 'aria-level',"
        " 'aria-posinset', 'aria-setsize', 'aria-selected', 'aria-label'].map("
        "a => n.getAttribute(a)))"
    )
    assert len(items) > 4
    for role, level, place, size, selected, label in items:
        assert role == "treeitem" and int(level) >= 1 and 1 <= int(place) <= int(size)
        assert selected in ("true", "false") and "rows" in label
    assert sum(item[4] == "true" for item in items) == 1
    assert (
        browser.execute_script(
            "return document.querySelectorAll('#world .node[tabindex=\"0\"]').length"
        )
        == 1
    )


def test_the_menu_of_saves_by_keyboard(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    summary = browser.find_element(By.CSS_SELECTOR, "#save-menu summary")
    browser.execute_script("arguments[0].focus()", summary)
    ActionChains(browser).send_keys(Keys.ENTER).send_keys(Keys.TAB).perform()
    assert browser.execute_script("return document.activeElement.id") == "save-svg"
    ActionChains(browser).send_keys(Keys.ESCAPE).perform()
    assert not browser.find_element(By.ID, "save-svg").is_displayed()
    assert browser.execute_script("return document.activeElement.tagName") == "SUMMARY"


def test_two_things_have_two_names(browser: Any, reports: Any) -> None:
    open_page(browser, reports("pruned"))
    assert text(browser, "#fit") == "Fit to screen"
    assert "Settings" in text(browser, "nav") and "Fit" not in text(browser, "nav")
