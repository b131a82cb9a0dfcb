"""A tree by each peer that is installed; a run fits once and gives seconds and leaves."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Run, fitting
from numpy.typing import NDArray


def sklearn_tree(X: Any, y: Any, *, task: str = "classification", **parameters: Any) -> Run:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    return fitting(
        lambda: kind(random_state=0, **parameters), X, y, lambda model: int(model.get_n_leaves())
    )


def ramify_tree(X: Any, y: Any, *, task: str = "classification", **parameters: Any) -> Run | None:
    import ramify

    if not hasattr(ramify, "TreeClassifier"):  # only the peers can be timed
        return None
    kind = ramify.TreeClassifier if task == "classification" else ramify.TreeRegressor
    parameters = {"n_jobs": 1} | parameters

    return fitting(lambda: kind(**parameters), X, y, leaves)


def leaves(model: Any) -> int:
    """Count the leaves of a tree of ours."""
    return int(model.tree_.n_leaves)


def lightgbm_tree(X: Any, y: Any, *, objective: str = "binary", **parameters: Any) -> Run | None:
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
) -> Run | None:
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
folds <- as.integer(arguments[4]); runs <- as.integer(arguments[5])
nominal <- if (length(arguments) > 5) as.integer(strsplit(arguments[6], ",")[[1]]) else integer(0)
suppressPackageStartupMessages(library(rpart))
file <- file(arguments[1], "rb")
d <- as.data.frame(matrix(readBin(file, "double", n * (p + 1)), n))
close(file)
for (j in nominal) d[[j]] <- factor(d[[j]])
names(d)[p + 1] <- "target"
d$target <- factor(d$target)
# Cross-validated, as users call it; otherwise the bare tree.
control <- if (folds > 0) rpart.control(cp = 0, xval = folds) else
  rpart.control(cp = 0, minsplit = 2, minbucket = 1, xval = 0, maxcompete = 0,
                maxsurrogate = 0, usesurrogate = 0, maxdepth = 30)
fit <- function(i) {
  system.time(f <<- rpart(target ~ ., d, method = "class", control = control))[["elapsed"]]
}
cat(median(vapply(seq_len(runs), fit, 0)), sum(f$frame$var == "<leaf>"))
"""


def rpart_tree(
    X: NDArray[np.float64],
    y: NDArray[Any],
    *,
    nominal: tuple[int, ...] = (),
    folds: int = 0,
    runs: int = 1,
) -> Run | None:
    """Fit rpart in a process of its own; only the fit is timed. It stops at depth 30.

    `folds`: cross-validate the cost-complexity sequence, with the defaults of
    ``rpart(xval = folds, cp = 0)``: at least 20 rows to split and 7 in a leaf, surrogates. The
    median of `runs` fits counts.
    """
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
            command += [str(folds), str(runs)]
            if nominal:
                command.append(",".join(str(j + 1) for j in nominal))
            return outcome("rpart", command)

    return fit


_WEKA = """
import java.io.*;
import java.util.*;
import weka.classifiers.trees.BFTree;
import weka.core.*;

public class TimeBFTree {
    public static void main(String[] arguments) throws Exception {
        int rows = Integer.parseInt(arguments[1]);
        String[] levels = arguments[2].split(",");
        FastVector attributes = new FastVector();
        for (int j = 0; j < levels.length; ++j) {
            int count = Integer.parseInt(levels[j]);
            FastVector names = new FastVector();
            for (int k = 0; k < count; ++k) names.addElement("l" + k);
            attributes.addElement(count > 0 ? new Attribute("a" + j, names)
                                            : new Attribute("a" + j));
        }
        Instances data = new Instances("table", attributes, rows);
        data.setClassIndex(levels.length - 1);
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(new FileInputStream(arguments[0])));
        for (int i = 0; i < rows; ++i) {
            double[] values = new double[levels.length];
            for (int j = 0; j < levels.length; ++j) values[j] = in.readDouble();
            data.add(new Instance(1.0, values));
        }
        int runs = Integer.parseInt(arguments[3]);
        double[] seconds = new double[runs];
        double first = 0, leaves = 0;
        for (int run = -1; run < runs; ++run) {
            BFTree tree = new BFTree();
            tree.setOptions(Utils.splitOptions(arguments[4]));
            long start = System.nanoTime();
            tree.buildClassifier(data);
            double taken = (System.nanoTime() - start) / 1e9;
            if (run < 0) first = taken; else seconds[run] = taken;
            leaves = tree.numLeaves();
        }
        Arrays.sort(seconds);
        System.out.println((runs > 0 ? seconds[runs / 2] : first) + " " + (int) leaves);
    }
}
"""


def weka_bftree(
    X: NDArray[np.float64],
    y: NDArray[Any],
    *,
    jar: str | None,
    nominal: tuple[int, ...] = (),
    options: str = "-P POSTPRUNED -N 10",
    runs: int = 3,
) -> Run | None:
    """Fit Weka's BFTree: the median of `runs` fits in one Java machine, after one to warm it up.

    With `runs=0` it is the first fit, in a fresh machine, as on the command line. `jar` is that of
    Weka 3.6; nominal columns hold codes from 0 on.
    """
    if jar is None or shutil.which("java") is None:
        return None
    codes = np.unique(y, return_inverse=True)[1]
    counts = [int(X[:, j].max()) + 1 if j in nominal else 0 for j in range(X.shape[1])]
    counts.append(int(codes.max()) + 1)

    def fit() -> tuple[float, int]:
        with tempfile.TemporaryDirectory() as folder:
            table, source = Path(folder, "table.bin"), Path(folder, "TimeBFTree.java")
            np.column_stack([X, codes]).astype(">f8").tofile(table)
            source.write_text(_WEKA)
            command = ["java", "-cp", jar, str(source), str(table), str(len(X))]
            command += [",".join(map(str, counts)), str(runs), options]
            return outcome("Weka", command)

    return fit


def outcome(peer: str, command: list[str]) -> tuple[float, int]:
    """Run a program that prints the seconds of a fit and its leaves."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{peer}: {' '.join(done.stderr.split())[-200:]}")
    seconds, leaves = done.stdout.split()
    return float(seconds), int(leaves)
