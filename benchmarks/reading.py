"""Time reading a CSV file, beside pandas with its pyarrow engine and with its own.

    python benchmarks/reading.py
    python benchmarks/reading.py --quick            # 100,000 rows in place of 1,000,000
    python benchmarks/reading.py --only mixed --repeat 5

Prints one table. Every reader uses all cores and finds delimiter and kinds of columns by itself,
except pandas, which is told the delimiter. The files are written to a temporary folder and read
once before anything is timed.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, Run, medians, report, run_cases, timed
from _options import arguments

from ramify.datasets import read_table_blocks, read_table_file


@dataclass(frozen=True)
class Settings:
    """How many rows, how often, and where to write."""

    rows: int
    repeat: int
    folder: Path


def write(path: Path, columns: dict[str, list[str]]) -> float:
    """Write columns of finished cells; give the size in megabytes."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(columns) + "\n")
        file.writelines(",".join(cells) + "\n" for cells in zip(*columns.values(), strict=True))
    return path.stat().st_size / 1e6


def numbers(rng: np.random.Generator, rows: int) -> list[str]:
    return [f"{value:.4f}" for value in rng.normal(size=rows)]


def levels(rng: np.random.Generator, rows: int, count: int) -> list[str]:
    return [f"level_{code}" for code in rng.integers(count, size=rows)]


def beside_pandas(
    case: str,
    path: Path,
    size: float,
    settings: Settings,
    engines: tuple[str, ...] = ("pyarrow", "c"),
) -> Iterator[Row]:
    """Time our reader and the engines of pandas in turns."""
    runs: list[Run | None] = [timed(lambda: read_table_file(path))]
    peers: list[str] = []
    if importlib.util.find_spec("pandas"):
        pandas: Any = importlib.import_module("pandas")
        for engine in engines:
            if engine == "c" or importlib.util.find_spec("pyarrow"):
                peers.append(f"pandas, {engine}")
                runs.append(timed(lambda engine=engine: pandas.read_csv(path, engine=engine)))
    (ours, _), *theirs = medians(runs, settings.repeat)
    note = f"{size:,.0f} MB"
    for peer, (seconds, _) in zip(peers, theirs, strict=True):
        asked = 0.5 if "pyarrow" in peer and case.startswith("mixed") else None
        yield Row(case, ours, peer, seconds, asked, note=note)
    if not peers:
        yield Row(case, ours, "", None, note=note)


def mixed(settings: Settings) -> Iterator[Row]:
    """Twelve columns of numbers, six of levels, a date and a target."""
    rng, rows = np.random.default_rng(0), settings.rows
    columns = {f"n{j}": numbers(rng, rows) for j in range(8)}
    columns |= {f"i{j}": [str(i) for i in rng.integers(1000, size=rows)] for j in range(4)}
    columns |= {f"c{j}": levels(rng, rows, 2 * 3**j) for j in range(6)}
    days = np.datetime64("2016-01-01") + rng.integers(3000, size=rows)
    columns["day"] = [str(day) for day in days]
    columns["y"] = np.where(rng.random(rows) < 0.3, "yes", "no").tolist()
    path = settings.folder / "mixed.csv"
    size = write(path, columns)
    yield from beside_pandas(f"mixed, {rows:,} x 20", path, size, settings)
    kinds: Any = {name: "number" if name[0] in "ni" else "text" for name in columns}
    runs = [
        timed(lambda: read_table_file(path)),
        timed(lambda: [block.n_rows for block in read_table_blocks(path, kinds=kinds)]),
    ]
    (whole, _), (streamed, _) = medians(runs, settings.repeat)
    yield Row("mixed, block by block", streamed, "as a whole", whole)


def quotes(settings: Settings) -> Iterator[Row]:
    """Free text in quotes, with delimiters, doubled quotes and line ends."""
    rng, rows = np.random.default_rng(1), settings.rows // 4
    words = np.array(["a", "tree", 'of ""small""', "leaves,", "which\n", "reads; well"])
    texts = [" ".join(words[rng.integers(len(words), size=8)]) for _ in range(2000)]
    columns = {"n": numbers(rng, rows), "m": numbers(rng, rows)}
    columns["note"] = [f'"{texts[i]}"' for i in rng.integers(len(texts), size=rows)]
    path = settings.folder / "quotes.csv"
    size = write(path, columns)
    # The pyarrow engine of pandas does not read line ends within cells.
    yield from beside_pandas(f"quotes, {rows:,} x 3", path, size, settings, ("c",))


def unique(settings: Settings) -> Iterator[Row]:
    """A key of every row as text."""
    rng, rows = np.random.default_rng(2), settings.rows
    columns = {"key": [f"K-{i:08d}" for i in rng.permutation(rows)], "n": numbers(rng, rows)}
    path = settings.folder / "unique.csv"
    size = write(path, columns)
    yield from beside_pandas(f"unique, {rows:,} x 2", path, size, settings)


CASES = {"mixed": mixed, "quotes": quotes, "unique": unique}


def main() -> int:
    parser = arguments(__doc__, cases=CASES, repeat=5)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = 100_000 if options.quick else 1_000_000
        settings = Settings(rows, options.repeat, Path(folder))
        found = run_cases(CASES, options.only, settings)
    return report(found, f"medians of {options.repeat} runs in turns, all cores")


if __name__ == "__main__":
    sys.exit(main())
