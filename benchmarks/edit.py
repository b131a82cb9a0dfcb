"""How long edits of a tree take, with their prices, and the candidates of a node.

    python benchmarks/edit.py [--rows 1000000] [--columns 20] [--edits 200] [--threads 2]

A tree is grown on numbers and levels, a fifth of the rows is held out. Then random edits at random
nodes: splits by a candidate, by a typed threshold, collapses, levels moved, swaps. Each is timed
with its price, and half of them are undone. The table has the median, the 95th percentile and the
largest time in milliseconds, and the median and 95th percentile of the processor time of all
threads, which other programs on the machine do not change as much.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ramify import TreeClassifier, TreeRegressor
from ramify.edit import TreeEditor
from ramify.tree.conditions import Threshold


def make_data(n: int, columns: int, missing: float, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X: dict[str, Any] = {}
    score = np.zeros(n)
    for c in range(columns):
        if c % 5 == 4:
            levels = np.array([f"level {i}" for i in range(12)], dtype=object)
            codes = rng.integers(0, 12, n)
            X[f"c{c}"] = levels[codes]
            score += 0.5 * (codes % 3 == c % 3)
        else:
            values = rng.normal(size=n)
            score += values * (1.0 / (1 + c)) + (values > 0.5) * (c % 3 == 0)
            if missing:
                values[rng.random(n) < missing] = np.nan
            X[f"c{c}"] = values
    return X, score + rng.normal(size=n)


def timed(function: Callable[[], Any]) -> tuple[tuple[float, float], Any]:
    start, used = time.perf_counter(), time.process_time()
    result = function()
    taken = time.perf_counter() - start, time.process_time() - used
    return (1000.0 * taken[0], 1000.0 * taken[1]), result


def random_edit(editor: TreeEditor, rng: np.random.Generator) -> tuple[str, Callable[[], Any]]:
    data = editor.tree.data
    inner = np.flatnonzero(data["n_children"])
    node = int(rng.choice(inner))
    condition = editor.tree.condition(node)
    kind = rng.choice(["threshold", "other", "collapse", "levels", "split leaf"])
    if kind == "split leaf" or len(inner) < 4:
        leaf = int(rng.choice(np.flatnonzero(data["n_children"] == 0)))
        return "split", lambda: editor.split(leaf, f"c0 <= {rng.normal():.2f}")
    if kind == "collapse" and node:
        return "collapse", lambda: editor.collapse(node)
    if kind == "levels" and not isinstance(condition, Threshold) and len(condition.branches[0]) > 1:
        level = condition.branches[0][0]
        return "move_levels", lambda: editor.move_levels(node, level, 1)
    if kind == "threshold" and isinstance(condition, Threshold):
        value = condition.value + 0.1 * rng.normal()
        return "threshold", lambda: editor.split(node, f"{condition.attribute} <= {value:.3f}")
    column = f"c{4 * int(rng.integers(0, len(editor.tree.schema) // 4)) % 4}"
    return "split", lambda: editor.split(node, f"{column} <= {rng.normal():.2f}")


def report(name: str, times: list[tuple[float, float]]) -> None:
    wall, used = np.array(times).T
    print(
        f"{name:<26}{len(wall):>6}{np.median(wall):>10.1f}{np.percentile(wall, 95):>10.1f}"
        f"{wall.max():>10.1f}{np.median(used):>12.1f}{np.percentile(used, 95):>10.1f}",
        flush=True,
    )


def run(estimator: Any, X: Any, y: Any, edits: int, title: str) -> None:
    n = len(y)
    held = n // 5
    train = {name: values[held:] for name, values in X.items()}
    test = {name: values[:held] for name, values in X.items()}
    fit_ms, clf = timed(lambda: estimator.fit(train, y[held:]))
    open_ms, editor = timed(lambda: TreeEditor(clf, train, y[held:], validation=(test, y[:held])))
    print(
        f"\n{title}: fit {fit_ms[0]:.0f} ms, editor opened in {open_ms[0]:.0f} ms, {editor.tree!r}"
    )
    heads = f"{'calls':>6}{'median':>10}{'95 %':>10}{'largest':>10}{'processor':>12}{'95 %':>10}"
    print(f"{'milliseconds':<26}{heads}")
    rng = np.random.default_rng(1)
    times: list[tuple[float, float]] = []
    undos: list[tuple[float, float]] = []
    while len(times) < edits:
        _, edit = random_edit(editor, rng)
        try:
            ms, _ = timed(edit)
        except ValueError:  # it divides nothing
            continue
        times.append(ms)
        if rng.random() < 0.5:
            undos.append(timed(editor.undo)[0])
    report("edit with its price", times)
    report("undo", undos)
    nodes = rng.integers(0, editor.tree.n_nodes, 30).tolist()
    report("candidates, random node", [timed(lambda n=n: editor.candidates(n))[0] for n in nodes])
    report("candidates of the root", [timed(lambda: editor.candidates(0))[0] for _ in range(5)])
    roots = [timed(lambda v=v: editor.split(0, f"c0 <= {v}"))[0] for v in (0.1, 0.2, 0.3)]
    report("edit of the root", roots)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--missing", action="store_true", help="also with holes")
    parser.add_argument("--numbers", action="store_true", help="also a regression")
    given = parser.parse_args()
    settings: dict[str, Any] = {
        "max_depth": given.depth,
        "min_samples_leaf": 50,
        "n_jobs": given.threads,
    }
    X, score = make_data(given.rows, given.columns, 0.0)
    run(TreeClassifier(**settings), X, np.where(score > 1.0, "yes", "no"), given.edits, "classes")
    if given.numbers:
        run(TreeRegressor(**settings), X, score, given.edits, "numbers")
    if given.missing:
        X, score = make_data(given.rows, given.columns, 0.02)
        y = np.where(score > 1.0, "yes", "no")
        run(TreeClassifier(**settings, missing="direction"), X, y, given.edits, "holes, direction")
        run(TreeClassifier(**settings), X, y, given.edits, "holes, fractional")


if __name__ == "__main__":
    main()
