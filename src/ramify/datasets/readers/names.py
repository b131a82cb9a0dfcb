"""Names of columns: each is there once, and none is empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ramify.tables.reading import Note


def check_unique(names: Iterable[str]) -> None:
    """Refuse column names that occur twice."""
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(
            f"column names occur more than once: {', '.join(map(repr, twice))}; "
            "rename_duplicates=True numbers them"
        )


def number_duplicates(names: Sequence[str]) -> tuple[list[str], list[Note]]:
    """Number names that occur again, with a note for each.

    Examples
    --------
    >>> number_duplicates(["a", "b", "a", "a_2"])[0]
    ['a', 'b', 'a_3', 'a_2']
    """
    taken, seen = set(names), set[str]()
    unique: list[str] = []
    notes: list[Note] = []
    for name in names:
        new = name
        if name in seen:
            number = 2
            while (new := f"{name}_{number}") in taken:
                number += 1
            text = f"the name {name} stands over two columns: the second is called {new}"
            notes.append(Note(new, "renamed", text))
        seen.add(name)
        taken.add(new)
        unique.append(new)
    return unique, notes


def fill_names(cells: Sequence[str]) -> tuple[list[str], list[Note]]:
    """Name the columns of a header that have no name, with a note for each."""
    names: list[str] = []
    notes: list[Note] = []
    for number, cell in enumerate(cells, start=1):
        name = cell.strip()
        if not name:
            name = f"column_{number}"
            notes.append(Note(name, "unnamed", f"column {number} has no name: it is called {name}"))
        names.append(name)
    return names, notes
