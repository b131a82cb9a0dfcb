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

from ramify.datasets import Dataset
from ramify.edit import TreeEditor
from ramify.files import dumps
from ramify.studio import data, editing
from ramify.studio.data import Choices, Prepared
from ramify.studio.growing import Grown, Settings, grow
from ramify.studio.jobs import Job
from ramify.studio.project import (
    Fingerprint,
    Project,
    project_file,
)
from ramify.studio.security import Folders

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
        self.unsaved = ""
        self.opened: Opened | None = None
        self.undone: list[dict[str, Any]] = []
        self.branches: list[list[dict[str, Any]]] = []
        self.tree_number = 0
        self.job: Job | None = None
        self.comparison: dict[str, Any] | None = None
        self.notes: list[str] = []
        self.kept: dict[str, Any] = {}  # what follows from the tree that is open
        self._read_as: tuple[Any, ...] = ()
        self.whole: data.Looked | None = None
        self.model: Any = None  # of a model file, until its data is opened

    # --- changes ------------------------------------------------------------------------------

    @contextmanager
    def change(self, version: int | None) -> Iterator[None]:
        """Make one change from a state; it is saved at the end."""
        with self.lock:
            if version is not None and version != self.version:
                raise StaleError
            yield
            self.changed()

    def changed(self) -> None:
        """Number the new state, and save it."""
        self.version += 1
        try:
            self.save()
            self.unsaved = ""
        except OSError as error:
            self.unsaved = f"This could not be saved: {error.strerror or error}"

    def check_free(self) -> None:
        """Refuse a change while something runs."""
        if self.job is not None and self.job.running:
            raise BusyError(f"wait until this is done, or stop it: {self.job.what}")

    def start(self, what: str, work: Callable[[Job], None]) -> Job:
        """Run something in the background, if nothing else runs."""
        self.check_free()
        self.job = Job(what, work)
        return self.job.start()

    # --- the file -----------------------------------------------------------------------------

    def forget(self) -> None:
        """Begin anew, as another file is opened."""
        self.file, self.table, self.prepared, self.opened = None, None, None, None
        self.choices, self.settings, self.problem = Choices(), Settings(), ""
        self.undone, self.branches, self.comparison, self.notes = [], [], None, []
        self._read_as, self.whole, self.model = (), None, None
        self.tree_number += 1

    def replay(self, edits: list[dict[str, Any]], undone: list[dict[str, Any]]) -> None:
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

    def take_table(self, table: Dataset) -> None:
        """Take a table that was read."""
        self.table = table
        self._read_as = how_read(self.choices)
        self.whole = data.Looked.at(table)

    # --- the table ----------------------------------------------------------------------------

    def choose(self, changes: Mapping[str, Any], version: int | None) -> None:
        """Change what was chosen about the table."""
        with self.change(version):
            self.check_free()
            if self.file is None:
                raise ValueError("open a table first")
            choices = Choices.from_dict({**self.choices.to_dict(), **changes})
            if self.table is None or how_read(choices) != self._read_as:
                names = {**choices.roles, **choices.kinds}
                table = data.read(self.file, choices)
                if gone := [name for name in names if name not in table.data]:
                    # Another delimiter makes other columns.
                    choices = _without(choices, gone)
                self.choices = choices
                self.take_table(table)
            assert self.table is not None
            if choices.target not in self.table.data:
                choices = replace(choices, target=data.likely_target(self.table))
            self.choices = choices
            self.prepare()

    def prepare(self) -> None:
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
            self.check_free()
            if self.prepared is None:
                raise ValueError(self.problem or "open a table first")
            prepared = self.prepared
            settings = replace(self.settings, leaves=None)
            self.settings = settings

            def work(job: Job) -> None:
                grown = grow(prepared, settings, job)
                with self.lock:
                    self.open_tree(grown, prepared, settings)
                    self.changed()

            self.start("growing a tree", work)

    def dial(self, leaves: int, version: int | None) -> None:
        """Take the tree of another size; edits of the former one are gone."""
        with self.change(version):
            self.check_free()
            opened = self.present_tree()
            if leaves < 1:
                raise ValueError(f"leaves={leaves!r} must be at least 1")
            settings = replace(opened.settings, leaves=leaves)
            self.open_tree(opened.base, opened.prepared, settings)
            self.settings = replace(self.settings, leaves=leaves)

    def open_tree(self, base: Grown, prepared: Prepared, settings: Settings) -> None:
        """Open a tree in the editor, at the size of the dial."""
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
            self.check_free()
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
            self.check_free()
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
            self.replay(wanted[shared:], [])
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
            self.check_free()
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
            self.check_free()
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
            if "model" not in self.kept:
                self.kept["model"] = _model(opened.base.estimator)
            project.model = self.kept["model"]
            project.grown = {
                "choices": opened.prepared.choices.to_dict(),
                "settings": opened.settings.to_dict(),
            }
            project.edits = [editing.edit_json(edit) for edit in opened.editor.history]
            project.undone = list(self.undone)
            project.branches = list(self.branches)
        project.save(self.project)


def _stopped(edit: dict[str, Any], clock: Callable[[], str]) -> Callable[[], str]:
    """Give a clock that shows when an edit was made."""
    time = edit.get("time")
    return (lambda: str(time)) if time else clock


def how_read(choices: Choices) -> tuple[Any, ...]:
    """Give what decides how a file is read."""
    return choices.parsing, tuple(sorted(choices.kinds.items()))


def _without(choices: Choices, names: list[str]) -> Choices:
    return replace(
        choices,
        roles={name: role for name, role in choices.roles.items() if name not in names},
        kinds={name: kind for name, kind in choices.kinds.items() if name not in names},
    )


def _model(estimator: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dumps(estimator))
    return found
