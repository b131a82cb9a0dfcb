"""`compare`: any learners on any data sets, the same folds for all, continued from a store."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ramify.evaluate.comparison import Comparison
from ramify.evaluate.fingerprint import fingerprint
from ramify.evaluate.measures import DEFAULT_SCORES, find_measures
from ramify.evaluate.run.folding import make_folding
from ramify.evaluate.run.inputs import find_task, load, name_datasets, name_learners
from ramify.evaluate.run.plan import Plan
from ramify.evaluate.run.trials import Runner, Trial
from ramify.evaluate.significance.paired import check_test
from ramify.evaluate.store import Store
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

    Every learner sees the same folds. The store keeps the results fold by fold: a run that was
    interrupted or killed continues where it was.

    Parameters
    ----------
    learners : mapping of str to estimator, or sequence of estimators
        Any scikit-learn estimators: all classifiers or all regressors. They are cloned. In a
        sequence, each is named by its class.
    datasets : mapping of str to data set, or one data set
        A data set is a pair (X, y), a :class:`ramify.datasets.Dataset`, what a loader of
        scikit-learn returns, or a function without parameters that gives one of these; it is called
        when its turn comes, so that only one data set is in memory.
    cv : int, (int, int) or splitter, default=(10, 1)
        Folds, or folds and repeats, or a splitter of scikit-learn. Folds are stratified in
        classification, as well as rare classes allow. More repeats continue a store.
    scores : sequence or mapping of names and functions
        "accuracy", "balanced_accuracy", "roc_auc", "pr_auc", "log_loss", "brier", "f1",
        "precision", "recall", "cost" (by the learner's `costs`); "r2", "rmse", "mae"; "n_leaves",
        "n_nodes", "depth" (NaN for other models than trees); "fit_time", "predict_time" (seconds);
        the name of any scorer of scikit-learn; or a function ``(estimator, X, y) -> float``,
        greater is better unless it has an attribute ``greater_is_better = False``. Tables show the
        first unless another is named. The default is ("accuracy", "n_leaves", "fit_time"), with
        "r2" in place of accuracy if the learners are regressors. "f1", "precision", "recall" and
        "pr_auc" (average precision) are those of the second of two classes. With more classes,
        these are means over the classes, "roc_auc" is the mean of each class against the rest, and
        "brier" is the sum of the squared errors of all classes.
    test : {"corrected_t", "paired_t", "wilcoxon"}, default="corrected_t"
        How the scores on the folds of a data set are tested; see :func:`corrected_ttest`.
    alpha : float, default=0.05
        The level of significance.
    n_jobs : int, optional
        Processes; -1 takes all cores. The results do not depend on it; times do.
    store : path, optional
        A file of JSON lines, or a folder for it; it is created if needed. Results are computed
        again for a learner whose class or parameters have changed, and for a data set whose cells
        have changed.
    progress : bool, optional
        Show a progress bar; None shows it in a terminal.
    random_state : int, optional
        Seed of the folds, and of the learners whose own ``random_state`` is None. None means 0.
    error_score : "raise" or NaN, default=NaN
        NaN: a learner that fails on a fold gets NaN there, with a warning and the message in the
        table, and the comparison goes on. "raise" stops.
    retry_errors : bool, default=False
        Try again the folds that failed, according to the store.

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
    plan = Plan(
        learners=named,
        ids={name: fingerprint(estimator) for name, estimator in named.items()},
        task=task,
        folding=make_folding(cv, check.seed(random_state), task),
        measures=find_measures(scores, task),
        store=Store(store),
        raise_errors=_raises(error_score),
        retry_errors=check.boolean("retry_errors", retry_errors),
    )
    check_test(test)
    check.probability("alpha", alpha)
    if progress is not None:
        check.boolean("progress", progress)
    sources = name_datasets(datasets)
    plan.begin(list(sources), test, alpha)
    usable: list[str] = []
    expected = len(named) * plan.folding.expected * len(sources)
    runner = Runner(check.threads(n_jobs), plan.measures, raise_errors=plan.raise_errors)
    try:
        with show_progress("comparing", expected or None, shown=progress) as bar, runner:
            for name, source in sources.items():
                if _run_dataset(plan, name, source, runner, bar):
                    usable.append(name)
    finally:
        plan.store.close()
    if not usable:
        raise ValueError(f"none of the data sets could be used: {', '.join(map(repr, sources))}")
    return Comparison.from_lines(plan.store.lines, learners=list(named), datasets=usable)


def _run_dataset(plan: Plan, name: str, source: Any, runner: Runner, bar: Progress) -> bool:
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
    plan.note_dataset(data)
    trials = plan.missing(data, folds)
    # Trials that the store has are not counted: they would make the others look quick.
    bar.expect(len(trials) - len(plan.learners) * plan.folding.expected)
    failed: set[str] = set()
    for done in runner.run(data, _announced(trials, name, bar)):
        plan.store.append(plan.line(data, done))
        bar.advance()
        learner = done.trial.learner
        if done.error and learner not in failed:
            failed.add(learner)
            warnings.warn(
                f"learner {learner!r} failed on data set {name!r}: {done.error}", stacklevel=3
            )
    return True


def _announced(trials: list[Trial], name: str, bar: Progress) -> Iterator[Trial]:
    for trial in trials:
        bar.say(f"{trial.learner} on {name}")
        yield trial


def _raises(error_score: Any) -> bool:
    if isinstance(error_score, str) and error_score == "raise":
        return True
    if check.is_number(error_score) and np.isnan(error_score):
        return False
    raise ValueError(f"error_score={error_score!r} is not valid; choose 'raise' or NaN")
