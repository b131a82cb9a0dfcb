"""Timing, the table of a benchmark, and probes that need a process of their own."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

# A run of more seconds is not repeated: its noise is small.
LONG = 20.0


@dataclass(frozen=True)
class Row:
    """A row of the table: ours, a peer or a limit, and the ratio asked for (peer / ours)."""

    case: str
    ours: float | None
    peer: str
    theirs: float | None
    asked: float | None = None
    unit: str = "s"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        if not self.ours or self.theirs is None:
            return None
        return self.theirs / self.ours

    @property
    def verdict(self) -> str:
        if self.ratio is None or self.asked is None:
            return ""
        return "yes" if self.ratio >= self.asked else "NO"


Run = Callable[[], tuple[float, int]]


def turns(runs: Sequence[Run | None], repeat: int) -> tuple[list[list[float]], list[int]]:
    """Give all times of each fit, and its leaves.

    The fits take turns, so that a machine whose speed drifts treats all of them alike.
    """
    seconds: list[list[float]] = [[] for _ in runs]
    leaves = [0] * len(runs)
    for _ in range(repeat):
        for i, run in enumerate(runs):
            if run is None or (seconds[i] and seconds[i][0] > LONG):
                continue
            gc.collect()
            elapsed, leaves[i] = run()
            seconds[i].append(elapsed)
    return seconds, leaves


def medians(runs: Sequence[Run | None], repeat: int) -> list[tuple[float | None, int]]:
    """Give the median time of each fit, taking turns, and its leaves."""
    seconds, leaves = turns(runs, repeat)
    middle = [statistics.median(each) if each else None for each in seconds]
    return list(zip(middle, leaves, strict=True))


def median(run: Run | None, repeat: int) -> tuple[float | None, int]:
    """Give the median time of a fit, and its leaves."""
    return medians([run], repeat)[0]


def timed(call: Callable[[], Any]) -> Run:
    """Time a call that is not a fit."""

    def run() -> tuple[float, int]:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start, 0

    return run


def fitting(
    make: Callable[[], Any],
    X: Any,
    y: Any,
    size: Callable[[Any], int],
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Time the fit of a new model; `size` counts what it has made."""

    def run() -> tuple[float, int]:
        model = make()
        start = clock()
        model.fit(X, y)
        return clock() - start, size(model)

    return run


@contextmanager
def two_at_a_time(run: Run) -> Iterator[Run]:
    """Give a run of two processes that do the same at once; its time is half of theirs.

    It shows what a second core is worth here: threads can hardly gain more than processes that
    share nothing and never wait for each other.
    """
    fork = multiprocessing.get_context("fork")
    start, end = fork.Barrier(3, timeout=600), fork.Barrier(3, timeout=600)

    def work() -> None:
        run()  # the first run allocates memory
        while True:
            start.wait()
            run()
            end.wait()

    def both() -> tuple[float, int]:
        start.wait()
        begin = time.perf_counter()
        end.wait()
        return (time.perf_counter() - begin) / 2, 0

    workers = [fork.Process(target=work, daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    try:
        yield both
    finally:
        for worker in workers:
            worker.terminate()


def run_cases(
    cases: Mapping[str, Callable[[Any], Iterable[Row]]], names: Iterable[str], settings: Any
) -> list[Row]:
    """Run the cases of these names, and say on the way which one it is."""
    rows: list[Row] = []
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += cases[name](settings)
    return rows


def report(rows: Iterable[Row], how: str) -> int:
    """Print the machine, how it was measured, and the table; give 1 if a ratio does not hold."""
    rows = list(rows)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{how}\n")
    print_table(rows)
    return 1 if any(row.verdict == "NO" for row in rows) else 0


def print_table(rows: Iterable[Row]) -> None:
    """Print the rows as a Markdown table, aligned."""
    head = ("case", "ramify", "peer", "its value", "ratio", "asked", "held", "note")
    lines = [head, tuple("---" for _ in head)]
    for row in rows:
        lines.append(
            (
                row.case,
                _number(row.ours, row.unit),
                row.peer,
                _number(row.theirs, row.unit),
                "" if row.ratio is None else f"{row.ratio:.2f}",
                "" if row.asked is None else f">= {row.asked:g}",
                row.verdict,
                row.note,
            )
        )
    widths = [max(len(line[j]) for line in lines) for j in range(len(head))]
    for line in lines:
        print("| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |")


def write_json(rows: Iterable[Row], file: Path) -> None:
    """Write the rows with their ratios as a JSON list."""
    said = [asdict(row) | {"ratio": row.ratio, "held": row.verdict} for row in rows]
    file.write_text(json.dumps(said, indent=1) + "\n")


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.4g} {unit}" if value < 1e4 else f"{value:,.0f} {unit}"


def probe(name: str, **arguments: Any) -> dict[str, Any]:
    """Run one of the probes below in a fresh interpreter."""
    command = [sys.executable, str(Path(__file__)), name, json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"probe {name}: {done.stderr.strip().splitlines()[-1:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _memory(rows: int, n_jobs: int) -> dict[str, Any]:
    """Give the peak resident memory of a full fit above that before it, in bytes."""
    import numpy as np
    from _data import continuous

    import ramify

    X, y = continuous(rows)
    ramify.TreeClassifier(n_jobs=n_jobs).fit(X[:1000], y[:1000])  # load all code first
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # resets the high-water mark
    before = _status("VmRSS")
    model = ramify.TreeClassifier(n_jobs=n_jobs).fit(X, y)
    peak = _status("VmHWM")
    codes = values = 0
    for column in X.T:
        distinct = len(np.unique(column))
        codes += rows * (1 if distinct <= 1 << 8 else 2 if distinct <= 1 << 16 else 4)
        values += 8 * distinct
    leaves = int(model.tree_.n_leaves)
    sizes = {"input": X.nbytes, "codes": codes, "values": values}
    return {"above": peak - before, "leaves": leaves, **sizes}


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field} in /proc/self/status")


def _interrupt(rows: int, delay: float) -> dict[str, Any]:
    """Give the seconds from Ctrl-C during a fit to the exception; None if the fit was over."""
    import signal
    import threading

    from _data import continuous

    import ramify

    X, y = continuous(rows)
    ramify.TreeClassifier().fit(X[:1000], y[:1000])
    sent: list[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(delay, send)
    timer.start()
    try:
        ramify.TreeClassifier().fit(X, y)
    except KeyboardInterrupt:
        seconds: float | None = time.perf_counter() - sent[0]
    else:
        timer.cancel()
        seconds = None
    ramify.TreeClassifier().fit(X[:1000], y[:1000])  # the interpreter still works
    return {"seconds": seconds}


def _import() -> dict[str, Any]:
    """Give the seconds that importing ramify adds to importing numpy and scipy."""
    import numpy  # noqa: F401
    import scipy  # noqa: F401

    start = time.perf_counter()
    import ramify  # noqa: F401

    return {"seconds": time.perf_counter() - start}


if __name__ == "__main__":
    probes = {"memory": _memory, "interrupt": _interrupt, "import": _import}
    print(json.dumps(probes[sys.argv[1]](**json.loads(sys.argv[2]))))
