"""The tree: nodes and conditions, text, rules, data frame, dict, and the arrays they are made from.

A tree is data. It knows its nodes, columns and classes, and nothing of who grew it.

- `tree.py` is the `Tree`; `nodes.py` and `conditions.py` are its parts.
- `arrays.py` names the arrays, `array_checks.py` says what must hold between them, `array_lists.py`
  and `as_dict.py` give them a form for JSON.
- `text.py`, `rules.py`, `frame.py`, `sklearn_arrays.py` are its forms for readers and tools;
  `words.py` puts names, levels and numbers into words.

It imports tables and the core. Everything from learning upwards uses it. Drawings, reports
and model files are made in packages above; `doors.py` leads there.
"""

from __future__ import annotations

import ramify.tree.parameter_value  # noqa: F401  lets model files hold trees
from ramify.tree.conditions import Condition, Multiway, Subset, Threshold
from ramify.tree.nodes import Competitor, Node
from ramify.tree.rules import Rule
from ramify.tree.sklearn_arrays import NumericArrays
from ramify.tree.tree import Tree

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
