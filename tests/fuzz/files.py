"""The campaign of model files: damaged in structure or in bytes, and used if they load."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from helpers.model_mutations import HOSTILE, MODELS, Place, changes, document, load_and_use, places

from fuzz.campaign import Case
from fuzz.parameters import one

name = "files"
#: A model that loads answers rows; in one case of so many it does everything else a model can do,
#: and in one of these it is also drawn, reported and exported.
SOMETIMES, RARELY = 6, 36
ODD: list[Any] = [*HOSTILE, 10**400, "nan", "numeric", "nominal", "ordinal", "regression"]
ODD += [[0], {"type": "dict", "items": []}, {"type": "float"}, {"float": "inf"}, -0.0, 1e-320]


@cache
def _documents() -> dict[str, tuple[str, list[Place]]]:
    """Text and places of every model, made before the first child."""
    return {model: (document(model), [*places(json.loads(document(model)))]) for model in MODELS}


def draw(number: int) -> Case:
    rng = np.random.default_rng(number)
    model = one(rng, [*MODELS])
    text, every = _documents()[model]
    if rng.random() < 0.3:
        return {"model": model, "bytes": _in_bytes(rng, text.encode()).decode("latin-1")}
    whole = json.loads(text)
    if rng.random() < 0.6:
        _mildly(rng, whole, one(rng, every))
    else:
        for _ in range(int(rng.integers(1, 4))):
            _in_structure(rng, whole, every)
    return {"model": model, "document": whole}


def run(case: Case, number: int) -> str:
    whole = "document" in case
    text = json.dumps(case["document"]) if whole else case["bytes"].encode("latin-1")
    loaded = load_and_use(text, all_uses=number % SOMETIMES == 0, pages=number % RARELY == 0)
    return "used" if loaded else "refused"


def smaller(case: Case) -> Iterator[Case]:
    """Less of the damage: an entry is again what it was."""
    if "document" not in case:
        return
    original = json.loads(_documents()[case["model"]][0])
    for place in _differences(original, case["document"]):
        changed = copy.deepcopy(case["document"])
        inside, whole = changed, original
        for key in place[:-1]:
            inside, whole = inside[key], whole[key]
        if isinstance(whole, dict) and place[-1] not in whole:
            del inside[place[-1]]
        else:
            inside[place[-1]] = whole[place[-1]]
        yield {"model": case["model"], "document": changed}


def _differences(original: Any, changed: Any, at: Place = ()) -> Iterator[Place]:
    """Places where two documents differ, the outer ones first."""
    keys: list[Any] = []
    if isinstance(original, dict) and isinstance(changed, dict):
        keys = [*dict.fromkeys([*original, *changed])]
    elif isinstance(original, list) and isinstance(changed, list) and len(original) == len(changed):
        keys = list(range(len(original)))
    for key in keys:
        both = not isinstance(original, dict) or (key in original and key in changed)
        if not both:
            yield (*at, key)
        elif repr(original[key]) != repr(changed[key]):
            yield (*at, key)
            yield from _differences(original[key], changed[key], (*at, key))


def _in_structure(rng: np.random.Generator, whole: Any, every: list[Place]) -> None:
    """One change: half of them near the top, since most places lie in long lists."""
    place = one(rng, every)
    if rng.random() < 0.5:
        place = place[: int(rng.integers(1, len(place) + 1))]
    try:
        inside = whole
        for key in place[:-1]:
            inside = inside[key]
        kind = rng.random()
        if kind < 0.25:
            inside[place[-1]] = copy.deepcopy(one(rng, ODD))
        elif kind < 0.4:
            other = whole
            for key in one(rng, every):
                other = other[key]
            inside[place[-1]] = copy.deepcopy(other)
        else:
            _, change = one(rng, [*changes(whole, place)])
            change(whole)
    except (KeyError, IndexError, TypeError):
        return  # an earlier change took the place away


def _mildly(rng: np.random.Generator, whole: Any, place: Place) -> None:
    """One change that a file may well survive: a number like its neighbours, an entry less."""
    inside = whole
    for key in place[:-1]:
        inside = inside[key]
    value = inside[place[-1]]
    if isinstance(inside, list) and rng.random() < 0.6:
        inside[place[-1]] = copy.deepcopy(one(rng, inside))
    elif type(value) in (int, float):
        numbers = [value + 1, value - 1, -value, value / 2, value * (1 + 1e-9), 0, 1, 1e100, 1e-100]
        inside[place[-1]] = one(rng, numbers)
    elif isinstance(value, bool | None):
        inside[place[-1]] = one(rng, [True, False, None, 1])
    elif isinstance(value, list) and value:
        rng.shuffle(value)
    elif isinstance(inside, dict):
        del inside[place[-1]]
    else:
        inside[place[-1]] = one(rng, ["", "a", value, "\u0000", "inf"])


def _in_bytes(rng: np.random.Generator, text: bytes) -> bytes:
    damaged = bytearray(text)
    for _ in range(int(rng.integers(1, 5))):
        place, length = int(rng.integers(len(damaged))), int(rng.integers(1, 10))
        match int(rng.integers(5)):
            case 0 | 1:
                damaged[place] = int(rng.choice(np.frombuffer(b'0123456789-.e,[]{}"n', np.uint8)))
            case 2:
                damaged[place] = int(rng.integers(256))
            case 3:
                del damaged[place : place + length]
            case 4:
                damaged[place:place] = damaged[place : place + length]
    return bytes(damaged)
