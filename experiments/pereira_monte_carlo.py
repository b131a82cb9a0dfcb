"""Pereira (2018), chapter 4, Tables 4.1 to 4.4: which search finds the purest nominal split?

    python experiments/pereira_monte_carlo.py            10,000 tables a cell, as published
    python experiments/pereira_monte_carlo.py --quick    300 tables a cell

Random contingency tables of n values and k classes, entries uniform on 0..7. Prints and writes
`results/pereira_monte_carlo.md`, `.csv` and, if matplotlib is there, `.png`. Cells that were
measured before are read from `results/pereira_monte_carlo/` (not in the repository).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _contingency import Floats, component_scores, draw, merge_supervalues, scan
from _options import arguments, parsed
from _rows import read_rows

from ramify.learning.progress import progress
from ramify.splits import best_nominal_split

NAMES = {  # as the paper calls them
    "hypercube_cover": "HcC",
    "pc_ext": "PC-ext",
    "largest_class_alone": "LCA",
    "list_scheduling": "LS",
}
FOUR = tuple(NAMES)
CRITERIA = ("gini", "entropy")
CELLS = [(n, k) for n in (12, 25, 50) for k in (3, 5, 7, 9)]
TOLERANCE = 1e-9
SEED = 2018

# What Pereira's text leaves open about the principal component, tried one by one. The library does
# the first.
VARIANTS: dict[str, dict[str, object]] = {
    "weighted covariance of shares, scores of shares": {},
    "unweighted covariance of shares": {"weighted": False},
    "covariance of counts": {"of": "counts", "weighted": False},
    "not centred": {"centred": False},
    "correlation instead of covariance": {"correlation": True},
    "weighted covariance of shares, scores of counts": {"scores": "counts"},
    "the same, values of equal shares not merged": {"scores": "counts", "merge": False},
}
BY_COUNTS = "weighted covariance of shares, scores of counts"

Find = Callable[[Floats, str, str, int], tuple[float, bool]]
Key = tuple[str, int, int]  # criterion, n, k
Shares = dict[tuple[Key, str], float]  # percent, by the paper's name of the method
Excesses = dict[tuple[Key, str], tuple[float, float]]  # mean and maximum, by "X over Y"


@dataclass(frozen=True)
class Cell:
    """What was measured for one criterion, n and k."""

    criterion: str
    n: int
    k: int
    impurity: dict[str, Floats]  # by method, one per table
    exact: Floats  # of the first tables; NaN where it was not proven
    variants: dict[str, Floats] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.criterion, self.n, self.k


def find_split(table: Floats, method: str, criterion: str, work_limit: int) -> tuple[float, bool]:
    """Give the impurity of the split that the library finds, and whether it is proven minimal."""
    split = best_nominal_split(table, method=method, criterion=criterion, work_limit=work_limit)
    assert split is not None
    return split.impurity, split.proven


def measure(
    criterion: str, n: int, k: int, runs: int, exact_runs: int, work_limit: int,
    find: Find = find_split,
) -> Cell:  # fmt: skip
    """Run all methods on the tables of one cell; both criteria see the same tables."""
    tables = draw(np.random.default_rng([SEED, n, k]), runs, n, k)
    found = {
        method: np.array([find(table, method, criterion, work_limit)[0] for table in tables])
        for method in (*FOUR, "auto")
    }
    exact = np.full(exact_runs, np.nan)
    for i, table in enumerate(tables[:exact_runs]):
        value, proven = find(table, "exact", criterion, work_limit)
        if proven:
            exact[i] = value
    merged = merge_supervalues(tables)
    variants = {}
    for name, options in VARIANTS.items():
        rows = merged if options.get("merge", True) else tables
        taken = {option: value for option, value in options.items() if option != "merge"}
        scores = component_scores(rows, **taken)  # type: ignore[arg-type]
        variants[name] = scan(rows, scores, criterion, exchanges=True)
    return Cell(criterion, n, k, found, exact, variants)


def measured(folder: Path, *task: Any) -> Cell:
    """Give what was measured before, or measure and keep it."""
    path = folder / f"{'-'.join(map(str, task))}.npz"
    if not path.exists():
        cell = measure(*task)
        kept = {f"of {name}": values for name, values in cell.impurity.items()}
        kept |= {f"variant {name}": values for name, values in cell.variants.items()}
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(file, exact=cell.exact, **kept)
        part.replace(path)  # so that a file is complete, or is not there
    with np.load(path) as found:
        impurity, variants = (
            {key.removeprefix(kind): found[key] for key in found.files if key.startswith(kind)}
            for kind in ("of ", "variant ")
        )
        return Cell(*task[:3], impurity, found["exact"], variants)


# --- what the tables say -------------------------------------------------------------------------


def share_smallest(columns: dict[str, Floats]) -> dict[str, float]:
    """Give the percentage of runs in which each is the smallest of the four; ties count for all."""
    least = np.minimum.reduce([columns[method] for method in FOUR]) * (1.0 + TOLERANCE)
    return {method: 100.0 * float((column <= least).mean()) for method, column in columns.items()}


def with_pc(cell: Cell, variant: str) -> dict[str, Floats]:
    return {**{method: cell.impurity[method] for method in FOUR}, "pc_ext": cell.variants[variant]}


def apart(columns: dict[str, Floats], *methods: str) -> dict[str, Floats]:
    """Shift the results of some methods by some runs, as if they had seen tables of their own."""
    return {
        method: np.roll(column, 1 + methods.index(method)) if method in methods else column
        for method, column in columns.items()
    }


def together(cell: Cell) -> float:
    """Give the percentage of runs in which HcC or PC-ext has the smallest impurity of the four."""
    least = np.minimum.reduce([cell.impurity[method] for method in FOUR]) * (1.0 + TOLERANCE)
    either = np.minimum(cell.impurity["hypercube_cover"], cell.impurity["pc_ext"])
    return 100.0 * float((either <= least).mean())


def excess(one: Floats, other: Floats) -> tuple[float, float]:
    """Give mean and maximum of 100 (one / other - 1) where one is worse; NaN if it never is."""
    # with an impurity of zero there is no ratio
    worse = (one > other * (1.0 + TOLERANCE)) & (other > 0)
    if not worse.any():
        return float("nan"), float("nan")
    relative = 100.0 * (one[worse] / other[worse] - 1.0)
    return float(relative.mean()), float(relative.max())


def against_optimum(cell: Cell, method: str) -> tuple[float, float, float]:
    """Give the share of proven tables whose optimum is found; mean and maximum excess over it."""
    proven = np.isfinite(cell.exact)
    if not proven.any():
        return float("nan"), float("nan"), float("nan")
    best, found = cell.exact[proven], cell.impurity[method][: len(cell.exact)][proven]
    hit = found <= best * (1.0 + TOLERANCE)
    relative = np.where(hit, 0.0, 100.0 * (found / np.maximum(best, 1e-300) - 1.0))
    return 100.0 * float(hit.mean()), float(relative.mean()), float(relative.max())


def usable(n: int, k: int) -> bool:
    """Whether ours can be compared with the printed cell: all methods saw the same tables."""
    return n == 12 or (n == 25 and k <= 5)


# --- what was published --------------------------------------------------------------------------


def read_published(folder: Path) -> tuple[Shares, Excesses]:
    """Give Tables 4.1 and 4.2 as percentages, 4.3 and 4.4 as (mean, maximum); {} if not there."""
    shares: Shares = {}
    excesses: Excesses = {}
    for number in (1, 2, 3, 4):
        for row in read_rows(folder / f"pereira_4_{number}.csv"):
            key = (row["impurity"], int(row["n"]), int(row["k"])), row["method"]
            if number <= 2:
                shares[key] = float(row["percent"])
            elif row["excess_avg"]:
                excesses[key] = float(row["excess_avg"]), float(row["excess_max"])
    return shares, excesses


# --- running -------------------------------------------------------------------------------------


def exact_tables(n: int, k: int, runs: int, hard: int) -> int:
    """Give the number of tables whose optimum is searched: all if cheap, none if hopeless."""
    if n == 12 or k == 3:
        return runs
    return min(runs, hard) if n == 25 else 0


def main() -> None:
    """Run the experiment and write its results."""
    from _pereira_monte_carlo_report import write_report

    cores, quick = os.cpu_count() or 1, "300 tables per cell"
    parser = arguments(__doc__, "quick jobs published results", quick=quick, jobs=cores)
    parser.add_argument("--runs", type=int, default=10_000, help="tables per cell")
    parser.add_argument(
        "--exact-runs", type=int, default=200,
        help="tables per cell for the exact search, where n = 25 and k > 3",
    )  # fmt: skip
    parser.add_argument("--work-limit", type=int, default=1 << 21, help="of the exact search")
    options = parsed(parser)
    runs = min(options.runs, 300) if options.quick else options.runs
    hard = min(options.exact_runs, 10) if options.quick else options.exact_runs
    start = time.perf_counter()
    tasks = [
        (criterion, n, k, runs, exact_tables(n, k, runs, hard), options.work_limit)
        for n, k in CELLS
        for criterion in CRITERIA
    ]
    cells = []
    find = partial(measured, options.results / "pereira_monte_carlo")
    with (
        ProcessPoolExecutor(options.jobs) as pool,
        progress("computing", len(tasks), shown=None) as bar,
    ):
        for cell in pool.map(find, *zip(*tasks, strict=True)):
            cells.append(cell)
            bar.say(f"{cell.criterion}, n = {cell.n}, k = {cell.k}")
            bar.advance()
    text = write_report(cells, *read_published(options.published), runs, options.results)
    print(text)
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
