"""Run all experiments one after another, and say how long each took.

    python experiments/all.py --quick          a small part of each, about ten minutes
    python experiments/all.py --jobs 2         everything, some hours

A script that fails does not stop the others. Each goes on where it was stopped, so this may be
called again. Left out are `weka_reference.py` and `j48_agreement.py`, which need Weka,
`mixture_picture.py` and `near_best_picture.py`, which only draw, and `messy_files.py`, which needs
packages that carry tables. `summary.py` counts what all of them found. What the scripts print goes
to `<results>/logs/`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from _options import arguments, parsed
from _rows import write_rows

from ramify.learning.progress import progress

HERE = Path(__file__).resolve().parent
# The options of each script, besides --quick and --results.
SCRIPTS = {
    "unbiased_selection": (),
    "pruning_noise": (),
    "gains_by_chance": (),
    "selection": ("data",),
    "defaults": ("data", "jobs"),
    "fit_defaults": ("data", "jobs"),
    "missing_gain": ("data", "jobs"),
    "ties": ("data", "published", "jobs"),
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
    """Run a script; give its exit code, and the seconds it took by clock and by processor."""
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
    """Give the processor time of the scripts that have ended, in seconds."""
    used = os.times()
    return used.children_user + used.children_system


def main() -> int:
    """Run, print the times, and give 1 if a script failed."""
    parser = arguments(__doc__, "quick jobs data published results", jobs=2)
    parser.add_argument("--only", nargs="+", choices=SCRIPTS, default=list(SCRIPTS))
    options = parsed(parser)
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
