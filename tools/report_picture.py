"""The picture of a report in README and docs: what the first commands of README write, in Chromium.

python tools/report_picture.py docs/images/report.png      needs vega_datasets and Chromium
"""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
#: Size of the window. The picture shows all of it.
WINDOW = (1280, 900)
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


def write_report() -> Path:
    """Run the first shell block of README in this folder, and name the report that it wrote."""
    block = re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[0]
    for line in block.splitlines():
        program, *words = shlex.split(line, comments=True)
        module = [] if program == "python" else ["-m", program]
        subprocess.run([sys.executable, *module, *words], check=True)
    return next(Path.cwd().glob("*.html"))


def main(target: Path) -> None:
    """Write the report of README's example and take a picture of the window that shows it."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        size = "--window-size={},{}".format(*WINDOW)
        until_drawn = ("--hide-scrollbars", "--virtual-time-budget=5000")
        page = write_report().as_uri()
        command = [chromium, *QUIET, *until_drawn, size, f"--screenshot={target}", page]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
