"""How long policy trees take to their proof, on simulated rewards: seconds of the processor."""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np

from ramify import PolicyTree

SIZES = [(1000, 10, 3, 2), (10_000, 10, 3, 2), (10_000, 30, 20, 2), (10_000, 10, 3, 3)]


def simulate(n_rows: int, n_columns: int, n_actions: int) -> tuple[np.ndarray, np.ndarray]:
    """Rewards of noise, in which three actions depend on three columns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    rewards = rng.normal(size=(n_rows, n_actions))
    rewards[:, 0] += X[:, 0] > 0.3
    rewards[:, 1] += X[:, 1] < 0
    rewards[:, 2] += X[:, 2] / 2
    return X, rewards


def main() -> None:
    """Fit all sizes, or the first few."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of a fit")
    parser.add_argument("--quick", action="store_true", help="the first two sizes only")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("rows    columns  actions  depth  seconds  proven  mean reward")
    for rows, columns, actions, depth in SIZES[: 2 if options.quick else None]:
        X, rewards = simulate(rows, columns, actions)
        began = time.process_time()
        policy = PolicyTree(max_depth=depth, time_limit=options.limit).fit(X, rewards)
        seconds = time.process_time() - began
        print(
            f"{rows:<7,} {columns:>7}  {actions:>7}  {depth:>5}  {seconds:>7.2f}  "
            f"{'yes' if policy.proven_optimal_ else 'no':<6}  {policy.reward_:.4f}"
        )


if __name__ == "__main__":
    main()
