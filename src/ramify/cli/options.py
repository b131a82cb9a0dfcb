"""The options that several commands share, each declared once.

An option is declared as ``name: Annotated[type, "help"] = default``, or with a `typer.Option` in
place of the help. A group is a dataclass whose fields are options. A command with a parameter of
that type has these options, and gets the group as one object.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer


class Task(StrEnum):
    """What kind of target."""

    auto = "auto"
    classification = "classification"
    regression = "regression"


def _columns_of(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a column name from the file that was typed before it."""
    from ramify.datasets import read_column_names

    try:
        names = read_column_names(context.params["file"])
    except Exception:  # completion must not print anything
        return []
    return [name for name in names if name.startswith(incomplete)]


TableFile = Annotated[Path, typer.Argument(help="CSV, ARFF or Parquet; CSV and ARFF may be .gz.")]
ModelFile = Annotated[Path, typer.Argument(help="A model saved by fit --model.")]
OutputFile = Annotated[Path | None, "File to write; otherwise stdout."]
Target = Annotated[
    str | None,
    typer.Option(help="The column to predict; asked for if not given.", autocompletion=_columns_of),
]
TaskOption = Annotated[Task, "What the target is."]
Folds = Annotated[
    int | None,
    typer.Option(
        min=0, help="Cross-validation folds; 0 for none. Default: 10, or a held-out fifth."
    ),
]
ShowDepth = Annotated[int | None, typer.Option(min=0, help="Print the tree down to this depth.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Jobs = Annotated[int | None, "Threads; -1 for all."]
KeepFormulas = Annotated[
    bool,
    typer.Option(
        "--keep-formulas", help="CSV: no apostrophe before texts that look like formulas."
    ),
]


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns of a table are used, and as what."""

    ignore: Annotated[list[str] | None, "Leave this column out; repeat for more."] = None
    nominal: Annotated[
        list[str] | None, "The numbers of this column are categories; repeat for more."
    ] = None
    numeric: Annotated[
        list[str] | None, "Codes like 007 in this column are numbers; repeat for more."
    ] = None


@dataclass(frozen=True)
class FileOptions:
    """How table files are written."""

    delimiter: Annotated[str | None, "CSV delimiter; detected if not given."] = None
    decimal: Annotated[str, "CSV decimal sign: . or ,"] = "."
    encoding: Annotated[str | None, "Text encoding; detected if not given."] = None
    na: Annotated[
        list[str] | None, "A CSV cell that means missing; repeat for more. Replaces the defaults."
    ] = None
    no_header: Annotated[bool, typer.Option("--no-header", help="CSV without a row of names.")] = (
        False
    )

    def for_names(self) -> dict[str, Any]:
        """Give what finds the columns of a file, as the readers take it."""
        return {
            "delimiter": "\t" if self.delimiter == "\\t" else self.delimiter,
            "encoding": self.encoding,
            "header": not self.no_header,
        }

    def for_rows(self) -> dict[str, Any]:
        """Give all of it, as the readers take it."""
        from ramify.datasets import MISSING_CELLS

        missing = MISSING_CELLS if self.na is None else self.na
        return {**self.for_names(), "decimal": self.decimal, "missing": missing}


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

    command.__doc__ = function.__doc__
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
            annotation=_declared(kinds[one.name]),
            default=one.default,
        )
        for one in fields(group)
    ]


def _declared(annotation: Any) -> Any:
    """Give an annotation as typer takes it: a text beside the type is the help of an option."""
    kind, *said = get_args(annotation) or (annotation,)
    if said and isinstance(said[0], str):
        return Annotated[kind, typer.Option(help=said[0])]
    return annotation


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the options that were set."""
    return {name: value for name, value in options.items() if value is not None}
