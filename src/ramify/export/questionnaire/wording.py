"""How a questionnaire puts its questions into words.

Invariant: a question is about one column of the table that a user would give to `predict`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ramify.export.routing import RoutedTree
from ramify.support.suggest import near_names
from ramify.tables import ColumnSchema
from ramify.tree.words import format_name


@dataclass(frozen=True)
class Question:
    """What is asked about one column.

    Parameters
    ----------
    input : str
        The column of the table.
    columns : tuple of int
        The columns of the tree that the answer fills in: itself, and parts of a date.
    name : str
        What is asked for: the column, or the one part of a date that the tree looks at.
    """

    input: str
    columns: tuple[int, ...]
    name: str


def questions_of(routed: RoutedTree) -> list[Question]:
    """The questions of a tree, in the order of its columns.

    A date is asked for once, whatever the tree asks about it. If that is one part alone, such as
    the month, the question is about the part: not everyone who knows the month knows the day.
    """
    groups: dict[str, list[int]] = {}
    for column in routed.columns:
        groups.setdefault(routed.schema(column).input, []).append(column)
    found = []
    for input, columns in groups.items():
        name = routed.schema(columns[0]).name if len(columns) == 1 else input
        found.append(Question(input, tuple(columns), name))
    return found


def words_of(routed: RoutedTree, asked: Sequence[Question], given: Any) -> list[str]:
    """How each question reads: as it was given for its column, or by the column's name.

    Raises
    ------
    ValueError
        If a name is no column of the tree, or a text is none.
    """
    known = _checked(routed, given)
    return [known.get(one.name, known.get(one.input, default_words(one.name))) for one in asked]


def _checked(routed: RoutedTree, given: Any) -> dict[str, str]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(
            f"questions={given!r:.80} must be a mapping from column to question, "
            'such as {"age": "How old are you?"}'
        )
    schema = routed.tree.schema
    valid = dict.fromkeys([*schema.input_names, *(column.name for column in schema.columns)])
    for name, text in given.items():
        if name not in valid:
            near = near_names(str(name), valid, "columns")
            raise ValueError(f"questions: {name!r} is no column of the tree; {near}")
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"questions[{name!r}]={text!r:.80} must be a text that asks for it")
    return {name: text.strip() for name, text in given.items()}


def default_words(name: str) -> str:
    """The question for a column, by its name.

    Examples
    --------
    >>> [default_words(name) for name in ("age", "passenger_class", "sepal length (cm)", "ok?")]
    ['Age?', 'Passenger class?', 'Sepal length (cm)?', 'Ok?']
    """
    text = " ".join(format_name(name).replace("_", " ").split()) or repr(name)
    return text[:1].upper() + text[1:].rstrip("?") + "?"


def is_yes_or_no(about: ColumnSchema) -> bool:
    """Whether the levels of a column are bools, so that the answers are yes and no."""
    return bool(about.levels) and all(type(level) is bool for level in about.levels)
