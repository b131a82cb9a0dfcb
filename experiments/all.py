"""Run all experiments one after another, and say how long each took.

    python experiments/all.py --quick          a small part of each, about ten minutes
    python experiments/all.py --jobs 2         everything, some hours

A script that fails does not stop the others. Each goes on where it was stopped, so this may be
called again. `weka_reference.py` and `j48_agreement.py`, which need Weka, and `mixture_picture.py`,
which only draws, are not among them; `summary.py` counts what all of them found. What the scripts
print goes to `<results>/logs/`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from _rows import write_rows
from _tables import FOLDER, PUBLISHED, results_folder

from ramify.learning.progress import progress

HERE = Path(__file__).resolve().parent
# The options that each has beside --quick and --results.
SCRIPTS = {
    "unbiased_selection": (),
    "defaults": ("data", "jobs"),
    "missing_gain": ("data", "jobs"),
    "many_classes": ("data",),
    "pereira_monte_carlo": ("published", "jobs"),
    "berzal_criteria": ("data", "published", "jobs"),
    "shi_pruning": ("data", "published", "jobs"),
    "shi_tables": ("data", "published", "jobs"),
    "mid_training": ("data", "published"),
    "mid_bounds": ("data",),
    "mid_depths": ("data", "published"),
    "mid_accuracy": ("data", "published"),
    "boosting_tree_size": ("data",),
    "pereira_trees": ("data", "published", "jobs"),
}


def run(script: str, options: argparse.Namespace, log: Path) -> tuple[int, float, float]:
    """Run a script; give its exit code, and its seconds by the clock and of the processor."""
    given = [
        text for name in SCRIPTS[script] for text in (f"--{name}", str(getattr(options, name)))
    ]
    given += ["--results", str(options.results), *(["--quick"] if options.quick else [])]
    clock, processor = time.perf_counter(), _processor()
    with log.open("w") as file:
        command = [sys.executable, str(HERE / f"{script}.py"), *given]
        code = subprocess.run(
            command, check=False, stdout=file, stderr=subprocess.STDOUT
        ).returncode
    return code, time.perf_counter() - clock, _processor() - processor


def _processor() -> float:
    """Give the processor's seconds of the scripts that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def main() -> int:
    """Run, print the times, and give 1 if a script failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=SCRIPTS, default=list(SCRIPTS))
    parser.add_argument("--jobs", type=int, default=2, help="processes of the scripts that take it")
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--published", type=Path, default=PUBLISHED)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    options.results = results_folder(options)
    logs = options.results / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    times = []
    with progress("computing", len(options.only), shown=None) as bar:
        for script in options.only:
            bar.say(script)
            code, clock, processor = run(script, options, logs / f"{script}.log")
            times.append((script, code, f"{clock:.1f}", f"{processor:.1f}"))
            said = "" if code == 0 else f"  failed, see {logs / script}.log"
            print(f"{script:20}{clock:9.1f} s{processor:9.1f} s of the processor{said}", flush=True)
            bar.advance()
    print(f"{'together':20}{sum(float(row[2]) for row in times):9.1f} s")
    write_rows(logs / "times.csv", ("script", "exit_code", "seconds", "processor"), times)
    return int(any(code for _, code, *_ in times))


if __name__ == "__main__":
    sys.exit(main())
