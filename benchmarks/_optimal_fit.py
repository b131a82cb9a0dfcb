"""A fit of an optimal tree in a process of its own, so that a peer can be stopped.

    python _optimal_fit.py '{"peer": "STreeD", "data": "table.npz", "depth": 4, "limit": 60}'

prints {"seconds", "wrong", "proven"}: the time of the fit alone, rows predicted wrongly, and
whether the peer says that no tree is better.
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
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Fitted = tuple[Any, Callable[[Any], bool]]  # an estimator, and whether it has proven its tree

# A fit of less than a second is repeated, and the median counts: three times at least, and until
# the fits have taken a second.
LEAST, MOST, SHORT = 3, 25, 1.0
GRACE = 30.0  # seconds beyond its limit after which a peer is stopped
MODULES = {"ramify": "ramify", "STreeD": "pystreed", "PyDL8.5": "pydl85", "ConTree": "pycontree"}


def ramify(depth: int, limit: float, binary: bool) -> Fitted:
    from ramify import OptimalTreeClassifier

    features: Any = "binary" if binary else "all"
    model = OptimalTreeClassifier(max_depth=depth, features=features, time_limit=limit)
    return model, lambda fitted: fitted.proven_optimal_


def streed(depth: int, limit: float, binary: bool) -> Fitted:
    from pystreed import STreeDClassifier

    model = STreeDClassifier(
        "accuracy", max_depth=depth, min_leaf_node_size=1, cost_complexity=0.0, time_limit=limit
    )
    return model, lambda fitted: fitted.fit_result.is_optimal()


def pydl85(depth: int, limit: float, binary: bool) -> Fitted:
    from pydl85 import DL85Classifier

    model = DL85Classifier(max_depth=depth, min_sup=1, time_limit=max(1, round(limit)))
    return model, lambda fitted: not fitted.timeout_


def contree(depth: int, limit: float, binary: bool) -> Fitted:
    from pycontree import ConTree

    model = ConTree(max_depth=depth, complexity_cost=0.0, max_gap=0, time_limit=limit)
    return model, lambda fitted: fitted._config.is_within_time_limit()


PEERS = {"ramify": ramify, "STreeD": streed, "PyDL8.5": pydl85, "ConTree": contree}


def installed(peer: str) -> bool:
    return find_spec(MODULES[peer]) is not None


def _again(taken: list[float]) -> bool:
    if not taken or (len(taken) < LEAST and taken[0] < SHORT):
        return True
    return len(taken) < MOST and sum(taken) < SHORT


def fit(peer: str, data: str, depth: int, limit: float) -> dict[str, Any]:
    """Fit in this process."""
    table = np.load(data)
    X, y = table["X"], table["y"]
    if peer == "ConTree":  # which takes data frames only
        import pandas as pd

        X, y = pd.DataFrame(X), pd.Series(y)
    taken: list[float] = []
    processor: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while _again(taken):
            model, is_proven = PEERS[peer](depth, limit, bool(table["binary"]))
            start, before = time.perf_counter(), time.process_time()
            model.fit(X, y)
            taken.append(time.perf_counter() - start)
            processor.append(time.process_time() - before)
    wrong = int(np.count_nonzero(np.asarray(model.predict(X)) != np.asarray(y)))
    return {
        "seconds": statistics.median(taken),
        "processor": statistics.median(processor),
        "wrong": wrong,
        "proven": bool(is_proven(model)),
    }


def fit_in_new_process(
    peer: str, X: NDArray[Any], y: NDArray[Any], *, binary: bool, depth: int, limit: float
) -> dict[str, Any]:
    """Fit in a fresh process; one that does not end is stopped, and has found nothing."""
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "table.npz"))
        np.savez(data, X=X, y=y, binary=binary)
        job = {"peer": peer, "data": data, "depth": depth, "limit": limit}
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
