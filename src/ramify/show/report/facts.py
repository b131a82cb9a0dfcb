"""What was fitted and how: parameters, size, versions, time."""

from __future__ import annotations

import datetime
import inspect
import platform
from typing import Any

import numpy as np
import sklearn

import ramify


def facts_of(estimator: Any) -> dict[str, Any]:
    """Facts of a fit, and the parameters, each with whether it differs from the default."""
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(type(estimator).__init__).parameters.items()
    }
    parameters = [
        [name, _words(value), repr(value) != repr(defaults.get(name))]
        for name, value in estimator.get_params(deep=False).items()
    ]
    tree, grown = estimator.tree_, estimator.fitted_.grown
    facts = [
        ["Estimator", type(estimator).__name__],
        ["Target", tree.target],
        ["Training rows", f"{int(tree.data['rows'][0]):,}"],
        ["Columns", f"{len(tree.schema.input_names):,}"],
        ["Tree", f"{tree.n_leaves:,} leaves, depth {tree.depth:,}, {tree.n_nodes:,} nodes"],
    ]
    if grown is not tree:
        facts.append(["Before pruning", f"{grown.n_leaves:,} leaves, depth {grown.depth:,}"])
    if not np.isclose(tree.data["weight"][0], tree.data["rows"][0]):
        facts.append(["Weight of the rows", f"{float(tree.data['weight'][0]):,.6g}"])
    return {
        "facts": [
            *facts,
            *map(list, estimator.facts()),
            ["Report written", datetime.datetime.now().astimezone().isoformat(" ", "seconds")],
            ["Ramify", ramify.__version__],
            ["scikit-learn", sklearn.__version__],
            ["Python", platform.python_version()],
        ],
        "parameters": parameters,
    }


def _words(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else text[:159] + "…"
