"""`ramify export`: a saved model in another language. The forms are those of `ramify.export`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import ramify.export as forms
from ramify.cli.files import check_outputs, load_tree
from ramify.cli.options import ModelFile, OutputFile, given, option

_FORMATS = {one.name: one for one in forms.FORMATS}
# The form of a file, where its ending says enough.
_ENDINGS = {ending: one.name for one in forms.FORMATS for ending in one.endings}
# The options that are not called as the parameters of the functions.
_FLAGS = {"output": "answer", "questions": "question"}
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
        Form | None,
        "The language or format. Default: by the ending of --output; .html is a questionnaire (the "
        "command report writes a report).",
    ] = None,
    output: OutputFile = None,
    dialect: Annotated[
        str | None, "SQL: the database, such as sqlite, duckdb or postgres; others need sqlglot."
    ] = None,
    answer: Annotated[Answer | None, "SQL: what the query gives for a row."] = None,
    table: Annotated[
        str | None, "SQL: write a whole SELECT from this table, not only an expression."
    ] = None,
    title: Annotated[str | None, "Questionnaire: the heading of the page."] = None,
    question: Annotated[
        list[str] | None,
        option(
            "Questionnaire: how it asks for a column, as COLUMN=TEXT. Repeat it for more columns.",
            metavar="COLUMN=TEXT",
        ),
    ] = None,
) -> None:
    """Write a saved model in another format."""
    check_outputs({"--output": output}, reads=[model])
    estimator = load_tree(model)
    name = to or _ENDINGS.get(output.suffix.lower() if output is not None else "")
    if name is None:
        raise ValueError(f"--to: which format? one of {', '.join(_FORMATS)}")
    form = _FORMATS[name]
    options = given(
        {
            "dialect": dialect,
            "output": answer,
            "table": table,
            "title": title,
            "questions": _questions(question),
        }
    )
    for option_name in options.keys() - set(form.options):
        takers = [one.name for one in forms.FORMATS if option_name in one.options]
        flag = _FLAGS.get(option_name, option_name)
        raise ValueError(f"--{flag} goes with --to {' or '.join(takers)} only")
    if form.binary and output is None:
        raise ValueError(f"--to {form.name} gives bytes: name a file with --output")
    text = getattr(forms, form.function)(estimator, path=output, **options)
    if output is None:
        typer.echo(text)
    else:
        typer.echo(f"Written to {output}", err=True)


def _questions(given: list[str] | None) -> dict[str, str] | None:
    """Read COLUMN=TEXT."""
    found = {}
    for one in given or ():
        column, sign, text = one.partition("=")
        if not sign:
            raise ValueError(f"--question {one!r}: expected COLUMN=TEXT")
        found[column] = text
    return found or None


# The help names all formats.
*_labels, _last = dict.fromkeys(one.label for one in forms.FORMATS)
export.__doc__ = f"Write a saved model as {', '.join(_labels)} or {_last}."
