"""`ramify fit`: a tree of a table file."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ramify.cli.classes import class_parameters
from ramify.cli.files import check_outputs, read_labelled_rows
from ramify.cli.learners import Learner, LearnerOptions, make_learner, usual_settings
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
    Task,
    TaskOption,
    option,
)
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
    show_depth: ShowDepth = None,
    json: Json = False,
    jobs: Jobs = -1,
    form: FileOptions,
) -> None:
    """Grow a tree from a table and print its score on rows it has not seen.

    The tree is cut back to a small size that predicts about as well as the best. With more than
    50,000 rows, it is grown from four fifths of them and scored on the others.
    """
    from ramify.cli import output as out
    from ramify.cli.columns import prepare

    if folds == 1:
        raise ValueError("--folds 1: a cross-validation has 2 folds at least; 0 gives no score")
    check_outputs({"--model": model, "--report": report}, reads=[file, test, classes.costs])
    data = prepare(file, form.beside(file, test), columns, target=target, task=task)
    data.ask()
    weights = class_parameters(classes, data.task, data.y)
    data = data.weighted(weights)
    given = parameters.parameters()
    usual = usual_settings(learner, data.task, data.table.n_rows, given)
    data = data if "missing" in usual else data.without("missing_tells")
    console = out.make_console()
    if not json:
        data.introduce(console)
    with out.busy("loading the learners"):  # not earlier: reading a table does not need them
        wanted = data.parameters() | usual | given | weights | {"n_jobs": jobs}
        estimator = make_learner(learner, data.task, wanted)
    # With a test file no other score is needed, unless it is asked for.
    grown = _grow(estimator, data, folds if test is None else folds or 0)
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
    typed = context.obj or ["fit", str(file)]  # what was typed is unknown to other callers
    _print_what_next(console, grown.estimator, typed, data, model, report)


@dataclass(frozen=True)
class Grown:
    """A fitted tree with its scores.

    Parameters
    ----------
    estimator : estimator
        It is fitted.
    X, y : TableDict and ndarray
        The rows that it was fitted to.
    held_out : tuple of HeldOut
        Scores on rows that it has not seen, the one that leads first.
    training : HeldOut
        Its score on the rows that it was fitted to.
    scored : bool
        Whether a score on held-out rows was asked for.
    """

    estimator: Any
    X: Any
    y: Any
    held_out: tuple[Any, ...]
    training: Any
    scored: bool

    @property
    def first(self) -> Any:
        """The score that leads; None if there is none."""
        return self.held_out[0] if self.held_out else None

    def tested(self, X: Any, y: Any, name: str) -> Grown:
        """Score the tree on a test file, too; that score leads."""
        from ramify.learning.held_out import predict_held_out

        found = predict_held_out(self.estimator, X, y, how=name, y_train=self.y)
        return replace(self, held_out=(found, *self.held_out), scored=True)

    def lines(self) -> list[str]:
        """Give the scores in words: held-out rows first, training rows last."""
        from ramify.cli.score import score_lines

        found = [line for one in self.held_out for line in score_lines(one)]
        if self.scored and not self.held_out:
            found = score_lines(None)
        return [*found, score_lines(None, self.training)[-1]]

    def to_dict(self) -> dict[str, Any]:
        """Give the scores and the size as JSON."""
        from ramify.cli.score import score_json

        tree = self.estimator.tree_
        found = {
            "score": score_json(self.first, self.training),
            "leaves": tree.n_leaves,
            "depth": tree.depth,
            "grown_from": len(self.y),
        }
        return found | _proof(self.estimator)

    def report(self, path: Path, X_test: Any, y_test: Any, *, profile: Any) -> None:
        """Write the report with the scores that are printed."""
        more: dict[str, Any] = {"X_train": self.X, "y_train": self.y}
        # The report itself scores the test rows.
        others = self.held_out if X_test is None else self.held_out[1:]
        more |= {"held_out": others[0] if others else None, "profile": profile}
        self.estimator.report(path, X_test, y_test, **more)


def _grow(estimator: Any, data: Any, folds: int | None) -> Grown:
    """Fit the tree, and score it on rows that it has not seen."""
    from ramify.cli.score import fit_and_score, score_training

    X, y = data.table.data, data.y
    estimator, held_out = fit_and_score(estimator, X, y, folds, fit=fit_with_progress)
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


def _print_what_next(
    console: Any,
    estimator: Any,
    typed: Sequence[str],
    data: Any,
    model: Path | None,
    report: Path | None,
) -> None:
    """Print what was written, and commands to go on with."""
    from ramify.cli import output as out

    if out.is_large(estimator) and not getattr(estimator, "pruning", True):
        note = "--pruning auto finds a smaller tree that predicts as well."
        console.print(out.styled((note, "dim")))
    if _answers_one_class(estimator):
        note = (
            "No tree was clearly better than one answer for all rows, so this one asks nothing. "
            "--class-weight balanced may show what sets the classes apart."
        )
        out.print_line(console, note)
    if model is not None or report is not None:
        console.print()
    if model is not None:
        console.print(f"Saved to {model}")
    if report is not None:
        console.print(f"Report written to {report}; open it in a browser")
    out.print_next_steps(console, _next_steps(typed, data.file, data.target, model, report))


def _answers_one_class(estimator: Any) -> bool:
    """Tell whether a tree of several classes is one leaf, though no class was given a weight."""
    given = [getattr(estimator, name, None) for name in ("class_weight", "costs")]
    several = len(getattr(estimator, "classes_", ())) > 1
    return several and given == [None, None] and estimator.tree_.n_leaves == 1


def _next_steps(
    typed: Sequence[str], file: Path, target: str, model: Path | None, report: Path | None
) -> list[tuple[str, str]]:
    """Give the commands that a user may want next, with the names of the files at hand."""

    def command(*words: object) -> str:
        return shlex.join(["ramify", *map(str, words)])

    of_target = (file, "--target", target)
    steps: list[tuple[str, str]] = []
    named = any(word.startswith("--target") for word in typed)
    again = typed if named else [*typed, "--target", target]
    if model is None:
        name = f"{file.name.split('.')[0]}-tree"
        outputs = ["--model", f"{name}.json"]
        if report is None:
            outputs += ["--report", f"{name}.html"]
        what = "save the tree and write its report" if report is None else "save the tree"
        steps.append((command(*again, *outputs), what))
    else:
        new = f"NEW{''.join(file.suffixes)}"
        steps.append(
            (command("predict", model, new, "--output", "predictions.csv"), "predict new rows")
        )
        if report is None:
            # Not `report MODEL FILE`: it would take the training rows for rows to test on.
            page = model.with_suffix(".html")
            steps.append((command(*again, "--report", page), "a page to read and to show"))
    steps.append((command("profile", *of_target), "what is in the columns"))
    steps.append((command("compare", *of_target), "which learner is best here"))
    return steps


def _proof(estimator: Any) -> dict[str, Any]:
    """Give what an optimal search has proven; nothing for other learners."""
    proof = estimator.proof(all_thresholds="--features all")
    if proof is None:
        return {}
    found = {
        "proven_optimal": estimator.proven_optimal_,
        "gap": estimator.gap_,
        "proof": proof,
        "searched": {
            name: estimator.search_.get(name)
            for name in ("features", "n_thresholds", "all_thresholds", "all_level_sets")
        },
    }
    if estimator.upper_bound is not None:
        found["below_upper_bound"] = estimator.below_upper_bound_
    return found
