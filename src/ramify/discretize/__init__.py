"""Discretisers: numeric columns cut into intervals.

By what the cuts tell of the target: `MIDDiscretizer` ranks the thresholds of all columns together,
`MDLPDiscretizer` and `ChiMergeDiscretizer` cut every column for itself. Without a target:
`EqualWidthDiscretizer` and `EqualFrequencyDiscretizer`.

Imports learning, tree, tables and the core. Used by users and the command line.
"""

from __future__ import annotations

from ramify.discretize.chimerge import ChiMergeDiscretizer
from ramify.discretize.equal_frequency import EqualFrequencyDiscretizer
from ramify.discretize.equal_width import EqualWidthDiscretizer
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
