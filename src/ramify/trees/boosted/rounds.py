"""The rounds of boosting: every round reweights the rows of one table and adds trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning.clock import Clock
from ramify.trees.boosted.algorithms import Algorithm, Codes, Floats

#: Reasons to stop.
STOPPED = ("n_rounds", "early", "time_limit", "perfect", "chance", "no_change", "one_class")
_NO_CHANGE = 1e-12  # if no score moves by more than this, later rounds will not change it either


@dataclass(frozen=True, eq=False)
class Term:
    """One term of the sum: a tree, the values of its nodes and its weight.

    Parameters
    ----------
    core : _core.Tree
    first : int
        The first column of the sums that it adds to. It adds to as many as `values` has.
    values : ndarray of shape (nodes, columns) or None
        What each node adds. None: the tree votes for the class that it predicts.
    weight : float
        What these values, or the vote, are multiplied by.
    """

    core: _core.Tree
    first: int
    values: Floats | None
    weight: float = 1.0

    def add_to(self, sums: Floats, table: Any, unseen: str, threads: int) -> None:
        """Add what the tree says of each row of a table."""
        if self.values is None:
            codes = self.core.predict_class(table, unseen, threads)
            sums[np.arange(len(sums)), codes] += self.weight
            return
        to = sums[:, self.first : self.first + self.values.shape[1]]
        self.core.accumulate(table, self.values * self.weight, to, unseen, threads)


def terms_of(
    algorithm: Algorithm, trees: Sequence[_core.Tree], weights: Sequence[float]
) -> list[Term]:
    """Make the terms of trees that are listed round by round."""
    return [
        Term(tree, i % algorithm.n_trees, algorithm.node_values(tree), weight)
        for i, (tree, weight) in enumerate(zip(trees, weights, strict=True))
    ]


def empty_sums(n_rows: int, n_sums: int) -> Floats:
    """Give zeros, one row per row of the table. Columns are contiguous in memory."""
    return np.zeros((n_sums, n_rows)).T


@dataclass(frozen=True)
class RoundRules:
    """The user's settings of the rounds."""

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
    """The encoded table with the classes and weights of its rows, and the rows held out."""

    table: Any
    codes: Codes
    weights: Floats  # of the rows that trees are grown on; 0 for the others
    held_out: Floats | None  # weights of the held-out rows; 0 for the others

    def __len__(self) -> int:
        return len(self.codes)


@dataclass
class Rounds:
    """The result of the rounds."""

    terms: list[Term] = field(default_factory=list)
    train_loss: list[float] = field(default_factory=list)
    held_out_loss: list[float] = field(default_factory=list)
    stopped: str = "n_rounds"
    scores: Floats | None = None  # of all rows, after the rounds that are kept

    def best(self) -> int:
        """Give the number of rounds with the least loss on held-out rows."""
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
    """Add up trees until all rounds are made, or there is a reason to stop."""
    rounds = Rounds()
    sums = empty_sums(len(rows), algorithm.n_sums)
    scores = algorithm.scores(sums)
    for number in range(1, rules.n_rounds + 1):
        weights, targets = algorithm.weights_and_targets(scores, rows.codes, rows.weights)
        trimmed = weights
        if rules.weight_trimming > 0:
            trimmed = np.stack([trim(w, rows.weights, rules.weight_trimming) for w in weights])
        trees = growth.grow(trimmed, targets)
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
        previous, scores = scores, algorithm.scores(sums)
        leaves_only = all(tree.n_nodes == 1 for tree in trees)
        if leaves_only and number > 1 and np.abs(scores - previous).max() <= _NO_CHANGE:
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
        # The losses of the later rounds stay, for the user to look at.
        del rounds.terms[rounds.best() * algorithm.n_trees :]
    return rounds


def _finished(
    rounds: Rounds, algorithm: Algorithm, rules: RoundRules, answers: Floats, rows: BoostedRows
) -> bool:
    """Tell whether this was the last round, and record why."""
    patience = rules.n_iter_no_change
    if patience is not None and rounds.stalls(patience, rules.tol):
        rounds.stopped = "early"
    elif rounds.terms[-1].values is None and _all_correct(answers, rows):
        rounds.stopped = "perfect"
    elif rules.clock.left() <= 0:
        rounds.stopped = "time_limit"
    else:
        return False
    return True


def _all_correct(votes: Floats, rows: BoostedRows) -> bool:
    """Tell whether a vote is right for all rows. Then the next weights would be the same."""
    right = votes[np.arange(len(rows)), rows.codes] > 0
    return bool(right[rows.weights > 0].all())


def trim(weights: Floats, given: Floats, share: float) -> Floats:
    """Set the weight of the least influential rows to 0, up to this share of all weight.

    This is the weight trimming of Friedman, Hastie and Tibshirani (2000, section 9). The influence
    of a row is its weight divided by its `given` weight, so that a weight of 2 equals a repeated
    row. Rows of equal influence stay or go together.
    """
    influence = np.divide(weights, given, out=np.zeros_like(weights), where=given > 0)
    order = np.argsort(influence, kind="stable")
    mass = np.cumsum(weights[order])
    first = int(np.searchsorted(mass, share * mass[-1], side="right"))
    threshold = influence[order[min(first, len(order) - 1)]]
    # Equal influences may differ by rounding.
    return np.where(influence >= threshold * (1.0 - 1e-9), weights, 0.0)
