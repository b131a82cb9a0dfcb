"""Partitions of the levels of a nominal attribute, from a plain contingency table.

Users can try here by hand what a tree does with a nominal attribute: :func:`best_nominal_split`
runs one search on one table, :func:`score` scores a partition, :func:`methods` lists the searches,
:func:`merge_levels` merges levels that do not differ, :func:`max_cut` divides a graph.

Imports learning, tables and the core. Used by the estimators and by users.
"""

from __future__ import annotations

from ramify.splits.maxcut import MaxCut, max_cut
from ramify.splits.merge import MergedLevels, MergeLevels, merge_levels
from ramify.splits.methods import Method
from ramify.splits.nominal import NominalSplit, best_nominal_split, methods, score

__all__ = [
    "MaxCut",
    "MergeLevels",
    "MergedLevels",
    "Method",
    "NominalSplit",
    "best_nominal_split",
    "max_cut",
    "merge_levels",
    "methods",
    "score",
]
