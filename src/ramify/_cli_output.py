"""What the command line prints: trees in colour, scores, and what it is busy with."""

from __future__ import annotations

import re
import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold

from ramify.datasets import Dataset

_COLOURS = ("green", "magenta", "yellow", "blue", "red", "cyan")
# Above this many leaves only the top of a tree is printed, unless a depth is asked for.
_MANY_LEAVES = 40
_TOP = 3


def cross_validate(estimator: Any, table: Dataset, y: NDArray[Any], folds: int) -> list[float]:
    """Score the estimator on held-out folds: accuracy or R2; nothing if there are too few rows."""
    classifier = is_classifier(estimator)
    most = int(np.unique(y, return_counts=True)[1].max()) if classifier else len(y) // 2
    folds = min(folds, most)
    if folds < 2:
        return []
    splitter = (StratifiedKFold if classifier else KFold)(folds, shuffle=True, random_state=0)
    scores = []
    with warnings.catch_warnings(), busy("cross-validating"):
        warnings.filterwarnings("ignore", "The least populated class")
        for train, test in splitter.split(np.zeros(len(y)), y):
            fold = clone(estimator).fit(table.take(train).data, y[train])
            predicted = fold.predict(table.take(test).data)
            if classifier:
                scores.append(float(np.mean(predicted == y[test])))
            else:
                spread = float(np.sum((y[test] - y[train].mean()) ** 2))
                error = float(np.sum((y[test] - predicted) ** 2))
                scores.append(1 - error / spread if spread else float(error == 0))
    return scores


def print_score(
    console: Console, estimator: Any, table: Dataset, y: NDArray[Any], folds: int
) -> None:
    """Print the size of a tree, and its score on held-out folds beside the naive one."""
    tree = estimator.tree_
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    console.print(
        f"\n{leaves}, depth {tree.depth:,}, grown from {len(y):,} rows{_proof(estimator)}"
    )
    if not folds:
        return
    scores = cross_validate(estimator, table, y, folds)
    if not scores:
        console.print("Too few rows to cross-validate")
        return
    mean, spread = float(np.mean(scores)), float(np.std(scores))
    if is_classifier(estimator):
        base = float(np.unique(y, return_counts=True)[1].max()) / len(y)
        line = (f"accuracy {mean:.1%}", f" +/- {spread:.1%}, always the largest class {base:.1%}")
    else:
        line = (f"R2 {mean:.3f}", f" +/- {spread:.3f}, the mean alone 0")
    console.print(
        styled((f"{len(scores)}-fold cross-validation: ", ""), (line[0], "bold green"), line[1])
    )


def _proof(estimator: Any) -> str:
    """Say how good a tree is that was searched for."""
    if not hasattr(estimator, "proven_optimal_"):
        return ""
    if estimator.proven_optimal_:
        return "; no tree of this depth has a smaller training error"
    return f"; its training error may be {estimator.gap_:.3g} above the least"


def print_tree(console: Console, estimator: Any, *, depth: int | None = None) -> None:
    """Print a tree, or its top if it is large."""
    tree = estimator.tree_
    cut = depth is None and tree.n_leaves > _MANY_LEAVES
    text = tree.to_text(max_depth=_TOP if cut else depth)
    console.print(coloured(text.rstrip("\n"), estimator))
    if cut:
        note = f"the top of {tree.n_leaves} leaves; --show-depth {tree.depth} prints them all"
        console.print(styled((note, "dim")))


def table_line(table: Dataset) -> str:
    """Give the size of a table in one line."""
    nominal = sum(column.dtype == object for column in table.data.values())
    return (
        f"{table.n_rows:,} rows, {len(table.data) - nominal} numeric and {nominal} nominal "
        f"columns, target {table.target_name}"
    )


def coloured(text: str, estimator: Any) -> Text:
    """Colour the attribute names and class labels of a tree or rule."""
    painted = Text(text)
    styles = dict.fromkeys(estimator.schema_.names, "bold")
    labels = [str(label) for label in getattr(estimator, "classes_", ())]
    if len(labels) <= len(_COLOURS):
        styles |= dict(zip(labels, _COLOURS, strict=False))
    for word, style in styles.items():
        painted.highlight_regex(rf"(?<![\w.]){re.escape(word)}(?![\w.])", style)
    return painted


def styled(*parts: tuple[str, str] | str) -> Text:
    """Give a text of (words, style) parts; brackets in it are not markup."""
    return Text.assemble(*parts)


def make_console(*, stderr: bool = False) -> Console:
    """Give a console that neither colours nor wraps by itself."""
    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def busy(what: str) -> Any:
    """Show a spinner while something runs, if someone is looking."""
    screen = make_console(stderr=True)
    return screen.status(what) if screen.is_terminal else nullcontext()
