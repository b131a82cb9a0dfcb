"""One learner on one fold, and many of them: here or in several processes, results as they come."""

from __future__ import annotations

import pickle
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ramify.evaluate._folds import Fold, draw_seed
from ramify.evaluate._inputs import Data, take
from ramify.evaluate._measures import Measure, Outcome

_MOST_WARNINGS = 3


@dataclass(frozen=True)
class Task:
    """A learner, its name, and the fold it is to be tried on."""

    learner: str
    estimator: Any
    fold: Fold
    seed: int


@dataclass(frozen=True)
class Done:
    """What came of a task: the values of the measures (NaN where one failed), and what was said."""

    task: Task
    scores: dict[str, float]
    error: str | None
    warnings: list[str]


def run_task(task: Task, data: Data, measures: list[Measure], *, raise_errors: bool) -> Done:
    """Fit the learner on the training rows and measure it on the others.

    A learner that fails gives NaN and the message; so does a measure.
    """
    scores = {measure.name: float("nan") for measure in measures}
    errors: list[str] = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        try:
            seen = _fit(task, data)
        except Exception as error:
            if raise_errors:
                raise
            errors.append(_describe(error))
        else:
            for measure in measures:
                try:
                    scores[measure.name] = measure.compute(seen)
                except Exception as error:
                    if raise_errors:
                        raise
                    errors.append(f"{measure.name}: {_describe(error)}")
    texts = dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in said)
    return Done(task, scores, "; ".join(errors) or None, list(texts)[:_MOST_WARNINGS])


def _fit(task: Task, data: Data) -> Outcome:
    fold = task.fold
    estimator = seeded(task.estimator, draw_seed(task.seed, fold.repeat, fold.fold))
    X, y = take(data.X, fold.train), data.y[fold.train]
    start = time.perf_counter()
    estimator.fit(X, y)
    fit_time = time.perf_counter() - start
    return Outcome(estimator, take(data.X, fold.test), data.y[fold.test], data.classes, fit_time)


def seeded(estimator: Any, seed: int) -> Any:
    """Copy a learner and give it a seed wherever its random_state is None."""
    from sklearn.base import clone

    copy = clone(estimator)
    unset = {
        name: seed
        for name, value in copy.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return copy.set_params(**unset) if unset else copy


def _describe(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:500]


class Runner:
    """Runs the tasks of one data set after another, in `n_jobs` processes.

    A data set goes to the disk once and is read once by each process, not sent with each task.
    """

    def __init__(self, n_jobs: int, measures: list[Measure], *, raise_errors: bool) -> None:
        self.n_jobs = n_jobs
        self.measures = measures
        self.raise_errors = raise_errors
        self._open = ExitStack()
        self._parallel: Any = None
        self._folder: Path | None = None

    def __enter__(self) -> Runner:
        if self.n_jobs > 1:
            from joblib import Parallel

            folder = tempfile.TemporaryDirectory(
                prefix="ramify-compare-", ignore_cleanup_errors=True
            )
            self._folder = Path(self._open.enter_context(folder))
            self._parallel = self._open.enter_context(
                Parallel(
                    n_jobs=self.n_jobs,
                    backend="loky",
                    return_as="generator_unordered",
                    batch_size=1,
                )
            )
        return self

    def __exit__(self, *what: Any) -> None:
        self._open.__exit__(*what)

    def run(self, data: Data, tasks: Iterable[Task]) -> Iterator[Done]:
        """Give the outcome of every task, in any order."""
        options = {"raise_errors": self.raise_errors}
        if self._parallel is None:
            for task in tasks:
                yield run_task(task, data, self.measures, **options)
            return
        from joblib import delayed

        assert self._folder is not None
        path = self._folder / f"{data.id}.pickle"
        with path.open("wb") as file:
            pickle.dump(data, file, protocol=5)
        try:
            yield from self._parallel(
                delayed(_run_stored)(task, str(path), self.measures, **options) for task in tasks
            )
        finally:
            path.unlink(missing_ok=True)


def _run_stored(task: Task, path: str, measures: list[Measure], *, raise_errors: bool) -> Done:
    return run_task(task, _read(path), measures, raise_errors=raise_errors)


@lru_cache(maxsize=1)
def _read(path: str) -> Data:
    with Path(path).open("rb") as file:
        data = pickle.load(file)
    assert isinstance(data, Data)
    return data
