"""The expression of SQL that answers as a tree does.

Nested CASE expressions find the leaf of a row. Each CASE follows the heaviest branches and holds
the others inside, so that nesting grows with the logarithm of the leaves. If a missing value
spreads the row, the answer is a sum over leaves: the value of a leaf times the product of one
factor per branch on its path, in the order of the core.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ramify.export.refusals import ExportError, check_output, plain_classes
from ramify.export.routing import RoutedTree, route
from ramify.export.source_text import write
from ramify.export.sql.branch_tests import BranchTests
from ramify.export.sql.dialects import Dialect, find_dialect, join
from ramify.export.sql.mixing import mixed_label, mixed_value
from ramify.export.text_forms import text_form_lines
from ramify.learning import parameters as check


def to_sql(
    model: Any,
    dialect: str = "sqlite",
    *,
    output: str = "label",
    table: str | Sequence[str] | None = None,
    name: str = "prediction",
    mix: bool = True,
    path: str | os.PathLike[str] | None = None,
) -> str:
    """Write a tree as SQL.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    dialect : str, default="sqlite"
        "sqlite", "duckdb" and "postgres" need no other package. For other dialects sqlglot must be
        installed, which knows "mysql", "bigquery", "snowflake", "tsql" and more.
    output : {"label", "probability", "leaf"}, default="label"
        The class or the number; a column per class with its share; or the number of the leaf.
    table : str or sequence of str, optional
        The table, or its parts such as ("schema", "table"): gives a whole SELECT of the table's
        columns and the answer. Without it, only the expression.
    name : str, default="prediction"
        The name of the answer's column. For shares, the class is appended, and a number where two
        names would be the same to the database ("prediction_a", "prediction_A_2").
    mix : bool, default=True
        A row that a missing or unseen value sends down several branches gets the answer of
        ``predict``, mixed from all its leaves. False answers NULL for it and gives a shorter text.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    str
        An expression; for shares one per class with its name, separated by commas; or a SELECT.

    Raises
    ------
    ExportError
        If SQL cannot say what the tree does, or only in a text too large to run.

    Notes
    -----
    NULL is a missing value, and so is NaN where the dialect has it. A tree with ``unseen="error"``
    answers NULL for a row with an unseen level in a column that it asks about.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"], "size": [1.0, 1.0, 1.0]}
    >>> print(to_sql(TreeClassifier().fit(X, ["no", "no", "yes"]), mix=False))
    CASE
      WHEN `colour` IN ('red') THEN 'no'
      WHEN `colour` IS NULL OR `colour` NOT IN ('blue') THEN NULL
      ELSE 'yes'
    END
    """
    routed = route(model)
    check_output(routed.tree, output)
    check.boolean("mix", mix)
    text, finish = find_dialect(dialect)
    answers = _Writer(routed, text, mix=mix and routed.spreads).answers(output)
    names = [name]
    if output == "probability":
        names = _numbered([f"{name}_{label}" for label in routed.classes], text)
    if table is not None:
        _check_answers(routed, text, names)
    parts = answers
    if table is not None or output == "probability":
        parts = [f"{a} AS {text.identifier(n)}" for a, n in zip(answers, names, strict=True)]
    # Before all else, and not a comment to the end of a line: the text may be put on one line.
    head = "".join(f"/* {line} */\n" for line in text_form_lines(routed))
    if table is None:
        return write(head + ",\n".join(finish(part) for part in parts), path)
    places = [table] if isinstance(table, str) else list(table)
    source = ".".join(map(text.identifier, places))
    select = ",\n".join(["SELECT *", *parts]) + f"\nFROM {source}"
    return write(head + finish(select), path)


def _numbered(names: list[str], dialect: Dialect) -> list[str]:
    """Put a number behind a name that the database would take for an earlier one."""
    taken: set[str] = set()
    found = []
    for name in names:
        free, number = name, 2
        while dialect.key(free) in taken:
            free, number = f"{name}_{number}", number + 1
        taken.add(dialect.key(free))
        found.append(free)
    return found


def _check_answers(routed: RoutedTree, dialect: Dialect, names: list[str]) -> None:
    """Refuse answers with the name of a column of the table."""
    columns = {dialect.key(column): column for column in routed.tree.schema.input_names}
    for name in names:
        if dialect.key(name) in columns:
            raise ExportError(
                f"the answer {name!r} would have the name of the column "
                f"{columns[dialect.key(name)]!r} of the table; choose another with name"
            )


class _Writer:
    def __init__(self, routed: RoutedTree, dialect: Dialect, *, mix: bool) -> None:
        self.routed, self.dialect, self.mix = routed, dialect, mix
        self._check_names()
        self.tests = BranchTests(routed, dialect)

    def _check_names(self) -> None:
        """Refuse columns whose names the database could confuse."""
        used = {self.routed.schema(column).input for column in self.routed.columns}
        names: dict[str, str] = {}
        for name in self.routed.tree.schema.input_names:
            other = names.setdefault(self.dialect.key(name), name)
            if other != name and not used.isdisjoint((name, other)):
                raise ExportError(
                    f"columns {other!r} and {name!r} differ in case only, which "
                    f"{self.dialect.name} does not tell apart; rename one of them before fit"
                )

    def answers(self, output: str) -> list[str]:
        routed, dialect = self.routed, self.dialect
        if output == "leaf":
            if self.mix:
                raise ExportError(
                    "output='leaf' cannot find the heaviest of several leaves in SQL; give "
                    "mix=False, which answers NULL for a row that missing values spread"
                )
            return [self._whole(self._route({leaf: str(leaf) for leaf in routed.leaves}))]
        if output == "probability":
            shares = routed.values
            found = []
            for k in range(len(routed.classes)):
                route = self._route({leaf: dialect.number(v[k]) for leaf, v in shares.items()})
                mixed = mixed_value(routed, dialect, self.tests, k) if self.mix else None
                found.append(self._whole(route, mixed))
            return found
        if not routed.classify:
            numbers = {leaf: dialect.number(v[0]) for leaf, v in routed.values.items()}
            mixed = mixed_value(routed, dialect, self.tests, 0) if self.mix else None
            return [self._whole(self._route(numbers), mixed)]
        plain_classes(routed.classes, "SQL")
        labels = [dialect.literal(label, "class") for label in routed.classes]
        route = self._route({leaf: labels[k] for leaf, k in routed.labels.items()})
        mixed = mixed_label(routed, dialect, self.tests, labels) if self.mix else None
        return [self._whole(route, mixed)]

    def _whole(self, route: str, mixed: str | None = None) -> str:
        text = route if mixed is None else f"COALESCE(\n{route},\n{mixed})"
        if self.routed.tree.unseen != "error":
            return text
        odd = [self.tests.unseen(j) for j in self.routed.columns if self.tests.has_levels(j)]
        return f"CASE WHEN {join(odd, 'OR')} THEN NULL ELSE\n{text}\nEND" if odd else text

    def _route(self, answer: dict[int, str]) -> str:
        """The nested CASE: the answer of a row's leaf, or NULL if the row spreads."""
        return self._path(0, answer, {}, "")

    def _path(
        self, node: int, answer: dict[int, str], possible: dict[int, frozenset[int]], indent: str
    ) -> str:
        """Follow the heaviest branches from a node; calls nest at most log2(leaves) deep."""
        lines, inner = [], indent + "  "
        possible = dict(possible)
        while node in self.routed.splits:
            split = self.routed.splits[node]
            heavy, light = self.routed.heavy_first(split)
            can_be = possible.get(split.column, self.routed.all_values(split.column))
            for branch in [None, *light] if split.threshold is not None else [*light, None]:
                test = self.tests.route(split, branch, heavy, can_be)
                if test is None:
                    continue
                then = "NULL"
                if branch is not None:
                    below = possible | {split.column: split.after(branch, can_be)}
                    then = self._path(split.children[branch], answer, below, inner)
                lines.append(f"{inner}WHEN {test} THEN {then}")
            possible[split.column] = split.after(heavy, can_be)
            node = split.children[heavy]
        if not lines:
            return answer[node]
        body = "\n".join(lines)
        return f"CASE\n{body}\n{inner}ELSE {answer[node]}\n{indent}END"
