"""`ramify fit`: a tree of a table file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ramify.cli.files import check_outputs, read_labelled_rows
from ramify.cli.grown import Grown, print_what_next
from ramify.cli.large.options import GrowingEngineOptions
from ramify.cli.learners import LearnerOptions
from ramify.cli.options import (
    OUTPUT,
    SCORE,
    TREE,
    ClassOptions,
    FileOptions,
    Folds,
    GrowingColumnOptions,
    Jobs,
    Json,
    ShowDepth,
    TableFile,
    Target,
    TaskOption,
    option,
)
from ramify.steps.apart import groups_apart, read_pairs
from ramify.steps.classes import class_parameters, named_classes
from ramify.steps.learners import Learner, make_learner, usual_settings
from ramify.steps.task import Task
from ramify.support.writer import is_same_file


def fit(
    context: typer.Context,
    file: TableFile,
    *,
    target: Target = None,
    task: TaskOption = Task.auto,
    model: Annotated[Path | None, option("Save the model to this file.", panel=OUTPUT)] = None,
    report: Annotated[
        Path | None,
        option("Write the report, a page for the browser, to this file.", panel=OUTPUT),
    ] = None,
    test: Annotated[
        Path | None,
        option("Score the tree on the rows of this file, not by cross-validation.", panel=SCORE),
    ] = None,
    folds: Folds = None,
    hold_out: Annotated[
        bool,
        option(
            "Grow the tree from four fifths of the rows, and score it on the other fifth.",
            "--hold-out",
            panel=SCORE,
        ),
    ] = False,
    columns: GrowingColumnOptions,
    classes: ClassOptions,
    learner: Annotated[
        Learner,
        option(
            "greedy grows split by split, optimal searches for the best tree of a depth. Classics: "
            f"{', '.join(list(Learner)[2:])}.",
            panel=TREE,
            metavar="NAME",
        ),
    ] = Learner.greedy,
    parameters: LearnerOptions,
    engine: GrowingEngineOptions,
    show_depth: ShowDepth = None,
    json: Json = False,
    jobs: Jobs = -1,
    form: FileOptions,
) -> None:
    """Grow a tree from a table and print its score on rows it has not seen.

    The tree is cut back to a small size that predicts about as well as the best. With more than
    50,000 rows, it is grown from four fifths of them and scored on the others.

    FILE may be a folder or a quoted pattern such as 'data/*.parquet'. Then, or with --memory, the
    tree is grown in scans of files that need not fit in memory.
    """
    from ramify.cli import output as out
    from ramify.cli.columns import prepare

    _check_folds(folds, hold_out=hold_out)
    check_outputs({"--model": model, "--report": report}, reads=[file, test, classes.costs])
    typed = context.obj or ["fit", str(file)]  # what was typed is unknown to other callers
    if engine.wanted(file):
        _refuse_in_scans(parameters, hold_out=hold_out)
        from ramify.cli.large.growing import Request, grow_in_scans

        result = grow_in_scans(
            Request(
                file=file,
                target=target,
                task=task,
                test=test,
                folds=folds,
                learner=learner,
                given=parameters.parameters(),
                columns=columns,
                classes=classes,
                engine=engine,
                form=form,
                jobs=jobs,
            )
        )
        written = Written(model, report, json, show_depth)
        _print_result(result, written, file, typed)
        return
    data = prepare(file, form.beside(file, test), columns, target=target, task=task)
    data.ask()
    weights = class_parameters(classes.class_weight, classes.costs, data.task, data.y)
    data = data.weighted(weights)
    given = _parameters(parameters, data.table.data)
    given |= named_classes(given, data.task, data.y)
    usual = usual_settings(learner, data.task, data.table.n_rows, given)
    data = data if "missing" in usual else data.without("missing_tells")
    console = out.make_console()
    if not json:
        data.introduce(console)
    with out.busy("loading the learners"):  # not earlier: reading a table does not need them
        wanted = data.parameters() | usual | given | weights | {"n_jobs": jobs}
        estimator = make_learner(learner, data.task, wanted)
    # With a test file no other score is needed, unless it is asked for.
    folds = folds if test is None or hold_out else folds or 0
    grown = _grow(estimator, data, folds, holds_out=hold_out)
    X_test, y_test = None, None
    if test is not None:
        form = form.beside(test, file)
        X_test, y_test = read_labelled_rows(test, form, grown.estimator, target=None)
        grown = grown.tested(X_test, y_test, test.name)
    if model is not None:
        grown.estimator.save(model)
    if report is not None:
        with out.busy("writing the report"):
            grown.report(report, X_test, y_test, profile=data.profile)
    if json:
        from ramify import __version__

        found = {"ramify": __version__, **data.to_dict(), **grown.to_dict()}
        out.print_json(found | {"learner": learner, "model": model, "report": report})
        return
    console.print()
    for line in grown.lines():
        out.print_line(console, line)
    if test is not None and is_same_file(file, test):
        console.print(f"{test} is the file that the tree was grown from: new rows do worse")
    console.print(f"\n{out.size_line(grown.estimator, data.table.n_rows)}\n")
    out.print_tree(console, grown.estimator, depth=show_depth)
    print_what_next(console, grown.estimator, typed, file, data.target, model, report)


def _check_folds(folds: int | None, *, hold_out: bool) -> None:
    if folds == 1:
        raise ValueError("--folds 1: a cross-validation has 2 folds at least; 0 gives no score")
    if hold_out and folds is not None:
        raise ValueError("--hold-out does not go with --folds: it holds one part out, not folds")


def _refuse_in_scans(parameters: LearnerOptions, *, hold_out: bool) -> None:
    if hold_out or parameters.never_together:
        option = "--hold-out" if hold_out else "--never-together"
        raise ValueError(f"{option} does not go with trees that are grown in scans of files")


def _parameters(options: LearnerOptions, columns: Collection[str]) -> dict[str, Any]:
    """Give the parameters of the learner; some need the names of the columns."""
    found = options.parameters()
    if apart := found.pop("never_together", None):
        found["interactions"] = groups_apart(read_pairs(apart, columns), columns)
    return found


@dataclass(frozen=True)
class Written:
    """What is written of a tree, and where to."""

    model: Path | None
    report: Path | None
    json: bool
    show_depth: int | None


def _print_result(result: Any, written: Written, file: Path, typed: Sequence[str]) -> None:
    """Save and print a tree that was grown in scans."""
    from ramify.cli import output as out

    grown, model, report = result.grown, written.model, written.report
    if model is not None:
        grown.estimator.save(model)
    if report is not None:
        with out.busy("writing the report"):
            grown.report(report, *result.test_rows, profile=None)
    if written.json:
        from ramify import __version__

        found = {"ramify": __version__, **result.about, **grown.to_dict()}
        out.print_json(found | {"learner": Learner.greedy, "model": model, "report": report})
        return
    console = out.make_console()
    out.introduce(console, file, result.size, result.notes)
    console.print()
    for line in grown.lines():
        out.print_line(console, line)
    console.print(f"\n{out.size_line(grown.estimator, result.about['rows'])}\n")
    out.print_tree(console, grown.estimator, depth=written.show_depth)
    target = result.about["target"]
    print_what_next(console, grown.estimator, typed, file, target, model, report, in_scans=True)


def _grow(estimator: Any, data: Any, folds: int | None, *, holds_out: bool) -> Grown:
    """Fit the tree, and score it on rows that it has not seen."""
    from ramify.cli.score import fit_and_score, score_training

    X, y = data.table.data, data.y
    estimator, held_out = fit_and_score(
        estimator, X, y, folds, fit=fit_with_progress, holds_out=holds_out
    )
    estimator.name_target(data.target)
    if held_out is not None and held_out.index is not None:  # it was grown from the other rows
        others = np.ones(len(y), dtype=bool)
        others[held_out.index] = False
        X, y = data.table.take(others).data, y[others]
    training = score_training(estimator, X, y)
    found = () if held_out is None else (held_out,)
    return Grown(estimator, X, y, found, training, scored=folds != 0)


def fit_with_progress(estimator: Any, X: Any, y: Any) -> Any:
    """Fit, and show what is going on if someone is looking."""
    from ramify.cli import output as out

    shows_itself = hasattr(estimator, "time_limit") or getattr(estimator, "pruning", None)
    if shows_itself and out.make_console(stderr=True).is_terminal:
        estimator.set_params(verbose=True)  # shows the folds, or how the gap closes
        estimator.fit(X, y)
        return estimator.set_params(verbose=False)
    with out.busy("growing"):
        return estimator.fit(X, y)
