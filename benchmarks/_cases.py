"""What `against.py` times: our own calls of the other benchmarks, by name.

A case makes its data once and gives a call, which is timed. Data sets that are not there are
replaced by generated tables of the same shape (`_data.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from _data import adult, continuous, covertype, letter, many_levels, regression, splice, waveform
from _options import DATA
from sklearn.datasets import load_breast_cancer, load_iris

Call = Callable[[], Any]


def tree(X: Any, y: Any, **parameters: Any) -> Call:
    """Fit a classifier."""
    from ramify import TreeClassifier

    return lambda: TreeClassifier(**parameters).fit(X, y)


def numbers(X: Any, y: Any, **parameters: Any) -> Call:
    """Fit a regressor."""
    from ramify import TreeRegressor

    return lambda: TreeRegressor(**parameters).fit(X, y)


def several(call: Call, times: int) -> Call:
    """Repeat a short call, so that it can be timed."""

    def repeated() -> None:
        for _ in range(times):
            call()

    return repeated


def predicting(X: Any, y: Any, rows: Any, times: int = 1) -> Call:
    """Predict by a full tree."""
    model = tree(X, y)()
    return several(lambda: model.predict(rows), times)


def titanic() -> tuple[Any, Any]:
    """Give the built-in table."""
    from ramify.datasets import load_titanic

    data = load_titanic()
    return data.data, data.y


def optimal(X: Any, y: Any, **parameters: Any) -> Call:
    """Search an optimal tree."""
    from ramify import OptimalTreeClassifier

    return lambda: OptimalTreeClassifier(**parameters).fit(X, y)


def table(of: Callable[..., tuple[str, Any]], rows: int) -> tuple[Any, Any]:
    """Give X and y of one of the tables of `_data`."""
    _, found = of(DATA if DATA.is_dir() else None, rows)
    return found if isinstance(found, tuple) else (found.data, found.y)


def coded(of: Callable[..., Any]) -> tuple[Any, Any]:
    """Give X and y of a table whose levels are codes."""
    found = of(DATA if DATA.is_dir() else None)
    return found.X, found.y


def levels(rows: int, count: int) -> Call:
    """Fit one column of many levels."""
    codes, y = many_levels(rows, count)
    return tree(codes[:, None].astype(np.float64), y, categorical_features=[0], max_depth=6)


def wdbc() -> tuple[Any, Any]:
    """Give a small table of numbers."""
    return load_breast_cancer(return_X_y=True)


def iris() -> tuple[Any, Any]:
    """Give a tiny table of numbers."""
    return load_iris(return_X_y=True)


Make = Callable[[int], Call]  # from the number of rows of the large tables
CASES: dict[str, Make] = {
    "full depth": lambda n: tree(*continuous(n)),
    "depth 5": lambda n: tree(*continuous(n), max_depth=5),
    "64 leaves": lambda n: tree(*continuous(n), max_leaves=64, growth="best_first"),
    "full depth, two threads": lambda n: tree(*continuous(n), n_jobs=2),
    "regression": lambda n: numbers(*regression(n)),
    "covertype": lambda n: tree(*table(covertype, n)),
    "letter": lambda n: several(tree(*table(letter, 20_000)), 5),
    "adult": lambda n: tree(*table(adult, 32_561)),
    "levels": lambda n: levels(n // 10, 1000),
    "predict": lambda n: predicting(*continuous(n), continuous(n)[0]),
    "iris": lambda n: several(tree(*iris()), 200),
    "wdbc": lambda n: several(tree(*wdbc()), 100),
    "titanic": lambda n: several(tree(*titanic()), 50),
    "iris, predict a row": lambda n: predicting(*iris(), iris()[0][:1], 1000),
    "wdbc, predict a row": lambda n: predicting(*wdbc(), wdbc()[0][:1], 1000),
    "letter, cross-validated": lambda n: tree(*table(letter, 20_000), pruning="auto"),
    "waveform, best first": lambda n: tree(
        *coded(waveform), pruning="best_first", growth="best_first"
    ),
    "splice, multiway": lambda n: several(tree(*coded(splice), categorical_split="multiway"), 5),
    "adult, inference": lambda n: tree(*table(adult, 32_561), selection="conditional_inference"),
    "wdbc, optimal": lambda n: optimal(*wdbc(), max_depth=3),
}
