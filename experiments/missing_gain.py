"""Which gain predicts better where values are missing: that of the known rows, or of all rows?

    python experiments/missing_gain.py              five times five-fold, sets of up to 1,500 rows
    python experiments/missing_gain.py --quick      once, up to 250 rows
    python experiments/missing_gain.py --report     only writes the table from what is there

`missing_gain="known"` is the rule of C4.5, "divided" that of Shi (2007, section 3.3.2) and BFTree.
The data sets are those for classification with missing values. Writes `results/missing_gain.md`;
folds are kept in `results/missing_gain/` (not in the repository), cross-validations in
`results/missing_gain_runs.csv`.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

from _folders import manifest
from _markdown import table
from _options import arguments, parsed
from _rows import Row
from _runs import TimedTree, collect, cross_validate, store_of
from defaults import read

EXPERIMENT = "missing_gain"
FOLDS = 5
REPETITIONS = 5
MOST_ROWS = 1500
QUICK = 250
TREES: dict[str, dict[str, Any]] = {
    "gini": {},
    "gini, pruned": {"pruning": "auto"},
    "entropy": {"criterion": "entropy"},
    "gain ratio, multiway": {"criterion": "gain_ratio", "categorical_split": "multiway"},
}
RULES = ("known", "divided")


def learners() -> dict[str, Any]:
    """Give every tree with both rules."""
    return {
        f"{name}: {rule}": TimedTree(min_samples_leaf=2, missing_gain=rule, **settings)
        for name, settings in TREES.items()
        for rule in RULES
    }


def names_in(folder: Path, most: int) -> list[str]:
    """Give the data sets for classification that have missing values, the smallest first."""
    about = {
        name: what
        for name, what in manifest(folder).items()
        if what["task"] == "classification" and what["missing"] and int(str(what["rows"])) <= most
    }
    return sorted(about, key=lambda name: int(str(about[name]["rows"])))


def report(runs: list[Row]) -> str:
    """Give the mean accuracies and sizes, and how often either rule wins."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for run in runs:
        found[run["dataset"], run["learner"]].append((float(run["accuracy"]), float(run["size"])))
    means = {
        key: tuple(statistics.mean(values) for values in zip(*several, strict=True))
        for key, several in found.items()
    }
    names = sorted({name for name, _ in means})
    lines = [
        "# Gain with missing values: known rows, or all with the holes divided",
        "",
        f"Accuracy in percent, by cross-validation in {FOLDS} folds, {REPETITIONS} times; "
        "`python experiments/missing_gain.py`.",
        "",
        table(
            ["data set", *learners()],
            ([name, *(f"{means[name, each][0]:.2f}" for each in learners())] for name in names),
        ),
        "",
    ]
    rows = []
    for tree in TREES:
        for rule, other in (RULES, RULES[::-1]):
            own = [means[name, f"{tree}: {rule}"] for name in names]
            others = [means[name, f"{tree}: {other}"] for name in names]
            wins = sum(a[0] > b[0] + 0.5 for a, b in zip(own, others, strict=True))
            accuracy, size = (statistics.mean(values) for values in zip(*own, strict=True))
            count = f"{wins} of {len(names)}"
            rows.append([tree, rule, f"{accuracy:.2f}", f"{size:.1f}", count])
    head = ["tree", "rule", "mean accuracy", "mean leaves", "better by 0.5"]
    return "\n".join([*lines, table(head, rows)]) + "\n"


def main() -> None:
    """Run, print and write."""
    how = f"at most {QUICK} rows, once"
    parser = arguments(__doc__, "quick only jobs report data results", quick=how, only="data sets")
    options = parsed(parser)
    if not options.report:
        most = QUICK if options.quick else MOST_ROWS
        names = [n for n in names_in(options.data, most) if n in (options.only or [n])]
        sources = {name: partial(read, name, options.data) for name in names}
        store = store_of(options.results, EXPERIMENT, "all")
        times = 1 if options.quick else REPETITIONS
        cross_validate(
            learners(), sources, store, folds=FOLDS, repetitions=times, jobs=options.jobs
        )
    text = report(collect(options.results, EXPERIMENT, ("all",), FOLDS))
    (options.results / f"{EXPERIMENT}.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
