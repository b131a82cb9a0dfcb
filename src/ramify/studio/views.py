"""The state of a session as its windows show it; the tree itself is apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.studio import data, editing
from ramify.studio.growing import learners_of
from ramify.studio.project import Kept
from ramify.studio.session import Session


def state_json(session: Session) -> dict[str, Any]:
    """Give all but the tree itsession."""
    with session.lock:
        found: dict[str, Any] = {
            "version": session.version,
            "folder": str(session.folders.roots[0]),
            "file": None if session.file is None else session.file.name,
            "project": None if session.project is None else session.project.name,
            "job": None if session.job is None else session.job.to_dict(),
            "choices": session.choices.to_dict(),
            "settings": session.settings.to_dict(),
            "problem": session.problem,
            "notes": [*session.notes, *([session.unsaved] if session.unsaved else [])],
            "table": _table_json(session),
            "tree": _tree_json(session),
        }
        return found


def _table_json(session: Session) -> dict[str, Any] | None:
    if session.table is None or session.whole is None:
        return None
    prepared = session.prepared
    found: dict[str, Any] = {
        "rows": session.table.n_rows,
        "columns": data.columns_json(session.table, session.whole, prepared, session.choices),
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


def _tree_json(session: Session) -> dict[str, Any] | None:
    opened = session.opened
    if opened is None:
        return None
    editor = opened.editor
    path = opened.base.estimator.pruning_path_
    errors = np.asarray(path.error, dtype=np.float64)
    return {
        "number": session.tree_number,
        "leaves": editor.tree.n_leaves,
        "depth": editor.tree.depth,
        "grown_leaves": opened.base.estimator.tree_.n_leaves,
        "stopped": opened.base.stopped,
        "proof": opened.base.estimator.proof(),
        "held_out": len(opened.grown.test),
        "current": opened.prepared is session.prepared
        or opened.prepared.choices == session.choices,
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
        "undone": [{**one, "words": _words(one)} for one in reversed(session.undone)],
        "branches": [[_words(one) for one in way] for way in session.branches],
    }


def _words(edit: dict[str, Any]) -> str:
    return editing.in_words(Kept(**edit))
