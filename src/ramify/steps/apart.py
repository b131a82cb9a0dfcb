"""Columns that never meet on a path, as the groups of columns that may."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ramify.support.suggest import unknown_column

#: Each pair may double the number of groups.
_MOST_GROUPS = 4096


def groups_apart(pairs: Iterable[tuple[str, str]], columns: Collection[str]) -> list[list[str]]:
    """Give the largest groups of columns in which no pair is together.

    That is what `interactions` of a learner takes.

    Parameters
    ----------
    pairs : iterable of pairs of str
        Columns that never meet on a path.
    columns : collection of str
        All columns of the table.

    Examples
    --------
    >>> groups_apart([("age", "debt")], ["age", "debt", "town"])
    [['age', 'town'], ['debt', 'town']]
    """
    names = list(columns)
    groups: set[frozenset[str]] = {frozenset(names)}
    for one, other in pairs:
        for name in (one, other):
            if name not in names:
                raise unknown_column(name, names, what="never together: column")
        if one == other:
            raise ValueError(f"never together: {one!r} is named twice in one pair")
        both = {group for group in groups if one in group and other in group}
        made = {group - {name} for group in both for name in (one, other)}
        kept = (groups - both) | made
        groups = {group for group in kept if not any(group < larger for larger in kept)}
        if len(groups) > _MOST_GROUPS:
            raise ValueError(
                f"never together: these pairs make more than {_MOST_GROUPS:,} groups of columns "
                "that may meet; name fewer pairs"
            )
    place = {name: j for j, name in enumerate(names)}
    return sorted(
        (sorted(group, key=place.__getitem__) for group in groups if group),
        key=lambda group: [place[name] for name in group],
    )


def read_pairs(texts: Iterable[str], columns: Collection[str]) -> list[tuple[str, str]]:
    """Read pairs like ``age,debt``; a name may have commas if only one reading makes sense.

    Examples
    --------
    >>> read_pairs(["age,debt", "a,b,c"], ["age", "debt", "a,b", "c"])
    [('age', 'debt'), ('a,b', 'c')]
    """
    found = []
    for text in texts:
        cuts = [i for i, sign in enumerate(text) if sign == ","]
        pairs = [(text[:i].strip(), text[i + 1 :].strip()) for i in cuts]
        known = [pair for pair in pairs if pair[0] in columns and pair[1] in columns]
        if not cuts:
            raise ValueError(f"--never-together: {text!r} is not two columns, such as age,debt")
        found.append(known[0] if known else pairs[0])
    return found
