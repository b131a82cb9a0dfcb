"""A fit ends with the right tree or with one clear error, and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, make_table

from ramify import TreeClassifier, scale
from ramify.pruning import BestFirst, ReducedError
from ramify.scale import spill
from ramify.scale.marks import MarkedPartition
from ramify.scale.reading import MARK
from ramify.scale.sources import ReaderPartition, RowSource

LIMIT = 15_000  # so few bytes that rows are spilled


def tree() -> TreeClassifier:
    return TreeClassifier(identifiers="keep", max_depth=4)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "spill").mkdir()
    table = make_table(500, 0)
    for i in range(2):
        pq.write_table(table.slice(250 * i, 250), tmp_path / f"part{i}.parquet")
    return tmp_path


def fit(folder: Path, **options: Any) -> Any:
    files = sorted(folder.glob("*.parquet"))
    return scale.fit(tree(), files, memory_limit=LIMIT, spill=folder / "spill", **options)


def nothing_is_left(folder: Path) -> bool:
    return not list((folder / "spill").iterdir())


def test_a_truncated_file_is_named(folder: Path) -> None:
    file = folder / "part1.parquet"
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(scale.SourceError, match=r"part1\.parquet cannot be read"):
        fit(folder)
    assert nothing_is_left(folder)


@pytest.mark.parametrize("scan", [2, 3, 4])
@pytest.mark.parametrize("change", ["gone", "other values"])
def test_a_file_that_changes_is_named(folder: Path, scan: int, change: str) -> None:
    file = folder / "part1.parquet"

    def meddle(number: int, what: str) -> None:
        if number == scan and change == "gone":
            file.unlink()
        elif number == scan:
            rows = pq.read_table(file)
            place = rows.column_names.index("x2")
            pq.write_table(rows.set_column(place, "x2", pa.array(np.arange(250.0))), file)

    with pytest.raises(scale.SourceError, match=r"part1\.parquet"):
        fit(folder, progress=meddle)
    assert nothing_is_left(folder)


@pytest.mark.parametrize(
    "pruning", ["auto", ReducedError(), BestFirst(stage="pre", folds=3), "mdl"], ids=str
)
def test_a_file_that_changes_in_the_last_scan_of_a_pruning(folder: Path, pruning: Any) -> None:
    scans: list[int] = []
    files = sorted(folder.glob("*.parquet"))

    def fit_pruned(progress: Any) -> None:
        clf = TreeClassifier(identifiers="keep", pruning=pruning)
        scale.fit(clf, files, memory_limit=LIMIT, spill=folder / "spill", progress=progress)

    fit_pruned(lambda number, what: scans.append(number))

    def meddle(number: int, what: str) -> None:
        if number == scans[-1]:
            pq.write_table(pq.read_table(files[1]).slice(0, 100), files[1])

    with pytest.raises(scale.SourceError, match=r"part1\.parquet|changed between scans"):
        fit_pruned(meddle)
    assert nothing_is_left(folder)


@pytest.mark.parametrize("rows", [90, 110])
def test_marks_are_for_the_rows_of_earlier_scans(rows: int) -> None:
    table = pa.table({"x": np.arange(float(rows))})
    partition = MarkedPartition(
        ReaderPartition(lambda columns: table.to_batches()), np.zeros(100, dtype=np.int8)
    )
    with pytest.raises(scale.SourceError, match=r"there are (more|fewer) rows than in an earlier"):
        list(partition.batches(["x", MARK]))


@pytest.mark.parametrize("column", ["x2", "y"])
def test_other_sources_that_change(column: str) -> None:
    tables = {1: make_table(500, 0)}
    shifted = np.roll(tables[1]["y"].to_numpy(), 1) ^ (np.arange(500) == 7)
    new = pa.array(np.arange(500.0)) if column == "x2" else pa.array(shifted)
    place = tables[1].column_names.index(column)
    tables[2] = tables[1].set_column(place, column, new)
    now = 1

    def read(columns: Any) -> Any:
        return tables[now].to_batches()

    def meddle(number: int, what: str) -> None:
        nonlocal now
        now = 2 if number >= 4 else 1

    rows = RowSource(tables[1].schema, [ReaderPartition(read)], "the test")
    with pytest.raises(scale.SourceError, match=rf"column '{column}' of the test.*changed"):
        scale.fit(tree(), rows, memory_limit=LIMIT, progress=meddle)


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("ramify.scale.spill.pa.ipc.new_stream", no_room)
    with pytest.raises(OSError, match=r"spill=.*spill.*No space left.*memory_limit") as caught:
        fit(folder)
    assert caught.value.errno == errno.ENOSPC
    assert nothing_is_left(folder)


CHILD = """
import resource, sys
from pathlib import Path
from ramify import TreeClassifier, scale
if "limit" in sys.argv:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
def told(number, what):
    if "wait" in sys.argv and list(Path(sys.argv[2]).glob("*/*/*.arrow")):
        print("spilled", flush=True)
        sys.stdin.read()
clf = TreeClassifier(identifiers="keep", max_depth=4)
try:
    scale.fit(clf, sys.argv[1], memory_limit=15_000, spill=sys.argv[2], progress=told)
except OSError as error:
    print("OSError", error)
"""


def child(folder: Path, *more: str) -> subprocess.Popen[str]:
    given = [sys.executable, "-c", CHILD, str(folder / "*.parquet"), str(folder / "spill"), *more]
    pipe = subprocess.PIPE
    return subprocess.Popen(given, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are those of Unix")
def test_files_that_may_not_grow(folder: Path) -> None:
    said, _ = child(folder, "limit").communicate(timeout=60)
    assert "OSError" in said and "spill=" in said and "File too large" in said
    assert nothing_is_left(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_fit_is_not_in_the_way(folder: Path) -> None:
    process = child(folder, "wait")
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "spilled"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert not nothing_is_left(folder)
    found = fit(folder)
    assert nothing_is_left(folder)
    table = make_table(500, 0)
    assert_same_tree(found.tree_.core, fit_in_memory(tree(), table).tree_.core)


def test_another_fit_that_sweeps_before_the_lock_is_there_takes_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, before = spill._lock, [True]

    def swept_before(file: int) -> bool:
        if before:
            before.clear()
            spill._sweep(tmp_path)
        return lock(file)

    monkeypatch.setattr(spill, "_lock", swept_before)
    with spill.spill_folder(tmp_path) as folder:
        assert (folder / "lock").exists()
        spill._sweep(tmp_path)
        assert folder.is_dir()
    assert not list(tmp_path.iterdir())
