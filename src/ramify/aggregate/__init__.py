"""Nominal columns joined into one, so that a tree can split on their combinations.

Imports learning, tables and the core. Used by users; no other package needs it.
"""

from __future__ import annotations

from ramify.aggregate.aggregator import AttributeAggregator

__all__ = ["AttributeAggregator"]
