"""Model files with one change each, and a function that uses everything a loaded model can do.

``changes`` gives the changes of a place of a document. ``use`` raises unless everything works that
needs no training rows.
"""

from __future__ import annotations

import copy
import datetime as dt
import functools
import json
import pickle
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

import ramify
from helpers.edit_data import hand_edited
from helpers.handmade import weather
from ramify import TreeClassifier, TreeRegressor
from ramify.export import ExportError
from ramify.files import ModelFileError, dumps, loads
from ramify.pruning import CostComplexity

X, y = weather()
X = X.assign(size=pd.Categorical(["S", "M", "L", "XL"] * 3 + ["S", "L"], ordered=True))
HOLES = X.astype({"outlook": object})
HOLES.loc[[1, 7], "humidity"] = np.nan
HOLES.loc[[3, 4], "outlook"] = None
NUMBERS = X["temperature"] / 7 + (X["outlook"] == "sunny")
THREE = np.array(["a", "b", "c"])[(X["temperature"] > 72).astype(int) + (X["humidity"] > 80)]
COSTS = [[0.0, 1.0], [3.0, 0.0]]
MORE_COSTS = [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [3.0, 1.0, 0.0]]

#: Levels that JSON has no word for.
LEVELS = pd.DataFrame(
    {
        "cut": pd.cut(X["humidity"], 3),
        "day": pd.Series([dt.date(2024, 2, 27 + i % 3) for i in range(14)]),
        "pair": pd.Series([(i % 2, "a" if i < 9 else "b") for i in range(14)]),
        "hours": pd.Series([dt.timedelta(hours=i % 4) for i in range(14)], dtype=object),
    }
)

#: Dates with parts, levels that are pooled, a column that is left out.
FRONT = pd.DataFrame(
    {
        "sold": pd.date_range("2023-01-30", periods=14, freq="40D"),
        "at": pd.date_range("2023-01-30 05:00", periods=14, freq="7h", tz="Europe/Berlin"),
        "name": [f"car {i}" for i in range(14)],
        "town": list("aaaaabbbbbcdef"),
    }
)

#: One of every kind of estimator, and of every kind of pruning that a file holds.
MODELS: dict[str, Callable[[], Any]] = {
    "tree": lambda: TreeClassifier().fit(HOLES, y),
    "multiway": lambda: TreeClassifier(categorical_split="multiway", costs=COSTS).fit(HOLES, y),
    "inference": lambda: TreeClassifier(selection="conditional_inference", alpha=0.9).fit(X, y),
    "levels": lambda: TreeClassifier(categorical_split="multiway").fit(LEVELS, THREE),
    "front": lambda: TreeClassifier(min_level_count=2, identifiers="drop").fit(FRONT, THREE),
    "regression": lambda: TreeRegressor(missing="separate").fit(HOLES, NUMBERS),
    "cut": lambda: TreeClassifier(pruning=CostComplexity(folds=4), costs=MORE_COSTS).fit(
        HOLES, THREE
    ),
    "cut regression": lambda: TreeRegressor(pruning="best_first").fit(X, NUMBERS),
    "cut by gain": lambda: TreeClassifier(pruning="critical_value").fit(X, THREE),
    "reshaped": lambda: TreeClassifier(pruning="error_based").fit(HOLES, y),
    "edited": lambda: hand_edited(TreeClassifier(max_depth=3).fit(HOLES, y), HOLES, y, lock=False),
    "edited regression": lambda: hand_edited(
        TreeRegressor(max_depth=2).fit(X, NUMBERS), X, NUMBERS, lock=False
    ),
    "optimal": lambda: ramify.OptimalTreeClassifier(max_depth=2).fit(HOLES, y),
    "policy": lambda: ramify.PolicyTree(max_depth=2).fit(
        X, np.column_stack([NUMBERS - 12, 12 - NUMBERS])
    ),
    "optimal regression": lambda: ramify.OptimalTreeRegressor(max_depth=2).fit(X, NUMBERS),
    "optimal cut": lambda: (
        ramify.OptimalTreeClassifier(max_depth=2).fit(X, THREE).prune(n_leaves=3)
    ),
    "boosted": lambda: ramify.BoostedTreesClassifier(n_rounds=2, max_leaves=3).fit(HOLES, y),
    "boosted classes": lambda: ramify.BoostedTreesClassifier(
        algorithm="real", n_rounds=2, max_leaves=3
    ).fit(HOLES, X["outlook"]),
    "mixture": lambda: ramify.MixtureOfExpertsClassifier(depth=1, max_iter=3).fit(HOLES, y),
    "mixture regression": lambda: ramify.MixtureOfExpertsRegressor(depth=1, max_iter=3).fit(
        X, NUMBERS
    ),
}


@functools.cache
def document(name: str) -> str:
    """The text of the model file of one of the models."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return dumps(MODELS[name]())


# --- changes ----------------------------------------------------------------------------------

#: Put in place of any value. NaN and infinities are written as files write them.
HOSTILE: tuple[Any, ...] = (
    -1,
    0,
    1,
    3,
    100,
    2_000_000_000,
    -(2**31),
    2**63,
    0.5,
    -0.25,
    1e308,
    -1e308,
    5e-324,
    None,
    True,
    "",
    "inf",
    "-inf",
    "yes",
    [],
    [[]],
    {},
    {"type": "float", "value": "nan"},
    {"type": "float", "value": "-inf"},
)

Place = tuple[str | int, ...]
Change = Callable[[Any], None]


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Every place of a document."""
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield (*at, key)
        if isinstance(value[key], dict | list):
            yield from places(value[key], (*at, key))


def group(place: Place) -> Place:
    """The place without positions in lists, since all entries of a list have the same meaning."""
    return tuple("*" if isinstance(key, int) else key for key in place)


def replaced(place: Place, value: Any) -> Change:
    def change(document: Any) -> None:
        _inside(document, place)[place[-1]] = copy.deepcopy(value)

    return change


def deleted(place: Place) -> Change:
    def change(document: Any) -> None:
        del _inside(document, place)[place[-1]]

    return change


def edited(place: Place, edit: Callable[[list[Any]], list[Any]]) -> Change:
    """A list becomes another one."""

    def change(document: Any) -> None:
        inside = _inside(document, place)
        inside[place[-1]] = edit(inside[place[-1]])

    return change


def _inside(document: Any, place: Place) -> Any:
    for key in place[:-1]:
        document = document[key]
    return document


def changes(document: Any, place: Place) -> Iterator[tuple[str, Change]]:
    """All changes of one place, with their names."""
    value = _inside(document, place)[place[-1]]
    yield "deleted", deleted(place)
    for hostile in HOSTILE:
        yield f"= {hostile!r}", replaced(place, hostile)
    if isinstance(value, list) and value:
        yield "longer", edited(place, lambda items: [*items, copy.deepcopy(items[-1])])
        yield "shorter", edited(place, lambda items: items[:-1])
        yield "turned", edited(place, lambda items: items[::-1])
        yield "turned round", edited(place, lambda items: [*items[1:], items[0]])
        for hostile in HOSTILE:
            yield f"all {hostile!r}", edited(place, lambda items, h=hostile: [h] * len(items))  # type: ignore[misc]
    if type(value) in (int, float):
        for step in (-1, 1, 2):
            yield f"{step:+d}", replaced(place, value + step)


# --- use --------------------------------------------------------------------------------------


def load_and_use(text: str | bytes, *, pages: bool = True, all_uses: bool = True) -> bool:
    """Whether a file loads. If it does, every use of it must work.

    Without `pages` it is neither drawn nor exported, which takes most of the time. Without
    `all_uses` it answers rows, and no more.
    """
    try:
        model = loads(text)
    except ModelFileError:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if all_uses:
            _use(model, pages)
        else:
            _answer(model)
    return True


def use(model: Any, *, pages: bool = True) -> None:
    """Use everything a model offers; nothing may fail."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _use(model, pages)


def _answer(model: Any) -> tuple[list[list[Any]], Any]:
    """Rows for a model and its answers, which must be answers."""
    rows = rows_for(model.schema_)
    answers = model.predict(rows)
    assert len(answers) == len(rows)
    if hasattr(model, "classes_"):
        shares = model.predict_proba(rows)
        assert shares.shape == (len(rows), len(model.classes_))
        np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    elif not hasattr(model, "mixture_"):  # its numbers may be too large to add up
        assert np.isfinite(answers).all()
    return rows, answers


def _use(model: Any, pages: bool) -> None:
    rows, answers = _answer(model)
    again = loads(dumps(model))
    np.testing.assert_array_equal(again.predict(rows), answers)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(rows), answers)
    if hasattr(model, "estimators_"):
        assert len(list(model.staged_predict(rows))) == model.n_rounds_
        assert len(model.feature_importances_) == model.n_features_in_
        for tree in model.estimators_[: None if pages else 1]:
            use_tree(tree, pages)
    elif hasattr(model, "mixture_"):
        assert np.isfinite(model.gate_probabilities(rows)).all()
        use_tree(model.to_hard_tree(), pages)
        if pages:
            use_exports(model.to_hard_tree())
    else:
        use_tree(model.tree_, pages)
        use_one_tree(model, rows, answers)
        if pages:
            use_exports(model)
            use_report(model, rows, answers)


def use_tree(tree: Any, pages: bool) -> None:
    """Show a tree in every way."""
    assert tree.to_text() and len(tree.rules()) == tree.n_leaves
    assert len(list(tree.nodes)) == tree.n_nodes
    if pages:
        assert "<svg" in tree.to_svg() and tree.to_frame() is not None and repr(tree)
    assert type(tree).from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


def use_smaller(model: Any, rows: list[list[Any]]) -> None:
    """Cut it back to every size."""
    least = int(model.pruning_path_.leaves[-1])  # locked splits are never cut
    for n_leaves in range(least, model.fitted_.grown.n_leaves + 1):
        smaller = model.prune(n_leaves=n_leaves)
        assert smaller.tree_.n_leaves <= n_leaves
        assert len(smaller.predict(rows)) == len(smaller.apply(rows)) == len(rows)
    for alpha in (0.0, 0.1):
        loads(dumps(model.prune(alpha=alpha)))
    for rule in ("min", "1se", "1point"):
        if not np.isnan(model.pruning_path_.error).all():
            model.prune(rule=rule)


def _refuses_cuts(model: Any) -> bool:
    of_f1 = getattr(model, "objective", None) == "f1"
    return isinstance(model, ramify.PolicyTree) or of_f1 or bool(getattr(model, "min_recall", None))


def use_one_tree(model: Any, rows: list[list[Any]], answers: Any) -> None:
    """Explain, cut back unless that is refused."""
    assert len(model.apply(rows)) == model.decision_path(rows).shape[0] == len(rows)
    for row in (rows[0], rows[-1]):
        assert str(model.explain(row))
    assert len(model.feature_importances_) == model.n_features_in_
    assert np.isfinite(model.contributions(rows).prediction).all()
    assert str(model.pruning_path_) and len(model.pruning_path_) >= 1
    if not _refuses_cuts(model):
        use_smaller(model, rows)


def use_report(model: Any, rows: list[list[Any]], answers: Any) -> None:
    """Write a report with and without rows."""
    if model.tree_.abstains:
        return  # the report cannot show that, and says so
    with tempfile.TemporaryDirectory() as folder:
        takes_rows = not isinstance(model, ramify.PolicyTree)
        for n, data in enumerate([(), (rows, answers)] if takes_rows else [()]):
            page = model.report(Path(folder) / f"{n}.html", *data)
            assert page.stat().st_size > 1000


def use_exports(model: Any) -> None:
    """Export it in every form; a form may be refused with its own error."""
    forms: list[tuple[Callable[..., Any], dict[str, Any]]] = [
        (ramify.export.to_sql, {"dialect": "sqlite"}),
        (ramify.export.to_python, {}),
        (ramify.export.to_c, {}),
        (ramify.export.to_dot, {}),
        (ramify.export.to_pmml, {}),
        (ramify.export.to_onnx, {}),
        (ramify.export.tree_to_arrays, {}),
    ]
    for form, options in forms:
        try:
            form(getattr(model, "tree_", model) if form is forms[-1][0] else model, **options)
        except (ExportError, ImportError):
            pass
        except ValueError:
            if form is not forms[-1][0]:  # arrays exist for numeric trees only
                raise


def rows_for(schema: Any) -> list[list[Any]]:
    """Rows for a model: levels and numbers, some very large, and one row of nothing but holes."""
    first = {column.input: column for column in reversed(schema.columns)}
    known = [first.get(name) for name in schema.input_names]
    rows = [[_cell(column, i) for column in known] for i in range(4)]
    return [*rows, [None] * len(known)]


_MOMENT = dt.datetime(2024, 2, 29, 12)
_TIMES: dict[str, tuple[Any, ...]] = {
    "number": ("1", "2", "3", "4"),
    "date": (dt.date.min, dt.date(2024, 2, 28), dt.date(2025, 1, 1), dt.date.max),
    "datetime": (dt.datetime.min, _MOMENT, dt.datetime(2025, 1, 1), dt.datetime.max),
    "time": (dt.time.min, dt.time(6), dt.time(7, 30), dt.time.max),
    "duration": (-dt.timedelta(9), dt.timedelta(0), dt.timedelta(hours=2), dt.timedelta(9)),
}


def _cell(column: Any, i: int) -> Any:
    if column is None:
        return "left out"
    if column.form is not None:
        value = _TIMES[column.form.kind][i]
        return value.replace(tzinfo=dt.UTC) if column.form.zone else value
    if column.kind == "numeric":
        return (-1e300, 70.0, 82.5, 1e300)[i]
    return column.levels[i % len(column.levels)] if column.levels else None
