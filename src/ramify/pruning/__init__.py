"""The prunings: how a grown tree is cut back to the part that holds for new rows.

Give an estimator one of these as ``pruning=``, or its name: "cost_complexity", "best_first",
"critical_value", "error_based", "mdl", "reduced_error". "auto" is cost-complexity pruning with the
rule "1point".

Imports learning, tree, tables and the core. Used by the estimators of one tree, and by the report,
which shows the path.
"""

from __future__ import annotations

from ramify.pruning.bottom_up import ErrorBased, ReducedError
from ramify.pruning.mdl import MDL
from ramify.pruning.path import PruningPath
from ramify.pruning.sequences import BestFirst, CostComplexity, CriticalValue

__all__ = [
    "MDL",
    "BestFirst",
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "PruningPath",
    "ReducedError",
]
