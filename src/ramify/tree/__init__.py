"""The tree as data: it knows its nodes, columns and classes, and nothing of who grew it.

Invariant: the arrays are never changed after construction, so everything derived is cached.
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
