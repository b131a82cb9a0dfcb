"""How time and memory of a fit grow with rows, columns, classes and levels.

    python benchmarks/curves.py                      all curves, up to 8 million rows
    python benchmarks/curves.py --rows 50            up to 50 million rows; needs memory for them
    python benchmarks/curves.py --only rows classes --repeat 3

Each point is a process of its own, one thread, `TreeClassifier(max_depth=6)` unless said otherwise.
`time` is the processor time per cell of the table (per row of the curves of one width), relative to
that of the smallest table; `asked` is the most that it may be. `memory` is the peak above the
input, in bytes per cell, and `of the table` the same in multiples of the encoded table, four bytes
per cell.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np
from _options import arguments

from ramify import TreeClassifier

MILLION = 1_000_000
DEPTH = 6
#: Per curve: the points, as rows, columns, classes and levels (0: continuous), and what is asked.
CURVES: dict[str, tuple[list[tuple[int, int, int, int]], float | None]] = {
    "rows": ([(n * MILLION, 20, 2, 0) for n in (1, 2, 4, 8, 16, 32, 50)], 1.3),
    "columns": ([(100_000, p, 2, 0) for p in (10, 30, 100, 300, 1000)], 1.3),
    "classes": ([(200_000, 20, k, 0) for k in (2, 5, 20, 100, 500)], None),
    "levels": ([(500_000, 4, 2, n) for n in (10, 100, 1000, 10_000, 100_000)], None),
}


def data(rows: int, columns: int, classes: int, levels: int) -> tuple[Any, Any]:
    """Make a seeded table: float32 numbers, or nominal codes as text would give them."""
    rng = np.random.default_rng(0)
    if levels:
        import pandas as pd

        names = [f"l{i}" for i in range(levels)]
        codes = rng.integers(0, levels, (columns, rows), dtype=np.int32)
        X: Any = pd.DataFrame(
            {f"c{c}": pd.Categorical.from_codes(codes[c], names) for c in range(columns)}
        )
        signal = (codes[0] % 7 / 7 + codes[1] % 3 / 3) / 2
    else:
        X = rng.random((rows, columns), dtype=np.float32)
        signal = (X[:, 0] + X[:, 1] * X[:, 2]) / 2
    noisy = signal + 0.1 * rng.normal(size=rows)
    cuts = np.quantile(noisy[: min(rows, 100_000)], np.arange(1, classes) / classes)
    return X, np.searchsorted(cuts, noisy)


def peak() -> float:
    """Give the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def probe(point: tuple[int, int, int, int]) -> dict[str, float]:
    """Fit one table in this process: processor seconds, and bytes above the input."""
    X, y = data(*point)
    before = peak()
    start = time.process_time()
    model = TreeClassifier(max_depth=DEPTH, identifiers="keep", n_jobs=1).fit(X, y)
    seconds = time.process_time() - start
    return {"seconds": seconds, "bytes": peak() - before, "leaves": model.tree_.n_leaves}


def measured(point: tuple[int, int, int, int], repeat: int) -> dict[str, float]:
    """Run a point in processes of its own; give the medians."""
    found = []
    for _ in range(repeat):
        command = [sys.executable, __file__, "--probe", json.dumps(point)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout))
    return {key: statistics.median(run[key] for run in found) for key in found[0]}


def curve(name: str, options: argparse.Namespace) -> bool:
    """Print the table of a curve; give whether what is asked holds."""
    points, asked = CURVES[name]
    points = [point for point in points if point[0] <= options.rows * MILLION]
    place = {"rows": 0, "columns": 1, "classes": 2, "levels": 3}[name]
    print(f"\n| {name} | s | ns per cell | time | asked | memory | of the table | leaves |")
    print("|---|---|---|---|---|---|---|---|")
    first = None
    holds = True
    for point in points:
        run = measured(point, options.repeat)
        cells = point[0] * point[1]
        each = run["seconds"] / cells
        first = first or each
        holds = holds and (asked is None or each <= asked * first)
        limit = "" if asked is None else f"{asked:g}"
        memory = run["bytes"] / cells
        print(
            f"| {point[place]:,} | {run['seconds']:.2f} | {1e9 * each:.1f} | {each / first:.2f} | "
            f"{limit} | {memory:.1f} | {memory / 4:.2f} | {run['leaves']:.0f} |",
            flush=True,
        )
    return holds


def main() -> int:
    """Print the curves; the exit code is 1 if a limit does not hold."""
    parser = arguments(__doc__, cases=CURVES, repeat=1)
    parser.add_argument("--rows", type=float, default=8.0, help="the most rows, in millions")
    parser.add_argument("--probe", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.probe is not None:
        print(json.dumps(probe(tuple(options.probe))))
        return 0
    held = [curve(name, options) for name in options.only]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
