"""The page of a report: template, style, scripts and data, put together in one file."""

from __future__ import annotations

from importlib import resources
from typing import Any

from ramify.support.page.parts import as_script, as_text, fill_template, read, scripts, shared

#: What knows no tree, after the scripts that all pages share.
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
    "parts.js",
    "start.js",
)
#: The style of the tree, and that of the numbers.
STYLES = ("report.css", "numbers.css")


def page(title: str, data: dict[str, Any], drawing: str) -> str:
    """Fill the template. What comes from data is escaped for the place where it stands."""
    own = resources.files("ramify.show.report") / "page"
    return fill_template(
        read(own, "template.html"),
        title=as_text(title),
        style="\n".join([shared("theme.css"), *(read(own, name) for name in STYLES)]),
        parts=read(own, "parts.html"),
        data=as_script(data),
        drawing=drawing,
        script=scripts(own, (*BASIC_SCRIPTS, "main.js", *TREE_SCRIPTS)),
    )
