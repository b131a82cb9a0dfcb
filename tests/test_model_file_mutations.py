"""Model files that were changed at random: what loads works, and all else is refused."""

from __future__ import annotations

import copy
import json
import warnings
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from test_model_file import model

from ramify.model_file import ModelFileError, dumps, loads

FUZZED = ["plain", "multiway", "ordered", "regression"]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([2**31 - 1, 2**31, -(2**31), 2**63, -(2**63), 10**400, 1e308, -1e308, 0.5]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "inf", "-inf", "nan", "numeric", "nominal", "ordinal", "regression"]),
    st.sampled_from([[], {}, [[]], [0], {"type": "dict", "items": []}, {"type": "float"}]),
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a document."""
    found, todo = [], [value]
    while todo:
        item = todo.pop()
        keys = list(item) if isinstance(item, dict) else range(len(item))
        for key in keys:
            found.append((item, key))
            if isinstance(item[key], dict | list):
                todo.append(item[key])
    return found


def _mutate(document: Any, data: st.DataObject) -> None:
    containers: dict[int, list[tuple[Any, Any]]] = {}
    for container, key in _places(document):
        containers.setdefault(id(container), []).append((container, key))
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
            other = data.draw(st.sampled_from(_places(document)))
            container[key] = copy.deepcopy(other[0][other[1]])
        case "nudge" if type(container[key]) in (int, float):
            container[key] += data.draw(st.sampled_from([-1, 1, 2]))


def _use(text: str | bytes) -> None:
    """Load; what loads must show itself and predict."""
    try:
        estimator = loads(text)
    except ModelFileError:
        return
    tree = estimator.tree_
    assert tree.to_text() and len(tree.rules()) == tree.n_leaves
    assert len(list(tree.nodes)) == tree.n_nodes
    rows = [
        [
            column.levels[i % len(column.levels)] if column.levels else _cell(column, i)
            for column in tree.schema.columns
        ]
        for i in range(4)
    ]
    rows.append([None] * len(tree.schema.columns))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            predicted = estimator.predict(rows)
        except ValueError:  # a changed schema or parameter may ask for other data
            return
    assert len(predicted) == len(rows)


def _cell(column: Any, i: int) -> Any:
    return (-1e300, 70.0, 82.5, 1e300)[i] if column.kind == "numeric" else None


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_mutated_structure(data):
    document = json.loads(dumps(model(data.draw(st.sampled_from(FUZZED)))))
    for _ in range(data.draw(st.integers(1, 3))):
        _mutate(document, data)
    _use(json.dumps(document))


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_mutated_bytes(data):
    text = bytearray(dumps(model(data.draw(st.sampled_from(FUZZED)))).encode())
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
    _use(bytes(text))
