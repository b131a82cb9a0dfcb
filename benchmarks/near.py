"""Time the sets of all near-best trees beside the peers, in one run.

    python benchmarks/near.py                       every set, 30 s a peer at most
    python benchmarks/near.py --depth 4 --limit 60 --only vote tic-tac-toe

Beside TreeFARMS, which is exact, and tree-praxis, which approximates: it looks ahead by one split
(its default). All find the trees over the same 0/1 features whose objective is at
most `--epsilon` above the least: wrong rows plus `--price` for every leaf, as shares of the rows.

Every set is found in a process of its own, with one thread, and only finding is timed. The note has
the numbers of trees. They count different things: ours are trees without splits that change no
answer, tree-praxis has such trees, and TreeFARMS leaves some out; ours with such trees is beside
them. Prints one table.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, print_table, write_json
from _optimal_data import BINARY, tables
from _options import arguments
from numpy.typing import NDArray

LEAST, MOST, SHORT = 3, 25, 1.0  # repeated until the runs have taken a second
GRACE = 10.0
MODULES = {"ramify": "ramify", "TreeFARMS": "treefarms", "tree-praxis": "praxis"}
#: Ratios asked for.
ASKED = {"TreeFARMS": 10.0, "tree-praxis": 1.0}

Found = tuple[int, float]  # trees, and the least objective or nothing


def ramify(X: Any, y: Any, job: dict[str, Any]) -> Callable[[], Found]:
    from ramify import OptimalTreeClassifier

    model = OptimalTreeClassifier(
        max_depth=job["depth"], sparsity=job["price"], features="binary", time_limit=job["limit"]
    )
    return lambda: _ours(model, X, y, job)


def _ours(model: Any, X: Any, y: Any, job: dict[str, Any]) -> Found:
    near = model.near_optimal(X, y, epsilon=job["epsilon"], idle_splits=job["idle"])
    if near.stopped_by:
        raise TimeoutError(f"stopped by {near.stopped_by}")
    return near.count, float(near.objective(0))


def treefarms(X: Any, y: Any, job: dict[str, Any]) -> Callable[[], Found]:
    import pandas as pd
    from treefarms import TREEFARMS

    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    labels = pd.Series(y, name="class")
    settings = {
        "regularization": job["price"],
        "rashomon_bound_multiplier": 0,
        "rashomon_bound_adder": job["epsilon"],
        "depth_budget": job["depth"] + 1,  # levels
        "time_limit": int(job["limit"]),
        "verbose": False,
    }

    def find() -> Found:
        model = TREEFARMS(settings)
        model.fit(table, labels)
        if model.timeout:
            raise TimeoutError("stopped by time_limit")
        return int(model.get_tree_count()), np.nan

    return find


def praxis(X: Any, y: Any, job: dict[str, Any]) -> Callable[[], Found]:
    from praxis import PRAXIS

    bits, labels = X.astype(np.uint8), y.astype(int)
    rows = len(y)
    most = int(np.floor((job["least"] + job["epsilon"]) * rows + 1e-6))

    def find() -> Found:
        model = PRAXIS()
        model.fit(
            bits,
            labels,
            lambda_reg=job["price"],
            depth_budget=job["depth"],
            root_budget=most,
            majority_leaf_only=True,
        )
        return int(model.count_trees()), model.get_min_objective() / rows

    return find


PEERS = {"ramify": ramify, "TreeFARMS": treefarms, "tree-praxis": praxis}


def find_here(job: dict[str, Any]) -> dict[str, Any]:
    table = np.load(job["data"])
    find = PEERS[job["peer"]](table["X"], table["y"], job)
    taken: list[float] = []
    used: list[float] = []
    while len(taken) < LEAST or (len(taken) < MOST and sum(taken) < SHORT):
        start, before = time.perf_counter(), time.process_time()
        count, least = find()
        taken.append(time.perf_counter() - start)
        used.append(time.process_time() - before)
        if taken[0] > SHORT:
            break
    middle = {"seconds": float(np.median(taken)), "processor": float(np.median(used))}
    return middle | {"count": str(count), "least": least}


def find_in_new_process(peer: str, X: NDArray[Any], y: NDArray[Any], **job: Any) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "table.npz"))
        np.savez(data, X=X, y=y)
        kept = Path(folder, "result.json")  # the peers print from C++, too
        job |= {"peer": peer, "data": data, "result": str(kept)}
        command = [sys.executable, __file__, "--job", json.dumps(job)]
        seconds = job["limit"] + GRACE
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return {"error": f"stopped after {seconds:g} s"}
        if done.returncode or not kept.exists():
            said = " ".join(done.stderr.split())[-120:]
            return {"error": said or f"exit code {done.returncode}"}
        result: dict[str, Any] = json.loads(kept.read_text())
        return result


def compare(options: Any) -> Iterator[Row]:
    peers = [peer for peer in ASKED if find_spec(MODULES[peer])]
    for name, X, y in tables(BINARY, options.data, "binary-", options.only):
        rows = len(y)
        price = max(1, round(options.price * rows)) / rows  # whole rows, as tree-praxis counts
        job = {"depth": options.depth, "price": price, "limit": options.limit, "least": 0.0}
        job["epsilon"] = (max(1, round(options.epsilon * rows)) + 0.25) / rows
        ours = find_in_new_process("ramify", X, y, idle=False, **job)
        idle = find_in_new_process("ramify", X, y, idle=True, **job)
        job["least"] = ours.get("least", 0.0)
        case = f"near {name} depth {options.depth}"
        for peer in peers:
            theirs = find_in_new_process(peer, X, y, idle=True, **job)
            seen = [each.get("count", each.get("error")) for each in (ours, idle, theirs)]
            value = theirs.get("seconds", options.limit if "seconds" in ours else None)
            same = idle if peer == "tree-praxis" else ours  # the trees that it counts, too
            note = f"{seen[0]} trees, {seen[1]} with idle splits / {seen[2]}"
            yield Row(case, same.get("seconds"), peer, value, ASKED[peer], note=note)


def main() -> int:
    if sys.argv[1:2] == ["--job"]:
        job = json.loads(sys.argv[2])
        result = find_here(job)
        Path(job["result"]).write_text(json.dumps(result))
        return 0
    parser = arguments(__doc__, data=True)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--price", type=float, default=0.01, help="of a leaf")
    parser.add_argument("--epsilon", type=float, default=0.01)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds of a set")
    parser.add_argument("--only", nargs="+", default=[], help="names of data sets")
    parser.add_argument("--json", type=Path, help="file for the rows")
    options = parser.parse_args()
    rows = []
    for row in compare(options):
        print(f"{row.case}: {row.peer} {row.ratio or np.nan:.2f}", file=sys.stderr)
        rows.append(row)
    print_table(rows)
    if options.json:
        write_json(rows, options.json)
    return int(any(row.verdict == "NO" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
