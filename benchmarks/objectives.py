"""How long optimal trees of other objectives take to their proof: seconds of the processor."""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import numpy as np

from ramify import OptimalTreeClassifier, OptimalTreeRegressor

# rows, columns, depth, features
SIZES = [
    (1000, 10, 2, "all"),
    (300, 5, 3, "all"),
    (2000, 10, 3, "mid"),
    (500, 10, 3, "all"),
    (500, 10, 4, "mid"),
]
CLASSES: dict[str, dict[str, Any]] = {
    "error": {},
    "balanced accuracy": {"objective": "balanced_accuracy"},
    "F1": {"objective": "f1"},
    "recall of 0.8": {"min_recall": {1: 0.8}},
}


def simulate(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers that depend on three columns, and a class of about a fifth of the rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    y = np.exp(X[:, 0] / 2 + (X[:, 1] > 0) * (X[:, 2] > 0.3)) + rng.gamma(1.0, 1.0, n_rows)
    return X, y, (y > np.quantile(y, 0.8)).astype(int)


def main() -> None:
    """Fit all sizes, or the first few."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a fit")
    parser.add_argument("--quick", action="store_true", help="the first two sizes only")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("objective          rows   columns  depth  features  seconds  proven   error     gap")
    for rows, columns, depth, features in SIZES[: 2 if options.quick else None]:
        X, numbers, classes = simulate(rows, columns)
        shared: dict[str, Any] = {
            "max_depth": depth,
            "features": features,
            "time_limit": options.limit,
        }
        models: dict[str, tuple[Any, np.ndarray]] = {
            name: (OptimalTreeClassifier(**more, **shared), classes)
            for name, more in CLASSES.items()
        }
        for criterion in ("squared_error", "absolute_error", "quantile", "poisson", "gamma"):
            models[criterion] = OptimalTreeRegressor(criterion=criterion, **shared), numbers
        for name, (model, target) in models.items():
            began = time.process_time()
            model.fit(X, target)
            seconds = time.process_time() - began
            print(
                f"{name:<18} {rows:>5,}  {columns:>7}  {depth:>5}  {features:>8}  {seconds:>7.2f}  "
                f"{'yes' if model.proven_optimal_ else 'no':<6}  {model.error_:.4f}  "
                f"{model.gap_:.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
