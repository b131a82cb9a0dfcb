"""What is done to the columns of a table before a tree is grown, and how that is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ramify.cli import output as out
from ramify.cli.options import ColumnOptions, Task
from ramify.support.suggest import unknown_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ramify.datasets import Dataset

# So many columns are named of each kind of finding; a wide table has hundreds.
_MOST = 3


@dataclass(frozen=True)
class Columns:
    """The columns that a tree is grown from.

    Parameters
    ----------
    table : Dataset
        The table without the columns that are left out.
    profile : Profile
        What was found in all columns.
    findings : tuple of Finding
        What was found and not overruled.
    left_out : tuple of str
        The columns that are left out.
    """

    table: Dataset
    profile: Any
    findings: tuple[Any, ...]
    left_out: tuple[str, ...]

    def lines(self, file: Path) -> list[tuple[str, bool]]:
        """Give one line for each finding, and whether it is a warning."""
        seen: Counter[str] = Counter()
        lines = []
        for one in self.findings:
            seen[one.kind] += 1
            if seen[one.kind] <= _MOST or one.loud:
                lines.append((str(one), bool(one.loud)))
        more = sum(count - _MOST for count in seen.values() if count > _MOST)
        if more > 0:
            target = self.profile.target if isinstance(self.profile.target, str) else None
            words = f"ramify profile {file}" + (f" --target {target}" if target else "")
            columns = "column" if more == 1 else "columns"
            lines.append((f"... and {more:,} more {columns}: {words} lists them.", False))
        return lines


def settle_columns(table: Dataset, y: NDArray[Any], task: Task, options: ColumnOptions) -> Columns:
    """Look at the columns, and leave out those that only name the rows."""
    from ramify.tables import profile

    use = options.use or ()
    for name in use:
        if name not in table.data:
            raise unknown_column(name, table.data, what="--use: column")
    with out.busy("looking at the columns"):
        found = profile(table.data, y, task=str(task), target=str(table.target_name))
    left_out = tuple(name for name in found.left_out if name not in use)
    if len(left_out) == len(table.data):
        left_out = ()  # nothing would be left to learn from
    kept = {name: column for name, column in table.data.items() if name not in left_out}
    findings = tuple(
        one for one in found.findings if one.column not in found.left_out or one.column in left_out
    )
    return Columns(replace(table, data=_like(table.data, kept)), found, findings, left_out)


def _like(data: Any, kept: dict[str, Any]) -> Any:
    """Give some columns as the table has them, with what is known of their texts."""
    gone = [name for name in data if name not in kept]
    return data.without(*gone) if hasattr(data, "without") else kept


def question(columns: Columns) -> None:
    """Ask whether to go on if the target is probably not what the user thinks it is."""
    doubtful = [one for one in columns.findings if one.kind == "many_classes"]
    if not doubtful or not out.is_interactive():
        return
    if not typer.confirm("Grow a tree all the same?", default=True, err=True):
        raise typer.Abort
