"""The searches for a partition of levels, with what the core says of each."""

from __future__ import annotations

from dataclasses import dataclass

from ramify import _core


@dataclass(frozen=True)
class Method:
    """A search for a partition of levels.

    Attributes
    ----------
    name : str
        What `method` and `categorical_split` call it.
    guarantee : str
        How far from the best partition it can end.
    cost : str
        Time for n levels and k classes.
    reference : str
        Where it is described.
    criteria : str
        What it can be used with.
    """

    name: str
    guarantee: str
    cost: str
    reference: str
    criteria: str


METHODS = tuple(
    Method(search.name, search.guarantee, search.cost, search.reference, search.criteria)
    for search in _core.nominal_searches()
)
