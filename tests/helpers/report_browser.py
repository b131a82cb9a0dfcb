"""A browser for the tests of reports, and questions to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.report_data import fitted

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    pytest.skip("chromium and chromedriver are not installed", allow_module_level=True)

from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,950"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Give the file of a report, made once."""
    folder, made = tmp_path_factory.mktemp("reports"), {}

    def get(name: str) -> Path:
        if name not in made:
            estimator, X, y = fitted(name)
            path = folder / f"{name}.html"
            made[name] = estimator.report(path, X, y, X_train=X, y_train=y, n_permutations=0)
        return made[name]

    return get


def open_page(browser: Any, path: Path, width: int = 1300, height: int = 950) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.get(path.as_uri())
    WebDriverWait(browser, 20).until(
        lambda page: page.execute_script("return window.ramifyReport?.ready")
    )


def axe_source() -> str:
    """The text of axe-core, a checker of accessibility, or skip the test.

    It is no part of this repository: ``npm install axe-core`` in its folder, or the path of
    axe.min.js in the environment variable AXE_CORE.
    """
    root = Path(__file__).resolve().parents[2]
    places = [os.environ.get("AXE_CORE"), root / "node_modules" / "axe-core" / "axe.min.js"]
    for place in places:
        if place and Path(place).is_file():
            return Path(place).read_text(encoding="utf-8")
    pytest.skip("axe-core is not installed (npm install axe-core, or its path in AXE_CORE)")


def complaints(browser: Any) -> list[Any]:
    return [entry for entry in browser.get_log("browser") if entry["level"] != "INFO"]


def text(browser: Any, selector: str) -> str:
    return str(browser.find_element(By.CSS_SELECTOR, selector).text)


def leaves(browser: Any) -> int:
    return int(browser.execute_script("return ramifyReport.leavesNow().length"))
