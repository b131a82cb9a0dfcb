"""What a campaign is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

Case = dict[str, Any]


class Campaign(Protocol):
    """Draws cases, runs them, and makes them smaller. A case is plain data."""

    name: str

    def draw(self, number: int) -> Case:
        """The case of a number, always the same."""

    def run(self, case: Case, number: int) -> str:
        """Run a case: raise if something does not hold, else say in a word what became of it.

        `number` decides which of the slow checks are made; 0 makes all of them.
        """

    def smaller(self, case: Case) -> Iterator[Case]:
        """Simpler cases, the much simpler ones first."""
