"""One fit of a mixture of experts: the encoded rows, and EM from every start."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.learning.clock import Clock
from ramify.learning.progress import progress
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.trees.mixture.em import EM, Prices, newton_parts
from ramify.trees.mixture.encoding import Design, Encoding, moments
from ramify.trees.mixture.model import Mixture
from ramify.trees.mixture.run import EMRun, StoppingRule, run_em
from ramify.trees.mixture.start import start_at_random, start_from_regions, tree_regions
from ramify.trees.mixture.sums import WeightedRows, worker_threads

_EXACT = 1e-13  # tolerance of a single expert, for which IRLS ends in a few steps


class MixtureFit:
    """One fit: the encoded rows, the standardised target, and EM from every start."""

    def __init__(
        self, settings: dict[str, Any], encoding: Encoding, table: Table, target: Target
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
        #: "time_limit" or "interrupt" if that ended a start, or left some out.
        self.cut_short_by: str | None = None

    @property
    def shift(self) -> float:
        """What to add to a log-likelihood of the standardised target to get that of the target."""
        return -float(self.weights.sum()) * float(np.log(self.scale))

    def _rows(self, design: Design, target: Target, pool: Any) -> WeightedRows:
        y = target.y if target.n_classes else (target.y - self.mean) / self.scale
        return WeightedRows(design, y, target.row_weights(), pool)

    def run(self, held_out: tuple[Table, Target] | None, seed: int) -> list[EMRun]:
        """Run EM from every start, while there is time."""
        settings = self.settings
        depth, branching = settings["depth"], settings["branching"]
        n_classes = self.target.n_classes
        mixture = Mixture.zeros(depth, branching, n_classes, self.design.width)
        buffers = [np.empty((mixture.n_experts, self.design.n_rows)) for _ in range(2)]
        generators = np.random.default_rng(seed).spawn(settings["n_init"])
        runs: list[EMRun] = []
        with (
            worker_threads(settings["n_jobs"], self.design.n_rows) as pool,
            progress("EM", settings["max_iter"], shown=settings["verbose"]) as bar,
        ):
            rows = self._rows(self.design, self.target, pool)
            em = EM(rows, self.prices, newton_parts(settings["solver"], mixture))
            validation_rows = None
            if held_out is not None:
                table, target = held_out
                validation_rows = self._rows(self.encoding.design(table), target, pool)
            for start, rng in enumerate(generators):
                if runs and self.clock.left() <= 0:
                    self.cut_short_by = "time_limit"
                    break
                try:
                    begin = self._start(em, mixture, start, rng)
                except KeyboardInterrupt:
                    if not runs:
                        raise
                    self.cut_short_by = "interrupt"
                    break

                def on_iteration(done: int, loglik: float, start: int = start) -> None:
                    bar(done, f"EM, start {start + 1}: log-likelihood {loglik:.6g} per row")

                rule = StoppingRule(
                    max_iter=settings["max_iter"],
                    tol=settings["tol"] if depth else min(settings["tol"], _EXACT),
                    patience=settings["patience"],
                    out_of_time=lambda: self.clock.left() <= 0,
                    on_iteration=on_iteration,
                )
                runs.append(run_em(em, begin, rule, validation_rows, buffers))
                if runs[-1].stopped_by in ("time_limit", "interrupt"):
                    self.cut_short_by = runs[-1].stopped_by
                    break
        return runs

    def _start(self, em: EM, mixture: Mixture, start: int, rng: np.random.Generator) -> Mixture:
        if start or self.settings["init"] == "random":
            return start_at_random(em, mixture, rng)
        regions = tree_regions(self.table, self.target, mixture.depth, mixture.branching)
        return start_from_regions(em, mixture, regions)

    def in_target_units(self, mixture: Mixture) -> Mixture:
        """Undo the standardisation of the target in a mixture."""
        if mixture.variances is None:
            return mixture
        experts = mixture.experts * self.scale
        experts[:, :, 0] += self.mean
        variances = np.maximum(mixture.variances * self.scale**2, np.finfo(float).tiny)
        return mixture.replace(experts=experts, variances=variances)
