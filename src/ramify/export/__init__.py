"""Forms in which a tree leaves Python: other languages, model formats, rules.

Every function takes a fitted estimator or its ``tree_``, gives the text (`to_onnx`: the model), and
also writes it to a file if `path` is given. If a form cannot say what the tree does, the function
raises `ExportError`.

- `FORMATS` lists the forms. The command line takes its choices from it.
- Each form has a module or a package: `sql/`, `onnx/`, `pmml/`, `questionnaire/`,
  `python.py`, `c.py`, `dot.py`, `svg.py`, `rule_tables.py`.
- They share `routing.py` (which branch every value takes), `refusals.py` (what is refused, and why)
  and `source_text.py`.

It imports learning, tree, tables and support, and knows no estimator. The command line uses it.
Modules are loaded when they are needed: ``ramify --help`` reads `FORMATS` and must answer at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ramify.export.c import to_c
    from ramify.export.dot import to_dot
    from ramify.export.onnx import to_onnx
    from ramify.export.pmml import to_pmml
    from ramify.export.python import to_python
    from ramify.export.questionnaire import to_questionnaire
    from ramify.export.refusals import ExportError
    from ramify.export.rule_tables import (
        rules_to_csv,
        rules_to_frame,
        rules_to_markdown,
        rules_to_text,
    )
    from ramify.export.sql import to_sql
    from ramify.tree.rules import Rule, tree_to_rules
    from ramify.tree.sklearn_arrays import NumericArrays, tree_to_arrays

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
    "to_questionnaire",
    "to_sql",
    "tree_to_arrays",
    "tree_to_rules",
]


class Format(NamedTuple):
    """A form in which a tree can be written.

    Attributes
    ----------
    name : str
        What the command line calls it.
    label : str
        What readers call it.
    module, function : str
        The function that writes it, and the module of this package that has it. The function takes
        a model and `path`.
    endings : tuple of str
        The endings of its files.
    extra : str
        The extra of ramify that it needs, if not for everything; "" if none.
    options : tuple of str
        The parameters of the function that the command line has options for.
    binary : bool
        Whether it is bytes, which need a file.
    abstains : bool
        Whether it can say that a tree gives no answer. Others refuse such a tree.
    """

    name: str
    label: str
    module: str
    function: str
    endings: tuple[str, ...]
    extra: str = ""
    options: tuple[str, ...] = ()
    binary: bool = False
    abstains: bool = False


_SQL_OPTIONS = ("dialect", "output", "table")
_QUESTIONNAIRE_OPTIONS = ("title", "questions")

#: All forms, in the order in which help texts name them.
FORMATS = (
    Format("sql", "SQL", "sql", "to_sql", (".sql",), extra="sql", options=_SQL_OPTIONS),
    Format("onnx", "ONNX", "onnx", "to_onnx", (".onnx",), extra="onnx", binary=True),
    Format("pmml", "PMML", "pmml", "to_pmml", (".pmml", ".xml")),
    Format("python", "Python", "python", "to_python", (".py",)),
    Format("c", "C", "c", "to_c", (".c",)),
    Format("dot", "DOT", "dot", "to_dot", (".dot", ".gv"), abstains=True),
    Format("svg", "SVG", "svg", "to_svg", (".svg",), abstains=True),
    Format("rules", "rules", "rule_tables", "rules_to_text", (".txt",), abstains=True),
    Format("markdown", "rules", "rule_tables", "rules_to_markdown", (".md",), abstains=True),
    Format("csv", "rules", "rule_tables", "rules_to_csv", (".csv",), abstains=True),
    Format(
        "questionnaire",
        "a questionnaire",
        "questionnaire",
        "to_questionnaire",
        (".html",),
        options=_QUESTIONNAIRE_OPTIONS,
    ),
)

_HOME = {one.function: f"ramify.export.{one.module}" for one in FORMATS} | {
    "ExportError": "ramify.export.refusals",
    "NumericArrays": "ramify.tree.sklearn_arrays",
    "Rule": "ramify.tree.rules",
    "rules_to_frame": "ramify.export.rule_tables",
    "tree_to_arrays": "ramify.tree.sklearn_arrays",
    "tree_to_rules": "ramify.tree.rules",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ramify.export' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
