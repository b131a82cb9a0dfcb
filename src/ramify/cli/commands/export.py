"""`ramify export`: a saved model in another language. The forms are those of `ramify.export`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import ramify.export as forms
from ramify.cli.files import check_outputs, load_tree
from ramify.cli.options import ModelFile, OutputFile, given

_FORMATS = {one.name: one for one in forms.FORMATS}
# The form of a file, where its ending says enough.
_ENDINGS = {ending: one.name for one in forms.FORMATS for ending in one.endings}
Form = StrEnum("Form", {name: name for name in _FORMATS})  # type: ignore[misc]


class Answer(StrEnum):
    """What an SQL expression gives."""

    label = "label"
    probability = "probability"
    leaf = "leaf"


def export(
    model: ModelFile,
    *,
    to: Annotated[
        Form | None, "The language or format. Default: by the ending of --output."
    ] = None,
    output: OutputFile = None,
    dialect: Annotated[
        str | None, "SQL: the database, such as sqlite, duckdb or postgres; others need sqlglot."
    ] = None,
    answer: Annotated[Answer | None, "SQL: what the query gives for a row."] = None,
    table: Annotated[
        str | None, "SQL: write a whole SELECT from this table, not only an expression."
    ] = None,
) -> None:
    """Write a saved model in another format."""
    check_outputs({"--output": output}, reads=[model])
    estimator = load_tree(model)
    name = to or _ENDINGS.get(output.suffix.lower() if output is not None else "")
    if name is None:
        raise ValueError(f"--to: which format? one of {', '.join(_FORMATS)}")
    form = _FORMATS[name]
    options = given({"dialect": dialect, "output": answer, "table": table})
    if not options.keys() <= set(form.options):
        raise ValueError("--dialect, --answer and --table go with --to sql only")
    if form.binary and output is None:
        raise ValueError(f"--to {form.name} gives bytes: name a file with --output")
    text = getattr(forms, form.function)(estimator, path=output, **options)
    if output is None:
        typer.echo(text)
    else:
        typer.echo(f"Written to {output}", err=True)


# The help names all formats.
*_labels, _last = dict.fromkeys(one.label for one in forms.FORMATS)
export.__doc__ = f"Write a saved model as {', '.join(_labels)} or {_last}."
