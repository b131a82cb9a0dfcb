"""Discretisers: numeric columns cut into intervals.

By what the cuts tell of the target: `MIDDiscretizer` ranks the thresholds of all columns together,
`MDLPDiscretizer` and `ChiMergeDiscretizer` cut every column for itself. Without a target:
`EqualWidthDiscretizer` and `EqualFrequencyDiscretizer`.
"""

from __future__ import annotations

from ramify._discretize_chimerge import ChiMergeDiscretizer
from ramify._discretize_equal_frequency import EqualFrequencyDiscretizer
from ramify._discretize_equal_width import EqualWidthDiscretizer
from ramify._discretize_mdlp import MDLPDiscretizer
from ramify._discretize_mid import MIDDiscretizer
from ramify._discretize_ranking import ThresholdRanking

__all__ = [
    "ChiMergeDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLPDiscretizer",
    "MIDDiscretizer",
    "ThresholdRanking",
]
