"""Fingerprints of learners and data sets: they tell whether a stored result is still valid.

Invariant: equal objects give equal fingerprints in every process; a change of any parameter, of the
code of a function, or of any cell of a table changes it.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import re
import types
from typing import Any

import numpy as np

# They change how fast a learner is, not what it learns.
_WITHOUT_EFFECT = ("n_jobs", "verbose")
_DEEPEST = 30


def learner_parameters(estimator: Any) -> dict[str, str]:
    """Give the class of a learner and the parameters that change what it learns, as text."""
    given = estimator.get_params(deep=False)
    found = {name: _text(value, 0) for name, value in sorted(given.items())}
    return {"class": _name(type(estimator))} | {
        name: value for name, value in found.items() if name not in _WITHOUT_EFFECT
    }


def fingerprint(value: Any) -> str:
    """Give a short hash of a value of any kind."""
    return _hash(_text(value, 0).encode())


def table_fingerprint(X: Any, y: Any) -> str:
    """Give a short hash of names, kinds and cells of a table and its target."""
    digest = hashlib.blake2b(digest_size=8)
    for name, column in [*_columns(X), ("", np.asarray(y))]:
        kind = "object" if column.dtype.kind in "OUST" else column.dtype.str
        digest.update(f"{name}\0{kind}\0{column.shape}\0".encode())
        if kind == "object":
            digest.update("\0".join(map(repr, column.ravel().tolist())).encode())
        else:
            digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()


def _columns(X: Any) -> list[tuple[str, Any]]:
    if isinstance(X, dict):
        return [(str(name), np.asarray(column)) for name, column in X.items()]
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        parts = [(part, getattr(rows, part)) for part in ("data", "indices", "indptr")]
        return [("shape", np.asarray(rows.shape)), *parts]
    if hasattr(X, "columns") and not isinstance(X, np.ndarray):
        import narwhals as nw

        frame = nw.from_native(X, eager_only=True)
        return [(f"{name}:{frame[name].dtype}", frame[name].to_numpy()) for name in frame.columns]
    return [("", np.asarray(X))]


def _text(value: Any, depth: int) -> str:
    """Write a value so that equal values are written the same in every process."""
    if depth > _DEEPEST:
        return _name(type(value))
    deeper = functools.partial(_text, depth=depth + 1)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)
    if isinstance(value, np.ndarray):
        cells = _hash(table_fingerprint(value, ()).encode())
        return f"array({value.dtype.str}, {value.shape}, {cells})"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(deeper, value))}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(deeper, value)))}}}"
    if isinstance(value, dict):
        pairs = (f"{deeper(key)}: {deeper(item)}" for key, item in value.items())
        return f"{{{', '.join(sorted(pairs))}}}"
    if isinstance(value, type):
        return _name(value)
    if isinstance(value, functools.partial):
        return f"partial({deeper([value.func, value.args, value.keywords])})"
    if isinstance(value, types.MethodType):
        return f"{deeper(value.__func__)} of {deeper(value.__self__)}"
    if isinstance(value, types.FunctionType):
        return _function(value, depth)
    if hasattr(value, "get_params"):
        kept = learner_parameters(value)
        inside = ", ".join(f"{name}={kept[name]}" for name in kept if name != "class")
        return f"{kept['class']}({inside})"
    return _object(value, depth)


def _function(value: types.FunctionType, depth: int) -> str:
    """Write a function with its code: an edited function is a different one."""
    cells = [cell.cell_contents for cell in value.__closure__ or ()]
    parts = [_code(value.__code__), value.__defaults__, value.__kwdefaults__, cells]
    name = f"{value.__module__}.{value.__qualname__}"
    return f"{name}({_hash(_text(parts, depth + 1).encode())})"


def _code(code: types.CodeType) -> list[Any]:
    constants = [_code(c) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    return [code.co_code, code.co_names, constants]


def _object(value: Any, depth: int) -> str:
    fields = getattr(value, "__dict__", None)
    if fields:
        return f"{_name(type(value))}({_text(fields, depth + 1)})"
    try:
        return f"{_name(type(value))}({_hash(pickle.dumps(value, protocol=4))})"
    except Exception:  # whatever an object that cannot be pickled raises
        return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def _name(kind: type) -> str:
    """Name a class; one of ours without its module, which may move."""
    own = kind.__module__.partition(".")[0] == "ramify"
    return f"{'ramify' if own else kind.__module__}.{kind.__qualname__}"


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
