"""One model of every kind, as every format of model files has written it: for ever.

``python -m helpers.old_models FOLDER``, with any release of ramify on the path, writes what that
release can make: its model files, and its answers to `rows`. `tests/fixtures/models` keeps them.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

N = 40


def table() -> pd.DataFrame:
    """Numbers, levels, an order, holes."""
    i = np.arange(N)
    X = pd.DataFrame(
        {
            "age": np.where(i % 11 == 5, np.nan, i * 37 % 23 + 0.5),
            "colour": np.array(["red", "green", "blue", "grey"], object)[i * i % 7 % 4],
            "size": pd.Categorical.from_codes(i * 5 % 13 % 3, ["S", "M", "L"], ordered=True),
            "member": np.array([False, True], object)[i % 3 % 2],
        }
    )
    X.loc[[7, 23], "colour"] = None
    return X


def rows() -> pd.DataFrame:
    """What is predicted: the table, rows of holes, a level that no training row had."""
    X = table()
    odd = X.iloc[:6].copy()
    odd["age"] = [np.nan, np.inf, -np.inf, 1e300, 12.5, np.nan]
    odd["colour"] = [None, "violet", "red", None, "grey", None]
    odd.loc[5, ["size", "member"]] = None
    return pd.concat([X, odd], ignore_index=True)


def classes() -> Any:
    i = np.arange(N)
    return np.array(["no", "yes", "perhaps"])[(i * 37 % 23 > 11).astype(int) + (i % 9 == 4)]


def two() -> Any:
    return np.where(classes() == "no", 0, 1)


def numbers() -> Any:
    i = np.arange(N)
    return (i * 37 % 23) / 4 + (i * i % 7 % 4 == 1)


def full() -> pd.DataFrame:
    """Only numbers, without holes."""
    i = np.arange(N)
    return pd.DataFrame({"a": i * 37 % 23 / 2, "b": i * i % 17 - 3.0})


def levels() -> pd.DataFrame:
    """Levels that JSON has no word for."""
    days = [dt.date(2024, 2, 27 + i % 3) for i in range(N)]
    pairs: list[Any] = [(i % 2, "a" if i < 9 else "b") for i in range(N)]
    return pd.DataFrame({"cut": pd.cut(full()["a"], 4), "pair": pd.Series(pairs), "day": days})


def dates() -> pd.DataFrame:
    """Dates with parts, and levels that are pooled."""
    towns = np.array(["Bonn", "Trier", "Hamm", "Ulm", "Jena"])
    i = np.arange(N)
    return pd.DataFrame(
        {
            "sold": pd.date_range("2023-01-30", periods=N, freq="20D"),
            "at": pd.date_range("2023-01-30 05:00", periods=N, freq="7h", tz="Europe/Berlin"),
            "town": towns[np.minimum(4, i % 2 + (i > 36) * 3)],
        }
    )


Model = tuple[Callable[[], pd.DataFrame], Callable[[Any], Any]]
#: A name: the rows to predict, and how the model is made. A release makes those that it can.
MODELS: dict[str, Model] = {
    "tree": (rows, lambda r: r.TreeClassifier().fit(table(), classes())),
    "multiway": (
        rows,
        lambda r: r.TreeClassifier(categorical_split="multiway").fit(table(), two()),
    ),
    "direction": (rows, lambda r: r.TreeClassifier(missing="direction").fit(table(), classes())),
    "separate": (rows, lambda r: r.TreeClassifier(missing="separate").fit(table(), classes())),
    "majority": (rows, lambda r: r.TreeClassifier(unseen="majority").fit(table(), classes())),
    "weighted": (
        rows,
        lambda r: r.TreeClassifier(class_weight="balanced").fit(
            table(), classes(), sample_weight=np.arange(N) % 4 + 0.5
        ),
    ),
    "costs": (rows, lambda r: r.TreeClassifier(costs=[[0, 1], [4, 0]]).fit(table(), two())),
    "abstaining": (
        rows,
        lambda r: r.TreeClassifier(max_depth=1, costs=[[0, 1, 0.3], [1, 0, 0.3]]).fit(
            table(), two()
        ),
    ),
    "inference": (
        rows,
        lambda r: r.TreeClassifier(selection="conditional_inference", alpha=0.5).fit(
            table(), classes()
        ),
    ),
    "chaid": (rows, lambda r: r.presets.chaid(alpha=0.9).fit(table(), classes())),
    "regression": (rows, lambda r: r.TreeRegressor().fit(table(), numbers())),
    "absolute error": (
        rows,
        lambda r: r.TreeRegressor(criterion="absolute_error").fit(table(), numbers()),
    ),
    "quantile": (
        rows,
        lambda r: r.TreeRegressor(criterion="quantile", quantile=0.8).fit(table(), numbers()),
    ),
    "cost complexity": (
        rows,
        lambda r: r.TreeClassifier(pruning=r.pruning.CostComplexity(folds=4)).fit(
            table(), classes()
        ),
    ),
    "best first": (
        rows,
        lambda r: r.TreeRegressor(growth="best_first", pruning="best_first").fit(
            table(), numbers()
        ),
    ),
    "critical value": (
        rows,
        lambda r: r.TreeClassifier(pruning="critical_value").fit(table(), classes()),
    ),
    "error based": (
        rows,
        lambda r: r.TreeClassifier(pruning="error_based").fit(table(), classes()),
    ),
    "cut by hand": (
        rows,
        lambda r: r.TreeClassifier().fit(table(), classes()).prune(n_leaves=3),
    ),
    "optimal": (rows, lambda r: r.OptimalTreeClassifier(max_depth=2).fit(table(), two())),
    "optimal regression": (
        full,
        lambda r: r.OptimalTreeRegressor(max_depth=2).fit(full(), numbers()),
    ),
    "optimal f1": (
        rows,
        lambda r: r.OptimalTreeClassifier(objective="f1", max_depth=2).fit(table(), two()),
    ),
    "optimal recall": (
        rows,
        lambda r: r.OptimalTreeClassifier(min_recall={1: 0.9}, max_depth=2).fit(table(), two()),
    ),
    "optimal poisson": (
        full,
        lambda r: r.OptimalTreeRegressor(criterion="poisson", max_depth=2).fit(full(), numbers()),
    ),
    "boosted": (
        rows,
        lambda r: r.BoostedTreesClassifier(n_rounds=4, max_leaves=4).fit(table(), two()),
    ),
    "boosted classes": (
        rows,
        lambda r: r.BoostedTreesClassifier(algorithm="real", n_rounds=3, max_leaves=4).fit(
            table(), classes()
        ),
    ),
    "mixture": (
        full,
        lambda r: r.MixtureOfExpertsClassifier(depth=1, max_iter=5).fit(full(), classes()),
    ),
    "mixture regression": (
        full,
        lambda r: r.MixtureOfExpertsRegressor(depth=1, max_iter=5).fit(full(), numbers()),
    ),
    "levels": (levels, lambda r: r.TreeClassifier().fit(levels(), classes())),
    "dates": (dates, lambda r: r.TreeClassifier(min_level_count=3).fit(dates(), classes())),
    "monotone": (
        rows,
        lambda r: r.TreeRegressor(monotone={"age": 1}, min_weight_fraction_leaf=0.05).fit(
            table(), numbers()
        ),
    ),
    "edited": (rows, lambda r: edited(r.TreeClassifier(max_depth=3), classes())),
    "edited regression": (rows, lambda r: edited(r.TreeRegressor(max_depth=3), numbers())),
    "policy": (
        full,
        lambda r: r.PolicyTree(max_depth=2).fit(
            full(), np.column_stack([numbers() - 3.0, 3.0 - numbers()])
        ),
    ),
}


def edited(estimator: Any, y: Any) -> Any:
    """Marks of all kinds, and records of edits."""
    editor = estimator.fit(table(), y).edit(table(), y, author="a person")
    editor.split(0, "age <= 12", below="drop", reason="a round number")
    editor.split(1, "colour in {red, blue}", reason="known early")
    editor.exclude("size", 2)
    editor.label(2, editor.tree.nodes[2].prediction, reason="the law")
    editor.lock(1)
    return editor.estimator


def answers(model: Any, X: pd.DataFrame) -> dict[str, Any]:
    """What a model says of rows, as JSON can hold it."""
    found = {"predict": np.asarray(model.predict(X)).tolist()}
    if hasattr(model, "classes_"):
        found["predict_proba"] = np.asarray(model.predict_proba(X)).tolist()
    if hasattr(model, "tree_"):
        found["apply"] = np.asarray(model.apply(X)).tolist()
    return found


def write(folder: Path) -> None:
    """Write the models that this release can make, and its answers."""
    import ramify
    import ramify.presets
    import ramify.pruning

    warnings.simplefilter("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    for name, (new, make) in MODELS.items():
        stem = name.replace(" ", "_")
        try:
            model = make(ramify)
            said = answers(model, new())
            model.save(folder / f"{stem}.json")
        except (AttributeError, TypeError, ValueError) as error:
            (folder / f"{stem}.json").unlink(missing_ok=True)
            print(f"{folder.name}: no {name}: {error!s:.70}")
            continue
        text = json.dumps(said, indent=None)
        (folder / f"{stem}.answers.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
