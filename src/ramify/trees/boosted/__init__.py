"""Sums of small trees."""

from __future__ import annotations

from ramify.trees.boosted.classifier import BoostedTreesClassifier

__all__ = ["BoostedTreesClassifier"]
