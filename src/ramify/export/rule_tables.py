"""The rules of a tree as text, Markdown, data frame or CSV."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable
from typing import Any

from ramify.export.refusals import tree_of
from ramify.export.source_text import write
from ramify.support.csv_rows import FORMULA
from ramify.tables.frame import make_frame
from ramify.tree.rules import Rule, rule_answer, tree_to_rules
from ramify.tree.words import percent


def rules_to_text(model: Any, *, path: str | os.PathLike[str] | None = None, **options: Any) -> str:
    """Write the rules of a tree, one per line.

    Parameters
    ----------
    model : fitted estimator, Tree or iterable of Rule
        What to write.
    path : str or path, optional
        A file to write as well.
    **options
        Those of :func:`tree_to_rules`: `min_support`, `min_confidence`, `order`, `max_levels`,
        `precision`.

    Returns
    -------
    str

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"]}
    >>> print(rules_to_text(TreeClassifier().fit(X, ["no", "no", "yes"])))
    if colour = blue then yes (1 row, 100 %)
    if colour = red then no (2 rows, 100 %)
    """
    return write("\n".join(map(str, _rules(model, options))), path)


def rules_to_markdown(
    model: Any, *, path: str | os.PathLike[str] | None = None, **options: Any
) -> str:
    """Write the rules of a tree as a table of Markdown.

    Parameters
    ----------
    model, path, **options
        As in :func:`rules_to_text`.

    Returns
    -------
    str

    Examples
    --------
    >>> rules = [Rule(("colour = blue",), "yes", 0.9, 20, 20.0, 1 / 3, 1)]
    >>> print(rules_to_markdown(rules))
    | if | then | confidence | rows | coverage |
    |---|---|---:|---:|---:|
    | colour = blue | yes | 90 % | 20 | 33 % |
    """
    rules = _rules(model, options)
    numbers = any(rule.confidence is None for rule in rules)
    lines = [
        f"| if | then | {'spread' if numbers else 'confidence'} | rows | coverage |",
        "|---|---|---:|---:|---:|",
    ]
    for rule in rules:
        cells = [_condition(rule), *rule_answer(rule)]
        cells += [rule.rows.rpartition(" ")[0], percent(rule.coverage)]
        lines.append("| " + " | ".join(map(_markdown, cells)) + " |")
    return write("\n".join(lines), path)


def rules_to_frame(model: Any, *, backend: str | None = None, **options: Any) -> Any:
    """Give the rules of a tree as a data frame, one row per rule.

    Parameters
    ----------
    model, **options
        As in :func:`rules_to_text`.
    backend : {"pandas", "polars", "pyarrow"}, optional
        The library of the data frame; None takes the first that is installed, or a dict of lists
        if there is none.

    Returns
    -------
    data frame
        With the columns condition, prediction, confidence (or spread), rows, weight, coverage and
        leaf.
    """
    return make_frame(_columns(_rules(model, options)), backend=backend)


def rules_to_csv(
    model: Any,
    *,
    delimiter: str = ",",
    decimal: str = ".",
    path: str | os.PathLike[str] | None = None,
    **options: Any,
) -> str:
    """Write the rules of a tree as CSV that Excel reads correctly.

    It begins with a byte order mark, which tells Excel that it is UTF-8. A text that Excel would
    take for a formula (it begins with =, +, - or @) has an apostrophe before it.

    Parameters
    ----------
    model, path, **options
        As in :func:`rules_to_text`.
    delimiter : {",", ";", "tab"}, default=","
        What stands between cells; Excel expects ";" where the decimal mark is a comma.
    decimal : {".", ","}, default="."
        The decimal mark.

    Returns
    -------
    str
        Lines end with CR LF.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"]}
    >>> clf = TreeClassifier().fit(X, ["no", "no", "yes"])
    >>> rules_to_csv(clf, delimiter=";").splitlines()[1]
    'colour = blue;yes;1.0;1;1.0;0.3333333333333333;1'
    """
    marks = {",": ",", ";": ";", "tab": "\t", "\t": "\t"}
    if delimiter not in marks:
        raise ValueError(f"delimiter={delimiter!r} is not valid; choose from ',', ';', 'tab'")
    if decimal not in (".", ","):
        raise ValueError(f"decimal={decimal!r} is not valid; choose from '.', ','")
    if decimal == "," and delimiter == ",":
        raise ValueError("decimal=',' needs another delimiter: choose from ';', 'tab'")
    columns = _columns(_rules(model, options))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=marks[delimiter], lineterminator="\r\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow([_cell(value, decimal) for value in row])
    return write("\ufeff" + stream.getvalue(), path)


def _rules(model: Any, options: dict[str, Any]) -> list[Rule]:
    if isinstance(model, Iterable) and not hasattr(model, "tree_"):
        rules = list(model)
        if rules and all(isinstance(rule, Rule) for rule in rules):
            if options:
                raise TypeError(f"options need a tree, and rules were given: {sorted(options)}")
            return rules
    return tree_to_rules(tree_of(model, abstains=True), **options)


def _condition(rule: Rule) -> str:
    return " and ".join(rule.conditions) or "always"


def _columns(rules: list[Rule]) -> dict[str, list[Any]]:
    labels = [rule.label for rule in rules]
    if len({type(label) for label in labels if label is not None}) > 1:  # None: it abstains
        labels = [None if label is None else str(label) for label in labels]
    numbers = any(rule.confidence is None for rule in rules)
    return {
        "condition": [_condition(rule) for rule in rules],
        "prediction": labels,
        **(
            {"spread": [rule.spread for rule in rules]}
            if numbers
            else {"confidence": [rule.confidence for rule in rules]}
        ),
        "rows": [rule.support for rule in rules],
        "weight": [rule.weight for rule in rules],
        "coverage": [rule.coverage for rule in rules],
        "leaf": [rule.leaf for rule in rules],
    }


def _markdown(cell: str) -> str:
    """A cell on one line, escaped: it is text, not a table, code, a link or HTML."""
    shown = "".join(f"\\{c}" if c in "\\|`*_[]<>#~$" else c for c in cell)
    return " ".join(shown.splitlines())


def _cell(value: Any, decimal: str) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA) else value
    text = "" if value is None else str(value)
    return text.replace(".", decimal) if isinstance(value, float) else text
