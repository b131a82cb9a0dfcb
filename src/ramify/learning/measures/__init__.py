"""Measures: how good predictions are, by name, with what a constant answer would get.

The one list of measures: `evaluate.compare`, the command line and reports read it.
"""

from ramify.learning.measures.answers import ABSTAINS, Answers
from ramify.learning.measures.measure import CLASSIFICATION, REGRESSION, Measure
from ramify.learning.measures.of_classes import confusion
from ramify.learning.measures.ranking import Ranking
from ramify.learning.measures.registry import MEASURES, find_measure, measure_names
from ramify.learning.measures.words import write_score

__all__ = [
    "ABSTAINS",
    "CLASSIFICATION",
    "MEASURES",
    "REGRESSION",
    "Answers",
    "Measure",
    "Ranking",
    "confusion",
    "find_measure",
    "measure_names",
    "write_score",
]
