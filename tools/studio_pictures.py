"""The pictures of the studio in README and docs: a walk through it, in Chromium.

python tools/studio_pictures.py docs/images      needs selenium, Chromium and chromedriver
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import WebDriverWait

from ramify.studio.opening import open_file
from ramify.studio.running import listen
from ramify.studio.security import Folders, new_token
from ramify.studio.server import make_app
from ramify.studio.session import Session

WIDTH, HEIGHT = 1400, 900
QUIET = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


def write_table(file: Path, n: int = 4000) -> None:
    """Write customers of a telephone company, as such files are: with keys, holes and prices."""
    rng = np.random.default_rng(3)
    age, months = rng.integers(18, 85, n), rng.integers(0, 72, n)
    plan = rng.choice(["basic", "plus", "family", "business", "student"], n)
    region = rng.choice(["North", "South", "East", "West"], n)
    fee, calls = rng.gamma(4, 9, n) + 10, rng.poisson(1.5, n)
    z = -0.9 - 0.06 * months + 0.75 * calls + 1.1 * (plan == "basic") - 1.3 * (plan == "business")
    left = rng.random(n) < 1 / (1 + np.exp(-(z + 1.3 * (fee > 60))))
    rows = ["customer;age;months;plan;region;fee;calls;joined;account;left"]
    for i in range(n):
        joined = f"{rng.integers(1, 28):02d}.{rng.integers(1, 13):02d}.{2024 - months[i] // 12}"
        price = f"€{fee[i]:.2f}".replace(".", ",")
        state, answer = ("closed", "yes") if left[i] else ("open", "no")
        known = str(age[i]) if rng.random() > 0.04 else ""
        cells = [f"C{i:05d}", known, months[i], plan[i], region[i], price, calls[i], joined]
        rows.append(";".join(map(str, [*cells, state, answer])))
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")


def open_browser() -> Any:
    """Start Chromium with a window of the size of the pictures."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*QUIET, f"--window-size={WIDTH},{HEIGHT}", "--hide-scrollbars"):
        options.add_argument(flag)
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    browser = webdriver.Chrome(options=options, service=service)
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return browser


def settle(session: Session) -> None:
    """Wait until nothing runs."""
    assert session.job is None or session.job.wait(120)


def take_pictures(address: str, session: Session, target: Path) -> None:
    """Walk through the studio, and take a picture of every step."""
    browser = open_browser()
    wait = WebDriverWait(browser, 30, 0.05)

    def click(selector: str) -> None:
        script = (
            "const one = document.querySelector(arguments[0]); if (one) one.click(); return one"
        )
        wait.until(lambda page: page.execute_script(script, selector))

    def picture(name: str, ready: Callable[[Any], Any], top: int = 0) -> None:
        wait.until(ready)
        browser.execute_script("window.scrollTo({top: arguments[0], behavior: 'instant'})", top)
        time.sleep(0.8)  # what is drawn late
        browser.save_screenshot(str(target / f"studio-{name}.png"))

    def there(selector: str) -> Callable[[Any], Any]:
        return lambda page: page.execute_script(
            "return document.querySelector(arguments[0])", selector
        )

    browser.get(address)
    picture("data", there("#parsing table"))
    session.choose({"roles": {"account": "ignore"}}, session.version)
    session.grow(session.version)
    settle(session)
    browser.get(address)
    wait.until(there("#columns"))
    click("#go-grow")
    picture("grow", there("#dial"))
    click("#go-tree")
    grip = wait.until(there("#cut-grip .knob"))
    wait.until(there("#candidates"))
    browser.execute_script("window.scrollTo({top: 0, behavior: 'instant'})")
    browser.execute_script("document.querySelector('.side').scrollTop = 60")
    time.sleep(0.5)
    drag = ActionChains(browser).move_to_element(grip).click_and_hold()
    drag.move_by_offset(12, 0).move_by_offset(12, 0).perform()
    picture("tree", there("#price .tried, #price.tried, .price.tried"))
    ActionChains(browser).release().perform()
    wait.until(there("#edits"))
    click("#go-judge")
    picture("judge", there("#differ"))
    click("#go-ship")
    click("#code-toggle")
    picture("ship", there("#code-script"))
    browser.quit()


def main(target: Path) -> None:
    """Serve the studio on a table, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder, listen(0) as opened:
        file = Path(folder) / "customers.csv"
        write_table(file)
        session = Session(Folders(file.parent), author="A. Lovelace")
        open_file(session, file)
        settle(session)
        port, token = opened.getsockname()[1], new_token()
        app = make_app(session, token=token, port=port)
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: server.run(sockets=[opened]), daemon=True)
        thread.start()
        take_pictures(f"http://127.0.0.1:{port}/?token={token}", session, target)
        server.should_exit = True
        thread.join(10)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
