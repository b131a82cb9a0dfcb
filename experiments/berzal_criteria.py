"""Berzal's comparison of splitting criteria on multiway trees, beside the printed Tables 2 to 5.

    python experiments/berzal_criteria.py                 ten-fold, 19 data sets
    python experiments/berzal_criteria.py --quick         the data sets of at most 1,000 rows
    python experiments/berzal_criteria.py --only iris glass --jobs 2
    python experiments/berzal_criteria.py --report        only writes the tables from what is there

Six criteria (Berzal et al. 2003, section 5) on trees with a branch for every value of a nominal
attribute and a threshold for a numeric one, grown until no attribute divides a node, before and
after pessimistic pruning at a confidence of 0.25. The criteria that count errors, GG and MaxDif,
order splits alike; what told them apart was when to stop, which the paper does not say. So MaxDif
is grown under both rules: "any" split is made, or only one that is "gaining".

Every fold is kept in `results/berzal_criteria_runs.jsonl` as it ends, and what is there already is
not run again. The tables go to `results/berzal_criteria.md`, `.csv` and `.png`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from _berzal_report import CALLED, CHARGED, CHARGED_ACCURACY, CRITERIA, TABLES, published, report
from _tables import FOLDER, PUBLISHED, opened, results_folder

from ramify import TreeClassifier
from ramify.datasets import Dataset
from ramify.evaluate import Comparison, compare
from ramify.pruning import ErrorBased

FOLDS = 10
# Of heart, as the file is described at UCI; the copy at hand calls all columns numeric.
NOMINAL = {"heart": ("chest", "resting_electrocardiographic_results", "thal")}


def learners() -> dict[str, TreeClassifier]:
    """Give the trees by criterion and rule of stopping, before and after pruning."""
    made: dict[str, TreeClassifier] = {}
    for after, pruning in (("", None), (", pruned", ErrorBased(confidence=0.25, raising=False))):
        for name, criterion in CRITERIA.items():
            tree = partial(
                TreeClassifier, criterion=criterion, categorical_split="multiway", pruning=pruning
            )
            if name in ("GG", "MaxDif"):
                made[f"{name}, any{after}"] = tree(min_gain=-1.0)
            if name != "GG":
                made[f"{name}{', gaining' * (name == 'MaxDif')}{after}"] = tree()
    return made


def collapsed(tree: Any, _X: Any, _y: Any) -> float:
    """Count the nodes without splits that change no prediction; NaN for a pruned tree."""
    return float("nan") if tree.pruning else float(tree.prune(alpha=0.0).tree_.n_nodes)


def charged(tree: Any, X: Any, y: Any, *, accuracy: bool) -> float:
    """Cut back where a leaf costs one training error: nodes or accuracy; NaN for a pruned tree."""
    if tree.pruning:
        return float("nan")
    cut = tree.prune(alpha=1.0 / tree.tree_.nodes[0].rows)
    return float(cut.score(X, y) if accuracy else cut.tree_.n_nodes)


def charged_nodes(tree: Any, X: Any, y: Any) -> float:
    """Count the nodes where a leaf costs one training error."""
    return charged(tree, X, y, accuracy=False)


def charged_accuracy(tree: Any, X: Any, y: Any) -> float:
    """Give the accuracy where a leaf costs one training error."""
    return charged(tree, X, y, accuracy=True)


SCORES: dict[str, Any] = {
    "accuracy": "accuracy",
    "nodes": "n_nodes",
    "collapsed": collapsed,
    CHARGED: charged_nodes,
    CHARGED_ACCURACY: charged_accuracy,
}


def read(name: str, folder: Path) -> Dataset:
    """Read a data set by its printed name, without identifiers."""
    table = opened(folder)[CALLED.get(name, name)]
    data = dict(table.data)
    for column in NOMINAL.get(name, ()):
        data[column] = data[column].astype(int).astype(str).astype(object)
    return Dataset(data, table.y, table.target_name, table.description)


def run(names: list[str], repetitions: int, jobs: int, folder: Path, store: Path) -> Comparison:
    """Run what is not in the store yet, the smallest data sets first."""
    rows = {name: opened(folder).about(CALLED.get(name, name))["rows"] for name in names}
    sources: dict[str, Callable[[], Dataset]] = {
        name: partial(read, name, folder) for name in sorted(rows, key=lambda name: rows[name])
    }
    store.parent.mkdir(parents=True, exist_ok=True)
    return compare(
        learners(), sources, cv=(FOLDS, repetitions), scores=SCORES, n_jobs=jobs, store=store
    )


def main() -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="at most 1,000 rows, once")
    parser.add_argument("--only", nargs="+", help="data sets, as printed")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--data", type=Path, default=FOLDER)
    parser.add_argument("--published", type=Path, default=PUBLISHED)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    options.results = results_folder(options)
    store = options.results / "berzal_criteria_runs.jsonl"
    there = opened(options.data)
    if options.report:
        found = Comparison.read(store)
    else:
        printed = dict.fromkeys(name for name, _ in published(options.published, TABLES[0]))
        names = options.only or [name for name in printed if CALLED.get(name, name) in there]
        if options.quick:
            names = [n for n in names if there.about(CALLED.get(n, n))["rows"] <= 1000]
        repetitions = 1 if options.quick else options.repetitions
        run(names, repetitions, options.jobs, options.data, store)
        found = Comparison.read(store)
    numeric = {
        name: bool(there.about(CALLED.get(name, name))["numeric"]) for name in found.datasets
    }
    print(report(found, numeric, options.published, options.results))


if __name__ == "__main__":
    main()
