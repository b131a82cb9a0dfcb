"""The page of the studio, put together from its own parts and those of the report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from ramify.show.report.html import BASIC_SCRIPTS, STYLES, TREE_SCRIPTS
from ramify.support.page.parts import (
    fill_template,
    read,
    scripts,
    shared,
    without_comments,
)

#: The scripts of the page that know no tree, in the order in which they run.
SCRIPTS = (
    "client.js",
    "words.js",
    "shell.js",
    "drop.js",
    "parsing.js",
    "columns.js",
    "data.js",
    "grow.js",
    "search.js",
    "tree.js",
    "judge.js",
    "compare.js",
    "rows.js",
    "ship.js",
    "code.js",
)
#: The scripts that change the tree that is open; they run with those of the report.
EDIT_SCRIPTS = (
    "edit/price.js",
    "edit/candidates.js",
    "edit/threshold.js",
    "edit/levels.js",
    "edit/actions.js",
    "edit/panel.js",
)
LAST_SCRIPT = "start.js"


@dataclass(frozen=True)
class Page:
    """The three files of the page."""

    html: str
    script: str
    style: str


@cache
def page() -> Page:
    """Put the page together."""
    report = resources.files("ramify.show.report") / "page"
    own = resources.files("ramify.studio") / "page"

    def joined(names: tuple[str, ...]) -> str:
        return "\n".join(without_comments(read(own, name)) for name in names)

    *tree, last = (without_comments(read(report, name)) for name in TREE_SCRIPTS)
    script = "\n".join(
        (
            '"use strict";',
            "(() => {",
            scripts(report, BASIC_SCRIPTS),
            joined(SCRIPTS),
            "function openTree(D, opened) {",
            *tree,
            joined(EDIT_SCRIPTS),
            last,
            "}",
            joined((LAST_SCRIPT,)),
            "})();",
        )
    )
    style = "\n".join(
        [shared("theme.css"), *(read(report, name) for name in STYLES), read(own, "studio.css")]
    )
    html = fill_template(read(own, "template.html"), parts=read(report, "parts.html"))
    return Page(html, script, style)
