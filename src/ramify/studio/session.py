"""A session: one table, one tree and its edits, which all windows work on.

Invariant: every change has the number of the state that it was made from. If that is not the
present one, the change is refused with the present state, so that no window overwrites another's.
A change is in the project file before its answer is given.
"""

from __future__ import annotations

import json
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ramify.datasets import Dataset
from ramify.edit import TreeEditor
from ramify.files import dumps, load, loads
from ramify.learning.held_out import hold_out_rows, predict_held_out
from ramify.studio import data, editing
from ramify.studio.data import Choices, Prepared
from ramify.studio.growing import Grown, Settings, grow, learners_of
from ramify.studio.jobs import Job
from ramify.studio.project import (
    Fingerprint,
    Kept,
    Project,
    is_project,
    load_project,
    project_file,
)
from ramify.studio.security import Folders
from ramify.tables import Profile, profile
from ramify.tables.rows import take_rows

#: The most ways that are remembered beside the present one.
_MOST_BRANCHES = 20


class StaleError(Exception):
    """A change was made from a state that is no longer the present one."""


class BusyError(ValueError):
    """Something else is running."""


@dataclass(frozen=True, eq=False)
class Opened:
    """A tree that is open: how it was grown, on what, and its editor.

    Parameters
    ----------
    base : Grown
        As the learner left it, before the dial.
    grown : Grown
        At the size of the dial.
    prepared : Prepared
        The table that it was grown from.
    settings : Settings
    editor : TreeEditor
    """

    base: Grown
    grown: Grown
    prepared: Prepared
    settings: Settings
    editor: TreeEditor


class Session:
    """What the windows work on.

    Parameters
    ----------
    folders : Folders
        Where files may be read and written.
    author : str or None
        Who edits, for the records.
    """

    def __init__(self, folders: Folders, *, author: str | None = None) -> None:
        self.folders = folders
        self.author = author
        self.lock = threading.RLock()
        self.version = 0
        self.file: Path | None = None
        self.choices = Choices()
        self.settings = Settings()
        self.table: Dataset | None = None
        self.prepared: Prepared | None = None
        self.problem = ""
        self.opened: Opened | None = None
        self.undone: list[dict[str, Any]] = []
        self.branches: list[list[dict[str, Any]]] = []
        self.tree_number = 0
        self.job: Job | None = None
        self.comparison: dict[str, Any] | None = None
        self.notes: list[str] = []
        self.kept: dict[str, Any] = {}  # what follows from the tree that is open
        self._read_as: tuple[Any, ...] = ()
        self._whole: Profile | None = None
        self._model: Any = None  # of a model file, until its data is opened

    # --- changes ------------------------------------------------------------------------------

    @contextmanager
    def change(self, version: int | None) -> Iterator[None]:
        """Make one change from a state; it is saved at the end."""
        with self.lock:
            if version is not None and version != self.version:
                raise StaleError
            yield
            self._changed()

    def _changed(self) -> None:
        self.version += 1
        self.save()

    def _free(self) -> None:
        if self.job is not None and self.job.running:
            raise BusyError(f"wait until this is done, or stop it: {self.job.what}")

    def start(self, what: str, work: Callable[[Job], None]) -> Job:
        """Run something in the background, if nothing else runs."""
        self._free()
        self.job = Job(what, work)
        return self.job.start()

    # --- the file -----------------------------------------------------------------------------

    def open(self, path: str | Path, version: int | None = None) -> None:
        """Open a table, a project or a model in the background."""
        file = self.folders.inside(path)
        if not file.is_file():
            raise ValueError(f"{file.name}: there is no such file")
        with self.change(version):
            self._free()
            if is_project(file):
                self._open_project(file)
            elif file.suffix == ".json" and _is_model(file):
                self._open_model(file)
            elif project_file(file).is_file() and is_project(project_file(file)):
                self._open_project(project_file(file))
            else:
                self._open_table(file)

    def _forget(self) -> None:
        self.file, self.table, self.prepared, self.opened = None, None, None, None
        self.choices, self.settings, self.problem = Choices(), Settings(), ""
        self.undone, self.branches, self.comparison, self.notes = [], [], None, []
        self._read_as, self._whole = (), None
        self.tree_number += 1

    def _open_table(self, file: Path) -> None:
        model = self._model
        self._forget()
        self._model = None
        self.file = file

        def work(job: Job) -> None:
            self._first_look(file, job, model)

        self.start(f"reading {file.name}", work)

    def _first_look(self, file: Path, job: Job, model: Any) -> None:
        """Read a table, choose a target and grow a first tree."""
        table = data.read(file, self.choices, progress=lambda part: job.say("reading", part))
        with self.lock:
            self._take_table(table)
            target = None if model is None else model.tree_.target
            if target not in table.data:
                target = data.likely_target(table)
            self.choices = replace(self.choices, target=target)
            self._prepare()
            self._changed()
            prepared, settings = self.prepared, self.settings
        if prepared is None:
            return
        if model is not None:
            self._take_model(model, prepared)
            return
        grown = grow(prepared, settings, job)
        with self.lock:
            self._open_tree(grown, prepared, settings)
            self._changed()

    def _take_model(self, model: Any, prepared: Prepared) -> None:
        """Open a tree of a model file with the rows of a table."""
        n = len(prepared.y)
        grown = Grown(model, None, np.arange(n), np.empty(0, dtype=np.intp))
        with self.lock:
            self._open_tree(grown, prepared, self.settings)
            self._changed()

    def _open_model(self, file: Path) -> None:
        self._forget()
        model = load(file)
        if not hasattr(model, "tree_"):
            raise ValueError(
                f"{file.name}: a {type(model).__name__} is not one tree, so it cannot be edited"
            )
        self._model = model
        self.notes = [
            f"{file.name} is open: a tree for {model.tree_.target} with "
            f"{model.tree_.n_leaves:,} leaves. Open the table that it is for to see and edit it."
        ]

    def _open_project(self, file: Path) -> None:
        project = load_project(file)
        table_file = self.folders.inside(file.parent / project.data)
        if not table_file.is_file():
            raise ValueError(f"{project.data}: the table of this project is not beside it any more")
        self._forget()
        self.file = table_file
        self.version = max(self.version, project.version)
        self.choices = Choices.from_dict(project.choices)
        self.settings = Settings.from_dict(project.settings)

        def work(job: Job) -> None:
            self._reopen(project, table_file, job)

        self.start(f"opening {file.name}", work)

    def _reopen(self, project: Project, file: Path, job: Job) -> None:
        """Read the table of a project, and make its tree as it was left."""
        table = data.read(file, self.choices, progress=lambda part: job.say("reading", part))
        with self.lock:
            self._take_table(table)
            self._prepare()
        if project.model is not None:
            job.say("opening the tree")
            choices = Choices.from_dict(project.grown.get("choices", {}))
            settings = Settings.from_dict(project.grown.get("settings", {}))
            if choices == self.choices and self.prepared is not None:
                prepared = self.prepared
            else:
                if _needed(choices) != _needed(self.choices):
                    table = data.read(file, choices)
                prepared = data.prepare(file, table, choices)
            estimator = loads(json.dumps(project.model))
            grown = _grown_again(estimator, prepared)
            with self.lock:
                self._open_tree(grown, prepared, settings)
                self._replay(project.edits, [])
                self._replay(list(reversed(project.undone)), project.undone)
                self.branches = list(project.branches)
        if project.fingerprint != vars(Fingerprint.of(file)):
            self.notes.append(
                f"{file.name} has changed since this project was saved. The conditions of the tree "
                "are as they were, and its numbers are those of the rows as they are now."
            )
        with self.lock:
            self._changed()

    def _replay(self, edits: list[dict[str, Any]], undone: list[dict[str, Any]]) -> None:
        """Do edits again; those in `undone` are then taken back."""
        editor = self.present_tree().editor
        before, clock = len(editor.history), editor.clock
        for number, edit in enumerate(edits, start=before + 1):
            editor.author, editor.clock = edit.get("author"), _stopped(edit, clock)
            try:
                editing.apply(editor, edit)
            except ValueError as error:
                self.notes.append(f"Edit {number} and those after it could not be done: {error}")
                break
        editor.author, editor.clock = self.author, clock
        if undone:
            while len(editor.history) > before:
                editor.undo()
            self.undone = list(undone)

    def _take_table(self, table: Dataset) -> None:
        self.table = table
        self._read_as = _needed(self.choices)
        self._whole = profile(table.data, readings=table.readings, notes=table.notes)

    # --- the table ----------------------------------------------------------------------------

    def choose(self, changes: Mapping[str, Any], version: int | None) -> None:
        """Change what was chosen about the table."""
        with self.change(version):
            self._free()
            if self.file is None:
                raise ValueError("open a table first")
            choices = Choices.from_dict({**self.choices.to_dict(), **changes})
            if self.table is None or _needed(choices) != self._read_as:
                names = {**choices.roles, **choices.kinds}
                table = data.read(self.file, choices)
                if gone := [name for name in names if name not in table.data]:
                    # Another delimiter makes other columns.
                    choices = _without(choices, gone)
                self.choices = choices
                self._take_table(table)
            assert self.table is not None
            if choices.target not in self.table.data:
                choices = replace(choices, target=data.likely_target(self.table))
            self.choices = choices
            self._prepare()

    def _prepare(self) -> None:
        """Make the table ready, or keep the reason why it is not."""
        assert self.table is not None
        assert self.file is not None
        self.prepared, self.problem = None, ""
        try:
            self.prepared = data.prepare(self.file, self.table, self.choices)
        except ValueError as error:
            self.problem = str(error)

    # --- the tree -----------------------------------------------------------------------------

    def set_up(self, changes: Mapping[str, Any], version: int | None) -> None:
        """Change what is asked of the next tree."""
        with self.change(version):
            self.settings = Settings.from_dict({**self.settings.to_dict(), **changes})

    def grow(self, version: int | None) -> None:
        """Grow a tree in the background."""
        with self.change(version):
            self._free()
            if self.prepared is None:
                raise ValueError(self.problem or "open a table first")
            prepared = self.prepared
            settings = replace(self.settings, leaves=None)
            self.settings = settings

            def work(job: Job) -> None:
                grown = grow(prepared, settings, job)
                with self.lock:
                    self._open_tree(grown, prepared, settings)
                    self._changed()

            self.start("growing a tree", work)

    def dial(self, leaves: int, version: int | None) -> None:
        """Take the tree of another size; edits of the former one are gone."""
        with self.change(version):
            self._free()
            opened = self.present_tree()
            if leaves < 1:
                raise ValueError(f"leaves={leaves!r} must be at least 1")
            settings = replace(opened.settings, leaves=leaves)
            self._open_tree(opened.base, opened.prepared, settings)
            self.settings = replace(self.settings, leaves=leaves)

    def _open_tree(self, base: Grown, prepared: Prepared, settings: Settings) -> None:
        grown = base.cut(settings.leaves)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            editor = editing.make_editor(grown, prepared, self.author)
        said = [" ".join(str(one.message).split()) for one in caught]
        self.opened = Opened(base, grown, prepared, settings, editor)
        self.undone, self.branches, self.comparison, self.kept = [], [], None, {}
        self.notes = [*grown.messages, *dict.fromkeys(said)]
        self.tree_number += 1

    def present_tree(self) -> Opened:
        """Give the tree that is open."""
        if self.opened is None:
            raise ValueError("there is no tree yet; grow one")
        return self.opened

    def edit(self, request: Mapping[str, Any], version: int | None) -> Any:
        """Change the tree; gives the price."""
        with self.change(version):
            self._free()
            way = self._way()
            price = editing.apply(self.present_tree().editor, request)
            if self.undone:
                self._keep_way(way)
            self.undone = []
            self.tree_number += 1
            return price

    def _way(self) -> list[dict[str, Any]]:
        """Give all edits from the grown tree to the end, also those that were taken back."""
        done = [editing.edit_json(edit) for edit in self.present_tree().editor.history]
        return [*done, *reversed(self.undone)]

    def _keep_way(self, way: list[dict[str, Any]]) -> None:
        """Remember a way that is left, so that one can go back to it."""
        self.branches = [one for one in self.branches if one != way][-(_MOST_BRANCHES - 1) :]
        self.branches.append(way)

    def take_branch(self, index: int, version: int | None) -> None:
        """Go another way that was tried before; the present one is remembered."""
        with self.change(version):
            self._free()
            editor = self.present_tree().editor
            if not 0 <= index < len(self.branches):
                raise ValueError(f"there is no branch {index}")
            wanted, way = self.branches[index], self._way()
            done = way[: len(editor.history)]
            shared = 0
            while shared < min(len(done), len(wanted)) and done[shared] == wanted[shared]:
                shared += 1
            while len(editor.history) > shared:
                editor.undo()
            self.undone = []
            self._replay(wanted[shared:], [])
            del self.branches[index]
            if way[: len(wanted)] != wanted:
                self._keep_way(way)
            self.tree_number += 1

    def preview(self, request: Mapping[str, Any], version: int | None) -> Any:
        """Say what an edit would cost, without doing it."""
        with self.lock:
            if version is not None and version != self.version:
                raise StaleError
            return editing.apply(self.present_tree().editor, request, dry_run=True)

    def undo(self, version: int | None, *, to: int | None = None) -> None:
        """Take edits back, the last one or all after the first `to`."""
        with self.change(version):
            self._free()
            editor = self.present_tree().editor
            keep = len(editor.history) - 1 if to is None else to
            if not 0 <= keep < len(editor.history):
                raise ValueError("there is no edit to undo")
            while len(editor.history) > keep:
                self.undone.append(editing.edit_json(editor.history[-1]))
                editor.undo()
            self.tree_number += 1

    def redo(self, version: int | None) -> None:
        """Do the edit again that was taken back last."""
        with self.change(version):
            self._free()
            editor = self.present_tree().editor
            if not editor.can_redo:
                raise ValueError("there is no edit to do again")
            editor.redo()
            self.undone.pop()
            self.tree_number += 1

    # --- keeping ------------------------------------------------------------------------------

    @property
    def project(self) -> Path | None:
        """The project file."""
        return None if self.file is None else project_file(self.file)

    def save(self) -> None:
        """Write the project file."""
        if self.file is None or self.project is None or self.table is None:
            return
        opened = self.opened
        project = Project(
            data=self.file.name,
            fingerprint=vars(Fingerprint.of(self.file)),
            version=self.version,
            choices=self.choices.to_dict(),
            settings=self.settings.to_dict(),
        )
        if opened is not None:
            project.model = _model(opened.base.estimator)
            project.grown = {
                "choices": opened.prepared.choices.to_dict(),
                "settings": opened.settings.to_dict(),
            }
            project.edits = [editing.edit_json(edit) for edit in opened.editor.history]
            project.undone = list(self.undone)
            project.branches = list(self.branches)
        project.save(self.project)

    # --- what the windows show ----------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Give all but the tree itself."""
        with self.lock:
            found: dict[str, Any] = {
                "version": self.version,
                "folder": str(self.folders.roots[0]),
                "file": None if self.file is None else self.file.name,
                "project": None if self.project is None else self.project.name,
                "job": None if self.job is None else self.job.to_dict(),
                "choices": self.choices.to_dict(),
                "settings": self.settings.to_dict(),
                "problem": self.problem,
                "notes": list(self.notes),
                "table": self._table_json(),
                "tree": self._tree_json(),
            }
            return found

    def _table_json(self) -> dict[str, Any] | None:
        if self.table is None or self._whole is None:
            return None
        prepared = self.prepared
        found: dict[str, Any] = {
            "rows": self.table.n_rows,
            "columns": data.columns_json(self.table, self._whole, prepared, self.choices),
            "findings": [],
            "notes": [],
            "target": None,
            "task": None,
            "learners": [],
            "left_out": [],
        }
        if prepared is not None:
            found |= {
                "findings": data.findings_json(prepared.profile),
                "notes": list(prepared.notes),
                "target": data.target_json(prepared),
                "task": str(prepared.task),
                "learners": learners_of(prepared.task),
                "left_out": list(prepared.left_out),
                "used": list(prepared.table.data),
                "numbers": [
                    name for name, cells in prepared.table.data.items() if cells.dtype == np.float64
                ],
                "usable_rows": len(prepared.y),
            }
        return found

    def _tree_json(self) -> dict[str, Any] | None:
        opened = self.opened
        if opened is None:
            return None
        editor = opened.editor
        path = opened.base.estimator.pruning_path_
        errors = np.asarray(path.error, dtype=np.float64)
        return {
            "number": self.tree_number,
            "leaves": editor.tree.n_leaves,
            "depth": editor.tree.depth,
            "grown_leaves": opened.base.estimator.tree_.n_leaves,
            "stopped": opened.base.stopped,
            "proof": opened.base.estimator.proof(),
            "held_out": len(opened.grown.test),
            "current": opened.prepared is self.prepared or opened.prepared.choices == self.choices,
            "errors": editor.errors,
            "path": {
                "leaves": path.leaves.tolist(),
                "training": [editing.number(x) for x in path.training_error.tolist()],
                "error": [editing.number(x) for x in errors.tolist()],
            },
            "history": [
                {
                    **editing.edit_json(edit),
                    "words": editing.in_words(edit),
                    "price": editing.price_json(edit.price),
                }
                for edit in editor.history
            ],
            "undone": [{**one, "words": _words(one)} for one in reversed(self.undone)],
            "branches": [[_words(one) for one in way] for way in self.branches],
        }


def _stopped(edit: dict[str, Any], clock: Callable[[], str]) -> Callable[[], str]:
    """Give a clock that shows when an edit was made."""
    time = edit.get("time")
    return (lambda: str(time)) if time else clock


def _words(edit: dict[str, Any]) -> str:
    return editing.in_words(Kept(**edit))


def _needed(choices: Choices) -> tuple[Any, ...]:
    """Give what decides how a file is read."""
    return choices.parsing, tuple(sorted(choices.kinds.items()))


def _without(choices: Choices, names: list[str]) -> Choices:
    return replace(
        choices,
        roles={name: role for name, role in choices.roles.items() if name not in names},
        kinds={name: kind for name, kind in choices.kinds.items() if name not in names},
    )


def _is_model(file: Path) -> bool:
    try:
        with open(file, "rb") as stream:
            return b'"ramify' in stream.read(4096) and not is_project(file)
    except OSError:
        return False


def _model(estimator: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dumps(estimator))
    return found


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
