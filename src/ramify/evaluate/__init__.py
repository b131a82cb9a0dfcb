"""Comparing learners: repeated cross-validation, significance, tables, plots and a page.

:func:`compare` runs learners on data sets and gives a :class:`Comparison`. The tests stand on their
own too.

Imports learning, datasets, tables and support. Used by the command line.
"""

from ramify.evaluate._beats import Beats
from ramify.evaluate._compare import compare
from ramify.evaluate._comparison import Comparison
from ramify.evaluate._friedman import FriedmanResult, friedman, nemenyi
from ramify.evaluate._paired_tests import PairedTest, corrected_ttest, paired_ttest, wilcoxon
from ramify.evaluate._ranks import Ranks
from ramify.evaluate._score_table import ScoreTable

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
