"""Partitions of the levels of a nominal attribute, from a plain contingency table.

What a tree does with a nominal attribute can be tried here by hand: :func:`best_nominal_split`
runs one search on one table, :func:`methods` lists the searches, :func:`merge_levels` merges the
levels that do not differ.

Imports learning, tables and the core. Used by the estimators, and by users.
"""

from __future__ import annotations

from ramify.splits.nominal import (
    MaxCut,
    MergedLevels,
    MergeLevels,
    Method,
    NominalSplit,
    best_nominal_split,
    max_cut,
    merge_levels,
    methods,
    score,
)

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
