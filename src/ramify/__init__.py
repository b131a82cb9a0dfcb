"""Decision trees done properly: the public names.

A name is loaded when it is first used, so ``import ramify`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ramify._former_names import answer_to_former_names

if TYPE_CHECKING:
    from ramify import datasets, discretize, edit, evaluate, presets
    from ramify.aggregate import AttributeAggregator
    from ramify.files import ModelFileError, load
    from ramify.support.warn import RamifyWarning
    from ramify.tables import ColumnSchema, Schema
    from ramify.tree import Competitor, Multiway, Node, Rule, Subset, Threshold, Tree
    from ramify.trees import (
        BoostedTreesClassifier,
        Explanation,
        MixtureOfExpertsClassifier,
        MixtureOfExpertsRegressor,
        OptimalTreeClassifier,
        OptimalTreeRegressor,
        PolicyTree,
        TreeClassifier,
        TreeRegressor,
    )

__version__ = "0.1.0"

answer_to_former_names()

__all__ = [
    "AttributeAggregator",
    "BoostedTreesClassifier",
    "ColumnSchema",
    "Competitor",
    "Explanation",
    "MixtureOfExpertsClassifier",
    "MixtureOfExpertsRegressor",
    "ModelFileError",
    "Multiway",
    "Node",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "PolicyTree",
    "RamifyWarning",
    "Rule",
    "Schema",
    "Subset",
    "Threshold",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "datasets",
    "discretize",
    "edit",
    "evaluate",
    "load",
    "presets",
]

#: Where a public name lives; those that are not listed are estimators.
_MODULES = {
    "ramify.aggregate": ("AttributeAggregator",),
    "ramify.datasets": ("datasets",),
    "ramify.discretize": ("discretize",),
    "ramify.edit": ("edit",),
    "ramify.evaluate": ("evaluate",),
    "ramify.files": ("ModelFileError", "load"),
    "ramify.presets": ("presets",),
    "ramify.support.warn": ("RamifyWarning",),
    "ramify.tables": ("ColumnSchema", "Schema"),
    "ramify.tree": ("Competitor", "Multiway", "Node", "Rule", "Subset", "Threshold", "Tree"),
}
_MODULE_OF = dict.fromkeys(__all__, "ramify.trees")
_MODULE_OF |= {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF or name.startswith("_"):
        raise AttributeError(f"module 'ramify' has no attribute {name!r}")
    module = import_module(_MODULE_OF[name])
    value = module if _MODULE_OF[name] == f"ramify.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
