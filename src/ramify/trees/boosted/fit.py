"""One fit of boosted trees: the encoded table, the choice of a size, and the rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.learning.declared import Parameters
from ramify.learning.folds import deal, hold_out_of_each_class
from ramify.learning.monotone import monotone_in_boosting
from ramify.learning.progress import progress
from ramify.learning.target import Target
from ramify.learning.weights import class_weights, times_class_weights
from ramify.tables import Table
from ramify.trees.boosted.algorithms import ALGORITHMS, Algorithm, Codes, Floats, equalise_ties
from ramify.trees.boosted.leaves import Size, SizeErrors, cross_validate
from ramify.trees.boosted.parameters import PARAMETERS
from ramify.trees.boosted.rounds import BoostedRows, RoundRules, Rounds, boost
from ramify.trees.greedy.constraints import Constraints, find_groups
from ramify.trees.single.importance import counts_rows


class BoostingFit:
    """One fit: the table is encoded once, and all rounds run on it."""

    def __init__(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        self.target, self.settings = target, settings
        self.given = target.row_weights()
        self.weights = self._with_class_weights(self.given)
        self.groups = find_groups(settings["interactions"], table.schema)
        self.monotone = monotone_in_boosting(settings["monotone"], table.schema, target.classes)
        self.core, self.cells = table.core(settings["n_jobs"]), table.cells
        self.algorithm: Algorithm = ALGORITHMS[settings["algorithm"]](
            target.n_classes, settings["z_max"]
        )

    def _with_class_weights(self, given: Floats) -> Floats:
        """Multiply the weights of the rows by those of their classes."""
        target = self.target
        assert target.classes is not None
        by_class = class_weights(self.settings["class_weight"], target.classes, target.y, given)
        weights = times_class_weights(given, by_class, target.y)
        assert weights is not None
        return weights

    def size_errors(self, sizes: tuple[Size, ...]) -> SizeErrors | None:
        """Cross-validate the number of leaves; None if there was no time for it."""
        settings, codes = self.settings, self.target.y
        rows = np.flatnonzero(self.weights > 0)
        folds = deal(codes, rows, settings["folds"], settings["random_state"], by_class=True)

        def predict(train: NDArray[np.bool_], size: Size, clock: Clock) -> Codes:
            weights = self._with_class_weights(np.where(train, self.given, 0.0))
            scores = self._boost(weights, int(np.count_nonzero(train)), size, clock, None).scores
            if scores is None:  # there was no useful round
                return np.zeros(len(train), dtype=np.int32)
            labels: Codes = equalise_ties(scores).argmax(axis=1).astype(np.int32)
            return labels

        limit = settings["time_limit"].limit
        n_fits = len(sizes) * (int(folds.max()) + 1)
        with progress("number of leaves", n_fits, shown=settings["verbose"]) as on_progress:
            return cross_validate(
                sizes,
                folds,
                codes,
                self.weights,
                predict,
                time_limit=limit / 2,
                on_progress=on_progress,
            )

    def run(self, max_leaves: Size) -> Rounds:
        """Make the rounds on all rows."""
        settings = self.settings
        with progress("boosting", settings["n_rounds"], shown=settings["verbose"]) as on_round:
            return self._boost(
                self.weights, len(self.given), max_leaves, settings["time_limit"], on_round
            )

    def _boost(
        self,
        weights: Floats,
        n_rows: int,
        max_leaves: Size,
        clock: Clock,
        on_round: Callable[[int], None] | None,
    ) -> Rounds:
        """Make the rounds with these weights; `n_rows` is the number of rows to learn from."""
        rules = RoundRules(
            n_rounds=self.settings["n_rounds"],
            learning_rate=self.settings["learning_rate"],
            weight_trimming=self.settings["weight_trimming"],
            n_iter_no_change=self.settings["n_iter_no_change"],
            tol=self.settings["tol"],
            unseen=self.settings["unseen"],
            threads=self.settings["n_jobs"],
            clock=clock,
        )
        return boost(
            self.algorithm,
            self._grower(n_rows, max_leaves),
            self._rows(weights),
            rules,
            on_round,
        )

    def _rows(self, weights: Floats) -> BoostedRows:
        """Give the rows; hold some of them out if `n_iter_no_change` is set."""
        codes, patience = self.target.y, self.settings["n_iter_no_change"]
        if patience is None:
            return BoostedRows(self.cells, codes, weights, None)
        fraction, weighted = self.settings["validation_fraction"], np.flatnonzero(weights > 0)
        seed = self.settings["random_state"]
        held_out = hold_out_of_each_class(codes, weighted, fraction, seed)[1]
        if not len(held_out):
            raise ValueError(
                f"n_iter_no_change={patience!r} needs a class with two rows, to hold out one of "
                f"them; X has {len(codes)} rows and {len(np.unique(codes))} classes. Give more "
                "rows, or n_iter_no_change=None"
            )
        is_out = np.zeros(len(codes), dtype=np.bool_)
        is_out[held_out] = True
        return BoostedRows(
            self.cells, codes, np.where(is_out, 0.0, weights), np.where(is_out, weights, 0.0)
        )

    def _grower(self, n_rows: int, max_leaves: Size) -> _core.Regrowth:
        """Give the grower of all trees."""
        settings = self.settings
        criterion, split = settings["criterion"], settings["categorical_split"]
        growth = Parameters(PARAMETERS).for_core(settings, n_rows) | {
            "growth": "best_first",
            "weigh_gains": not counts_rows(criterion),
            "max_leaves": check.limit("max_leaves", max_leaves, least=2),
            **self.monotone,
        }
        if self.algorithm.of_classes:
            problem = _core.classification_problem(
                self.core,
                self.target.y,
                self.algorithm.n_classes,
                None,
                "gini" if criterion == "auto" else criterion,
                split,
                0.0,
                None,
                growth,
            )
        else:
            growth["exact_levels"] = split == "exact"
            unused = np.zeros(len(self.target.y))  # every round brings its own targets
            problem = _core.regression_problem(
                self.core, unused, None, "squared_error", split == "multiway", growth
            )
        Constraints(self.groups, None, [], []).put_on(problem)
        return _core.Regrowth(problem)
