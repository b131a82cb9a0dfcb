"""The tree as data: it knows its nodes, columns and classes, and nothing of who grew it.

Invariant: the arrays are never changed after construction, so everything derived is cached.

Imports tables and the core. Used by learning and everything above it. What it shows of itself in
notebooks and pictures is made above; `doors.py` leads there.
"""

from __future__ import annotations

import ramify.tree.as_parameter  # noqa: F401  lets model files hold trees
from ramify.tree.tree import (
    Competitor,
    Condition,
    Multiway,
    Node,
    NumericArrays,
    Rule,
    Subset,
    Threshold,
    Tree,
)

__all__ = [
    "Competitor",
    "Condition",
    "Multiway",
    "Node",
    "NumericArrays",
    "Rule",
    "Subset",
    "Threshold",
    "Tree",
]
