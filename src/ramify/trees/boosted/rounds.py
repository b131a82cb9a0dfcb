"""The rounds of boosting: trees on one encoded table, the rows weighted anew for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning.clock import Clock
from ramify.trees.boosted.algorithms import Algorithm, Codes, Floats

#: Why there are no more rounds.
STOPPED = ("n_rounds", "early", "time_limit", "perfect", "chance", "no_change", "one_class")
_NO_CHANGE = 1e-12  # a round that moves no score by more will not be followed by one that does


@dataclass(frozen=True, eq=False)
class Term:
    """A tree and what its answers count: one term of the sum.

    Parameters
    ----------
    core : _core.Tree
    first : int
        The column of the sums that it adds to, the first of as many as `values` has.
    values : ndarray of shape (nodes, columns) or None
        What every node is worth; None: the tree votes for the class that it predicts.
    weight : float
        What its answers are multiplied by.
    """

    core: _core.Tree
    first: int
    values: Floats | None
    weight: float = 1.0

    def add_to(self, sums: Floats, table: Any, unseen: str, threads: int) -> None:
        """Add the answers for all rows of a table."""
        if self.values is None:
            codes = self.core.predict_class(table, unseen, threads)
            sums[np.arange(len(sums)), codes] += self.weight
            return
        to = sums[:, self.first : self.first + self.values.shape[1]]
        self.core.accumulate(table, self.values * self.weight, to, unseen, threads)


def terms_of(
    algorithm: Algorithm, trees: Sequence[_core.Tree], weights: Sequence[float]
) -> list[Term]:
    """Give the terms of trees that stand round by round."""
    return [
        Term(tree, i % algorithm.n_trees, algorithm.values(tree), weight)
        for i, (tree, weight) in enumerate(zip(trees, weights, strict=True))
    ]


def empty_sums(n_rows: int, n_sums: int) -> Floats:
    """Give zeros, one row per row of the table; a column lies together in memory."""
    return np.zeros((n_sums, n_rows)).T


@dataclass(frozen=True)
class RoundRules:
    """What a user may ask of the rounds."""

    n_rounds: int
    learning_rate: float
    weight_trimming: float
    n_iter_no_change: int | None
    tol: float
    unseen: str
    threads: int
    clock: Clock


@dataclass(frozen=True, eq=False)
class BoostedRows:
    """The rows of the encoded table: classes, weights, and those that no tree sees."""

    table: Any
    codes: Codes
    weights: Floats  # 0: held out, or without weight
    held_out: Floats | None  # their weights, 0 elsewhere

    def __len__(self) -> int:
        return len(self.codes)


@dataclass
class Rounds:
    """What the rounds have come to."""

    terms: list[Term] = field(default_factory=list)
    train_loss: list[float] = field(default_factory=list)
    held_out_loss: list[float] = field(default_factory=list)
    stopped: str = "n_rounds"
    scores: Floats | None = None  # of all rows, by the rounds that are kept

    def best(self) -> int:
        """Give the number of rounds with the least loss of held-out rows."""
        return int(np.argmin(self.held_out_loss)) + 1

    def stalls(self, patience: int, tol: float) -> bool:
        """Tell whether the last rounds were no better than the best one before them."""
        losses = self.held_out_loss
        if len(losses) <= patience:
            return False
        return min(losses[-patience:]) > min(losses[:-patience]) - tol


def boost(
    algorithm: Algorithm,
    growth: _core.Regrowth,
    rows: BoostedRows,
    rules: RoundRules,
    on_round: Callable[[int], None] | None,
) -> Rounds:
    """Add up trees until there are enough, or a reason to stop."""
    rounds = Rounds()
    sums = empty_sums(len(rows), algorithm.n_sums)
    scores = algorithm.scores(sums)
    for number in range(1, rules.n_rounds + 1):
        weights, targets = algorithm.demand(scores, rows.codes, rows.weights)
        seen = weights
        if rules.weight_trimming > 0:
            seen = np.stack([trim(w, rows.weights, rules.weight_trimming) for w in weights])
        trees = growth.grow(seen, targets)
        terms = terms_of(algorithm, trees, [1.0] * len(trees))
        answers = empty_sums(len(rows), algorithm.n_sums)
        for term in terms:
            term.add_to(answers, rows.table, rules.unseen, rules.threads)
        weight = algorithm.round_weight(answers, rows.codes, weights[0])
        if weight is None:
            rounds.stopped = "chance"
            break
        weight *= rules.learning_rate
        sums += weight * answers
        former, scores = scores, algorithm.scores(sums)
        leaves_only = all(tree.n_nodes == 1 for tree in trees)
        if leaves_only and number > 1 and np.abs(scores - former).max() <= _NO_CHANGE:
            rounds.stopped = "no_change"
            break
        rounds.terms += [replace(term, weight=weight) for term in terms]
        rounds.train_loss.append(algorithm.loss(scores, rows.codes, rows.weights))
        if rows.held_out is not None:
            rounds.held_out_loss.append(algorithm.loss(scores, rows.codes, rows.held_out))
        if rows.held_out is None or rounds.best() == number:
            rounds.scores = scores
        if on_round is not None:
            on_round(number)
        if _finished(rounds, algorithm, rules, answers, rows):
            break
    if rounds.held_out_loss:
        _keep(rounds, rounds.best(), algorithm.n_trees)
    return rounds


def _finished(
    rounds: Rounds, algorithm: Algorithm, rules: RoundRules, answers: Floats, rows: BoostedRows
) -> bool:
    """Tell whether this was the last round, and note why."""
    patience = rules.n_iter_no_change
    if patience is not None and rounds.stalls(patience, rules.tol):
        rounds.stopped = "early"
    elif rounds.terms[-1].values is None and _errs_nowhere(answers, rows):
        rounds.stopped = "perfect"
    elif rules.clock.left() <= 0:
        rounds.stopped = "time_limit"
    else:
        return False
    return True


def _errs_nowhere(votes: Floats, rows: BoostedRows) -> bool:
    """Tell whether a vote is right for all rows: no weights would be other ones after it."""
    right = votes[np.arange(len(rows)), rows.codes] > 0
    return bool(right[rows.weights > 0].all())


def _keep(rounds: Rounds, count: int, n_trees: int) -> None:
    """Forget the rounds after the first `count`; their losses stay, to be looked at."""
    del rounds.terms[count * n_trees :]


def trim(weights: Floats, given: Floats, share: float) -> Floats:
    """Leave out the rows of least influence that have this share of all weight.

    Influence trimming of Friedman, Hastie and Tibshirani (2000, section 9). Rows are compared by
    their weight for each unit of the weight given to them, so that a weight of 2 equals a repeated
    row; those of equal influence stay or go together.
    """
    influence = np.divide(weights, given, out=np.zeros_like(weights), where=given > 0)
    order = np.argsort(influence, kind="stable")
    mass = np.cumsum(weights[order])
    first = int(np.searchsorted(mass, share * mass[-1], side="right"))
    threshold = influence[order[min(first, len(order) - 1)]]
    # Equal rows may differ by rounding.
    return np.where(influence >= threshold * (1.0 - 1e-9), weights, 0.0)
