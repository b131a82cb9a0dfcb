"""The only way from a tree or an estimator to the packages above.

A tree draws itself, and an estimator writes its report and its file. For users these are methods.
The work is done in packages that import this one, so they cannot be imported here. Each function is
named here once, and loaded when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_DOORS = {
    "competitors_html": "ramify.show.notebook",
    "contributions_html": "ramify.show.notebook",
    "estimator_html": "ramify.show.notebook",
    "explanation_html": "ramify.show.notebook",
    "pruning_path_html": "ramify.show.notebook",
    "rules_html": "ramify.show.notebook",
    "TreeEditor": "ramify.edit.editor",
    "Report": "ramify.show.report",
    "figure": "ramify.show.notebook",
    "make_report": "ramify.show.report",
    "near_page": "ramify.show.near_page",
    "plot_near": "ramify.show.near",
    "plot_pareto": "ramify.show.curves",
    "plot_progress": "ramify.show.curves",
    "plot_pruning_path": "ramify.show.curves",
    "read_rows": "ramify.show.report",
    "save": "ramify.files.model",
    "tree_to_svg": "ramify.show.svg",
}


def door(name: str) -> Any:
    """Give a function of a layer above."""
    return getattr(import_module(_DOORS[name]), name)
