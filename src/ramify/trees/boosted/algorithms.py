"""The four ways of boosting of Friedman, Hastie and Tibshirani (2000), each as its formulas.

All of them add up trees to scores F, one column per class. With two classes there is one F, and the
scores are (-F, F): F is half the log-odds of the second class. Invariant: an algorithm is nothing
but formulas; it holds no data and no trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logsumexp, softmax

from ramify import _core

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

_LEAST_WEIGHT = 1e-10  # of a working response; less is lost in rounding
_TIE = 1e-9  # scores that differ by less are equal
_LEAST_ERROR = 1e-10  # of a tree that errs nowhere: its vote must be finite


@dataclass(frozen=True)
class Algorithm:
    """One way of boosting, for so many classes.

    Parameters
    ----------
    n_classes : int
        At least two.
    z_max : float
        The largest working response, and the largest half log-odds of a leaf.
    """

    n_classes: int
    z_max: float

    #: Whether trees predict classes; otherwise numbers.
    of_classes: ClassVar[bool] = True

    @property
    def n_trees(self) -> int:
        """Trees of a round."""
        return 1

    @property
    def n_sums(self) -> int:
        """Numbers per row that the trees are added up in."""
        return self.n_classes

    def demand(self, scores: Floats, codes: Codes, weights: Floats) -> tuple[Floats, Floats | None]:
        """Give the weights of the rows, and their targets, for every tree of the next round."""
        raise NotImplementedError

    def values(self, tree: _core.Tree) -> Floats | None:
        """Give what every node is worth; None if the tree as a whole votes for a class."""
        raise NotImplementedError

    def round_weight(self, answers: Floats, codes: Codes, weights: Floats) -> float | None:
        """Give what the answers of a round count; None if they are of no use."""
        return 1.0

    def scores(self, sums: Floats) -> Floats:
        """Give the scores of all classes, in an array of their own."""
        centred: Floats = sums - sums.mean(axis=1, keepdims=True)
        return centred

    def probabilities(self, scores: Floats) -> Floats:
        """Give the probabilities of the classes."""
        shares: Floats = softmax(scores, axis=1)
        return shares

    def loss(self, scores: Floats, codes: Codes, weights: Floats) -> float:
        """Give the mean of what boosting makes small."""
        return _mean(np.exp(-_own(scores, codes)), weights)


@dataclass(frozen=True)
class Discrete(Algorithm):
    """Discrete AdaBoost; for more than two classes, SAMME (Zhu, Zou, Rosset and Hastie 2009)."""

    def demand(self, scores: Floats, codes: Codes, weights: Floats) -> tuple[Floats, Floats | None]:
        """Give the weights and the responses that the next trees are fitted to."""
        return _exponential(_own(scores, codes), weights)[None, :], None

    def values(self, tree: _core.Tree) -> Floats | None:
        """Give the values of the leaves, or None for those of the tree."""
        return None

    def round_weight(self, answers: Floats, codes: Codes, weights: Floats) -> float | None:
        """Give the weight of a round, or None if it is worth nothing."""
        error = 1.0 - _mean(_own(answers, codes), weights)
        if error >= (1.0 - 1.0 / self.n_classes) * (1.0 - 1e-12):
            return None
        error = max(error, _LEAST_ERROR)
        return float(np.log((1.0 - error) / error) + np.log(self.n_classes - 1.0))


@dataclass(frozen=True)
class Real(Algorithm):
    """Real AdaBoost; for more than two classes, SAMME.R (Zhu, Zou, Rosset and Hastie 2009)."""

    def demand(self, scores: Floats, codes: Codes, weights: Floats) -> tuple[Floats, Floats | None]:
        """Give the weights and the responses that the next trees are fitted to."""
        return _exponential(_own(scores, codes), weights)[None, :], None

    def values(self, tree: _core.Tree) -> Floats | None:
        """Give the values of the leaves, or None for those of the tree."""
        arrays = tree.arrays()
        sums, weight = arrays["value"], arrays["weight"][:, None]
        shares = np.divide(sums, weight, out=np.ones_like(sums), where=weight > 0)
        least = max(expit(-2.0 * self.z_max), np.finfo(np.float64).tiny)  # no logarithm of zero
        logs = np.log(np.maximum(shares, least))
        return np.ascontiguousarray(logs - logs.mean(axis=1, keepdims=True))


@dataclass(frozen=True)
class _OfNumbers(Algorithm):
    """Regression trees: one per round for two classes, otherwise one per class."""

    of_classes: ClassVar[bool] = False

    @property
    def n_trees(self) -> int:
        return self.n_sums

    @property
    def n_sums(self) -> int:
        return 1 if self.n_classes == 2 else self.n_classes

    def values(self, tree: _core.Tree) -> Floats | None:
        return np.ascontiguousarray(tree.arrays()["prediction"][:, None])

    def _indicators(self, codes: Codes) -> Floats:
        """Give a row per tree: 1 where it is of the class, 0 elsewhere."""
        classes = np.arange(self.n_classes)[-self.n_sums :]
        same: Floats = (codes[None, :] == classes[:, None]).astype(np.float64)
        return same


@dataclass(frozen=True)
class Gentle(_OfNumbers):
    """Gentle AdaBoost; for more than two classes, every class against the others (AdaBoost.MH)."""

    def demand(self, scores: Floats, codes: Codes, weights: Floats) -> tuple[Floats, Floats | None]:
        """Give the weights and the responses that the next trees are fitted to."""
        signs = 2.0 * self._indicators(codes) - 1.0
        margins = signs * scores.T[-self.n_sums :]
        return np.stack([_exponential(margin, weights) for margin in margins]), signs

    def scores(self, sums: Floats) -> Floats:
        """Turn sums of trees into a score for every class."""
        return np.hstack([-sums, sums]) if self.n_classes == 2 else sums.copy()

    def probabilities(self, scores: Floats) -> Floats:
        """Turn scores into class probabilities."""
        if self.n_classes == 2:
            return super().probabilities(scores)
        shares: Floats = expit(2.0 * scores)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def loss(self, scores: Floats, codes: Codes, weights: Floats) -> float:
        """Give the mean loss of scores."""
        if self.n_classes == 2:
            return super().loss(scores, codes, weights)
        signs = 2.0 * self._indicators(codes).T - 1.0
        return _mean(np.exp(-signs * scores).mean(axis=1), weights)


@dataclass(frozen=True)
class Logit(_OfNumbers):
    """LogitBoost: Newton steps on the log-likelihood, every tree a weighted least squares fit."""

    def demand(self, scores: Floats, codes: Codes, weights: Floats) -> tuple[Floats, Floats | None]:
        """Give the weights and the responses that the next trees are fitted to."""
        both = self.probabilities(scores).T
        shares = both[-self.n_sums :]
        # Of two classes, not 1 - p: it is rounded, and classes that are alike would not be treated
        # alike.
        others = both[:1] if self.n_classes == 2 else 1.0 - shares
        working = np.maximum(shares * others, _LEAST_WEIGHT)
        responses = np.where(self._indicators(codes) > 0, others, -shares) / working
        return weights * working, np.clip(responses, -self.z_max, self.z_max)

    def scores(self, sums: Floats) -> Floats:
        """Turn sums of trees into a score for every class."""
        if self.n_classes == 2:
            return np.hstack([-0.5 * sums, 0.5 * sums])
        return (1.0 - 1.0 / self.n_classes) * super().scores(sums)

    def loss(self, scores: Floats, codes: Codes, weights: Floats) -> float:
        """Give the mean loss of scores."""
        return _mean(logsumexp(scores, axis=1) - _own(scores, codes), weights)


ALGORITHMS: dict[str, type[Algorithm]] = {
    "logit": Logit,
    "gentle": Gentle,
    "real": Real,
    "discrete": Discrete,
}


def settled(scores: Floats) -> Floats:
    """Make the best scores of a row equal where rounding alone sets them apart.

    Sums of many numbers that ought to be equal differ by rounding, which must not decide: neither
    here nor where somebody looks for the largest probability.
    """
    best = scores.max(axis=1, keepdims=True)
    equal = scores >= best - _TIE * np.maximum(1.0, np.abs(best))
    tied = equal.sum(axis=1) > 1
    if scores.shape[1] == 2:
        scores[tied] = 0.0  # (-F, F)
    else:
        np.copyto(scores, best, where=equal & tied[:, np.newaxis])
    return scores


def _own(scores: Floats, codes: Codes) -> Floats:
    """Give every row's number in the column of its class."""
    found: Floats = scores[np.arange(len(codes)), codes]
    return found


def _mean(numbers: Floats, weights: Floats) -> float:
    # Not a dot product: that is left to a library whose threads change the rounding.
    return float((numbers * weights).sum() / weights.sum())


def _exponential(margins: Floats, weights: Floats) -> Floats:
    """Give the weights of AdaBoost: those of the rows times exp(-margin), with the same sum."""
    exponents = -margins
    grown = weights * np.exp(exponents - exponents.max(initial=-np.inf, where=weights > 0))
    scaled: Floats = grown * (weights.sum() / grown.sum())
    return scaled
