"""scikit-learn's installed ``test_tree.py`` as a module in which ours stand for theirs."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Collection
from types import ModuleType
from typing import Any

import pytest

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
    # Lists of estimators lose those without a counterpart, which tests try one after the other.
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict | ast.List):
            _drop(node.value)
    tree.body[imports[-1] + 1 : imports[-1] + 1] = swap
    ast.fix_missing_locations(tree)
    module = ModuleType("sklearn_test_tree_with_ours")
    module.__file__ = found.origin
    module.__package__ = "sklearn.tree.tests"
    sys.modules[module.__name__] = module
    exec(compile(tree, found.origin, "exec"), vars(module))
    for name in NAMES:
        assert vars(module)[name] is getattr(ours_for_theirs, name)
    for value in vars(module).values():
        _list_arguments(value)
    return module


def _list_arguments(value: Any) -> None:
    """Give the values of a parametrized test as a list: pytest complains of iterators."""
    marks = getattr(value, "pytestmark", None)
    for i, mark in enumerate(marks or ()):
        if mark.name == "parametrize" and not isinstance(mark.args[1], Collection):
            names, values, *more = mark.args
            marks[i] = pytest.mark.parametrize(names, list(values), *more, **mark.kwargs).mark


def _drop(listed: ast.Dict | ast.List) -> None:
    def kept(entry: ast.expr | None) -> bool:
        return not (isinstance(entry, ast.Constant) and str(entry.value).startswith("ExtraTree"))

    if isinstance(listed, ast.Dict):
        pairs = [(k, v) for k, v in zip(listed.keys, listed.values, strict=True) if kept(k)]
        listed.keys, listed.values = [k for k, _ in pairs], [v for _, v in pairs]
    else:
        listed.elts = [entry for entry in listed.elts if kept(entry)]
