"""Conditions as people write them: text, a condition of a tree, or a node of a skeleton."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from typing import Any

from ramify.support.suggest import near_names
from ramify.tables import ColumnSchema, Schema
from ramify.tables.forms import zone_of
from ramify.tables.levels import short_list
from ramify.tree.conditions import Multiway, Subset, Threshold
from ramify.tree.skeleton import condition_as_dict

_TAIL = re.compile(r"[,;]?\s+missing\s+(left|right|\d+)\s*$")
_SIGNS = ("<=", ">=", "<", ">", "==", "=", "not in", "in", "is", ":")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def read_condition(given: Any, schema: Schema) -> dict[str, Any]:
    """Give a condition as a node of a skeleton.

    Parameters
    ----------
    given : str, Threshold, Subset, Multiway or mapping
    schema : Schema
        The columns of the tree.
    """
    if isinstance(given, Threshold | Subset | Multiway):
        return condition_as_dict(given)
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, str):
        return _read_text(given, schema)
    raise ValueError(
        f"condition={given!r:.80} must be text such as 'age <= 40', a condition of a tree, or a "
        "dict such as a node of a skeleton"
    )


def _read_text(text: str, schema: Schema) -> dict[str, Any]:
    name, rest = _split_name(text.strip(), schema)
    column = schema[name]
    missing: int | str | None = None
    if found := _TAIL.search(rest):
        rest = rest[: found.start()]
        missing = int(found[1]) if found[1].isdigit() else found[1]
    sign = next((sign for sign in _SIGNS if _starts(rest, sign)), None)
    if sign is None:
        raise ValueError(
            f"condition {text!r}: after the column {name!r} comes one of "
            f"{', '.join(_SIGNS)}, not {rest[:20]!r}"
        )
    value = rest[len(sign) :].strip()
    node: dict[str, Any] = {"column": name}
    if sign == "is":
        if value not in ("missing", "known"):
            raise ValueError(f"condition {text!r}: a value is 'missing' or 'known', not {value!r}")
        return {"column": name, "threshold": math.inf, "missing": 1}
    if sign in ("<=", ">", "<", ">="):
        node["threshold"] = _threshold(value, column, strict=sign in ("<", ">="), text=text)
    elif sign == ":":
        sets = [_levels(part.strip(), column, text) for part in value.split("|")]
        if len(sets) < 2:
            raise ValueError(f"condition {text!r}: separate the branches by |")
        node["levels"] = sets
        node["branches"] = [{} for _ in sets]
    else:
        levels = _levels(value, column, text)
        others = [level for level in column.levels if level not in levels]
        node["levels"] = [others, levels] if sign == "not in" else [levels, others]
    if missing is not None:
        node["missing"] = missing
    return node


def _starts(rest: str, sign: str) -> bool:
    if not rest.startswith(sign):
        return False
    return not sign[-1].isalpha() or not rest[len(sign) : len(sign) + 1].isalnum()


def _split_name(text: str, schema: Schema) -> tuple[str, str]:
    """Find the column that a condition begins with: the longest name that fits."""
    for quote in "`\"'":
        if text.startswith(quote) and quote in text[1:]:
            name, _, rest = text[1:].partition(quote)
            if name in schema.names:
                return name, rest.strip()
    for name in sorted(schema.names, key=len, reverse=True):
        if text.startswith(name):
            rest = text[len(name) :]
            if any(_starts(rest.strip(), sign) for sign in _SIGNS):
                return name, rest.strip()
    for name in sorted(schema.names, key=len, reverse=True):
        if text.startswith(name) and not text[len(name) :][:1].isalnum():
            return name, text[len(name) :].strip()
    first = re.split(r"\s*(?:<=|>=|<|>|==|=|:|\bin\b|\bis\b)", text, maxsplit=1)[0]
    raise ValueError(
        f"condition {text!r} begins with no column; {near_names(first, schema.names, 'columns')}"
    )


def _threshold(value: str, column: ColumnSchema, *, strict: bool, text: str) -> Any:
    """Read the value of `<=`; with `strict`, of `<`: the value itself is on the right."""
    if column.kind == "nominal":
        raise ValueError(
            f"condition {text!r}: column {column.name!r} is nominal and has no threshold; write "
            f"'{column.name} in {{...}}'; its levels are {short_list(column.levels, 20)}"
        )
    if column.kind == "ordinal":
        level = _level(value, column, text)
        if not strict:
            return level
        at = column.index[level]
        if at == 0:
            raise ValueError(f"condition {text!r}: no level is below {level!r}")
        return column.levels[at - 1]
    if column.times is not None and column.times.is_time:
        try:
            number = _moment(_unquoted(value), column)
        except ValueError as why:
            raise ValueError(f"condition {text!r}: {value!r} is no {why}") from None
        if column.times.kind == "date":  # between two days
            return number - 0.5 if strict else number + 0.5
    else:
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f"condition {text!r}: {value!r} is not a number") from None
    if math.isnan(number):
        raise ValueError(f"condition {text!r}: the threshold must be a number")
    return math.nextafter(number, -math.inf) if strict else number


def _moment(value: str, column: ColumnSchema) -> float:
    """Give a date or time in the numbers of a column, whatever form the cells have."""
    form = column.times
    assert form is not None
    try:
        if form.kind == "date":
            return float((dt.date.fromisoformat(value) - dt.date(1970, 1, 1)).days)
        if form.kind == "datetime":
            moment = dt.datetime.fromisoformat(value)
            if form.zone and moment.tzinfo is None:
                moment = moment.replace(tzinfo=zone_of(form.zone))
            start = dt.datetime(1970, 1, 1, tzinfo=dt.UTC if form.zone else None)
            return (moment - start).total_seconds()
        if form.kind == "time":
            clock = dt.time.fromisoformat(value)
            return clock.hour * 3600 + clock.minute * 60 + clock.second + clock.microsecond / 1e6
        return float(value)
    except (ValueError, TypeError):
        raise ValueError(f"{form.kind}, as in {form.show(0.0)!r}") from None


def _levels(value: str, column: ColumnSchema, text: str) -> list[Any]:
    if column.kind == "numeric":
        raise ValueError(
            f"condition {text!r}: column {column.name!r} is numeric and has no levels; write "
            f"'{column.name} <= 40'"
        )
    if value.startswith("{") and value.endswith("}"):
        value = value[1:-1]
    whole = _find(value, column)
    if whole is not None:
        return [whole]
    parts: list[str] = []
    rest = value.strip()
    while rest:
        if found := _QUOTED.match(rest):
            parts.append(found[0])
            rest = rest[found.end() :].lstrip()
            rest = rest[1:].lstrip() if rest.startswith(",") else rest
        else:
            part, _, rest = rest.partition(",")
            parts.append(part.strip())
            rest = rest.lstrip()
    if not parts:
        raise ValueError(f"condition {text!r}: a branch has no levels")
    return [_level(part, column, text) for part in parts]


def _unquoted(value: str) -> str:
    found = _QUOTED.fullmatch(value)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else value


def _find(value: str, column: ColumnSchema) -> Any:
    """Give the level that is written so; None if there is none."""
    word = _unquoted(value.strip())
    for level in column.levels:
        if str(level) == word:
            return level
    try:
        number = float(word)
    except ValueError:
        return None
    for level in column.levels:
        if isinstance(level, int | float) and not isinstance(level, bool) and level == number:
            return level
    return None


def _level(value: str, column: ColumnSchema, text: str) -> Any:
    level = _find(value, column)
    if level is None:
        names = [str(one) for one in column.levels]
        raise ValueError(
            f"condition {text!r}: {_unquoted(value)!r} is not a level of column {column.name!r}; "
            f"{near_names(_unquoted(value), names, 'levels')}"
        )
    return level
