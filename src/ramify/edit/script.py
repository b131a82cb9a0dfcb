"""Python code that replays the edits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ramify.edit.history import Edit

_HEAD = '''"""Edits of a tree: run it where `clf`, `X` and `y` are, on the same or on new data."""

{imports}from ramify.edit import TreeEditor

editor = TreeEditor(clf, X, y{more})
'''


def write_script(history: Iterable[Edit], arguments: dict[str, Any]) -> str:
    """Give code that makes an editor and replays edits.

    Parameters
    ----------
    history : iterable of Edit
    arguments : dict
        The arguments of the editor that differ from the defaults, as code.
    """
    lines = []
    for edit in history:
        first, given = [str(edit.node)], dict(edit.arguments)
        if edit.action == "exclude":
            first = [repr(given.pop("column")), *first]
        if "condition" in given:
            first.append(repr(given.pop("condition")))
        if edit.reason is not None:
            given["reason"] = edit.reason
        others = [f"{name}={value!r}" for name, value in given.items()]
        lines.append(f"editor.{edit.action}({', '.join([*first, *others])})")
    body = "\n".join(lines)
    imports = ""
    if "datetime." in body or "inf" in body or "nan" in body or "Decimal(" in body:
        imports = "import datetime\nfrom decimal import Decimal\nfrom math import inf, nan\n\n"
    more = "".join(f", {name}={value}" for name, value in arguments.items())
    return _HEAD.format(imports=imports, more=more) + body + ("\n" if body else "")
