"""Classes of every type survive a model file: their values, their type, and what is predicted."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning

import ramify
from ramify import (
    BoostedTreesClassifier,
    MixtureOfExpertsClassifier,
    OptimalTreeClassifier,
    TreeClassifier,
)

LABELS: dict[str, Any] = {
    "int": np.array([0, 1]),
    "int8": np.array([-1, 1], dtype=np.int8),
    "large": np.array([2**62, 2**62 + 1]),
    "float": np.array([0.0, 1.0]),
    "float32": np.array([1.0, 2.0], dtype=np.float32),
    "bool": np.array([False, True]),
    "digits": np.array(["1", "2"]),
    "zeros before": np.array(["01", "1"], dtype=object),
    "decimals": np.array(["1.0", "2.0"], dtype=object),
    "words of bools": np.array(["False", "True"], dtype=object),
    "words of nothing": np.array(["nan", "none"], dtype=object),
    "spaces": np.array([" a", "a "], dtype=object),
    "boxed int": np.array([0, 1], dtype=object),
    "boxed bool": np.array([False, True], dtype=object),
    "boxed text": np.array([np.str_("a"), np.str_("b")], dtype=object),
    "text of any length": np.array(["a", "b"], dtype=np.dtypes.StringDType()),
    "pandas string": pd.array(["a", "b"], dtype="string"),
    "pandas Int64": pd.array([0, 1], dtype="Int64"),
    "pandas boolean": pd.array([False, True], dtype="boolean"),
    "categories of numbers": pd.Categorical([5, 7]),
}
X = np.random.default_rng(0).normal(size=(60, 2))
CODES = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("kind", LABELS)
def test_classes_survive(kind: str, tmp_path: Path) -> None:
    labels = LABELS[kind]
    y = labels[CODES] if isinstance(labels, np.ndarray) else pd.Series(labels.take(CODES))
    models = [
        TreeClassifier(max_depth=2),
        OptimalTreeClassifier(max_depth=1),
        BoostedTreesClassifier(n_rounds=2),
        MixtureOfExpertsClassifier(max_iter=2),
    ]
    for model in models:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y).save(tmp_path / "model.json")
        again = ramify.load(tmp_path / "model.json")
        known, read = model.classes_, again.classes_
        assert read.tolist() == known.tolist() and read.dtype.kind == known.dtype.kind
        assert list(map(type, read.tolist())) == list(map(type, known.tolist()))
        predicted = again.predict(X)
        assert predicted.dtype == model.predict(X).dtype
        assert predicted.tolist() == model.predict(X).tolist()
        assert again.score(X, y) == model.score(X, y) > 0.8


@pytest.mark.parametrize("kind", ["int", "bool", "zeros before", "boxed int", "boxed bool"])
def test_reports_take_the_same_labels(kind: str, tmp_path: Path) -> None:
    y = LABELS[kind][CODES]
    model = TreeClassifier(max_depth=1).fit(X, y)
    model.save(tmp_path / "model.json")
    ramify.load(tmp_path / "model.json").report(tmp_path / "page.html", X, y)
    assert (tmp_path / "page.html").stat().st_size > 10_000
