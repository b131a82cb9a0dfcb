"""How far predictions of numbers are off: one loss per criterion of trees for numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: The loss that each criterion reduces, as the core calls it.
LOSSES = {
    "squared_error": "squared",
    "absolute_error": "absolute",
    "quantile": "pinball",
    "poisson": "poisson",
    "gamma": "gamma",
}


def loss_of_criterion(criterion: Any) -> str:
    """Give the name of the loss that a criterion reduces; a callable's leaves predict means."""
    return LOSSES.get(criterion, "squared") if isinstance(criterion, str) else "squared"


@dataclass(frozen=True)
class NumberLoss:
    """The loss of a number that was predicted.

    Parameters
    ----------
    name : {"squared", "absolute", "pinball", "poisson", "gamma"}
        As the core calls it.
    quantile : float, default=0.5
        That of the pinball loss.
    """

    name: str = "squared"
    quantile: float = 0.5

    @classmethod
    def of_criterion(cls, criterion: Any, quantile: float = 0.5) -> NumberLoss:
        """Give the loss that a criterion reduces; a callable's leaves predict means."""
        return cls(loss_of_criterion(criterion), quantile)

    @property
    def mean_name(self) -> str:
        """What its mean over rows is called."""
        if self.name == "pinball":
            return f"mean pinball loss of quantile {self.quantile:g}"
        return {
            "squared": "mean squared error",
            "absolute": "mean absolute error",
            "poisson": "half the mean Poisson deviance",
            "gamma": "half the mean gamma deviance",
        }[self.name]

    def best(self, y: Floats, weights: Floats | None = None) -> float:
        """Give the number that predicts these numbers with the least loss."""
        if self.name not in ("absolute", "pinball"):
            return float(np.clip(np.average(y, weights=weights), y.min(), y.max()))
        weighed = np.ones(len(y)) if weights is None else weights
        order = np.argsort(y, kind="stable")
        cumulated = np.cumsum(weighed[order])
        wanted = (0.5 if self.name == "absolute" else self.quantile) * float(cumulated[-1])
        at = min(int(np.searchsorted(cumulated, wanted)), len(y) - 1)
        return float(y[order[at]])

    def least(self, y: Floats, weights: Floats | None = None) -> float:
        """Give the sum of the losses at the best single prediction."""
        loss = self.of(y, np.full(len(y), self.best(y, weights)))
        return float((loss if weights is None else weights * loss).sum())

    def of(self, y: Floats, predicted: Floats) -> Floats:
        """Give the loss of every row; infinite where a deviance is not defined."""
        off = y - predicted
        if self.name == "squared":
            return np.asarray(off**2)
        if self.name == "absolute":
            return np.abs(off)
        if self.name == "pinball":
            return np.maximum(self.quantile * off, (self.quantile - 1.0) * off)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = y / predicted
            if self.name == "poisson":
                loss = np.where(y > 0, y * np.log(ratio), 0.0) - off
                defined = (y >= 0) & ((predicted > 0) | (y == predicted))
            else:
                loss = ratio - 1.0 - np.log(ratio)
                defined = (y > 0) & (predicted > 0)
        return np.where(defined, loss, np.inf)


SQUARED = NumberLoss()


def require_targets(criterion: Any, y: Floats, rows: NDArray[np.int64]) -> None:
    """Refuse targets for which the deviance of a criterion is not defined."""
    if not isinstance(criterion, str) or criterion not in ("poisson", "gamma"):
        return
    others = "criterion='squared_error' for numbers of any sign"
    taken = y[rows]
    if criterion == "gamma":
        wrong = np.flatnonzero(~(taken > 0))
        needs, others = "targets above 0", f"'poisson' if zeros are counts, or {others}"
    else:
        wrong = np.flatnonzero(~(taken >= 0))
        needs = "targets of at least 0"
    if len(wrong):
        row = int(rows[wrong[0]])
        raise ValueError(
            f"criterion={criterion!r} needs {needs}, and y[{row}] is {float(y[row])!r}; choose "
            f"{others}"
        )
    if criterion == "poisson" and not taken.sum() > 0:
        raise ValueError(
            "criterion='poisson' needs a target above 0, and all of y are 0; choose "
            "criterion='squared_error'"
        )
