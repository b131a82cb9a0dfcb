"""`compare`: any learners on any data sets, the same folds for all, continued from a store."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

from ramify.evaluate._comparison import Comparison
from ramify.evaluate._fingerprint import fingerprint, learner_parameters
from ramify.evaluate._folds import Fold, Folding, make_folding
from ramify.evaluate._inputs import Data, find_task, load, name_datasets, name_learners
from ramify.evaluate._measures import DEFAULT_SCORES, Measure, find_measures
from ramify.evaluate._paired_tests import TESTS
from ramify.evaluate._run import Done, Runner, Task
from ramify.evaluate._store import Store
from ramify.evaluate._store_lines import Line
from ramify.evaluate._versions import versions
from ramify.learning import parameters as check
from ramify.learning.progress import Progress
from ramify.learning.progress import progress as show_progress

Score = str | Callable[[Any, Any, Any], float]


def compare(
    learners: Mapping[str, Any] | Sequence[Any],
    datasets: Any,
    *,
    cv: Any = (10, 1),
    scores: Sequence[Score] | Mapping[str, Score] = DEFAULT_SCORES,
    test: Literal["corrected_t", "paired_t", "wilcoxon"] = "corrected_t",
    alpha: float = 0.05,
    n_jobs: int | None = None,
    store: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    random_state: int | None = 0,
    error_score: float | Literal["raise"] = np.nan,
    retry_errors: bool = False,
) -> Comparison:
    """Compare learners on data sets by (repeated) cross-validation.

    Every learner sees the same folds. What has been computed is kept in the store, fold by fold: a
    run that was interrupted or killed continues where it was.

    Parameters
    ----------
    learners : mapping of str to estimator, or sequence of estimators
        Any scikit-learn estimators: all classifiers or all regressors. They are cloned. Those of a
        sequence are called by their class.
    datasets : mapping of str to data set, or one data set
        A data set is a pair (X, y), a :class:`ramify.datasets.Dataset`, what a loader of
        scikit-learn returns, or a function without parameters that gives one of these; it is called
        when its turn comes, so that only one data set is in memory.
    cv : int, (int, int) or splitter, default=(10, 1)
        Folds, or folds and repeats, or a splitter of scikit-learn. Folds are stratified in
        classification, as well as rare classes allow. More repeats continue a store.
    scores : sequence or mapping of names and functions
        "accuracy", "balanced_accuracy", "log_loss", "roc_auc", "f1", "precision", "recall"; "r2",
        "rmse", "mae"; "n_leaves", "n_nodes", "depth" (NaN for what is no tree); "fit_time",
        "predict_time" (seconds); the name of any scorer of scikit-learn; or a function
        ``(estimator, X, y) -> float``, greater is better unless it has an attribute
        ``greater_is_better = False``. The first is the one that tables show if none is named. By
        default ("accuracy", "n_leaves", "fit_time"), and "r2" for accuracy if the learners are
        regressors. "f1", "precision" and "recall" are of the second class of two, and the mean over
        more; "roc_auc" of more than two classes is the mean of each against the rest.
    test : {"corrected_t", "paired_t", "wilcoxon"}, default="corrected_t"
        How the scores on the folds of a data set are tested; see :func:`corrected_ttest`.
    alpha : float, default=0.05
        The level of significance.
    n_jobs : int, optional
        Processes; -1 takes all cores. The results do not depend on it; times do.
    store : path, optional
        A file of JSON lines, or a folder for it, made where it is not there. A learner whose class
        or parameters have changed, and a data set whose cells have, are computed anew.
    progress : bool, optional
        Show a progress bar; None shows it in a terminal.
    random_state : int, optional
        Seed of the folds, and of the learners whose own ``random_state`` is None. None means 0.
    error_score : "raise" or NaN, default=NaN
        NaN: a learner that fails on a fold gets NaN there, with a warning and the message in the
        table, and the rest goes on. "raise" stops.
    retry_errors : bool, default=False
        Try the folds again that the store has as failed.

    Returns
    -------
    Comparison
        The results, with tables, tests, plots and a page.

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from ramify import presets
    >>> from ramify.evaluate import compare
    >>> learners = {"cart": presets.cart(), "naive": DummyClassifier()}
    >>> found = compare(learners, {"iris": load_iris, "wine": load_wine}, cv=(5, 2))
    >>> found
    <Comparison: 2 learners on 2 data sets, stratified 5-fold, seed 0, 2 repeats>
    >>> found.table().wins["naive"]
    (0, 0, 2)
    """
    named = name_learners(learners)
    task = find_task(named)
    plan = _Plan(
        learners=named,
        ids={name: fingerprint(estimator) for name, estimator in named.items()},
        task=task,
        folding=make_folding(cv, check.seed(random_state), task),
        measures=find_measures(scores, task),
        store=Store(store),
        raise_errors=_raises(error_score),
        retry_errors=check.boolean("retry_errors", retry_errors),
    )
    check.choice("test", test, TESTS)
    check.probability("alpha", alpha)
    if progress is not None:
        check.boolean("progress", progress)
    sources = name_datasets(datasets)
    plan.begin(list(sources), test, alpha)
    there: list[str] = []
    expected = len(named) * plan.folding.expected * len(sources)
    runner = Runner(check.threads(n_jobs), plan.measures, raise_errors=plan.raise_errors)
    try:
        with show_progress("comparing", expected or None, shown=progress) as bar, runner:
            for name, source in sources.items():
                if _run_dataset(plan, name, source, runner, bar):
                    there.append(name)
    finally:
        plan.store.close()
    if not there:
        raise ValueError(f"no data set could be used, of {', '.join(map(repr, sources))}")
    return Comparison.from_lines(plan.store.lines, learners=list(named), datasets=there)


@dataclass(frozen=True)
class _Plan:
    """What is to be computed, and what is there already."""

    learners: dict[str, Any]
    ids: dict[str, str]
    task: str
    folding: Folding
    measures: list[Measure]
    store: Store
    raise_errors: bool
    retry_errors: bool

    def begin(self, datasets: list[str], test: str, alpha: float) -> None:
        """Say in the store what is compared and how."""
        parameters = {n: learner_parameters(one) for n, one in self.learners.items()}
        self._say_what_changed(parameters)
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
                "versions": versions(),
            }
        )

    def _say_what_changed(self, parameters: dict[str, dict[str, str]]) -> None:
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
                    "it is computed anew",
                    stacklevel=4,
                )

    def missing(self, data: Data, folds: list[Fold]) -> list[Task]:
        """Give the tasks of a data set that the store has no result of."""
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
            Task(name, estimator, fold, self.folding.seed)
            for fold in folds
            for name, estimator in self.learners.items()
            if (name, self.ids[name], fold.repeat, fold.fold, fold.id) not in done
        ]

    def line(self, data: Data, done: Done) -> Line:
        """Give the line of the store for what came of a task."""
        fold = done.task.fold
        line: Line = {
            "kind": "fold",
            "dataset": data.name,
            "learner": done.task.learner,
            "repeat": fold.repeat,
            "fold": fold.fold,
            "n_train": len(fold.train),
            "n_test": len(fold.test),
            "scores": done.scores,
            "error": done.error,
            "dataset_id": data.id,
            "learner_id": self.ids[done.task.learner],
            "cv": self.folding.label,
            "rows": fold.id,
        }
        if ids := {one.name: one.id for one in self.measures if one.id}:
            line["score_ids"] = ids
        if done.warnings:
            line["warnings"] = done.warnings
        return line


def _run_dataset(plan: _Plan, name: str, source: Any, runner: Runner, bar: Progress) -> bool:
    """Compute what is missing of a data set; tell whether it could be used."""
    bar.say(f"loading {name}")
    try:
        data = load(name, source, plan.task)
        folds = list(plan.folding.split(data))
    except Exception as error:
        if plan.raise_errors:
            raise
        bar.expect(-len(plan.learners) * plan.folding.expected)
        warnings.warn(f"data set {name!r} is left out: {error}", stacklevel=3)
        return False
    _note_dataset(plan, data)
    tasks = plan.missing(data, folds)
    # what is there already is not counted: it would make the rest look quick
    bar.expect(len(tasks) - len(plan.learners) * plan.folding.expected)
    failed: set[str] = set()
    for done in runner.run(data, _announced(tasks, name, bar)):
        plan.store.append(plan.line(data, done))
        bar.advance()
        learner = done.task.learner
        if done.error and learner not in failed:
            failed.add(learner)
            warnings.warn(
                f"learner {learner!r} failed on data set {name!r}: {done.error}", stacklevel=3
            )
    return True


def _announced(tasks: list[Task], name: str, bar: Progress) -> Any:
    for task in tasks:
        bar.say(f"{task.learner} on {name}")
        yield task


def _note_dataset(plan: _Plan, data: Data) -> None:
    """Keep what the data set is; say so if it is another one than before."""
    line = {"kind": "dataset", "name": data.name, "id": data.id, **data.summary}
    before = [one for one in plan.store.of_kind("dataset") if one["name"] == data.name]
    if before and before[-1]["id"] == data.id:
        return
    if before:
        warnings.warn(
            f"data set {data.name!r} is not the one in the store (it had {before[-1]['n_rows']} "
            f"rows and other cells); it is computed anew",
            stacklevel=4,
        )
    plan.store.append(line)


def _raises(error_score: Any) -> bool:
    if isinstance(error_score, str) and error_score == "raise":
        return True
    if check.is_number(error_score) and np.isnan(error_score):
        return False
    raise ValueError(f"error_score={error_score!r} is not valid; choose 'raise' or NaN")
