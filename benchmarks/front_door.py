"""Time the whole way from a file to a page, beside pandas reading the file and our fit alone.

    python benchmarks/front_door.py
    python benchmarks/front_door.py --quick        # 100,000 rows in place of 1,000,000

`ramify fit FILE --target y --report PAGE` reads, profiles, grows and prunes a tree, scores it on
rows that were held out, and writes the report. The peer reads the file by pandas with its pyarrow
engine and fits the same estimator to all rows. Both are commands of their own; the start of Python
and imports count on both sides.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _measure import Row, Run, medians, report, run_cases
from _options import arguments

ASKED = 1 / 1.5  # at most 1.5 times the peer's time
READ_AND_FIT = """
import sys
import pandas
import ramify
table = pandas.read_csv(sys.argv[1], engine="pyarrow")
y = table.pop("y")
ramify.TreeClassifier(pruning="auto", n_jobs=-1).fit(table, y)
"""


@dataclass(frozen=True)
class Settings:
    """How many rows, how often, and where to write."""

    rows: int
    repeat: int
    folder: Path


def write(path: Path, rows: int) -> None:
    """Write 19 columns of numbers, levels and days, and a target that follows some of them."""
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(8, rows)).round(4)
    whole = rng.integers(1000, size=(4, rows))
    codes = [rng.integers(2 * 3**j, size=rows) for j in range(6)]
    day = np.datetime64("2016-01-01") + rng.integers(3000, size=rows)
    effect = rng.normal(size=6)[codes[1]]
    chance = 1 / (1 + np.exp(-(normal[0] + normal[1] * (whole[0] > 500) + effect)))
    columns = [column.astype(str) for column in (*normal, *whole)]
    columns += [np.char.add("level_", code.astype(str)) for code in codes]
    columns += [day.astype(str), np.where(rng.random(rows) < chance, "yes", "no")]
    names = [f"n{j}" for j in range(8)] + [f"i{j}" for j in range(4)] + [f"c{j}" for j in range(6)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join([*names, "day", "y"]) + "\n")
        file.writelines(",".join(cells) + "\n" for cells in zip(*columns, strict=True))


def command(*words: str) -> Run:
    """Give a function that runs a command of Python and gives its seconds."""

    def run() -> tuple[float, int]:
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start, 0

    return run


def classes(settings: Settings) -> Iterator[Row]:
    """Two classes, 19 columns: numbers, levels, a date."""
    path, page = settings.folder / "table.csv", settings.folder / "page.html"
    write(path, settings.rows)
    ours = command("-m", "ramify", "fit", str(path), "--target", "y", "--report", str(page))
    theirs = command("-c", READ_AND_FIT, str(path))
    (seconds, _), (peer, _) = medians([ours, theirs], settings.repeat)
    size = f"{path.stat().st_size / 1e6:,.0f} MB"
    case = f"file to page, {settings.rows:,} x 20"
    yield Row(case, seconds, "pandas reads, our fit", peer, ASKED, note=size)


CASES = {"classes": classes}


def main() -> int:
    parser = arguments(__doc__, cases=CASES, repeat=3)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = 100_000 if options.quick else 1_000_000
        found = run_cases(CASES, options.only, Settings(rows, options.repeat, Path(folder)))
    return report(found, f"medians of {options.repeat} runs in turns, all cores")


if __name__ == "__main__":
    sys.exit(main())
