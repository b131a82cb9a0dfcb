"""Changed model files: those that load work in every use, and all others are refused."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from helpers.model_mutations import HOSTILE, MODELS, changes, document, group, load_and_use, places
from hypothesis import given, settings
from hypothesis import strategies as st

ODD = st.one_of(
    st.sampled_from(HOSTILE),
    st.integers(-3, 12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([10**400, "nan", "numeric", "nominal", "ordinal", "regression"]),
    st.sampled_from([[0], {"type": "dict", "items": []}, {"type": "float"}]),
)
#: So many changes of a place are tried besides its deletion. A longer run tries all, and
#: `tools/fuzz files` tries any.
CHANGES = 1


@pytest.mark.parametrize("name", MODELS)
def test_every_entry_changed(name):
    text = document(name)
    assert load_and_use(text)
    whole = json.loads(text)
    rng = random.Random(name)
    every = list(places(whole))
    rng.shuffle(every)
    alike = {group(place): place for place in every}
    loaded = 0
    for place in alike.values():
        all_of_them = list(changes(whole, place))
        some = 0 if place[0] == "parameters" else CHANGES
        for what, change in [all_of_them[0], *rng.sample(all_of_them[1:], some)]:
            changed = json.loads(text)
            change(changed)
            try:
                loaded += load_and_use(json.dumps(changed))
            except Exception as error:
                error.add_note(f"{name}: {place} {what}")
                raise
    assert loaded  # many entries may have other values


def _mutate(whole: Any, data: st.DataObject) -> None:
    containers: dict[int, list[tuple[Any, Any]]] = {}
    for place in places(whole):
        container = whole
        for key in place[:-1]:
            container = container[key]
        containers.setdefault(id(container), []).append((container, place[-1]))
    # First a container, then an entry: otherwise nearly all changes would hit the longest lists.
    container, key = data.draw(st.sampled_from(data.draw(st.sampled_from([*containers.values()]))))
    match data.draw(st.sampled_from(["replace", "delete", "copy", "swap", "nudge"])):
        case "replace":
            container[key] = copy.deepcopy(data.draw(ODD))
        case "delete":
            del container[key]
        case "copy" if isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        case "swap":
            other, at = data.draw(
                st.sampled_from(data.draw(st.sampled_from([*containers.values()])))
            )
            container[key] = copy.deepcopy(other[at])
        case "nudge" if type(container[key]) in (int, float):
            container[key] += data.draw(st.sampled_from([-1, 1, 2]))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_mutated_structure(data):
    whole = json.loads(document(data.draw(st.sampled_from([*MODELS]))))
    for _ in range(data.draw(st.integers(1, 3))):
        _mutate(whole, data)
    load_and_use(json.dumps(whole))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_mutated_bytes(data):
    text = bytearray(document(data.draw(st.sampled_from([*MODELS]))).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        match data.draw(st.sampled_from(["digit", "byte", "delete", "repeat"])):
            case "digit":
                text[place] = data.draw(st.sampled_from(b'0123456789-.e,[]{}"n'))
            case "byte":
                text[place] = data.draw(st.integers(0, 255))
            case "delete":
                del text[place : place + data.draw(st.integers(1, 9))]
            case "repeat":
                text[place:place] = text[place : place + data.draw(st.integers(1, 9))]
    load_and_use(bytes(text))
