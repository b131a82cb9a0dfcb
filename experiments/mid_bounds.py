"""Does it help to begin with an upper bound? Figures 3.6 to 3.8 of Dal Maso (2024).

    python experiments/mid_bounds.py             banknote and iris at depth 5 (a few minutes)
    python experiments/mid_bounds.py --quick     every eleventh number of features, three runs

MID (entropy) ranks 45 binary features. *Type a*: the search over all 45 starts from the tree of the
first n. *Type b*: the search over n starts from the tree of the first n - 1. *CART*: the search
over n starts from the greedy tree over the same n. The thesis gives DL8.5 only the error; here the
search gets the tree, which is as good a bound and cannot be too strict.

Times are processor times of one thread, medians of several runs that take turns. The number of
subproblems does not vary. Each is measured twice: in the order of limited discrepancy, which is our
default, and depth first as in DL8.5. Writes `results/mid_bounds.md`, `.csv`, `.png`;
what was measured before is read from `results/mid_bounds/` (not in the repository).
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _markdown import table as markdown
from _mid import MIN_LEAF, N_THRESHOLDS, Binary, Numbers, mid, table
from _options import arguments, parsed
from _pictures import draw
from _rows import add_rows, read_rows, write_rows

from ramify import TreeClassifier, _core
from ramify.learning.progress import progress

DEPTH = 5
NAMES = ("Banknote", "Iris")
ORDERS = {"limited discrepancy": True, "depth first": False}
LESS = 0.9  # of the time counts as faster
HALF = 0.5  # of the time: a bound that saves this is worth a search of its own
HEAD = ("dataset", "order", "kind", "n_features", "milliseconds", "subproblems", "wrong")
Nodes = Sequence[Sequence[int]]


class Found(NamedTuple):
    """A search: its time, its work, the rows its tree has wrong, and the tree."""

    milliseconds: float
    subproblems: int
    wrong: int
    nodes: Nodes


def search(B: Binary, y: Any, order: str, start: Nodes = ()) -> Found:
    """Find the optimal tree over binary features."""
    columns = [np.ascontiguousarray(1 - column, dtype=np.int32) for column in B.T]
    labels = y.astype(np.int32)
    began = time.process_time()
    result = _core.optimal_tree(
        columns,
        labels=labels,
        classes=int(labels.max()) + 1,
        start=[list(node) for node in start],
        limits={"max_depth": DEPTH, "min_samples_leaf": MIN_LEAF, "threads": 1},
        switches={"discrepancy": ORDERS[order]},
    )
    spent = 1000 * (time.process_time() - began)
    if not result["proven"]:
        raise RuntimeError("a search without a limit has to end with a proof")
    return Found(
        spent, result["search"]["subproblems"], round(result["objective"]), result["nodes"]
    )


def greedy(B: Binary, y: Any) -> Found:
    """Grow the tree of CART, as nodes from which a search can start."""
    began = time.process_time()
    model = TreeClassifier(max_depth=DEPTH, min_samples_leaf=MIN_LEAF, criterion="entropy")
    model.fit(1 - B, y)
    spent = 1000 * (time.process_time() - began)
    data = model.tree_.data
    nodes = [
        (int(attribute), 0, int(first), int(first) + 1) if first >= 0 else (-1, 0, -1, -1)
        for attribute, first in zip(data["attribute"], data["first_child"], strict=True)
    ]
    return Found(spent, 0, int((model.predict(1 - B) != y).sum()), nodes)


def measure(data: Numbers, order: str, counts: Sequence[int], runs: int) -> list[tuple]:
    """Give (kind, number of features, ms, subproblems, wrong rows) of every search."""
    (B,) = mid(data.X, data.y, N_THRESHOLDS, "entropy")
    y = data.y
    starts = {n for count in counts for n in (count - 1, count) if n > 0}
    trees = {n: search(B[:, :n], y, order).nodes for n in sorted(starts)}
    carts = {n: greedy(B[:, :n], y).nodes for n in counts}
    jobs: dict[tuple[str, int], Callable[[], Found]] = {}
    for n in counts:
        part = B[:, :n]
        jobs["none", n] = lambda part=part: search(part, y, order)
        jobs["a", n] = lambda n=n: search(B, y, order, trees[n])
        if n > 1:
            jobs["b", n] = lambda part=part, n=n: search(part, y, order, trees[n - 1])
        jobs["cart", n] = lambda part=part, n=n: search(part, y, order, carts[n])
        jobs["cart itself", n] = lambda part=part: greedy(part, y)
    taken = defaultdict(list)
    for _ in range(runs):
        for key, job in jobs.items():
            taken[key].append(job())
    return [
        (
            *key,
            statistics.median(f.milliseconds for f in found),
            found[0].subproblems,
            found[0].wrong,
        )
        for key, found in taken.items()
    ]


def measure_all(path: Path, data: Path, counts: Sequence[int], runs: int) -> list[tuple]:
    """Measure what is not in the file yet, and add it there."""
    done = {row[:2] for row in measured(path)}
    left = [key for key in product(NAMES, ORDERS) if key not in done]
    with progress("computing", len(left), shown=None) as bar:
        for name, order in left:
            bar.say(f"{name}, {order}")
            found = measure(table(name, data), order, counts, runs)
            add_rows(path, HEAD, ((name, order, *row) for row in found))
            bar.advance()
    return measured(path)


def measured(path: Path) -> list[tuple]:
    """Read what was measured."""
    return [
        (
            *(row[c] for c in HEAD[:3]),
            int(row[HEAD[3]]),
            float(row[HEAD[4]]),
            *(int(row[c]) for c in HEAD[5:]),
        )
        for row in read_rows(path)
    ]


Times = dict[tuple[str, int], tuple[float, int, int]]  # ms, subproblems, wrong rows


def ratio(found: Times, kind: str, at: int = 0) -> float:
    """Give the cost of the searches with a free bound, divided by that without, over all n."""
    plain, bound = sides(found, kind)
    return sum(one[at] for one in bound.values()) / sum(one[at] for one in plain.values())


def sides(found: Times, kind: str) -> tuple[dict[int, tuple], dict[int, tuple]]:
    """Give the searches without and with a bound, by the number of features."""
    counts = sorted(n for k, n in found if k == "none")
    own = [n for n in counts if (kind, n) in found and (kind != "a" or n < counts[-1])]
    plain = {n: found["none", counts[-1] if kind == "a" else n] for n in own}
    return plain, {n: found[kind, n] for n in own}


def verdict(found: dict[tuple[str, str], Times]) -> str:
    """Say whether a free bound saves time."""
    lines = []
    for (name, order), times in found.items():
        shares = {kind: ratio(times, kind) for kind in ("a", "b", "cart")}
        does = [f"{kind} ({share:.2f})" for kind, share in shares.items() if share < LESS]
        does_not = [f"{kind} ({share:.2f})" for kind, share in shares.items() if share >= LESS]
        parts = [f"saves time with {', '.join(does)}"] if does else []
        parts += [f"saves none with {', '.join(does_not)}"] if does_not else []
        lines.append(f"- {name}, {order}: a free bound {' and '.join(parts)}.")
    free = [ratio(times, kind) for times in found.values() for kind in ("a", "b", "cart")]
    paid = [float(row[3]) for times in found.values() for row in conclude(times) if row[3]]
    holds = "It holds" if min(free) > HALF else "It does not hold"
    head = (
        f"{holds}: with a bound that costs nothing the searches take {min(free):.2f} to "
        f"{max(free):.2f} of the time without; with the time it takes to find the bound, "
        f"{min(paid):.2f} to {max(paid):.2f}."
    )
    return "\n".join([head, "", *lines])


def conclude(found: Times) -> list[list[str]]:
    """Compare the times with those of a search without a bound."""
    counts = sorted(n for kind, n in found if kind == "none")
    full, rows = counts[-1], []
    for kind, title in (
        ("a", "a: n, then 45"),
        ("b", "b: n - 1, then n"),
        ("cart", "CART, then n"),
    ):
        plain, bound = sides(found, kind)
        own = list(bound)
        price = {
            n: found["cart itself", n][0]
            if kind == "cart"
            else found["none", n if kind == "a" else max(m for m in counts if m < n)][0]
            for n in own
        }
        less = sum(bound[n][0] < LESS * plain[n][0] for n in own)
        paid = sum(bound[n][0] + price[n] < LESS * plain[n][0] for n in own)
        ratios = [ratio(found, kind, at) for at in (0, 1)]
        total = sum(bound[n][0] + price[n] for n in own) / sum(plain[n][0] for n in own)
        rows.append(
            [
                title,
                *(f"{r:.2f}" for r in (*ratios, total)),
                f"{less} of {len(own)}",
                f"{paid} of {len(own)}",
            ]
        )
    perfect, plain = found["a", full], found["none", full]
    rows.append(
        [
            "the optimum itself, 45",
            f"{perfect[0] / plain[0]:.2f}",
            f"{perfect[1] / plain[1]:.2f}",
            "",
            "",
            "",
        ]
    )
    return rows


def report(rows: list[tuple], runs: int, results: Path) -> str:
    """Write the three files; give the Markdown."""
    found: dict[tuple[str, str], Times] = defaultdict(dict)
    for name, order, kind, n, *numbers in rows:
        found[name, order][kind, n] = tuple(numbers)
    head = (
        "start",
        "time, bound free",
        "subproblems",
        "time with the bound's",
        "faster if free",
        "faster if paid for",
    )
    parts = [
        "# Does it help to begin with an upper bound?",
        "Dal Maso (2024), Figures 3.6 to 3.8, by `python experiments/mid_bounds.py`: depth "
        f"{DEPTH}, at least {MIN_LEAF} rows in a leaf, MID with entropy, all rows. Medians of "
        f"{runs} runs, processor time of one thread. The first three columns are ratios to the "
        "search that begins with nothing, of the sums over the numbers of features; *faster* means "
        f"in less than {LESS:g} of the time, *paid for* with the time it took to find the bound.",
    ]
    parts += ["## Does the negative result hold when the bound is free?", verdict(found)]
    for (name, order), times in found.items():
        full = max(n for _, n in times)
        plain = times["none", full]
        parts += [
            f"## {name}, {order}",
            f"{full} features, no bound: {plain[0]:.1f} ms, {plain[1]:,} subproblems, "
            f"{plain[2]} rows wrong.",
            markdown(head, conclude(times)),
        ]
    parts += ["![run times](mid_bounds.png)"]
    text = "\n\n".join(parts)
    results.mkdir(exist_ok=True)
    (results / "mid_bounds.md").write_text(text + "\n")
    write_rows(results / "mid_bounds.csv", HEAD, ((*r[:4], f"{r[4]:.3f}", *r[5:]) for r in rows))
    plot(found, results / "mid_bounds.png")
    return text


def plot(found: dict[tuple[str, str], Times], path: Path) -> None:
    """Draw the three kinds, one line of pictures per data set and order."""
    made = draw(path, (11, 2.5 * len(found)), (len(found), 3))
    if made is None:
        return
    figure, axes = made
    for (name, order), times, row in zip(found, found.values(), axes, strict=True):
        counts = sorted(n for kind, n in times if kind == "none")

        def series(kind: str, times: Times = times) -> tuple[list[int], list[float]]:
            some = sorted(n for each, n in times if each == kind)
            return some, [times[kind, n][0] for n in some]

        (_, plain), (_, bound) = series("none"), series("a")
        row[0].bar(counts, bound, 0.8, color="#009e73", label="45 features, with bound")
        row[0].bar(counts, plain, 0.8, bottom=bound, color="#0072b2", label="finding the bound")
        row[0].axhline(plain[-1], color="#d55e00", label="45 features, no bound")
        for axis in row[1:]:
            axis.plot(counts, plain, color="#0072b2", label="no bound")
        row[1].plot(*series("b"), "--", color="#d55e00", label="bound of one feature less")
        row[2].plot(*series("cart"), "--", color="#009e73", label="bound of CART")
        row[2].plot(*series("cart itself"), ":", color="#d55e00", label="CART itself")
        row[0].set_ylabel("ms")
        for axis, title in zip(row, (f"{name}, {order}: type a", "type b", "CART"), strict=True):
            axis.set_title(title, fontsize=9)
            axis.legend(fontsize=7)
            axis.set_xlabel("features", fontsize=8)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Run, print and write."""
    options = parsed(arguments(__doc__, "quick report data results"))
    runs, step = (3, 11) if options.quick else (5, 1)
    counts = sorted({*range(1, N_THRESHOLDS, step), N_THRESHOLDS})
    if options.report:
        rows = measured(options.results / "mid_bounds.csv")
    else:
        path = options.results / "mid_bounds" / f"{runs}_runs_every_{step}.csv"
        rows = measure_all(path, options.data, counts, runs)
    print(report(rows, runs, options.results))


if __name__ == "__main__":
    main()
