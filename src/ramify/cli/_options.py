"""The options that several commands share, and how a command reads its table.

A command that takes a parameter `reading` is given the options for reading a file as one object:
see `reads_tables`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ramify.support.writer import is_same_file

if TYPE_CHECKING:
    from ramify.datasets import Dataset


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
Target = Annotated[
    str | None,
    typer.Option(help="The column to predict; asked for if not given.", autocompletion=_columns_of),
]
TaskOption = Annotated[Task, typer.Option(help="What the target is.")]
Folds = Annotated[
    int | None,
    typer.Option(
        min=0, help="Cross-validation folds; 0 for none. By itself: 10, or a held-out fifth."
    ),
]
ShowDepth = Annotated[int | None, typer.Option(min=0, help="Print the tree down to this depth.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Jobs = Annotated[int | None, typer.Option(help="Threads; -1 for all.")]
KeepFormulas = Annotated[
    bool,
    typer.Option(
        "--keep-formulas", help="CSV: no apostrophe before texts that a spreadsheet would run."
    ),
]
Ignore = Annotated[list[str] | None, typer.Option(help="Leave this column out; repeat for more.")]
Nominal = Annotated[
    list[str] | None, typer.Option(help="Numbers of this column are names; repeat for more.")
]
Numeric = Annotated[
    list[str] | None, typer.Option(help="Codes like 007 of this column are numbers; repeat.")
]

_READING: dict[str, tuple[Any, Any]] = {
    "delimiter": (
        Annotated[str | None, typer.Option(help="CSV delimiter; found by itself if not given.")],
        None,
    ),
    "decimal": (Annotated[str, typer.Option(help="CSV decimal sign: . or ,")], "."),
    "encoding": (
        Annotated[str | None, typer.Option(help="Text encoding; found by itself if not given.")],
        None,
    ),
    "na": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--na", help="A CSV cell that means missing; repeat for more. Replaces the list."
            ),
        ],
        None,
    ),
    "no_header": (
        Annotated[bool, typer.Option("--no-header", help="CSV without a row of names.")],
        False,
    ),
}


@dataclass(frozen=True)
class Reading:
    """How table files are written, as the user said it."""

    delimiter: str | None
    decimal: str
    encoding: str | None
    na: list[str] | None
    no_header: bool

    @property
    def form(self) -> dict[str, Any]:
        """What finds the columns of a file, as the readers take it."""
        return {
            "delimiter": "\t" if self.delimiter == "\\t" else self.delimiter,
            "encoding": self.encoding,
            "header": not self.no_header,
        }

    @property
    def options(self) -> dict[str, Any]:
        """All of it, as the readers take it."""
        from ramify.datasets import MISSING_CELLS

        missing = MISSING_CELLS if self.na is None else self.na
        return {**self.form, "decimal": self.decimal, "missing": missing}

    def table(
        self,
        file: Path,
        *,
        target: str | None,
        ignore: list[str] | None = None,
        nominal: list[str] | None = None,
        numeric: list[str] | None = None,
        needs_target: bool = True,
    ) -> Dataset:
        """Read a table whose target the user named, or is asked for if one is needed."""
        from ramify.cli import _output as out
        from ramify.datasets import read_table_file

        if target is None and needs_target:
            target = ask_target(file, self)
        kinds: dict[str, Literal["number", "text"]] = dict.fromkeys(nominal or (), "text")
        kinds.update(dict.fromkeys(numeric or (), "number"))
        with out.bar(f"reading {file.name}") as progress:
            return read_table_file(
                file,
                target=target,
                ignore=ignore or (),
                kinds=kinds,
                progress=progress,
                **self.options,
            )


def ask_target(file: Path, reading: Reading) -> str:
    """List the columns and ask which one to predict; without a terminal that is an error."""
    from ramify.cli import _output as out
    from ramify.datasets import read_column_names

    names = read_column_names(file, **reading.form)
    first = names if len(names) <= 20 else [*names[:18], f"+{len(names) - 19}", names[-1]]
    shown = ", ".join(first)
    screen = out.make_console(stderr=True)
    if not out.is_interactive():
        raise ValueError(f"which column is to be predicted? --target one of: {shown}")
    for number, name in enumerate(names, start=1):
        screen.print(out.styled((f"{number:>4} ", "dim"), name))
    while True:
        answer = typer.prompt("Column to predict (name or number)", default=names[-1], err=True)
        if answer in names:
            return str(answer)
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        screen.print(f"{answer!r} is not one of the columns")


def load_model(model: Path) -> Any:
    """Load a saved model; what it needs takes a second or two to load, too."""
    from ramify.cli import _output as out

    with out.busy(f"loading {model.name}"):
        import ramify

        return ramify.load(model)


def load_tree(model: Path) -> Any:
    """Load a saved model that is a tree."""
    estimator = load_model(model)
    if not hasattr(estimator, "tree_"):
        raise ValueError(
            f"{model}: a {type(estimator).__name__} is not one tree; predict works with it, show, "
            "export and report do not"
        )
    return estimator


def check_outputs(outputs: Mapping[str, Path | None], *, reads: Sequence[Path | None]) -> None:
    """Refuse what cannot or must not be written, before anything is computed.

    That is a file without a folder, a file that the command reads, and one file for two outputs.
    """
    seen: dict[str, str] = {}
    for option, file in outputs.items():
        if file is None:
            continue
        if not file.parent.is_dir():
            raise ValueError(f"{file}: there is no folder {file.parent}")
        for source in reads:
            if source is not None and is_same_file(file, source):
                raise ValueError(
                    f"{option} {file}: this is the file that is read ({source}); writing it would "
                    "destroy it, so choose another name"
                )
        other = seen.setdefault(os.path.realpath(file), option)
        if other != option and (file.is_file() or not file.exists()):
            raise ValueError(f"{option} {file}: {other} is the same file; choose another name")


def reads_tables(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options for reading files; it gets them as one keyword, `reading`."""
    own = inspect.signature(function, eval_str=True)
    kept = [p for p in own.parameters.values() if p.name != "reading"]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, (kind, default) in _READING.items()
    ]

    def command(**given: Any) -> None:
        reading = Reading(**{name: given.pop(name) for name in _READING})
        function(**given, reading=reading)

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    vars(command)["__signature__"] = own.replace(parameters=[*kept, *shared])
    command.__annotations__ = {p.name: p.annotation for p in [*kept, *shared]}
    return command


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the options that were set."""
    return {name: value for name, value in options.items() if value is not None}
