"""One tree by each peer that is installed; each call fits once and gives (seconds, leaves)."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Fit = Callable[[], tuple[float, int]]


def sklearn_tree(X: Any, y: Any, *, task: str = "classification", **parameters: Any) -> Fit:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor

    def fit() -> tuple[float, int]:
        model = kind(random_state=0, **parameters)
        start = time.perf_counter()
        model.fit(X, y)
        return time.perf_counter() - start, int(model.get_n_leaves())

    return fit


def ramify_tree(X: Any, y: Any, *, task: str = "classification", **parameters: Any) -> Fit | None:
    import ramify

    if not hasattr(ramify, "TreeClassifier"):  # only the peers can be timed
        return None
    kind = ramify.TreeClassifier if task == "classification" else ramify.TreeRegressor
    parameters = {"n_jobs": 1} | parameters

    def fit() -> tuple[float, int]:
        model = kind(**parameters)
        start = time.perf_counter()
        model.fit(X, y)
        return time.perf_counter() - start, int(model.tree_.n_leaves)

    return fit


def lightgbm_tree(X: Any, y: Any, *, objective: str = "binary", **parameters: Any) -> Fit | None:
    """Fit one boosting round; making its histogram bins counts, as our encoding does."""
    if importlib.util.find_spec("lightgbm") is None:
        return None
    import lightgbm

    settings = {
        "objective": objective,
        "learning_rate": 1.0,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": 1,
        "force_col_wise": True,
        "verbosity": -1,
    } | parameters

    def fit() -> tuple[float, int]:
        start = time.perf_counter()
        booster = lightgbm.train(settings, lightgbm.Dataset(X, y), num_boost_round=1)
        seconds = time.perf_counter() - start
        return seconds, int(booster.dump_model()["tree_info"][0]["num_leaves"])

    return fit


def ydf_tree(
    columns: dict[str, Any], y: Any, *, task: str = "CLASSIFICATION", **parameters: Any
) -> Fit | None:
    """Fit YDF's CART without its pruning."""
    if importlib.util.find_spec("ydf") is None:
        return None
    import ydf

    ydf.verbose(0)
    data = {**columns, "the target": y}
    settings = {"max_depth": -1, "min_examples": 1, "validation_ratio": 0.0, "num_threads": 1}
    settings |= parameters

    def fit() -> tuple[float, int]:
        learner = ydf.CartLearner(label="the target", task=getattr(ydf.Task, task), **settings)
        start = time.perf_counter()
        model = learner.train(data)
        # A binary tree has one leaf more than inner nodes.
        return time.perf_counter() - start, (int(model.num_nodes()) + 1) // 2

    return fit


_RPART = """
arguments <- commandArgs(TRUE)
n <- as.integer(arguments[2]); p <- as.integer(arguments[3])
nominal <- if (length(arguments) > 3) as.integer(strsplit(arguments[4], ",")[[1]]) else integer(0)
suppressPackageStartupMessages(library(rpart))
file <- file(arguments[1], "rb")
d <- as.data.frame(matrix(readBin(file, "double", n * (p + 1)), n))
close(file)
for (j in nominal) d[[j]] <- factor(d[[j]])
names(d)[p + 1] <- "target"
d$target <- factor(d$target)
control <- rpart.control(cp = 0, minsplit = 2, minbucket = 1, xval = 0, maxcompete = 0,
                         maxsurrogate = 0, usesurrogate = 0, maxdepth = 30)
seconds <- system.time(f <- rpart(target ~ ., d, method = "class", control = control))[["elapsed"]]
cat(seconds, sum(f$frame$var == "<leaf>"))
"""


def rpart_tree(
    X: NDArray[np.float64], y: NDArray[Any], *, nominal: tuple[int, ...] = ()
) -> Fit | None:
    """Fit rpart in a process of its own; only the fit is timed. It stops at depth 30."""
    if shutil.which("Rscript") is None:
        return None

    def fit() -> tuple[float, int]:
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder, "table.bin")
            codes = np.unique(y, return_inverse=True)[1]
            np.column_stack([X, codes]).astype(np.float64).T.tofile(table)
            script = Path(folder, "fit.R")
            script.write_text(_RPART)
            command = ["Rscript", str(script), str(table), str(len(X)), str(X.shape[1])]
            if nominal:
                command.append(",".join(str(j + 1) for j in nominal))
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"rpart: {' '.join(done.stderr.split())[-200:]}")
        seconds, leaves = done.stdout.split()
        return float(seconds), int(leaves)

    return fit
