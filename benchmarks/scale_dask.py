"""What Dask costs and what its workers bring, on a table that they hold already.

    python benchmarks/scale_dask.py      5 million rows, one worker and two, beside threads
    python benchmarks/scale_dask.py --rows 20e6 --memory 1GB --repeat 3

The table is that of `scale_data.py`, persisted in a cluster of processes on this machine with one
thread each. Three ratios: the time of one worker divided by that of two; that of our threads on the
same rows in memory, with as many threads as there are workers, divided by that of the workers. Fits
take turns; the median of `--repeat` counts.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from _measure import Row, report
from _options import arguments
from scale_data import make

#: Ratios asked for.
TWO_WORKERS, OVERHEAD = 1.7, 1 / 1.2


@contextmanager
def cluster(workers: int, folder: Path, partitions: int) -> Iterator[Any]:
    """Give the frame, persisted in the memory of some workers, and the executor."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster, wait

    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address=None,
        ) as engine,
        Client(engine) as client,
    ):
        frame = dd.read_parquet(folder, split_row_groups=True)
        frame = frame.repartition(npartitions=partitions).persist()
        wait(frame)
        client.rebalance(frame)  # every worker holds as many
        yield frame, client


def fit(source: Any, options: Any, threads: int) -> float:
    from ramify import TreeClassifier, scale

    tree = TreeClassifier(max_depth=options.depth, n_jobs=threads, identifiers="keep")
    start = time.perf_counter()
    scale.fit(tree, source, memory_limit=options.memory)
    return time.perf_counter() - start


def by_workers(workers: int, folder: Path, options: Any) -> float:
    with cluster(workers, folder, options.partitions) as (frame, _):
        return fit(frame, options, workers)


def by_threads(threads: int, folder: Path, options: Any) -> float:
    import pyarrow.parquet as pq

    return fit(pq.read_table(folder), options, threads)


def main() -> int:
    parser = arguments(__doc__ or "", repeat=3)
    parser.add_argument("--rows", type=float, default=5e6)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--partitions", type=int, default=10)
    parser.add_argument("--memory", default="250MB", help="memory_limit")
    parser.add_argument("--folder", type=Path, help="where the table is kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = make(options.folder or Path(made), int(options.rows))
        cases: list[tuple[Callable[..., float], int]] = [
            (who, count) for count in (1, 2) for who in (by_workers, by_threads)
        ]
        seconds = {
            case: statistics.median(times)
            for case, times in zip(
                cases,
                zip(
                    *(
                        [who(count, folder, options) for who, count in cases]
                        for _ in range(options.repeat)
                    ),
                    strict=True,
                ),
                strict=True,
            )
        }
    one, two = seconds[by_workers, 1], seconds[by_workers, 2]
    rows = [Row("two workers", two, "one worker", one, TWO_WORKERS)]
    for count in (1, 2):
        mine, threads = seconds[by_workers, count], seconds[by_threads, count]
        rows.append(Row(f"{count} worker(s)", mine, f"{count} thread(s)", threads, OVERHEAD))
    how = f"{int(options.rows):,} rows, depth {options.depth}, memory_limit {options.memory}"
    return report(iter(rows), f"{how}, {options.partitions} partitions")


if __name__ == "__main__":
    sys.exit(main())
