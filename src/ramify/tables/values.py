"""Parameters and class labels as JSON, and back, with their types.

A value that JSON has is written as it is. Any other becomes an object whose "type" says what it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_FLOATS = ("float16", "float32", "float64")
_DTYPES = ("bool", "str", "object", *_INTEGERS, *_FLOATS)
#: Parameters are shallow; deeper nesting is an attack on the stack.
_DEEPEST = 8

#: Objects of the packages above that parameters may hold: dataclasses by kind and name,
_PARTS: dict[str, dict[str, Any]] = {}
#: and other objects by kind, with the functions that write and read them.
_FORMS: dict[str, tuple[Callable[[Any], dict[str, Any] | None], Callable[..., Any]]] = {}


def hold_parts(kind: str, *classes: type) -> None:
    """Allow objects of these dataclasses as parameters; files hold their kind, name and fields."""
    _PARTS.setdefault(kind, {}).update({one.__name__: one for one in classes})


def hold_form(
    kind: str, write: Callable[[Any], dict[str, Any] | None], read: Callable[..., Any]
) -> None:
    """Allow other objects as parameters; `write` gives None for values of another kind."""
    _FORMS[kind] = write, read


class Unsaveable(ValueError):
    """A value that a model file cannot hold."""


def encode(value: Any, depth: int = 0) -> Any:
    """Give a value as JSON; raise `Unsaveable` if that would lose something.

    Examples
    --------
    >>> encode({1: 2.0, "a": (True, None)})["items"]
    [[1, 2.0], ['a', {'type': 'tuple', 'items': [True, None]}]]
    """
    if depth > _DEEPEST:
        raise Unsaveable("nested too deeply")
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        if math.isfinite(value):
            return value
        return {"type": "float", "value": "nan" if math.isnan(value) else str(value)}
    if type(value) is list:
        return [encode(item, depth + 1) for item in value]
    if type(value) is tuple:
        return {"type": "tuple", "items": [encode(item, depth + 1) for item in value]}
    if type(value) is dict:
        items = [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]
        return {"type": "dict", "items": items}
    if isinstance(value, np.ndarray) and value.ndim in (1, 2):
        flat = encode_array(value.ravel(), depth + 1)
        return {"type": "array", "shape": list(value.shape), **flat}
    for kind, (write, _) in _FORMS.items():
        if (written := write(value)) is not None:
            return {"type": kind, **written}
    for kind, classes in _PARTS.items():
        name = type(value).__name__
        if type(value) is classes.get(name):
            parameters = {key: encode(item, depth + 1) for key, item in vars(value).items()}
            return {"type": kind, "name": name, "parameters": parameters}
    raise Unsaveable(f"a {type(value).__name__} cannot be written to a model file")


def decode(value: Any, place: str, depth: int = 0) -> Any:
    """Give the value that :func:`encode` wrote; a ValueError names the place of anything else."""
    if depth > 2 * _DEEPEST:
        raise ValueError(f"{place} is nested too deeply")
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise ValueError(f"{place} is beyond float64")
    if isinstance(value, list):
        return [decode(item, place, depth + 1) for item in value]
    if not isinstance(value, dict):
        raise ValueError(f"{place} holds a {type(value).__name__}")
    kind = value.get("type")
    if kind == "float" and isinstance(value.get("value"), str) and value["value"] in _WORDS:
        return _WORDS[value["value"]]
    items = value.get("items")
    if kind == "tuple" and isinstance(items, list):
        return tuple(decode(item, place, depth + 1) for item in items)
    if kind == "dict" and isinstance(items, list):
        pairs = [decode(pair, place, depth + 1) for pair in items]
        if not all(isinstance(p, list) and len(p) == 2 for p in pairs):
            raise ValueError(f"{place}: the items of a dict must be pairs")
        try:
            return dict(pairs)
        except TypeError:
            raise ValueError(f"{place}: a key of a dict is not hashable") from None
    if isinstance(kind, str) and kind in _PARTS:
        part = _PARTS[kind].get(value.get("name"))  # type: ignore[arg-type]
        parameters = value.get("parameters")
        if part is None or not isinstance(parameters, dict):
            raise ValueError(f"{place} holds an unknown {kind} {value.get('name')!r}")
        if unknown := sorted(parameters.keys() - part.__dataclass_fields__.keys()):
            raise ValueError(f"{place}: {value['name']} has no parameter {unknown[0]!r}")
        return part(**{key: decode(item, place, depth + 1) for key, item in parameters.items()})
    if isinstance(kind, str) and kind in _FORMS:
        return _FORMS[kind][1](value, place)
    if kind == "array":
        array = decode_array({k: v for k, v in value.items() if k not in ("type", "shape")}, place)
        shape = value.get("shape")
        if not isinstance(shape, list) or len(shape) not in (1, 2):
            raise ValueError(f"{place}.shape must hold one or two integers")
        if not all(type(n) is int and 0 <= n <= array.size for n in shape):
            raise ValueError(f"{place}.shape must hold sizes of the array")
        if math.prod(shape) != array.size:
            raise ValueError(f"{place}.shape does not fit {array.size} values")
        return array.reshape(shape)
    raise ValueError(f"{place} holds an object of unknown type {kind!r}")


def encode_array(array: NDArray[Any], depth: int = 0) -> dict[str, Any]:
    """Give a one-dimensional array of labels or numbers as JSON, with its dtype."""
    dtype = "str" if array.dtype.kind in "UT" else array.dtype.name
    if dtype not in _DTYPES:
        raise Unsaveable(
            f"values of dtype {array.dtype} cannot be written to a model file; convert them to "
            "strings or numbers first"
        )
    return {"dtype": dtype, "values": [encode(item, depth + 1) for item in array.tolist()]}


def decode_array(value: Any, place: str) -> NDArray[Any]:
    """Give the array that :func:`encode_array` wrote."""
    if not isinstance(value, dict) or set(value) != {"dtype", "values"}:
        raise ValueError(f"{place} must be an object with dtype and values")
    dtype, values = value["dtype"], value["values"]
    if dtype not in _DTYPES:
        raise ValueError(f"{place}.dtype={dtype!r} is unknown; valid: {', '.join(_DTYPES)}")
    if not isinstance(values, list):
        raise ValueError(f"{place}.values must be a list")
    items = [decode(item, f"{place}.values") for item in values]
    kinds = set(map(type, items))
    if dtype == "object":
        array = np.empty(len(items), dtype=object)
        array[:] = [_plain(item, place) for item in items]
        return array
    allowed: type = {"bool": bool, "str": str}.get(dtype, int if dtype in _INTEGERS else float)
    if not kinds <= {allowed}:
        raise ValueError(f"{place}.values do not fit the dtype {dtype}")
    if dtype in _INTEGERS and items:
        info = np.iinfo(dtype)
        if not (info.min <= min(items) and max(items) <= info.max):
            raise ValueError(f"{place}.values hold an integer beyond {dtype}")
    return np.array(items, dtype=dtype)


def _plain(item: Any, place: str) -> Any:
    if item is None or isinstance(item, bool | int | float | str):
        return item
    raise ValueError(f"{place}.values must be strings, numbers or booleans")
