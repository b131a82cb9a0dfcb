"""Findings: what is noteworthy, what is done about it, and how to change that."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

FindingKind = Literal[
    "identifier",
    "row_index",
    "free_text",
    "high_cardinality",
    "date",
    "number_in_disguise",
    "constant",
    "duplicate",
    "derived",
    "leak",
    "many_classes",
    "imbalance",
    "rare_levels",
    "renamed",
    "mixed",
    "long_numbers",
    "missing_tells",
]


@dataclass(frozen=True)
class Finding:
    """Something noteworthy about a column or the target.

    Parameters
    ----------
    column : str or None
        The column; the target for what concerns the target.
    kind : str
        "identifier", "row_index", "free_text", "high_cardinality", "date", "number_in_disguise",
        "constant", "duplicate", "derived", "leak", "many_classes", "imbalance", "rare_levels",
        "renamed", "mixed", "long_numbers" or "missing_tells".
    text : str
        What was found, in one sentence.
    done : str
        What ``ramify fit`` does about it.
    overrule : str
        The option of the command line that changes this.
    in_python : str
        How to do it in Python.
    loud : bool
        Whether the result is probably useless unless someone looks at this.

    Examples
    --------
    >>> print(Finding("id", "row_index", "id counts the rows.", "left out", "--use id"))
    id counts the rows. Left out; --use id keeps it.
    """

    column: str | None
    kind: FindingKind
    text: str
    done: str
    overrule: str
    in_python: str = ""
    loud: bool = False

    @property
    def remedy(self) -> str:
        """What is done about it, and the option that changes this, in one line."""
        how = self.overrule
        if how.startswith("--use "):
            how += " keeps it"
        elif how.startswith("--ignore "):
            how += " leaves it out"
        return f"{self.done}; {how}" if how else self.done

    def __str__(self) -> str:
        remedy = self.remedy
        return f"{self.text} {remedy[:1].upper()}{remedy[1:]}." if remedy else self.text

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        return asdict(self) | {"remedy": self.remedy}


#: Findings of these kinds are put together if there are more of them, as in one-hot columns.
_JOINED: dict[str, str] = {
    "constant": "have the same value in every row",
    "duplicate": "equal another column",
    "derived": "say what another column says",
    "rare_levels": "have levels of fewer than {rare} rows",
    "date": "are text, and all of it is dates or times",
    "number_in_disguise": "are text, and all of it is numbers",
    "high_cardinality": "have few rows for each level, and explain little in rows not seen",
}
_MOST, _LISTED = 4, 6


def join_findings(findings: Iterable[Finding], *, rare: int) -> list[Finding]:
    """Put many findings of one kind together, at the place of the first."""
    alike: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for one in findings:
        key = one.kind if one.kind in _JOINED else f"{one.kind} of {one.column} {one.text}"
        alike[key, one.done].append(one)
    joined: list[Finding] = []
    for group in alike.values():
        joined += group if len(group) <= _MOST else [_join(group, rare)]
    return joined


def _join(group: list[Finding], rare: int) -> Finding:
    first = group[0]
    names = [str(one.column) for one in group]
    listed = ", ".join(names[:_LISTED])
    more = len(names) - _LISTED
    shown = f"{listed} and {more:,} more" if more > 0 else listed
    what = _JOINED[first.kind].format(rare=rare)
    flag = first.overrule.partition(" ")[0]
    how = first.overrule.replace(option(flag, names[0]), f"{flag} COLUMN")
    in_python = dropped(*names) if flag in ("--use", "--ignore") else first.in_python
    text = f"{len(names):,} columns {what}: {shown}."
    return Finding(None, first.kind, text, first.done, how, in_python, loud=first.loud)


def option(flag: str, column: str) -> str:
    """Give an option with the name of a column as one types it.

    Examples
    --------
    >>> print(option("--use", "zip code"))
    --use 'zip code'
    """
    return f"{flag} {shlex.quote(column)}"


def dropped(*columns: str) -> str:
    """Say how columns are left out in Python."""
    return f"leave {'it' if len(columns) == 1 else 'them'} out of X"
