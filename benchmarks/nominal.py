"""Time the searches for a partition of nominal levels, on plain tables.

    python benchmarks/nominal.py
    python benchmarks/nominal.py --criterion entropy --repeat 15

Prints one table. `its value` is the limit for the median, `ratio` the limit divided by the median.
Searches that this build does not have are left out. One thread; entries uniform on 0..7.
"""

from __future__ import annotations

import sys

import numpy as np
from _measure import Row, median, report, timed
from _options import arguments

from ramify import _core
from ramify.splits import best_nominal_split

# search, levels, classes, criterion (None: the one asked for), limit in milliseconds or None
CASES: tuple[tuple[str, int, int, str | None, float | None], ...] = (
    ("exact", 200, 3, None, 50.0),
    ("exact", 60, 4, None, None),
    ("exact", 25, 5, None, None),
    ("hypercube_cover", 50, 15, None, 100.0),
    ("twoing", 50, 15, None, 100.0),
    ("pc_ext", 200, 100, None, 5.0),
    ("largest_class_alone", 10_000, 100, None, 5.0),
    ("greedy_cut", 1000, 20, "squared_gini", 500.0),
    ("gw_cut", 100, 5, "squared_gini", 50.0),
    ("auto", 12, 5, None, None),
    ("auto", 50, 9, None, None),
    ("auto", 20_000, 2, None, None),
    ("auto", 20_000, 26, None, None),
)
# Tables that reach the work limit: a second.
LARGE = (
    *((name, 2_000, 2_000, None, 1000.0) for name in ("auto", "exact", "pc_ext", "flip_flop")),
    *((name, 20_000, 50, None, 1000.0) for name in ("auto", "exact", "sliq", "sliq_ext")),
    *((name, 20_000, 20, None, 1000.0) for name in ("hypercube_cover", "twoing")),
    *((name, 2_000, 2_000, "squared_gini", 1000.0) for name in ("greedy_cut", "gw_cut")),
    *((name, 20_000, 50, "chi2_cut", 1000.0) for name in ("greedy_cut", "gw_cut")),
)


def table_of(levels: int, classes: int) -> np.ndarray:
    rng = np.random.default_rng([levels, classes])
    counts = rng.integers(0, 8, (levels, classes)).astype(np.float64)
    counts[:, 0] += counts.sum(axis=1) == 0
    return counts


def measure(criterion: str, repeat: int) -> list[Row]:
    rows = []
    for method, levels, classes, own, limit in (*CASES, *LARGE):
        if method not in _core.nominal_search_names():
            continue
        print(f"{method} {levels} x {classes} ...", file=sys.stderr, flush=True)
        counts = table_of(levels, classes)
        name = own or criterion
        found = best_nominal_split(counts, method=method, criterion=name)
        assert found is not None
        seconds, _ = median(
            timed(lambda c=counts, m=method, n=name: best_nominal_split(c, method=m, criterion=n)),
            repeat if limit is None or limit < 1000.0 else min(repeat, 3),
        )
        note = f"{found.work:,} partitions" + (", proven" if found.proven else "")
        case = f"{method}, {levels:,} levels x {classes} classes, {name}"
        ours = None if seconds is None else seconds * 1e3
        asked = None if limit is None else 1.0
        rows.append(Row(case, ours, "limit" if limit else "", limit, asked, "ms", note))
    return rows


def main() -> int:
    parser = arguments(__doc__, repeat=25)
    parser.add_argument("--criterion", default="gini", choices=_core.criterion_names())
    options = parser.parse_args()
    rows = measure(options.criterion, options.repeat)
    return report(rows, f"medians of {options.repeat} runs")


if __name__ == "__main__":
    sys.exit(main())
