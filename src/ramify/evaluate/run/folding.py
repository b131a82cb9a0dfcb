"""The folds: the same for every learner, made from data, splitter and seed alone."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate.run.inputs import LoadedDataset
from ramify.learning import parameters as check
from ramify.learning.folds import k_fold, split_quietly

_FORMS = "an integer (folds), a pair (folds, repeats), or a splitter of scikit-learn"


@dataclass(frozen=True)
class Fold:
    """Rows to learn from and rows to test on."""

    repeat: int
    fold: int
    train: NDArray[Any]
    test: NDArray[Any]

    @property
    def id(self) -> str:
        """A checksum of the rows."""
        both = (np.asarray(rows, dtype=np.int64).tobytes() for rows in (self.train, self.test))
        return f"{zlib.crc32(b'|'.join(both)):08x}"


@dataclass(frozen=True)
class Folding:
    """How a data set is divided: k-fold with repeats, or by a splitter of scikit-learn.

    The label does not tell the number of repeats, so that more repeats continue a store.
    """

    label: str
    seed: int
    folds: int = 0
    repeats: int = 1
    splitter: Any = None

    @property
    def expected(self) -> int:
        """How many folds a data set will have, or 0 if only its rows can tell."""
        if self.splitter is None:
            return self.folds * self.repeats
        try:
            return int(self.splitter.get_n_splits())
        except (TypeError, ValueError):  # it needs the rows
            return 0

    def split(self, data: LoadedDataset) -> Iterator[Fold]:
        """Give the folds of a data set."""
        if self.splitter is not None:
            yield from self._split_by_splitter(data)
            return
        if len(data.y) < self.folds:
            raise ValueError(
                f"data set {data.name!r} has {len(data.y)} rows, too few for {self.folds} folds"
            )
        stratified = data.classes is not None and _most_frequent(data.y) >= self.folds
        for repeat in range(self.repeats):
            seed = draw_seed(self.seed, repeat)
            parts = k_fold(data.y, self.folds, seed, by_class=stratified)
            for fold, (train, test) in enumerate(parts):
                yield Fold(repeat, fold, train, test)

    def _split_by_splitter(self, data: LoadedDataset) -> Iterator[Fold]:
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", 0) is None:
            splitter.random_state = draw_seed(self.seed, 0)
        per_repeat = getattr(splitter, "cvargs", {}).get("n_splits") or 0
        for i, (train, test) in enumerate(split_quietly(splitter, data.y)):
            repeat, fold = divmod(i, per_repeat) if per_repeat else (0, i)
            yield Fold(repeat, fold, np.asarray(train), np.asarray(test))


def make_folding(cv: Any, seed: int, task: str) -> Folding:
    """Give the folding that the parameter ``cv`` of `compare` asks for."""
    if hasattr(cv, "split") and not isinstance(cv, str):
        return Folding(f"{cv}, seed {seed}", seed, splitter=cv)
    if isinstance(cv, (tuple, list)) and len(cv) == 2:
        folds, repeats = cv
    else:
        folds, repeats = cv, 1
    others = f"; cv must be {_FORMS}"
    folds = check.whole("cv (folds)", folds, least=2, others=others)
    repeats = check.whole("cv (repeats)", repeats, least=1, others=others)
    kind = "stratified " if task == "classification" else ""
    return Folding(f"{kind}{folds}-fold, seed {seed}", seed, folds, repeats)


def draw_seed(*numbers: int) -> int:
    """Make a seed from these numbers, below 2**32 as scikit-learn wants it."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def _most_frequent(y: NDArray[Any]) -> int:
    return int(np.unique(y, return_counts=True)[1].max())
