"""The formulas of the four boosting algorithms of Friedman, Hastie and Tibshirani (2000).

Each algorithm adds up trees to scores, one column per class. With two classes there is one sum F,
and the scores are (-F, F): F is half the log-odds of the second class. Invariant: an algorithm
holds formulas only, no data and no trees.
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

_LEAST_WEIGHT = 1e-10  # of a row in LogitBoost; a smaller weight is lost in rounding
_TIE = 1e-9  # scores that differ by less count as equal
_LEAST_ERROR = 1e-10  # keeps the vote of a tree without errors finite


@dataclass(frozen=True)
class Algorithm:
    """A boosting algorithm for a given number of classes.

    Parameters
    ----------
    n_classes : int
        At least two.
    z_max : float
        Largest working response, and largest half log-odds of a leaf.
    """

    n_classes: int
    z_max: float

    #: Whether the trees predict classes. Otherwise they predict numbers.
    of_classes: ClassVar[bool] = True

    @property
    def n_trees(self) -> int:
        """Number of trees in a round."""
        return 1

    @property
    def n_sums(self) -> int:
        """Number of sums per row that the trees are added to."""
        return self.n_classes

    def weights_and_targets(
        self, scores: Floats, codes: Codes, weights: Floats
    ) -> tuple[Floats, Floats | None]:
        """Give the row weights and the targets of every tree of the next round.

        These are AdaBoost's weights. The trees are fitted to the classes, so there are no targets.
        """
        return _adaboost_weights(_of_true_class(scores, codes), weights)[None, :], None

    def node_values(self, tree: _core.Tree) -> Floats | None:
        """Give the value that each node adds; None if the tree votes for a class instead."""
        raise NotImplementedError

    def round_weight(self, answers: Floats, codes: Codes, weights: Floats) -> float | None:
        """Give the weight of a round; None if its trees are no better than chance."""
        return 1.0

    def scores(self, sums: Floats) -> Floats:
        """Give the scores of all classes, as a new array."""
        sums = by_row(sums)
        centred: Floats = sums - sums.mean(axis=1, keepdims=True)
        return centred

    def probabilities(self, scores: Floats) -> Floats:
        """Give the probabilities of the classes."""
        shares: Floats = softmax(by_row(scores), axis=1)
        return shares

    def loss(self, scores: Floats, codes: Codes, weights: Floats) -> float:
        """Give the mean loss, which boosting minimises."""
        return _mean(np.exp(-_of_true_class(scores, codes)), weights)


@dataclass(frozen=True)
class Discrete(Algorithm):
    """Discrete AdaBoost; for more than two classes, SAMME (Zhu, Zou, Rosset and Hastie 2009)."""

    def node_values(self, tree: _core.Tree) -> Floats | None:
        """Give None: the tree votes for a class."""
        return None

    def round_weight(self, answers: Floats, codes: Codes, weights: Floats) -> float | None:
        """Give the weight of a round; None if its tree is no better than chance."""
        error = 1.0 - _mean(_of_true_class(answers, codes), weights)
        if error >= (1.0 - 1.0 / self.n_classes) * (1.0 - 1e-12):
            return None
        error = max(error, _LEAST_ERROR)
        return float(np.log((1.0 - error) / error) + np.log(self.n_classes - 1.0))


@dataclass(frozen=True)
class Real(Algorithm):
    """Real AdaBoost; for more than two classes, SAMME.R (Zhu, Zou, Rosset and Hastie 2009)."""

    def node_values(self, tree: _core.Tree) -> Floats | None:
        """Give the centred logarithms of the class shares of each node."""
        arrays = tree.arrays()
        sums, weight = arrays["value"], arrays["weight"][:, None]
        shares = np.divide(sums, weight, out=np.ones_like(sums), where=weight > 0)
        least = max(expit(-2.0 * self.z_max), np.finfo(np.float64).tiny)  # avoids log(0)
        logs = np.log(np.maximum(shares, least))
        return np.ascontiguousarray(logs - logs.mean(axis=1, keepdims=True))


@dataclass(frozen=True)
class _RegressionTrees(Algorithm):
    """Boosts regression trees: one per round for two classes, otherwise one per class."""

    of_classes: ClassVar[bool] = False

    @property
    def n_trees(self) -> int:
        return self.n_sums

    @property
    def n_sums(self) -> int:
        return 1 if self.n_classes == 2 else self.n_classes

    def node_values(self, tree: _core.Tree) -> Floats | None:
        return np.ascontiguousarray(tree.arrays()["prediction"][:, None])

    def _indicators(self, codes: Codes) -> Floats:
        """Give one array per tree: 1 for rows of its class, 0 for the others."""
        classes = np.arange(self.n_classes)[-self.n_sums :]
        same: Floats = (codes[None, :] == classes[:, None]).astype(np.float64)
        return same


@dataclass(frozen=True)
class Gentle(_RegressionTrees):
    """Gentle AdaBoost; for more than two classes, each class against the others (AdaBoost.MH)."""

    def weights_and_targets(
        self, scores: Floats, codes: Codes, weights: Floats
    ) -> tuple[Floats, Floats | None]:
        """Give the weights and the targets that the next trees are fitted to."""
        signs = 2.0 * self._indicators(codes) - 1.0
        margins = signs * scores.T[-self.n_sums :]
        return np.stack([_adaboost_weights(margin, weights) for margin in margins]), signs

    def scores(self, sums: Floats) -> Floats:
        """Turn the sums of the trees into a score for every class."""
        return np.hstack([-sums, sums]) if self.n_classes == 2 else sums.copy()

    def probabilities(self, scores: Floats) -> Floats:
        """Turn the scores into class probabilities."""
        if self.n_classes == 2:
            return super().probabilities(scores)
        shares: Floats = expit(2.0 * by_row(scores))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def loss(self, scores: Floats, codes: Codes, weights: Floats) -> float:
        """Give the mean loss of the scores."""
        if self.n_classes == 2:
            return super().loss(scores, codes, weights)
        signs = 2.0 * self._indicators(codes).T - 1.0
        return _mean(np.exp(-signs * scores).mean(axis=1), weights)


@dataclass(frozen=True)
class Logit(_RegressionTrees):
    """LogitBoost: Newton steps on the log-likelihood; each tree is a weighted least squares fit."""

    def weights_and_targets(
        self, scores: Floats, codes: Codes, weights: Floats
    ) -> tuple[Floats, Floats | None]:
        """Give the weights and the targets that the next trees are fitted to."""
        both = self.probabilities(scores).T
        shares = both[-self.n_sums :]
        # With two classes, take the other probability itself. 1 - p is rounded and would treat
        # the two classes differently.
        others = both[:1] if self.n_classes == 2 else 1.0 - shares
        working = np.maximum(shares * others, _LEAST_WEIGHT)
        responses = np.where(self._indicators(codes) > 0, others, -shares) / working
        return weights * working, np.clip(responses, -self.z_max, self.z_max)

    def scores(self, sums: Floats) -> Floats:
        """Turn the sums of the trees into a score for every class."""
        if self.n_classes == 2:
            return np.hstack([-0.5 * sums, 0.5 * sums])
        return (1.0 - 1.0 / self.n_classes) * super().scores(sums)

    def loss(self, scores: Floats, codes: Codes, weights: Floats) -> float:
        """Give the mean loss of the scores."""
        return _mean(logsumexp(scores, axis=1) - _of_true_class(scores, codes), weights)


ALGORITHMS: dict[str, type[Algorithm]] = {
    "logit": Logit,
    "gentle": Gentle,
    "real": Real,
    "discrete": Discrete,
}


def by_row(scores: Floats) -> Floats:
    """Put the numbers of a row beside each other in memory.

    numpy adds up eight or more neighbours in another order than numbers that lie apart. So one row
    alone, whose numbers are always neighbours, would be answered differently than in a batch.
    """
    return np.ascontiguousarray(scores)


def equalise_ties(scores: Floats) -> Floats:
    """Make the best scores of a row equal if they differ only by rounding; change `scores`.

    Rounding must not decide which class is predicted or which probability is largest.
    """
    best = scores.max(axis=1, keepdims=True)
    equal = scores >= best - _TIE * np.maximum(1.0, np.abs(best))
    tied = equal.sum(axis=1) > 1
    if scores.shape[1] == 2:
        scores[tied] = 0.0  # (-F, F)
    else:
        np.copyto(scores, best, where=equal & tied[:, np.newaxis])
    return scores


def _of_true_class(scores: Floats, codes: Codes) -> Floats:
    """Give the score of each row's own class."""
    found: Floats = scores[np.arange(len(codes)), codes]
    return found


def _mean(numbers: Floats, weights: Floats) -> float:
    # A dot product would use BLAS, where the number of threads changes the rounding.
    return float((numbers * weights).sum() / weights.sum())


def _adaboost_weights(margins: Floats, weights: Floats) -> Floats:
    """Multiply the weights by exp(-margin), and scale them to their former sum."""
    exponents = -margins
    grown = weights * np.exp(exponents - exponents.max(initial=-np.inf, where=weights > 0))
    scaled: Floats = grown * (weights.sum() / grown.sum())
    return scaled
