"""scikit-learn's installed ``test_tree.py`` as a module in which ours stand for theirs."""

from __future__ import annotations

import ast
import importlib.util
import sys
from types import ModuleType

from peers import ours_for_theirs

NAMES = (
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
)


def with_ours() -> ModuleType | None:
    """The module, None if scikit-learn was installed without its tests."""
    try:
        found = importlib.util.find_spec("sklearn.tree.tests.test_tree")
    except ModuleNotFoundError:
        return None
    if found is None or found.origin is None:
        return None
    with open(found.origin, encoding="utf-8") as file:
        tree = ast.parse(file.read(), found.origin)
    imports = [
        i for i, node in enumerate(tree.body) if isinstance(node, ast.ImportFrom | ast.Import)
    ]
    swap = ast.parse(f"from peers.ours_for_theirs import {', '.join(NAMES)}").body
    tree.body[imports[-1] + 1 : imports[-1] + 1] = swap
    ast.fix_missing_locations(tree)
    module = ModuleType("sklearn_test_tree_with_ours")
    module.__file__ = found.origin
    module.__package__ = "sklearn.tree.tests"
    sys.modules[module.__name__] = module
    exec(compile(tree, found.origin, "exec"), vars(module))
    for name in NAMES:
        assert vars(module)[name] is getattr(ours_for_theirs, name)
    return module
