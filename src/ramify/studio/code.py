"""The command line and the Python script that do what was clicked; both run as they are."""

from __future__ import annotations

import shlex
from pprint import pformat
from typing import Any

from ramify.learning.held_out import MANY_ROWS
from ramify.steps.learners import Learner
from ramify.steps.task import Task
from ramify.studio.data import Prepared
from ramify.studio.growing import Settings, parameters
from ramify.studio.session import Opened, Session
from ramify.trees.greedy.base import GreedyTree


def code_json(session: Session) -> dict[str, Any]:
    """Give both, for the tree that is open or for the one that would be grown."""
    with session.lock:
        prepared, settings = _what(session)
        if prepared is None:
            return {"command": "", "script": "", "notes": []}
        command, notes = command_line(prepared, settings)
        if session.opened is not None and session.opened.editor.history:
            notes.append(
                "The command line grows the tree as it was before the edits. The script does the "
                "edits, too."
            )
        return {"command": command, "script": python_script(session), "notes": notes}


def _what(session: Session) -> tuple[Prepared | None, Settings]:
    if session.opened is not None:
        return session.opened.prepared, session.opened.settings
    return session.prepared, session.settings


# --- the command line -------------------------------------------------------------------------


def command_line(prepared: Prepared, settings: Settings) -> tuple[str, list[str]]:
    """Give the commands, and what they cannot say."""
    stem = prepared.file.name.split(".")[0]
    model = f"{stem}-tree.json"
    choices, notes = prepared.choices, []
    words: list[str] = ["ramify", "fit", prepared.file.name, "--target", prepared.target]
    if choices.task is not Task.auto:
        words += ["--task", str(choices.task)]
    parsing = choices.parsing
    for option, value in (
        ("--delimiter", "\\t" if parsing.delimiter == "\t" else parsing.delimiter),
        ("--decimal", parsing.decimal),
        ("--encoding", parsing.encoding),
        ("--sheet", parsing.sheet),
    ):
        if value:
            words += [option, value]
    if not parsing.header:
        words.append("--no-header")
    for text in parsing.missing or ():
        words += ["--na", text]
    for name in choices.of_role("ignore"):
        words += ["--ignore", name]
    for name in choices.of_role("use"):
        if name in _suspects(prepared):
            words += ["--use", name]
    for name, kind in choices.kinds.items():
        if kind == "date":
            notes.append(f"ramify fit finds dates by itself; {name} may be read otherwise.")
        else:
            words += ["--nominal" if kind == "category" else "--numeric", name]
    if choices.min_level_count is not None:
        words += ["--min-level-count", str(choices.min_level_count)]
    if choices.weight is not None:
        notes.append(f"ramify fit takes no weights of rows ({choices.weight}); the script does.")
        words += ["--ignore", choices.weight]
    words += _of_settings(prepared, settings)
    if choices.hold_out:
        words += ["--hold-out"] if len(prepared.y) <= MANY_ROWS else []
    elif len(prepared.y) > MANY_ROWS:
        words += ["--folds", "10"]
    words += ["--model", model]
    lines = [shlex.join(words)]
    if settings.leaves is not None:
        lines.append(
            shlex.join(
                ["ramify", "prune", model, "--leaves", str(settings.leaves), "--model", model]
            )
        )
    return "\n".join(lines), notes


def _suspects(prepared: Prepared) -> set[str]:
    """Give the columns that would be left out if nobody said that they are used."""
    return {name for name in prepared.choices.of_role("use") if name in prepared.table.data}


def _of_settings(prepared: Prepared, settings: Settings) -> list[str]:
    words: list[str] = []
    if settings.learner is not Learner.greedy:
        words += ["--learner", str(settings.learner)]
    for name, value in settings.limits.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    columns = prepared.table.data
    signs = [(name, sign) for name, sign in settings.monotone.items() if name in columns]
    if signs:
        words += ["--monotone", ",".join(f"{name}={sign:+d}" for name, sign in signs)]
    for pair in settings.never_together:
        if all(name in columns for name in pair):
            words += ["--never-together", ",".join(pair)]
    if prepared.task is Task.classification:
        if settings.balanced:
            words += ["--class-weight", "balanced"]
        costs = {name: cost for name, cost in settings.costs.items() if cost != 1.0}
        if costs:
            words += ["--costs", ",".join(f"{name}={cost:g}" for name, cost in costs.items())]
    if "time_limit" in (given := parameters(prepared, settings)) and (
        settings.time_limit is not None or settings.learner is Learner.optimal
    ):
        words += ["--time-limit", f"{given['time_limit']:g}"]
    return words


# --- the script -------------------------------------------------------------------------------


def python_script(session: Session) -> str:
    """Give the script."""
    prepared, settings = _what(session)
    if prepared is None:
        raise ValueError(session.problem or "open a table first")
    lines = [
        f'"""What was done in Ramify Studio with {_quoted(prepared.file.name)}."""',
        "",
        "import numpy as np",
        "",
        *_imports(prepared),
        "",
        *_reading(prepared),
        "",
        *_growing(prepared, settings),
    ]
    if session.opened is not None and session.opened.editor.history:
        lines += ["", *_editing(session.opened)]
    else:
        lines += ["", "print(clf.tree_)"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def _imports(prepared: Prepared) -> list[str]:
    lines = ["import ramify", "from ramify.datasets import read_table_file"]
    if prepared.choices.hold_out:
        lines.append("from ramify.learning.held_out import hold_out_rows")
    return lines


def _call(name: str, *positional: str, **given: Any) -> list[str]:
    """Write a call, in one line or with a line for each argument."""
    parts = [*positional, *(f"{key}={pformat(value, width=90)}" for key, value in given.items())]
    one = f"{name}({', '.join(parts)})"
    if len(one) <= 96 and "\n" not in one:
        return [one]
    inside = [line for part in parts for line in f"{part},".splitlines()]
    return [f"{name}(", *(f"    {line}" for line in inside), ")"]


def _reading(prepared: Prepared) -> list[str]:
    choices = prepared.choices
    given: dict[str, Any] = {"target": prepared.target}
    given |= choices.parsing.for_reader()
    if choices.kinds:
        given["kinds"] = choices.reader_kinds()
    lines = _call("table = read_table_file", repr(prepared.file.name), **given)
    text = prepared.table.y.dtype == object
    test = "np.array([cell is not None for cell in table.y])" if text else "~np.isnan(table.y)"
    lines.append(f"table = table.take({test})  # rows that have a target")
    gone = [*choices.of_role("ignore"), *prepared.left_out]
    if choices.weight is not None:
        lines.append(f"sample_weight = table.data[{choices.weight!r}]")
        gone.append(choices.weight)
    if gone:
        lines += _call("table = table.without", *map(repr, gone))
    whole = prepared.task is Task.classification and prepared.y.dtype.kind == "i"
    lines.append(f"X, y = table.data, table.y{'.astype(int)' if whole else ''}")
    return lines


def _growing(prepared: Prepared, settings: Settings) -> list[str]:
    import ramify
    from ramify.steps.learners import make_learner

    estimator = make_learner(settings.learner, prepared.task, parameters(prepared, settings))
    defaults = type(estimator)().get_params(deep=False)
    given = {
        name: value
        for name, value in estimator.get_params(deep=False).items()
        if repr(value) != repr(defaults[name])
    }
    name = type(estimator).__name__
    assert hasattr(ramify, name)
    modules = [type(value).__module__ for value in given.values()]
    packages = [one.rpartition(".")[0] for one in modules if one != "builtins"]
    lines = [f"import {package}" for package in dict.fromkeys(packages)]
    lines += _call(f"clf = ramify.{name}", **{k: _Code(v) for k, v in given.items()})
    weighted = prepared.weights is not None
    if prepared.choices.hold_out and len(prepared.y) >= 10:
        lines += ["train, test = hold_out_rows(clf, y)", "validation = ("]
        lines += ["    {name: cells[test] for name, cells in X.items()},", "    y[test],"]
        lines += ["    sample_weight[test],"] if weighted else []
        lines += [")", "X, y = {name: cells[train] for name, cells in X.items()}, y[train]"]
        lines += ["sample_weight = sample_weight[train]"] if weighted else []
    lines.append(f"clf.fit(X, y{', sample_weight' if weighted else ''})")
    lines.append(f"clf.name_target({prepared.target!r})")
    if settings.leaves is not None:
        lines.append(f"clf = clf.prune(n_leaves={settings.leaves})")
    return lines


class _Code:
    """A value that is written as code: objects of ramify with their module."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        module = type(self._value).__module__
        if module == "builtins":
            return repr(self._value)
        return f"{module.rpartition('.')[0]}.{self._value!r}"


def _editing(opened: Opened) -> list[str]:
    """Give the edits as the editor writes them, after what it needs."""
    lines = []
    if not isinstance(opened.grown.estimator, GreedyTree):
        lines += ["# as a tree that can be edited", *_as_greedy(opened.editor.estimator)]
    code = opened.editor.script().partition('"""\n\n')[2]
    return [*lines, *code.rstrip().splitlines(), "clf = editor.estimator", "print(clf.tree_)"]


def _as_greedy(estimator: Any) -> list[str]:
    defaults = type(estimator)().get_params(deep=False)
    given = {
        name: _Code(value)
        for name, value in estimator.get_params(deep=False).items()
        if repr(value) != repr(defaults[name])
    }
    return [
        *_call(f"made = ramify.{type(estimator).__name__}", **given),
        "clf = made.with_tree(clf.tree_)",
    ]
