"""How well a learner does on rows it has not seen: the scores of `fit` in words and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ramify.cli.output import bar
from ramify.learning.held_out import (
    MANY_ROWS,
    HeldOut,
    ScoreValue,
    cross_predict,
    hold_out,
    predict_held_out,
)
from ramify.tables.rows import n_rows_of, take_rows

# So many training rows are enough to see how much better they do.
_TRAINING_ROWS = 100_000
# What is said besides the score that leads.
_MORE = ("accuracy", "balanced_accuracy", "roc_auc", "f1", "cost", "rmse", "mae")


def fit_and_score(
    estimator: Any,
    X: Any,
    y: Any,
    folds: int | None,
    *,
    fit: Callable[..., Any] | None = None,
    holds_out: bool = False,
) -> tuple[Any, HeldOut | None]:
    """Fit an estimator, and score it on rows it has not seen.

    Up to 50,000 rows it learns from all of them, and folds of them give the score. Above, and if no
    number of folds is asked for, it learns from four fifths and is scored on the other fifth.

    Parameters
    ----------
    estimator : estimator
        What to fit.
    X, y
        The table and its target.
    folds : int or None
        0 gives no score.
    fit : callable or None
        Called with the estimator, X and y in place of its `fit`, to show progress.
    holds_out : bool
        Whether a fifth is held out in any case.

    Returns
    -------
    tuple of estimator and HeldOut or None
        The fitted estimator, and its score; None if none was asked for or rows are too few.
    """
    if holds_out or (folds is None and n_rows_of(X) > MANY_ROWS):
        return hold_out(estimator, X, y, fit=fit)
    estimator = estimator.fit(X, y) if fit is None else fit(estimator, X, y)
    return estimator, None if folds == 0 else cross_score(estimator, X, y, folds)


def cross_score(estimator: Any, X: Any, y: Any, folds: int | None = None) -> HeldOut | None:
    """Cross-validate with a progress bar; None if there are too few rows."""
    with bar("scoring on rows held out") as progress:
        return cross_predict(estimator, X, y, folds=folds, progress=progress)


def score_training(estimator: Any, X: Any, y: Any) -> HeldOut:
    """Predict the rows that an estimator was fitted on, or many of them.

    The score of these rows is too good; beside that of rows held out, it shows by how much.
    """
    n = n_rows_of(X)
    how = "the training rows"
    if n > _TRAINING_ROWS:
        rows = np.linspace(0, n - 1, _TRAINING_ROWS).astype(np.intp)
        X, part = take_rows(X, rows), y[rows]
        how += f" ({_TRAINING_ROWS:,} of {n:,})"
    else:
        part = y
    return predict_held_out(estimator, X, part, how=how, y_train=y)


def score_lines(held_out: HeldOut | None, training: HeldOut | None = None) -> list[str]:
    """Give the scores in words: on rows that were held out first, on the training rows last.

    Every score has the score of a constant answer beside it, in brackets.
    """
    lines = []
    if held_out is None:
        lines.append("There are too few rows to score the tree on rows it has not seen")
    else:
        lead = held_out.leading
        lines.append(f"{_where(held_out)}: {lead.label} {lead}")
        more = [held_out.score(name) for name in held_out.names()[1:] if name in _MORE]
        if more:
            text = ", ".join(f"{score.label} {_with_baseline(score)}" for score in more)
            lines.append(text[:1].upper() + text[1:])
        if not _beats_the_baseline(lead, held_out):
            lines.append(_no_better(lead, more, held_out))
    if training is not None:
        lead = training.leading
        lines.append(f"On {training.how}: {lead.label} {lead.text.partition(' ±')[0]}")
    return lines


def score_json(held_out: HeldOut | None, training: HeldOut | None = None) -> dict[str, Any] | None:
    """Give the scores as JSON; null if there are none. The leading score stands at the top."""
    if held_out is None and training is None:
        return None
    found: dict[str, Any] = {}
    if held_out is not None:
        lead = held_out.leading
        found |= {
            "name": lead.name,
            "mean": lead.mean,
            "spread": lead.spread,
            "baseline": lead.baseline,
            "how": held_out.how,
            "rows": held_out.rows,
            "folds": held_out.n_folds,
            "scores": {score.name: _numbers(score) for score in held_out.scores()},
        }
    if training is not None:
        found["training"] = {name: training.mean(name) for name in training.names()}
    return found


def _numbers(score: ScoreValue) -> dict[str, Any]:
    return {
        "label": score.label,
        "mean": score.mean,
        "spread": score.spread,
        "baseline": score.baseline,
        "greater_is_better": score.greater_is_better,
    }


def _where(held_out: HeldOut) -> str:
    return held_out.how if held_out.n_folds > 1 else f"On {held_out.how}"


def _with_baseline(score: ScoreValue) -> str:
    return f"{score.text} ({score.baseline_text.rpartition(': ')[2]})"


def _no_better(lead: ScoreValue, more: list[ScoreValue], held_out: HeldOut) -> str:
    """Say that a constant answer is as good, unless that is because one class is rare."""
    text = f"The tree is no better than a constant answer ({lead.guess})"
    balanced = [one for one in more if one.name == "balanced_accuracy"]
    if balanced and _beats_the_baseline(balanced[0], held_out):
        return f"By {lead.label}, t{text[1:]}; by {balanced[0].label}, it is"
    return text


def _beats_the_baseline(score: ScoreValue, held_out: HeldOut) -> bool:
    """Tell whether a score is above its baseline by more than its standard error."""
    error = score.spread / held_out.n_folds**0.5
    better = score.mean - score.baseline
    return not (better if score.greater_is_better else -better) <= error
