"""What experiments on `ramify.evaluate.compare` share: processor time, and a file of their runs.

A store of `compare` holds every fold and is not in the repository. The file of runs has a line per
cross-validation, and is.
"""

from __future__ import annotations

import csv
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ramify import TreeClassifier
from ramify.evaluate import Comparison

FIELDS = ("dataset", "kind", "learner", "repetition", "accuracy", "size", "seconds")
KEY = FIELDS[:4]
Row = dict[str, str]


class TimedTree(TreeClassifier):
    """Knows how much of the processor its training took, whatever else the machine did."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TimedTree:
        """Grow the tree."""
        start = time.process_time()
        super().fit(X, y, sample_weight)
        self.seconds_ = time.process_time() - start
        return self


def seconds(estimator: Any, X: Any, y: Any) -> float:
    """Give the processor time of training; NaN if it was not taken."""
    return float(getattr(estimator, "seconds_", np.nan))


def store_of(results: Path, experiment: str, kind: str) -> Path:
    """Give the file in which the folds of a kind of runs are kept."""
    return results / experiment / f"{kind}.jsonl"


def lines(kind: str, store: Path, folds: int) -> list[Row]:
    """Give a line per cross-validation that a store holds in full; accuracies in percent."""
    parts: dict[tuple[str, str, int], list[dict[str, Any]]] = defaultdict(list)
    for row in Comparison.read(store).rows:
        if not np.isnan(row["accuracy"]):
            parts[row["dataset"], row["learner"], int(row["repeat"])].append(row)
    found = []
    for (name, learner, repetition), several in parts.items():
        if len(several) < folds:  # stopped in the middle
            continue
        rows = sum(part["n_test"] for part in several)
        right = sum(part["accuracy"] * part["n_test"] for part in several)
        spent = sum(part["seconds"] for part in several)
        values = (
            f"{100 * right / rows:.4f}",
            f"{statistics.mean(part['size'] for part in several):.2f}",
            "" if np.isnan(spent) else f"{spent:.3f}",
        )
        keys = (name, kind, learner, str(repetition))
        found.append(dict(zip(FIELDS, keys + values, strict=True)))
    return found


def collect(results: Path, experiment: str, kinds: Iterable[str], folds: int) -> list[Row]:
    """Bring the file of runs up to date with the stores, and give what it holds."""
    path = results / f"{experiment}_runs.csv"
    known: dict[tuple[str, ...], Row] = {}
    if path.exists():
        with path.open(newline="") as file:
            known = {tuple(row[field] for field in KEY): row for row in csv.DictReader(file)}
    for kind in kinds:
        store = store_of(results, experiment, kind)
        if store.exists():
            new = lines(kind, store, folds)
            known |= {tuple(row[field] for field in KEY): row for row in new}
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(known[key] for key in sorted(known))
    return list(known.values())
