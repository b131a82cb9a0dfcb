"""The studio as a person uses it, in Chromium, from a dropped file to an exported tree."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.report_browser import browser, complaints, text
from helpers.studio_data import (
    EVIL_LEVEL,
    EVIL_NAME,
    open_session,
    serving,
    write_messy_csv,
)
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from ramify.studio.security import Folders
from ramify.studio.session import Session

__all__ = ["browser"]  # a fixture
_NOT_YET = (
    NoSuchElementException,
    StaleElementReferenceException,
    ElementClickInterceptedException,
)


def wait(browser: Any, condition: Callable[[Any], Any], seconds: float = 30) -> Any:
    return WebDriverWait(browser, seconds, 0.05).until(condition)


def state(browser: Any) -> Any:
    return browser.execute_script("return ramifyStudio.state")


def window(browser: Any, width: int = 1400, height: int = 1000) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )


def visit(browser: Any, address: str) -> None:
    window(browser)
    browser.get(address)
    wait(browser, lambda page: page.execute_script("return window.ramifyStudio?.state != null"))


def click(browser: Any, selector: str) -> None:
    """Click in the middle of the window, where nothing lies above."""

    def clicked(page: Any) -> bool:
        found = page.find_element(By.CSS_SELECTOR, selector)
        page.execute_script(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found
        )
        if not found.is_enabled():
            return False
        found.click()
        return True

    WebDriverWait(browser, 30, 0.05, _NOT_YET).until(clicked)


def defects(browser: Any) -> list[Any]:
    """What the browser complains of, but for changes that the server refused."""
    return [
        one
        for one in complaints(browser)
        if "the server responded with a status of 400" not in one["message"]
    ]


def go(browser: Any, step: str) -> None:
    click(browser, f"#go-{step}")


def tree_number(browser: Any) -> int:
    """The number of the tree that is on the page, when it is ready."""
    wait(browser, lambda page: page.execute_script("return ramifyStudio.parts?.ready === true"))
    return int(browser.execute_script("return ramifyStudio.parts.data.number"))


def after_edit(browser: Any, act: Callable[[], Any]) -> None:
    """Do something that changes the tree, and wait until the new one is on the page."""
    before = tree_number(browser)
    act()
    wait(browser, lambda page: tree_number(page) > before)


def drop(browser: Any, file: Path) -> None:
    """Drop a file on the page: an event with the file that an input holds."""
    content = file.read_text(encoding="utf-8")
    browser.execute_script(
        "const data = new DataTransfer();"
        "data.items.add(new File([arguments[0]], arguments[1]));"
        "document.getElementById('drop').dispatchEvent("
        "new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));",
        content,
        file.name,
    )


def drag_threshold(browser: Any, by: int, *, release: bool = True) -> None:
    grip = wait(browser, lambda page: page.find_element(By.CSS_SELECTOR, "#cut-grip .knob"))
    browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", grip
    )
    chain = ActionChains(browser).move_to_element(grip).click_and_hold()
    chain.move_by_offset(by // 2, 0).move_by_offset(by - by // 2, 0)
    if release:
        chain.release()
    chain.perform()


def test_from_a_dropped_file_to_an_exported_tree(browser: Any, tmp_path: Path) -> None:
    source = write_messy_csv(tmp_path / "source.csv")
    folder = tmp_path / "open"
    folder.mkdir()
    session = Session(Folders(folder), author="eve")
    with serving(session) as address:
        visit(browser, address)
        assert "token" not in browser.current_url

        # A file is dropped: its columns and a first tree are there.
        drop(browser, source)
        wait(browser, lambda page: state(page)["tree"])
        assert (folder / "source.csv").read_bytes() == source.read_bytes()
        assert "1,500 rows, 11 columns" in text(browser, "#file-line")
        wait(browser, lambda page: "found: semicolon" in text(page, "#parsing"))
        page = text(browser, "#step-data")
        assert EVIL_NAME in page and EVIL_LEVEL in page
        assert browser.execute_script("return window.broken") is None
        assert state(browser)["choices"]["target"] == "left"
        assert "left out: identifier" in page

        # The remedies: a leak is left out.
        assert "account nearly determines left" in page
        wait(browser, lambda page: state(page)["job"]["state"] == "done")
        remedy = browser.find_element(By.XPATH, "//li[contains(., 'nearly determines')]//button")
        remedy.click()
        wait(browser, lambda page: state(page)["choices"]["roles"].get("account") == "ignore")
        assert "account" not in state(browser)["table"]["used"]

        # Grow.
        go(browser, "grow")
        click(browser, "#grow")
        wait(
            browser,
            lambda page: page.execute_script("return !document.querySelector('#step-tree').hidden"),
        )
        number = tree_number(browser)
        assert state(browser)["tree"]["leaves"] > 2
        assert "account" not in text(browser, "#world")

        # Drag the threshold of the root: the price is there before it is let go.
        names = [
            one["name"] for one in browser.execute_script("return ramifyStudio.parts.data.columns")
        ]
        root = browser.execute_script("return ramifyStudio.parts.data.nodes.attr[0]")
        assert names[root] in ("tenure", "calls", "fee")
        drag_threshold(browser, 40, release=False)
        wait(browser, lambda page: "What this would cost" in text(page, "#price"))
        tried = text(browser, "#price-change")
        assert tree_number(browser) == number
        after_edit(browser, lambda: ActionChains(browser).release().perform())
        assert "What the last edit cost" in text(browser, "#price")
        assert text(browser, "#price-change") == tried
        assert "on held-out rows" in text(browser, "#price")
        assert len(state(browser)["tree"]["history"]) == 1

        # Take the runner-up, with a reason.
        browser.find_element(By.ID, "reason").send_keys("known earlier")
        wait(browser, lambda page: page.find_element(By.ID, "take-runner-up").is_enabled())
        winner = state(browser)["tree"]["history"][0]["arguments"]["condition"]["column"]
        after_edit(browser, lambda: click(browser, "#take-runner-up"))
        history = state(browser)["tree"]["history"]
        assert history[1]["reason"] == "known earlier"
        assert history[1]["arguments"]["condition"]["column"] != winner
        assert "known earlier" in text(browser, "#edits") and "known earlier" in text(
            browser, "#mark"
        )

        # Undo, by the button; redo and undo by keys.
        after_edit(browser, lambda: click(browser, "#undo"))
        assert len(state(browser)["tree"]["history"]) == 1
        browser.execute_script("document.activeElement.blur()")
        after_edit(
            browser,
            lambda: (
                ActionChains(browser)
                .key_down(Keys.CONTROL)
                .send_keys("y")
                .key_up(Keys.CONTROL)
                .perform()
            ),
        )
        assert len(state(browser)["tree"]["history"]) == 2
        after_edit(browser, lambda: click(browser, "#undo"))

        # Lock the root: it says so, and refuses to be cut.
        after_edit(browser, lambda: click(browser, "#lock"))
        assert "Locked" in text(browser, "#mark")
        wait(browser, lambda page: page.find_element(By.ID, "lock").text == "Unlock")
        click(browser, "#collapse")
        wait(browser, lambda page: "is locked" in text(page, "#message"))

        # Grow a branch again, as the best tree of its depth.
        browser.execute_script("ramifyStudio.parts.select(1)")
        wait(
            browser,
            lambda page: (
                "Asks" in text(page, "#asked-here") or "Predicts" in text(page, "#asked-here")
            ),
        )
        click(browser, "#regrow-menu summary")
        after_edit(browser, lambda: click(browser, "#regrow-optimal"))
        assert state(browser)["tree"]["history"][-1]["action"] == "regrow"

        # Judge: beside the baseline and the tree as it was grown, and on folds.
        go(browser, "judge")
        wait(browser, lambda page: "As it was grown" in text(page, "#beside"))
        assert "answer differently for" in text(browser, "#differ")
        click(browser, "#compare")
        wait(browser, lambda page: page.find_elements(By.ID, "comparison"), 120)
        assert "As edited" in text(browser, "#comparison")
        click(browser, "#show-cell")
        wait(browser, lambda page: "Save all as CSV" in text(page, "#rows-part"))

        # Ship: SQL answers as the tree does.
        go(browser, "ship")
        wait(browser, lambda page: page.find_elements(By.CSS_SELECTOR, "[data-form=sql]"))
        click(browser, "[data-form=sql]")
        wait(browser, lambda page: "Saved source-tree.sql" in text(page, "#message"))
        click(browser, "#code-toggle")
        wait(browser, lambda page: "TreeEditor" in text(page, "#code-script"))
        assert "ramify fit source.csv --target left" in text(browser, "#code-command")
        script = browser.execute_script("return document.querySelector('#code-script').textContent")
        leaves = state(browser)["tree"]["leaves"]

        # The script does again what was clicked.
        (folder / "again.py").write_text(script + "clf.save('again.json')\n", encoding="utf-8")
        run = subprocess.run(
            [sys.executable, "again.py"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        import ramify

        again = ramify.load(folder / "again.json")
        assert session.opened is not None
        assert again.tree_.to_text() == session.opened.editor.tree.to_text()
        assert defects(browser) == []
        browser.get("about:blank")

    # Reopened, it is as it was left.
    reopened = open_session(folder / "source.csv")
    with serving(reopened) as address:
        visit(browser, address)
        wait(browser, lambda page: state(page)["tree"])
        assert state(browser)["tree"]["leaves"] == leaves
        assert [one["action"] for one in state(browser)["tree"]["history"]] == [
            "split",
            "lock",
            "regrow",
        ]
        assert tree_number(browser) > 0
        assert defects(browser) == []
