"""Tables for the tests of mixtures of experts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor


def mixed(seed: int, n: int = 80) -> pd.DataFrame:
    """Numbers, levels and an order, with holes."""
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue"], n).astype(object)
    colour[rng.random(n) < 0.1] = None
    return pd.DataFrame(
        {
            "size": np.where(rng.random(n) < 0.1, np.nan, rng.normal(3, 2, n)),
            "colour": colour,
            "grade": pd.Categorical(
                rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True
            ),
            "weight": rng.exponential(size=n),
        }
    )


def target(X: pd.DataFrame, seed: int, n_classes: int) -> np.ndarray:
    """Numbers, or classes if any, that depend on the columns in two ways."""
    rng = np.random.default_rng(seed)
    size = X["size"].fillna(3.0).to_numpy()
    weight, red = X["weight"].to_numpy(), (X["colour"] == "red").to_numpy()
    y = np.where(size > 3, 2 * weight - red, size - weight) + 0.3 * rng.normal(size=len(X))
    if not n_classes:
        return y
    return np.digitize(y, np.quantile(y, np.linspace(0, 1, n_classes + 1)[1:-1]))


def estimator(n_classes: int, **parameters: Any) -> Any:
    """A mixture for classes, or for numbers if there are none."""
    kind = MixtureOfExpertsClassifier if n_classes else MixtureOfExpertsRegressor
    return kind(**parameters)


def encoded(model: Any, X: Any) -> np.ndarray:
    """The rows as gates and experts see them."""
    design = model.encoding_.design(model.schema_.encode(X))
    return design.block(slice(0, len(X)))
