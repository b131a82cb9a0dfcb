"""`ramify fit` of a table larger than memory."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ramify.cli import output as out
from ramify.cli.columns import read_date_parts
from ramify.cli.grown import Grown
from ramify.cli.large.engines import cluster_frame, divide_frame
from ramify.cli.large.options import GrowingEngineOptions
from ramify.cli.large.rows import ChosenRows, Sample, cells_of, head, labels_of, open_rows
from ramify.cli.large.scans import Scans, ended_by_sigterm
from ramify.cli.options import ClassOptions, FileOptions, GrowingColumnOptions
from ramify.datasets import Dataset
from ramify.scale.sources import RowSource
from ramify.steps.classes import class_parameters
from ramify.steps.learners import Learner, make_learner, usual_settings
from ramify.steps.target import settle_target
from ramify.steps.task import Task
from ramify.support.suggest import unknown_column
from ramify.tables.profiling import Finding, profile

#: About so many rows are held out, at most a fifth of all.
_HELD_OUT = 200_000
_FIFTH = 0.2
#: What is told of the first rows.
_TOLD = ("identifier", "row_index", "free_text", "date", "number_in_disguise")
_KEPT = "scans keep it as text, each text a level of its own: write it as what it is before"


@dataclass(frozen=True)
class Request:
    """What the user wants, as typed."""

    file: Path
    target: str | None
    task: Task
    test: Path | None
    folds: int | None
    learner: Learner
    given: Mapping[str, Any]
    columns: GrowingColumnOptions
    classes: ClassOptions
    engine: GrowingEngineOptions
    form: FileOptions
    jobs: int


@dataclass(frozen=True)
class Result:
    """A tree grown in scans, with what was read.

    Parameters
    ----------
    grown : Grown
        The tree and its scores.
    size : str
        How large the table is, in words.
    notes : tuple of str
        What was done.
    about : dict
        The same as JSON.
    test_rows : tuple
        Columns and target of the test file, or None twice.
    """

    grown: Grown
    size: str
    notes: tuple[str, ...]
    about: dict[str, Any]
    test_rows: tuple[Any, Any]


def grow_in_scans(request: Request) -> Result:
    """Grow a tree from a table that is read again and again; refuse what cannot be had so."""
    request.engine.check(request.file)
    if request.learner is not Learner.greedy:
        raise ValueError(
            f"--learner {request.learner} needs the whole table in memory; choose greedy, or leave "
            f"out {_asked(request)}"
        )
    if request.folds:
        raise ValueError(
            f"--folds {request.folds}: a tree grown in scans is scored on rows held out, not by "
            "cross-validation; leave --folds out, or give --folds 0 or --test FILE"
        )
    read_date_parts(request.columns.date_parts or "auto")  # before a long wait
    with ended_by_sigterm():
        if request.engine.on_cluster:
            return _grow_on_cluster(request)
        return _grow_here(request)


def _asked(request: Request) -> str:
    engine = request.engine
    for name in ("memory", "dask", "spark"):
        if getattr(engine, name) is not None:
            return f"--{name}"
    return "the pattern, and give one file"


# --- on this machine ------------------------------------------------------------------------------


def _grow_here(request: Request) -> Result:
    from ramify import scale
    from ramify.scale.memory import read_memory
    from ramify.scale.refusals import folds_of

    request, source, target, first, found = _opened(request)
    task, notes = _task(request, first.select([target]), target)
    notes += found
    weights = _class_weights(request, task, lambda: labels_of(source, target))
    memory = read_memory("memory", request.engine.limit)
    expected = source.expected_rows
    holds_out = request.folds != 0 and request.test is None
    share = _share(expected) if holds_out else 0.0
    estimator, cuts = _learner(request, task, weights, expected, cuts=holds_out)
    depth = estimator.get_params().get("max_depth")
    folds = folds_of(estimator.check_parameters()["pruning"])
    scans = Scans(expected, memory, len(source.schema) - 1, depth, folds)
    rows = ChosenRows(source, target, share, memory, scans)
    started = time.perf_counter()
    with scans.shown():
        scale.fit(
            estimator,
            rows.source(),
            target,
            memory_limit=memory,
            spill=request.engine.spill,
            progress=scans.begin,
        )
        estimator.name_target(target)
    seconds = time.perf_counter() - started
    assert rows.grown_from is not None
    assert rows.held_out is not None
    if rows.without_target:
        without = rows.without_target
        those = "row without a target is" if without == 1 else "rows without a target are"
        notes.insert(0, f"{without:,} {those} left out")
    held_out = _all(rows.held_out, target)
    judged, scored = _halves(*held_out) if cuts else (None, held_out)
    estimator = _cut_back(estimator, judged, notes)
    n_rows = rows.grown_from.n_rows
    notes.append(
        f"grown in {scans.number} scans, {seconds:.3g} s, {request.engine.limit} of memory"
    )
    X, y = _all(rows.grown_from, target)
    grown = _scored(estimator, X, y, scored, asked=holds_out)
    test_rows = (None, None)
    if request.test is not None:
        test_rows = _test_rows(request, target, memory)
        grown = grown.tested(*test_rows, request.test.name)
    total = n_rows + rows.held_out.n_rows
    return _result(request, grown, source.schema.names, target, task, total, notes, test_rows)


def _share(expected: int | None) -> float:
    return _FIFTH if expected is None else min(_FIFTH, _HELD_OUT / max(1, expected))


def _all(sample: Sample, target: str) -> tuple[Any, Any]:
    if not len(sample):
        return None, np.empty(0)
    table = sample.table()
    return table.drop_columns([target]), cells_of(table[target])


def _halves(X: Any, y: Any) -> tuple[tuple[Any, Any] | None, tuple[Any, Any]]:
    """Divide the rows held out: some judge which tree is best, the others score it."""
    if len(y) < 2:
        return None, (X, y)
    one, two = np.arange(0, len(y), 2), np.arange(1, len(y), 2)
    return (X.take(one), y[one]), (X.take(two), y[two])


def _cut_back(estimator: Any, judged: tuple[Any, Any] | None, notes: list[str]) -> Any:
    """Give the tree that the rows held out for that prefer."""
    if judged is None:
        return estimator
    from ramify.scale.validation import cut_by_held_out_rows

    before = estimator.tree_.n_leaves
    with out.busy("cutting back"):
        estimator = cut_by_held_out_rows(estimator, *judged)
    notes.append(f"cut back from {before:,} leaves, by {len(judged[1]):,} rows that were held out")
    return estimator


def _scored(estimator: Any, X: Any, y: Any, held_out: tuple[Any, Any], *, asked: bool) -> Grown:
    from ramify.cli.score import score_training
    from ramify.learning.held_out import predict_held_out

    found: tuple[Any, ...] = ()
    if asked and len(held_out[1]):
        how = f"{len(held_out[1]):,} rows, held out"
        found = (predict_held_out(estimator, *held_out, how=how, y_train=y),)
    training = score_training(estimator, X, y)
    rows = int(estimator.tree_.data["rows"][0])
    return Grown(estimator, X, y, found, training, scored=asked, rows=rows)


def _test_rows(request: Request, target: str, memory: int) -> tuple[Any, Any]:
    """Read the test file, or many of its rows."""
    assert request.test is not None
    source = open_rows(request.test, request.form, request.columns)
    if target not in source.schema.names:
        raise unknown_column(target, source.schema.names, what=f"--test {request.test}: column")
    rows = ChosenRows(source, target, 0.0, memory)
    with out.busy(f"reading {request.test.name}"):
        for _ in rows.batches(source.schema.names):
            pass
    assert rows.grown_from is not None
    return _all(rows.grown_from, target)


# --- on a cluster ---------------------------------------------------------------------------------


def _grow_on_cluster(request: Request) -> Result:
    from ramify import scale
    from ramify.scale.memory import read_memory

    memory = read_memory("memory", request.engine.limit)
    # What the target is can be seen from the files here, where workers can read them, too.
    request, source, target, first, found = _opened(request)
    task, notes = _task(request, first.select([target]), target)
    notes += found
    weights = _class_weights(request, task, lambda: labels_of(source, target))
    holds_out = request.folds != 0 and request.test is None
    share = _share(source.expected_rows) if holds_out else 0.0
    estimator, cuts = _learner(request, task, weights, source.expected_rows, cuts=holds_out)
    depth = estimator.get_params().get("max_depth")
    scans = Scans(source.expected_rows, memory, len(source.schema) - 1, depth)
    started = time.perf_counter()
    with (
        cluster_frame(request.engine, request.file, request.form, request.columns) as frame,
        scans.shown(),
    ):
        chosen, held_out = divide_frame(request.engine, frame, share)
        scale.fit(
            estimator,
            chosen,
            target,
            memory_limit=memory,
            spill=request.engine.spill,
            progress=scans.begin,
        )
        estimator.name_target(target)
    seconds = time.perf_counter() - started
    where = request.engine.dask or request.engine.spark
    n_rows = int(estimator.tree_.data["rows"][0])
    judged, scored = None, (None, np.empty(0))
    if held_out is not None:
        n_rows += len(held_out)
        X, y = held_out.drop_columns([target]), cells_of(held_out[target])
        judged, scored = _halves(X, y) if cuts else (None, (X, y))
    estimator = _cut_back(estimator, judged, notes)
    notes.append(f"grown in {scans.number} scans, {seconds:.3g} s, on {where}")
    X, y = first.drop_columns([target]), cells_of(first[target])
    grown = _scored(estimator, X, y, scored, asked=holds_out)
    test_rows = (None, None)
    if request.test is not None:
        test_rows = _test_rows(request, target, memory)
        grown = grown.tested(*test_rows, request.test.name)
    return _result(request, grown, source.schema.names, target, task, n_rows, notes, test_rows)


# --- what both need -------------------------------------------------------------------------------


def _opened(request: Request) -> tuple[Request, RowSource, str, Any, list[str]]:
    """Open the files, without the columns that name the rows.

    Gives the request that leaves these out, the source, the target, the first rows, and what was
    found in them.
    """
    source = open_rows(request.file, request.form, request.columns)
    names = source.schema.names
    target = _target(request.target, names)
    _check_use(request, names)
    first = head(source, names)
    found = _findings(first, target, request)
    naming = [str(one.column) for one in found if one.done == "left out"]
    if naming:
        ignore = [*(request.columns.ignore or ()), *naming]
        request = replace(request, columns=replace(request.columns, ignore=ignore))
        source = open_rows(request.file, request.form, request.columns)
    first = first.select(source.schema.names)
    return request, source, target, first, [str(one) for one in found]


def _findings(first: Any, target: str, request: Request) -> list[Finding]:
    """Say which columns name the rows, and which are text that could be read as something else."""
    kept = {*(request.columns.use or ()), *(request.columns.nominal or ())}
    found = []
    for one in profile(first.drop_columns([target])).findings:
        if one.kind not in _TOLD or one.column is None or one.column in kept:
            continue
        ignore = shlex.join(["--ignore", one.column])
        as_text = replace(one, done=_KEPT, overrule=ignore)
        found.append(as_text if one.done == "kept as text" else one)
    return found


def _target(target: str | None, names: list[str]) -> str:
    if target is None:
        shown = ", ".join(names if len(names) <= 20 else [*names[:19], "..."])
        raise ValueError(f"which column is to be predicted? --target one of: {shown}")
    if target not in names:
        raise unknown_column(target, names, what="--target: column")
    return target


def _check_use(request: Request, names: list[str]) -> None:
    for name in request.columns.use or ():
        if name not in names:
            raise unknown_column(name, names, what="--use: column")


def _task(request: Request, first: Any, target: str) -> tuple[Task, list[str]]:
    """Choose the task by the first rows."""
    cells = cells_of(first[target].drop_null())
    if cells.dtype != object and cells.dtype.kind != "M":
        cells = cells.astype(np.float64)
    elif cells.dtype == object:
        cells[:] = [cell if not isinstance(cell, bool) else str(cell) for cell in cells]
    if not len(cells):
        raise ValueError(f"target {target!r} has no known value among the first rows")
    if request.task is not Task.auto and len({*cells.tolist()}) < 2:
        return request.task, []  # rows may be in the order of the target
    stand_in = Dataset({"": np.zeros(len(cells))}, cells, target)
    _, _, task, notes = settle_target(stand_in, request.task)
    return task, [f"{notes[-1]} (of the first {len(cells):,} rows)"]


def _class_weights(request: Request, task: Task, labels: Any) -> dict[str, Any]:
    classes = request.classes
    if classes.class_weight in (None, "balanced") and classes.costs is None:
        known = np.empty(0)
    else:
        known = labels() if task is Task.classification else np.empty(0)
    return class_parameters(classes.class_weight, classes.costs, task, known)


def _learner(
    request: Request,
    task: Task,
    weights: Mapping[str, Any],
    expected: int | None,
    *,
    cuts: bool,
) -> tuple[Any, bool]:
    """Give the estimator, and whether rows that are held out cut its tree back.

    The settings are those of `ramify fit`, but for those that need all rows at once.
    """
    given = dict(request.given)
    usual = usual_settings(request.learner, task, expected or 10**6, given)
    usual.pop("selection", None)
    columns = request.columns
    wanted: dict[str, Any] = {"identifiers": "keep"}
    if columns.min_level_count is not None:
        wanted["min_level_count"] = columns.min_level_count
    if columns.date_parts is not None:
        wanted["date_parts"] = read_date_parts(columns.date_parts)
    if columns.nominal:
        wanted["categorical_features"] = list(columns.nominal)
    cuts = cuts and given.get("pruning", "auto") == "auto"
    if given.get("pruning", "auto") == "auto":
        given["pruning"] = "none"
    with out.busy("loading the learners"):
        estimator = make_learner(
            request.learner, task, wanted | usual | given | dict(weights) | {"n_jobs": request.jobs}
        )
    return estimator, cuts


def _result(
    request: Request,
    grown: Grown,
    names: list[str],
    target: str,
    task: Task,
    n_rows: int,
    notes: list[str],
    test_rows: tuple[Any, Any],
) -> Result:
    schema = grown.estimator.schema_
    inputs = [name for name in names if name != target]
    numeric = {one.input for one in schema.columns if one.kind == "numeric"}
    size = (
        f"{n_rows:,} rows, {len(numeric):,} numeric and {len(inputs) - len(numeric):,} nominal "
        f"columns, target {target}"
    )
    about = {
        "file": str(request.file),
        "rows": n_rows,
        "columns": inputs,
        "target": target,
        "task": task,
        "notes": notes,
        "left_out": list(request.columns.ignore or ()),
        "findings": [],
    }
    return Result(grown, size, tuple(notes), about, test_rows)
