"""Ways to carry a tree elsewhere: other languages, model formats, rules.

Every function takes a fitted estimator or its ``tree_``, gives the text (of ONNX, the model), and
writes it to a file if `path` is given. What cannot be said in the other form is an `ExportError`.

Imports the tree and tables, and knows no estimator. Used by the command line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ramify.tree.rules import Rule, tree_to_rules
from ramify.tree.sklearn_arrays import NumericArrays, tree_to_arrays

if TYPE_CHECKING:
    from ramify.export._plan import ExportError
    from ramify.export.c import to_c
    from ramify.export.dot import to_dot
    from ramify.export.onnx import to_onnx
    from ramify.export.pmml import to_pmml
    from ramify.export.python import to_python
    from ramify.export.rule_tables import (
        rules_to_csv,
        rules_to_frame,
        rules_to_markdown,
        rules_to_text,
    )
    from ramify.export.sql import to_sql

__all__ = [
    "ExportError",
    "NumericArrays",
    "Rule",
    "rules_to_csv",
    "rules_to_frame",
    "rules_to_markdown",
    "rules_to_text",
    "to_c",
    "to_dot",
    "to_onnx",
    "to_pmml",
    "to_python",
    "to_sql",
    "tree_to_arrays",
    "tree_to_rules",
]

# Loaded when first used: they need the tree, which itself needs the two modules above.
_HOME = {
    "ExportError": "_plan",
    "rules_to_csv": "rule_tables",
    "rules_to_frame": "rule_tables",
    "rules_to_markdown": "rule_tables",
    "rules_to_text": "rule_tables",
    "to_c": "c",
    "to_dot": "dot",
    "to_onnx": "onnx",
    "to_pmml": "pmml",
    "to_python": "python",
    "to_sql": "sql",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ramify.export' has no attribute {name!r}")
    value = getattr(import_module(f"ramify.export.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
