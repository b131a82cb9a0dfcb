"""Opening a file in a session: a table with its first tree, a model, or a project as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ramify.files import load, loads
from ramify.learning.held_out import hold_out_rows, predict_held_out
from ramify.studio import data
from ramify.studio.data import Choices, Prepared
from ramify.studio.growing import Grown, Settings, grow
from ramify.studio.jobs import Job
from ramify.studio.project import (
    ENDING,
    Fingerprint,
    Project,
    is_project,
    load_project,
    project_file,
)
from ramify.studio.session import Session, how_read
from ramify.tables.rows import take_rows

#: Of a table with more rows the first tree is small, so that it is there at once.
_LARGE, _FIRST_LEAVES = 20_000, 32


def open_file(session: Session, path: str | Path, version: int | None = None) -> None:
    """Open a table, a project or a model in the background."""
    file = session.folders.inside(path)
    if not file.is_file():
        raise ValueError(f"{file.name}: there is no such file")
    with session.change(version):
        session.check_free()
        if is_project(file) or file.name.endswith(ENDING):
            _open_project(session, file)
        elif file.suffix == ".json" and _is_model(file):
            _open_model(session, file)
        elif project_file(file).is_file() and is_project(project_file(file)):
            _open_project(session, project_file(file))
        else:
            _open_table(session, file)


def _open_table(session: Session, file: Path) -> None:
    model = session.model
    session.forget()
    session.model = None
    session.file = file

    def work(job: Job) -> None:
        _first_look(session, file, job, model)

    session.start(f"reading {file.name}", work)


def _first_look(session: Session, file: Path, job: Job, model: Any) -> None:
    """Read a table, choose a target and grow a first tree."""
    if model is not None:
        session.choices = _choices_of(model, data.column_names(file, session.choices))
    table = data.read(file, session.choices, progress=lambda part: job.say("reading", part))
    with session.lock:
        session.take_table(table)
        target = None if model is None else model.tree_.target
        if target not in table.data:
            target = data.likely_target(table)
        session.choices = replace(session.choices, target=target)
        session.prepare()
        large = table.n_rows > _LARGE and model is None
        if large:
            session.settings = Settings(limits={"max_leaves": _FIRST_LEAVES})
        session.changed()
        prepared, settings = session.prepared, session.settings
    if prepared is None:
        return
    if model is not None:
        _take_model(session, model, prepared)
        return
    grown = grow(prepared, settings, job)
    with session.lock:
        session.open_tree(grown, prepared, settings)
        if large:
            session.notes.append(
                f"The first tree has at most {_FIRST_LEAVES} leaves, so that it is there at once. "
                "The step Grow lifts this limit."
            )
        session.changed()


def _choices_of(model: Any, names: list[str]) -> Choices:
    """Read a table as a model takes it, and use the columns that it has."""
    schema = model.schema_
    if not schema.named:
        return Choices()
    inputs = set(schema.input_names)
    text = {
        one.name
        for one in schema.columns
        if one.kind == "nominal" and all(isinstance(level, str) for level in one.levels)
    }
    return Choices(
        roles={name: "use" if name in inputs else "ignore" for name in names},
        kinds={name: "category" for name in names if name in inputs & text},
    )


def _take_model(session: Session, model: Any, prepared: Prepared) -> None:
    """Open a tree of a model file with the rows of a table."""
    n = len(prepared.y)
    grown = Grown(model, None, np.arange(n), np.empty(0, dtype=np.intp))
    with session.lock:
        session.open_tree(grown, prepared, session.settings)
        session.changed()


def _open_model(session: Session, file: Path) -> None:
    session.forget()
    model = load(file)
    if not hasattr(model, "tree_"):
        raise ValueError(
            f"{file.name}: a {type(model).__name__} is not one tree, so it cannot be edited"
        )
    session.model = model
    session.notes = [
        f"{file.name} is open: a tree for {model.tree_.target} with "
        f"{model.tree_.n_leaves:,} leaves. Open the table that it is for to see and edit it."
    ]


def _open_project(session: Session, file: Path) -> None:
    project = load_project(file)
    table_file = session.folders.inside(file.parent / project.data)
    if not table_file.is_file():
        raise ValueError(f"{project.data}: the table of this project is not beside it any more")
    session.forget()
    session.file = table_file
    session.version = max(session.version, project.version)
    session.choices = Choices.from_dict(project.choices)
    session.settings = Settings.from_dict(project.settings)

    def work(job: Job) -> None:
        _reopen(session, project, table_file, job)

    session.start(f"opening {file.name}", work)


def _reopen(session: Session, project: Project, file: Path, job: Job) -> None:
    """Read the table of a project, and make its tree as it was left."""
    table = data.read(file, session.choices, progress=lambda part: job.say("reading", part))
    with session.lock:
        session.take_table(table)
        session.prepare()
    if project.model is not None:
        job.say("opening the tree")
        choices = Choices.from_dict(project.grown.get("choices", {}))
        settings = Settings.from_dict(project.grown.get("settings", {}))
        if choices == session.choices and session.prepared is not None:
            prepared = session.prepared
        else:
            if how_read(choices) != how_read(session.choices):
                table = data.read(file, choices)
            prepared = data.prepare(file, table, choices)
        estimator = loads(json.dumps(project.model))
        grown = _grown_again(estimator, prepared)
        with session.lock:
            session.open_tree(grown, prepared, settings)
            session.replay(project.edits, [])
            session.replay(list(reversed(project.undone)), project.undone)
            session.branches = list(project.branches)
    if project.fingerprint != vars(Fingerprint.of(file)):
        session.notes.append(
            f"{file.name} has changed since this project was saved. The conditions of the tree "
            "are as they were, and its numbers are those of the rows as they are now."
        )
    with session.lock:
        session.changed()


def _is_model(file: Path) -> bool:
    try:
        with open(file, "rb") as stream:
            return b'"ramify' in stream.read(4096) and not is_project(file)
    except OSError:
        return False


def _grown_again(estimator: Any, prepared: Prepared) -> Grown:
    """Give a tree of a project with the rows that it learned from, and those held out."""
    y, n = prepared.y, len(prepared.y)
    if not prepared.choices.hold_out or n < 10:
        return Grown(estimator, None, np.arange(n, dtype=np.intp), np.empty(0, dtype=np.intp))
    train, test = hold_out_rows(estimator, y)
    weights = prepared.weights
    held_out = predict_held_out(
        estimator,
        take_rows(prepared.table.data, test),
        y[test],
        how="a fifth of the rows, held out",
        sample_weight=None if weights is None else weights[test],
        y_train=y[train],
        weight_train=None if weights is None else weights[train],
    )
    return Grown(estimator, held_out, np.asarray(train), np.asarray(test))
