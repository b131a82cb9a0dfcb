"""A grown tree with its scores: what `fit` prints, saves and reports of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


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
    rows : int or None
        The number of rows that it was fitted to, if `X` and `y` are a sample of them.
    """

    estimator: Any
    X: Any
    y: Any
    held_out: tuple[Any, ...]
    training: Any
    scored: bool
    rows: int | None = None

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
            "grown_from": len(self.y) if self.rows is None else self.rows,
        }
        return found | _proof(self.estimator)

    def report(self, path: Path, X_test: Any, y_test: Any, *, profile: Any) -> None:
        """Write the report with the scores that are printed."""
        more: dict[str, Any] = {"X_train": self.X, "y_train": self.y}
        # The report itself scores the test rows.
        others = self.held_out if X_test is None else self.held_out[1:]
        more |= {"held_out": others[0] if others else None, "profile": profile}
        if self.rows is not None:
            more["n_permutations"] = 0  # they need all rows that the tree was grown from
        self.estimator.report(path, X_test, y_test, **more)


def print_what_next(
    console: Any,
    estimator: Any,
    typed: Sequence[str],
    file: Path,
    target: str,
    model: Path | None,
    report: Path | None,
    *,
    in_scans: bool = False,
) -> None:
    """Print what was written, and commands to go on with; some need the whole table."""
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
    steps = _next_steps(typed, file, target, model, report)
    out.print_next_steps(console, steps[:-2] if in_scans else steps)


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
