"""What conditional inference costs, beside selection by gain and beside partykit.

    python benchmarks/inference.py                    the adult data, or a stand-in
    python benchmarks/inference.py --data FOLDER      with adult.csv.gz

Prints one table. `ratio` is the peer's value divided by ours, `asked` the ratio that must hold. All
runs use one thread; of partykit only `ctree` itself is timed, inside R.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from _data import adult
from _measure import Row, Run, medians, report
from _options import arguments, data_folder
from _peers import outcome, ramify_tree

DEPTH = 5

_CTREE = """
suppressPackageStartupMessages(library(partykit))
arguments <- commandArgs(TRUE)
d <- read.csv(arguments[1], na.strings = "", stringsAsFactors = TRUE)
control <- ctree_control(teststat = "quadratic", testtype = "Bonferroni", alpha = 0.05,
                         minsplit = 2, minbucket = 1, maxdepth = as.integer(arguments[2]))
seconds <- system.time(f <- ctree(target ~ ., d, control = control))[["elapsed"]]
cat(seconds, width(f))
"""


def ctree(columns: dict[str, Any], y: Any) -> Run | None:
    """Fit partykit's ctree in a process of its own; only the fit is timed."""
    if shutil.which("Rscript") is None:
        return None
    there = ["Rscript", "-e", "quit(status = !requireNamespace('partykit', quietly = TRUE))"]
    if subprocess.run(there, capture_output=True, check=False).returncode:
        return None

    def fit() -> tuple[float, int]:
        with tempfile.TemporaryDirectory() as folder:
            table, script = Path(folder, "table.csv"), Path(folder, "fit.R")
            with table.open("w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow([*columns, "target"])
                writer.writerows(zip(*columns.values(), y, strict=True))
            script.write_text(_CTREE)
            return outcome("partykit", ["Rscript", str(script), str(table), str(DEPTH)])

    return fit


def main() -> int:
    options = arguments(__doc__, repeat=7, data=True).parse_args()
    name, table = adult(data_folder(options), 32_561)
    # Text is made categories before the fit is timed, as it is made factors for R.
    frame = table.to_frame("pandas")
    frame = frame.astype({c: "category" for c in frame if table.data[c].dtype == object})
    peer = ctree(table.data, table.y)
    rows: list[Row] = []
    # The default is "fractional": a row with a missing value goes down all branches. ctree sends it
    # down one, as "direction" does. The same is asked of both.
    asked = 10.0
    for missing in ("fractional", "direction"):
        settings = {"max_depth": DEPTH, "missing": missing}
        tests = ramify_tree(frame, table.y, selection="conditional_inference", **settings)
        # Inference may cost one and a half times as much as the criterion alone.
        peers = [("ramify, gini", ramify_tree(frame, table.y, **settings), 1 / 1.5)]
        peers += [("partykit ctree", peer, asked)]
        there = [one for one in peers if one[1] is not None]
        (own, leaves), *others = medians([tests, *(fit for _, fit, _ in there)], options.repeat)
        case = f"{name}, {table.n_rows:,} rows, depth {DEPTH}, missing {missing}"
        rows += [
            Row(case, own, called, theirs, least, note=f"leaves {leaves:,} / {count:,}")
            for (called, _, least), (theirs, count) in zip(there, others, strict=True)
        ]
    return report(rows, f"medians of {options.repeat} runs")


if __name__ == "__main__":
    sys.exit(main())
