"""Ctrl-C, callables that fail, and threads: nothing crashes, and what comes after works.

This prints how long each kind of fit takes to stop:

    PYTHONPATH=tests python tests/house/test_interrupt.py
"""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from helpers.processes import heeding_ctrl_c, needs_signals, seconds_to_stop

from ramify import TreeClassifier, TreeRegressor

# Runs in a process of its own: a signal must not hit the test runner. The child sends it to itself,
# so that the clock starts at the signal.
CHILD = """
import os, signal, sys, threading, time
import numpy as np
from ramify import TreeClassifier
from ramify import TreeRegressor

# Ctrl-C may be ignored where the tests were started (nohup, a background job).
signal.signal(signal.SIGINT, signal.default_int_handler)

def score(counts):
    return float(counts.max(axis=1).sum() / counts.sum())

kinds = {
    "entropy": TreeClassifier(criterion="entropy"),
    "two_threads": TreeClassifier(n_jobs=2),
    "best_first": TreeClassifier(growth="best_first"),
    "callable": TreeClassifier(criterion=score),
    "squared_error": TreeRegressor(),
    "absolute_error": TreeRegressor(criterion="absolute_error"),
}
rng = np.random.default_rng(0)
X = rng.normal(size=(1_000_000, 20))
y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
tree = kinds[sys.argv[1]].fit(X[:100], y[:100])
before = tree.tree_
sent = []

def interrupt():
    time.sleep(float(sys.argv[2]))
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

thread = threading.Thread(target=interrupt)
thread.start()
try:
    tree.fit(X, y)
except KeyboardInterrupt:
    print(f"{time.perf_counter() - sent[0]:.3f}")
else:
    print("finished")
thread.join()
assert tree.tree_ is before, "an interrupted fit must leave the former tree"
assert TreeClassifier().fit([[1.0], [2.0]], ["a", "b"]).predict([[1.0]])[0] == "a"
assert tree.fit(X[:100], y[:100]).tree_ == before
print("usable")
"""


def time_to_stop(kind: str, delay: float) -> float:
    """Seconds from the signal to KeyboardInterrupt, in a fit of a million rows."""
    return seconds_to_stop(CHILD, kind, delay, timeout=120)


@needs_signals
@pytest.mark.parametrize(
    ("kind", "delay"),
    [
        ("entropy", 0.05),  # while the table is encoded
        ("entropy", 0.5),
        ("two_threads", 0.5),
        ("callable", 0.5),
        ("absolute_error", 1.5),
    ],
)
def test_ctrl_c_in_a_fit(kind: str, delay: float) -> None:
    assert time_to_stop(kind, delay) < 1.0  # 0.2 s on a machine that does nothing else


# --- callables --------------------------------------------------------------------------------


X_SMALL = np.array([[0.0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [1, 1]])
Y_SMALL = [0, 0, 1, 1, 0, 0, 0]


def gini(counts: Any) -> float:
    shares = counts / counts.sum(axis=1, keepdims=True)
    return float(1 - (counts.sum(axis=1) @ (1 - (shares**2).sum(axis=1))) / counts.sum())


def raise_key_error(counts: Any) -> float:
    raise KeyError("from the criterion")


def raise_later(counts: Any) -> float:
    if counts.sum() < 7:
        raise ZeroDivisionError("at a lower node")
    return gini(counts)


@pytest.mark.parametrize(
    ("criterion", "error", "message"),
    [
        (raise_key_error, KeyError, "from the criterion"),
        (raise_later, ZeroDivisionError, "at a lower node"),
        (lambda: 1.0, TypeError, "takes 0 positional arguments"),
        (lambda counts: None, TypeError, "criterion: the callable must return one number"),
        (lambda counts: "much", TypeError, "criterion: the callable must return one number"),
        (lambda counts: counts, TypeError, "criterion: the callable must return one number"),
        (lambda counts: 1j, TypeError, "criterion: the callable must return one number"),
    ],
)
@pytest.mark.parametrize("nominal", [False, True])
def test_errors_of_a_callable_come_out(
    criterion: Any, error: Any, message: str, nominal: bool
) -> None:
    clf = TreeClassifier(criterion=criterion, categorical_features=[0, 1] if nominal else None)
    with pytest.raises(error, match=message):
        clf.fit(X_SMALL, Y_SMALL)
    assert not hasattr(clf, "tree_")
    clf.set_params(criterion="gini").fit(X_SMALL, Y_SMALL).tree_.check()


@pytest.mark.parametrize("score", [np.nan, np.inf, -np.inf, 0.0, -1, True, np.float32(2), 1e308])
def test_odd_scores_still_give_a_tree(score: Any) -> None:
    clf = TreeClassifier(criterion=lambda counts: score).fit(X_SMALL, Y_SMALL)
    clf.tree_.check()
    assert (clf.tree_.n_leaves > 1) == (score > 0)


def test_a_callable_may_keep_or_spoil_what_it_is_given() -> None:
    kept = []

    def spoil(counts: Any) -> float:
        value = gini(counts)
        kept.append(counts.copy())
        counts[:] = -1e300
        kept.append(counts)
        return value

    clf = TreeClassifier(criterion=spoil).fit(X_SMALL, Y_SMALL)
    assert clf.tree_ == TreeClassifier(criterion=gini).fit(X_SMALL, Y_SMALL).tree_
    assert all(counts.shape == (2, 2) and counts.min() >= 0 for counts in kept[::2])
    assert all((counts == -1e300).all() for counts in kept[1::2])


def test_a_callable_may_fit_a_tree_itself() -> None:
    def nested(counts: Any) -> float:
        TreeClassifier(n_jobs=2).fit(X_SMALL, Y_SMALL)
        return gini(counts)

    assert TreeClassifier(criterion=nested).fit(X_SMALL, Y_SMALL).score(X_SMALL, Y_SMALL) == 1.0


def test_a_callable_equal_to_gini_grows_the_same_tree() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    ours = TreeClassifier(max_depth=4).fit(X, y).tree_.data
    theirs = TreeClassifier(max_depth=4, criterion=gini).fit(X, y).tree_.data
    np.testing.assert_array_equal(ours["attribute"], theirs["attribute"])
    np.testing.assert_array_equal(ours["threshold"], theirs["threshold"])


# --- threads ----------------------------------------------------------------------------------


def _table() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 6))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 5] = rng.integers(0, 30, len(X))
    y = np.nan_to_num(X[:, 0]) + (X[:, 5] % 3) + rng.normal(size=len(X))
    return X, np.digitize(y, [-1.0, 0.5, 2.0]), y


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_threads_fit_and_predict_at_once_as_one_does(n_jobs: int) -> None:
    X, labels, values = _table()
    makers = [
        lambda: TreeClassifier(categorical_features=[5], n_jobs=n_jobs).fit(X, labels),
        lambda: TreeClassifier(criterion=gini, max_depth=3).fit(X, labels),
        lambda: TreeRegressor(growth="best_first", max_leaves=60, n_jobs=n_jobs).fit(X, values),
        lambda: TreeRegressor(missing="direction", n_jobs=n_jobs).fit(X, values),
    ]
    alone = [make() for make in makers]
    answers = [model.predict(X) for model in alone]
    wrong: list[str] = []

    def work(seed: int) -> None:
        for turn in range(3):
            i = (seed + turn) % len(makers)
            if makers[i]().tree_ != alone[i].tree_:
                wrong.append(f"tree {i}")
            for j in range(len(alone)):  # one model read by several threads
                if not np.array_equal(alone[j].predict(X), answers[j]):
                    wrong.append(f"prediction {j}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("n_jobs", [2, 3, -1, 10**6])
def test_any_number_of_threads_gives_the_same(n_jobs: int) -> None:
    X, labels, values = _table()
    one = TreeClassifier(categorical_features=[5]).fit(X, labels)
    many = TreeClassifier(categorical_features=[5], n_jobs=n_jobs).fit(X, labels)
    assert one.tree_ == many.tree_
    np.testing.assert_array_equal(one.predict_proba(X), many.predict_proba(X))
    np.testing.assert_array_equal(one.apply(X), many.apply(X))
    one_value = TreeRegressor().fit(X, values)
    assert one_value.tree_ == TreeRegressor(n_jobs=n_jobs).fit(X, values).tree_


def test_interrupting_one_thread_is_not_lost() -> None:
    """A fit outside the main thread cannot be interrupted, and does not swallow the signal."""
    X, labels, _ = _table()
    thread = threading.Thread(target=lambda: TreeClassifier().fit(X, labels))
    thread.start()

    def interrupt() -> None:
        signal.raise_signal(signal.SIGINT)
        time.sleep(10)  # the handler runs as soon as this thread has its turn

    try:
        with heeding_ctrl_c(), pytest.raises(KeyboardInterrupt):
            interrupt()
    finally:
        thread.join()


if __name__ == "__main__":
    for name in ("entropy", "two_threads", "best_first", "callable", "squared_error"):
        for wait in (0.05, 0.5, 1.5):
            print(f"{name:15} signal after {wait:4} s: stopped in {time_to_stop(name, wait):.3f} s")
    for wait in (0.05, 0.5, 1.5):
        print(
            f"absolute_error  signal after {wait:4} s: {time_to_stop('absolute_error', wait):.3f} s"
        )
