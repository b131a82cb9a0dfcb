"""The page: template, style, scripts and the data, put together in one file."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from ramify.show._cards import Cards
from ramify.show._colours import OTHER, class_colours
from ramify.show.report._data import RARE, example_rows, level_counts, shown_columns, summarise
from ramify.show.report._facts import facts_of
from ramify.show.report._nodes_json import class_labels, columns_json, listed_levels, nodes_json
from ramify.show.report._scores import class_places, held_out_scores
from ramify.show.report._sizes import sizes_of
from ramify.show.svg import tree_to_svg
from ramify.tables.levels import UNSEEN

#: In the order in which they are run.
SCRIPTS = (
    "words.js",
    "layout.js",
    "model.js",
    "rules.js",
    "cards.js",
    "canvas.js",
    "tree.js",
    "details.js",
    "explain.js",
    "curve.js",
    "scores.js",
    "tables.js",
    "main.js",
)


def make_report(estimator: Any, train: Any, test: Any, *, title: str | None) -> str:
    """Give the report of a fitted estimator as HTML.

    Parameters
    ----------
    estimator : estimator of a tree
        A fitted one.
    train, test : tuple or None
        Encoded columns, the target as the tree has it (codes of classes, -1 for a class it does not
        know; or numbers) and the weights or None.
    title : str or None
        Heading; None makes one.
    """
    tree = estimator.tree_
    if tree.abstains:
        raise ValueError(
            "this tree abstains where costs say so, which the report cannot show; to_text(), "
            "rules(), plot() and to_svg() can"
        )
    sizes = sizes_of(estimator)
    known = train or test
    listed = listed_levels(tree, level_counts(tree.schema, known and known[0]))
    title = title or f"Decision tree for {tree.target}"
    shown = shown_columns(sizes.base)
    data: dict[str, Any] = {
        "title": title,
        "task": tree.task,
        "target": tree.target,
        "classes": class_labels(tree),
        "colours": class_colours(tree),
        "places": [] if tree.classes is None else class_places(sizes.base).tolist(),
        "other_colour": OTHER,
        "unseen": tree.unseen,
        "costs": None if tree.costs is None else tree.costs.tolist(),
        "columns": columns_json(tree, listed),
        "nodes": nodes_json(sizes, listed),
        "range": Cards(sizes.base).span,
        "path": _path(sizes, estimator),
        "test": None,
        "importances": _importances(estimator),
        "shown": shown,
        "data": None if known is None else summarise(tree.schema, known[0], shown),
        "data_rows": 0 if known is None else known[0].n_rows,
        "data_of": "training" if train else "test" if test else "",
        "unseen_in_test": _unseen(tree, test, shown),
        "rare": RARE,
        "examples": None,
        "examples_of": "test" if test else "training",
        **facts_of(estimator),
    }
    if known is not None:
        columns, target, _ = test or train
        data |= example_rows(tree.schema, columns, target, shown)
    if test:
        columns, target, weights = test
        data["test"] = held_out_scores(
            sizes,
            columns,
            target,
            weights=weights,
            absolute=_absolute(estimator),
            n_jobs=estimator.n_jobs,
        )
    return page(title, data, tree_to_svg(tree, max_nodes=30))


def page(title: str, data: dict[str, Any], drawing: str) -> str:
    """Fill the template; what comes from data is escaped for where it stands."""
    folder = resources.files("ramify.show.report") / "page"

    def read(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    parts = {
        "title": escape(title.encode("utf-8", "replace").decode("utf-8")),
        "style": read("report.css"),
        "data": as_script(data),
        "drawing": drawing,
        "script": "\n".join(read(name) for name in SCRIPTS),
    }
    # One pass, so that what is put in is never read as a place to fill.
    pieces = read("template.html").split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def as_script(data: Any) -> str:
    """JSON that may stand inside a script element: no tag and no comment can begin in it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _path(sizes: Any, estimator: Any) -> dict[str, Any]:
    return {
        "key_name": sizes.path.key_name,
        "leaves": sizes.leaves,
        "place": sizes.places,
        "key": sizes.column("key"),
        "training": sizes.column("training_error"),
        "error": sizes.column("error"),
        "se": sizes.column("standard_error"),
        "fitted": sizes.fitted,
        "measure": _measure(estimator),
    }


def _measure(estimator: Any) -> str:
    """What the errors are."""
    if estimator.tree_.task == "classification":
        return "share of rows that are wrong" if estimator.tree_.costs is None else "mean cost"
    return "mean absolute error" if _absolute(estimator) else "mean squared error"


def _absolute(estimator: Any) -> bool:
    return bool(getattr(estimator, "criterion", None) == "absolute_error")


def _importances(estimator: Any) -> dict[str, Any]:
    unbiased = getattr(estimator, "unbiased_importances_", None)
    return {
        "gain": [round(float(x), 5) for x in estimator.feature_importances_],
        "unbiased": None if unbiased is None else [round(float(x), 5) for x in unbiased],
    }


def _unseen(tree: Any, test: Any, shown: list[int]) -> list[int] | None:
    if test is None:
        return None
    kinds = [tree.schema.columns[j].kind for j in shown]
    return [
        0 if kind == "numeric" else int((test[0].column(j) == UNSEEN).sum())
        for j, kind in zip(shown, kinds, strict=True)
    ]


def read_rows(estimator: Any, X: Any, y: Any, sample_weight: Any, names: tuple[str, str]) -> Any:
    """Encode rows with their target for a report; None if there are none.

    `names` are those of the parameters, for messages.
    """
    if X is None and y is None:
        return None
    if X is None or y is None:
        given, other = (names[1], names[0]) if X is None else names
        raise ValueError(f"{given} was given without {other}; a report needs both or neither")
    columns = estimator.read(X)
    target = _target(estimator, y, columns.n_rows)
    check_consistent_length(np.empty(columns.n_rows), target)
    weights = None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
        check_consistent_length(weights, target)
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
            raise ValueError("sample_weight must be finite, not negative, and not all zero")
    if columns.n_rows == 0:
        raise ValueError(f"{names[0]} has no rows")
    return columns, target, weights


def _target(estimator: Any, y: Any, n_rows: int) -> Any:
    from ramify.learning.labels import class_codes, numbers

    owner = type(estimator).__name__
    if estimator.tree_.task == "regression":
        return numbers(y, n_rows, owner)
    found, codes = class_codes(y, n_rows, owner)
    index = {label: code for code, label in enumerate(estimator.tree_.classes.tolist())}
    place = np.array([index.get(label, -1) for label in found.tolist()], dtype=np.int64)
    return place[codes]
