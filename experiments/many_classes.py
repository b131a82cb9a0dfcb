"""Which criterion for a small tree of many classes? Gini, entropy and twoing at limited depth.

    python experiments/many_classes.py              three times five-fold, depth 3, 5 and 8
    python experiments/many_classes.py --quick      once, the data sets with up to 1,000 rows

All data sets of at least eight classes and at most 50,000 rows, with the default
`categorical_split="auto"` and no pruning: accuracy on the training rows and on rows left out.
Writes `results/many_classes.md` and `.csv`.
"""

from __future__ import annotations

import statistics
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from _folders import load, manifest
from _markdown import table
from _options import arguments, parsed
from _rows import write_rows
from scipy.stats import wilcoxon
from sklearn.model_selection import StratifiedKFold

from ramify import TreeClassifier
from ramify.learning.progress import progress

CRITERIA = ("gini", "entropy", "twoing")
DEPTHS = (3, 5, 8)
SHOWN = 5  # the depth of the table by data set
LEAST_CLASSES, MOST_ROWS, QUICK_ROWS = 8, 50_000, 1000
FOLDS = 5
REPEATED = ("shelter-22",)  # it has the rows of shelter-15
Found = dict[tuple[str, int, str], tuple[float, float]]  # on training rows and others, percent


def names_in(folder: Path, most_rows: int) -> list[str]:
    """Give the data sets of many classes, the smallest first."""
    about: dict[str, dict[str, Any]] = manifest(folder)
    chosen = [
        name
        for name, what in about.items()
        if what["task"] == "classification"
        and what["classes"] >= LEAST_CLASSES
        and what["rows"] <= most_rows
        and name not in REPEATED
    ]
    return sorted(chosen, key=lambda name: about[name]["rows"])


def accuracies(X: Any, y: Any, repetitions: int, **parameters: Any) -> tuple[float, float]:
    """Give the accuracy on the training rows, and the mean of cross-validations."""
    model = TreeClassifier(**parameters)
    own = float(model.fit(X, y).score(X, y))
    others = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer rows than folds
        for seed in range(repetitions):
            parts = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
            right = sum(
                int((model.fit(X.iloc[train], y[train]).predict(X.iloc[test]) == y[test]).sum())
                for train, test in parts.split(X, y)
            )
            others.append(right / len(y))
    return 100 * own, 100 * statistics.mean(others)


def run(names: list[str], folder: Path, repetitions: int) -> Found:
    """Measure all data sets, depths and criteria."""
    found: Found = {}
    with progress("computing", len(names), shown=None) as bar:
        for name in names:
            data = load(name, folder)
            X, y = data.to_frame("pandas"), np.asarray(data.y)
            for depth in DEPTHS:
                for criterion in CRITERIA:
                    found[name, depth, criterion] = accuracies(
                        X, y, repetitions, criterion=criterion, max_depth=depth
                    )
            bar.advance()
    return found


def write_report(found: Found, folder: Path, about: dict[str, dict[str, Any]]) -> str:
    """Write both files; give the Markdown."""
    names = list(dict.fromkeys(name for name, _, _ in found))
    by_depth = []
    for depth in DEPTHS:
        for at, rows in enumerate(("its own", "left out")):
            columns = [[found[name, depth, c][at] for name in names] for c in CRITERIA]
            cells = [f"{statistics.mean(column):.2f}" for column in columns]
            for column in columns[1:]:
                better = sum(b > a for a, b in zip(columns[0], column, strict=True))
                cell = f"{better} of {len(names)}"
                if len(names) > 1:
                    p = wilcoxon(column, columns[0], zero_method="zsplit").pvalue
                    cell += f" (p = {p:.3f})"
                cells.append(cell)
            by_depth.append([str(depth), rows, *cells])
    head = ["depth", "rows", *CRITERIA, "entropy above gini", "twoing above gini"]
    by_name = [
        [name, *(f"{about[name][size]:,}" for size in ("rows", "classes"))]
        + [" / ".join(f"{value:.2f}" for value in found[name, SHOWN, c]) for c in CRITERIA]
        for name in names
    ]
    text = "\n\n".join(
        [
            "# Which criterion for a small tree of many classes?",
            f"By `experiments/many_classes.py`: the {len(names)} data sets of at least "
            f"{LEAST_CLASSES} classes and at most {MOST_ROWS:,} rows, trees of limited depth, not "
            "pruned. Accuracy in percent on the rows that the tree was grown on, and on rows left "
            f"out in {FOLDS}-fold cross-validation; means over the data sets, with the number of "
            "data sets on which a criterion is ahead of gini, and Wilcoxon's p (two-sided).",
            table(head, by_depth),
            f"## By data set, depth {SHOWN}: own rows / rows left out",
            table(["data set", "rows", "classes", *CRITERIA], by_name),
        ]
    )
    lines = [[*key, *(f"{value:.3f}" for value in values)] for key, values in found.items()]
    columns = ("dataset", "depth", "criterion", "own_rows", "left_out")
    write_rows(folder / "many_classes.csv", columns, lines)
    (folder / "many_classes.md").write_text(text + "\n")
    return text


def main() -> None:
    """Run, print and write."""
    how = f"once, up to {QUICK_ROWS} rows"
    parser = arguments(__doc__, "quick repetitions data results", quick=how, repetitions=3)
    options = parsed(parser)
    names = names_in(options.data, QUICK_ROWS if options.quick else MOST_ROWS)
    found = run(names, options.data, 1 if options.quick else options.repetitions)
    print(write_report(found, options.results, manifest(options.data)))


if __name__ == "__main__":
    main()
