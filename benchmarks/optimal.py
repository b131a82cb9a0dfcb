"""Time the search for optimal trees beside the peers, in one run.

    python benchmarks/optimal.py                             every part, 60 s a fit at most
    python benchmarks/optimal.py --part binary --depth 4 --limit 300
    python benchmarks/optimal.py --part anytime --only rice --seconds 1 10

`binary`: time to the proven optimum on 0/1 features, beside STreeD and PyDL8.5 (depth 4 and 5).
`continuous`: the same over all thresholds, beside ConTree (depth 3 and 4).
`anytime`: rows predicted wrongly after 1, 10 and 60 seconds, beside them and our greedy tree.

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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _data import coded, find
from _measure import Row, print_table
from _optimal_fit import fit_in_new_process, installed
from _options import arguments
from numpy.typing import NDArray

PACKAGES = {"STreeD": "pystreed", "PyDL8.5": "pydl8.5", "ConTree": "pycontree"}
BINARY = (
    "anneal",
    "audiology",
    "german-credit",
    "heart-cleveland",
    "hypothyroid",
    "kr-vs-kp",
    "mushroom",
    "tic-tac-toe",
    "vehicle",
    "vote",
)
CONTINUOUS = ("banknote", "raisin", "rice", "wilt", "segment", "wine", "wdbc")
#: Ratios asked for: on every set, and in the geometric mean.
ASKED = {"STreeD": (1.0, 2.0), "PyDL8.5": (None, 20.0), "ConTree": (1.0, 2.0)}

Table = tuple[str, NDArray[Any], NDArray[Any]]


def tables(names: tuple[str, ...], folder: Path, prefix: str, only: list[str]) -> Iterator[Table]:
    """Read the data sets that are there."""
    for name in names:
        if only and name not in only:
            continue
        table = find(folder, prefix + name)
        if table is None:
            print(f"{prefix}{name}: not in {folder}, left out", file=sys.stderr)
            continue
        data = coded(name, table)
        X = data.X.astype(np.int64) if prefix else data.X
        yield name, X, data.y


def seconds(result: dict[str, Any], limit: float) -> float | None:
    """Give the time to the proof, or the limit."""
    if result["seconds"] is None:
        return None
    return float(result["seconds"]) if result["proven"] else max(limit, float(result["seconds"]))


def compare(
    part: str, peers: tuple[str, ...], data: Iterator[Table], depths: list[int], limit: float
) -> Iterator[Row]:
    """Time ours and the peers to the proof, one after the other on each data set."""
    there = [peer for peer in peers if installed(peer)]
    for name, X, y in data:
        for depth in depths:
            job = {"binary": part == "binary", "depth": depth, "limit": limit}
            ours = fit_in_new_process("ramify", X, y, **job)
            for peer in there:
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


def anytime(folder: Path, only: list[str], depths: list[int], limits: list[float]) -> Iterator[Row]:
    """Count the wrong rows after some seconds, on data sets whose proof takes longer."""
    parts = (
        ("binary-", True, ("STreeD", "PyDL8.5"), ("german-credit", "vehicle", "kr-vs-kp")),
        ("", False, ("ConTree",), ("rice", "segment", "wdbc")),
    )
    for prefix, binary, peers, names in parts:
        for name, X, y in tables(names, folder, prefix, only):
            for depth in depths:
                wrong = greedy(X, y, depth)
                for limit in limits:
                    job = {"binary": binary, "depth": depth, "limit": limit}
                    ours = fit_in_new_process("ramify", X, y, **job)
                    case = f"anytime {name} depth {depth}, {limit:g} s"
                    yield Row(case, ours["wrong"], "our greedy", wrong, 1.0, "wrong")
                    for peer in peers:
                        if installed(peer):
                            theirs = fit_in_new_process(peer, X, y, **job)
                            yield Row(
                                case,
                                ours["wrong"],
                                peer,
                                theirs["wrong"],
                                1.0,
                                "wrong",
                                f"{ours['seconds'] or 0:.1f} s / {theirs['seconds'] or 0:.1f} s",
                            )


def greedy(X: NDArray[Any], y: NDArray[Any], depth: int) -> int:
    from ramify import TreeClassifier

    model = TreeClassifier(max_depth=depth).fit(X, y)
    return int(np.count_nonzero(model.predict(X) != y))


def main() -> int:
    parser = arguments(__doc__, data=True)
    parser.add_argument("--part", nargs="+", default=["binary", "continuous", "anytime"])
    parser.add_argument("--depth", nargs="+", type=int, help="in place of 4, 5; 3, 4; and 5")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a fit")
    parser.add_argument("--seconds", nargs="+", type=float, default=[1, 10, 60], help="of anytime")
    parser.add_argument("--only", nargs="+", default=[], help="names of data sets")
    options = parser.parse_args()

    versions = [
        f"{peer} {importlib.metadata.version(package)}"
        for peer, package in PACKAGES.items()
        if installed(peer)
    ]
    print(f"Python {platform.python_version()}, peers: {', '.join(versions) or 'none'}\n")
    rows: list[Row] = []
    for part in options.part:
        if part == "binary":
            data = tables(BINARY, options.data, "binary-", options.only)
            depths = options.depth or [4, 5]
            found = compare(part, ("STreeD", "PyDL8.5"), data, depths, options.limit)
        elif part == "continuous":
            data = tables(CONTINUOUS, options.data, "", options.only)
            found = compare(part, ("ConTree",), data, options.depth or [3, 4], options.limit)
        elif part == "anytime":
            found = anytime(options.data, options.only, options.depth or [5], options.seconds)
        else:
            parser.error(f"--part {part}: choose from binary, continuous, anytime")
        for row in found:
            print(f"{row.case}: {row.peer} {row.ratio or math.nan:.2f}", file=sys.stderr)
            rows.append(row)
    timed = [row for row in rows if not row.case.startswith("anytime")]
    table = [*rows, *means(timed)]
    print_table(table)
    return int(any(row.verdict == "NO" for row in table))


if __name__ == "__main__":
    sys.exit(main())
