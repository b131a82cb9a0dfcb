"""`ramify profile`: what the columns of a table file are, and what is odd about them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from ramify.cli.files import read_table
from ramify.cli.options import (
    ColumnOptions,
    FileOptions,
    Json,
    TableFile,
    Target,
    TaskOption,
)
from ramify.steps.task import Task

if TYPE_CHECKING:
    from rich.console import Console

#: Where nobody looks at a terminal, lines may be this long.
_WIDTH = 120


def profile(
    file: TableFile,
    *,
    target: Target = None,
    task: TaskOption = Task.auto,
    columns: ColumnOptions,
    json: Json = False,
    form: FileOptions,
) -> None:
    """Show what the columns hold, how much each tells about the target, and what is odd."""
    from ramify.cli import output as out
    from ramify.tables import profile as profile_of

    table = read_table(file, form, columns, target=target, needs_target=False)
    if not table.data:
        raise ValueError(f"{file}: there is no column besides {table.target_name!r}")
    chosen: Any = None if task is Task.auto else task.value
    found = profile_of(
        table.data,
        table.target,
        task=chosen,
        target=table.target_name or "y",
        readings=table.readings,
        notes=table.notes,
    )
    if json:
        out.print_json({"file": file, **found.to_dict()})
        return
    console = out.make_console()
    console.print(out.styled((str(file), "bold")))
    _print(console, found)


def _print(console: Console, found: Any) -> None:
    from ramify.cli.output import print_line, styled
    from ramify.tables.profiling.layout import aligned, headline, table_rows

    width = console.width if console.is_terminal else _WIDTH
    print_line(console, headline(found))
    console.print()
    heading, *lines = aligned(table_rows(found), width)
    console.print(styled((heading, "bold")))
    for line, column in zip(lines, found.columns, strict=True):
        console.print(styled((line, "dim" if column.name in found.left_out else "")))
    console.print()
    if not found.findings:
        console.print("No findings.")
    for finding in found.findings:
        mark, style = ("! ", "bold red") if finding.loud else ("- ", "")
        text = textwrap.fill(finding.text, width, initial_indent=mark, subsequent_indent="  ")
        remedy = textwrap.fill(finding.remedy, width, initial_indent="  ", subsequent_indent="  ")
        console.print(styled((text, style)))
        if remedy:
            console.print(styled((remedy, "dim")))
    if found.target is None:
        console.print()
        console.print(styled(("--target COLUMN shows how much each tells about it", "dim")))
