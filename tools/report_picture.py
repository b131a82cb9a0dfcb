"""The picture of a report in README and docs: the example of reading-a-report.md, in Chromium.

python tools/report_picture.py docs/images/report.png      needs selenium and Chromium
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

PAGE = Path(__file__).parents[1] / "docs" / "reading-a-report.md"
#: Size of the window, and height of the picture: the tree and the curve below it.
WINDOW, TAKEN = (1280, 860), 1120


def main(target: Path) -> None:
    """Write the report of the guide's example, select its second node, and take the picture."""
    example = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        exec(compile(example, PAGE.name, "exec"), {})
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(flag)
        driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
        )
        try:
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": WINDOW[0], "height": WINDOW[1], "deviceScaleFactor": 1, "mobile": False},
            )
            driver.get((Path(folder) / "report.html").as_uri())
            WebDriverWait(driver, 20).until(
                lambda page: page.execute_script("return window.ramifyReport?.ready")
            )
            driver.execute_script("ramifyReport.select(2)")
            clip = {"x": 0, "y": 0, "width": WINDOW[0], "height": TAKEN, "scale": 1}
            taken = driver.execute_cdp_cmd(
                "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
            )
        finally:
            driver.quit()
        target.write_bytes(base64.b64decode(taken["data"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
