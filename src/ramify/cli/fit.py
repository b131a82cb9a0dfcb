"""`ramify fit`: a tree of a table file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.cli._learners import Learner, make_learner
from ramify.cli._options import (
    Folds,
    Ignore,
    Jobs,
    Json,
    Nominal,
    Numeric,
    Reading,
    ShowDepth,
    TableFile,
    Target,
    Task,
    TaskOption,
    check_outputs,
    given,
    load_tree,
)
from ramify.cli.report import read_rows


def fit(
    file: TableFile,
    *,
    target: Target = None,
    model: Annotated[Path | None, typer.Option(help="Save the model to this JSON file.")] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a report, an HTML page, to this file.")
    ] = None,
    test: Annotated[
        Path | None, typer.Option(help="Rows for the report to judge the tree by.")
    ] = None,
    task: TaskOption = Task.auto,
    learner: Annotated[
        Learner,
        typer.Option(
            help="Split by split, the best tree of a depth over its --features, or a classic."
        ),
    ] = Learner.greedy,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds of an optimal search, or of a pruning's folds.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(help="Largest depth.")] = None,
    max_leaves: Annotated[int | None, typer.Option(help="Largest number of leaves.")] = None,
    min_samples_leaf: Annotated[int | None, typer.Option(help="Rows in a leaf, at least.")] = None,
    features: Annotated[
        str | None, typer.Option(help="optimal: the questions to search: auto, binary, mid or all.")
    ] = None,
    n_thresholds: Annotated[
        str | None, typer.Option(help="optimal: thresholds of mid: a number, grow or mdl.")
    ] = None,
    threshold_impurity: Annotated[
        str | None, typer.Option(help="optimal: what ranks the thresholds of mid: entropy or gini.")
    ] = None,
    start: Annotated[
        Path | None, typer.Option(help="optimal: begin with the tree of this saved model.")
    ] = None,
    upper_bound: Annotated[
        float | None, typer.Option(help="optimal: search only for trees with less error than this.")
    ] = None,
    criterion: Annotated[str | None, typer.Option(help="gini, entropy, squared_error...")] = None,
    categorical_split: Annotated[
        str | None, typer.Option(help="auto, exact, multiway, merge, pc_ext...")
    ] = None,
    selection: Annotated[
        str | None, typer.Option(help="criterion, conditional_inference or chaid.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Largest p-value of conditional inference or CHAID.")
    ] = None,
    growth: Annotated[str | None, typer.Option(help="depth_first or best_first.")] = None,
    pruning: Annotated[
        str | None, typer.Option(help="none, auto, cost_complexity, best_first, mdl...")
    ] = None,
    missing: Annotated[str | None, typer.Option(help="fractional, separate, direction.")] = None,
    missing_gain: Annotated[
        str | None, typer.Option(help="Gain of a split with divided rows: known, divided.")
    ] = None,
    missing_count: Annotated[
        str | None, typer.Option(help="What a divided row counts for: parts, pieces.")
    ] = None,
    ignore: Ignore = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    folds: Folds = None,
    show_depth: ShowDepth = None,
    jobs: Jobs = None,
    json: Json = False,
    reading: Reading,
) -> None:
    """Grow a tree from a table, print it and its score on rows it has not seen."""
    from ramify.cli import _output as out
    from ramify.cli._target import settle_target

    if test is not None and report is None:
        raise ValueError("--test goes with --report")
    check_outputs({"--model": model, "--report": report}, reads=[file, test])
    table = reading.table(file, target=target, ignore=ignore, nominal=nominal, numeric=numeric)
    table, y, chosen, notes = settle_target(table, task)
    parameters = given(
        {
            "max_depth": max_depth,
            "max_leaves": max_leaves,
            "min_samples_leaf": min_samples_leaf,
            "features": features,
            "n_thresholds": _number_or_word(n_thresholds),
            "threshold_impurity": threshold_impurity,
            "start": None if start is None else load_tree(start).tree_,
            "upper_bound": upper_bound,
            "criterion": criterion,
            "categorical_split": categorical_split,
            "selection": selection,
            "alpha": alpha,
            "growth": growth,
            "pruning": pruning,
            "missing": missing,
            "missing_gain": missing_gain,
            "missing_count": missing_count,
            "n_jobs": jobs,
            "time_limit": time_limit,
        }
    )
    with out.busy("loading the learners"):  # not earlier: a table is read without them
        from ramify.cli._score import measure

        estimator = make_learner(learner, chosen, parameters)
    estimator = fit_with_progress(estimator, table.data, y)
    estimator.name_target(table.target_name)
    score = None if folds == 0 else measure(estimator, table, y, folds)
    if model is not None:
        estimator.save(model)
    if report is not None:
        X_test, y_test = (None, None) if test is None else read_rows(test, estimator, None, reading)
        with out.busy("writing the report"):
            estimator.report(report, X_test, y_test, X_train=table.data, y_train=y)
    if json:
        written = {"model": model, "report": report}
        out.print_json(_summary(file, table, chosen, learner, estimator, score, notes) | written)
        return
    console = out.make_console()
    console.print(out.styled((str(file), "bold")))
    console.print(out.table_line(table))
    for note in notes:
        console.print(out.styled((note, "dim")))
    console.print()
    out.print_tree(console, estimator, depth=show_depth)
    if out.is_large(estimator) and not getattr(estimator, "pruning", True):
        console.print(
            out.styled(("--pruning auto finds a smaller one that predicts as well", "dim"))
        )
    console.print(f"\n{out.size_line(estimator, table.n_rows)}")
    if folds != 0:
        console.print(str(score or "Too few rows to score it on rows it has not seen"))
    if model is not None:
        console.print(f"Saved to {model}")
    if report is not None:
        console.print(f"Report written to {report}")


def _number_or_word(value: str | None) -> int | str | None:
    return int(value) if value is not None and value.isdecimal() else value


def fit_with_progress(estimator: Any, X: Any, y: Any) -> Any:
    """Fit, and show what is going on where somebody looks on."""
    from ramify.cli import _output as out

    shows_itself = hasattr(estimator, "time_limit") or getattr(estimator, "pruning", None)
    if shows_itself and out.make_console(stderr=True).is_terminal:
        estimator.set_params(verbose=True)  # the folds, or the gap that closes
        estimator.fit(X, y)
        return estimator.set_params(verbose=False)
    with out.busy("growing"):
        return estimator.fit(X, y)


def _summary(
    file: Path,
    table: Any,
    task: Task,
    learner: Learner,
    estimator: Any,
    score: Any,
    notes: list[str],
) -> dict[str, Any]:
    from dataclasses import asdict

    from ramify import __version__

    summary = {
        "ramify": __version__,
        "file": str(file),
        "rows": table.n_rows,
        "columns": list(table.data),
        "target": table.target_name,
        "task": task,
        "learner": learner,
        "leaves": estimator.tree_.n_leaves,
        "depth": estimator.tree_.depth,
        "score": None if score is None else asdict(score),
        "notes": notes,
    }
    if hasattr(estimator, "proven_optimal_"):
        from ramify.trees.optimal.claim import describe_proof

        summary |= {
            "proven_optimal": estimator.proven_optimal_,
            "gap": estimator.gap_,
            "proof": describe_proof(estimator, all_thresholds="--features all"),
            "searched": {
                name: estimator.search_.get(name)
                for name in ("features", "n_thresholds", "all_thresholds", "all_level_sets")
            },
        }
        if estimator.upper_bound is not None:
            summary["below_upper_bound"] = estimator.below_upper_bound_
    return summary
