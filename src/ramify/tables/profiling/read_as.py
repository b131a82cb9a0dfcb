"""Columns that were read as something else than they are written: dates, numbers, new names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.profiling.findings import Finding, FindingKind, option
from ramify.tables.profiling.identifiers import PLURALS
from ramify.tables.reading import Note, Reading
from ramify.tables.tidy import form_of_levels

_FEW = 10
_NOTED: dict[str, FindingKind] = {"mixed": "mixed", "long_numbers": "long_numbers"}
_WORDS = {
    "number": "number",
    "date": "date",
    "datetime": "date and time",
    "time": "time of day",
    "duration": "duration",
}


def reading_findings(
    columns: tuple[ColumnSchema, ...], readings: Mapping[str, Reading]
) -> list[Finding]:
    """Say which columns were read as dates or as numbers, with an example of each."""
    found = []
    for column in columns:
        if column.part is not None or (column.name not in readings and not _in_disguise(column)):
            continue
        kind = "number" if column.form is None else column.form.kind
        shown, missing = "", ""
        if (read := readings.get(column.name)) is not None:
            shown = f", such as {read.example_after}"
            if read.example_before != read.example_after:
                shown = f": {read.example_before} -> {read.example_after}"
            if read.extra_missing:
                words = ", ".join(map(repr, read.extra_missing[:3]))
                missing = f"; {words} {'is' if len(read.extra_missing) == 1 else 'are'} missing"
        found.append(
            Finding(
                column.name,
                "number_in_disguise" if kind == "number" else "date",
                f"{column.name} is text, read as {_WORDS[kind]}{shown}{missing}.",
                f"used as {_WORDS[kind]}",
                f"{option('--nominal', column.name)} keeps the text",
                "keep the text in X",
            )
        )
    return found


def text_finding(column: ColumnSchema) -> Finding | None:
    """Say that a column of text is numbers or dates; None if it is not."""
    form = form_of_levels(column.name, column.levels) if column.kind == "nominal" else None
    if form is None or (form.kind == "number" and len(column.levels) <= _FEW):
        return None  # a few numbers may well be meant as names
    shown = f", such as {column.levels[0]}" if column.levels else ""
    return Finding(
        column.name,
        "number_in_disguise" if form.kind == "number" else "date",
        f"{column.name} is text, but all of it is {PLURALS[form.kind]}{shown}.",
        "kept as text",
        "",
        "ramify.tables.tidy(X) reads it",
    )


def note_findings(notes: Iterable[Note], left_out: Collection[str] = ()) -> list[Finding]:
    """Say what the reader of a file noted: new names, numbers among which there are words.

    Another finding says why a column is left out; these do not say that it is kept then.
    """
    found = []
    for one in notes:
        text = f"{one.text[:1].upper()}{one.text[1:]}."
        kind: FindingKind = _NOTED.get(one.kind, "renamed")
        done, how = ("kept", option("--ignore", one.column))
        if kind == "long_numbers":
            done, how = "kept as text", f"{option('--numeric', one.column)} rounds them"
        if one.column in left_out:
            done, how = "", ""
        found.append(Finding(one.column, kind, text, done, how))
    return found


def _in_disguise(column: ColumnSchema) -> bool:
    form = column.form
    return form is not None and (form.decimal, form.thousands, form.unit) != (".", "", "")
