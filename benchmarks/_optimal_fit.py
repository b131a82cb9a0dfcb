"""A fit of an optimal tree in a process of its own, so that a peer can be stopped.

    python _optimal_fit.py '{"peer": "STreeD", "data": "table.npz", "depth": 4, "limit": 60}'

prints {"seconds", "processor", "wrong", "proven"}: the time of the fit alone, rows predicted
wrongly, and whether the peer says that no tree is better. Ours also has the history: seconds, wrong
rows and their lower bound. With a price of leaves there is the objective in place of wrong rows.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# An estimator, whether it has proven its tree, and the leaves of that.
Fitted = tuple[Any, Callable[[Any], bool], Callable[[Any], int]]

# A fit of less than a second is repeated, and the median counts: three times at least, and until
# the fits have taken a second.
LEAST, MOST, SHORT = 3, 25, 1.0
GRACE = 30.0  # seconds beyond its limit after which a peer is stopped
MODULES = {
    "ramify": "ramify",
    "STreeD": "pystreed",
    "PyDL8.5": "pydl85",
    "ConTree": "pycontree",
    "GOSDT": "gosdt",
}


@dataclass(frozen=True)
class Job:
    """What is fitted, but for the data."""

    depth: int
    limit: float
    binary: bool = True
    price: float = 0.0  # of a leaf, as a share of the rows
    threads: int = 1


def _not_counted(fitted: Any) -> int:
    return 0


def ramify(job: Job) -> Fitted:
    from ramify import OptimalTreeClassifier

    features: Any = "binary" if job.binary else "all"
    model = OptimalTreeClassifier(
        max_depth=job.depth,
        features=features,
        time_limit=job.limit,
        sparsity=job.price,
        n_jobs=job.threads,
    )
    return model, lambda fitted: fitted.proven_optimal_, lambda fitted: fitted.tree_.n_leaves


def streed(job: Job) -> Fitted:
    from pystreed import STreeDClassifier

    model = STreeDClassifier(
        "cost-complex-accuracy" if job.price else "accuracy",
        max_depth=job.depth,
        min_leaf_node_size=1,
        cost_complexity=job.price,
        time_limit=job.limit,
    )
    return (
        model,
        lambda fitted: fitted.fit_result.is_optimal(),
        lambda fitted: fitted.get_n_leaves(),
    )


def pydl85(job: Job) -> Fitted:
    from pydl85 import DL85Classifier

    model = DL85Classifier(max_depth=job.depth, min_sup=1, time_limit=max(1, round(job.limit)))
    return model, lambda fitted: not fitted.timeout_, _not_counted


def contree(job: Job) -> Fitted:
    from pycontree import ConTree

    model = ConTree(max_depth=job.depth, complexity_cost=0.0, max_gap=0, time_limit=job.limit)
    return model, lambda fitted: fitted._config.is_within_time_limit(), _not_counted


def gosdt(job: Job) -> Fitted:
    from gosdt import GOSDTClassifier, Status

    model = GOSDTClassifier(
        regularization=job.price,
        allow_small_reg=True,
        depth_budget=job.depth + 1,  # levels
        time_limit=max(1, round(job.limit)),
    )
    # Its predict() calls check_array() with an argument that later scikit-learns do not have.
    module: Any = sys.modules[GOSDTClassifier.__module__]
    module.check_array = lambda X, **_: np.asarray(X)
    return (
        model,
        lambda fitted: fitted.result_.status == Status.CONVERGED,
        lambda fitted: str(json.loads(fitted.result_.model)[0]).count("prediction"),
    )


PEERS = {"ramify": ramify, "STreeD": streed, "PyDL8.5": pydl85, "ConTree": contree, "GOSDT": gosdt}


def installed(peer: str) -> bool:
    return find_spec(MODULES[peer]) is not None


def _again(taken: list[float]) -> bool:
    if not taken or (len(taken) < LEAST and taken[0] < SHORT):
        return True
    return len(taken) < MOST and sum(taken) < SHORT


def history(model: Any, rows: int) -> list[tuple[float, float, float]]:
    """Give the seconds, wrong rows and lower bounds of our search."""
    search = model.history_
    moments = zip(search.seconds, search.error * rows, search.bound * rows, strict=True)
    return [(float(s), round(float(e), 6), round(float(b), 6)) for s, e, b in moments]


def fit(peer: str, data: str, **options: Any) -> dict[str, Any]:
    """Fit in this process."""
    table = np.load(data)
    X, y = table["X"], table["y"]
    job = Job(**options)
    if peer == "ConTree":  # which takes data frames only
        import pandas as pd

        X, y = pd.DataFrame(X), pd.Series(y)
    if peer == "GOSDT":
        X = X.astype(bool)
    taken: list[float] = []
    processor: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while _again(taken):
            model, is_proven, leaves = PEERS[peer](job)
            start, before = time.perf_counter(), time.process_time()
            model.fit(X, y)
            taken.append(time.perf_counter() - start)
            processor.append(time.process_time() - before)
    wrong = float(np.count_nonzero(np.asarray(model.predict(X)).ravel() != np.asarray(y)))
    if job.price:
        wrong = round(wrong + job.price * len(y) * leaves(model), 6)
    result = {
        "seconds": statistics.median(taken),
        "processor": statistics.median(processor),
        "wrong": wrong,
        "proven": bool(is_proven(model)),
    }
    return result | {"history": history(model, len(y))} if peer == "ramify" else result


def fit_in_new_process(
    peer: str, X: NDArray[Any], y: NDArray[Any], **options: Any
) -> dict[str, Any]:
    """Fit in a fresh process; one that does not end is stopped, and has found nothing.

    `options` are those of a Job.
    """
    limit = float(options["limit"])
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "table.npz"))
        np.savez(data, X=X, y=y)
        job = {"peer": peer, "data": data, **options}
        command = [sys.executable, str(Path(__file__)), json.dumps(job)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=limit + GRACE, check=False
            )
        except subprocess.TimeoutExpired:
            return {"seconds": limit + GRACE, "wrong": None, "proven": False}
    if done.returncode:
        said = " ".join(done.stderr.split())[-200:] or f"exit code {done.returncode}"
        return {"seconds": None, "wrong": None, "proven": False, "error": said}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


if __name__ == "__main__":
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        outcome = fit(**json.loads(sys.argv[1]))
    print(json.dumps(outcome))
