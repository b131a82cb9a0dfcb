"""Boosted trees: classifiers that are sums of small trees.

The package imports `trees.greedy` and `trees.single`. `files` uses it.
"""

from __future__ import annotations

from ramify.trees.boosted.classifier import BoostedTreesClassifier

__all__ = ["BoostedTreesClassifier"]
