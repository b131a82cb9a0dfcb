"""`ramify export`: a saved model in another language."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

import typer

from ramify.cli.files import check_outputs, load_tree
from ramify.cli.options import ModelFile, OutputFile, given
from ramify.support.writer import write_bytes, write_text


class Form(StrEnum):
    """What a model can become: the function of `ramify.export` for it, and the endings of files."""

    writer: str
    endings: tuple[str, ...]

    def __new__(cls, name: str, writer: str, *endings: str) -> Self:
        """Make a form."""
        form = str.__new__(cls, name)
        form._value_ = name
        form.writer = writer
        form.endings = endings
        return form

    sql = "sql", "to_sql", ".sql"
    onnx = "onnx", "to_onnx", ".onnx"
    pmml = "pmml", "to_pmml", ".pmml", ".xml"
    python = "python", "to_python", ".py"
    c = "c", "to_c", ".c"
    dot = "dot", "to_dot", ".dot", ".gv"
    svg = "svg", "", ".svg"  # a method of the tree
    rules = "rules", "rules_to_text", ".txt"
    markdown = "markdown", "rules_to_markdown", ".md"
    csv = "csv", "rules_to_csv", ".csv"


class Answer(StrEnum):
    """What an SQL expression gives."""

    label = "label"
    probability = "probability"
    leaf = "leaf"


def export(
    model: ModelFile,
    *,
    to: Annotated[Form | None, "The form; default: by the ending of --output."] = None,
    output: OutputFile = None,
    dialect: Annotated[
        str | None, "SQL: sqlite, duckdb, postgres... (others need sqlglot)."
    ] = None,
    answer: Annotated[Answer | None, "SQL: what the expression gives."] = None,
    table: Annotated[str | None, "SQL: a whole SELECT from this table, not an expression."] = None,
) -> None:
    """Write a saved model as SQL, ONNX, PMML, Python, C, DOT, SVG or rules."""
    check_outputs({"--output": output}, reads=[model])
    estimator = load_tree(model)
    form = to or _form_of(output)
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


def _form_of(output: Path | None) -> Form | None:
    """Give the form that the ending of a file says."""
    ending = "" if output is None else output.suffix.lower()
    return next((form for form in Form if ending in form.endings), None)


def _writer(form: Form) -> Callable[..., Any]:
    from ramify import export as forms

    if form is Form.svg:
        return lambda estimator: estimator.tree_.to_svg()
    write: Callable[..., Any] = getattr(forms, form.writer)
    return write
