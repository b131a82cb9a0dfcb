"""What experiments on `ramify.evaluate.compare` share: processor time, and a file of their runs.

A store of `compare` has every fold; it is not in the repository. The file of runs has a line per
cross-validation; it is in the repository.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _rows import Row, read_rows, write_rows

from ramify import TreeClassifier
from ramify.evaluate import Comparison, compare

FIELDS = ("dataset", "kind", "learner", "repetition", "accuracy", "size", "seconds")
Source = Callable[[], Any]  # reads a data set


class TimedTree(TreeClassifier):
    """A tree that takes the processor time of its training, whatever else the machine does."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TimedTree:
        """Grow the tree."""
        start = time.process_time()
        super().fit(X, y, sample_weight)
        self.seconds_ = time.process_time() - start
        return self


def seconds(estimator: Any, X: Any, y: Any) -> float:
    """Give the processor time of a training; NaN if it was not taken."""
    return float(getattr(estimator, "seconds_", np.nan))


def leaves(estimator: Any, X: Any, y: Any) -> float:
    """Give the number of leaves of a tree."""
    return float(estimator.tree_.n_leaves)


def cross_validate(
    learners: Mapping[str, Any],
    sources: Mapping[str, Source],
    store: Path,
    *,
    folds: int,
    repetitions: int,
    jobs: int,
    size: Any = leaves,
) -> None:
    """Run what is not in the store yet: accuracy, size and processor time."""
    compare(
        learners,
        sources,
        cv=(folds, repetitions),
        scores={"accuracy": "accuracy", "size": size, "seconds": seconds},
        n_jobs=jobs,
        store=store,
    )


def store_of(results: Path, experiment: str, kind: str) -> Path:
    """Give the file in which the folds of a kind of runs are kept."""
    return results / experiment / f"{kind}.jsonl"


def lines(kind: str, store: Path, folds: int) -> list[Row]:
    """Give a row per complete cross-validation of a store; accuracies in percent."""
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
    rows = read_rows(path)
    for kind in kinds:
        store = store_of(results, experiment, kind)
        if store.exists():
            rows += lines(kind, store, folds)
    known = {tuple(row[field] for field in FIELDS[:4]): row for row in rows}  # the last one counts
    write_rows(path, FIELDS, ([known[key][field] for field in FIELDS] for key in sorted(known)))
    return list(known.values())
