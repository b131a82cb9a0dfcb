"""The page of a report: template, style, scripts and data, put together in one file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from html import escape
from importlib import resources
from typing import Any

#: What knows no tree.
BASIC_SCRIPTS = ("words.js", "layout.js", "theme.js")
#: What shows one tree, in the order in which it runs; `D` is the data of the tree.
TREE_SCRIPTS = (
    "model.js",
    "colours.js",
    "rules.js",
    "distributions.js",
    "cards.js",
    "canvas.js",
    "tree.js",
    "fitting.js",
    "keys.js",
    "details.js",
    "saves.js",
    "explain.js",
    "reasons.js",
    "curve.js",
    "plots.js",
    "figures.js",
    "scores.js",
    "ranking.js",
    "effects.js",
    "tables.js",
    "data.js",
    "start.js",
)
#: The style of the tree and the page, and that of the numbers.
STYLES = ("report.css", "numbers.css")


def page(title: str, data: dict[str, Any], drawing: str) -> str:
    """Fill the template. What comes from data is escaped for the place where it stands."""
    parts = {
        "title": escape(title.encode("utf-8", "replace").decode("utf-8")),
        "style": "\n".join(map(read_page_file, STYLES)),
        "parts": read_page_file("parts.html"),
        "data": as_script(data),
        "drawing": drawing,
        "script": join_scripts(read_page_file, (*BASIC_SCRIPTS, "main.js", *TREE_SCRIPTS)),
    }
    # The template is cut before it is filled: what is put in is never read as a place to fill.
    pieces = read_page_file("template.html").split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def read_page_file(name: str) -> str:
    """Give a template, style or script of the page."""
    folder = resources.files("ramify.show.report") / "page"
    return (folder / name).read_text(encoding="utf-8")


def join_scripts(read: Callable[[str], str], names: Iterable[str]) -> str:
    """Give scripts as one, in this order."""
    return "\n".join(without_comments(read(name)) for name in names)


def without_comments(script: str) -> str:
    r"""A script without indents and lines of comments, which a reader of the page never needs.

    No text of the scripts goes over several lines, so that nothing in quotes changes.

    Examples
    --------
    >>> without_comments("// What it does.\nif (a) {\n  b();\n}")
    'if (a) {\nb();\n}'
    """
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def as_script(data: Any) -> str:
    """JSON that may stand inside a script element: no tag and no comment can begin in it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
