"""The questionnaire in a browser, as a person uses it: by keyboard, on a phone, copied, printed."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.report_browser import axe_source, browser, complaints, text
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from ramify import TreeClassifier, TreeRegressor
from ramify.export import to_questionnaire

__all__ = ["browser"]  # a fixture

EVIL = "<img src=x onerror=\"document.title='broken'\"></script>"


def people(n: int = 900) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "town": rng.choice([f"town {i}" for i in range(60)], n),
            "job": rng.choice(["none", "office", "farm", EVIL], n),
            "member": rng.random(n) < 0.5,
            "joined": pd.Timestamp("2015-01-01") + pd.to_timedelta(rng.integers(0, 2000, n), "D"),
        }
    )
    # The age weighs most, so that it is asked for first.
    east = X["town"].str[5:].astype(int) < 30
    late = X["joined"] > "2018-03-01"
    plan = np.where(
        X["age"] < 40,
        np.where(X["job"].isin(["farm", EVIL]), "A", np.where(late, "B", "A")),
        np.where(X["member"], np.where(east, "C", "D"), "C"),
    )
    return X, pd.Series(plan, name="plan").map("plan {}".format)


X, Y = people()
MODEL = TreeClassifier(min_samples_leaf=20, date_parts=None).fit(X, Y)
WORDS = {"age": "How old are you?", "member": "Are you a member?"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "ask.html"
    to_questionnaire(MODEL, path=path, title=f"Which plan? {EVIL}", questions=WORDS)
    return path


@pytest.fixture
def ask(browser: Any, page: Path) -> Callable[..., Any]:
    """Open the page in a window of a size."""

    def open_at(width: int = 390, height: int = 844, scheme: str = "light") -> Any:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        seen = {"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", seen)
        browser.get(page.as_uri())
        return browser

    return open_at


def focused(browser: Any) -> Any:
    return browser.switch_to.active_element


def press(browser: Any, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def choose(browser: Any, name: str) -> None:
    """Click the button of that name among the answers."""
    buttons = browser.find_elements(By.CSS_SELECTOR, "#form button, .steps button, #result button")
    next(one for one in buttons if one.text == name and one.is_displayed()).click()


def answer(browser: Any, row: dict[str, Any]) -> None:
    """Answer the question that is shown as the row says; None is "I do not know"."""
    named = {WORDS.get(name, f"{name.capitalize()}?"): name for name in row}
    value = row[named[text(browser, "#question")]]
    typed = browser.find_elements(By.ID, "typed")
    search = browser.find_elements(By.ID, "search")
    if value is None:
        choose(browser, "I do not know")
    elif isinstance(value, bool):
        choose(browser, "Yes" if value else "No")
    elif typed and typed[0].get_attribute("type") == "date":
        browser.execute_script("arguments[0].value = arguments[1]", typed[0], str(value)[:10])
        choose(browser, "Next")
    elif typed:
        typed[0].clear()
        typed[0].send_keys(str(value), Keys.ENTER)
    else:
        if search:
            search[0].send_keys(value)
        choose(browser, value)


def asks(browser: Any) -> bool:
    return bool(browser.find_element(By.ID, "ask").is_displayed())


def walk(browser: Any, row: dict[str, Any]) -> None:
    for _ in range(len(row)):
        if not asks(browser):
            return
        answer(browser, row)
    assert not asks(browser)


def rows() -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    found = []
    for i in range(12):
        row = X.iloc[i * 7].to_dict()
        for name in row:
            if rng.random() < 0.2:
                row[name] = None
        found.append(row)
    return found


def test_a_walk_ends_with_the_answer_of_predict(ask: Any) -> None:
    browser = ask()
    for row in rows():
        if asks(browser) is False:
            choose(browser, "Start again")
        walk(browser, row)
        one = pd.DataFrame([row]).astype({"age": float, "joined": "datetime64[ns]"})
        one["member"] = one["member"].astype(object)
        shares = MODEL.predict_proba(one)[0]
        label = MODEL.predict(one)[0]
        share = round(100 * shares.max())
        assert text(browser, "#verdict").startswith(f"plan: {label} (")
        if shares.max() < 0.995:
            assert f"({share} %)" in text(browser, "#verdict")
    assert browser.title == f"Which plan? {EVIL}"
    assert browser.find_elements(By.TAG_NAME, "img") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert complaints(browser) == []


def test_by_keyboard_alone_the_focus_is_on_what_is_new(ask: Any) -> None:
    browser = ask(1200, 900)
    assert text(browser, "#question") == WORDS["age"]
    for _ in range(2):
        press(browser, Keys.TAB)  # past the button for light and dark
    assert focused(browser).get_attribute("id") == "typed"
    press(browser, "1,234", Keys.ENTER)
    assert "could be 1234 or 1.2340" in text(browser, "#problem")
    assert focused(browser).get_attribute("aria-invalid") == "true"
    press(browser, *[Keys.BACKSPACE] * 5)
    press(browser, "71", Keys.ENTER)
    assert not browser.find_element(By.ID, "problem").is_displayed()
    assert text(browser, "#question") == "Town?"
    assert focused(browser).get_attribute("id") == "question"
    press(browser, Keys.TAB, "town 40", Keys.ENTER, Keys.ENTER)
    assert text(browser, "#question") == WORDS["member"]
    assert focused(browser).get_attribute("id") == "question"
    press(browser, Keys.TAB, Keys.ENTER)  # Yes
    assert focused(browser).get_attribute("id") == "verdict"
    assert text(browser, "#verdict").startswith("plan: plan D")
    steps = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "#result ol li")]
    assert len(steps) == 3 and steps[0].startswith("How old are you? 71")
    assert complaints(browser) == []


def test_back_change_and_start_again(ask: Any) -> None:
    browser = ask()
    assert not browser.find_element(By.ID, "back").is_displayed()
    walk(browser, {"age": 25.0, "job": "office", "joined": "2019-01-01"})
    before = text(browser, "#verdict")
    assert before.startswith("plan: plan B")
    choose(browser, "Back")
    assert text(browser, "#question") == "Joined?"
    value = browser.find_element(By.ID, "typed").get_attribute("value")
    assert value == "2019-01-01"
    choose(browser, "Back")
    pressed = browser.find_elements(By.CSS_SELECTOR, "#form button[aria-pressed=true]")
    assert [one.text for one in pressed] == ["office"]
    choose(browser, "farm")  # the date is not needed any more
    assert text(browser, "#verdict").startswith("plan: plan A")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#result ol li")) == 2
    browser.find_elements(By.CSS_SELECTOR, "#result .change")[1].click()
    choose(browser, "office")
    assert text(browser, "#question") == "Joined?"
    assert browser.find_element(By.ID, "typed").get_attribute("value") == "2019-01-01"
    choose(browser, "Next")
    assert text(browser, "#verdict") == before
    choose(browser, "Start again")
    assert text(browser, "#question") == WORDS["age"]
    assert browser.find_element(By.ID, "typed").get_attribute("value") == ""
    assert complaints(browser) == []


def test_the_text_is_copied(ask: Any) -> None:
    browser = ask()
    walk(browser, {"age": 25.0, "job": EVIL})
    browser.execute_script(
        "navigator.clipboard.writeText = async (text) => { window.copied = text; }"
    )
    choose(browser, "Copy as text")
    copied = browser.execute_async_script(
        "const done = arguments[0]; setTimeout(() => done([window.copied,"
        " document.getElementById('copied').textContent]), 50)"
    )
    assert copied[1] == "Copied."
    assert f"2. Job? {EVIL}" in copied[0] and "plan: plan A" in copied[0]
    browser.execute_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    browser.execute_script("document.execCommand = (what) => (window.asked = what) === 'copy'")
    choose(browser, "Copy as text")
    assert (
        browser.execute_async_script(
            "const done = arguments[0]; setTimeout(() => done(window.asked), 50)"
        )
        == "copy"
    )
    assert browser.execute_script("return document.activeElement.id") == "copy"


def test_print_has_the_answers_and_reasons_alone(ask: Any) -> None:
    browser = ask(800, 1000)
    walk(browser, {"age": 71.0, "member": True, "town": "town 40"})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = browser.execute_script(
        "return [...document.querySelectorAll('button, input')]"
        ".filter(e => e.checkVisibility()).length"
    )
    assert shown == 0
    for words in ("How old are you? 71", "What would change the answer"):
        assert words in text(browser, "#result")
    pages = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert base64.b64decode(pages).count(b"/Type /Page\n") == 1
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_nothing_is_cut_off(ask: Any, width: int) -> None:
    browser = ask(width)
    for row in ({"age": 71.0, "member": None, "town": None}, {"age": 25.0, "job": EVIL}):
        while asks(browser):
            assert_inside(browser, width)
            answer(browser, row)
        assert_inside(browser, width)
        choose(browser, "Start again")


def assert_inside(browser: Any, width: int) -> None:
    wide, cut, small = browser.execute_script(
        "const seen = [...document.querySelectorAll('button, input, h1, h2, p, li, td')]"
        ".filter(e => e.checkVisibility());"
        "const out = e => { const b = e.getBoundingClientRect();"
        " return b.left < -1 || b.right > innerWidth + 1; };"
        "const tiny = e => e.matches('#form button') && e.getBoundingClientRect().height < 44;"
        "return [document.documentElement.scrollWidth, seen.filter(out).map(e => e.outerHTML),"
        " seen.filter(tiny).map(e => e.outerHTML)]"
    )
    assert wide <= width and cut == [] and small == []


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1200, "light")])
def test_axe_finds_nothing_serious(ask: Any, width: int, scheme: str) -> None:
    source = axe_source()
    browser = ask(width, scheme=scheme)
    row = {"age": 71.0, "member": True, "town": "town 40"}
    while True:
        browser.execute_script(source)
        found = browser.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map("
            "v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 200))])))"
        )
        assert [one for one in found if one[0] in ("serious", "critical")] == []
        if not asks(browser):
            break
        answer(browser, row)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_and_controls_have_names(ask: Any, scheme: str) -> None:
    """What axe would look at first, also where axe is not installed."""
    browser = ask(390, scheme=scheme)
    row = {"age": 71.0, "member": True, "town": "town 40"}
    while True:
        weak, unnamed = browser.execute_script(CHECKS)
        assert weak == [] and unnamed == []
        if not asks(browser):
            break
        answer(browser, row)


CHECKS = """
const channel = (v) => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]) =>
  0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const colour = (text) => text.match(/[\\d.]+/g).map(Number);
const behind = (e) => {
  for (; e; e = e.parentElement) {
    const found = colour(getComputedStyle(e).backgroundColor);
    if (found.length < 4 || found[3] > 0) return found;
  }
  return [255, 255, 255];
};
const contrast = (e) => {
  const both = [light(colour(getComputedStyle(e).color)), light(behind(e))];
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
};
const ownText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
const byId = (id) => document.getElementById(id) || { textContent: '' };
const name = (e) => (e.getAttribute('aria-label') || e.textContent ||
  byId(e.getAttribute('aria-labelledby')).textContent).trim();
const all = (what) => [...document.querySelectorAll(what)].filter((e) => e.checkVisibility());
const weak = all('button, h1, h2, h3, p, li, th, td, b, span')
  .filter((e) => !e.closest('.unseen') && ownText(e) && contrast(e) < 4.5);
const unnamed = all('button, input, [role=group]').filter((e) => !name(e));
return [weak.map((e) => e.outerHTML), unnamed.map((e) => e.outerHTML)];
"""


def test_a_regression_says_its_spread(browser: Any, tmp_path: Path) -> None:
    y = pd.Series(np.where(X["age"] < 50, 10.0, 20.0) + np.arange(len(X)) % 3, name="price")
    path = tmp_path / "number.html"
    model = TreeRegressor(max_leaves=2).fit(X[["age"]], y)
    to_questionnaire(model, path=path, questions={"age": WORDS["age"]})
    browser.get(path.as_uri())
    answer(browser, {"age": 30.0})
    leaf = model.tree_.nodes[1]
    assert abs(leaf.prediction - 11) < 0.2
    words = text(browser, "#verdict").replace("price: ", "").split(" ± ")
    assert float(words[0]) == pytest.approx(leaf.prediction, rel=1e-5)
    assert float(words[1]) == pytest.approx(model.tree_.spread[1], rel=1e-2)
    assert "How old are you? more than 49.5" in text(browser, "#result ul")
    assert complaints(browser) == []
