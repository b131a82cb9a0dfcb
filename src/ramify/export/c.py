"""A tree as C source: one file of C99 that needs no library."""

from __future__ import annotations

import math
import os
import re
from typing import Any

from ramify.export.refusals import ExportError, exact_number, plain_levels
from ramify.export.routing import RoutedTree, Split, route
from ramify.export.source_text import one_line, write
from ramify.export.text_forms import text_form_lines

_DEEPEST_STACK = 50_000  # entries of sixteen bytes on the stack of the caller

#: What the numbers of dates and times are.
_UNITS = {
    "number": "",
    "date": ", days since 1970-01-01",
    "datetime": ", seconds since 1970-01-01 00:00 (UTC if it has a time zone)",
    "time": ", seconds since midnight",
    "duration": ", seconds",
}

_HEAD = """\
/* {title}
 * Made by ramify. C99; do not compile with -ffast-math, which forgets what NaN is.
 *
 * A row is an array of doubles, one per column of the list below. A number is given as it is, NaN
 * if it is missing. Of other columns give the code of the level, which {name}_level (text) or
 * {name}_number_level (numbers) looks up, and {NAME}_MISSING if it is missing.
{text_forms} */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {{ {NAME}_MISSING = -1, {NAME}_UNSEEN = -2 }};

enum {{
{columns}    {NAME}_COLUMNS = {n_columns}
}};
"""

_LOOK_UP = """
/* The code of a level, {NAME}_UNSEEN if training did not have it. */
int {name}_level(int column, const char *text) {{
{texts}    (void)column;
    return text == NULL ? {NAME}_MISSING : {NAME}_UNSEEN;
}}

int {name}_number_level(int column, double value) {{
{numbers}    (void)column;
    return value != value ? {NAME}_MISSING : {NAME}_UNSEEN;
}}
"""

_WALK = """
/* The branch of a row at an inner node; -1: all branches, in proportion. */
static int {name}_branch(int node, const double *x) {{
    (void)x;
    switch (node) {{
{cases}    default: return -1;
    }}
}}

/* Per node: its first child, or minus its place among the leaves, minus one; its proportion. */
static const int {name}_first_child[] = {{{first_child}}};
static const int {name}_n_children[] = {{{n_children}}};
static const double {name}_share[] = {{{share}}};
static const int {name}_leaf[] = {{{leaf}}};
{tables}
typedef struct {{ int node; double share; }} {name}_part;
typedef void {name}_visit(int leaf, double share, void *data);

/* Visits the leaves of a row with its shares; returns whether the row was divided, and -2 if it has
 * a level that it must not have. */
static int {name}_walk(const double *x, {name}_visit *visit, void *data) {{
    {name}_part stack[{stack}];
    int size = 1, divided = 0;
{guard}    stack[0].node = 0;
    stack[0].share = 1.0;
    while (size > 0) {{
        const {name}_part at = stack[--size];
        const int first = {name}_first_child[at.node];
        int branch;
        if (first < 0) {{
            visit(-first - 1, at.share, data);
            continue;
        }}
        branch = {name}_branch(at.node, x);
        if (branch >= 0) {{
            stack[size].node = first + branch;
            stack[size++].share = at.share;
            continue;
        }}
        divided = 1;
        for (branch = {name}_n_children[at.node] - 1; branch >= 0; --branch) {{
            const double share = at.share * {name}_share[first + branch];
            if (share > 0.0) {{
                stack[size].node = first + branch;
                stack[size++].share = share;
            }}
        }}
    }}
    return divided;
}}

static void {name}_largest(int leaf, double share, void *data) {{
    {name}_part *best = ({name}_part *)data;
    const int node = {name}_leaf[leaf];
    if (best->node < 0 || share > best->share || (share == best->share && node < best->node)) {{
        best->node = node;
        best->share = share;
    }}
}}

/* The leaf with the largest share of a row. */
int {name}_apply(const double *x) {{
    {name}_part best = {{-1, 0.0}};
    return {name}_walk(x, {name}_largest, &best) == -2 ? -2 : best.node;
}}
"""

_CLASSES = """
typedef struct {{ int leaf; double shares[{k}]; }} {name}_mixture;

static void {name}_add(int leaf, double share, void *data) {{
    {name}_mixture *mixture = ({name}_mixture *)data;
    int j;
    mixture->leaf = leaf;
    for (j = 0; j < {k}; ++j) mixture->shares[j] += share * {name}_values[leaf][j];
}}

/* The share of each class, in the order of {name}_classes; -2 as below, else 0. */
int {name}_predict_proba(const double *x, double *shares) {{
    {name}_mixture mixture;
    memset(&mixture, 0, sizeof mixture);
    if ({name}_walk(x, {name}_add, &mixture) == -2) return -2;
    memcpy(shares, mixture.shares, sizeof mixture.shares);
    return 0;
}}

/* The position in {name}_classes of the class of least expected cost, the first of equals; -2 if
 * the row has a level that training did not have and the model takes that for an error. */
int {name}_predict(const double *x) {{
    {name}_mixture mixture;
    int divided, j, best = 0;
    double score, best_score = 0.0;
    memset(&mixture, 0, sizeof mixture);
    divided = {name}_walk(x, {name}_add, &mixture);
    if (divided == -2) return -2;
    if (!divided) return {name}_labels[mixture.leaf];
    for (j = 0; j < {k}; ++j) {{
{score}        if (j == 0 || score > best_score) {{
            best = j;
            best_score = score;
        }}
    }}
    return best;
}}
"""

_NUMBERS = """
static void {name}_add(int leaf, double share, void *data) {{
    *(double *)data += share * {name}_values[leaf];
}}

/* The predicted number; NaN if the row has a level that training did not have and the model takes
 * that for an error. */
double {name}_predict(const double *x) {{
    double total = 0.0;
    if ({name}_walk(x, {name}_add, &total) == -2) total = NAN;
    return total;
}}
"""


def to_c(
    model: Any,
    *,
    name: str = "tree",
    path: str | os.PathLike[str] | None = None,
) -> str:
    """Write a tree as C source.

    Parameters
    ----------
    model : fitted estimator or Tree
        What to write.
    name : str, default="tree"
        The beginning of all names in the file.
    path : str or path, optional
        A file to write as well.

    Returns
    -------
    str
        The source, C99 without dependencies. A row is an array of doubles. The file names its
        columns and has functions that look up the codes of levels. ``<name>_predict`` gives the
        position of the class, or the number; ``<name>_apply`` gives the leaf; for classes there is
        ``<name>_predict_proba``.

    Raises
    ------
    ExportError
        If a level is of a type that C cannot compare.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> X = {"colour": ["red", "red", "blue"], "size": [1.0, 2.0, 3.0]}
    >>> text = to_c(TreeClassifier().fit(X, ["no", "no", "yes"]))
    >>> "int tree_predict(const double *x)" in text
    True
    """
    routed = route(model)
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"name={name!r} must be a C identifier: letters, digits and _")
    return write(_Writer(routed, name).text(), path)


class _Writer:
    def __init__(self, routed: RoutedTree, name: str) -> None:
        self.routed = routed
        self.name = name
        self.names = {"name": name, "NAME": name.upper()}
        self.place = {column: i for i, column in enumerate(routed.columns)}

    def text(self) -> str:
        routed = self.routed
        title = one_line(f"A decision tree for {routed.tree.target}.")
        columns = "".join(self._column(j) for j in routed.columns)
        head = _HEAD.format(
            title=title,
            text_forms="".join(f" * {line}\n" for line in text_form_lines(routed, dates=False)),
            columns=columns,
            n_columns=len(routed.columns),
            **self.names,
        )
        texts, numbers = self._look_ups()
        head += _LOOK_UP.format(texts=texts, numbers=numbers, **self.names)
        return head + self._walk() + self._predict()

    def _column(self, column: int) -> str:
        about = self.routed.schema(column)
        word = re.sub(r"[^A-Za-z0-9_]", "_", about.name)[:40]
        levels = "" if about.kind == "numeric" else f", {len(about.levels)} levels"
        if about.form is not None and about.kind == "numeric":
            levels += _UNITS[about.form.kind]
        return (
            f"    {self.name.upper()}_{self.place[column]}_{word} = {self.place[column]}, "
            f"/* {one_line(about.name)}: {about.kind}{levels} */\n"
        )

    def _look_ups(self) -> tuple[str, str]:
        texts, numbers = "", ""
        for column in self.routed.columns:
            about = self.routed.schema(column)
            if about.kind == "numeric":
                continue
            levels = plain_levels(about, "C", (str, int, float, bool))
            where = f"column == {self.place[column]} &&"
            for code, level in enumerate(levels):
                if about.pooled and code == len(levels) - 1:
                    texts += f"    if ({where} text != NULL) return {code};\n"
                    numbers += f"    if ({where} value == value) return {code};\n"
                elif isinstance(level, str):
                    texts += (
                        f"    if ({where} text != NULL && strcmp(text, {_string(level)}) == 0) "
                        f"return {code};\n"
                    )
                else:
                    assert isinstance(level, (bool, int, float))
                    number = _number(exact_number(level, "C"))
                    numbers += f"    if ({where} value == {number}) return {code};\n"
        return texts, numbers

    def _case(self, split: Split) -> str:
        x = f"x[{self.place[split.column]}]"
        comment = f"    /* {one_line(self.routed.describe(split))} */\n"
        missing, unknown = (-1 if b is None else b for b in (split.missing_to, split.unknown_to))
        if split.threshold is not None:
            test = f"{x} <= {_number(split.threshold)} ? 0 : 1"
            return f"{comment}    case {split.node}: return {x} != {x} ? {missing} : {test};\n"
        code = f"{x} != {x} ? {self.name.upper()}_MISSING : (int){x}"
        lines = [f"    case {split.node}: switch ({code}) {{\n"]
        sets = [*enumerate(split.levels), (missing, (-1,))]
        for branch, codes in sets:
            if codes:
                lines.append(f"        {_cases(codes)} return {branch};\n")
        return comment + "".join(lines) + f"        default: return {unknown};\n        }}\n"

    def _walk(self) -> str:
        routed = self.routed
        nodes = range(routed.tree.n_nodes)
        leaf_at = {leaf: i for i, leaf in enumerate(routed.leaves)}
        first = [
            routed.splits[i].children[0] if i in routed.splits else -1 - leaf_at[i] for i in nodes
        ]
        count = [len(routed.splits[i].children) if i in routed.splits else 0 for i in nodes]
        guard = ""
        if routed.tree.unseen == "error":
            for column in routed.columns:
                if routed.schema(column).kind != "numeric":
                    place = f"x[{self.place[column]}]"
                    guard += f"    if ({place} == {self.name.upper()}_UNSEEN) return -2;\n"
        return _WALK.format(
            cases="".join(self._case(split) for split in routed.splits.values()),
            first_child=_list(first),
            n_children=_list(count),
            share=_list(routed.tree.data["proportion"].tolist()),
            leaf=_list(routed.leaves),
            tables=self._tables(),
            stack=self._stack(),
            guard=guard,
            **self.names,
        )

    def _stack(self) -> int:
        waiting, most = {0: 1}, 1
        for split in self.routed.splits.values():
            below = waiting[split.node] + len(split.children) - 1
            most = max(most, below)
            waiting |= dict.fromkeys(split.children, below)
        if most > _DEEPEST_STACK:
            raise ExportError(
                f"a walk down this tree may keep {most} nodes waiting, too many for the stack of a "
                "C program; prune the tree, or limit it with max_depth"
            )
        return most

    def _tables(self) -> str:
        routed, name = self.routed, self.name
        if not routed.classify:
            values = [_number(routed.values[leaf][0]) for leaf in routed.leaves]
            return f"static const double {name}_values[] = {{{', '.join(values)}}};\n"
        k = len(routed.classes)
        rows = ",\n".join(f"    {{{_list(routed.values[leaf])}}}" for leaf in routed.leaves)
        words = ",\n".join(f"    {_string(str(label))}" for label in routed.classes)
        text = f"static const double {name}_values[][{k}] = {{\n{rows}\n}};\n"
        labels = _list([routed.labels[leaf] for leaf in routed.leaves])
        text += f"static const int {name}_labels[] = {{{labels}}};\n"
        if routed.costs is not None:
            rows = ",\n".join(f"    {{{_list(row)}}}" for row in routed.costs)
            text += f"static const double {name}_costs[][{k}] = {{\n{rows}\n}};\n"
        text += "\n/* The classes, as text. */\n"
        return text + f"const char *const {name}_classes[] = {{\n{words}\n}};\n"

    def _predict(self) -> str:
        if not self.routed.classify:
            return _NUMBERS.format(**self.names)
        k = len(self.routed.classes)
        score = "        score = mixture.shares[j];\n"
        if self.routed.costs is not None:
            score = (
                "        int t;\n        score = 0.0;\n"
                f"        for (t = 0; t < {k}; ++t) "
                f"score -= mixture.shares[t] * {self.name}_costs[t][j];\n"
            )
        return _CLASSES.format(k=k, score=score, **self.names)


def _cases(codes: tuple[int, ...]) -> str:
    return " ".join(f"case {code}:" for code in codes)


def _list(values: Any) -> str:
    return ", ".join(map(repr, values))


def _number(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "INFINITY" if value > 0 else "-INFINITY"


def _string(text: str) -> str:
    r"""A string literal.

    Examples
    --------
    >>> print(_string('a"b\n*/ é'))
    "a\"b\012*/ \303\251"
    """
    if "\0" in text:
        raise ExportError(f"{text!r} holds a zero byte, which ends a string in C")
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raise ExportError(f"{text!r} is no valid Unicode text and cannot be written") from None
    shown = (
        f"\\{byte:03o}"
        if byte < 32 or byte > 126
        else f"\\{chr(byte)}"
        if chr(byte) in '"\\?'
        else chr(byte)
        for byte in raw
    )
    return f'"{"".join(shown)}"'
