"""The tables of fixtures/rpart.json; as a script, writes them where fixtures/rpart.R reads them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets

from helpers.paths import fixture
from ramify.datasets import load_balance_scale

NAMES = ("iris", "wine", "breast_cancer", "balance_scale", "diabetes")


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name == "balance_scale":
        scale = load_balance_scale()
        X = np.column_stack([np.asarray(column, float) for column in scale.data.values()])
        return X, np.unique(scale.y, return_inverse=True)[1]
    if name == "diabetes":
        data = datasets.load_diabetes(scaled=False)
    else:
        data = getattr(datasets, f"load_{name}")()
    return data.data, data.target


def sequences() -> list[dict[str, Any]]:
    """What rpart found: a cost-complexity sequence per table."""
    found: list[dict[str, Any]] = fixture("rpart.json")
    return found


if __name__ == "__main__":
    for each in NAMES:
        X, y = table(each)
        path = Path(sys.argv[1], f"{each}.csv")
        np.savetxt(path, np.column_stack([X, y]), delimiter=",", fmt="%.17g")
