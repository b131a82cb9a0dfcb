"""What both mixtures of experts share: their parameters, the fit, what is learned."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ramify.learning.clock import Clock
from ramify.learning.model import TableModel
from ramify.learning.progress import progress
from ramify.learning.target import Target
from ramify.tables import Schema, Table
from ramify.tree import Tree
from ramify.trees.mixture.em import Climb, Climber, Ending, Prices, climb, use_newton
from ramify.trees.mixture.encoding import Design, Encoding, moments
from ramify.trees.mixture.hard_tree import make_hard_tree
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.parameters import check_size
from ramify.trees.mixture.start import start_at_random, start_from_regions, tree_regions
from ramify.trees.mixture.state import read_mixture, write_mixture
from ramify.trees.mixture.sums import WeighedRows, worker_threads
from ramify.trees.single.state import read_tree_of

Floats = NDArray[np.float64]
_EXACT = 1e-13  # tolerance of a single expert: nothing is hidden, and IRLS ends in a few steps


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
        """Validate what can be validated without data; give what the parameters mean, by name."""
        settings = super().check_parameters(**instead)
        check_size(settings)
        return settings

    def _learn(self, table: Table, target: Target, settings: dict[str, Any]) -> None:
        rows = target.rows
        learned, others = rows, rows[:0]
        seed = settings["random_state"]
        if settings["early_stopping"]:
            learned, others = target.hold_out(rows, settings["validation_fraction"], seed)
        known, about = table.take(learned), target.take(learned)
        encoding = Encoding.learn(known, about.row_weights())
        fit = _Fit(settings, encoding, known, about)
        held_out = (table.take(others), target.take(others)) if len(others) else None
        climbs = fit.run(held_out, seed)
        if held_out is not None:  # the tree to read knows all rows
            known, about = table.take(rows), target.take(rows)
            fit.design = encoding.design(known)
        best = max(climbs, key=lambda one: one.score)
        hard = make_hard_tree(best.mixture, encoding.owners, fit.design, known, about)
        tree = target.tree(hard.core, table.schema)
        self.take_over(fit.in_units(best.mixture), encoding, tree, hard.agreement)
        self._take_over_climbs(climbs, best, fit.shift)
        self._warn(fit.cut_by or best.stopped_by)

    def take_over(self, mixture: Mixture, encoding: Encoding, tree: Tree, agreement: float) -> None:
        """Take over what was learned; all at once, so that a fit that fails changes nothing."""
        self.mixture_ = mixture
        self.encoding_ = encoding
        self._hard_tree = tree
        self.hard_tree_agreement_ = agreement

    def _take_over_climbs(self, climbs: list[Climb], best: Climb, shift: float) -> None:
        self.loglik_path_ = np.array(best.path) + shift
        self.held_out_path_ = np.array(best.held_out_path)
        self.objectives_ = np.array([one.path[-1] for one in climbs]) + shift
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
        """Encode other rows, block by block."""
        design = self.encoding_.design(table)
        return (design.block(rows) for rows in design.blocks())

    def gate_probabilities(self, X: Any) -> Floats:
        """Give the probability with which the gates send every row to every expert.

        Parameters
        ----------
        X : table
            Columns as in training.

        Returns
        -------
        ndarray of shape (rows, experts)
            The products of the gates' probabilities along the paths; rows add up to one. Expert k
            is reached by the branches that are the digits of k in base `branching`, from the root.
        """
        return np.concatenate(
            [self.mixture_.gate_probabilities(block) for block in self._blocks(self.read(X))]
        )

    def to_hard_tree(self) -> Tree:
        """Give the most probable paths as an ordinary tree, to be read.

        At each gate the tree asks for one column, that whose part of the gate's logits varies most
        over the rows there, with the threshold or the levels that tell the most probable branch
        best. Where such a question is right on less than half of the rows on which the commonest
        branch alone is wrong, the gate does not lean on one column and the node stays a leaf. A
        gate that sends all rows at its node the same way is left out. Leaves show the training
        rows in them, not the expert's linear function; ``hard_tree_agreement_`` says how far the
        tree can be trusted.

        Returns
        -------
        Tree
            It prints, checks and exports like any other; it does not predict as the mixture does.
        """
        check_is_fitted(self, "mixture_")
        return self._hard_tree

    def to_state(self) -> dict[str, Any]:
        """Give what a fit has learned, as entries of a model file."""
        tree = self.to_hard_tree().to_dict()
        shared = {"schema": tree.pop("schema"), "classes": tree.pop("classes")}
        return {**shared, "tree": tree, "mixture": write_mixture(self)}

    def from_state(self, state: dict[str, Any]) -> None:
        """Take over what a fit had learned; a ValueError names the entry that is wrong."""
        tree = read_tree_of(state)
        if tree.task != self.task:
            raise ValueError(f"a {type(self).__name__} with a tree of {tree.task}")
        read_mixture(state["mixture"], self, tree)


class _Fit:
    """One fit: the encoded rows, and EM from every start."""

    def __init__(
        self,
        settings: dict[str, Any],
        encoding: Encoding,
        table: Table,
        target: Target,
    ) -> None:
        self.settings, self.encoding = settings, encoding
        self.clock: Clock = settings["time_limit"]
        self.table, self.target = table, target
        self.design = encoding.design(table)
        self.weights = target.row_weights()
        self.mean, self.scale = 0.0, 1.0
        if not target.n_classes:
            self.mean, self.scale = moments(target.y, self.weights)
        floor = settings.get("variance_floor", 0.0)
        self.prices = Prices(settings["gate_penalty"], settings["penalty"], floor)
        #: "time_limit" or "interrupt" if not every start came to its own end.
        self.cut_by: str | None = None

    @property
    def shift(self) -> float:
        """What makes a log-likelihood of the standardised target one of the target."""
        return -float(self.weights.sum()) * float(np.log(self.scale))

    def _rows(self, design: Design, target: Target, pool: Any) -> WeighedRows:
        y = target.y if target.n_classes else (target.y - self.mean) / self.scale
        return WeighedRows(design, y, target.row_weights(), pool)

    def run(self, held_out: tuple[Table, Target] | None, seed: int) -> list[Climb]:
        """Run EM from every start, as long as there is time."""
        settings = self.settings
        depth, branching = settings["depth"], settings["branching"]
        n_classes = self.target.n_classes
        mixture = Mixture.zeros(depth, branching, n_classes, self.design.width)
        memory = [np.empty((mixture.n_experts, self.design.n_rows)) for _ in range(2)]
        generators = np.random.default_rng(seed).spawn(settings["n_init"])
        climbs: list[Climb] = []
        with (
            worker_threads(settings["n_jobs"], self.design.n_rows) as pool,
            progress("EM", settings["max_iter"], shown=settings["verbose"]) as bar,
        ):
            rows = self._rows(self.design, self.target, pool)
            climber = Climber(rows, self.prices, use_newton(settings["solver"], mixture))
            others = None
            if held_out is not None:
                table, target = held_out
                others = self._rows(self.encoding.design(table), target, pool)
            for start, rng in enumerate(generators):
                if climbs and self.clock.left() <= 0:
                    self.cut_by = "time_limit"
                    break
                try:
                    begin = self._start(climber, mixture, start, rng)
                except KeyboardInterrupt:
                    if not climbs:
                        raise
                    self.cut_by = "interrupt"
                    break

                def tell(done: int, loglik: float, start: int = start) -> None:
                    bar(done, f"EM, start {start + 1}: log-likelihood {loglik:.6g} per row")

                ending = Ending(
                    max_iter=settings["max_iter"],
                    tol=settings["tol"] if depth else min(settings["tol"], _EXACT),
                    patience=settings["patience"],
                    out_of_time=lambda: self.clock.left() <= 0,
                    tell=tell,
                )
                climbs.append(climb(climber, begin, ending, others, memory))
                if climbs[-1].stopped_by in ("time_limit", "interrupt"):
                    self.cut_by = climbs[-1].stopped_by
                    break
        return climbs

    def _start(
        self, climber: Climber, mixture: Mixture, start: int, rng: np.random.Generator
    ) -> Mixture:
        if start or self.settings["init"] == "random":
            return start_at_random(climber, mixture, rng)
        regions = tree_regions(self.table, self.target, mixture.depth, mixture.branching)
        return start_from_regions(climber, mixture, regions)

    def in_units(self, mixture: Mixture) -> Mixture:
        """Give the mixture in the units of the target."""
        if mixture.variances is None:
            return mixture
        experts = mixture.experts * self.scale
        experts[:, :, 0] += self.mean
        variances = np.maximum(mixture.variances * self.scale**2, np.finfo(float).tiny)
        return mixture.replace(experts=experts, variances=variances)
