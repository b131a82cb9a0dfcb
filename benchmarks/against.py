"""Time this revision against another, in turns.

    python benchmarks/against.py --base HEAD~1
    python benchmarks/against.py --base v0.1.0 --only "full depth" letter --pairs 15
    python benchmarks/against.py --base main --quick

The other revision is built into an environment of its own, kept under `--keep` (default: a folder
of the user's cache) for the next time. Each side is a process that makes the data of a case once.
The two then take turns, A B B A, so that a machine whose speed drifts treats both alike. The ratio
is the median of the ratios of the pairs (this revision / the other: below 1 is faster), with a 95 %
interval from the order of the pairs. A case that one of the sides cannot run is named and left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _options import arguments

HERE = Path(__file__).resolve().parent
ROWS, QUICK = 1_000_000, 50_000


def build(revision: str, keep: Path) -> Path:
    """Build a revision into an environment of its own, and give its Python."""
    name = git("rev-parse", "--verify", f"{revision}^{{commit}}")
    place = keep / f"{name[:12]}-{hashlib.sha256(sys.version.encode()).hexdigest()[:6]}"
    python = place / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if (place / "built").exists():
        return python
    print(f"building {revision} ({name[:9]})", file=sys.stderr, flush=True)
    source = place / "source"
    if not source.exists():
        place.mkdir(parents=True, exist_ok=True)
        git("worktree", "prune")
        git("worktree", "add", "--detach", "--force", str(source), name)
    try:
        run(sys.executable, "-m", "venv", str(place / "venv"))
        run(str(python), "-m", "pip", "install", "--quiet", str(source))
    finally:
        git("worktree", "remove", "--force", str(source))
    (place / "built").touch()
    return python


def git(*words: str) -> str:
    """Run git, and give its output."""
    done = subprocess.run(
        ["git", "-C", str(HERE), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def run(*command: str) -> None:
    """Run a command; if it fails, stop with its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


class Side:
    """A process with one revision: it makes the data of a case, and runs it when asked."""

    def __init__(self, python: str | Path) -> None:
        command = [str(python), str(Path(__file__).resolve()), "--work"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **question: Any) -> Any:
        """Ask something and wait for the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a side ended; its error is above")
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def work() -> None:
    """Be a side: read questions, write answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of a library must not look like an answer
    from _cases import CASES

    call: Any = None
    for line in sys.stdin:
        question = json.loads(line)
        answer: Any
        try:
            if "make" in question:
                call = CASES[question["make"]](question["rows"])
                call()  # the first run allocates memory
                answer = "ready"
            else:
                start = time.perf_counter()
                call()
                answer = time.perf_counter() - start
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def turns(this: Side, other: Side, pairs: int) -> list[tuple[float, float]]:
    """Time both sides in turns, A B B A."""
    found = []
    for pair in range(pairs):
        order = (this, other) if pair % 2 == 0 else (other, this)
        seconds = {side: side.ask(run=True) for side in order}
        found.append((float(seconds[this]), float(seconds[other])))
    return found


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """Give a 95 % interval of the median: the order statistics that a sign test accepts."""
    ordered, n = sorted(ratios), len(ratios)
    tail, out = 0.0, 0
    while True:
        tail += math.comb(n, out) / 2**n
        if tail > 0.025:
            break
        out += 1
    return ordered[max(out - 1, 0)], ordered[n - 1 - max(out - 1, 0)]


def main() -> int:
    """Compare, and print a table."""
    parser = arguments(__doc__)
    parser.add_argument("--base", help="the other revision")
    parser.add_argument("--only", nargs="+", help="names of cases")
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} rows in large tables")
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    parser.add_argument("--keep", type=Path, default=cache / "ramify-against")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work()
        return 0
    if options.base is None:
        parser.error("--base: which revision to compare with")
    from _cases import CASES

    names = options.only or list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"--only: {unknown[0]!r} is none of {', '.join(CASES)}")
    sides = Side(sys.executable), Side(build(options.base, options.keep))
    rows = QUICK if options.quick else ROWS
    middles = []
    print("| case | this | other | ratio | 95 % |\n|---|---|---|---|---|", flush=True)
    for name in names:
        ready = [side.ask(make=name, rows=rows) for side in sides]
        if any(each != "ready" for each in ready):
            print(f"| {name} | {' | '.join(ready)} | | |", flush=True)
            continue
        found = turns(*sides, options.pairs)
        ratios = [this / other for this, other in found]
        middles.append(statistics.median(ratios))
        low, high = interval(ratios)
        this, other = (statistics.median(side) for side in zip(*found, strict=True))
        ratio = f"{middles[-1]:.3f} | {low:.3f} to {high:.3f}"
        print(f"| {name} | {this:.4f} s | {other:.4f} s | {ratio} |", flush=True)
    for side in sides:
        side.close()
    if middles:
        print(f"\ngeometric mean of {len(middles)}: {statistics.geometric_mean(middles):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
