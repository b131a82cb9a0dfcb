"""A table made ready for a tree: read, its target settled, its columns looked at.

`fit` and `compare` begin with this step. What was done is told in one line each.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ramify.cli import output as out
from ramify.cli.files import read_table
from ramify.cli.options import FileOptions, GrowingColumnOptions
from ramify.steps.columns import look_at_columns
from ramify.steps.target import settle_target
from ramify.steps.task import Task

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.console import Console

    from ramify.datasets import Dataset

# A wide table has hundreds of findings. Of more than so many, some of each kind are printed.
_MOST_LINES, _MOST_OF_A_KIND = 8, 3


@dataclass(frozen=True)
class Prepared:
    """A table that a tree can be grown from, and what was done to it.

    Parameters
    ----------
    file : Path
        Where it comes from.
    size : str
        How large it is, in words.
    table : Dataset
        The rows that have a target, without the columns that are left out.
    y : ndarray
        Their target.
    task : Task
        What the target is.
    profile : Profile
        What was found in the columns, and is not overruled by an option.
    left_out : tuple of str
        The columns that are left out.
    options : GrowingColumnOptions
        What the user wants of the columns.
    notes : tuple of str
        What was done to the rows and the target.
    """

    file: Path
    size: str
    table: Dataset
    y: NDArray[Any]
    task: Task
    profile: Any
    left_out: tuple[str, ...]
    options: GrowingColumnOptions
    notes: tuple[str, ...]

    def introduce(self, console: Console) -> None:
        """Print what was read and what was done."""
        out.introduce(console, self.file, self.size, self.notes)
        for line, loud in self.lines():
            mark, style = ("! ", "bold yellow") if loud else ("- ", "dim")
            out.print_line(console, line, mark=mark, style=style)

    def ask(self) -> None:
        """Ask whether to go on if the target is doubtful; without a terminal, go on."""
        doubtful = [one for one in self.findings if one.kind == "many_classes"]
        if doubtful and out.is_interactive():
            out.make_console(stderr=True).print(doubtful[0].text)
            if not typer.confirm("Grow a tree all the same?", default=True, err=True):
                raise ValueError("stopped before anything was grown")

    def lines(self) -> list[tuple[str, bool]]:
        """Give one line for each finding, and whether it is a warning; of many, some."""
        most = _MOST_OF_A_KIND if len(self.findings) > _MOST_LINES else len(self.findings)
        seen: Counter[str] = Counter()
        lines = []
        for one in self.findings:
            seen[one.kind] += not one.loud
            if one.loud or seen[one.kind] <= most:
                lines.append((str(one), bool(one.loud)))
        more = len(self.findings) - len(lines)
        if more:
            words = shlex.join(["ramify", "profile", str(self.file), "--target", self.target])
            findings = "finding" if more == 1 else "findings"
            lines.append((f"{more:,} more {findings}: {words}", False))
        return lines

    def parameters(self) -> dict[str, Any]:
        """Give what the learners are told about the columns."""
        options = self.options
        found: dict[str, Any] = {"identifiers": "keep"}  # those to leave out are left out
        least = options.min_level_count
        found["min_level_count"] = self.profile.min_level_count if least is None else least
        if options.date_parts is not None:
            found["date_parts"] = read_date_parts(options.date_parts)
        return found

    def without(self, kind: str) -> Prepared:
        """Leave out the findings of a kind, which says what is not done here."""
        kept = tuple(one for one in self.findings if one.kind != kind)
        return replace(self, profile=replace(self.profile, findings=kept))

    def weighted(self, parameters: Mapping[str, Any]) -> Prepared:
        """Say that classes have weights or costs, if they do."""
        used = [name for name in ("class_weight", "costs") if parameters.get(name) is not None]
        if not used:
            return self
        options = " and ".join("--" + name.replace("_", "-") for name in used)
        done = f"{options} {'makes' if len(used) == 1 else 'make'} up for that"
        findings = tuple(
            replace(one, done=done, overrule="") if one.kind == "imbalance" else one
            for one in self.findings
        )
        return replace(self, profile=replace(self.profile, findings=findings))

    @property
    def findings(self) -> tuple[Any, ...]:
        """What was found and is not overruled by an option."""
        found: tuple[Any, ...] = self.profile.findings
        return found

    @property
    def target(self) -> str:
        """The name of the target."""
        return str(self.table.target_name)

    def to_dict(self) -> dict[str, Any]:
        """Give what was read and what was done as JSON."""
        return {
            "file": str(self.file),
            "rows": self.table.n_rows,
            "columns": list(self.table.data),
            "target": self.target,
            "task": self.task,
            "notes": [*self.notes, *(line for line, _ in self.lines())],
            "left_out": list(self.left_out),
            "findings": [one.to_dict() for one in self.findings],
        }


def read_date_parts(text: str) -> str | tuple[str, ...] | None:
    """Read --date-parts: a word, or parts with commas between them."""
    from ramify.tables.parts import PARTS

    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if words == ("none",):
        return None
    if words == ("auto",):
        return "auto"
    for word in words:
        if word not in PARTS:
            raise ValueError(
                f"--date-parts {text}: {word!r} is not a part; give auto, none, or some of "
                f"{', '.join(PARTS)} with commas"
            )
    return words


def prepare(
    file: Path, form: FileOptions, columns: GrowingColumnOptions, *, target: str | None, task: Task
) -> Prepared:
    """Read a table, settle its target, and leave out columns that only name the rows."""
    read_date_parts(columns.date_parts or "auto")  # before a long wait
    table = read_table(file, form, columns, target=target)
    size = out.table_line(table)
    read = table.readings.get(str(table.target_name))
    table, y, task, notes = settle_target(table, task)
    if read is not None:
        keeps = shlex.join(["--nominal", str(table.target_name)])
        notes.append(f"target {table.target_name} is text, {read}; {keeps} keeps the text")
    with out.busy("looking at the columns"):
        found = look_at_columns(
            table, y, task, use=columns.use or (), min_level_count=columns.min_level_count
        )
    return Prepared(
        file=file,
        size=size,
        table=table.without(*found.left_out),
        y=y,
        task=task,
        profile=found,
        left_out=found.left_out,
        options=columns,
        notes=tuple(notes),
    )
