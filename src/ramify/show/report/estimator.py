"""All that a report asks of a fitted estimator beyond its public attributes.

Nothing else in the report knows estimators of any kind.
"""

from __future__ import annotations

from typing import Any

from ramify.tables import Columns
from ramify.tree import Tree
from ramify.trees.optimal.claim import describe_proof


def read_table(estimator: Any, X: Any) -> Columns:
    """The rows of a table, encoded as the estimator encodes them for prediction."""
    columns: Columns = estimator._encode(X)
    return columns


def grown_tree(estimator: Any) -> Tree:
    """The tree before pruning; the fitted tree itself if nothing was pruned."""
    tree: Tree = estimator._grown
    return tree


def own_facts(estimator: Any) -> list[tuple[str, str]]:
    """What this kind of estimator says of its fit: names and values."""
    if not hasattr(estimator, "search_"):
        return []
    proven = "yes" if estimator.proven_optimal_ else "no"
    return [
        ("Training error", f"{estimator.error_:.6g}"),
        ("Proven optimal", f"{proven}: {describe_proof(estimator)}"),
        ("Search", f"{float(estimator.search_['seconds']):.3g} seconds"),
    ]


def measures_absolute_error(estimator: Any) -> bool:
    """Whether the errors of a regression are absolute, not squared."""
    return bool(getattr(estimator, "criterion", None) == "absolute_error")
