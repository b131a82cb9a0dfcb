"""Columns that were read as something else than they are written: dates, numbers, new names."""

from __future__ import annotations

from collections.abc import Mapping

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.profiling.findings import Finding, option

_WORDS = {
    "number": "number",
    "date": "date",
    "datetime": "date and time",
    "time": "time of day",
    "duration": "duration",
}


def reading_findings(
    columns: tuple[ColumnSchema, ...], readings: Mapping[str, tuple[str, str]]
) -> list[Finding]:
    """Say which columns were read as dates or as numbers, with an example of each."""
    found = []
    for column in columns:
        if column.part is not None or (column.name not in readings and not _in_disguise(column)):
            continue
        kind = "number" if column.form is None else column.form.kind
        example = readings.get(column.name)
        shown = f": {example[0]} -> {example[1]}" if example else ""
        found.append(
            Finding(
                column.name,
                "number_in_disguise" if kind == "number" else "date",
                f"{column.name} is text, read as {_WORDS[kind]}{shown}.",
                f"used as {_WORDS[kind]}",
                f"{option('--nominal', column.name)} keeps the text",
                f"X[{column.name!r}].astype(str)",
            )
        )
    return found


def renamed_findings(renamed: Mapping[str, str]) -> list[Finding]:
    """Say which columns got another name because theirs was taken."""
    return [
        Finding(
            new,
            "renamed",
            f"The name {old} stands over two columns; the second is called {new}.",
            "both are kept",
            f"{option('--ignore', new)}",
        )
        for new, old in renamed.items()
    ]


def _in_disguise(column: ColumnSchema) -> bool:
    form = column.form
    return form is not None and (form.decimal, form.thousands, form.unit) != (".", "", "")
