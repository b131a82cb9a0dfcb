"""Nominal attributes joined into one, so that a tree can split on their combinations."""

from __future__ import annotations

from ramify.aggregate.aggregator import AttributeAggregator

__all__ = ["AttributeAggregator"]
