"""`ramify compare`: several learners on one table, as text with marks and as a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.cli.files import check_outputs, read_table
from ramify.cli.learners import Learner, make_learner, read_learners
from ramify.cli.options import (
    ColumnOptions,
    FileOptions,
    Jobs,
    Json,
    TableFile,
    Target,
    Task,
    TaskOption,
)

_FIVE = "cart,c45,bftree,ctree,optimal"
_FOR_NUMBERS = "cart,ctree,optimal"  # the others predict classes; greedy grows what cart does
# Then the best tree found so far is taken, proven optimal or not.
_SECONDS = 10.0


def compare(
    file: TableFile,
    *,
    target: Target = None,
    learners: Annotated[
        str | None,
        f"Names with commas: {', '.join(Learner)}. Default: {_FIVE}; for numbers {_FOR_NUMBERS}.",
    ] = None,
    task: TaskOption = Task.auto,
    folds: Annotated[int, typer.Option(min=2, help="Folds of each cross-validation.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, help="How many cross-validations.")] = 1,
    output: Annotated[Path | None, "Page to write; default: FILE-comparison.html."] = None,
    store: Annotated[
        Path | None,
        "Keep every fold in this file (.jsonl); an interrupted run continues.",
    ] = None,
    time_limit: Annotated[float, "Seconds for each search for an optimal tree."] = _SECONDS,
    columns: ColumnOptions,
    jobs: Jobs = -1,
    json: Json = False,
    form: FileOptions,
) -> None:
    """Compare learners on one table: accuracy, size and time, with tests of the differences."""
    from ramify.cli import output as out
    from ramify.cli.target import settle_target

    page = output or file.with_name(f"{file.name.split('.')[0]}-comparison.html")
    check_outputs({"--output": page, "--store": store}, reads=[file])
    table = read_table(file, form, columns, target=target)
    table, y, chosen, notes = settle_target(table, task)
    score = "r2" if chosen is Task.regression else "accuracy"
    usual = _FOR_NUMBERS if chosen is Task.regression else _FIVE
    named = read_learners(usual if learners is None else learners)
    if len(named) < 2:
        raise ValueError(f"--learners: two at least, of {', '.join(Learner)}")
    with out.busy("loading the learners"):  # not earlier: reading a table does not need them
        from ramify.evaluate import compare as run
        from ramify.evaluate.tables.overview import by_learner, overview
        from ramify.evaluate.tables.text import plain_table

        made = {str(name): make_learner(name, chosen, _limits(name, time_limit)) for name in named}
    found: Any = run(
        made,
        {file.name: replace(table, target=y)},
        cv=(folds, repeats),
        scores=(score, "n_leaves", "fit_time"),
        n_jobs=jobs,
        store=store,
    )
    found.to_html(page, title=f"Predicting {table.target_name} in {file.name}")
    if json:
        out.print_json({"results": found.rows, "notes": notes, "page": page})
        return
    console = out.make_console()
    out.introduce(console, file, out.table_line(table), notes)
    view = overview(found)
    lines = by_learner(list(view.tables.values()))
    console.print(f"\n{plain_table(*lines)}\n\n{view.main.legend}.\n")
    for sentence in view.sentences:
        console.print(sentence, markup=False)
    console.print(f"Written to {page}")


def _limits(learner: Learner, time_limit: float) -> dict[str, Any]:
    return {"time_limit": time_limit} if learner is Learner.optimal else {}
