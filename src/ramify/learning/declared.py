"""Parameters declared once: name, default, check and meaning.

An estimator lists its parameters. Its checks, and what a learner is told, follow from the list; a
test compares names, defaults and meanings with the signature and the docstring, which are written
out because editors and the documentation read them without running anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ramify.learning.parameters import RowCount


@dataclass(frozen=True)
class Parameter:
    """One parameter of an estimator.

    Parameters
    ----------
    name : str
    default : object
        As in the signature.
    meaning : str
        The first sentence of its documentation.
    read : callable
        Takes the name and the given value; gives the value as the learner takes it, or raises a
        ValueError that names the parameter, the value and the valid choices.
    core : str or None
        The name by which the core is told, if it is.
    """

    name: str
    default: Any
    meaning: str
    read: Callable[[str, Any], Any]
    core: str | None = None


def as_given(name: str, value: Any) -> Any:
    """Give a value that is checked later, with the data."""
    return value


def read_parameters(
    estimator: Any, parameters: tuple[Parameter, ...], instead: Mapping[str, Any]
) -> dict[str, Any]:
    """Validate the parameters of an estimator; give what they mean, by name.

    Values of `instead` take the place of the estimator's own.
    """
    return {
        one.name: one.read(
            one.name,
            instead[one.name] if one.name in instead else getattr(estimator, one.name),
        )
        for one in parameters
    }


def for_core(
    settings: Mapping[str, Any], parameters: tuple[Parameter, ...], n_rows: int
) -> dict[str, Any]:
    """Give the settings that the core is told, by the names it knows; fractions become rows."""
    told = {}
    for one in parameters:
        if one.core is not None:
            value = settings[one.name]
            told[one.core] = value.of(n_rows) if isinstance(value, RowCount) else value
    return told


def optional(read: Callable[[str, Any], Any], *, none: Any = None) -> Callable[[str, Any], Any]:
    """Let a parameter be None, which means `none`."""
    return lambda name, value: none if value is None else read(name, value)


def unnamed(read: Callable[[Any], Any]) -> Callable[[str, Any], Any]:
    """Make a check of one parameter, which knows its name, into one that is told it."""
    return lambda name, value: read(value)
