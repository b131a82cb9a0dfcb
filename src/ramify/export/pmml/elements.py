"""Elements of XML, and levels and classes as PMML writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ramify.export.refusals import ExportError

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITIES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def attributes(named: Mapping[str, str]) -> str:
    """Attributes of an element, escaped."""
    return "".join(f" {name}={_attribute(value)}" for name, value in named.items())


def _attribute(value: str) -> str:
    return quoteattr(_allowed(value), _ENTITIES)


def content(text: str) -> str:
    """The text inside an element, escaped."""
    return escape(_allowed(text), _ENTITIES)


def _allowed(text: str) -> str:
    if found := _FORBIDDEN.search(text):
        raise ExportError(f"{text!r:.80} holds the character {found[0]!r}, which XML cannot hold")
    return text


def element(name: str, named: Mapping[str, str]) -> str:
    """An element without content."""
    return f"<{name}{attributes(named)}/>"


def data_type(values: Sequence[Any]) -> str:
    """The PMML type of levels or classes, all of one type."""
    kinds = {type(value) for value in values} or {str}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "integer"
    if kinds <= {int, float}:
        return "double"
    return "string"


def text_of(value: Any, place: str) -> str:
    """A level or a class as PMML compares it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return value
    raise ExportError(f"{place}: {value!r:.80} of type {type(value).__name__} has no form in PMML")
