"""What `selection="beyond_chance"` is worth: beside `"criterion"`, with and without identifiers.

    python experiments/selection.py                    five times five folds, up to 2,000 rows
    python experiments/selection.py --quick            the same, up to 250 rows
    python experiments/selection.py --repetitions 2    fewer folds

The data sets for classification are those of `defaults.py`, those for regression all in the folder.
All trees are pruned with `pruning="auto"`. Each set is tried as it is, and with three columns of
text added that tell nothing: one names the rows, one has about two rows for every level, one has
levels drawn from three times as many as there are rows. Seconds are those of the processor for the
fits of one repetition. Writes `results/selection.md` and `.csv`.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _folders import manifest
from _markdown import table
from _options import arguments, parsed
from _rows import write_rows
from defaults import names_in, read
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.progress import progress

EXPERIMENT = "selection"
FOLDS = 5
REPETITIONS = 5
MOST_ROWS = 2000
QUICK = 250
MOST_NUMBERS = 10_000  # rows of the data sets for regression
SELECTIONS = ("criterion", "beyond_chance")
TASKS = ("classification", "regression")


class Run(NamedTuple):
    """The means over all folds of a data set; accuracy in percent, or R2."""

    task: str
    dataset: str
    identifiers: bool
    selection: str
    score: float
    leaves: float
    seconds: float


def with_identifiers(X: Any, seed: int = 5) -> Any:
    """Add three columns of text that tell nothing, with almost as many levels as rows."""
    rng = np.random.default_rng(seed)
    rows = len(X)
    return X.assign(
        names_rows=[f"u{v}" for v in rng.permutation(rows)],
        pairs=[f"t{v}" for v in rng.integers(0, max(2, rows // 2), rows)],
        nearly=[f"s{v}" for v in rng.integers(0, 3 * rows, rows)],
    )


def one(task: str, name: str, data: Path, repetitions: int) -> Iterator[Run]:
    """Cross-validate both selections on a data set, with and without identifiers."""
    bare, y = read(name, data)
    for identifiers in (False, True):
        X = with_identifiers(bare) if identifiers else bare
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in SELECTIONS}
        for repetition in range(repetitions):
            kind = StratifiedKFold if task == "classification" else KFold
            folds = kind(FOLDS, shuffle=True, random_state=repetition)
            for train, test in folds.split(np.zeros(len(y)), y):
                for selection in SELECTIONS:
                    found[selection].append(_fold(task, selection, X, y, train, test))
        for selection, folds_of in found.items():
            score, leaves, seconds = (statistics.mean(v) for v in zip(*folds_of, strict=True))
            yield Run(task, name, identifiers, selection, score, leaves, FOLDS * seconds)


def _fold(
    task: str, selection: Any, X: Any, y: Any, train: Any, test: Any
) -> tuple[float, float, float]:
    classes = task == "classification"
    learner = TreeClassifier if classes else TreeRegressor
    start = time.process_time()
    tree = learner(selection=selection, pruning="auto", identifiers="keep").fit(
        X.iloc[train], y[train]
    )
    seconds = time.process_time() - start
    told = tree.predict(X.iloc[test])
    score = 100 * np.mean(told == y[test]) if classes else r2_score(y[test], told)
    return float(score), float(tree.tree_.n_leaves), seconds


def _section(runs: list[Run], task: str) -> str:
    found = {(run.dataset, run.identifiers, run.selection): run for run in runs}
    names = list(dict.fromkeys(run.dataset for run in runs))
    variants = [(i, s) for i in (False, True) for s in SELECTIONS]
    digits = 2 if task == "classification" else 3

    def cells(of: list[Run]) -> str:
        score, leaves, seconds = (
            statistics.mean(float(getattr(run, part)) for run in of)
            for part in ("score", "leaves", "seconds")
        )
        return f"{score:.{digits}f} ({leaves:.1f}; {seconds:.2f} s)"

    head = [f"`{s}`" + (" + identifiers" if i else "") for i, s in variants]
    rows = [[name, *(cells([found[name, i, s]]) for i, s in variants)] for name in names]
    rows.append(["**mean**", *(cells([found[n, i, s] for n in names]) for i, s in variants)])
    return table(["data set", *head], rows)


def _mean(runs: list[Run], identifiers: bool, selection: str, part: str) -> float:
    chosen = [r for r in runs if r.identifiers == identifiers and r.selection == selection]
    return statistics.mean(float(getattr(run, part)) for run in chosen)


def report(runs: list[Run]) -> str:
    """Give the text: what was found, and the tables."""
    parts = [
        "# Choosing attributes by what they gain beyond chance",
        f"By `experiments/{EXPERIMENT}.py`: five-fold cross-validation, the same folds for all, "
        'with `pruning="auto"`. Leaves and seconds of five fits are in brackets.',
    ]
    for task in TASKS:
        of_task = [run for run in runs if run.task == task]
        if not of_task:
            continue
        unit, digits = ("%", 2) if task == "classification" else ("R2", 3)
        (plain, beyond), (plain_ids, beyond_ids) = (
            [_mean(of_task, ids, selection, "score") for selection in SELECTIONS]
            for ids in (False, True)
        )
        times = [
            sum(r.seconds for r in of_task if r.selection == s and not r.identifiers)
            for s in SELECTIONS
        ]
        pairs = list(_pairs(of_task))
        parts += [
            f"## {task.capitalize()}",
            f"Over {len(of_task) // 4} data sets: {beyond:.{digits}f} {unit} beyond chance, "
            f"{plain:.{digits}f} {unit} by the criterion; better on "
            f"{sum(a > b for a, b in pairs)}, worse on {sum(a < b for a, b in pairs)}. With "
            f"columns that identify rows: {beyond_ids:.{digits}f} and {plain_ids:.{digits}f} "
            f"{unit}. The fits take {times[1] / times[0]:.2f} times as long.",
            _section(of_task, task),
        ]
    return "\n\n".join(parts)


def _pairs(runs: list[Run]) -> Iterator[tuple[float, float]]:
    plain = {r.dataset: r.score for r in runs if r.selection == "criterion" and not r.identifiers}
    for run in runs:
        if run.selection == "beyond_chance" and not run.identifiers:
            yield run.score, plain[run.dataset]


def main() -> None:
    """Run, print and write."""
    parser = arguments(
        __doc__,
        "quick repetitions data results",
        quick=f"at most {QUICK} rows",
        repetitions=REPETITIONS,
    )
    options = parsed(parser)
    names = [
        ("classification", name)
        for name in names_in(options.data, QUICK if options.quick else MOST_ROWS)
    ]
    most = QUICK if options.quick else MOST_NUMBERS
    names += [
        ("regression", name)
        for name, about in manifest(options.data).items()
        if about["task"] == "regression" and int(str(about["rows"])) <= most
    ]
    runs: list[Run] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about identifiers, which were added
        with progress("data sets", len(names), shown=None) as bar:
            for task, name in names:
                runs += one(task, name, options.data, options.repetitions)
                bar.advance()
    text = report(runs)
    options.results.mkdir(parents=True, exist_ok=True)
    lines = [
        (*run[:2], str(run.identifiers), run.selection, *(f"{v:.4f}" for v in run[4:]))
        for run in runs
    ]
    write_rows(options.results / f"{EXPERIMENT}.csv", Run._fields, lines)
    (options.results / f"{EXPERIMENT}.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
