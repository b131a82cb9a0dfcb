"""Many rows go down a tree together: each must get what it would get alone, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.processes import needs_signals, seconds_to_stop
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.walk import heaviest, mixture, walk

from ramify import TreeClassifier, TreeRegressor

LEVELS = ["red", "green", "blue", "black", "white"]


def table(rng: Any, rows: int, holes: float, levels: list[str]) -> pd.DataFrame:
    X = pd.DataFrame(
        {
            "a": rng.normal(size=rows).round(1),
            "colour": rng.choice(np.array(levels, dtype=object), rows),
            "size": pd.Categorical(
                rng.choice(["S", "M", "L"], rows), categories=["S", "M", "L"], ordered=True
            ),
            "b": rng.integers(0, 9, rows).astype(float),
        }
    )
    for name in X:
        X.loc[rng.random(rows) < holes, name] = None
    return X


@st.composite
def fitted(draw: st.DrawFn) -> tuple[Any, pd.DataFrame]:
    """A deep tree on a small table, and rows with many holes and levels it has not seen."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = table(rng, 80, draw(st.sampled_from([0.0, 0.2])), LEVELS[:4])
    weight = rng.random(80) + 0.01 if draw(st.booleans()) else None
    common = {
        "missing": draw(st.sampled_from(["fractional", "separate", "direction"])),
        "unseen": draw(st.sampled_from(["missing", "majority"])),
        "categorical_split": draw(st.sampled_from(["auto", "multiway"])),
        "max_depth": draw(st.sampled_from([None, 3])),
    }
    if draw(st.booleans()):
        classes = draw(st.integers(1, 4))
        model: Any = TreeClassifier(**common).fit(X, rng.integers(0, classes, 80), weight)
    else:
        model = TreeRegressor(**common).fit(X, rng.normal(size=80), weight)
    new = table(rng, draw(st.integers(1, 12)), draw(st.sampled_from([0.0, 0.5, 1.0])), LEVELS)
    return model, new


def ask(model: Any, X: Any) -> dict[str, Any]:
    asked = {name: getattr(model, name)(X) for name in ("predict", "apply")}
    if isinstance(model, TreeClassifier):
        asked["predict_proba"] = model.predict_proba(X)
    path = model.decision_path(X)
    asked["path"] = path.toarray()
    assert all(np.all(np.diff(row) > 0) for row in np.split(path.indices, path.indptr[1:-1]))
    return asked


@settings(max_examples=150, deadline=None)
@given(fitted())
def test_rows_together_alone_and_by_definition(case: tuple[Any, pd.DataFrame]) -> None:
    model, new = case
    tree = model.tree_
    together = ask(model, new)
    columns = model.read(new)
    cells = list(zip(*(column.tolist() for column in columns.arrays), strict=True))
    classify = isinstance(model, TreeClassifier)
    if classify:
        worth = tree.data["value"] / tree.data["weight"][:, np.newaxis]
    else:
        worth = tree.data["prediction"]
    for i in range(len(new)):
        for name, answer in ask(model, new.iloc[i : i + 1]).items():
            np.testing.assert_array_equal(answer[0], together[name][i], err_msg=name)
        way = walk(tree, list(cells[i]))
        name = "predict_proba" if classify else "predict"
        np.testing.assert_array_equal(together[name][i], mixture(way, worth))
        assert together["apply"][i] == heaviest(way)
        np.testing.assert_array_equal(np.flatnonzero(together["path"][i]), sorted(way.nodes))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_more_rows_than_one_chunk(n_jobs: int) -> None:
    rng = np.random.default_rng(0)
    X = table(rng, 300, 0.1, LEVELS)
    model = TreeClassifier(n_jobs=n_jobs).fit(X, rng.integers(0, 3, 300))
    few = table(rng, 50, 0.5, LEVELS)
    many = pd.concat([few] * 250, ignore_index=True)  # 12,500 rows
    for name, answer in ask(model, few).items():
        np.testing.assert_array_equal(
            ask(model, many)[name], np.tile(answer.T, 250).T, err_msg=name
        )


# Runs in a process of its own, with a handler of its own: the signal must not hit the test runner,
# which may ignore it.
CHILD = """
import os, signal, sys, threading, time
import numpy as np
from ramify import BoostedTreesClassifier
from ramify import TreeClassifier
from ramify import TreeRegressor

signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
kind, threads = sys.argv[1], int(sys.argv[2])
X = rng.normal(size=(40_000, 12))
y = rng.integers(0, 2, len(X))
if kind == "boosted":
    model = BoostedTreesClassifier(n_rounds=5, max_leaves=4000, n_jobs=threads).fit(X, y)
    kind = "predict"
elif kind == "regressor":
    model, kind = TreeRegressor(n_jobs=threads).fit(X, y + 0.1 * rng.random(len(X))), "predict"
else:
    model = TreeClassifier(n_jobs=threads).fit(X, y)
rows = 200_000 if kind != "decision_path" else 20_000
holes = np.full((rows, 12), np.nan)
ask = getattr(model, kind)
ask(holes[:10])
sent = []

def interrupt():
    time.sleep(0.3)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

thread = threading.Thread(target=interrupt)
thread.start()
start = time.perf_counter()
try:
    ask(holes)
except KeyboardInterrupt:
    print(f"{time.perf_counter() - sent[0]:.3f}")
else:
    print("finished")
thread.join()
assert len(ask(holes[:10]).toarray() if kind == "decision_path" else ask(holes[:10])) == 10
print("usable")
"""


@needs_signals
@pytest.mark.parametrize(
    ("kind", "threads"),
    [
        ("predict", 1),
        ("predict", 2),
        ("predict_proba", 1),
        ("apply", 1),
        ("decision_path", 1),
        ("regressor", 1),
        ("boosted", 1),
    ],
)
def test_ctrl_c_in_a_prediction(kind: str, threads: int) -> None:
    """All rows take ten seconds or more. Without a check inside, so would Ctrl-C."""
    # It takes 0.02 s on a machine that does nothing else.
    assert seconds_to_stop(CHILD, kind, threads, timeout=240) < 1.0
