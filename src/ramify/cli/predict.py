"""`ramify predict`: the predictions of a saved model, block by block."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ramify.cli._options import (
    Jobs,
    KeepFormulas,
    ModelFile,
    Reading,
    TableFile,
    check_outputs,
    load_model,
)
from ramify.support.csv_rows import CsvRows
from ramify.support.writer import is_same_file, open_text

if TYPE_CHECKING:
    from ramify.datasets.readers.cells import ColumnKind


def predict(
    model: ModelFile,
    file: TableFile,
    *,
    output: Annotated[Path | None, typer.Option(help="File to write; otherwise stdout.")] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add each class's probability.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object per row instead of CSV.")
    ] = False,
    keep_formulas: KeepFormulas = False,
    jobs: Jobs = None,
    reading: Reading,
) -> None:
    """Predict the rows of a table with a saved model; the file may be larger than memory."""
    check_outputs({"--output": output}, reads=[model, file])
    if output is None and is_same_file(None, file):
        raise ValueError(f"{file}: this is the file that is read, and stdout goes to it, too")
    estimator = load_model(model)
    if jobs is not None:
        estimator.set_params(n_jobs=jobs)
    if proba and not hasattr(estimator, "predict_proba"):
        raise ValueError("--proba needs a classification model; this one predicts numbers")
    heading = ["prediction"]
    if proba:
        heading += [f"p({label})" for label in estimator.classes_]
    rows = 0
    with _opened(output) as stream:
        rows_to = CsvRows(stream, keep_formulas=keep_formulas)
        write = _json_rows(stream, heading) if json else _csv_rows(rows_to, heading)
        for X in _blocks(estimator.schema_, file, reading):
            columns = [estimator.predict(X).tolist()]
            if proba:
                columns += estimator.predict_proba(X).T.tolist()
            rows += len(columns[0])
            write(list(zip(*columns, strict=True)))
    if output is not None:
        typer.echo(f"{rows:,} predictions written to {output}", err=True)


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """Give where to write; a file has its name only when all of it is written."""
    if output is None:
        yield sys.stdout
        return
    with open_text(output) as stream:
        yield stream


def _blocks(schema: Any, file: Path, reading: Reading) -> Iterator[Any]:
    """Give the rows of the file as the model takes them."""
    from ramify.cli import _output as out
    from ramify.datasets import read_column_names, read_table_blocks

    names = list(schema.names) if schema.named else read_column_names(file, **reading.form)
    if len(names) != len(schema.columns):
        raise ValueError(
            f"{file}: the file has {len(names)} columns, but the model was fitted on "
            f"{len(schema.columns)} without names"
        )
    kinds = dict(zip(names, table_kinds(schema).values(), strict=True))
    with out.bar(f"predicting {file.name}") as progress:
        blocks = read_table_blocks(file, kinds=kinds, progress=progress, **reading.options)
        for block in blocks:
            for name, column in zip(names, schema.columns, strict=True):
                block.data[name] = as_levels(block.data[name], column)
            yield block.data if schema.named else block.to_frame("numpy")


def table_kinds(schema: Any) -> dict[str, ColumnKind]:
    """Say how each column of a file is to be read for a model."""
    return {
        column.name: "number" if column.kind == "numeric" else "text" for column in schema.columns
    }


def as_levels(cells: Any, column: Any) -> Any:
    """Turn the text of a file into the levels that the model knows, where those are no text."""
    if column.kind == "numeric" or all(isinstance(level, str) for level in column.levels):
        return cells
    known: dict[str, Any] = {}
    for level in column.levels:
        known[str(level)] = level
        if isinstance(level, float) and level.is_integer():
            known[str(int(level))] = level
        if isinstance(level, bool):
            known[str(level).lower()] = level
    cells[:] = [None if cell is None else known.get(cell, cell) for cell in cells]
    return cells


def _csv_rows(writer: CsvRows, heading: list[str]) -> Callable[[list[Any]], None]:
    pending = [heading]  # not before the first rows: a file that cannot be read prints nothing

    def write(rows: list[Any]) -> None:
        writer.write(pending)
        pending.clear()
        writer.write(rows)

    return write


def _json_rows(stream: TextIO, heading: list[str]) -> Callable[[list[Any]], None]:
    def write(rows: list[Any]) -> None:
        for row in rows:
            named = dict(zip(heading, row, strict=True))
            stream.write(json_text.dumps(named, ensure_ascii=False) + "\n")

    return write
