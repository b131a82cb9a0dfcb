"""Forked children: the threads of the parent are not there, and no call waits for them."""

from __future__ import annotations

import os

import pytest
from helpers.processes import run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

# In a process of its own: what the test runner has loaded and run before must not matter. The
# alarm ends a child that hangs.
CHILD = """
import hashlib, multiprocessing, os, signal, sys
import numpy as np
from ramify import (
    BoostedTreesClassifier, MixtureOfExpertsClassifier, OptimalTreeClassifier, TreeClassifier,
    TreeRegressor,
)
from ramify.discretize import ChiMergeDiscretizer, MDLPDiscretizer, MIDDiscretizer

rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 4))
X[rng.random(X.shape) < 0.02] = np.nan
X[:, 3] = rng.integers(0, 12, len(X))
value = np.nan_to_num(X[:, 0]) * 2 + X[:, 3] % 3 + rng.normal(size=len(X))
y = np.digitize(value, [0.0, 1.5])
few = slice(0, 400)
full = np.nan_to_num(X)
options = {"n_jobs": 2, "categorical_features": [3]}
grown = TreeClassifier(**options).fit(X, y)

def tree(model):
    return model.tree_.to_dict()

def cut(kind):
    return [c.tolist() for c in kind(n_jobs=2).fit(full, y).thresholds_]

jobs = {
    "predict": lambda: grown.predict_proba(X).tolist(),
    "apply": lambda: grown.apply(X).tolist(),
    "grow": lambda: tree(TreeClassifier(**options, min_samples_leaf=5).fit(X, y)),
    "numbers": lambda: tree(TreeRegressor(growth="best_first", **options).fit(X, value)),
    "folds": lambda: tree(TreeClassifier(pruning="cost_complexity", **options).fit(X, y)),
    "best_first": lambda: tree(
        TreeClassifier(growth="best_first", max_leaves=40, pruning="best_first", **options)
        .fit(X, y)
    ),
    "chance": lambda: TreeClassifier(max_depth=3, n_jobs=2).fit(X, y)
        .unbiased_importances(X, y, n_permutations=3).tolist(),
    "boosted": lambda: BoostedTreesClassifier(n_rounds=5, n_jobs=2, random_state=0)
        .fit(X, y).predict_proba(X).tolist(),
    "optimal": lambda: tree(
        OptimalTreeClassifier(max_depth=3, n_thresholds=10, n_jobs=2).fit(full[few], y[few])
    ),
    "continuous": lambda: tree(
        OptimalTreeClassifier(max_depth=2, features="all", n_jobs=2).fit(full[few, :2], y[few])
    ),
    "mixture": lambda: MixtureOfExpertsClassifier(max_iter=3, random_state=0, n_jobs=2)
        .fit(full[:2000], y[:2000]).predict_proba(full[:2000]).tolist(),
    "mid": lambda: cut(MIDDiscretizer),
    "mdlp": lambda: cut(MDLPDiscretizer),
    "chimerge": lambda: cut(ChiMergeDiscretizer),
}
parent = os.getpid()

def digest(name):
    import warnings
    if os.getpid() != parent:
        signal.alarm(120)
    warnings.simplefilter("ignore")
    return hashlib.sha256(repr(jobs[name]()).encode()).hexdigest()

def in_child(work):
    # The code with which a child ends that does the work.
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(work())
        except BaseException as error:
            os.write(2, repr(error).encode())
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

for name in sys.argv[1:]:
    expected = digest(name)
    same = lambda: 0 if digest(name) == expected else 1
    print(f"{name}, child: {in_child(same)}")
    print(f"{name}, grandchild: {in_child(lambda: in_child(same) & 0xFF)}")
    print(f"{name}, still here: {same()}", flush=True)
    if name == "predict":
        signal.alarm(240)  # a pool waits for ever for a child that has died
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print("pool:", int(set(pool.map(digest, [name] * 4)) != {expected}))
        from joblib import Parallel, delayed
        found = Parallel(n_jobs=2, backend="multiprocessing")([delayed(digest)(name)] * 3)
        print("joblib:", int(set(found) != {expected}))
        signal.alarm(0)
"""
# One process does several: what they import takes longer than what most of them do.
JOBS = (
    ("apply", "grow", "numbers", "folds", "best_first", "predict"),
    ("boosted", "optimal", "continuous", "mixture", "mid", "mdlp", "chimerge", "chance"),
)


@pytest.mark.parametrize("jobs", JOBS, ids=", ".join)
def test_a_forked_child_computes_the_same(jobs: tuple[str, ...]) -> None:
    printed = run_python(CHILD, *jobs, timeout=600, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    ends = dict(line.split(": ") for line in printed.splitlines())
    assert len(ends) == 3 * len(jobs) + 2 * ("predict" in jobs)
    assert set(ends.values()) == {"0"}, ends
