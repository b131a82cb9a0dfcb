"""Supervised discretisers: numeric columns cut by what the cuts tell of the class.

`MIDDiscretizer` ranks the thresholds of all columns together, `MDLPDiscretizer` and
`ChiMergeDiscretizer` cut every column for itself. Equal width and equal frequency are
scikit-learn's ``KBinsDiscretizer``.
"""

from __future__ import annotations

from ramify._discretize_chimerge import ChiMergeDiscretizer
from ramify._discretize_mdlp import MDLPDiscretizer
from ramify._discretize_mid import MIDDiscretizer
from ramify._discretize_ranking import ThresholdRanking

__all__ = ["ChiMergeDiscretizer", "MDLPDiscretizer", "MIDDiscretizer", "ThresholdRanking"]
