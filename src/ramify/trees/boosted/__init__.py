"""Sums of small trees.

Imports `trees.greedy` and `trees.single`. Used by files.
"""

from __future__ import annotations

from ramify.trees.boosted.classifier import BoostedTreesClassifier

__all__ = ["BoostedTreesClassifier"]
