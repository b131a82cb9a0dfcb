"""Ways to carry a tree elsewhere."""

from ramify.export.arrays import NumericArrays, tree_to_arrays
from ramify.export.rules import Rule, tree_to_rules

__all__ = ["NumericArrays", "Rule", "tree_to_arrays", "tree_to_rules"]
