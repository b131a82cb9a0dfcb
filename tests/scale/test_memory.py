"""Resident memory stays within the limit and a fixed part, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from ramify.scale.memory import Budget
from ramify.scale.sources import (
    BATCH_ROWS,
    DatasetPartition,
    ParquetPartition,
    TablePartition,
    open_source,
)

STATUS = Path("/proc/self/status")
ROWS, COLUMNS, LIMIT = 630_000, 20, 5_000_000
#: Python, numpy, scikit-learn and Arrow take 190 MB of it before anything is read.
FIXED = 300_000_000

CHILD = f"""
import sys
from pathlib import Path
from ramify import TreeClassifier, scale
scans = []
clf = TreeClassifier(max_depth=6, n_jobs=2, identifiers="keep")
scale.fit(
    clf, sys.argv[1], memory_limit={LIMIT}, progress=lambda number, what: scans.append(what)
)
most = next(l for l in Path("{STATUS}").read_text().splitlines() if l.startswith("VmHWM"))
print(scans.count("counts"), clf.tree_.n_leaves, int(most.split()[1]) * 1024)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten times the limit: some columns have all values, others few."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(COLUMNS, ROWS)).astype(np.float32)
    X[3:] = np.round(X[3:] * 20)
    y = (X[0] * X[1] + np.sin(X[2]) + X[3] / 20 + rng.normal(size=ROWS)) > 0
    table = pa.table({**{f"x{j}": column for j, column in enumerate(X)}, "y": y.astype(np.int8)})
    assert table.nbytes >= 10 * LIMIT
    path = tmp_path_factory.mktemp("memory") / "rows.parquet"
    pq.write_table(table, path, row_group_size=250_000, use_dictionary=False, compression="none")
    return path


@pytest.mark.skipif(not STATUS.exists(), reason="the peak of memory is read from /proc")
def test_memory_is_limited(file: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, str(file)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    levels, leaves, most = map(int, ran.stdout.split())
    assert levels >= 5
    assert leaves > 40
    assert most <= LIMIT + FIXED


def test_batches_follow_the_limit(file: Path) -> None:
    source = open_source(str(file)).in_batches_of(Budget(LIMIT).batch_rows(COLUMNS))
    (partition,) = source.partitions
    assert isinstance(partition, ParquetPartition)
    sizes = [batch.num_rows for batch in partition.batches(["x0"])]
    assert max(sizes) == Budget(LIMIT).batch_rows(COLUMNS) == 4096
    assert sum(sizes) == ROWS
    table = pq.read_table(file, columns=["x0"])
    for given, kind in ((table, TablePartition), (ds.dataset(table), DatasetPartition)):
        (part,) = open_source(given).in_batches_of(5000).partitions
        assert isinstance(part, kind)
        assert max(batch.num_rows for batch in part.batches(["x0"])) == 5000
    assert Budget(4 * 10**9).batch_rows(COLUMNS) == BATCH_ROWS
