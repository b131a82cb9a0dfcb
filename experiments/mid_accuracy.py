"""Test accuracy of five pipelines at depth 3 to 6: Tables 3.2 and 3.3 of Dal Maso (2024).

    python experiments/mid_accuracy.py                     14 data sets, ten folds (half an hour)
    python experiments/mid_accuracy.py --quick             four small ones
    python experiments/mid_accuracy.py --report            only writes the tables from what is there

MID + optimal tree, MID + greedy tree (CART), CART on the numbers as they are, MDLP + optimal tree,
equal frequency + optimal tree; Gini index and entropy rank MID's thresholds and split CART's nodes;
at least five rows in a leaf. Table 3.2 has MID with 45 features. Table 3.3 takes the number of
features that is best **on the test folds**, of 1 to 45 in the thesis, of `COUNTS` here. That is
optimistic, and does not estimate the accuracy on new data.

The means of a data set are appended to `results/mid_accuracy_runs.csv` when it ends, and what is
there is not run again. The tables go to `results/mid_accuracy.md` and `.csv`, the plot to `.png`.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _mid import (
    FOLDS,
    IMPURITIES,
    MIN_LEAF,
    N_THRESHOLDS,
    cross_validated,
    equal_frequency,
    folds,
    mdlp,
    mid,
    optimal,
    standard_error,
    table,
)
from _mid_accuracy_report import KEY, write_report

from ramify import TreeClassifier

DEPTHS = (3, 4, 5, 6)
COUNTS = (5, 10, 15, 20, 30, N_THRESHOLDS)
HEAD = (*KEY, "accuracy", "standard_error", "proven", "fits", "seconds")


def run(
    name: str, data: Path, most_rows: int, seconds: float, tick: Callable[[], None] = lambda: None
) -> list[tuple]:
    """Cross-validate all pipelines: mean accuracy and its standard error over the folds."""
    found = table(name, data, most_rows)
    right, proven, spent = defaultdict(list), defaultdict(int), defaultdict(float)

    def fit(key: tuple, train: tuple, test: tuple) -> None:
        depth, pipeline, impurity, _ = key
        began = time.perf_counter()
        if pipeline.endswith("DL8.5"):
            model = optimal(*train, depth, seconds)
            proven[key] += model.proven_optimal_
        else:
            model = TreeClassifier(
                max_depth=depth, min_samples_leaf=MIN_LEAF, criterion=impurity
            ).fit(*train)
        spent[key] += time.perf_counter() - began
        right[key].append(100 * float(np.mean(model.predict(test[0]) == test[1])))

    for train, test in folds(found):
        (X, y), (Z, z) = ((found.X[part], found.y[part]) for part in (train, test))
        ranked = {i: mid(X, y, N_THRESHOLDS, i, Z) for i in IMPURITIES}
        others = {"MDLP+DL8.5": mdlp(X, y, Z), "EqFreq8+DL8.5": equal_frequency(X, Z)}
        for depth in DEPTHS:
            for impurity, (B, C) in ranked.items():
                fit((depth, "CART", impurity, ""), (X, y), (Z, z))
                for n in COUNTS:
                    for learner in ("DL8.5", "CART"):
                        key = depth, f"MID+{learner}", impurity, n
                        fit(key, (B[:, :n], y), (C[:, :n], z))
            for pipeline, (B, C) in others.items():
                fit((depth, pipeline, "", ""), (B, y), (C, z))
        tick()
    return [
        (
            name,
            *key,
            f"{np.mean(values):.3f}",
            f"{standard_error(values):.3f}",
            proven[key] if key[1].endswith("DL8.5") else "",
            len(values),
            f"{spent[key] / len(values):.4f}",
        )
        for key, values in right.items()
    ]


def main() -> None:
    """Run, print and write."""
    options, sample = cross_validated(__doc__, "mid_accuracy", HEAD, run, seconds=1.0)
    protocol = (
        f"{FOLDS}-fold cross-validation (shuffled, stratified), at least {MIN_LEAF} rows in a "
        f"leaf, percent, **ours / printed**. {sample} "
        f"A fit of an optimal tree may take {options.seconds:g} s (five minutes in the thesis) "
        "and begins with the greedy tree over the same features; limits are by the clock, so that "
        "what is proven depends on the machine and on what else it does."
    )
    print(write_report(options.results, options.published, protocol, COUNTS, options.seconds))


if __name__ == "__main__":
    main()
