"""The page of a report: template, style, scripts and data, put together in one file."""

from __future__ import annotations

from importlib import resources
from typing import Any

from ramify.support.page.parts import as_script, as_text, fill_template, read, scripts, shared

#: In the order in which they run, after those that all pages share.
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
#: The style of the tree, and that of the numbers.
STYLES = ("report.css", "numbers.css")


def page(title: str, data: dict[str, Any], drawing: str) -> str:
    """Fill the template. What comes from data is escaped for the place where it stands."""
    own = resources.files("ramify.show.report") / "page"
    return fill_template(
        read(own, "template.html"),
        title=as_text(title),
        style="\n".join([shared("theme.css"), *(read(own, name) for name in STYLES)]),
        data=as_script(data),
        drawing=drawing,
        script=scripts(own, SCRIPTS),
    )
