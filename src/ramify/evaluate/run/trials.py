"""Trials: one learner on one fold each, in this process or in several."""

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

from ramify.evaluate.measures import Measure, TestedLearner
from ramify.evaluate.run.folding import Fold, draw_seed
from ramify.evaluate.run.inputs import LoadedDataset
from ramify.tables.rows import take_rows

_MOST_WARNINGS = 3


@dataclass(frozen=True)
class Trial:
    """A learner, its name, and the fold to try it on."""

    learner: str
    estimator: Any
    fold: Fold
    seed: int


@dataclass(frozen=True)
class TrialResult:
    """The scores of a trial (NaN where a measure failed), its error and its warnings."""

    trial: Trial
    scores: dict[str, float]
    error: str | None
    warnings: list[str]


def run_trial(
    trial: Trial, data: LoadedDataset, measures: list[Measure], *, raise_errors: bool
) -> TrialResult:
    """Fit the learner on the training rows and measure it on the others.

    If the learner or a measure fails, the scores are NaN and the error is the message.
    """
    scores = {measure.name: float("nan") for measure in measures}
    errors: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        try:
            tested = _fit(trial, data)
        except Exception as error:
            if raise_errors:
                raise
            errors.append(_describe(error))
        else:
            for measure in measures:
                try:
                    scores[measure.name] = measure.compute(tested)
                except Exception as error:
                    if raise_errors:
                        raise
                    errors.append(f"{measure.name}: {_describe(error)}")
    texts = dict.fromkeys(f"{w.category.__name__}: {w.message}" for w in caught)
    return TrialResult(trial, scores, "; ".join(errors) or None, list(texts)[:_MOST_WARNINGS])


def _fit(trial: Trial, data: LoadedDataset) -> TestedLearner:
    fold = trial.fold
    estimator = seeded(trial.estimator, draw_seed(trial.seed, fold.repeat, fold.fold))
    X, y = take_rows(data.X, fold.train), data.y[fold.train]
    start = time.perf_counter()
    estimator.fit(X, y)
    fit_time = time.perf_counter() - start
    return TestedLearner(
        estimator, take_rows(data.X, fold.test), data.y[fold.test], data.classes, fit_time
    )


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
    """Runs the trials of one data set after another, in `n_jobs` processes.

    A data set is written to disk once, and each process reads it once.
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

    def run(self, data: LoadedDataset, trials: Iterable[Trial]) -> Iterator[TrialResult]:
        """Give the result of every trial, in any order."""
        options = {"raise_errors": self.raise_errors}
        if self._parallel is None:
            for trial in trials:
                yield run_trial(trial, data, self.measures, **options)
            return
        from joblib import delayed

        assert self._folder is not None
        path = self._folder / f"{data.id}.pickle"
        with path.open("wb") as file:
            pickle.dump(data, file, protocol=5)
        try:
            yield from self._parallel(
                delayed(_run_stored)(trial, str(path), self.measures, **options) for trial in trials
            )
        finally:
            path.unlink(missing_ok=True)


def _run_stored(
    trial: Trial, path: str, measures: list[Measure], *, raise_errors: bool
) -> TrialResult:
    return run_trial(trial, _read(path), measures, raise_errors=raise_errors)


@lru_cache(maxsize=1)
def _read(path: str) -> LoadedDataset:
    with Path(path).open("rb") as file:
        data = pickle.load(file)
    assert isinstance(data, LoadedDataset)
    return data
