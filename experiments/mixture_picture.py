"""A mixture of experts beside a single tree on smooth functions: the picture, and a table.

    python experiments/mixture_picture.py                    # prints the table
    python experiments/mixture_picture.py --plot FILE.svg    # also draws docs/images/mixture.svg

The error is the mean squared error against the true function on 5,000 other rows, as a share of the
variance of the function. The tree is the best of several leaf sizes, chosen on these rows, which
favours it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _markdown import table
from _options import arguments
from _pictures import plotting
from sklearn.datasets import make_friedman1, make_friedman2

from ramify import MixtureOfExpertsRegressor, TreeRegressor

LEAVES = (2, 3, 5, 10, 20, 40)
DEPTHS = (1, 2, 3)
Table = tuple[np.ndarray, np.ndarray]


def wave(n: int, seed: int) -> Table:
    X = np.random.default_rng(seed).uniform(-3, 3, (n, 1))
    return X, np.sin(X[:, 0]) * 2 + 0.5 * X[:, 0]


def saddle(n: int, seed: int) -> Table:
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 3))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] ** 2 - X[:, 2] * X[:, 0]


def slope(n: int, seed: int) -> Table:
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 4))
    return X, np.tanh(3 * X.sum(axis=1))


def steps(n: int, seed: int) -> Table:
    """A function that is not smooth, which suits a tree."""
    X = np.random.default_rng(seed).uniform(0, 1, (n, 3))
    return X, np.floor(4 * X[:, 0]) - 2.0 * (X[:, 1] > 0.3) * (X[:, 2] > 0.6)


FUNCTIONS: dict[str, Callable[[int, int], Table]] = {
    "wave, 1 column": wave,
    "saddle, 3": saddle,
    "slope, 4": slope,
    "Friedman 1, 10": lambda n, seed: make_friedman1(n, 10, noise=0.0, random_state=seed),
    "Friedman 2, 4": lambda n, seed: make_friedman2(n, noise=0.0, random_state=seed),
    "steps, 3": steps,
}


def noisy(f: np.ndarray, seed: int) -> np.ndarray:
    """Add noise of a quarter of the function's standard deviation."""
    return f + 0.25 * f.std() * np.random.default_rng(seed).normal(size=len(f))


def errors(name: str, n: int, seed: int) -> dict[str, float]:
    X, f = FUNCTIONS[name](n, seed)
    y = noisy(f, seed)
    others, truth = FUNCTIONS[name](5000, seed + 1000)

    def error(model: Any) -> float:
        return float(np.mean((model.fit(X, y).predict(others) - truth) ** 2) / truth.var())

    found = {"tree": min(error(TreeRegressor(min_samples_leaf=leaf)) for leaf in LEAVES)}
    for depth in DEPTHS:
        found[f"depth {depth}"] = error(MixtureOfExpertsRegressor(depth=depth))
    return found


def print_table(n: int, seeds: int) -> None:
    rows = []
    for name in FUNCTIONS:
        found = [errors(name, n, seed) for seed in range(seeds)]
        cells = [f"{np.mean([one[key] for one in found]):.4f}" for key in found[0]]
        rows.append([name, *cells])
    print(table([f"{n} rows, mean of {seeds}", "tree", *(f"depth {d}" for d in DEPTHS)], rows))


def draw(path: Path) -> None:
    plt = plotting("svg")
    X, f = wave(300, 0)
    y = noisy(f, 0)
    grid = np.linspace(-3, 3, 600)[:, None]
    trees = [TreeRegressor(min_samples_leaf=leaf).fit(X, y) for leaf in LEAVES]
    truth = np.sin(grid[:, 0]) * 2 + 0.5 * grid[:, 0]
    tree = min(trees, key=lambda one: np.mean((one.predict(grid) - truth) ** 2))
    model = MixtureOfExpertsRegressor(depth=2).fit(X, y)
    mean, deviation = model.predict(grid, return_std=True)
    shares = model.gate_probabilities(grid)

    figure, (top, bottom) = plt.subplots(
        2, 1, figsize=(7.5, 5.6), sharex=True, height_ratios=[3, 1], layout="constrained"
    )
    top.scatter(X[:, 0], y, s=8, color="0.7", label="300 rows")
    top.plot(grid, truth, color="0.4", linestyle=":", label="true function")
    top.plot(grid, tree.predict(grid), color="#c44e52", label=f"tree, {tree.tree_.n_leaves} leaves")
    top.plot(grid, mean, color="#2f6f9f", linewidth=2, label="mixture, 4 experts")
    top.fill_between(
        grid[:, 0], mean - deviation, mean + deviation, color="#2f6f9f", alpha=0.15, linewidth=0
    )
    top.legend(frameon=False)
    top.set_ylabel("y")
    for expert in range(model.n_experts_):
        bottom.plot(grid, shares[:, expert], label=f"expert {expert}")
    bottom.set_ylabel("gates")
    bottom.set_xlabel("x")
    bottom.legend(
        frameon=False, ncols=4, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 0.98)
    )
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = arguments(__doc__, "")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.plot is not None:
        draw(given.plot)
    if given.seeds:
        print_table(given.rows, given.seeds)


if __name__ == "__main__":
    main()
