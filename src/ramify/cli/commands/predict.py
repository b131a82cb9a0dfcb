"""`ramify predict`: the predictions of a saved model, block by block."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from ramify.cli.files import check_outputs, load_model, read_blocks
from ramify.cli.options import (
    FileOptions,
    Jobs,
    KeepFormulas,
    ModelFile,
    OutputFile,
    TableFile,
)
from ramify.support.csv_rows import CsvRows
from ramify.support.writer import is_same_file, open_text


def predict(
    model: ModelFile,
    file: TableFile,
    *,
    output: OutputFile = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add each class's probability.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object per row instead of CSV.")
    ] = False,
    keep_formulas: KeepFormulas = False,
    jobs: Jobs = None,
    form: FileOptions,
) -> None:
    """Predict the rows of a table with a saved model; the file may be larger than memory."""
    check_outputs({"--output": output}, reads=[model, file])
    if output is None and is_same_file(None, file):
        raise ValueError(f"{file}: this is the file that is read, and stdout writes to it")
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
        for X in read_blocks(file, form, estimator):
            columns = [estimator.predict(X).tolist()]
            if proba:
                columns += estimator.predict_proba(X).T.tolist()
            rows += len(columns[0])
            write(list(zip(*columns, strict=True)))
    if output is not None:
        typer.echo(f"{rows:,} predictions written to {output}", err=True)


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """Open the output; a file gets its name when all of it is written."""
    if output is None:
        yield sys.stdout
        return
    with open_text(output) as stream:
        yield stream


def _csv_rows(writer: CsvRows, heading: list[str]) -> Callable[[list[Any]], None]:
    pending = [heading]  # with the first rows: nothing is printed for a file that cannot be read

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
