"""`ramify report`: a saved model as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.files import check_outputs, load_tree, read_labelled_rows
from ramify.cli.options import OUTPUT, TARGET, FileOptions, ModelFile, option


def report(
    model: ModelFile,
    file: Annotated[
        Path | None,
        typer.Argument(help="A table to test the model on, with its target.", metavar="FILE"),
    ] = None,
    *,
    target: Annotated[
        str | None, option("The target column. Default: that of the model.", panel=TARGET)
    ] = None,
    output: Annotated[
        Path | None,
        option("Write the page to this file. Default: MODEL-report.html.", panel=OUTPUT),
    ] = None,
    form: FileOptions,
) -> None:
    """Write the report of a saved model: one page that opens in any browser."""
    from ramify.cli import output as out

    page = output or model.with_name(f"{model.stem}-report.html")
    check_outputs({"--output": page}, reads=[model, file])
    estimator = load_tree(model)
    X, y = None, None
    if file is not None:
        X, y = read_labelled_rows(file, form, estimator, target=target)
    with out.busy("writing the report"):
        estimator.report(page, X, y)
    typer.echo(f"Report written to {page}; open it in a browser")
