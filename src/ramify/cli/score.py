"""How well a learner does on rows it has not seen: cross-validation, or one held-out part."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from ramify.cli.output import bar
from ramify.datasets import Dataset
from ramify.learning.folds import k_fold

# Above this many rows, one fifth is held out in place of ten folds: the score is precise enough,
# and ten fits would take long.
_MANY_ROWS = 50_000
_FOLDS, _PART = 10, 5


@dataclass(frozen=True)
class Score:
    """Accuracy or R2 on held-out rows; `folds` is 1 where one fifth was held out."""

    name: str
    folds: int
    mean: float
    spread: float
    baseline: float

    def __str__(self) -> str:
        how = f"{self.folds}-fold cross-validation"
        if self.folds == 1:
            how = "On a fifth of the rows, held out"
        if self.name == "accuracy":
            spread = f" +/- {self.spread:.1%}" if self.folds > 1 else ""
            rest = f"{spread}, always the largest class {self.baseline:.1%}"
            return f"{how}: accuracy {self.mean:.1%}{rest}"
        spread = f" +/- {self.spread:.3f}" if self.folds > 1 else ""
        return f"{how}: R2 {self.mean:.3f}{spread}, the mean alone 0"


def measure(estimator: Any, table: Dataset, y: NDArray[Any], folds: int | None) -> Score | None:
    """Score an estimator on rows it has not seen; None if there are too few."""
    classifier = is_classifier(estimator)
    counts = np.unique(y, return_counts=True)[1] if classifier else None
    most = len(y) // 2 if counts is None else int(counts.max())
    one_part = folds is None and len(y) > _MANY_ROWS
    wanted = _PART if one_part else min(_FOLDS if folds is None else folds, most)
    if wanted < 2:
        return None
    parts = k_fold(y, wanted, 0, by_class=classifier)
    scores = []
    kinds: dict[type[Warning], list[str]] = {}  # the last warning of each fold that has one
    with (
        warnings.catch_warnings(record=True) as caught,
        bar("scoring on held-out rows") as progress,
    ):
        warnings.simplefilter("always")
        for done, (train, test) in enumerate(parts, start=1):
            fold = clone(estimator).fit(table.take(train).data, y[train])
            scores.append(_score(fold, table.take(test), y[train], y[test]))
            for kind, text in {one.category: str(one.message) for one in caught}.items():
                kinds.setdefault(kind, []).append(text)
            caught.clear()
            if one_part:
                break
            progress(done / wanted)
    _warn_once(kinds, len(scores))
    baseline = 0.0 if counts is None else float(counts.max()) / len(y)
    return Score(
        name="accuracy" if classifier else "r2",
        folds=len(scores),
        mean=float(np.mean(scores)),
        spread=float(np.std(scores)),
        baseline=baseline,
    )


def _warn_once(kinds: dict[type[Warning], list[str]], folds: int) -> None:
    """Pass on the first warning of each kind, with the number of folds that have one."""
    for kind, texts in kinds.items():
        where = f"in {len(texts)} of {folds} folds of the score" if folds > 1 else "in the score"
        warnings.warn(f"{where}: {texts[0]}", kind, stacklevel=2)


def _score(fold: Any, held_out: Dataset, known: NDArray[Any], y: NDArray[Any]) -> float:
    predicted = fold.predict(held_out.data)
    if is_classifier(fold):
        return float(np.mean(predicted == y))
    spread = float(np.sum((y - known.mean()) ** 2))
    error = float(np.sum((y - predicted) ** 2))
    return 1 - error / spread if spread else float(error == 0)
