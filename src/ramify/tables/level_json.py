"""Levels as JSON, and back: the same value of the same type, or an error that names the place.

A value that JSON does not have becomes an object with one key, the name of its type.
"""

from __future__ import annotations

import datetime as dt
import math
import reprlib
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from ramify.tables.levels import CLOSED, Interval, Level, as_level, is_missing

#: Levels are shallow; deeper nesting is an attack on the stack.
_DEEPEST = 8
#: The keys that files before version 5 know.
_OLD_KEYS = frozenset({"float", "bytes"})
#: The entries of a column that files before version 6 do not know.
_NEW_KEYS = frozenset({"form", "source", "part", "pooled"})
_KINDS = (
    "str, int, float, bool, bytes, Decimal, date, time, datetime, timedelta, an interval of pandas "
    "or a tuple of these"
)


def level_to_json(level: Level, place: str, depth: int = 0) -> Any:
    """Give a level as JSON can hold it; other types become an object with one key.

    Examples
    --------
    >>> import datetime
    >>> [level_to_json(v, "x") for v in ("a", 1, 1.0, True, float("-inf"), b"ab")]
    ['a', 1, 1.0, True, {'float': '-inf'}, {'bytes': '6162'}]
    >>> level_to_json((1, datetime.date(2024, 2, 29)), "x")
    {'tuple': [1, {'date': '2024-02-29'}]}
    """
    level = as_level(level)
    found = None if is_missing(level) or depth > _DEEPEST else _to_json(level, place, depth)
    if found is None:
        raise ValueError(
            f"{place}: level {reprlib.repr(level)} of type {type(level).__qualname__} cannot be "
            f"written to a model file; levels may be {_KINDS}. Convert the column to strings "
            "before fit."
        )
    return found


def _to_json(level: Any, place: str, depth: int) -> Any:
    kind = type(level)
    if kind in (str, int, bool):
        return level
    if kind is float:
        return level if math.isfinite(level) else {"float": "inf" if level > 0 else "-inf"}
    if kind is bytes:
        return {"bytes": level.hex()}
    if kind is Decimal:
        return {"decimal": str(level)}
    if kind is tuple:
        return {"tuple": [level_to_json(item, place, depth + 1) for item in level]}
    if kind is Interval:
        ends = [level_to_json(end, place, depth + 1) for end in (level.left, level.right)]
        return {"interval": [*ends, level.closed]}
    if kind is dt.datetime:
        text = level.isoformat()
        # In an hour that a change of clocks repeats or skips, no time of another zone is equal.
        return {"datetime": text} if dt.datetime.fromisoformat(text) == level else None
    if kind is dt.timedelta:
        return {"timedelta": [level.days, level.seconds, level.microseconds]}
    if kind is dt.date:
        return {"date": level.isoformat()}
    if kind is dt.time:
        return {"time": level.isoformat()}
    return None


def least_version(schema: dict[str, Any]) -> int:
    """Give the first version of model files that can hold a schema as JSON.

    Version 6 has forms of numbers, parts of dates and pooled levels, version 5 levels of types that
    JSON does not have.
    """
    columns = schema["columns"]
    if "inputs" in schema or any(_NEW_KEYS & column.keys() for column in columns):
        return 6
    levels = (level for column in columns for level in column.get("levels", ()))
    typed = any(isinstance(one, dict) and not one.keys() <= _OLD_KEYS for one in levels)
    return 5 if typed else 1


def level_from_json(value: Any, place: str, depth: int = 0) -> Level:
    """Undo `level_to_json`; a ValueError names the place of anything else."""
    kind = type(value)
    if kind in (str, int, bool) or (kind is float and math.isfinite(value)):
        return value  # type: ignore[no-any-return]
    if kind is dict and len(value) == 1 and depth <= _DEEPEST:
        [(tag, given)] = value.items()
        if tag == "tuple" and type(given) is list:
            return tuple(level_from_json(item, place, depth + 1) for item in given)
        if tag == "interval" and type(given) is list and len(given) == 3 and given[2] in CLOSED:
            ends = [level_from_json(end, place, depth + 1) for end in given[:2]]
            return Interval(ends[0], ends[1], given[2])
        try:
            level = _READERS[tag](given)
            if _to_json(level, place, depth) == value:  # no other way to write it is accepted
                return level  # type: ignore[no-any-return]
        except (LookupError, ValueError, TypeError, OverflowError, InvalidOperation):
            pass
    raise ValueError(
        f"{place}: expected a string, a finite number, true, false, or an object whose one key is "
        f"interval, tuple, {', '.join(_READERS)}, got {reprlib.repr(value)}"
    )


_READERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "bytes": bytes.fromhex,
    "decimal": Decimal,
    "date": dt.date.fromisoformat,
    "time": dt.time.fromisoformat,
    "datetime": dt.datetime.fromisoformat,
    "timedelta": lambda parts: dt.timedelta(parts[0], parts[1], parts[2]),
}
