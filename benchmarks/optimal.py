"""Time the search for optimal trees beside the peers, in one run.

    python benchmarks/optimal.py                             every part, 60 s a fit at most
    python benchmarks/optimal.py --part binary --depth 4 --limit 300 --peers STreeD
    python benchmarks/optimal.py --part anytime --only rice --seconds 1 10 --jobs 2

`binary`: time to the proven optimum on 0/1 features, beside STreeD and PyDL8.5 (depth 4 and 5).
`sparse`: the same with a price of leaves, beside STreeD and GOSDT (depth 5).
`continuous`: the same over all thresholds, beside ConTree (depth 3 and 4).
`threads`: the same with two threads, beside one.
`anytime`: rows predicted wrongly after 1, 10 and 60 seconds, beside them and our greedy tree, where
ours is not proven before (depth 4 to 8). `--jobs 2` runs two cases at a time.

Every fit runs in a process of its own, with one thread; only the fit is timed. A run that has not
proven its tree within the limit counts as the limit, and is marked. All minimise the training error
under the same depth, with leaves of one row at least. Peers that are not installed are left out.
Prints one table; `ratio` is the peer's value divided by ours, and below it are geometric means.
"""

from __future__ import annotations

import importlib.metadata
import math
import platform
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, print_table, write_json
from _optimal_data import BINARY, CONTINUOUS, Table, tables
from _optimal_fit import fit_in_new_process, installed
from _options import arguments
from numpy.typing import NDArray

PACKAGES = {"STreeD": "pystreed", "PyDL8.5": "pydl8.5", "ConTree": "pycontree", "GOSDT": "gosdt"}
PEERS = {
    "binary": ("STreeD", "PyDL8.5"),
    "sparse": ("STreeD", "GOSDT"),
    "continuous": ("ConTree",),
}
DEPTHS = {"binary": (4, 5), "sparse": (5,), "continuous": (3, 4), "anytime": (4, 5, 6, 7, 8)}
PRICE = 0.005  # of a leaf in the part "sparse", as a share of the rows
#: Ratios asked for: on every set, and in the geometric mean.
ASKED = {
    "STreeD": (2.0, 6.0),
    "PyDL8.5": (None, 20.0),
    "ConTree": (2.0, 10.0),
    "GOSDT": (2.0, None),
}
#: Proofs that take long enough for a second thread.
THREADED = (
    ("binary", "german-credit", 5),
    ("binary", "vehicle", 5),
    ("continuous", "rice", 3),
    ("continuous", "wdbc", 3),
)


def seconds(result: dict[str, Any], limit: float) -> float | None:
    """Give the time to the proof, or the limit."""
    if result["seconds"] is None:
        return None
    return float(result["seconds"]) if result["proven"] else max(limit, float(result["seconds"]))


def peers_of(part: str, options: Any) -> list[str]:
    """Give the peers of a part that are installed and wanted."""
    wanted = options.peers or PEERS[part]
    return [peer for peer in PEERS[part] if installed(peer) and peer in wanted]


def proofs(part: str, options: Any) -> Iterator[Row]:
    """Time ours and the peers to the proof, one after the other on each data set."""
    binary = part != "continuous"
    limit = options.limit
    price = PRICE if part == "sparse" else 0.0
    names, prefix = (BINARY, "binary-") if binary else (CONTINUOUS, "")
    for name, X, y in tables(names, options.data, prefix, options.only):
        for depth in options.depth or DEPTHS[part]:
            job = {"binary": binary, "depth": depth, "limit": limit, "price": price}
            ours = fit_in_new_process("ramify", X, y, **job)
            for peer in peers_of(part, options):
                theirs = fit_in_new_process(peer, X, y, **job)
                open_ended = not (ours["proven"] or theirs["proven"])  # nothing to compare
                yield Row(
                    f"{part} {name} depth {depth}",
                    None if open_ended else seconds(ours, limit),
                    peer,
                    None if open_ended else seconds(theirs, limit),
                    ASKED[peer][0],
                    note=remark(ours, theirs),
                )


def threads(options: Any) -> Iterator[Row]:
    """Time the proof with one thread and with two."""
    for part, name, depth in THREADED:
        binary = part == "binary"
        names, prefix = (BINARY, "binary-") if binary else (CONTINUOUS, "")
        for _, X, y in tables(names, options.data, prefix, [name]):
            job = {"binary": binary, "depth": depth, "limit": options.limit}
            one = fit_in_new_process("ramify", X, y, **job)
            two = fit_in_new_process("ramify", X, y, threads=2, **job)
            note = remark(two, one)
            case = f"threads {name} depth {depth}, two"
            yield Row(case, seconds(two, options.limit), "one", one["seconds"], 1.6, note=note)


def remark(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """Say what both found, and whether something is wrong with it."""
    for who, result in (("ours", ours), ("theirs", theirs)):
        if "error" in result:
            return f"{who}: {result['error']}"
    note = f"wrong {ours['wrong']} / {theirs['wrong']}"
    if not ours["proven"]:
        note += ", ours not proven"
    if not theirs["proven"]:
        note += ", theirs not proven"
    if ours["proven"] and theirs["proven"] and ours["wrong"] != theirs["wrong"]:
        note += " DIFFERENT OPTIMA"
    return note


def means(rows: list[Row]) -> Iterator[Row]:
    """Give the geometric mean of the ratios, part by part and peer by peer."""
    groups: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row.ratio:
            groups.setdefault((row.case.split()[0], row.peer), []).append(row.ratio)
    for (part, peer), ratios in groups.items():
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        asked = ASKED[peer][1] if peer in ASKED else None
        yield Row(f"{part} geometric mean of {len(ratios)}", 1.0, peer, mean, asked, unit="")


def anytime(options: Any) -> Iterator[Row]:
    """Count the wrong rows after some seconds, in several processes at a time."""
    cases = [
        (part, table, depth)
        for part, names, prefix in (("binary", BINARY, "binary-"), ("continuous", CONTINUOUS, ""))
        for table in tables(names, options.data, prefix, options.only)
        for depth in options.depth or DEPTHS["anytime"]
        if part in options.features
    ]
    with ThreadPoolExecutor(options.jobs) as pool:
        for rows in pool.map(lambda case: anytime_case(*case, options), cases):
            yield from rows


def anytime_case(part: str, table: Table, depth: int, options: Any) -> list[Row]:
    """Run ours once, and read its history; run each peer for each time.

    Where ours is proven by then, nobody can be better, and the peers are left out.
    """
    name, X, y = table
    cuts = sorted(options.seconds)
    job = {"binary": part == "binary", "depth": depth}
    ours = fit_in_new_process("ramify", X, y, limit=cuts[-1], **job)
    peers = peers_of(part, options)
    rows = (
        []
        if options.peers
        else [
            Row(
                f"anytime {name} depth {depth}",
                ours["wrong"],
                "our greedy",
                greedy(X, y, depth),
                1.0,
                "wrong",
            )
        ]
    )
    for cut in cuts:
        case = f"anytime {name} depth {depth}, {cut:g} s"
        done = ours["proven"] and ours["seconds"] <= cut
        seen = [m for m in ours.get("history", []) if m[0] <= cut]
        wrong = ours["wrong"] if cut == cuts[-1] else seen[-1][1] if seen else None
        if done:
            rows.append(
                Row(
                    case,
                    ours["wrong"],
                    "",
                    None,
                    None,
                    "wrong",
                    f"proven in {ours['seconds']:.2f} s",
                )
            )
            break
        bound = f"at least {math.ceil(seen[-1][2] - 1e-6)}" if seen else ours.get("error", "")
        for peer in peers:
            theirs = fit_in_new_process(peer, X, y, limit=cut, **job)
            note = f"{bound}; {peer} took {theirs['seconds'] or 0:.1f} s {theirs.get('error', '')}"
            rows.append(Row(case, wrong, peer, theirs["wrong"], 1.0, "wrong", note))
    return rows


def greedy(X: NDArray[Any], y: NDArray[Any], depth: int) -> int:
    from ramify import TreeClassifier

    model = TreeClassifier(max_depth=depth).fit(X, y)
    return int(np.count_nonzero(model.predict(X) != y))


def main() -> int:
    parser = arguments(__doc__, data=True)
    parser.add_argument("--part", nargs="+", default=list(PARTS), choices=PARTS)
    parser.add_argument("--depth", nargs="+", type=int, help="in place of those of the part")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a fit")
    parser.add_argument("--seconds", nargs="+", type=float, default=[1, 10, 60], help="of anytime")
    parser.add_argument(
        "--features", nargs="+", default=["binary", "continuous"], help="of anytime"
    )
    parser.add_argument("--jobs", type=int, default=1, help="cases of anytime at a time")
    parser.add_argument("--only", nargs="+", default=[], help="names of data sets")
    parser.add_argument("--peers", nargs="+", default=[], help="names of peers")
    parser.add_argument("--json", type=Path, help="file for the rows")
    options = parser.parse_args()

    versions = [
        f"{peer} {importlib.metadata.version(package)}"
        for peer, package in PACKAGES.items()
        if installed(peer)
    ]
    print(f"Python {platform.python_version()}, peers: {', '.join(versions) or 'none'}\n")
    rows: list[Row] = []
    for part in options.part:
        for row in PARTS[part](options):
            print(
                f"{row.case}: {row.peer} {row.ratio or math.nan:.2f}", file=sys.stderr, flush=True
            )
            rows.append(row)
    timed = [row for row in rows if row.case.split()[0] in PEERS]
    table = [*rows, *means(timed)]
    print_table(table)
    if options.json:
        write_json(table, options.json)
    return int(any(row.verdict == "NO" for row in table))


#: What each part runs.
PARTS: dict[str, Callable[[Any], Iterator[Row]]] = {
    "binary": lambda options: proofs("binary", options),
    "sparse": lambda options: proofs("sparse", options),
    "continuous": lambda options: proofs("continuous", options),
    "threads": threads,
    "anytime": anytime,
}


if __name__ == "__main__":
    sys.exit(main())
