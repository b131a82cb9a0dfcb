"""The prunings: how a grown tree is cut back to what holds for new rows.

Give one of these as ``pruning=`` to an estimator, or its name: "cost_complexity", "best_first",
"critical_value", "error_based", "mdl", "reduced_error"; "auto" is cost-complexity pruning with the
1SE rule.

Imports learning, tables and the core. Used by the estimators.
"""

from __future__ import annotations

from ramify.pruning.registry import (
    MDL,
    BestFirst,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    PruningPath,
    ReducedError,
)

__all__ = [
    "MDL",
    "BestFirst",
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "PruningPath",
    "ReducedError",
]
