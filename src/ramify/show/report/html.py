"""The page of a report: template, style, scripts and data, put together in one file."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from typing import Any

#: In the order in which they run.
SCRIPTS = (
    "words.js",
    "layout.js",
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
    "main.js",
)
#: The style of the tree and the page, and that of the numbers.
STYLES = ("report.css", "numbers.css")


def page(title: str, data: dict[str, Any], drawing: str) -> str:
    """Fill the template. What comes from data is escaped for the place where it stands."""
    folder = resources.files("ramify.show.report") / "page"

    def read(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    parts = {
        "title": escape(title.encode("utf-8", "replace").decode("utf-8")),
        "style": "\n".join(read(name) for name in STYLES),
        "data": as_script(data),
        "drawing": drawing,
        "script": "\n".join(without_comments(read(name)) for name in SCRIPTS),
    }
    # The template is cut before it is filled: what is put in is never read as a place to fill.
    pieces = read("template.html").split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


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
