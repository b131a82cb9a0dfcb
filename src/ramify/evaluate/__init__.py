"""Comparing learners: repeated cross-validation, significance, tables, plots and a page.

:func:`compare` runs learners on data sets and gives a :class:`Comparison`. The tests of
significance can be used by themselves.

From bottom to top: `measures` and `significance`, `store`, `results`, `tables`, `pictures`, `page`
and `markdown`, `comparison`, `run`.

Imports learning, datasets, tables and support. Used by the command line.
"""

from ramify.evaluate.comparison import Comparison
from ramify.evaluate.run.compare import compare
from ramify.evaluate.significance.friedman import FriedmanResult, friedman, nemenyi
from ramify.evaluate.significance.paired import PairedTest, corrected_ttest, paired_ttest, wilcoxon
from ramify.evaluate.tables.beats import Beats
from ramify.evaluate.tables.ranks import Ranks
from ramify.evaluate.tables.score_table import ScoreTable

__all__ = [
    "Beats",
    "Comparison",
    "FriedmanResult",
    "PairedTest",
    "Ranks",
    "ScoreTable",
    "compare",
    "corrected_ttest",
    "friedman",
    "nemenyi",
    "paired_ttest",
    "wilcoxon",
]
