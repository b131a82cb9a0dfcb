"""Time the supervised discretisers, beside the package mdlp-discretization if it is installed.

    python benchmarks/discretize.py
    python benchmarks/discretize.py --only mdlp --repeat 5

Prints one table. A peer called `limit` is a bound on our own time. One thread unless the case says
otherwise; reading the table is timed. The data are seeded standard normals with two classes that
overlap, so that every column has tens of thousands of boundary points.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _data import continuous
from _measure import Row, Run, fitting, medians, report, run_cases, timed
from _options import arguments

from ramify.discretize import ChiMergeDiscretizer, MDLPDiscretizer, MIDDiscretizer


def fit(made: Any, X: Any, y: Any) -> Run:
    """Time a fit, and count the thresholds."""
    return fitting(lambda: made, X, y, lambda found: sum(map(len, found.thresholds_)))


def peer_mdlp(X: Any, y: Any) -> tuple[Run, Callable[[], list[Any]]] | None:
    """Fit with the package, whose code uses names that NumPy has dropped."""
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


CASES = {"mid": mid, "mdlp": mdlp, "chimerge": chimerge, "threads": threads}


def main() -> int:
    options = arguments(__doc__, cases=CASES, repeat=5).parse_args()
    rows = run_cases(CASES, options.only, options.repeat)
    return report(rows, f"medians of {options.repeat} runs")


if __name__ == "__main__":
    sys.exit(main())
