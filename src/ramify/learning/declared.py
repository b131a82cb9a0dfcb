"""Parameters declared once: name, default, check and meaning.

An estimator lists its parameters. Its checks and the call into the core follow from the list.
Signature and docstring are written out, because editors and the documentation read them without
running code; a test compares them with the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
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
        The beginning of its entry in the docstring.
    read : callable
        Takes the name and the given value. Gives the value as the learner needs it, or raises a
        ValueError that names the parameter, the value and the valid choices.
    core : str or None
        Its name in the core; None if the core does not get it.
    fresh : bool
        Whether every fit needs a setting of its own, such as a clock that starts with it.
    since : int
        The first version of model files that knows it. Older versions are written without it if it
        has its default.
    """

    name: str
    default: Any
    meaning: str
    read: Callable[[str, Any], Any]
    core: str | None = None
    fresh: bool = False
    since: int = 1

    @cached_property
    def usual(self) -> Any:
        """The setting of the default, read once."""
        return self.read(self.name, self.default)

    def setting(self, value: Any) -> Any:
        """Check a value and give what the learner takes. Most values are the default."""
        default = self.default
        if type(value) is type(default) and value == default and not self.fresh:
            return self.usual
        return self.read(self.name, value)


def as_given(name: str, value: Any) -> Any:
    """Give the value as it is; it is checked later, with the data."""
    return value


class Parameters(tuple[Parameter, ...]):
    """The parameters of an estimator.

    Most fits leave nearly all of them at their defaults. What follows from the defaults is worked
    out once, so that a fit to a small table does not pay for the number of parameters.
    """

    def read(self, estimator: Any, instead: Mapping[str, Any]) -> dict[str, Any]:
        """Check the parameters of an estimator, and give their settings by name.

        Values in `instead` replace the estimator's own.
        """
        settings = self._usual.copy()
        for one, default, own in zip(self, self._defaults, self._values(estimator), strict=True):
            value = instead.get(one.name, own) if instead else own
            if value is not default:
                settings[one.name] = one.setting(value)
        return settings

    def for_core(self, settings: Mapping[str, Any], n_rows: int) -> dict[str, Any]:
        """Give the settings that the core gets, by its names; fractions become numbers of rows."""
        return {
            core: value.of(n_rows) if isinstance(value := settings[name], RowCount) else value
            for core, name in self._of_core
        }

    @cached_property
    def _values(self) -> Callable[[Any], tuple[Any, ...]]:
        return attrgetter(*(one.name for one in self))

    @cached_property
    def _defaults(self) -> tuple[Any, ...]:
        # No value is the same object as one made here, so that fresh settings are always read.
        return tuple(object() if one.fresh else one.default for one in self)

    @cached_property
    def _usual(self) -> dict[str, Any]:
        return {one.name: None if one.fresh else one.usual for one in self}

    @cached_property
    def _of_core(self) -> tuple[tuple[str, str], ...]:
        return tuple((one.core, one.name) for one in self if one.core is not None)


def optional(read: Callable[[str, Any], Any], *, none: Any = None) -> Callable[[str, Any], Any]:
    """Make a check that also allows None, and gives `none` for it."""
    return lambda name, value: none if value is None else read(name, value)


def unnamed(read: Callable[[Any], Any]) -> Callable[[str, Any], Any]:
    """Make a check that takes a name from one that knows its parameter's name itself."""
    return lambda name, value: read(value)
