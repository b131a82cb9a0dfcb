"""The files of commands: tables and models to read, and outputs that must not destroy them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import typer

from ramify.cli.options import ColumnOptions, FileOptions
from ramify.support.writer import is_same_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ramify.datasets import CellType, Dataset
    from ramify.tables.forms import Form
    from ramify.tables.frame import TableDict

    Kind = Literal["number", "text"] | Form


def read_table(
    file: Path,
    form: FileOptions,
    columns: ColumnOptions,
    *,
    target: str | None,
    needs_target: bool = True,
) -> Dataset:
    """Read a table; if it needs a target and none is named, the user is asked."""
    from ramify.cli import output as out
    from ramify.datasets import read_table_file

    if target is None and needs_target:
        target = ask_target(file, form)
    kinds: dict[str, Kind] = dict.fromkeys(columns.nominal or (), "text")
    kinds.update(dict.fromkeys(columns.numeric or (), "number"))
    with out.bar(f"reading {file.name}") as progress:
        return read_table_file(
            file,
            target=target,
            ignore=columns.ignore or (),
            kinds=kinds,
            progress=progress,
            **form.for_rows(),
        )


def ask_target(file: Path, form: FileOptions) -> str:
    """List the columns and ask which one to predict; without a terminal that is an error."""
    from ramify.cli import output as out
    from ramify.datasets import read_column_names

    names = read_column_names(file, **form.for_names())
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
    """Load a saved model; that includes the import of its learner, which takes a second or two."""
    from ramify.cli import output as out

    with out.busy(f"loading {model.name}"):
        import ramify

        try:
            return ramify.load(model)
        except ValueError as error:
            if model.suffix == ".json":
                raise
            raise ValueError(f"{model}: this is not a model that fit --model saved") from error


def load_tree(model: Path) -> Any:
    """Load a saved model that is a tree."""
    estimator = load_model(model)
    if not hasattr(estimator, "tree_"):
        raise ValueError(
            f"{model}: a {type(estimator).__name__} is not one tree; predict works with it, show, "
            "export and report do not"
        )
    return estimator


def read_labelled_rows(
    file: Path, form: FileOptions, estimator: Any, *, target: str | None
) -> tuple[Any, NDArray[Any]]:
    """Read rows and their target as a fitted model takes them."""
    from ramify.cli import output as out
    from ramify.datasets import read_table_file
    from ramify.steps.target import target_of_model

    schema = estimator.schema_
    with out.bar(f"reading {file.name}") as progress:
        table = read_table_file(
            file,
            target=target or estimator.tree_.target,
            columns=schema.input_names if schema.named else None,
            kinds=_kinds(schema) if schema.named else None,
            progress=progress,
            **form.for_rows(),
        )
    table, y = target_of_model(table, estimator)
    if not schema.named:
        return table.to_frame("numpy"), y
    known = _inputs(schema)
    data = {name: _as_levels(table.data[name], column) for name, column in known.items()}
    return _with_forms(data, table), y


def read_blocks(
    file: Path,
    form: FileOptions,
    estimator: Any,
    *,
    keep: Sequence[str] = (),
    types: Mapping[str, CellType] | None = None,
) -> Iterator[tuple[Any, dict[str, NDArray[Any]]]]:
    """Read rows as a fitted model takes them, a block at a time, with the columns to keep.

    A kept column is text as the file has it, or of the type that `types` says. If the model takes
    it as numbers, these are read from the text: as they are kept, no digit is lost.
    """
    from ramify.cli import output as out
    from ramify.datasets import convert_cells, read_column_names, read_table_blocks

    schema = estimator.schema_
    known = _inputs(schema)
    names = list(known) if schema.named else read_column_names(file, **form.for_names())
    if len(names) != len(known):
        raise ValueError(
            f"{file}: the file has {len(names)} columns, but the model was fitted on "
            f"{len(known)} without names"
        )
    kinds = dict(zip(names, _kinds(schema).values(), strict=True))
    # With a decimal comma, only the reader knows what is a number.
    as_read = {name for name in keep if kinds.get(name) == "number" and form.decimal == ","}
    from_text = {name for name in keep if kinds.get(name) == "number"} - as_read
    kinds |= {name: "text" for name in keep if name not in as_read}
    said, done = types or {}, 0
    with out.bar(f"predicting {file.name}") as progress:
        for block in read_table_blocks(file, kinds=kinds, progress=progress, **form.for_rows()):
            kept = {name: convert_cells(block.data[name], said.get(name, "text")) for name in keep}
            data = {
                name: _numbers(name, block.data[name], done)
                if name in from_text
                else _as_levels(block.data[name], column)
                for name, column in zip(names, known.values(), strict=True)
            }
            done += block.n_rows
            table = _with_forms(data, block)
            yield (table if schema.named else replace(block, data=table).to_frame("numpy")), kept


def _inputs(schema: Any) -> dict[str, Any]:
    """Give the columns of the user's table, and what is known of them; None if they are not used.

    The parts of a date are made from it.
    """
    known = {one.name: one for one in schema.columns if one.source is None}
    return {name: known.get(name) for name in schema.input_names}


def _kinds(schema: Any) -> dict[str, Kind]:
    """Say how each column of a file is to be read for a model.

    The schema knows how a column of dates, or of numbers like $1,234, is written.
    """
    kinds: dict[str, Kind] = {}
    for name, one in _inputs(schema).items():
        is_number = one is not None and one.kind == "numeric"
        kinds[name] = (one.form or "number") if is_number else "text"
    return kinds


def _with_forms(data: dict[str, NDArray[Any]], table: Dataset) -> TableDict:
    """Give columns with what the reader knows of them, such as time zones."""
    from ramify.tables.frame import TableDict

    return TableDict(data, forms=getattr(table.data, "forms", {}))


def _numbers(name: str, cells: NDArray[Any], done: int) -> NDArray[np.float64]:
    """Read the texts of a block as the numbers that a model takes; `done` rows were before it."""
    known: dict[Any, float] = {None: math.nan}
    for row, cell in enumerate(cells.tolist(), start=done + 1):
        if cell not in known:
            try:
                known[cell] = float(cell.replace("_", "?"))  # Python alone takes 1_000
            except ValueError:
                raise ValueError(
                    f"column {name!r} should hold numbers, but data row {row} has {cell!r}"
                ) from None
    return np.array([known[cell] for cell in cells.tolist()], dtype=np.float64)


def _as_levels(cells: Any, column: Any) -> Any:
    """Turn the text of a file into the levels of the model, where those are not text."""
    if column is None or column.kind == "numeric":
        return cells
    known: dict[str, Any] = {}
    if all(isinstance(level, str) for level in column.levels):
        # The booleans of JSON are True and False here, and may be "true" in the file of the model.
        spelt = {level.lower(): level for level in column.levels}
        for word in ("True", "False"):
            if word not in column.levels and word.lower() in spelt:
                known[word] = spelt[word.lower()]
        if not known:
            return cells
    for level in column.levels:
        known[str(level)] = level
        if isinstance(level, float) and level.is_integer():
            known[str(int(level))] = level
        if isinstance(level, bool):
            known[str(level).lower()] = level
    levels = np.empty(len(cells), dtype=object)
    levels[:] = [None if cell is None else known.get(cell, cell) for cell in cells]
    return levels


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
