"""The plan of a comparison: its trials, those that the store has already, and the store's lines."""

from __future__ import annotations

import platform
import warnings
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ramify.evaluate.fingerprint import learner_parameters
from ramify.evaluate.measures import Measure
from ramify.evaluate.run.folding import Fold, Folding
from ramify.evaluate.run.inputs import LoadedDataset
from ramify.evaluate.run.trials import Trial, TrialResult
from ramify.evaluate.store import Line, Store


@dataclass(frozen=True)
class Plan:
    """What to compute, and what the store has already."""

    learners: dict[str, Any]
    ids: dict[str, str]
    task: str
    folding: Folding
    measures: list[Measure]
    store: Store
    raise_errors: bool
    retry_errors: bool

    def begin(self, datasets: list[str], test: str, alpha: float) -> None:
        """Write to the store what is compared and how."""
        parameters = {n: learner_parameters(one) for n, one in self.learners.items()}
        self._warn_of_changes(parameters)
        self.store.append(
            {
                "kind": "run",
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
                "learners": {
                    name: {
                        "id": self.ids[name],
                        "text": " ".join(repr(self.learners[name]).split()),
                        "parameters": parameters[name],
                    }
                    for name in self.learners
                },
                "datasets": datasets,
                "task": self.task,
                "cv": self.folding.label,
                "repeats": self.folding.repeats if self.folding.splitter is None else None,
                "scores": {one.name: one.greater_is_better for one in self.measures},
                "score_ids": {one.name: one.id for one in self.measures if one.id},
                "test": test,
                "alpha": alpha,
                "seed": self.folding.seed,
                "versions": _versions(),
            }
        )

    def _warn_of_changes(self, parameters: dict[str, dict[str, str]]) -> None:
        known: dict[str, Any] = {}
        for run in self.store.of_kind("run"):
            known |= run["learners"]
        for name, now in parameters.items():
            if name in known and known[name]["id"] != self.ids[name]:
                before = known[name]["parameters"]
                changed = [
                    f"{key}: {before.get(key, 'not there')} -> {now.get(key, 'not there')}"
                    for key in dict.fromkeys([*before, *now])
                    if before.get(key) != now.get(key)
                ]
                warnings.warn(
                    f"learner {name!r} is not the one in the store ({', '.join(changed)}); "
                    "it is computed again",
                    stacklevel=4,
                )

    def note_dataset(self, data: LoadedDataset) -> None:
        """Write the data set to the store; warn if the store has another one of its name."""
        line = {"kind": "dataset", "name": data.name, "id": data.id, **data.summary}
        before = [one for one in self.store.of_kind("dataset") if one["name"] == data.name]
        if before and before[-1]["id"] == data.id:
            return
        if before:
            warnings.warn(
                f"data set {data.name!r} is not the one in the store (it had "
                f"{before[-1]['n_rows']} rows and other cells); it is computed again",
                stacklevel=4,
            )
        self.store.append(line)

    def missing(self, data: LoadedDataset, folds: list[Fold]) -> list[Trial]:
        """Give the trials of a data set that the store has no result of."""
        wanted = {one.name: one.id for one in self.measures}
        done = {
            (line["learner"], line["learner_id"], line["repeat"], line["fold"], line["rows"])
            for line in self.store.of_kind("fold")
            if (line["dataset"], line["dataset_id"]) == (data.name, data.id)
            and line["cv"] == self.folding.label
            and not (line["error"] and self.retry_errors)
            and all(
                name in line["scores"] and line.get("score_ids", {}).get(name, "") == id_
                for name, id_ in wanted.items()
            )
        }
        return [
            Trial(name, estimator, fold, self.folding.seed)
            for fold in folds
            for name, estimator in self.learners.items()
            if (name, self.ids[name], fold.repeat, fold.fold, fold.id) not in done
        ]

    def line(self, data: LoadedDataset, done: TrialResult) -> Line:
        """Give the line of the store for the result of a trial."""
        fold = done.trial.fold
        line: Line = {
            "kind": "fold",
            "dataset": data.name,
            "learner": done.trial.learner,
            "repeat": fold.repeat,
            "fold": fold.fold,
            "n_train": len(fold.train),
            "n_test": len(fold.test),
            "scores": done.scores,
            "error": done.error,
            "dataset_id": data.id,
            "learner_id": self.ids[done.trial.learner],
            "cv": self.folding.label,
            "rows": fold.id,
        }
        if ids := {one.name: one.id for one in self.measures if one.id}:
            line["score_ids"] = ids
        if done.warnings:
            line["warnings"] = done.warnings
        return line


def _versions() -> dict[str, str]:
    """Give the versions of Python, of ramify and of what it computes with."""
    import ramify

    found = {"Python": platform.python_version(), "ramify": ramify.__version__}
    for package in ("numpy", "scipy", "scikit-learn"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # a build without metadata
            found[package] = "unknown"
    return found
