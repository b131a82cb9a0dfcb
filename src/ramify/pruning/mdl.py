"""Pruning by minimum description length: bottom-up, without held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ramify.learning import parameters as check
from ramify.learning.training import Training
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import named

CODES = ("exact", "mehta")


@named("mdl")
@dataclass(frozen=True, kw_only=True)
class MDL:
    """Minimum description length (Quinlan and Rivest 1989; Mehta, Rissanen and Agrawal 1995).

    The description of a tree has two parts: the bits for the tree, and the bits for the targets of
    the training rows if their columns and the tree are known. The grown tree is cut back to the
    tree with the shortest description, the smallest if several tie. No rows are held out, and
    nothing needs tuning.

    Parameters
    ----------
    code : {"exact", "mehta"}, default="exact"
        How the classes in a leaf are coded. "exact" is the code of Krichevsky and Trofimov. "mehta"
        is the formula of Mehta et al., an approximation for many rows that charges a leaf a little
        more. For numbers there is one code, which follows the criterion.
    structure : float, default=1.0
        How much a bit of the tree counts, compared with a bit of the targets. A larger value prunes
        more.
    precision : float or None, default=None
        In regression, the smallest difference between two targets that matters. None takes the
        smallest difference that occurs.

    Notes
    -----
    Weights count as repeated rows, so their scale matters. Divided rows count with their parts.
    Costs do not change the description, so they are refused.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_titanic
    >>> X, y = load_titanic().data, load_titanic().y
    >>> TreeClassifier().fit(X, y).tree_.n_leaves
    13
    >>> TreeClassifier(pruning="mdl").fit(X, y).tree_.n_leaves
    6
    """

    code: Literal["exact", "mehta"] = "exact"
    structure: float = 1.0
    precision: float | None = None

    def check(self) -> None:
        """Validate the parameters."""
        check.choice("code", self.code, CODES)
        check.number("structure", self.structure, least=0.0)
        if self.precision is not None and not check.number("precision", self.precision, least=0.0):
            raise ValueError(f"precision={self.precision!r} must be None or a number above 0")

    def prune(self, training: Training) -> Pruned:
        """Grow the tree and cut it back."""
        self.check()
        if training.target.costs is not None:
            raise ValueError(
                "pruning=MDL() counts the bits that describe the classes and cannot use costs; "
                "choose CostComplexity, BestFirst, CriticalValue, ErrorBased or ReducedError"
            )
        if training.target.n_classes and self.precision is not None:
            raise ValueError(
                f"pruning=MDL(precision={self.precision!r}) is for targets that are numbers; for "
                "classes leave it None"
            )
        if not training.target.n_classes and training.loss not in ("squared", "absolute"):
            raise ValueError(
                f"pruning=MDL() has no code for numbers that are judged by {training.loss!r} loss; "
                "choose CostComplexity, BestFirst, CriticalValue or ReducedError, or criterion "
                "'squared_error' or 'absolute_error'"
            )
        code, precision, span = self._code(training)
        grown = training.grow()
        tree = training.description_length(grown, code, float(self.structure), precision, span)
        return Pruned(tree, grown)

    def _code(self, training: Training) -> tuple[str, float, float]:
        """Give the code of the leaves, and the precision and range of the targets."""
        if training.target.n_classes:
            return self.code, 1.0, 1.0
        targets = np.unique(training.target.y[training.target.rows])
        span = float(targets[-1] - targets[0])
        least = float(np.diff(targets).min(initial=np.inf))
        precision = float(self.precision) if self.precision is not None else least
        # If all targets are equal, any precision will do.
        return ("laplace" if training.loss == "absolute" else "normal"), min(precision, 1e300), span
