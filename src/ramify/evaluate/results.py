"""The results of a comparison: scores of learners on the folds of data sets.

Invariant: at most one row per data set, learner, repeat and fold; scores of two learners on a data
set are paired by repeat and fold.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate.measures import SIZES, TIMES
from ramify.evaluate.store import Line, Store
from ramify.learning import parameters as check

Floats = NDArray[np.float64]
_ABOUT_DATASETS = ("n_rows", "n_features", "n_classes", "largest_class")


@dataclass(frozen=True, eq=False)
class Results:
    """The numbers of a comparison; see :class:`Comparison` for the parameters."""

    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: dict[str, bool]
    task: str
    cv: str
    test: str
    alpha: float
    rows: list[dict[str, Any]]
    about_learners: dict[str, str] = field(default_factory=dict)
    about_datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_lines(
        cls,
        lines: list[Line],
        *,
        learners: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> Self:
        """Make a comparison from the lines of a store; None takes all learners, or data sets."""
        return cls(**_fields(lines, learners, datasets))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read all results of a store, also while it is being written.

        It holds the learners and data sets of all runs that have the folds of the last run. A
        learner that has changed is there in its last version.
        """
        store = Store(path)
        if not store.of_kind("run"):
            raise ValueError(f"there are no results in {str(store.path)!r}")
        return cls.from_lines(store.lines)

    def select(
        self, *, learners: Sequence[str] | None = None, datasets: Sequence[str] | None = None
    ) -> Self:
        """Give the comparison of some learners or data sets only, in this order; None is all."""
        kept, sets = (
            own if names is None else tuple(check.choice(what, name, own) for name in names)
            for what, names, own in (
                ("learners", learners, self.learners),
                ("datasets", datasets, self.datasets),
            )
        )
        rows = [row for row in self.rows if row["learner"] in kept and row["dataset"] in sets]
        return replace(self, learners=kept, datasets=sets, rows=rows)

    @property
    def results(self) -> dict[str, list[Any]]:
        """The tidy table by columns: one row per data set, learner, repeat and fold."""
        names = ["dataset", "learner", "repeat", "fold", "n_train", "n_test", *self.scores, "error"]
        return {name: [row[name] for row in self.rows] for name in names}

    def values(self, dataset: str, score: str | None = None) -> Floats:
        """Give the scores on a data set: a row per fold, a column per learner; NaN if missing."""
        name = self.check_score(score)
        check.choice("dataset", dataset, self.datasets)
        folds = self.folds(dataset)
        table = np.full((len(folds), len(self.learners)), np.nan)
        at = {key: i for i, key in enumerate(folds)}
        column = {learner: j for j, learner in enumerate(self.learners)}
        for row in self._by_dataset[dataset]:
            table[at[row["repeat"], row["fold"]], column[row["learner"]]] = row[name]
        return table

    def folds(self, dataset: str) -> list[tuple[int, int]]:
        """Give repeat and fold of the rows of `values`."""
        return sorted({(row["repeat"], row["fold"]) for row in self._by_dataset[dataset]})

    def test_fraction(self, dataset: str) -> float:
        """Give rows to test over rows to learn from, the mean over the folds of a data set."""
        shares = [row["n_test"] / row["n_train"] for row in self._by_dataset[dataset]]
        return float(np.mean(shares)) if shares else np.nan

    @cached_property
    def _by_dataset(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in self.datasets}
        for row in self.rows:
            found[row["dataset"]].append(row)
        return found

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The rows where a learner or a score failed, with the message."""
        return [row for row in self.rows if row["error"]]

    @property
    def warnings(self) -> list[tuple[str, str, str]]:
        """The warnings, each once: learner, data set and text."""
        said = ((r["learner"], r["dataset"], text) for r in self.rows for text in r["warnings"])
        return list(dict.fromkeys(said))

    @property
    def times(self) -> list[str]:
        """The times that were measured."""
        return [name for name in TIMES if name in self.scores]

    @property
    def how(self) -> str:
        """How the data were divided, with the number of repeats."""
        repeats = len({row["repeat"] for row in self.rows})
        return f"{self.cv}, {repeats} repeats" if repeats > 1 else self.cv

    def check_score(self, score: str | None) -> str:
        """Give the name of a score; None is the first."""
        known = tuple(self.scores)
        return known[0] if score is None else check.choice("score", score, known)

    def check_size(self, size: str | None) -> str:
        """Give the name of a size; None is the first that was measured."""
        if size is not None:
            return self.check_score(size)
        found = next((name for name in SIZES if name in self.scores), None)
        if found is None:
            raise ValueError(f"no size was measured; add one of {', '.join(SIZES)} to scores")
        return found


def _fields(
    lines: list[Line], learners: Sequence[str] | None, datasets: Sequence[str] | None
) -> dict[str, Any]:
    """Give the fields of results: the settings of the last run, and the scores.

    None takes the learners, or data sets, of every run with the task and the folds of the last.
    """
    every = [line for line in lines if line.get("kind") == "run"]
    last = every[-1]
    runs = [run for run in every if (run["task"], run["cv"]) == (last["task"], last["cv"])]
    known: dict[str, Any] = {}
    for run in runs:
        known |= run["learners"]
    if learners is None:
        runs_read, names = runs, list(known)
    else:
        runs_read, names = [last], list(learners)
    about = {line["name"]: line for line in lines if line.get("kind") == "dataset"}
    if datasets is None:
        given = dict.fromkeys(name for run in runs for name in run["datasets"])
        datasets = [name for name in given if name in about]
    scores = {name: greater for run in runs_read for name, greater in run["scores"].items()}
    scores = dict(last["scores"]) | scores
    rows = _rows(
        [line for line in lines if line.get("kind") == "fold" and line["cv"] == last["cv"]],
        {name: known[name]["id"] for name in names},
        {name: about[name]["id"] for name in datasets},
        scores,
        _most_repeats(runs_read),
    )
    return {
        "learners": tuple(names),
        "datasets": tuple(datasets),
        "scores": scores,
        "task": last["task"],
        "cv": last["cv"],
        "test": last["test"],
        "alpha": last["alpha"],
        "rows": rows,
        "about_learners": {name: known[name]["text"] for name in names},
        "about_datasets": {
            name: {key: about[name].get(key) for key in _ABOUT_DATASETS} for name in datasets
        },
        "versions": _versions(runs),
    }


def _most_repeats(runs: list[Line]) -> float:
    repeats = [run["repeats"] for run in runs]
    return math.inf if None in repeats else max(repeats)


def _rows(
    lines: list[Line],
    learners: dict[str, str],
    datasets: dict[str, str],
    scores: dict[str, bool],
    repeats: float,
) -> list[dict[str, Any]]:
    """Give one row per data set, learner, repeat and fold, in this order; the last line counts."""
    found: dict[tuple[int, int, int, int], dict[str, Any]] = {}
    dataset_at = {name: i for i, name in enumerate(datasets)}
    learner_at = {name: i for i, name in enumerate(learners)}
    for line in lines:
        dataset, learner = line["dataset"], line["learner"]
        if (
            datasets.get(dataset) != line["dataset_id"]
            or learners.get(learner) != line["learner_id"]
            or line["repeat"] >= repeats
        ):
            continue
        key = (dataset_at[dataset], learner_at[learner], line["repeat"], line["fold"])
        row = {name: line[name] for name in ("dataset", "learner", "repeat", "fold")}
        row |= {name: line[name] for name in ("n_train", "n_test")}
        before = found.get(key, {})
        for name in scores:  # a run with other scores leaves the earlier ones
            value = line["scores"][name] if name in line["scores"] else before.get(name)
            row[name] = math.nan if value is None else float(value)
        row |= {"error": line["error"], "warnings": line.get("warnings", [])}
        found[key] = row
    return [found[key] for key in sorted(found)]


def _versions(runs: list[Line]) -> dict[str, str]:
    """Give the versions of every package; more than one if it was updated between runs."""
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        for package, number in run["versions"].items():
            found.setdefault(package, {})[number] = None
    return {package: " and ".join(numbers) for package, numbers in found.items()}
