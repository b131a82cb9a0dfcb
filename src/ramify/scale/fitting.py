"""`fit`: an estimator fitted to a source that need not fit in memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from ramify.learning import parameters as check
from ramify.learning.number_loss import require_targets
from ramify.pruning.pruned import Pruned
from ramify.scale.common import Common
from ramify.scale.executors import Executor, Threads
from ramify.scale.memory import Budget, read_memory
from ramify.scale.naming import settle_identifiers
from ramify.scale.opening import open_any
from ramify.scale.profiling import Learned, ProfileTask, learn, levelled_columns
from ramify.scale.reading import Reader
from ramify.scale.refusals import folds_of, reads_targets, refuse
from ramify.scale.scans import Scans
from ramify.scale.sources import RowSource, SourceError
from ramify.scale.spill import spill_folder
from ramify.scale.training import ScaledTraining
from ramify.scale.validation import cut_by_held_out_rows
from ramify.support.suggest import near_names
from ramify.trees.greedy.base import GreedyTree, warn_of_passed_over

Fitted = TypeVar("Fitted")
OnScan = Callable[[int, str], None]


def fit(
    estimator: Fitted,
    source: Any,
    target: str = "y",
    *,
    weight: str | None = None,
    memory_limit: int | str = "4GB",
    spill: str | os.PathLike[str] | None = None,
    validation: Any = None,
    progress: OnScan | None = None,
    executor: Executor | None = None,
) -> Fitted:
    """Fit a tree to a source that need not fit in memory.

    The tree is the one that ``estimator.fit`` would grow on all rows in memory. Classes and counts
    of rows add up exactly. Sums of weights and of numbers are exact to 62 bits; a fit in memory
    rounds them in the order of its rows, so gains and means agree to about 12 digits, and two
    splits that tie to that precision may change places.

    Parameters
    ----------
    estimator : TreeClassifier or TreeRegressor
        It is fitted in place. Parameters that need all rows at once are refused by name, unless
        all rows fit in `memory_limit`.
    source : path, glob, list of paths, Dataset, Table, LazyFrame, relation or DataFrame
        Parquet, CSV or Arrow IPC files, a pyarrow Dataset or Table, a polars LazyFrame, a DuckDB
        relation, or a DataFrame of Dask or Spark, whose rows stay where they are. It is read
        several times and must not change meanwhile.
    target : str, default="y"
        The column of the target. All other columns but that of the weights describe the rows.
    weight : str or None
        The column of the weights of the rows.
    memory_limit : int or str, default="4GB"
        Memory to use, in bytes or as a text such as "500MB". Subtrees whose rows fit in it are
        grown in memory.
    spill : path or None
        Folder for temporary files; None means that of the system.
    validation : source or None
        Other rows, with the same columns, that cut the tree back without folds: to the smallest
        tree of the cost-complexity path whose loss on them is within one standard error of the
        least. They are read into memory. For ``pruning=None``.
    progress : callable or None
        Called with the number of each scan, and what it reads, when it begins.
    executor : Executor or None
        Who counts; None means the cluster of a Dask or Spark frame, else threads on this machine,
        as many as `n_jobs` says. ``ramify.scale.dask.Dask(client)`` is a given Dask cluster.

    Returns
    -------
    estimator
        The estimator itself, fitted.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from ramify import TreeClassifier, scale
    >>> rows = pa.table({"a": [1.0, 2.0, 3.0, 4.0], "y": ["no", "no", "yes", "yes"]})
    >>> scale.fit(TreeClassifier(), rows).tree_.n_leaves
    2
    """
    if not isinstance(estimator, GreedyTree):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}; only TreeClassifier and TreeRegressor are "
            "fitted out of core. Fit others to a sample that fits in memory"
        )
    settings = estimator.check_parameters()
    if validation is not None:
        if settings["pruning"] is not None:
            raise ValueError(
                f"validation cuts the tree back, and so does pruning={estimator.pruning!r:.80}; "
                "choose pruning=None, or leave validation out"
            )
        others = open_any(validation)
        inputs = _input_columns(open_any(source, executor), target, weight)
        for name in [target, *inputs]:  # before a long wait
            if name not in others.schema.names:
                raise ValueError(f"validation: {others.name} has no column {name!r}")
        fit(
            estimator,
            source,
            target,
            weight=weight,
            memory_limit=memory_limit,
            spill=spill,
            progress=progress,
            executor=executor,
        )
        X, y, _ = _read_all(others, inputs, target, None)
        if not len(y):
            raise ValueError(f"validation: {others.name} has no rows")
        known = np.asarray(y.to_pylist(), object) if isinstance(y, pa.ChunkedArray) else y
        estimator.take_cut(cut_by_held_out_rows(estimator, X, known))
        return estimator
    budget = Budget(read_memory("memory_limit", memory_limit))
    rows = open_any(source, executor)
    inputs = _input_columns(rows, target, weight)
    rows = rows.in_batches_of(budget.batch_rows(len(inputs)))
    threads = check.threads(estimator.n_jobs)
    run = executor or rows.executor or Threads(threads)
    tell = progress if progress is not None else _silent
    tell(1, "levels and classes")
    sample_rows = budget.sample_rows(len(inputs))
    learned = _learn(estimator, rows, run, inputs, target, weight, sample_rows)
    reader = Reader(
        learned.schema,
        target,
        learned.labels,
        learned.codes,
        weight,
        learned.class_weights,
        type(estimator).__name__,
    )
    columns = len(learned.schema)
    if learned.profile.n_rows <= budget.home_rows(columns):
        tell(2, "all rows")
        return _fit_in_memory(estimator, rows, inputs, target, weight)
    needed = budget.needed(learned.profile.n_rows, columns)
    in_order = all(getattr(part, "in_order", True) for part in rows.partitions)
    refuse(settings, estimator.get_params(), memory_limit, needed, in_order=in_order)
    scans = Scans(run, learned.profile.n_rows, tell)
    learned, reader = settle_identifiers(
        settings["identifiers"], learned, reader, rows, scans, budget
    )
    if learned.classes is None:
        require_targets(settings["criterion"], np.array(learned.profile.targets), np.arange(2))
    with spill_folder(spill) as folder:
        training = ScaledTraining.of(
            Common.of(estimator, settings, reader, learned),
            rows,
            scans,
            budget,
            folder,
            folds_of(settings["pruning"]),
        )
        no_rows = training.target
        if reads_targets(settings["pruning"], classes=learned.classes is not None):
            training = training.with_targets()
        if settings["pruning"] is None:
            tree = training.grow()
            pruned = Pruned(tree, tree)
        else:
            pruned = settings["pruning"].prune(training)
    warn_of_passed_over(training.passed_over, settings, learned.schema)
    estimator.take_tree(pruned, no_rows, learned.schema, settings)
    return estimator


def _silent(number: int, what: str) -> None:
    """Say nothing."""


def _input_columns(rows: RowSource, target: str, weight: str | None) -> list[str]:
    names = rows.schema.names
    for name, value in (("target", target), ("weight", weight)):
        if value is not None and value not in names:
            near = near_names(str(value), names, "columns")
            raise ValueError(f"{name}={value!r} is not a column of {rows.name}; {near}")
    if len(set(names)) != len(names):
        raise ValueError(f"source: {rows.name} has two columns of the same name")
    inputs = [name for name in names if name not in (target, weight)]
    if not inputs:
        raise ValueError(f"source: {rows.name} has no column but the target and the weights")
    return inputs


def _learn(
    estimator: GreedyTree,
    rows: RowSource,
    run: Executor,
    inputs: list[str],
    target: str,
    weight: str | None,
    sample_rows: int,
) -> Learned:
    """Do the first scan."""
    options = {
        "categorical_features": estimator.categorical_features,
        "date_parts": estimator.date_parts,
        "min_level_count": estimator.min_level_count,
    }
    classes = estimator.task == "classification"
    owner = type(estimator).__name__
    first = _first_batch(rows, inputs)
    kept = {key: value for key, value in options.items() if key != "min_level_count"}
    levelled = levelled_columns(first, inputs, kept)
    task = ProfileTask(inputs, levelled, target, weight, classes, owner, sample_rows)
    profile = run.run(rows, task, lambda _: None)
    return learn(
        profile,
        rows.schema,
        inputs,
        options,
        class_weight=getattr(estimator, "class_weight", None),
        classes=classes,
        owner=owner,
    )


def _first_batch(rows: RowSource, inputs: list[str]) -> pa.RecordBatch:
    try:
        for partition in rows.partitions:
            for batch in partition.batches(inputs):
                if batch.num_rows:
                    return batch.slice(0, 1000)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"source: {rows.name} cannot be read: {error}") from error
    raise ValueError(f"Found array with 0 sample(s): {rows.name} has no rows.")


def _read_all(
    rows: RowSource, inputs: list[str], target: str, weight: str | None
) -> tuple[pa.Table, Any, Any]:
    """Give columns, target and weights of all rows."""
    names = [*inputs, target] if weight is None else [*inputs, target, weight]
    batches = [batch for part in rows.partitions for batch in part.batches(names)]
    table = pa.Table.from_batches(batches).unify_dictionaries()
    y = table[target]
    if not pa.types.is_string(y.type) and not pa.types.is_dictionary(y.type):
        y = y.to_numpy()
    weights = None if weight is None else table[weight].to_numpy()
    return table.select(inputs), y, weights


def _fit_in_memory(
    estimator: GreedyTree, rows: RowSource, inputs: list[str], target: str, weight: str | None
) -> GreedyTree:
    X, y, weights = _read_all(rows, inputs, target, weight)
    estimator.fit(X, y, weights)
    estimator.name_target(target)
    return estimator
