"""Scores of the trees of a report on rows that they were not fitted on.

The rows are test rows, which every size of the tree can predict, or predictions that were made
before (`HeldOut`), which are those of the fitted size alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.learning import parameters as check
from ramify.learning.held_out import HeldOut, predict_held_out
from ramify.learning.measures import MEASURES, Ranking
from ramify.learning.number_loss import NumberLoss
from ramify.learning.weights import above_the_cheapest
from ramify.show.report.residuals import residuals, scattered
from ramify.show.report.rows import ReportRows
from ramify.show.report.sizes import Sizes
from ramify.support.page.json_numbers import short_number
from ramify.tree import Tree

_STEPS = 60  # the most trees of the sequence that are tested
_MATRICES = 12_000  # the most cells of all confusion matrices in a file
_MOST_CLASSES = 24
_GROUPS = 120  # the most points of a curve
_CURVES = 6_000  # the most points of the curves of all sizes
_RANKED = 200_000  # rows times classes up to which every size has measures of rankings


def errors_by_size(
    sizes: Sizes, rows: ReportRows, *, loss: NumberLoss, n_jobs: Any
) -> dict[str, Any]:
    """The error of every size on test rows, for the curve of sizes.

    Parameters
    ----------
    sizes : Sizes
        The trees.
    rows : ReportRows
        The test rows.
    loss : NumberLoss
        How the errors of a regression are measured. Infinite ones are not given.
    n_jobs : int or None
        Threads.
    """
    table, target, threads = rows.table.cells, rows.target, check.threads(n_jobs)
    w = np.ones(len(target)) if rows.weights is None else rows.weights
    error: list[float | None] = [None] * len(sizes.rows)
    for step in tested_steps(sizes):
        if sizes.base.task == "regression":
            predicted = sizes.core(step).predict(table, sizes.base.unseen, threads)[:, 0]
            off = loss.of(target, predicted)
        else:
            labels = _labels(sizes.base, sizes.core(step), table, threads)
            off = _losses(sizes.base, labels, target)
        mean = float((off[w > 0] * w[w > 0]).sum() / w.sum())
        error[step] = mean if np.isfinite(mean) else None
    return {"rows": rows.table.n_rows, "error": error}


def held_out_json(estimator: Any, sizes: Sizes, test: ReportRows, given: HeldOut | None) -> Any:
    """What the page says of test rows: measures, confusion matrix and curves of every size.

    Parameters
    ----------
    estimator : estimator of one tree
        A fitted one.
    sizes : Sizes
        The trees.
    test : ReportRows
        The test rows.
    given : HeldOut or None
        Predictions of the same rows by the same tree, which name their file.
    """
    tree, table, threads = sizes.base, test.table.cells, check.threads(estimator.n_jobs)
    base = given or predict_held_out(
        estimator, test.X, test.labels, how="test rows", sample_weight=test.weights
    )
    found = _heading(base, "Test rows")
    found["unknown"] = 0 if tree.classes is None else int((test.target < 0).sum())
    found["steps"] = {str(sizes.fitted): _details(tree, base)}
    others = [step for step in tested_steps(sizes) if step != sizes.fitted]
    small = base.rows * max(1, _n_classes(tree)) <= _RANKED
    for step in others:
        core = sizes.core(step)
        values = core.predict(table, tree.unseen, threads)
        if tree.classes is None:
            held = replace(base, predicted=values[:, 0])
        else:
            shares = np.zeros((base.rows, len(base.classes)))  # type: ignore[arg-type]
            shares[:, : values.shape[1]] = values
            labels = _labels(tree, core, table, threads)
            held = replace(base, predicted=labels, probabilities=shares)
        found["steps"][str(step)] = _details(tree, held, quick=True, ranked=small)
    _keep_within_budget(found["steps"], str(sizes.fitted))
    return found


def validated_json(sizes: Sizes, held: HeldOut) -> dict[str, Any]:
    """What the page says of predictions that were made before."""
    found = _heading(held, "Cross-validation" if held.n_folds > 1 else "Held out")
    places = _places_of(sizes.base, held)
    found["unknown"] = 0 if places is None else int((places[held.y] < 0).sum())
    found["steps"] = {str(sizes.fitted): _details(sizes.base, held)}
    _keep_within_budget(found["steps"], str(sizes.fitted))
    return found


def training_json(estimator: Any, train: ReportRows) -> dict[str, Any]:
    """The measures of the fitted tree on its training rows."""
    held = predict_held_out(
        estimator, train.X, train.labels, how="training rows", sample_weight=train.weights
    )
    means = _means(held, held.names())
    labels = {name: MEASURES[name].label_for(held.classes) for name in held.names()}
    return {
        "rows": held.rows,
        "scores": [
            {"name": name, "label": labels[name], "mean": mean, "baseline": baseline}
            for name, mean, baseline in zip(held.names(), means, _baselines(held), strict=True)
        ],
    }


def also_json(held: HeldOut) -> dict[str, Any]:
    """The measures of a second set of held-out rows."""
    return _heading(held, "Cross-validation" if held.n_folds > 1 else "Held out")


def same_rows(held: HeldOut | None, test: ReportRows | None) -> bool:
    """Whether predictions that were made before are those of the test rows."""
    if held is None or test is None or held.n_folds > 1 or held.rows != test.table.n_rows:
        return False
    if test.target.dtype.kind == "f":
        return bool(np.array_equal(held.y, test.target))
    return bool((held.y[test.target >= 0] == test.target[test.target >= 0]).all())


def class_places(tree: Tree) -> NDArray[np.int64]:
    """Per class its row in a confusion matrix; if very many, the rare ones share the last."""
    weight = tree.data["value"][0]
    place = np.full(len(weight), _MOST_CLASSES, dtype=np.int64)
    frequent = np.sort(np.argsort(-weight, kind="stable")[:_MOST_CLASSES])
    place[frequent] = np.arange(len(frequent))
    return place


def tested_steps(sizes: Sizes) -> list[int]:
    """The sizes to test: all, or some at even ratios of their leaves, and the fitted one."""
    leaves = sizes.leaves
    if len(leaves) <= _STEPS:
        return list(range(len(leaves)))
    wanted = np.geomspace(1, leaves[0], _STEPS)
    nearest = [int(np.argmin(np.abs(np.log(leaves) - np.log(size)))) for size in wanted]
    return sorted({0, *nearest, sizes.fitted, len(leaves) - 1})


def _heading(held: HeldOut, short: str) -> dict[str, Any]:
    return {
        "how": held.how,
        "short": short,
        "rows": held.rows,
        "folds": held.n_folds,
        "weighted": held.weights is not None,
        "scores": [score.to_dict() for score in held.scores()],
    }


def _details(
    tree: Tree, held: HeldOut, *, quick: bool = False, ranked: bool = True
) -> dict[str, Any]:
    """What is said of one size. A quick one has no spreads."""
    names = held.names()
    found: dict[str, Any] = {"means": [], "spreads": [None] * len(names)}
    if quick:
        found["means"] = _means(held, names, ranked=ranked)
    else:
        scores = held.scores()
        found["means"] = [short_number(one.mean) for one in scores]
        found["spreads"] = [short_number(one.spread) for one in scores]
    if tree.classes is None:
        return found | {"points": scattered(held), "residuals": residuals(held)}
    places = _places_of(tree, held)
    assert places is not None
    y, predicted = places[held.y], places[held.predicted]
    known = (y >= 0) & (predicted >= 0)
    n = int(class_places(tree).max()) + 1
    place = class_places(tree)
    cells = place[y[known]] * n + place[predicted[known]]
    w = None if held.weights is None else held.weights[known]
    matrix = np.bincount(cells, weights=w, minlength=n**2)
    found["matrix"] = [short_number(x) for x in matrix.tolist()]
    if held.probabilities is not None and ranked:
        found["ranked"] = _rankings(tree, held, places, y)
    return found


def _rankings(
    tree: Tree, held: HeldOut, places: NDArray[np.int64], y: NDArray[np.int64]
) -> list[list[list[float]]]:
    """Per place of a class its rows as groups: probability, weight of the class and of others."""
    assert held.probabilities is not None
    place = class_places(tree)
    rankings: list[list[list[float]]] = [[] for _ in range(int(place.max()) + 1)]
    known = y >= 0
    w = None if held.weights is None else held.weights[known]
    for code in np.flatnonzero(np.bincount(place)[place] == 1).tolist():
        column = np.flatnonzero(places == code)
        if len(column) == 0:
            continue
        shares = np.ascontiguousarray(held.probabilities[known, column[0]])
        rankings[place[code]] = _groups(shares, y[known] == code, w)
    return rankings


def _groups(
    share: NDArray[np.float64], own: NDArray[np.bool_], weights: NDArray[np.float64] | None
) -> list[list[float]]:
    if not len(share):
        return []
    ranking = Ranking.of(share, own, weights)
    n = len(ranking.threshold)
    last = np.arange(n)
    if n > _GROUPS:
        # Neighbours are joined; each group has about the same part of both curves.
        way = ranking.found / max(ranking.positives, 1e-300)
        way = way + ranking.wrong / max(ranking.negatives, 1e-300)
        last = np.unique(np.searchsorted(way, np.linspace(0, way[-1], _GROUPS + 1)[1:] - 1e-9))
        last = np.unique(np.append(np.minimum(last, n - 1), n - 1))
    found = np.diff(ranking.found, prepend=0.0)
    wrong = np.diff(ranking.wrong, prepend=0.0)
    starts = np.append(0, last[:-1] + 1)
    weight = np.add.reduceat(found + wrong, starts)
    total = np.add.reduceat(ranking.threshold * (found + wrong), starts)
    middle = np.divide(total, weight, out=ranking.threshold[last].copy(), where=weight > 0)
    own_sums, other_sums = np.add.reduceat(found, starts), np.add.reduceat(wrong, starts)
    return [
        [float(f"{p:.6g}"), float(f"{a:.6g}"), float(f"{b:.6g}")]
        for p, a, b in zip(middle.tolist(), own_sums.tolist(), other_sums.tolist(), strict=True)
    ]


def _keep_within_budget(steps: dict[str, dict[str, Any]], fitted: str) -> None:
    """Leave out matrices and curves of other sizes if they would make a large file."""
    cells = sum(len(one.get("matrix", ())) for one in steps.values())
    points = sum(len(groups) for one in steps.values() for groups in one.get("ranked", ()))
    for name, one in steps.items():
        if name == fitted:
            continue
        one.pop("points", None)
        if cells > _MATRICES:
            one.pop("matrix", None)
        if points > _CURVES:
            one.pop("ranked", None)


def _means(held: HeldOut, names: list[str], *, ranked: bool = True) -> list[float | None]:
    return [
        None
        if not ranked and MEASURES[name].needs == "rankings"
        else short_number(MEASURES[name].compute(held.answers))
        for name in names
    ]


def _baselines(held: HeldOut) -> list[float | None]:
    guess = held.guesses[0]
    return [short_number(MEASURES[name].baseline(held.answers, guess)) for name in held.names()]


def _places_of(tree: Tree, held: HeldOut) -> NDArray[np.int64] | None:
    """Per class of the predictions its code in the tree; -1 if the tree does not have it."""
    if tree.classes is None or held.classes is None:
        return None
    index = {label: code for code, label in enumerate(tree.classes.tolist())}
    return np.array([index.get(label, -1) for label in held.classes.tolist()], dtype=np.int64)


def _n_classes(tree: Tree) -> int:
    return 0 if tree.classes is None else len(tree.classes)


def _labels(tree: Tree, core: _core.Tree, table: Any, threads: int) -> NDArray[np.int64]:
    return tree.with_core(core).predict_codes(table, threads)


def _losses(tree: Tree, predicted: NDArray[np.int64], target: NDArray[Any]) -> NDArray[np.float64]:
    """Per row 1 if it is wrong, or its cost; a class that the tree does not know is wrong."""
    if tree.costs is None:
        return np.asarray(predicted != target, dtype=np.float64)
    known = np.maximum(target, 0)
    costs = above_the_cheapest(tree.costs)
    return np.where(target < 0, float(costs.max()), costs[known, predicted])
