"""`ramify export`: a saved model in another language."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.cli._options import ModelFile, check_outputs, given, load_tree
from ramify.support.writer import write_bytes, write_text


class Form(StrEnum):
    """What a model can become."""

    sql = "sql"
    onnx = "onnx"
    pmml = "pmml"
    python = "python"
    c = "c"
    dot = "dot"
    svg = "svg"
    rules = "rules"
    markdown = "markdown"
    csv = "csv"


class Answer(StrEnum):
    """What an SQL expression gives."""

    label = "label"
    probability = "probability"
    leaf = "leaf"


# By the ending of the file, where it says enough.
_ENDINGS = {
    ".sql": Form.sql,
    ".onnx": Form.onnx,
    ".pmml": Form.pmml,
    ".xml": Form.pmml,
    ".py": Form.python,
    ".c": Form.c,
    ".dot": Form.dot,
    ".gv": Form.dot,
    ".svg": Form.svg,
    ".txt": Form.rules,
    ".md": Form.markdown,
    ".csv": Form.csv,
}


def export(
    model: ModelFile,
    *,
    to: Annotated[
        Form | None, typer.Option(help="The form; by itself from the ending of --output.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="File to write; otherwise stdout.")] = None,
    dialect: Annotated[
        str | None, typer.Option(help="SQL: sqlite, duckdb, postgres... (others need sqlglot).")
    ] = None,
    answer: Annotated[Answer | None, typer.Option(help="SQL: what the expression gives.")] = None,
    table: Annotated[
        str | None, typer.Option(help="SQL: a whole SELECT from this table, not an expression.")
    ] = None,
) -> None:
    """Write a saved model as SQL, ONNX, PMML, Python, C, DOT, SVG or rules."""
    check_outputs({"--output": output}, reads=[model])
    estimator = load_tree(model)
    form = to or _ENDINGS.get(output.suffix.lower() if output is not None else "")
    if form is None:
        raise ValueError(f"--to: which form? one of {', '.join(Form)}")
    options = given({"dialect": dialect, "output": answer, "table": table})
    if options and form is not Form.sql:
        raise ValueError("--dialect, --answer and --table go with --to sql only")
    if form is Form.onnx and output is None:
        raise ValueError("--to onnx gives bytes: name a file with --output")
    text = _writer(form)(estimator, **options)
    if output is None:
        typer.echo(text)
        return
    if form is Form.onnx:
        write_bytes(output, text.SerializeToString())
    else:
        write_text(output, text)
    typer.echo(f"Written to {output}", err=True)


def _writer(form: Form) -> Callable[..., Any]:
    from ramify import export as forms

    if form is Form.svg:
        return lambda estimator: estimator.tree_.to_svg()
    names = {
        Form.rules: "rules_to_text",
        Form.markdown: "rules_to_markdown",
        Form.csv: "rules_to_csv",
    }
    write: Callable[..., Any] = getattr(forms, names.get(form, f"to_{form}"))
    return write
