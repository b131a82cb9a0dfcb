"""The lines of a store as they are read: which are whole, which are torn, and which are odd.

A line that a kill has torn is no JSON; it is skipped, as its fold is computed again. A line that
is odd in another way (somebody has edited the file, a disk has erred) is skipped with a warning. No
line is ever taken out of the file.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1
HEADER = {"kind": "ramify.evaluate", "format": FORMAT}
Line = dict[str, Any]

_TEXT, _WHOLE, _NUMBER = (str,), (int,), (int, float)
_SHOWN = 5

# What the lines of each kind must have, as others rely on it.
_FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "ramify.evaluate": {"format": _WHOLE},
    "run": {
        "learners": (dict,),
        "datasets": (list,),
        "task": _TEXT,
        "cv": _TEXT,
        "repeats": (int, type(None)),
        "scores": (dict,),
        "test": _TEXT,
        "alpha": _NUMBER,
        "versions": (dict,),
    },
    "dataset": {"name": _TEXT, "id": _TEXT, "n_rows": _WHOLE},
    "fold": {
        "dataset": _TEXT,
        "learner": _TEXT,
        "repeat": _WHOLE,
        "fold": _WHOLE,
        "n_train": _WHOLE,
        "n_test": _WHOLE,
        "scores": (dict,),
        "error": (str, type(None)),
        "dataset_id": _TEXT,
        "learner_id": _TEXT,
        "cv": _TEXT,
        "rows": _TEXT,
    },
}
_OF_A_LEARNER: dict[str, tuple[type, ...]] = {"id": _TEXT, "text": _TEXT, "parameters": (dict,)}


@dataclass
class Content:
    """What is in the file of a store."""

    lines: list[Line] = field(default_factory=list)
    has_header: bool = False
    odd: dict[int, str] = field(default_factory=dict)


def read_lines(path: Path) -> Content:
    """Read the whole lines of a store; nothing if there is no file yet."""
    found = Content()
    if not path.exists():
        return found
    parts = path.read_bytes().split(b"\n")
    for number, text in enumerate(parts, start=1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            if not _is_torn(text):
                found.odd[number] = "it is no JSON"
            continue
        reason = _what_is_odd(line)
        if reason is not None:
            found.odd[number] = reason
            continue
        if line.get("kind") == HEADER["kind"]:
            _check_format(path, line)
            found.has_header = True
        found.lines.append(line)
    ours = any(line.get("kind") in _FIELDS for line in found.lines)
    if not ours and any(map(bytes.strip, parts)) and not _is_torn_header(parts):
        raise ValueError(
            f"store={str(path)!r} is a file that ramify.evaluate has not written; choose another "
            "name"
        )
    if found.odd:
        _warn(path, found.odd)
    return found


def _is_torn(text: bytes) -> bool:
    """Tell whether a kill may have left this: the beginning of a line without its end."""
    return text.startswith(b"{") and not text.rstrip().endswith(b"}")


def _is_torn_header(parts: list[bytes]) -> bool:
    return len(parts) == 1 and json.dumps(HEADER).encode().startswith(parts[0])


def _what_is_odd(line: Any) -> str | None:
    """Say why a line cannot be used, if so."""
    if not isinstance(line, dict):
        return "it is no JSON object"
    kind = line.get("kind")
    if not isinstance(kind, str):
        return "it has no 'kind'"
    reason = _missing_field(line, _FIELDS.get(kind, {}))
    if reason is None and kind == "run":
        for name, learner in line["learners"].items():
            if not isinstance(learner, dict) or _missing_field(learner, _OF_A_LEARNER):
                return f"the learner {name!r:.60} is not described"
    if reason is None and kind == "fold":
        for name, value in line["scores"].items():
            if not _is_score(value):
                return f"the score {name!r:.60} is {value!r:.60}"
    return reason


def _missing_field(line: Line, fields: dict[str, tuple[type, ...]]) -> str | None:
    for name, types in fields.items():
        if name not in line:
            return f"it has no {name!r}"
        if not isinstance(line[name], types):
            return f"its {name!r} is {line[name]!r:.60}"
    return None


def _is_score(value: Any) -> bool:
    try:
        return value is None or isinstance(float(value), float)
    except (TypeError, ValueError, OverflowError):
        return False


def _check_format(path: Path, header: Line) -> None:
    if header["format"] > FORMAT:
        raise ValueError(
            f"store={str(path)!r} has format {header['format']}, newer than {FORMAT}, which "
            "this version of ramify reads; update ramify"
        )


def _warn(path: Path, odd: dict[int, str]) -> None:
    shown = ", ".join(f"{number} ({odd[number]})" for number in list(odd)[:_SHOWN])
    more = f" and {len(odd) - _SHOWN} more" if len(odd) > _SHOWN else ""
    warnings.warn(
        f"store={str(path)!r}: ramify.evaluate has not written these lines as they are: {shown}"
        f"{more}. They are skipped and stay in the file; what they held is computed again. Mend or "
        "delete them to be rid of this warning",
        stacklevel=4,
    )
