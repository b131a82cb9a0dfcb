"""`ramify fit`: a tree of a table file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from ramify.cli.files import check_outputs, read_labelled_rows, read_table
from ramify.cli.learners import Learner, LearnerOptions, make_learner
from ramify.cli.options import (
    ColumnOptions,
    FileOptions,
    Folds,
    Jobs,
    Json,
    ShowDepth,
    TableFile,
    Target,
    Task,
    TaskOption,
    given,
)


def fit(
    file: TableFile,
    *,
    target: Target = None,
    model: Annotated[Path | None, "Save the model to this JSON file."] = None,
    report: Annotated[Path | None, "Write a report, an HTML page, to this file."] = None,
    test: Annotated[Path | None, "Rows that the report tests the tree on."] = None,
    task: TaskOption = Task.auto,
    learner: Annotated[
        Learner,
        "greedy: split by split; optimal: the best tree of a depth over its --features; "
        "or a classic.",
    ] = Learner.greedy,
    parameters: LearnerOptions,
    columns: ColumnOptions,
    folds: Folds = None,
    show_depth: ShowDepth = None,
    jobs: Jobs = None,
    json: Json = False,
    form: FileOptions,
) -> None:
    """Grow a tree from a table, print it and its score on rows it has not seen."""
    from ramify.cli import output as out
    from ramify.cli.target import settle_target

    if test is not None and report is None:
        raise ValueError("--test goes with --report")
    check_outputs({"--model": model, "--report": report}, reads=[file, test])
    table = read_table(file, form, columns, target=target)
    table, y, chosen, notes = settle_target(table, task)
    wanted = parameters.parameters() | given({"n_jobs": jobs})
    with out.busy("loading the learners"):  # not earlier: reading a table does not need them
        from ramify.cli.score import fit_and_score, score_json, score_lines, score_training

        estimator = make_learner(learner, chosen, wanted)
    estimator, held_out = fit_and_score(estimator, table.data, y, folds, fit=fit_with_progress)
    estimator.name_target(table.target_name)
    training = score_training(estimator, table.data, y)
    if model is not None:
        estimator.save(model)
    if report is not None:
        X_test, y_test = None, None
        if test is not None:
            X_test, y_test = read_labelled_rows(test, form, estimator, target=None)
        with out.busy("writing the report"):
            estimator.report(report, X_test, y_test, X_train=table.data, y_train=y)
    if json:
        written = {"model": model, "report": report}
        score = score_json(held_out, training)
        out.print_json(_summary(file, table, chosen, learner, estimator, score, notes) | written)
        return
    console = out.introduce(file, table, notes)
    console.print()
    out.print_tree(console, estimator, depth=show_depth)
    if out.is_large(estimator) and not getattr(estimator, "pruning", True):
        console.print(
            out.styled(("--pruning auto finds a smaller one that predicts as well", "dim"))
        )
    console.print(f"\n{out.size_line(estimator, table.n_rows)}")
    lines = score_lines(held_out, training)
    for line in lines[1:] if folds == 0 else lines:
        console.print(line)
    if model is not None:
        console.print(f"Saved to {model}")
    if report is not None:
        console.print(f"Report written to {report}")


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


def _summary(
    file: Path,
    table: Any,
    task: Task,
    learner: Learner,
    estimator: Any,
    score: Any,
    notes: list[str],
) -> dict[str, Any]:
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
        "score": score,
        "notes": notes,
    }
    proof = estimator.proof(all_thresholds="--features all")
    if proof is not None:
        summary |= {
            "proven_optimal": estimator.proven_optimal_,
            "gap": estimator.gap_,
            "proof": proof,
            "searched": {
                name: estimator.search_.get(name)
                for name in ("features", "n_thresholds", "all_thresholds", "all_level_sets")
            },
        }
        if estimator.upper_bound is not None:
            summary["below_upper_bound"] = estimator.below_upper_bound_
    return summary
