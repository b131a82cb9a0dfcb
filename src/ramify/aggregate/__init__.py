"""Nominal attributes joined into one, so that a tree can split on their combinations.

Imports learning and tables. Used by users; no estimator needs it.
"""

from __future__ import annotations

from ramify.aggregate.aggregator import AttributeAggregator

__all__ = ["AttributeAggregator"]
