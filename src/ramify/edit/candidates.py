"""What could be asked at a node: the best split by every column."""

from __future__ import annotations

from dataclasses import dataclass

from ramify.edit.price import Change
from ramify.tree.conditions import Condition


@dataclass(frozen=True)
class Candidate:
    """The best split of a node by one column.

    Parameters
    ----------
    condition : Threshold, Subset or Multiway
        What would be asked.
    column : str
        The column.
    gain : float
        By the criterion of growth.
    p_value : float or None
        Of the test of independence between the column and the target at the node, without
        correction for the number of columns. None if the column cannot be tested.
    rows, weight : tuple
        Training rows, and their weight, in each branch.
    validation : Change or None
        The loss of the held-out rows with both branches as leaves, beside that with the node as a
        leaf. None if no rows are held out.
    is_current : bool
        Whether the node asks this already.
    """

    condition: Condition
    column: str
    gain: float
    p_value: float | None
    rows: tuple[int, ...]
    weight: tuple[float, ...]
    validation: Change | None
    is_current: bool

    def __str__(self) -> str:
        parts = [f"gain {self.gain:.4g}"]
        if self.p_value is not None:
            parts.append(f"p {self.p_value:.2g}")
        if self.validation is not None:
            parts.append(f"held out {self.validation.change:+.4g}")
        current = ", current" if self.is_current else ""
        return f"{self.condition.describe(0)} ({', '.join(parts)}{current})"


class Candidates(tuple[Candidate, ...]):
    """The candidates of a node by falling gain; ``print`` shows one per line."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(f"{i}. {one}" for i, one in enumerate(self, 1))

    @property
    def current(self) -> Candidate | None:
        """What the node asks, if it is among them."""
        return next((one for one in self if one.is_current), None)
