"""What a tree larger than memory costs beside XGBoost's external memory and Spark MLlib.

    python benchmarks/scale.py                          1, 5 and 20 million rows, depth 6 and 10
    python benchmarks/scale.py --rows 1e6 5e6 20e6 100e6
    python benchmarks/scale.py --rows 1e6 --depths 6 --peers xgboost --repeat 1
    python benchmarks/scale.py --json results.json      also keep the measurements
    python benchmarks/scale_figure.py results.json docs/images/scale.svg

Prints one table. `ratio` is the peer's value divided by ours, `asked` the ratio that must hold.

The tables are those of `scale_data.py`, Parquet on the local disk, 84 bytes a row. Every fit is a
process of its own that reads the files; imports and the start of Spark are not timed. Fits take
turns; the median of `--repeat` counts. Memory is the largest sum of the resident memory of the
process and its children, seen every 20 ms; disk is the largest size of its temporary files. The
peers:

- XGBoost: `ExtMemQuantileDMatrix` with pages on disk, `hist`, one tree, the same depth and threads.
  Making its pages is timed, as is our first scan.
- Spark MLlib: `DecisionTreeClassifier`, local[threads], 32 bins.
- in memory: our own fit of the whole table, where it fits; reading the files is timed.
- sample: our own fit in memory of every n-th row, the alternative to all of this. What it loses is
  the accuracy on 500,000 other rows.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, report
from _options import arguments
from scale_data import COLUMNS, TEST_BLOCK, as_table, block, make

NAMES = [f"x{j}" for j in range(COLUMNS)]
TEST_ROWS = 500_000
PEERS = ("in memory", "xgboost", "spark", "sample")
#: Rows that our fit in memory is tried on, and those of samples.
MOST_IN_MEMORY = 20_000_000
SAMPLES = (100_000, 1_000_000)
#: What Python, Arrow and batches take beside the limit.
BESIDE = 300e6
#: Bytes of temporary files that a fit may take.
MOST_DISK = 16e9
#: A temporary file that says that what follows is no longer the fit.
FITTED = "fitted"


@dataclass(frozen=True)
class Measured:
    """A fit: how long, how much memory, how good."""

    who: str
    rows: int
    depth: int
    seconds: float
    peak: float
    accuracy: float
    leaves: int
    disk: float = 0.0
    more: str = ""


# --- fits, each in a process of its own -----------------------------------------------------------


def fit_scale(files: str, depth: int, threads: int, memory: str, **_: Any) -> dict[str, Any]:
    from ramify import TreeClassifier, scale

    tree = TreeClassifier(max_depth=depth, n_jobs=threads, identifiers="keep")
    scans = []
    start = time.perf_counter()
    scale.fit(
        tree, files, memory_limit=memory, progress=lambda number, what: scans.append((number, what))
    )
    seconds = fitted(start)
    X, y = test_rows()
    leaves, accuracy = tree.tree_.n_leaves, tree.score(X, y)
    more = f"{len(scans)} scans"
    return {"seconds": seconds, "leaves": leaves, "accuracy": accuracy, "more": more}


def fit_in_memory(files: str, depth: int, threads: int, step: int = 1, **_: Any) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.dataset as ds

    from ramify import TreeClassifier

    start = time.perf_counter()
    source = ds.dataset(files)
    if step == 1:
        table = source.to_table()
    else:  # every n-th row, so that memory stays small
        parts = []
        for batch in source.to_batches(batch_readahead=2, fragment_readahead=1):
            parts.append(batch.take(pa.array(np.arange(0, batch.num_rows, step))))
        table = pa.Table.from_batches(parts)
    y = table["y"].to_numpy()
    tree = TreeClassifier(max_depth=depth, n_jobs=threads, identifiers="keep")
    tree.fit(table.drop_columns(["y"]), y)
    seconds = fitted(start)
    X, y = test_rows()
    leaves, accuracy = tree.tree_.n_leaves, tree.score(X, y)
    return {"seconds": seconds, "leaves": leaves, "accuracy": accuracy, "more": f"{len(table):,}"}


def fit_xgboost(files: str, depth: int, threads: int, **_: Any) -> dict[str, Any]:
    import pyarrow.parquet as pq
    import xgboost

    class Pages(xgboost.DataIter):
        """Reads one row group at a time."""

        def __init__(self, folder: str) -> None:
            self._files = [pq.ParquetFile(file) for file in sorted(Path(files).glob("*.parquet"))]
            self._places = [
                (file, group) for file in self._files for group in range(file.num_row_groups)
            ]
            self._next = 0
            # Pages of less than 1,000,000 rows make it slower: four row groups are one page.
            super().__init__(cache_prefix=os.path.join(folder, "page"), on_host=False)

        def next(self, input_data: Any) -> bool:
            if self._next >= len(self._places):
                return False
            group = self._places[self._next : self._next + 4]
            self._next += len(group)
            table = [file.read_row_group(i) for file, i in group]
            X = np.concatenate(
                [np.column_stack([one[name].to_numpy() for name in NAMES]) for one in table]
            )
            input_data(data=X, label=np.concatenate([one["y"].to_numpy() for one in table]))
            return True

        def reset(self) -> None:
            self._next = 0

    parameters = {
        "tree_method": "hist",
        "max_depth": depth,
        "nthread": threads,
        "objective": "binary:logistic",
        "learning_rate": 1.0,
        "reg_lambda": 0.0,
        "min_child_weight": 0.0,
        "max_bin": 256,
    }
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        pages = xgboost.ExtMemQuantileDMatrix(Pages(folder), nthread=threads, max_bin=256)
        paged = time.perf_counter() - start
        model = xgboost.train(parameters, pages, num_boost_round=1)
        seconds = fitted(start)
        X, y = test_rows()
        found = model.predict(xgboost.DMatrix(np.column_stack(list(X.values())))) > 0.5
        leaves = sum(1 for line in model.get_dump()[0].splitlines() if "leaf=" in line)
        del pages
    accuracy = float((found == y).mean())
    more = f"256 bins, {paged:.3g} s for pages"
    return {"seconds": seconds, "leaves": leaves, "accuracy": accuracy, "more": more}


def fit_spark(files: str, depth: int, threads: int, **_: Any) -> dict[str, Any]:
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        session = (
            SparkSession.builder.master(f"local[{threads}]")
            .config("spark.driver.memory", "4g")
            .config("spark.local.dir", folder)
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("ERROR")
        vectors = VectorAssembler(inputCols=NAMES, outputCol="features")
        session.range(1).count()  # starts what is started once
        start = time.perf_counter()
        frame = vectors.transform(session.read.parquet(files)).select("features", "y")
        learner = DecisionTreeClassifier(
            labelCol="y", maxDepth=depth, maxBins=32, maxMemoryInMB=256
        )
        model = learner.fit(frame)
        seconds = fitted(start)
        X, y = test_rows()
        import pyarrow.parquet as pq

        place = os.path.join(folder, "test.parquet")
        pq.write_table(as_table(np.stack([*X.values()]), y), place)
        answers = model.transform(vectors.transform(session.read.parquet(place)))
        accuracy = answers.filter("prediction = y").count() / len(y)
        leaves = (model.numNodes + 1) // 2
        session.stop()
    return {"seconds": seconds, "leaves": leaves, "accuracy": accuracy, "more": "32 bins"}


FITS = {
    "ramify": fit_scale,
    "in memory": fit_in_memory,
    "sample": fit_in_memory,
    "xgboost": fit_xgboost,
    "spark": fit_spark,
}


def fitted(start: float) -> float:
    """Give the seconds of a fit, and end the watch over its memory."""
    seconds = time.perf_counter() - start
    (Path(tempfile.gettempdir()) / FITTED).touch()
    return seconds


def test_rows() -> tuple[dict[str, Any], Any]:
    X, y = block(TEST_BLOCK, TEST_ROWS)
    return dict(zip(NAMES, X, strict=True)), y


# --- measuring ------------------------------------------------------------------------------------


def run(who: str, rows: int, depth: int, **arguments: Any) -> Measured | None:
    """Run a fit in a fresh interpreter, and watch its memory; None if it fails."""
    words = json.dumps({"depth": depth, **arguments})
    command = [sys.executable, __file__, "--fit", who, words]
    with (
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
        tempfile.TemporaryDirectory() as temporary,
    ):
        environment = os.environ | {"TMPDIR": temporary}
        child = subprocess.Popen(command, stdout=out, stderr=err, text=True, env=environment)
        peak = disk = 0.0
        while child.poll() is None and not (Path(temporary) / FITTED).exists():
            peak = max(peak, resident(child.pid))
            disk = max(disk, size_of(temporary))
            time.sleep(0.02)
        child.wait()
        out.seek(0)
        err.seek(0)
        if child.returncode:
            print(f"{who} failed: {err.read().strip().splitlines()[-1:]}", file=sys.stderr)
            return None
        found = json.loads(out.read().splitlines()[-1])
    return Measured(who, rows, depth, peak=peak, disk=disk, **found)


def resident(pid: int) -> float:
    """Give the resident memory of a process and all below it, in bytes."""
    total, page = 0.0, os.sysconf("SC_PAGE_SIZE")
    todo = [pid]
    while todo:
        one = todo.pop()
        with contextlib.suppress(OSError, ValueError):
            total += page * int(Path(f"/proc/{one}/statm").read_text().split()[1])
            for task in Path(f"/proc/{one}/task").iterdir():
                todo += map(int, (task / "children").read_text().split())
    return total


def size_of(folder: str) -> float:
    """Give the bytes of the files in a folder and all below it."""
    total = 0.0
    for where, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.stat(os.path.join(where, name)).st_blocks * 512
    return total


def median(measured: list[Measured]) -> Measured:
    middle = statistics.median_low([one.seconds for one in measured])
    best = next(one for one in measured if one.seconds == middle)
    most = {name: max(getattr(one, name) for one in measured) for name in ("peak", "disk")}
    return Measured(**(asdict(best) | most))


def compare(rows: int, depth: int, folder: Path, options: Any) -> list[Measured]:
    """Measure all of them on one table, taking turns."""
    files = str(make(folder, rows))
    fits: list[tuple[str, dict[str, Any]]] = [("ramify", {"memory": options.memory})]
    for peer in options.peers:
        if peer == "in memory" and rows > MOST_IN_MEMORY:
            continue
        if peer == "xgboost" and find_spec("xgboost") is None:
            continue
        if peer == "spark" and (find_spec("pyspark") is None or shutil.which("java") is None):
            continue
        if peer == "sample":
            fits += [("sample", {"step": rows // size}) for size in SAMPLES if size < rows]
        else:
            fits.append((peer, {}))
    measured: list[list[Measured]] = [[] for _ in fits]
    for _ in range(options.repeat):
        for place, (who, more) in enumerate(fits):
            print(f"{rows:,} rows, depth {depth}: {who} ...", file=sys.stderr, flush=True)
            arguments = {"files": files, "threads": options.threads, **more}
            one = run(who, rows, depth, **arguments)
            if one is not None:
                measured[place].append(one)
    return [median(all_of_one) for all_of_one in measured if all_of_one]


def table(measured: list[Measured], memory: float) -> Iterator[Row]:
    asked = {"xgboost": 1.0, "spark": 5.0, "in memory": 1 / 2.5}
    ours = {(one.rows, one.depth): one for one in measured if one.who == "ramify"}
    for one in measured:
        mine = ours.get((one.rows, one.depth))
        if mine is None or one.who == "ramify":
            continue
        case = f"{one.rows:,} rows, depth {one.depth}"
        lost = f"accuracy {one.accuracy:.2%}, ours {mine.accuracy:.2%}; {one.leaves} leaves"
        name = f"sample of {one.more}" if one.who == "sample" else one.who
        more = "" if one.who in ("sample", "in memory") else f"; {one.more}"
        held = f"; {one.peak / 1e9:.2f} GB, {one.disk / 1e9:.2f} GB of disk"
        yield Row(
            case, mine.seconds, name, one.seconds, asked.get(one.who), note=f"{lost}{held}{more}"
        )
    for (rows, depth), one in ours.items():
        case = f"{rows:,} rows, depth {depth}, memory"
        limit = (memory + BESIDE) / 1e6
        yield Row(case, one.peak / 1e6, "limit", limit, 1.0, unit="MB", note=one.more)
        case = f"{rows:,} rows, depth {depth}, disk"
        yield Row(case, one.disk / 1e6, "limit", MOST_DISK / 1e6, 1.0, unit="MB")
    for depth in sorted({depth for _, depth in ours}):
        sizes = sorted(rows for rows, other in ours if other == depth)
        if len(sizes) > 1:
            least, most = ours[sizes[0], depth], ours[sizes[-1], depth]
            grown = math.log(most.seconds / least.seconds) / math.log(sizes[-1] / sizes[0])
            case = f"depth {depth}, exponent of time in rows"
            yield Row(case, grown, "limit", 1.05, 1.0, unit="")


def main() -> int:
    parser = arguments(__doc__ or "", repeat=3)
    whole = [1_000_000, 5_000_000, 20_000_000]
    parser.add_argument("--rows", type=float, nargs="+", default=whole, help="sizes of tables")
    parser.add_argument("--depths", type=int, nargs="+", default=[6, 10])
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="1GB", help="memory_limit of our fit")
    parser.add_argument("--folder", type=Path, help="where the tables are kept")
    parser.add_argument("--json", type=Path, help="keep the measurements in this file")
    options = parser.parse_args()
    from ramify.scale.memory import read_memory

    memory = read_memory("--memory", options.memory)
    measured: list[Measured] = []
    with contextlib.ExitStack() as stack:
        folder = options.folder
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for rows in map(int, options.rows):
            for depth in options.depths:
                measured += compare(rows, depth, folder, options)
                if options.json is not None:  # after each, so that a long run is not lost
                    found = [asdict(one) for one in measured]
                    text = json.dumps({"memory": memory, "measured": found}, indent=1)
                    options.json.write_text(text + "\n")
    how = f"{options.threads} threads, memory_limit {options.memory}, median of {options.repeat}"
    return report(table(measured, memory), how)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fit"]:
        print(json.dumps(FITS[sys.argv[2]](**json.loads(sys.argv[3]))))
    else:
        sys.exit(main())
