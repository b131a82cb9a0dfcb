"""The studio for everyone: keys alone, a phone, hostile names, two windows, and axe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.report_browser import axe_source, browser, complaints, text
from helpers.studio_data import (
    EVIL_NAME,
    edit,
    open_session,
    serving,
    settled,
    write_messy_csv,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from ramify.studio.session import Session

__all__ = ["browser"]  # a fixture

STEPS = ("data", "grow", "tree", "judge", "ship")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    opened = open_session(write_messy_csv(tmp_path / "t.csv"))
    opened.choose({"roles": {"account": "ignore"}}, opened.version)
    opened.grow(opened.version)
    return settled(opened)


def wait(browser: Any, condition: Any) -> Any:
    return WebDriverWait(browser, 30, 0.05).until(condition)


def defects(browser: Any) -> list[Any]:
    """What the browser complains of, but for what was tried and overtaken by the edit itself."""
    return [one for one in complaints(browser) if "/api/price" not in one["message"]]


def visit(browser: Any, address: str, step: str = "data", width: int = 1400) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    browser.get(address)
    wait(browser, lambda page: page.execute_script("return window.ramifyStudio?.state?.table"))
    go(browser, step)


def go(browser: Any, step: str) -> None:
    browser.execute_script("document.getElementById(arguments[0]).click()", f"go-{step}")
    ready = {
        "data": "#parsing table",
        "grow": "#dial",
        "tree": "#cut-grip, #levels-part",
        "judge": "#beside",
        "ship": ".form",
    }[step]
    wait(browser, lambda page: page.find_elements(By.CSS_SELECTOR, ready))


def number(browser: Any) -> int:
    return int(browser.execute_script("return ramifyStudio.parts?.data.number ?? -1"))


def after_edit(browser: Any, act: Any) -> None:
    before = number(browser)
    act()
    wait(browser, lambda page: number(page) > before)
    wait(browser, lambda page: page.execute_script("return ramifyStudio.parts.ready === true"))


def test_a_threshold_moves_by_keys_alone(browser: Any, session: Session) -> None:
    with serving(session) as address:
        visit(browser, address, "tree")
        grip = browser.find_element(By.ID, "cut-grip")
        before = float(grip.get_attribute("aria-valuenow"))
        browser.execute_script("arguments[0].focus()", grip)
        ActionChains(browser).send_keys(Keys.ARROW_RIGHT * 3).perform()
        wait(browser, lambda page: "What this would cost" in text(page, "#price"))
        tried = float(grip.get_attribute("aria-valuenow"))
        assert tried > before
        ActionChains(browser).send_keys(Keys.ESCAPE).perform()
        assert float(grip.get_attribute("aria-valuenow")) == before
        ActionChains(browser).send_keys(Keys.ARROW_RIGHT * 3).perform()
        after_edit(browser, lambda: ActionChains(browser).send_keys(Keys.ENTER).perform())
        condition = session.present_tree().editor.history[0].arguments["condition"]
        assert condition["threshold"] == tried
        # The focus is where it was, so that one can go on.
        wait(
            browser,
            lambda page: page.execute_script("return document.activeElement.id") == "cut-grip",
        )
        assert defects(browser) == []
        browser.get("about:blank")


def test_levels_move_by_clicks_and_by_dragging(browser: Any, session: Session) -> None:
    edit(session, "split", 0, condition={"column": "plan", "codes": [[0, 1], [2, 3, 4]]})
    levels = session.present_tree().editor.tree.schema["plan"].levels

    def branches() -> list[set[str]]:
        condition = session.present_tree().editor.tree.nodes[0].condition
        return [set(one) for one in condition.branches]

    with serving(session) as address:
        visit(browser, address, "tree")
        chip = f".chip[data-level='{levels[2]}']"
        after_edit(
            browser,
            lambda: browser.execute_script("document.querySelector(arguments[0]).click()", chip),
        )
        assert branches() == [{levels[0], levels[1], levels[2]}, {levels[3], levels[4]}]
        wait(browser, lambda page: page.find_elements(By.CSS_SELECTOR, f"[data-branch='0'] {chip}"))
        drag = (
            "const chip = document.querySelector(arguments[0]);"
            "const box = document.querySelector('[data-branch=\"1\"]');"
            "const data = new DataTransfer();"
            "const fire = (on, name) => on.dispatchEvent(new DragEvent(name,"
            " {dataTransfer: data, bubbles: true, cancelable: true}));"
            "fire(chip, 'dragstart'); fire(box, 'dragover');"
        )
        browser.execute_script(drag, chip)
        wait(browser, lambda page: "What this would cost" in text(page, "#price"))
        after_edit(browser, lambda: browser.execute_script(drag + "fire(box, 'drop');", chip))
        assert branches() == [{levels[0], levels[1]}, {levels[2], levels[3], levels[4]}]
        history = [one.action for one in session.present_tree().editor.history]
        assert history == ["split", "move_levels", "move_levels"]
        assert defects(browser) == []
        browser.get("about:blank")


def test_two_windows_show_the_same(browser: Any, session: Session) -> None:
    with serving(session) as address:
        visit(browser, address, "tree")
        base = address.split("/?")[0]
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        visit(browser, f"{base}/", "tree")
        after_edit(
            browser, lambda: browser.execute_script("document.getElementById('lock').click()")
        )
        browser.switch_to.window(first)
        # The first window is asked before it has looked: it must not undo what it has not seen.
        script = (
            "const done = arguments[arguments.length - 1];"
            "const body = JSON.stringify({action: 'collapse', node: 0, version: arguments[0]});"
            "fetch('/api/edit', {method: 'POST', body})"
            ".then((a) => a.json().then((j) => done([a.status, j.stale])));"
        )
        assert browser.execute_async_script(script, session.version - 1) == [409, True]
        wait(browser, lambda page: text(page, "#lock") == "Unlock")
        assert len(session.present_tree().editor.history) == 1
        browser.switch_to.window(browser.window_handles[1])
        browser.close()
        browser.switch_to.window(first)
        browser.get("about:blank")
        complaints(browser)


def test_names_are_text_in_every_step(browser: Any, session: Session) -> None:
    session.choose({"target": EVIL_NAME, "roles": {"account": "ignore"}}, session.version)
    session.grow(session.version)
    settled(session)
    edit(session, "regrow", 0, "<i id=broken>because</i>", by="greedy", max_depth=2)
    edit(session, "lock", 0, "<i id=broken>because</i>")
    with serving(session) as address:
        visit(browser, address)
        for step in STEPS:
            go(browser, step)
            assert browser.execute_script("return window.broken") is None
            assert not browser.find_elements(By.ID, "broken")
            assert not browser.find_elements(By.CSS_SELECTOR, "main b > b, main img[onerror]")
        go(browser, "tree")
        # In one call: the list may be drawn anew between finding it and reading it.
        words = "return document.querySelector('#edits').innerText"
        assert "<i id=broken>because</i>" in browser.execute_script(words)
        assert defects(browser) == []
        browser.get("about:blank")


@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_wider_than_a_phone(browser: Any, session: Session, step: str) -> None:
    edit(session, "lock", 0)
    with serving(session) as address:
        visit(browser, address, step, width=390)
        wide = browser.execute_script(
            "return [document.documentElement.scrollWidth, window.innerWidth]"
        )
        assert wide[0] <= wide[1] + 1
        browser.get("about:blank")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, session: Session, theme: str) -> None:
    source = axe_source()
    edit(
        session,
        "split",
        0,
        "known earlier",
        condition={"column": "plan", "codes": [[0, 1], [2, 3, 4]]},
    )
    with serving(session) as address:
        visit(browser, address)
        browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
        browser.refresh()
        wait(browser, lambda page: page.execute_script("return window.ramifyStudio?.state?.table"))
        browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        browser.execute_script(source)
        found = {}
        for step in STEPS:
            go(browser, step)
            result = browser.execute_async_script(
                "const done = arguments[arguments.length - 1];"
                "axe.run(document, {resultTypes: ['violations']}).then(done)"
            )
            serious = [
                (one["id"], [node["html"][:160] for node in one["nodes"]][:3])
                for one in result["violations"]
                if one["impact"] in ("serious", "critical")
            ]
            if serious:
                found[step] = serious
        assert found == {}, json.dumps(found, indent=1)
        browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
        browser.get("about:blank")
