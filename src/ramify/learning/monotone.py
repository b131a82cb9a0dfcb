"""The columns that a prediction never falls or rises with: what users write, and what it means.

Invariant: a sign belongs to one column of the user's table that has an order, and to one class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.learning.parameters import is_number
from ramify.support.suggest import unknown_column
from ramify.tables import Schema

_FORMS = (
    "None, a dict from column to 1 (never falls), -1 (never rises) or 0, or a list with one of "
    "these for each column; with three classes or more, (1, class) in place of 1"
)
#: A column by its name or position, and its sign with the class it is for. The column None stands
#: for the length of a list in place of a sign.
Entry = tuple[Any, int, tuple[Any, ...]]


def read_monotone(name: str, value: Any) -> tuple[Entry, ...]:
    """Check the form of `monotone`; columns and classes are looked up with the data.

    Examples
    --------
    >>> read_monotone("monotone", {"age": 1, "debt": (-1, "late")})
    (('age', 1, ()), ('debt', -1, ('late',)))
    >>> read_monotone("monotone", [0, 1])  # the last entry is the number of columns
    ((0, 0, ()), (1, 1, ()), (None, 2, ()))
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, np.ndarray) and value.ndim == 1:
        pairs = list(enumerate(value.tolist()))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        pairs = list(enumerate(value))
    else:
        raise ValueError(f"{name}={value!r:.80} is not valid; choose {_FORMS}")
    found = tuple((column, *_read_sign(name, column, sign)) for column, sign in pairs)
    # The length of a list is that of the table, which is not known yet.
    return found if isinstance(value, Mapping) else (*found, (None, len(found), ()))


def _read_sign(name: str, column: Any, value: Any) -> tuple[int, tuple[Any, ...]]:
    sign = value
    label: tuple[Any, ...] = ()
    if isinstance(value, tuple) and len(value) == 2:
        sign, label = value[0], (value[1],)
    if not is_number(sign) or float(sign) not in (-1.0, 0.0, 1.0):
        raise ValueError(f"{name}[{column!r}]={value!r:.80} is not valid; {name} is {_FORMS}")
    return int(sign), label


def monotone_signs(
    entries: tuple[Entry, ...], schema: Schema, classes: NDArray[Any] | None, *, merges: bool
) -> dict[str, list[int]]:
    """Give sign and class of every column as the core takes them; nothing if none has a sign.

    Parameters
    ----------
    entries : tuple
        What :func:`read_monotone` gave.
    schema : Schema
        The columns.
    classes : ndarray or None
        The class labels; None if the target is a number.
    merges : bool
        Whether ordinal levels are merged to branches, which have no order for levels between them.
    """
    names = schema.input_names
    signs, of_class = [0] * len(schema.columns), [0] * len(schema.columns)
    for column, sign, label in entries:
        if column is None:
            if sign != len(names):
                raise ValueError(
                    f"monotone has {sign} entries, but X has {len(names)} columns; give one entry "
                    "for each column, or a dict"
                )
            continue
        position = _position(column, schema)
        if sign == 0:
            continue
        for j in [j for j, source in enumerate(schema.sources) if source == position]:
            _require_order(schema, j, names[position], merges)
            signs[j] = sign
            of_class[j] = _class_code(names[position], sign, label, classes)
    return {"monotone": signs, "monotone_class": of_class} if any(signs) else {}


def _position(column: Any, schema: Schema) -> int:
    names = schema.input_names
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, Integral) and not isinstance(column, bool):
        position = int(column)
        if 0 <= position < len(names):
            return position
    raise unknown_column(
        column if isinstance(column, str) else repr(column), names, what="monotone: column"
    )


def _require_order(schema: Schema, j: int, name: str, merges: bool) -> None:
    column = schema.columns[j]
    if column.name != name or schema.sources.count(schema.sources[j]) > 1:
        raise ValueError(
            f"monotone: column {name!r} is a date whose parts are columns of their own, so that no "
            "two rows differ in one of them alone; give date_parts=None"
        )
    if column.kind == "nominal":
        raise ValueError(
            f"monotone: column {name!r} is nominal, and its levels have no order; choose a numeric "
            "or ordinal column, or make it ordinal (an ordered categorical)"
        )
    if column.kind == "ordinal" and merges:
        raise ValueError(
            f"monotone: the levels of column {name!r} are merged to branches without an order "
            "between them; choose another categorical_split than 'merge'"
        )


def _class_code(name: str, sign: int, label: tuple[Any, ...], classes: NDArray[Any] | None) -> int:
    if classes is None:
        if label:
            raise ValueError(
                f"monotone[{name!r}]={(sign, *label)!r} names a class, but the target is a number; "
                f"give {sign}"
            )
        return 0
    listed = ", ".join(map(repr, classes[:10].tolist()))
    if label:
        for code, known in enumerate(classes.tolist()):
            if known == label[0] or str(known) == label[0]:
                return code
        raise ValueError(
            f"monotone[{name!r}]={(sign, *label)!r} names no class; the classes are {listed}"
        )
    if len(classes) > 2:
        raise ValueError(
            f"monotone[{name!r}]={sign} must name the class whose probability is meant, such as "
            f"({sign}, {classes.tolist()[0]!r}); the classes are {listed}"
        )
    return len(classes) - 1


def monotone_in_boosting(
    entries: tuple[Entry, ...], schema: Schema, classes: NDArray[Any] | None
) -> dict[str, list[int]]:
    """Give the signs of trees whose sum is the log-odds of the second of two classes.

    The sum never falls if no tree does. With more classes the probability of one depends on the
    sums of all, which may cross.
    """
    found = monotone_signs(entries, schema, classes, merges=False)
    if not found:
        return {}
    if classes is None or len(classes) != 2:
        raise ValueError(
            "monotone of boosted trees is for two classes: with more, trees that are monotone do "
            "not add up to probabilities that are; choose TreeClassifier, or one model per class"
        )
    pairs = zip(found["monotone"], found["monotone_class"], strict=True)
    signs = [sign if of_class == 1 else -sign for sign, of_class in pairs]
    return {"monotone": signs, "monotone_class": [1] * len(signs)}
