"""A tree as Python source that needs nothing but Python."""

from __future__ import annotations

import math
import os
from typing import Any

from ramify.export.refusals import ExportError, plain_classes, plain_levels
from ramify.export.routing import RoutedTree, Split, route
from ramify.export.source_text import one_line, write
from ramify.export.text_forms import text_form_lines
from ramify.tables import ColumnSchema
from ramify.tables.levels import OTHER

_TYPES = (str, int, float, bool, bytes)

_HEAD = '''\
"""{title}

predict(row) gives its answer for a row,{proba} apply(row) the leaf.
A row is a dict from column to cell; None, NaN and columns left out are missing.
Made by ramify. Needs Python 3.9, and no package.{text_forms}
"""

MISSING, UNKNOWN = object(), object()

# Per column: its levels, or None if it holds numbers.
COLUMNS = {{
{columns}}}

# Per inner node: column, threshold or branch by level, branch of a missing value and of an unknown
# level (None: all branches in proportion), children, their proportions.
NODES = {{
{nodes}}}

# Per leaf: {leaf_says}.
LEAVES = {{
{leaves}}}
'''

_WALK = '''

def cells_of(row):
    """Give the cells that the tree asks for, checked."""
    cells = {{}}
    for column, levels in COLUMNS.items():
        cell = {cell}
        if cell is None or cell != cell:
            cell = MISSING
        elif levels is None:
            if isinstance(cell, (str, bytes)):
                raise TypeError("column %r needs a number, not %r" % (column, cell))
            cell = float(cell)
        elif cell not in levels:
            {pooled}{unseen}
        cells[column] = cell
    return cells


def leaves_of(row):
    """Give the leaves of a row, each with its share of the row, and whether it was divided."""
    cells, ends, stack, divided = cells_of(row), [], [(0, 1.0)], False
    while stack:
        node, share = stack.pop()
        if node not in NODES:
            ends.append((node, share))
            continue
        column, test, missing_to, unknown_to, children, shares = NODES[node]
        cell = cells[column]
        if cell is MISSING:
            branch = missing_to
        elif isinstance(test, float):
            branch = 0 if cell <= test else 1
        else:
            branch = test.get(cell, unknown_to)
        if branch is not None:
            stack.append((children[branch], share))
            continue
        divided = True
        for child, part in reversed(list(zip(children, shares))):
            if share * part > 0.0:
                stack.append((child, share * part))
    return ends, divided


def apply(row):
    """Give the leaf with the largest share of a row, the first of equals."""
    return min(leaves_of(row)[0], key=lambda end: (-end[1], end[0]))[0]
'''

_TIMES = '''
import datetime

# Per column of dates and times: the column of the row, what it holds, its time zone, the part of
# the date that is asked for and the names of the parts.
TIMES = {{
{read}}}
EPOCH = datetime.datetime(1970, 1, 1)


def time_of(row, column):
    """Give a date, time or duration, or text in ISO 8601, as the number or part that is asked."""
    name, kind, zone, part, names = TIMES[column]
    cell = row.get(name)
    if cell is None or cell != cell:
        return None
    if kind == "duration":
        return cell.total_seconds() if isinstance(cell, datetime.timedelta) else float(cell)
    if kind == "time":
        cell = datetime.time.fromisoformat(cell) if isinstance(cell, str) else cell
        return cell.hour * 3600 + cell.minute * 60 + cell.second + cell.microsecond / 1e6
    if isinstance(cell, str):
        cell = datetime.datetime.fromisoformat(cell)
    elif not isinstance(cell, datetime.datetime):
        cell = datetime.datetime(cell.year, cell.month, cell.day)
    if kind == "date":
        days = (cell.replace(tzinfo=None) - EPOCH).days
        moment = cell
    else:
        moment = cell
        if zone:
            cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
            moment = moment.astimezone(zone_of(zone))
        days = (cell - EPOCH) / datetime.timedelta(seconds=1)
    if part is None:
        return float(days)
    place = {{
        "month": moment.month - 1,
        "weekday": moment.weekday(),
        "day": moment.day - 1,
        "hour": moment.hour,
    }}
    return names[place[part]]


def zone_of(name):
    """Give a time zone by its name, or by its difference to UTC."""
    if name == "UTC":
        return datetime.timezone.utc
    if name[0] in "+-":
        return datetime.datetime.fromisoformat("2000-01-01T00:00:00" + name).tzinfo
    import zoneinfo

    return zoneinfo.ZoneInfo(name)
'''

_CLASSES = '''

CLASSES = {classes}
COSTS = {costs}


def predict_proba(row):
    """Give the share of each class, in the order of CLASSES."""
    mixed = [0.0] * len(CLASSES)
    for leaf, share in leaves_of(row)[0]:
        mixed = [total + share * part for total, part in zip(mixed, LEAVES[leaf][1])]
    return mixed


def predict(row):
    """Give the class of least expected cost, the first of equals."""
    ends, divided = leaves_of(row)
    if not divided:
        return LEAVES[ends[0][0]][0]
    scores = shares = predict_proba(row)
    if COSTS is not None:
        scores = [0.0] * len(CLASSES)
        for share, costs in zip(shares, COSTS):
            scores = [score - share * cost for score, cost in zip(scores, costs)]
    return CLASSES[scores.index(max(scores))]
'''

_NUMBERS = '''

def predict(row):
    """Give the predicted number."""
    total = 0.0
    for leaf, share in leaves_of(row)[0]:
        total += share * LEAVES[leaf]
    return total
'''


def to_python(model: Any, *, path: str | os.PathLike[str] | None = None) -> str:
    """Write a tree as a Python module that needs nothing but Python.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    str
        The source. Its functions ``predict``, ``apply`` and, for classes, ``predict_proba`` take
        one row, a dict from column to cell.

    Raises
    ------
    ExportError
        If a level or a class is of a type that source text cannot hold.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"], "size": [1.0, 2.0, 3.0]}
    >>> module = {}
    >>> exec(to_python(TreeClassifier().fit(X, ["no", "no", "yes"])), module)
    >>> module["predict"]({"colour": "blue"})
    'yes'
    """
    routed = route(model)
    says = "the predicted class, the shares of the classes" if routed.classify else "the number"
    columns = "".join(
        f"    {routed.schema(j).name!r}: {_levels(routed, j)},\n" for j in routed.columns
    )
    text = _HEAD.format(
        title=_docstring(f"A decision tree for {routed.tree.target}."),
        text_forms="".join(f"\n{_docstring(line)}" for line in text_form_lines(routed)),
        proba=" predict_proba(row) the shares of the classes," if routed.classify else "",
        columns=columns,
        nodes="".join(_node(routed, split) for split in routed.splits.values()),
        leaf_says=says,
        leaves="".join(_leaf(routed, leaf) for leaf in routed.leaves),
    )
    unseen = (
        'raise ValueError("column %r holds the level %r, unseen in training" % (column, cell))'
        if routed.tree.unseen == "error"
        else "cell = UNKNOWN"
    )
    times = [j for j in routed.columns if _is_time(routed.schema(j))]
    if times:
        read = "".join(f"    {routed.schema(j).name!r}: {_reading(routed, j)},\n" for j in times)
        text += _TIMES.format(read=read)
    pooled = sorted(routed.schema(j).name for j in routed.columns if routed.schema(j).pooled)
    text += _WALK.format(
        unseen=unseen,
        cell="time_of(row, column) if column in TIMES else row.get(column)"
        if times
        else "row.get(column)",
        pooled=f"cell = {OTHER!r} if column in {pooled!r} else UNKNOWN\n            if cell is "
        "UNKNOWN:\n                "
        if pooled
        else "",
    )
    if routed.classify:
        classes = [_literal(one, "class") for one in plain_classes(routed.classes, "Python source")]
        text += _CLASSES.format(classes=f"[{', '.join(classes)}]", costs=repr(routed.costs))
    else:
        text += _NUMBERS
    return write(text, path)


def _is_time(about: ColumnSchema) -> bool:
    return about.form is not None and about.form.is_time


def _reading(routed: RoutedTree, column: int) -> str:
    about = routed.schema(column)
    assert about.form is not None
    levels = None if about.part is None else list(about.levels)
    return repr((about.input, about.form.kind, about.form.zone, about.part, levels))


def _docstring(text: str) -> str:
    return one_line(text).replace('"', "'")


def _levels(routed: RoutedTree, column: int) -> str:
    about = routed.schema(column)
    if about.kind == "numeric":
        return "None"
    levels = plain_levels(about, "Python source", _TYPES)
    if not levels:
        return "frozenset()"
    return f"{{{', '.join(_literal(level, about.name) for level in levels)}}}"


def _node(routed: RoutedTree, split: Split) -> str:
    about = routed.schema(split.column)
    test = _number(split.threshold) if split.threshold is not None else _branches(about, split)
    return (
        f"    # {one_line(routed.describe(split))}\n"
        f"    {split.node}: ({about.name!r}, {test}, {split.missing_to}, {split.unknown_to}, "
        f"{split.children}, {split.shares}),\n"
    )


def _branches(about: ColumnSchema, split: Split) -> str:
    pairs = (
        f"{_literal(about.levels[code], about.name)}: {branch}"
        for branch, codes in enumerate(split.levels)
        for code in codes
    )
    return f"{{{', '.join(pairs)}}}"


def _leaf(routed: RoutedTree, leaf: int) -> str:
    values = routed.values[leaf]
    if not routed.classify:
        return f"    {leaf}: {_number(values[0])},\n"
    label = _literal(routed.classes[routed.labels[leaf]], "class")
    return f"    {leaf}: ({label}, {values!r}),\n"


def _literal(value: Any, place: str) -> str:
    if isinstance(value, float):
        return _number(value)
    text = repr(value)
    if isinstance(value, str):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ExportError(
                f"{place!r}: {value!r} is no valid Unicode text and cannot be written to a file"
            ) from None
    return text


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'
