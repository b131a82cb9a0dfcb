"""Berzal's comparison of splitting criteria on multiway trees, beside the printed Tables 2 to 5.

    python experiments/berzal_criteria.py                 ten-fold, 19 data sets
    python experiments/berzal_criteria.py --quick         the data sets of at most 1,000 rows
    python experiments/berzal_criteria.py --only iris glass --jobs 2
    python experiments/berzal_criteria.py --report        only writes the tables from what is there

Six criteria (Berzal et al. 2003, section 5) on trees with a branch for every value of a nominal
attribute and a threshold for a numeric one, grown until no attribute divides a node, before and
after pessimistic pruning at a confidence of 0.25. The two criteria that count errors, GG and
MaxDif, order splits alike. They differed in when to stop, which the paper does not say. So MaxDif
is grown under both rules: any split is made ("any"), or only one that gains ("gaining").

Two more questions: How large are GG's trees if ties are broken by chance? (See `_random_ties.py`;
data sets of numbers without missing values.) And how accurate is MaxDif on BUPA if a branch needs
the support of 5 % of the rows? The paper says 67 %.

Every fold is kept in `results/berzal_criteria/folds.jsonl` (not in the repository), and what is
there is not run again. `results/berzal_criteria_runs.csv` has a line for every fold and tree. The
tables are made from it, and go to `results/berzal_criteria.md`, `.csv` and `.png`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _berzal_criteria_report import (
    BUPA,
    CALLED,
    CHARGED,
    CHARGED_ACCURACY,
    CRITERIA,
    DIVIDED,
    FRACTIONAL,
    RANDOM,
    SUPPORT,
    TABLES,
    published,
    report,
)  # fmt: skip
from _folders import opened
from _options import arguments, parsed
from _random_ties import collapsed_size
from _rows import Row, read_rows, write_rows
from sklearn.model_selection import StratifiedKFold

from ramify import TreeClassifier
from ramify.datasets import Dataset
from ramify.evaluate import Comparison, compare
from ramify.pruning import ErrorBased

FOLDS = 10
# UCI describes these columns of heart as nominal; the copy at hand calls all columns numeric.
NOMINAL = {"heart": ("chest", "resting_electrocardiographic_results", "thal")}


def grown(**parameters: Any) -> TreeClassifier:
    """Give a tree of the paper: a missing value is one more value, as the printed sizes show.

    The paper does not say which of several equal splits is made: here it is the first.
    """
    usual = {"categorical_split": "multiway", "missing": "separate", "ties": "first"}
    return TreeClassifier(**usual | parameters)


def learners() -> dict[str, TreeClassifier]:
    """Give the trees by criterion and rule of stopping, before and after pruning."""
    made: dict[str, TreeClassifier] = {}
    for after, pruning in (("", None), (", pruned", ErrorBased(confidence=0.25, raising=False))):
        for name, criterion in CRITERIA.items():
            tree = partial(grown, criterion=criterion, pruning=pruning)
            if name in ("GG", "MaxDif"):
                made[f"{name}, any{after}"] = tree(min_gain=-1.0)
            if name != "GG":
                made[f"{name}{', gaining' * (name == 'MaxDif')}{after}"] = tree()
    return made


def collapsed(tree: Any, _X: Any, _y: Any) -> float:
    """Count the nodes, without the splits that change no prediction; NaN for a pruned tree."""
    return float("nan") if tree.pruning else float(tree.prune(alpha=0.0).tree_.n_nodes)


def charged(tree: Any, X: Any, y: Any, *, accuracy: bool) -> float:
    """Give nodes or accuracy if a leaf costs one training error; NaN for a pruned tree."""
    if tree.pruning:
        return float("nan")
    cut = tree.prune(alpha=1.0 / tree.tree_.nodes[0].rows)
    return float(cut.score(X, y) if accuracy else cut.tree_.n_nodes)


def charged_nodes(tree: Any, X: Any, y: Any) -> float:
    """Count the nodes if a leaf costs one training error."""
    return charged(tree, X, y, accuracy=False)


def charged_accuracy(tree: Any, X: Any, y: Any) -> float:
    """Give the accuracy if a leaf costs one training error."""
    return charged(tree, X, y, accuracy=True)


SCORES: dict[str, Any] = {
    "accuracy": "accuracy",
    "nodes": "n_nodes",
    "collapsed": collapsed,
    CHARGED: charged_nodes,
    CHARGED_ACCURACY: charged_accuracy,
}


def supported() -> dict[str, TreeClassifier]:
    """Give MaxDif's trees with a minimum support of 5 % of the rows, by both rules of stopping."""
    made = {}
    for after, pruning in (("", None), (", pruned", ErrorBased(confidence=0.25, raising=False))):
        for rule, least in (("any", -1.0), ("gaining", 0.0)):
            made[f"MaxDif, {rule}, {SUPPORT}{after}"] = grown(
                criterion="maxdif", pruning=pruning, min_gain=least, min_support=0.05
            )
    return made


def divided() -> dict[str, TreeClassifier]:
    """Give the trees that divide rows with missing values among the branches, for their sizes."""
    return {
        f"{name}, {FRACTIONAL}": grown(criterion=CRITERIA[name], missing=FRACTIONAL)
        for name in DIVIDED
    }


def random_ties(names: list[str], folder: Path) -> list[Row]:
    """Count the nodes of GG's trees with ties broken by chance, if all columns are numbers."""
    rows: list[Row] = []
    for name in names:
        about = opened(folder).about(CALLED.get(name, name))
        if about["nominal"] or about.get("missing") or name in NOMINAL:
            continue
        data = read(name, folder)
        X = np.column_stack([np.asarray(column, float) for column in data.data.values()])
        classes, y = np.unique(data.y, return_inverse=True)
        rng = np.random.default_rng(0)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y)
        for fold, (train, _) in enumerate(folds):
            nodes = collapsed_size(X[train], y[train], len(classes), rng)
            rows.append(
                {"dataset": name, "learner": RANDOM, "fold": str(fold), "collapsed": f"{nodes}"}
            )
    return rows


def read(name: str, folder: Path) -> Dataset:
    """Read a data set by its printed name, without identifiers."""
    table = opened(folder)[CALLED.get(name, name)]
    data = dict(table.data)
    for column in NOMINAL.get(name, ()):
        data[column] = data[column].astype(int).astype(str).astype(object)
    return Dataset(data, table.y, table.target_name, table.description)


def run(
    trees: dict[str, TreeClassifier], names: list[str], repetitions: int, jobs: int, folder: Path,
    store: Path,
) -> Comparison:  # fmt: skip
    """Run what is not in the store yet, the smallest data sets first."""
    rows = {name: opened(folder).about(CALLED.get(name, name))["rows"] for name in names}
    sources: dict[str, Callable[[], Dataset]] = {
        name: partial(read, name, folder) for name in sorted(rows, key=lambda name: rows[name])
    }
    store.parent.mkdir(parents=True, exist_ok=True)
    return compare(trees, sources, cv=(FOLDS, repetitions), scores=SCORES, n_jobs=jobs, store=store)


def keep(found: list[Comparison], more: list[Row], path: Path) -> None:
    """Bring the file of runs up to date."""
    known = {key(row): row for row in read_rows(path)}
    for comparison in found:
        for run in comparison.rows:
            scores = {score: f"{run[score]:.6g}" for score in SCORES if not np.isnan(run[score])}
            fold = f"{run['repeat'] * FOLDS + run['fold']}"
            row = {"dataset": run["dataset"], "learner": run["learner"], "fold": fold, **scores}
            known[key(row)] = row
    known |= {key(row): row for row in more}
    head = ("dataset", "learner", "fold", *SCORES)
    write_rows(path, head, ([known[each].get(c, "") for c in head] for each in sorted(known)))


def key(row: Row) -> tuple[str, str, int]:
    """Give what identifies a run."""
    return row["dataset"], row["learner"], int(row["fold"])


def main() -> None:
    """Run, print and write."""
    names = "quick only repetitions jobs report data published results"
    options = parsed(arguments(__doc__, names, quick="at most 1,000 rows, once"))
    runs = options.results / "berzal_criteria_runs.csv"
    there = opened(options.data)
    if not options.report:
        printed = dict.fromkeys(name for name, _ in published(options.published, TABLES[0]))
        names = options.only or [name for name in printed if CALLED.get(name, name) in there]
        if options.quick:
            names = [n for n in names if there.about(CALLED.get(n, n))["rows"] <= 1000]
        repetitions = 1 if options.quick else options.repetitions
        folder = options.results / "berzal_criteria"
        given = (repetitions, options.jobs, options.data)
        found = [run(learners(), names, *given, folder / "folds.jsonl")]
        if BUPA in names:
            found.append(run(supported(), [BUPA], *given, folder / "support.jsonl"))
        holes = [name for name in names if there.about(CALLED.get(name, name)).get("missing")]
        if holes:
            found.append(run(divided(), holes, *given, folder / "divided.jsonl"))
        sys.setrecursionlimit(10_000)  # ties broken by chance make deep trees
        keep(found, random_ties(names, options.data), runs)
    rows = read_rows(runs)
    numeric = {
        name: bool(there.about(CALLED.get(name, name))["numeric"])
        for name in dict.fromkeys(row["dataset"] for row in rows)
    }
    print(report(rows, numeric, options.published, options.results))


if __name__ == "__main__":
    main()
