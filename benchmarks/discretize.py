"""Time the supervised discretisers, beside the package mdlp-discretization if it is installed.

    python benchmarks/discretize.py
    python benchmarks/discretize.py --only mdlp --repeat 5

Prints one table. A peer called `limit` is a bound on our own time. One thread unless the case says
otherwise; reading the table is timed. The data are seeded standard normals with two classes that
overlap, so that every column has tens of thousands of boundary points.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _data import continuous
from _measure import Row, Run, medians, print_table, timed

from ramify.discretize import ChiMergeDiscretizer, MDLPDiscretizer, MIDDiscretizer

CASES = ("mid", "mdlp", "chimerge", "threads")


def fit(made: Any, X: Any, y: Any) -> Run:
    def run() -> tuple[float, int]:
        start = time.perf_counter()
        found = made.fit(X, y)
        return time.perf_counter() - start, sum(map(len, found.thresholds_))

    return run


def peer_mdlp(X: Any, y: Any) -> tuple[Run, Callable[[], list[Any]]] | None:
    """Fit with the package, whose code asks for names that NumPy has dropped."""
    if importlib.util.find_spec("mdlp") is None:
        return None
    for name, kind in (("int", int), ("bool", bool)):
        if name not in vars(np):
            setattr(np, name, kind)
    from mdlp.discretization import MDLP

    warnings.simplefilter("ignore", FutureWarning)
    model = MDLP(min_split=0.0, random_state=0)
    return timed(lambda: model.fit(X, y)), lambda: model.cut_points_


def mid(repeat: int) -> Iterator[Row]:
    X, y = continuous(100_000)
    for impurity in ("entropy", "gini"):
        for n in (45, "all"):
            made = MIDDiscretizer(n_thresholds=n, impurity=impurity)
            [(ours, cuts)] = medians([fit(made, X, y)], repeat)
            case = f"MID, 100,000 x 20, n_thresholds={n}, {impurity}"
            yield Row(case, ours, "limit", 2.0, 1.0, note=f"{cuts:,} thresholds")
    y = np.arange(20_000) % 2
    X = np.arange(20_000.0)[:, None]
    [(ours, cuts)] = medians([fit(MIDDiscretizer(n_thresholds="all"), X, y)], repeat)
    yield Row(
        "MID, 20,000 x 1, classes alternate: the worst order", ours, "", None, note=f"{cuts:,}"
    )


def mdlp(repeat: int) -> Iterator[Row]:
    for rows, columns in ((1_000, 20), (5_000, 10), (10_000, 5)):
        X, y = continuous(rows, columns)
        made = MDLPDiscretizer()
        peer = peer_mdlp(X, y)
        runs = [fit(made, X, y), peer[0] if peer else None]
        (ours, cuts), (theirs, _) = medians(runs, repeat)
        note = f"{cuts} thresholds"
        if peer:
            both = zip(made.thresholds_, peer[1](), strict=True)
            same = all(len(a) == len(b) and np.allclose(a, b) for a, b in both)
            note += ", the same" if same else ", others"
        name = "mdlp-discretization" if peer else ""
        yield Row(
            f"MDLP, {rows:,} x {columns}", ours, name, theirs, 20.0 if peer else None, note=note
        )
    X, y = continuous(100_000)
    [(ours, cuts)] = medians([fit(MDLPDiscretizer(), X, y)], repeat)
    yield Row("MDLP, 100,000 x 20", ours, "", None, note=f"{cuts} thresholds")


def chimerge(repeat: int) -> Iterator[Row]:
    X, y = continuous(100_000)
    [(ours, cuts)] = medians([fit(ChiMergeDiscretizer(), X, y)], repeat)
    yield Row("ChiMerge, 100,000 x 20", ours, "", None, note=f"{cuts} thresholds")


def threads(repeat: int) -> Iterator[Row]:
    X, y = continuous(100_000)
    runs = [fit(MIDDiscretizer(n_thresholds="all", n_jobs=n), X, y) for n in (2, 1)]
    (two, cuts), (one, _) = medians(runs, repeat)
    yield Row("MID, all, two threads", two, "one thread", one, note=f"{cuts:,} thresholds")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the median counts")
    options = parser.parse_args()
    made = {"mid": mid, "mdlp": mdlp, "chimerge": chimerge, "threads": threads}
    rows = []
    for name in options.only:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += list(made[name](options.repeat))
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"medians of {options.repeat} runs\n")
    print_table(rows)
    return 1 if any(row.verdict == "NO" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
