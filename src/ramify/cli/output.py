"""What the command line prints: trees in colour, progress, JSON."""

from __future__ import annotations

import datetime
import json
import math
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ramify.cli.folding import fold_command
from ramify.datasets import Dataset
from ramify.learning.progress import Progress, progress
from ramify.tree.words import LEAST_WIDTH, count_rows

_COLOURS = ("green", "magenta", "yellow", "blue", "red", "cyan")
# Above this many leaves only the top of a tree is printed, unless a depth is asked for.
_MANY_LEAVES = 40
_TOP = 3
# Spaces at which no line ends: those of 5 % and 80 % ± 3.
_TOGETHER = re.compile(r"(?<=\d) (?=[%±])|(?<=[%±]) (?=[±\d])")


def size_line(estimator: Any, n_rows: int | None = None) -> str:
    """Give the size of a tree in one line, and how sure its optimality is."""
    tree = estimator.tree_
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    rows = ""
    if n_rows is not None:
        grown = int(tree.data["rows"][0])  # a pruning may have held out the others
        rows = f", grown from {grown:,} {'' if grown == n_rows else f'of {n_rows:,} '}rows"
    return f"{leaves}, depth {tree.depth:,}{rows}{_proof(estimator)}"


def _proof(estimator: Any) -> str:
    """Say what is proven of a tree that was searched for."""
    proof = estimator.proof(all_thresholds="--features all")
    return "" if proof is None else f"; {proof}"


def is_large(estimator: Any) -> bool:
    """Tell whether a tree is too large to be read as a whole."""
    return bool(estimator.tree_.n_leaves > _MANY_LEAVES)


def print_tree(console: Console, estimator: Any, *, depth: int | None = None) -> None:
    """Print a tree, or its top if it is large."""
    tree = estimator.tree_
    cut = depth is None and is_large(estimator)
    text = tree.to_text(max_depth=_TOP if cut else depth, width=width_of(console))
    console.print(coloured(text.rstrip("\n"), estimator))
    if cut:
        note = (
            f"This is the top of a tree with {tree.n_leaves:,} leaves; --show-depth {tree.depth} "
            "prints all of it."
        )
        print_line(console, note, text_style="dim")


def width_of(console: Console) -> int | None:
    """Give the width of a terminal; None where the output is a file or a pipe."""
    return max(LEAST_WIDTH, console.width) if console.is_terminal else None


def print_next_steps(console: Console, steps: list[tuple[str, str]]) -> None:
    """Print commands to go on with, and what each is for."""
    if not steps:
        return
    console.print(styled(("\nNext", "bold")))
    longest = max(cell_len(command) for command, _ in steps)
    needed = longest + max(cell_len(what) for _, what in steps) + 6
    folded = console.is_terminal and needed > console.width  # all of them, or none
    for command, what in steps:
        if folded:
            print_line(console, f"  {what}:")
            for line in fold_command(command, console.width):
                console.print(styled((line, "cyan")))
        else:
            gap = " " * (longest - cell_len(command))
            console.print(styled((f"  {command}", "cyan"), f"{gap}  {what}"))


def introduce(console: Console, file: Path, size: str, notes: Sequence[str]) -> None:
    """Print the name and the size of a table, and the notes."""
    print_line(console, f": {size}", mark=str(file), style="bold")
    for note in notes:
        print_line(console, note, mark="- ")


def print_line(
    console: Console, text: str, *, mark: str = "", style: str = "dim", text_style: str = ""
) -> None:
    """Print a line after a mark; on a terminal, words that do not fit go to the next line."""
    first, *rest = _folded(console, text, mark, "  ")
    console.print(styled((first[: len(mark)], style), (first[len(mark) :], text_style)))
    for line in rest:
        console.print(styled((line, text_style)))


def print_rules(console: Console, rules: Iterable[Any], estimator: Any, indent: str = "") -> None:
    """Print rules in colour; on a terminal, words that do not fit go to the next line."""
    for rule in rules:
        for line in _folded(console, str(rule), indent, f"{indent}    "):
            console.print(coloured(line, estimator))


def _folded(console: Console, text: str, first: str, rest: str) -> list[str]:
    """Give a text in lines that fit the terminal, after `first` and `rest`; else in one line."""
    width = width_of(console)
    if width is None:
        return [f"{first}{text}"]
    words = textwrap.TextWrapper(
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    kept = _TOGETHER.sub("\u00a0", text)
    return [line.replace("\u00a0", " ") for line in words.wrap(kept)] or [first]


#: What the table of sizes is reduced to, step by step, until it fits: digits, and columns left out.
_REDUCED: tuple[tuple[int, tuple[str, ...]], ...] = (
    (6, ()),
    (4, ()),
    (3, ()),
    (3, ("training_error",)),
    (3, ("training_error", "standard_error")),
)
_SHORT = {"training_error": "training", "standard_error": "SE"}


def sizes_table(path: Any, width: int | None) -> str:
    """Give the trees of a pruning path as a table that fits a width: fewer digits, then columns."""
    text = str(path)
    for digits, left_out in _REDUCED:
        if width is None or max(map(len, text.splitlines())) <= width:
            break
        columns = []
        for name in path.columns:
            if name not in left_out:
                cells = [_short(float(value), digits) for value in path[name]]
                columns.append([_SHORT.get(name, name), *cells])
        wide = [max(map(len, column)) for column in columns]
        rows = [
            "  ".join(cell.rjust(size) for cell, size in zip(cells, wide, strict=True))
            for cells in zip(*columns, strict=True)
        ]
        if path.selected is not None:
            rows[path.selected + 1] += " *"
        text = "\n".join(rows)
    return text


def _short(value: float, digits: int) -> str:
    return f"{value:.0f}" if value.is_integer() else f"{value:.{digits}g}"


def table_line(table: Dataset) -> str:
    """Give the size of a table in one line."""
    kinds = Counter(map(_kind, table.data.values()))
    found = [f"{kinds[kind]:,} {kind}" for kind in ("numeric", "date", "nominal") if kinds[kind]]
    *first, last = found or ["0"]
    columns = "column" if len(table.data) == 1 else "columns"
    target = "" if table.target_name is None else f", target {table.target_name}"
    shown = f"{', '.join(first)} and {last}" if first else last
    return f"{count_rows(table.n_rows)}, {shown} {columns}{target}"


def _kind(column: Any) -> str:
    """Give the kind of a column; a time of the day counts as a date."""
    if column.dtype == object:
        first = next((cell for cell in column if cell is not None), None)
        return "date" if isinstance(first, datetime.time) else "nominal"
    return "date" if column.dtype.kind in "mM" else "numeric"


def coloured(text: str, estimator: Any) -> Text:
    """Colour the attribute names and class labels of a tree or rule."""
    painted = Text(text)
    styles = dict.fromkeys(estimator.schema_.names, "bold")
    labels = [str(label) for label in getattr(estimator, "classes_", ())]
    if len(labels) <= len(_COLOURS):
        styles |= dict(zip(labels, _COLOURS, strict=False))
    for word, style in styles.items():
        painted.highlight_regex(rf"(?<![\w.]){re.escape(word)}(?![\w.])", style)
    return painted


def styled(*parts: tuple[str, str] | str) -> Text:
    """Give a text of (words, style) parts; brackets in it are not markup."""
    return Text.assemble(*parts)


def make_console(*, stderr: bool = False) -> Console:
    """Give a console that neither colours nor wraps by itself."""
    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def is_interactive() -> bool:
    """Tell whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def busy(what: str) -> AbstractContextManager[Progress]:
    """Show that something runs, if someone is looking."""
    return progress(what, shown=None, transient=True)


def bar(what: str) -> AbstractContextManager[Progress]:
    """Show a bar if someone is looking; it is called with the part that is done, 0 to 1."""
    return progress(what, 1.0, shown=None, transient=True)


def print_json(value: Any) -> None:
    """Print a value as JSON; numbers that JSON does not have (NaN, infinity) become null."""
    typer.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
