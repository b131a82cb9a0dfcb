"""`ramify demo`: a small tree of built-in data."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ramify.cli.options import Folds
from ramify.support.csv_rows import CsvRows
from ramify.support.writer import open_text

if TYPE_CHECKING:
    from ramify.datasets import Dataset


class DemoData(StrEnum):
    """The built-in data sets."""

    titanic = "titanic"
    weather = "weather"
    balance_scale = "balance-scale"


def demo(
    *,
    data: Annotated[DemoData, "Which built-in data set."] = DemoData.titanic,
    folds: Folds = 10,
    csv: Annotated[Path | None, "Write the data to this CSV file, too, to try things out."] = None,
) -> None:
    """Fit a small tree to built-in data, and say what to do next."""
    from ramify import TreeClassifier, datasets
    from ramify.cli import output as out
    from ramify.cli.score import cross_score, score_lines

    loaders = {
        DemoData.titanic: datasets.load_titanic,
        DemoData.weather: datasets.load_weather,
        DemoData.balance_scale: datasets.load_balance_scale,
    }
    table = loaders[data]()
    console = out.make_console()
    out.print_line(console, table.description, text_style="bold")
    out.print_line(console, out.table_line(table))
    console.print()
    model = TreeClassifier(growth="best_first", max_leaves=6).fit(table.data, table.y)
    model.name_target(table.target_name or "y")
    if folds:
        for line in score_lines(cross_score(model, table.data, table.y, folds)):
            out.print_line(console, line)
    console.print()
    out.print_line(console, out.size_line(model, table.n_rows))
    console.print()
    out.print_tree(console, model)

    console.print(out.styled(("\nThe rules that cover most rows", "bold")))
    rules = sorted(model.tree_.rules(), key=lambda rule: -rule.support)[:3]
    out.print_rules(console, rules, model, indent="  ")
    if csv is not None:
        _write(table, csv)
        console.print(f"\nThe data are in {csv}")
    steps = [
        ("ramify fit FILE.csv --target COLUMN --model tree.json", "a tree of your own table"),
        ("ramify predict tree.json OTHER.csv", "its predictions"),
        ("ramify show tree.json --rules", "the tree as rules"),
    ]
    out.print_next_steps(console, steps)


def _write(table: Dataset, path: Path) -> None:
    """Write a table with its target last."""
    columns = [*table.data.values(), table.y]
    with open_text(path) as stream:
        rows = CsvRows(stream)
        rows.write([[*table.data, table.target_name]])
        rows.write(zip(*(column.tolist() for column in columns), strict=True))
