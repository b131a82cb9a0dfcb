"""What both mixtures of experts share: their parameters, the fit, what is learned."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ramify.learning import parameters as check
from ramify.learning.clock import Clock
from ramify.learning.model import TableModel
from ramify.learning.progress import progress
from ramify.learning.target import Target
from ramify.tables import Columns, Schema, read_table
from ramify.tree import Tree
from ramify.trees.mixture.em import Climb, Climber, Ending, Prices, climb, use_newton
from ramify.trees.mixture.encoding import Design, Encoding, moments
from ramify.trees.mixture.hard_tree import make_hard_tree
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.start import (
    STARTS,
    start_at_random,
    start_from_regions,
    tree_regions,
)
from ramify.trees.mixture.state import MOST_EXPERTS
from ramify.trees.mixture.sums import Rows, worker_threads
from ramify.trees.optimal.features import Cells

Floats = NDArray[np.float64]
SOLVERS = ("auto", "newton", "lbfgs")
_EXACT = 1e-13  # tolerance of a single expert: nothing is hidden, and IRLS ends in a few steps


class BaseMixture(TableModel):
    """Shared by the mixtures of experts; not for direct use."""

    _fitted = "mixture_"

    mixture_: Mixture
    encoding_: Encoding
    schema_: Schema
    n_features_in_: int
    loglik_path_: Floats
    held_out_path_: Floats
    objectives_: Floats
    n_iter_: int
    converged_: bool
    stopped_by_: str
    hard_tree_agreement_: float

    # parameters, stored by the subclasses
    depth: Any
    branching: Any
    penalty: Any
    gate_penalty: Any
    init: Any
    n_init: Any
    solver: Any
    max_iter: Any
    tol: Any
    early_stopping: Any
    validation_fraction: Any
    patience: Any
    time_limit: Any
    categorical_features: Any
    n_jobs: Any
    random_state: Any
    verbose: Any

    def _check_parameters(self) -> None:
        """Validate what can be validated without data."""
        depth = check.whole("depth", self.depth, least=0)
        branching = check.whole("branching", self.branching, least=2)
        if branching ** min(depth, 64) > MOST_EXPERTS:
            raise ValueError(
                f"depth={depth} and branching={branching} make more than {MOST_EXPERTS} experts; "
                "choose a smaller depth or branching"
            )
        check.number("penalty", self.penalty, least=0.0)
        check.number("gate_penalty", self.gate_penalty, least=0.0)
        check.choice("init", self.init, STARTS)
        check.whole("n_init", self.n_init, least=1)
        check.choice("solver", self.solver, SOLVERS)
        check.whole("max_iter", self.max_iter, least=1)
        check.number("tol", self.tol, least=0.0)
        check.boolean("early_stopping", self.early_stopping)
        if check.probability("validation_fraction", self.validation_fraction) == 1.0:
            raise ValueError("validation_fraction=1 leaves no row to learn from")
        check.whole("patience", self.patience, least=1)
        check.time_limit(self.time_limit)
        check.threads(self.n_jobs)
        check.boolean("verbose", self.verbose)

    def _read(self, X: Any) -> tuple[Schema, Columns]:
        """Read the training table."""
        return read_table(X, categorical_features=self.categorical_features)

    def _learn(
        self,
        schema: Schema,
        columns: Columns,
        target: Target,
        clock: Clock,
        /,
        *,
        least_variance: float = 0.0,
        **parts: Any,
    ) -> str:
        """Fit to a table, and tell why EM ended.

        `parts` are what makes the hard tree a :class:`Tree`.
        """
        rows = np.arange(columns.n_rows)
        if target.weights is not None:
            rows = np.flatnonzero(target.weights > 0)
        seed = check.seed(self.random_state)
        learned, others = rows, rows[:0]
        if self.early_stopping:
            learned, others = target.hold_out(rows, float(self.validation_fraction), seed)
        cells, known = Cells.of(schema, columns, learned), target.take(learned)
        encoding = Encoding.learn(schema, cells.columns, _weights(known))
        fit = _Fit(self, encoding, cells, known, clock, least_variance)
        held_out = None
        if len(others):
            held_out = Cells.of(schema, columns, others), target.take(others)
        climbs = fit.run(held_out, seed)
        if held_out is not None:  # the tree to read knows all rows
            cells, known = Cells.of(schema, columns, rows), target.take(rows)
            fit.design = encoding.design(cells.columns)
        best = max(climbs, key=lambda one: one.score)
        hard = make_hard_tree(best.mixture, encoding.owners, fit.design, cells, known)
        tree = Tree(hard.core, schema, **parts)
        self._remember(fit.in_units(best.mixture), encoding, tree, hard.agreement)
        self._remember_climbs(climbs, best, fit.shift)
        return fit.cut_by or best.stopped_by

    def _remember(self, mixture: Mixture, encoding: Encoding, tree: Tree, agreement: float) -> None:
        """Take over what was learned; all at once, so that a fit that fails changes nothing."""
        self.mixture_ = mixture
        self.encoding_ = encoding
        self._hard_tree = tree
        self.hard_tree_agreement_ = agreement
        self.schema_ = encoding.schema
        self.n_features_in_ = len(encoding.schema)
        if encoding.schema.named:
            self.feature_names_in_ = np.array(encoding.schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _remember_climbs(self, climbs: list[Climb], best: Climb, shift: float) -> None:
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
                stacklevel=3,
            )

    @property
    def n_experts_(self) -> int:
        """Number of experts."""
        check_is_fitted(self, "mixture_")
        return self.mixture_.n_experts

    def _blocks(self, X: Any) -> Iterator[Floats]:
        """Encode other rows, block by block."""
        check_is_fitted(self, "mixture_")
        columns = self.schema_.encode(X, owner=type(self).__name__)
        design = self.encoding_.design(columns)
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
            [self.mixture_.gate_probabilities(block) for block in self._blocks(X)]
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


class _Fit:
    """One fit: the encoded rows, and EM from every start."""

    def __init__(
        self,
        owner: BaseMixture,
        encoding: Encoding,
        cells: Cells,
        target: Target,
        clock: Clock,
        least_variance: float,
    ) -> None:
        self.owner, self.encoding, self.clock = owner, encoding, clock
        self.cells, self.target = cells, target
        self.design = encoding.design(cells.columns)
        self.weights = _weights(target)
        self.mean, self.scale = 0.0, 1.0
        if not target.n_classes:
            self.mean, self.scale = moments(target.y, self.weights)
        self.prices = Prices(float(owner.gate_penalty), float(owner.penalty), least_variance)
        #: "time_limit" or "interrupt" if not every start came to its own end.
        self.cut_by: str | None = None

    @property
    def shift(self) -> float:
        """What makes a log-likelihood of the standardised target one of the target."""
        return -float(self.weights.sum()) * float(np.log(self.scale))

    def _rows(self, design: Design, target: Target, pool: Any) -> Rows:
        y = target.y if target.n_classes else (target.y - self.mean) / self.scale
        return Rows(design, y, _weights(target), pool)

    def run(self, held_out: tuple[Cells, Target] | None, seed: int) -> list[Climb]:
        """Run EM from every start, as long as there is time."""
        owner = self.owner
        depth, branching = int(owner.depth), int(owner.branching)
        n_classes = self.target.n_classes
        mixture = Mixture.zeros(depth, branching, n_classes, self.design.width)
        memory = [np.empty((mixture.n_experts, self.design.n_rows)) for _ in range(2)]
        generators = np.random.default_rng(seed).spawn(int(owner.n_init))
        climbs: list[Climb] = []
        with (
            worker_threads(check.threads(owner.n_jobs), self.design.n_rows) as pool,
            progress("EM", int(owner.max_iter), shown=bool(owner.verbose)) as bar,
        ):
            rows = self._rows(self.design, self.target, pool)
            climber = Climber(rows, self.prices, use_newton(owner.solver, mixture))
            others = None
            if held_out is not None:
                cells, target = held_out
                others = self._rows(self.encoding.design(cells.columns), target, pool)
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
                    max_iter=int(owner.max_iter),
                    tol=float(owner.tol) if depth else min(float(owner.tol), _EXACT),
                    patience=int(owner.patience),
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
        if start or self.owner.init == "random":
            return start_at_random(climber, mixture, rng)
        regions = tree_regions(self.cells, self.target, mixture.depth, mixture.branching)
        return start_from_regions(climber, mixture, regions)

    def in_units(self, mixture: Mixture) -> Mixture:
        """Give the mixture in the units of the target."""
        if mixture.variances is None:
            return mixture
        experts = mixture.experts * self.scale
        experts[:, :, 0] += self.mean
        variances = np.maximum(mixture.variances * self.scale**2, np.finfo(float).tiny)
        return mixture.replace(experts=experts, variances=variances)


def _weights(target: Target) -> Floats:
    return np.ones(len(target.y)) if target.weights is None else target.weights
