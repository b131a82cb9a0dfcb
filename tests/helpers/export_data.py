"""Tables for the exports: training rows, and rows to predict with holes and unseen levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ramify.datasets import load_balance_scale, load_titanic, load_weather

ODD_NAMES = {
    "n0": 'na"me; -- \n*/',
    "n1": "select",
    "o0": "größe <b>&amp;`x`",
    "c0": "a'b\\n?",
    "c1": "r_e1",
    "b0": "ramify_0",
}
ODD_LEVELS = ["it's", 'say "hi"', "a\nb\\", "*/ <x>&", "NULL", "日本", "??/", "-1", " pad ", "=1+1"]


def mixed(seed: int, rows: int = 300, *, classes: int = 3, holes: float = 0.1) -> Any:
    """Numbers, ordered and unordered categories, bools and numbers as categories."""
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=rows)
    X = pd.DataFrame(
        {
            "n0": np.round(signal + rng.normal(size=rows), 1),
            "n1": rng.choice([-np.inf, 0.1, 1 / 3, 1e-30, 2.0**60, np.inf], rows),
            "o0": pd.Categorical.from_codes(
                np.clip(signal * 1.5 + 2 + rng.normal(size=rows), 0, 3).astype(int),
                ["S", "M", "L", "XL"],
                ordered=True,
            ),
            "c0": rng.choice(ODD_LEVELS, rows),
            "c1": pd.Series(rng.integers(0, 5, rows) + (signal > 0) * 2, dtype=object),
            "b0": pd.Series((signal + rng.normal(size=rows)) > 0.3, dtype=object),
        }
    )
    score = signal + (X["c0"].isin(ODD_LEVELS[:4])) * 1.2 + rng.normal(scale=0.5, size=rows)
    if classes:
        edges = np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1])
        y: Any = np.array(["c'1", "b\n2", "a√3", "d4", "e5"])[np.searchsorted(edges, score)]
    else:
        y = score.to_numpy()
    return dig(X, rng, holes).rename(columns=ODD_NAMES), y


def dig(X: pd.DataFrame, rng: np.random.Generator, holes: float) -> pd.DataFrame:
    """Make cells missing."""
    X = X.copy()
    for name in X.columns:
        X.loc[rng.random(len(X)) < holes, name] = None
    return X


def disturb(X: pd.DataFrame, seed: int, holes: float = 0.25, unseen: float = 0.1) -> pd.DataFrame:
    """The same rows with more holes, and with levels that training did not have."""
    rng = np.random.default_rng(seed)
    X = dig(X, rng, holes)
    for name in X.columns:
        kind = X[name].dtype
        if kind.kind in "fiu" or isinstance(kind, pd.CategoricalDtype):
            continue
        known = X[name].dropna()
        text = len(known) > 0 and isinstance(known.iloc[0], str)
        column = X[name].astype(object).tolist()
        strange = rng.random(len(X)) < unseen
        # A boolean column of a database cannot hold other values.
        odd: Any = "never seen" if text else None if known.isin([True, False]).all() else 77
        X[name] = pd.Series(
            [odd if s else v for s, v in zip(strange, column, strict=True)],
            dtype=object,
            index=X.index,
        )
    return X


def tables() -> dict[str, tuple[pd.DataFrame, Any, pd.DataFrame]]:
    """Five data sets: training table, target, and rows to predict."""
    found = {}
    weather, titanic, scale = load_weather(), load_titanic(), load_balance_scale()
    for name, data in (("weather", weather), ("titanic", titanic), ("balance", scale)):
        X = pd.DataFrame(data.data)
        new = pd.concat([X, X.iloc[:100]], ignore_index=True).drop_duplicates()
        rows = pd.concat([new, disturb(new, 0), disturb(new, 1, 0.6)], ignore_index=True)
        found[name] = X, data.y, rows
    for name, classes in (("mixed", 3), ("numbers", 0)):
        X, y = mixed(0, classes=classes)
        found[name] = X, y, pd.concat([X, disturb(X, 1)], ignore_index=True)
    return found
