"""The options that several commands share, each declared once.

An option is declared as ``name: Annotated[type, "help"] = default``, or with a `typer.Option` in
place of the help. A group is a dataclass whose fields are options. A command with a parameter of
that type has these options, and gets the group as one object. `PANEL` is the heading of a group in
the help of the command.
"""

from __future__ import annotations

import inspect
import os
import re
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import EnumType
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args, get_type_hints

import typer
from typer.models import OptionInfo

from ramify.steps.task import Task

# Characters that bash would not take as part of a word.
_ODD = re.compile(r"([^\w.,:=@%+/-])")
# What typer's script for zsh drops from a word or, after a backslash, runs as a command.
_UNSAFE_IN_ZSH = re.compile(r"""['"\\]|\s\s|^\s|\s$""")

#: The headings of the options in the help of a command.
TARGET, TREE, CLASSES, SCORE, COLUMNS, FILES, OUTPUT = (
    "The target",
    "How the tree is grown",
    "Classes of unequal weight",
    "The score",
    "Columns",
    "How the file is written",
    "Output",
)


def complete_column(incomplete: str) -> list[str]:
    """Complete a column name from the first table among the words that were typed."""
    from ramify.datasets import read_column_names

    # Not from the parsed arguments: the parser gives up at an option without its value.
    bash = os.environ.get("COMP_WORDS")
    typed = bash or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    for word in map(os.path.expanduser, split_typed(typed)):
        if not os.path.isfile(word):
            continue
        try:
            names = read_column_names(word)
        except Exception:  # completion must not print anything
            continue
        found = [name for name in names if name.startswith(incomplete) and name.isprintable()]
        if os.environ.get("_RAMIFY_COMPLETE") == "complete_zsh":
            return [name for name in found if not _UNSAFE_IN_ZSH.search(name)]
        return [_ODD.sub(r"\\\1", name) for name in found] if bash else found
    return []


def split_typed(typed: str) -> list[str]:
    """Split what was typed into words; the last may have a quote that is not closed."""
    words = shlex.shlex(typed, posix=True)
    words.whitespace_split, words.commenters = True, ""
    found: list[str] = []
    with suppress(ValueError):
        found.extend(words)  # it ends with an error at an open quote
    return found


def option(help: str, *flags: str, panel: str | None = None, **more: Any) -> Any:
    """Declare an option under a heading of the help."""
    return typer.Option(*flags, help=help, rich_help_panel=panel, **more)


TableFile = Annotated[
    Path,
    typer.Argument(
        help="A table: .csv, .tsv, .xlsx, .jsonl, .parquet or .arff. Text files may end in .gz.",
        metavar="FILE",
    ),
]
ModelFile = Annotated[Path, typer.Argument(help="A model that fit --model saved.", metavar="MODEL")]
OutputFile = Annotated[
    Path | None, option("Write to this file. Without it, the text is printed.", panel=OUTPUT)
]
Target = Annotated[
    str | None,
    option(
        "The column to predict. You are asked if it is not given.",
        panel=TARGET,
        autocompletion=complete_column,
    ),
]
TaskOption = Annotated[Task, option("What the target is; auto finds out.", panel=TARGET)]
Folds = Annotated[
    int | None,
    option(
        "Folds of the cross-validation; 0 for no score. Default: 10, or one held-out fifth of "
        "more than 50,000 rows.",
        panel=SCORE,
        min=0,
    ),
]
ShowDepth = Annotated[int | None, option("Print the tree down to this depth.", panel=OUTPUT, min=0)]
Json = Annotated[bool, option("Print JSON instead of text.", "--json", panel=OUTPUT)]
Jobs = Annotated[int, option("Number of threads; -1 for all.", panel=OUTPUT)]
KeepFormulas = Annotated[
    bool,
    option(
        "Write text that a spreadsheet would run as a formula without an apostrophe before it.",
        "--keep-formulas",
        panel=OUTPUT,
    ),
]


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns of a table are used, and as what."""

    PANEL: ClassVar = COLUMNS

    ignore: Annotated[
        list[str] | None,
        option(
            "Leave this column out. Repeat it for more columns.",
            panel=COLUMNS,
            autocompletion=complete_column,
        ),
    ] = None
    nominal: Annotated[
        list[str] | None,
        option(
            "Read this column as text, not as numbers or dates. Repeat it for more columns.",
            panel=COLUMNS,
            autocompletion=complete_column,
        ),
    ] = None
    numeric: Annotated[
        list[str] | None,
        option(
            "Read this column as numbers, also if they look like 007. Repeat it for more columns.",
            panel=COLUMNS,
            autocompletion=complete_column,
        ),
    ] = None


@dataclass(frozen=True)
class GrowingColumnOptions(ColumnOptions):
    """Which columns a tree is grown from, and what it may ask about them."""

    use: Annotated[
        list[str] | None,
        option(
            "Use this column although it looks like an identifier. Repeat it for more columns.",
            panel=COLUMNS,
            autocompletion=complete_column,
        ),
    ] = None
    min_level_count: Annotated[
        int | None,
        option(
            "Categories with fewer rows than this are pooled as (other); 1 for none. Default: "
            "rare categories are pooled where they would mislead.",
            panel=COLUMNS,
            min=0,
        ),
    ] = None
    date_parts: Annotated[
        str | None,
        option(
            "Parts of dates that the tree may ask about: auto, none, or some of month, weekday, "
            "day and hour with commas.",
            panel=COLUMNS,
        ),
    ] = None


@dataclass(frozen=True)
class ClassOptions:
    """What classes count for, and what wrong answers cost."""

    PANEL: ClassVar = CLASSES

    class_weight: Annotated[
        str | None,
        "balanced (every class counts the same), weights like yes=5,no=1, or a CSV file with a "
        "class and its weight in each row.",
    ] = None
    costs: Annotated[
        Path | None,
        "What a wrong answer costs where a class is true, like yes=5,no=1; or a CSV file with the "
        "cost of every answer: the true classes in its first column, the predicted classes in its "
        "first row.",
    ] = None


@dataclass(frozen=True)
class FileOptions:
    """How table files are written."""

    PANEL: ClassVar = FILES

    delimiter: Annotated[
        str | None, "The sign between the cells of a CSV file. Default: found in the file."
    ] = None
    decimal: Annotated[
        str | None, "The decimal sign of a CSV file: . or , Default: found in each column."
    ] = None
    encoding: Annotated[
        str | None, "The encoding of a text file, such as latin-1. Default: found in the file."
    ] = None
    na: Annotated[
        list[str] | None,
        option(
            "A CSV cell that means missing. Repeat the option for more; they replace the usual "
            "(empty, NA, ? ...).",
            panel=FILES,
            metavar="TEXT",
        ),
    ] = None
    no_header: Annotated[
        bool, option("The file has no row of names.", "--no-header", panel=FILES)
    ] = False
    sheet: Annotated[str | None, "The sheet of an Excel file. Default: the first."] = None

    def beside(self, file: Path, other: Path | None) -> FileOptions:
        """Give what holds for a file: a sheet may be that of the other file alone."""
        sheets = (".xlsx", ".xlsm")
        if other is None or file.suffix.lower() in sheets or other.suffix.lower() not in sheets:
            return self
        return replace(self, sheet=None)

    def for_names(self) -> dict[str, Any]:
        """Give what finds the columns of a file, as the readers take it."""
        return {
            "delimiter": "\t" if self.delimiter == "\\t" else self.delimiter,
            "encoding": self.encoding,
            "header": not self.no_header,
            "sheet": self.sheet,
            "rename_duplicates": True,
        }

    def for_rows(self) -> dict[str, Any]:
        """Give all of it, as the readers take it."""
        from ramify.datasets import MISSING_CELLS

        missing = MISSING_CELLS if self.na is None else self.na
        # Where it is not given, the reader finds columns with the other sign.
        return {**self.for_names(), "decimal": self.decimal or ".", "missing": missing}


def expand(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command of a function: its options as typer takes them, those of groups in place."""
    own = inspect.signature(function, eval_str=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in own.parameters.values():
        if is_dataclass(parameter.annotation):
            groups[parameter.name] = parameter.annotation
            parameters += _options_of(parameter.annotation)
        else:
            kind = _declared(parameter.annotation)
            parameters.append(parameter.replace(annotation=kind))

    def command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in fields(group)})
        function(**given)

    command.__doc__ = _paragraphs(function.__doc__ or "")
    command.__name__ = function.__name__
    vars(command)["__signature__"] = own.replace(parameters=parameters)
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _options_of(group: Any) -> list[inspect.Parameter]:
    kinds = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=_declared(kinds[one.name], getattr(group, "PANEL", None)),
            default=one.default,
        )
        for one in fields(group)
    ]


def _declared(annotation: Any, panel: str | None = None) -> Any:
    """Give an annotation as typer takes it: a text beside the type is the help of an option."""
    kind, *said = get_args(annotation) or (annotation,)
    if not said or not get_args(annotation) or isinstance(said[0], type):
        return annotation  # no option, or a type like list[str]
    declared = option(said[0], panel=panel) if isinstance(said[0], str) else said[0]
    if declared.metavar is None and isinstance(declared, OptionInfo):
        declared = copy(declared)
        declared.metavar = _word(kind)
        if choices := _choices(kind):
            declared.help = f"{declared.help} Choices: {', '.join(choices)}."
    return Annotated[kind, declared]


def _choices(kind: Any) -> list[str]:
    """Give the words that an option may be; none if it may be anything."""
    types: list[Any] = [one for one in get_args(kind) or (kind,) if isinstance(one, EnumType)]
    return [str(one) for one in types[0]] if types else []


def _word(kind: Any) -> str | None:
    """Give the word that stands for the value of an option in the help."""
    words = {bool: "", int: "N", float: "NUMBER", str: "TEXT", Path: "FILE", list[str]: "COLUMN"}
    plain = [one for one in get_args(kind) or (kind,) if one is not type(None)]
    return words.get(kind if kind in words else plain[0], "NAME")


def _paragraphs(text: str) -> str:
    """Give a text with one line for each paragraph; the help wraps them."""
    return "\n\n".join(" ".join(one.split()) for one in text.split("\n\n"))


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the options that were set."""
    return {name: value for name, value in options.items() if value is not None}
