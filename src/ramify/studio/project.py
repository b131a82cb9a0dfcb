"""The file of a session: what was chosen, the tree that was grown, and its edits; no data.

Invariant: the file on the disk is always a whole state: it is replaced at once, or not at all. It
lies beside the data and names it relative to itself, so that both may move together.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ramify.support.writer import write_text

#: What a project file has at its top, and the version of its form.
MARK, FORM = "ramify_studio", 1
ENDING = ".studio.json"


@dataclass(frozen=True)
class Fingerprint:
    """What tells whether a data file is the one that was used."""

    size: int
    modified: int  # nanoseconds

    @classmethod
    def of(cls, file: Path) -> Fingerprint:
        """Give that of a file."""
        status = os.stat(file)
        return cls(status.st_size, status.st_mtime_ns)


@dataclass(frozen=True)
class Kept:
    """An edit as a project keeps it, without its price."""

    action: str
    node: int
    arguments: dict[str, Any]
    reason: str | None = None
    author: str | None = None
    time: str = ""


@dataclass
class Project:
    """What is kept of a session.

    Parameters
    ----------
    data : str
        The data file, relative to the project file.
    fingerprint : dict
        Of the data file when it was read.
    version : int
        The number of the state.
    choices, settings : dict
        Of the table and of the tree, as `data` and `growing` write them.
    model : dict or None
        The tree as it was grown, as a model file has it.
    grown : dict
        The choices and settings with which it was grown.
    edits : list of dict
        What was done to it since.
    undone : list of dict
        Edits that were taken back and can be done again, the last one first.
    branches : list of list of dict
        Other ways from the grown tree that were tried, each with all of its edits.
    """

    data: str = ""
    fingerprint: dict[str, int] = field(default_factory=dict)
    version: int = 0
    choices: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    model: dict[str, Any] | None = None
    grown: dict[str, Any] = field(default_factory=dict)
    edits: list[dict[str, Any]] = field(default_factory=list)
    undone: list[dict[str, Any]] = field(default_factory=list)
    branches: list[list[dict[str, Any]]] = field(default_factory=list)

    def save(self, file: Path) -> None:
        """Write the file; a crash leaves the former one or this one."""
        text = json.dumps({MARK: FORM, **vars(self)}, ensure_ascii=False, separators=(",", ":"))
        write_text(file, text + "\n")


def project_file(data: Path) -> Path:
    """Give the project file of a data file."""
    return data.with_name(f"{data.name}{ENDING}")


def is_project(file: Path) -> bool:
    """Tell whether a file is a project."""
    if not file.name.endswith(".json"):
        return False
    try:
        with open(file, "rb") as stream:
            return f'"{MARK}"'.encode() in stream.read(64)
    except OSError:
        return False


def load_project(file: Path) -> Project:
    """Read a project file; a ValueError says what is wrong with it."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: this is not a project of the studio ({error})") from error
    if not isinstance(content, dict) or MARK not in content:
        raise ValueError(f"{file}: this is not a project of the studio")
    form = content.pop(MARK)
    if form != FORM:
        raise ValueError(f"{file}: form {form!r} is not known; a newer ramify may read it")
    known = vars(Project())
    for name, value in content.items():
        if name not in known:
            raise ValueError(f"{file}: unknown entry {name!r}")
        wanted = type(known[name]) if name != "model" else (dict, type(None))
        if not isinstance(value, wanted):
            raise ValueError(f"{file}: the entry {name!r} is not what it should be")
    return Project(**content)
