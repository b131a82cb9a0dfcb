"""Pruning by the minimum description length: bottom-up, without rows held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.training import Training
from ramify.pruning.pruned import Pruned
from ramify.pruning.registry import named

CODES = ("exact", "mehta")


@named("mdl")
@dataclass(frozen=True, kw_only=True)
class MDL:
    """Minimum description length (Quinlan and Rivest 1989; Mehta, Rissanen and Agrawal 1995).

    A tree is worth what it saves: the bits that tell the tree, and the bits that tell the targets
    of the training rows to somebody who knows their columns and the tree. Of all trees that the
    grown one can be cut back to, the one of the shortest description is taken, of equals the
    smallest. No rows are held out, and nothing is to be chosen.

    Parameters
    ----------
    code : {"exact", "mehta"}, default="exact"
        How the classes in a leaf are coded: by the code of Krichevsky and Trofimov; or by the
        formula of Mehta et al., which is for many rows and charges a leaf a little more. Of numbers
        there is one code, which goes with the criterion.
    structure : float, default=1.0
        What a bit of the tree counts, against a bit of the targets; more prunes more.
    precision : float or None, default=None
        Of regression: the difference from which on two targets are told apart. None takes the
        least difference between two targets.

    Notes
    -----
    Weights count as repeated rows, so that their scale matters; rows that missing values spread
    count with their parts. Costs do not change what is to be told, so that they are refused.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from ramify import TreeClassifier
    >>> from ramify.pruning import MDL
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = TreeClassifier(pruning=MDL()).fit(X, y)
    >>> clf.tree_.n_leaves < TreeClassifier().fit(X, y).tree_.n_leaves
    True
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
                "pruning=MDL() counts the bits that tell the classes, whatever their costs; with "
                "costs choose CostComplexity, BestFirst, CriticalValue, ErrorBased or ReducedError"
            )
        if training.target.n_classes and self.precision is not None:
            raise ValueError(
                f"pruning=MDL(precision={self.precision!r}) is for targets that are numbers; of "
                "classes leave it None"
            )
        code, precision, span = self._code(training)
        grown = training.grow()
        tree, _, _ = _core.description_length(
            training.problem, grown, code, float(self.structure), precision, span, training.unseen
        )
        return Pruned(tree, grown)

    def _code(self, training: Training) -> tuple[str, float, float]:
        """Give the code of leaves, and the precision and range of numbers."""
        if training.target.n_classes:
            return self.code, 1.0, 1.0
        targets = np.unique(training.target.y[training.target.rows])
        span = float(targets[-1] - targets[0])
        least = float(np.diff(targets).min(initial=np.inf))
        precision = float(self.precision) if self.precision is not None else least
        # Equal targets are told by any precision.
        return ("laplace" if training.absolute else "normal"), min(precision, 1e300), span
