"""Discretisers: transformers that cut numeric columns into intervals.

`MIDDiscretizer` ranks the thresholds of all columns together by what they say about the target.
`MDLPDiscretizer` and `ChiMergeDiscretizer` cut each column on its own, by the classes.
`EqualWidthDiscretizer` and `EqualFrequencyDiscretizer` do not look at the target.

Imports learning, tree, tables and the core. Used by users and by the command line.
"""

from __future__ import annotations

from ramify.discretize.chimerge import ChiMergeDiscretizer
from ramify.discretize.equal import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from ramify.discretize.mdlp import MDLPDiscretizer
from ramify.discretize.mid import MIDDiscretizer
from ramify.discretize.ranking import ThresholdRanking

__all__ = [
    "ChiMergeDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLPDiscretizer",
    "MIDDiscretizer",
    "ThresholdRanking",
]
