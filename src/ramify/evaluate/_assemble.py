"""From the lines of a store to the parts of a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ramify.evaluate._store_lines import Line

_ABOUT_DATASETS = ("n_rows", "n_features", "n_classes", "largest_class")


def assemble(
    lines: list[Line], learners: Sequence[str] | None, datasets: Sequence[str] | None
) -> dict[str, Any]:
    """Give the fields of a comparison: the settings of the last run, and its results.

    `learners` and `datasets` None take those of every run that has the task and folds of the last.
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
    """Give one row per data set, learner, repeat and fold, in this order; a later line wins."""
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
        for name in scores:  # a run that asked for other scores leaves the earlier ones
            value = line["scores"][name] if name in line["scores"] else before.get(name)
            row[name] = math.nan if value is None else float(value)
        row |= {"error": line["error"], "warnings": line.get("warnings", [])}
        found[key] = row
    return [found[key] for key in sorted(found)]


def _versions(runs: list[Line]) -> dict[str, str]:
    """Give every version that took part; more than one of a package if it was updated between."""
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        for package, number in run["versions"].items():
            found.setdefault(package, {})[number] = None
    return {package: " and ".join(numbers) for package, numbers in found.items()}
