"""The command line: demo, fit, predict, show.

Everything heavy is imported inside the commands, so that ``ramify --help`` answers at once. An
error is one line on stderr: exit code 2 for what the user can mend, 1 for a defect of ours, 130
for Ctrl-C.
"""

from __future__ import annotations

import csv
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ramify.datasets import Dataset

app = typer.Typer(
    name="ramify",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_INTERRUPTED = 130


class Task(StrEnum):
    """What kind of target."""

    auto = "auto"
    classification = "classification"
    regression = "regression"


class Learner(StrEnum):
    """How the tree is found."""

    greedy = "greedy"
    optimal = "optimal"


class DemoData(StrEnum):
    """The built-in data sets."""

    titanic = "titanic"
    weather = "weather"
    balance_scale = "balance-scale"


TableFile = Annotated[Path, typer.Argument(help="CSV, ARFF or Parquet; CSV and ARFF may be .gz.")]
ModelFile = Annotated[Path, typer.Argument(help="A model saved by fit --model.")]
Delimiter = Annotated[str | None, typer.Option(help="CSV delimiter; found by itself if not given.")]
Decimal = Annotated[str, typer.Option(help="CSV decimal sign: . or ,")]
Encoding = Annotated[str | None, typer.Option(help="Text encoding; UTF-8 or Latin-1 by itself.")]
NoHeader = Annotated[bool, typer.Option("--no-header", help="CSV without a row of names.")]
MissingCells = Annotated[
    list[str] | None,
    typer.Option("--na", help="A CSV cell that means missing; repeat for more. Replaces the list."),
]
Folds = Annotated[int, typer.Option(min=0, help="Cross-validation folds; 0 to skip it.")]
ShowDepth = Annotated[int | None, typer.Option(min=0, help="Print the tree down to this depth.")]


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Decision trees for tables with categories and missing cells."""
    if version:
        from ramify import __version__

        typer.echo(f"ramify {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def demo(
    *,
    data: Annotated[DemoData, typer.Option(help="Which built-in data.")] = DemoData.titanic,
    folds: Folds = 10,
) -> None:
    """Fit a small tree to built-in data, and say what to do next."""
    from ramify import TreeClassifier, datasets
    from ramify import _cli_output as out

    loaders = {
        DemoData.titanic: datasets.load_titanic,
        DemoData.weather: datasets.load_weather,
        DemoData.balance_scale: datasets.load_balance_scale,
    }
    table = loaders[data]()
    console = out.make_console()
    console.print(out.styled((table.description, "bold")))
    console.print(out.table_line(table))
    console.print()
    model = TreeClassifier(growth="best_first", max_leaves=6).fit(table.data, table.y)
    model._name_target(table.target_name or "y")
    out.print_tree(console, model)
    out.print_score(console, model, table, table.y, folds)

    console.print(out.styled(("\nIts rules that cover most rows", "bold")))
    for rule in sorted(model.tree_.rules(), key=lambda rule: -rule.support)[:3]:
        console.print(out.coloured(f"  {rule}", model))
    console.print(out.styled(("\nNext", "bold")))
    for command, what in (
        ("ramify fit FILE.csv --target COLUMN --model tree.json", "a tree of your own table"),
        ("ramify predict tree.json OTHER.csv", "its predictions"),
        ("ramify show tree.json --rules", "the tree as rules"),
    ):
        console.print(out.styled((f"  {command:<56}", "cyan"), (what, "")))


@app.command()
def fit(
    file: TableFile,
    *,
    target: Annotated[str, typer.Option(help="The column to predict.")],
    model: Annotated[Path | None, typer.Option(help="Save the model to this JSON file.")] = None,
    task: Annotated[Task, typer.Option(help="What the target is.")] = Task.auto,
    learner: Annotated[
        Learner, typer.Option(help="Split by split, or the best of all trees of a depth.")
    ] = Learner.greedy,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds of every search for an optimal tree.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(help="Largest depth.")] = None,
    max_leaves: Annotated[int | None, typer.Option(help="Largest number of leaves.")] = None,
    min_samples_leaf: Annotated[int | None, typer.Option(help="Rows in a leaf, at least.")] = None,
    criterion: Annotated[str | None, typer.Option(help="gini, entropy, squared_error...")] = None,
    categorical_split: Annotated[
        str | None, typer.Option(help="auto, exact, multiway, pc_ext...")
    ] = None,
    selection: Annotated[
        str | None, typer.Option(help="criterion or conditional_inference.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Largest p-value of conditional inference.")
    ] = None,
    growth: Annotated[str | None, typer.Option(help="depth_first or best_first.")] = None,
    pruning: Annotated[
        str | None, typer.Option(help="auto, cost_complexity, best_first, error_based...")
    ] = None,
    missing: Annotated[str | None, typer.Option(help="fractional, separate, direction.")] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Leave this column out; repeat for more.")
    ] = None,
    nominal: Annotated[
        list[str] | None, typer.Option(help="Numbers of this column are names; repeat for more.")
    ] = None,
    numeric: Annotated[
        list[str] | None, typer.Option(help="Codes like 007 of this column are numbers; repeat.")
    ] = None,
    folds: Folds = 10,
    show_depth: ShowDepth = None,
    jobs: Annotated[int | None, typer.Option(help="Threads; -1 for all.")] = None,
    delimiter: Delimiter = None,
    decimal: Decimal = ".",
    encoding: Encoding = None,
    na: MissingCells = None,
    no_header: NoHeader = False,
) -> None:
    """Grow a tree from a table, print it and its cross-validated score."""
    from ramify import _cli_output as out
    from ramify.datasets import MISSING_CELLS, read_table_file

    kinds: dict[str, Literal["number", "text"]] = dict.fromkeys(nominal or (), "text")
    kinds.update(dict.fromkeys(numeric or (), "number"))
    table = read_table_file(
        file,
        target=target,
        ignore=ignore or (),
        kinds=kinds,
        missing=MISSING_CELLS if na is None else na,
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        header=not no_header,
    )
    console = out.make_console()
    table, y, chosen, notes = _prepare(table, task)
    given = {
        "max_depth": max_depth,
        "max_leaves": max_leaves,
        "min_samples_leaf": min_samples_leaf,
        "criterion": criterion,
        "categorical_split": categorical_split,
        "selection": selection,
        "alpha": alpha,
        "growth": growth,
        "pruning": pruning,
        "missing": missing,
        "n_jobs": jobs,
        "time_limit": time_limit,
    }
    estimator = _estimator(chosen, learner, {k: v for k, v in given.items() if v is not None})
    if pruning is None and learner is Learner.greedy:
        with out.busy("growing"):
            estimator.fit(table.data, y)
    else:
        # The folds, or the gap that closes, are shown where somebody looks on.
        estimator.set_params(verbose=out.make_console(stderr=True).is_terminal)
        estimator.fit(table.data, y)
        estimator.set_params(verbose=False)
    estimator._name_target(table.target_name)
    console.print(out.styled((str(file), "bold")))
    console.print(out.table_line(table))
    for note in notes:
        console.print(out.styled((note, "dim")))
    console.print()
    out.print_tree(console, estimator, depth=show_depth)
    out.print_score(console, estimator, table, y, folds)
    if model is not None:
        estimator.save(model)
        console.print(f"Saved to {model}")


@app.command()
def predict(
    model: ModelFile,
    file: TableFile,
    *,
    output: Annotated[Path | None, typer.Option(help="CSV to write; otherwise stdout.")] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add each class's probability.")] = False,
    jobs: Annotated[int | None, typer.Option(help="Threads; -1 for all.")] = None,
    delimiter: Delimiter = None,
    decimal: Decimal = ".",
    encoding: Encoding = None,
    na: MissingCells = None,
    no_header: NoHeader = False,
) -> None:
    """Predict the rows of a table with a saved model, as CSV."""
    import ramify
    from ramify.datasets import MISSING_CELLS, read_table_file

    estimator = ramify.load(model)
    if jobs is not None:
        estimator.set_params(n_jobs=jobs)
    if proba and not hasattr(estimator, "predict_proba"):
        raise ValueError("--proba needs a classification model; this one predicts numbers")
    schema = estimator.schema_
    table = read_table_file(
        file,
        columns=schema.names if schema.named else None,
        kinds=_file_kinds(schema) if schema.named else None,
        missing=MISSING_CELLS if na is None else na,
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        header=not no_header,
    )
    X = table.data if schema.named else table.to_frame("numpy")
    heading, columns = ["prediction"], [estimator.predict(X).tolist()]
    if proba:
        heading += [f"p({label})" for label in estimator.classes_]
        columns += estimator.predict_proba(X).T.tolist()
    with nullcontext(sys.stdout) if output is None else open(output, "w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(heading)
        writer.writerows(zip(*columns, strict=True))
    if output is not None:
        typer.echo(f"{table.n_rows} predictions written to {output}", err=True)


@app.command()
def show(
    model: ModelFile,
    *,
    rules: Annotated[bool, typer.Option("--rules", help="As if/then rules.")] = False,
    show_depth: ShowDepth = None,
) -> None:
    """Print a saved model as a tree, or as rules."""
    import ramify
    from ramify import _cli_output as out

    estimator = ramify.load(model)
    console = out.make_console()
    if rules:
        for rule in estimator.tree_.rules():
            console.print(out.coloured(str(rule), estimator))
    else:
        out.print_tree(console, estimator, depth=show_depth)


def _estimator(task: Task, learner: Learner, parameters: dict[str, Any]) -> Any:
    import ramify

    name = "TreeRegressor" if task is Task.regression else "TreeClassifier"
    kind = getattr(ramify, name if learner is Learner.greedy else f"Optimal{name}")
    if foreign := sorted(parameters.keys() - kind().get_params().keys()):
        option = foreign[0].replace("_", "-")
        raise ValueError(f"--{option} does not go with --learner {learner}")
    return kind(**parameters)


def _prepare(table: Dataset, task: Task) -> tuple[Dataset, NDArray[Any], Task, list[str]]:
    """Leave out rows without a target and settle the task; the notes say what was done."""
    import numpy as np

    notes: list[str] = []
    is_text = table.y.dtype == object
    known = np.array([v is not None for v in table.y]) if is_text else ~np.isnan(table.y)
    if not known.any():
        raise ValueError(f"target {table.target_name!r} has no known value")
    if not known.all():
        notes.append(f"{int((~known).sum())} rows without a target are left out")
        table = table.take(known)
    y = table.y
    whole = not is_text and bool(np.all(np.isfinite(y) & (y == np.floor(y))))
    if task is Task.auto:
        few = is_text or (whole and len(np.unique(y)) <= 10)
        task = Task.classification if few else Task.regression
        if not is_text:
            other = Task.regression if few else Task.classification
            notes.append(f"numbers as target, read as {task}; --task {other} to change it")
    if task is Task.regression and is_text:
        raise ValueError(f"target {table.target_name!r} is text; --task regression needs numbers")
    if task is Task.classification and whole:
        y = y.astype(np.int64)
    return table, y, task, notes


def _file_kinds(schema: Any) -> dict[str, Any]:
    """Say how each column of the file must be read to be what the model was fitted on."""
    kinds = {}
    for column in schema.columns:
        if column.kind == "numeric":
            kinds[column.name] = "number"
        elif all(isinstance(level, str) for level in column.levels):
            kinds[column.name] = "text"
    return kinds


def _complain(error: BaseException) -> int:
    """Print an error as one line and give the exit code."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        message, code = str(error.format_message()), int(error.exit_code)
    elif isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        message, code = f"{place}{error.strerror}", 2
    elif isinstance(error, MemoryError):
        message, code = "not enough memory", 1
    elif isinstance(error, ValueError | TypeError | OSError):
        message, code = str(error), 2
    else:
        kind = type(error).__name__
        message = f"{kind}: {error} (a defect of ramify; RAMIFY_TRACEBACK=1 shows where)"
        code = 1
    typer.echo(f"ramify: {' '.join(message.split())}", err=True)
    return code


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    typer.echo(f"ramify: note: {' '.join(str(message).split())}", err=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit code."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            result = app(args=arguments, prog_name="ramify", standalone_mode=False)
        if result == _INTERRUPTED:  # typer may have turned Ctrl-C into this code
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("ramify: interrupted", err=True)
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("RAMIFY_TRACEBACK"):
            raise
        return _complain(error)


if __name__ == "__main__":
    sys.exit(main())
