"""`ramify report`: a saved model as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli._options import ModelFile, Reading, check_outputs, load_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray


def report(
    model: ModelFile,
    file: Annotated[
        Path | None, typer.Argument(help="Rows to test the model on, with their target.")
    ] = None,
    *,
    target: Annotated[
        str | None, typer.Option(help="Their target; by itself as the model names it.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Page to write; by itself MODEL-report.html.")
    ] = None,
    reading: Reading,
) -> None:
    """Write the report of a saved model: one page that opens in any browser."""
    from ramify.cli import _output as out

    page = output or model.with_name(f"{model.stem}-report.html")
    check_outputs({"--output": page}, reads=[model, file])
    estimator = load_tree(model)
    X, y = (None, None) if file is None else read_rows(file, estimator, target, reading)
    with out.busy("writing the report"):
        estimator.report(page, X, y)
    typer.echo(f"Written to {page}")


def read_rows(
    file: Path, estimator: Any, target: str | None, reading: Reading
) -> tuple[Any, NDArray[Any]]:
    """Read rows with their target as a fitted model takes them."""
    from ramify.cli import _output as out
    from ramify.cli._target import target_of_model
    from ramify.cli.predict import as_levels, table_kinds
    from ramify.datasets import read_table_file

    schema = estimator.schema_
    with out.bar(f"reading {file.name}") as progress:
        table = read_table_file(
            file,
            target=target or estimator.tree_.target,
            columns=schema.names if schema.named else None,
            kinds=table_kinds(schema) if schema.named else None,
            progress=progress,
            **reading.options,
        )
    table, y = target_of_model(table, estimator)
    if not schema.named:
        return table.to_frame("numpy"), y
    return {column.name: as_levels(table.data[column.name], column) for column in schema.columns}, y
