"""What both mixtures of experts share: the fit, what it learns, and the tree to read."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ramify.learning.model import TableModel
from ramify.learning.target import Target
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.trees.mixture.encoding import Encoding
from ramify.trees.mixture.fit import MixtureFit
from ramify.trees.mixture.hard_tree import make_hard_tree
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.parameters import check_size
from ramify.trees.mixture.run import EMRun
from ramify.trees.mixture.state import read_mixture, write_mixture
from ramify.trees.single.state import read_tree_of

Floats = NDArray[np.float64]


class MixtureOfExperts(TableModel):
    """Shared by the mixtures of experts; not for direct use."""

    _fitted = "mixture_"
    state_entries = ("schema", "classes", "tree", "mixture")
    exported_instead = "its to_hard_tree()"

    mixture_: Mixture
    encoding_: Encoding
    loglik_path_: Floats
    held_out_path_: Floats
    objectives_: Floats
    n_iter_: int
    converged_: bool
    stopped_by_: str
    hard_tree_agreement_: float

    max_iter: Any
    time_limit: Any

    @property
    def schema_(self) -> Schema:  # type: ignore[override]
        """The columns with their kinds and levels."""
        return self.encoding_.schema

    def check_parameters(self, **instead: Any) -> dict[str, Any]:
        """Check what can be checked without data; give the values that were read, by name."""
        settings = super().check_parameters(**instead)
        check_size(settings)
        return settings

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        rows = target.rows
        train, held_out = rows, rows[:0]
        seed = settings["random_state"]
        if settings["early_stopping"]:
            train, held_out = target.hold_out(rows, settings["validation_fraction"], seed)
        train_table, train_target = table.take(train), target.take(train)
        encoding = Encoding.learn(train_table, train_target.row_weights())
        fit = MixtureFit(settings, encoding, train_table, train_target)
        validation = (table.take(held_out), target.take(held_out)) if len(held_out) else None
        runs = fit.run(validation, seed)
        best = max(runs, key=lambda run: run.score)
        if validation is None:
            hard = make_hard_tree(best.mixture, encoding, fit.design, train_table, train_target)
        else:  # the tree to read describes all rows
            whole = table.take(rows)
            design = encoding.design(whole)
            hard = make_hard_tree(best.mixture, encoding, design, whole, target.take(rows))
        tree = target.tree(hard.core, table.schema)
        self.take_over(fit.in_target_units(best.mixture), encoding, tree, hard.agreement)
        self._take_over_runs(runs, best, fit.shift)
        self._warn(fit.cut_short_by or best.stopped_by)

    def take_over(self, mixture: Mixture, encoding: Encoding, tree: Tree, agreement: float) -> None:
        """Set what was learned, all at once, so that a fit that fails changes nothing."""
        self.mixture_ = mixture
        self.encoding_ = encoding
        self._hard_tree = tree
        self.hard_tree_agreement_ = agreement

    def _take_over_runs(self, runs: list[EMRun], best: EMRun, shift: float) -> None:
        self.loglik_path_ = np.array(best.path) + shift
        self.held_out_path_ = np.array(best.held_out_path)
        self.objectives_ = np.array([run.path[-1] for run in runs]) + shift
        self.n_iter_ = best.n_iter
        self.converged_ = best.converged
        self.stopped_by_ = best.stopped_by

    def _warn(self, stopped_by: str) -> None:
        why = {
            "max_iter": f"did not converge in max_iter={self.max_iter} iterations",
            "time_limit": f"was stopped by time_limit={self.time_limit!r}",
            "interrupt": "was interrupted",
        }.get(stopped_by)
        if why is not None:
            warnings.warn(
                f"EM {why}: the best mixture so far is kept; see loglik_path_",
                ConvergenceWarning,
                stacklevel=4,
            )

    @property
    def n_experts_(self) -> int:
        """Number of experts."""
        check_is_fitted(self, "mixture_")
        return self.mixture_.n_experts

    def _blocks(self, table: Table) -> Iterator[Floats]:
        """Encode rows, block by block."""
        design = self.encoding_.design(table)
        return (design.block(rows) for rows in design.blocks())

    def gate_probabilities(self, X: Any) -> Floats:
        """Give the probability that the gates send each row of a table to each expert.

        The result has shape (rows, experts): the products of the gates' probabilities along the
        paths, which add up to one in every row. The digits of k in base `branching` are the
        branches from the root to expert k.
        """
        return np.concatenate(
            [self.mixture_.gate_probabilities(block) for block in self._blocks(self.read(X))]
        )

    def to_hard_tree(self) -> Tree:
        """Give the most probable paths as an ordinary tree that can be read.

        Each gate becomes a question about one column: the one whose part of the gate's logits
        varies most over the rows there. The threshold or the levels are those that best predict the
        most probable branch. The question must avoid more than half of the errors of always taking
        the most common branch; otherwise the node stays a leaf. A gate that sends all its rows the
        same way is left out. Leaves show their training rows, not the expert's linear function.
        ``hard_tree_agreement_`` says how well the tree agrees with the gates.

        Returns
        -------
        Tree
            It prints, checks and exports like any other tree. It does not predict as the mixture
            does.
        """
        check_is_fitted(self, "mixture_")
        return self._hard_tree

    def to_state(self) -> dict[str, Any]:
        """Give the fitted state as entries of a model file."""
        tree = self.to_hard_tree().to_dict()
        shared = {"schema": tree.pop("schema"), "classes": tree.pop("classes")}
        return {**shared, "tree": tree, "mixture": write_mixture(self)}

    def from_state(self, state: dict[str, Any]) -> None:
        """Set the fitted state from a model file; a ValueError names the entry that is wrong."""
        tree = read_tree_of(state)
        if tree.task != self.task:
            raise ValueError(f"a {type(self).__name__} cannot have a tree of {tree.task}")
        read_mixture(state["mixture"], self, tree)
