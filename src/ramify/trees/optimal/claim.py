"""Says in words what is proven about an optimal tree, and among which trees it is the best.

A search covers the trees that ask certain questions within certain limits, and a proof holds for
these trees alone. The words "no tree of this depth" stand alone only if the search covered all
questions.
"""

from __future__ import annotations

from typing import Any

from ramify.learning.monotone import read_monotone
from ramify.trees.optimal.features import FEW_LEVELS
from ramify.trees.optimal.objective import recall_words

_MANY_LEVELS = f"one level at a time of columns with more than {FEW_LEVELS}"


def describe_proof(estimator: Any, *, all_thresholds: str = "features='all'") -> str:
    """Say how good the tree of a fitted estimator is, and among which trees.

    Parameters
    ----------
    estimator : OptimalTreeClassifier or OptimalTreeRegressor
        Fitted.
    all_thresholds : str
        The setting that makes the search cover all thresholds, as the reader writes it.

    Examples
    --------
    >>> from ramify import OptimalTreeClassifier
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 1, 0, 1, 0, 1]
    >>> describe_proof(OptimalTreeClassifier(max_depth=1).fit(X, y))
    'no tree of this depth has a smaller training error'
    >>> few = OptimalTreeClassifier(max_depth=1, features="mid", n_thresholds=2, start=None)
    >>> words = describe_proof(few.fit(X, y))
    >>> words.split("; ")[0]
    'no tree of this depth that asks these 2 thresholds has a smaller training error'
    >>> words.split("; ")[1]
    "features='all' would search all thresholds"
    """
    asked = _questions(estimator)
    which = f" that asks {asked}" if asked else ""
    of_depth = "" if estimator.max_depth is None else " of this depth"
    trees = f"no tree{of_depth}{_limits(estimator)}{which}"
    few = _left_out(estimator, "thresholds")
    more = f"; {all_thresholds} would search all thresholds" if few else ""
    measure = _measure(estimator)
    if estimator.proven_optimal_:
        return f"{trees} has a smaller {measure}{more}"
    if estimator.below_upper_bound_ is False:
        return f"{trees} has a {measure} below {estimator.upper_bound:.6g}{more}"
    among = f" of trees that ask {asked}" if asked else ""
    return f"its {measure} may be {estimator.gap_:.3g} above the least{among}{more}"


def _questions(estimator: Any) -> str:
    """Name the questions that the search covered, if it left out others."""
    asked = []
    if _left_out(estimator, "thresholds"):
        n = int(estimator.search_.get("n_thresholds") or 0)
        these = (
            "no threshold" if n == 0 else "this threshold" if n == 1 else f"these {n:,} thresholds"
        )
        start = (
            "" if estimator.start is None else " but the start's" if n == 0 else " or the start's"
        )
        asked.append(these + start)
    if _left_out(estimator, "level_sets"):
        asked.append(_MANY_LEVELS)
    return ", and ".join(asked)


def _left_out(estimator: Any, questions: str) -> bool:
    """Tell whether the search left out some thresholds, or some sets of levels."""
    facts = estimator.search_
    if (every := facts.get(f"all_{questions}")) is not None:
        return not every
    if questions == "thresholds":  # the model is of an earlier release
        return facts.get("features") not in ("all", "binary")
    columns = estimator.schema_.columns
    return any(column.kind == "nominal" and len(column.levels) > FEW_LEVELS for column in columns)


def _limits(estimator: Any) -> str:
    """Name the limits other than the depth."""
    found = []
    if estimator.max_leaves is not None:
        found.append(f"at most {estimator.max_leaves:,} leaves")
    least = estimator.min_samples_leaf
    if isinstance(least, float):
        found.append(f"at least {100 * least:g} % of the rows in a leaf")
    elif least > 1:
        found.append(f"at least {least:,} rows in a leaf")
    if getattr(estimator, "exclude", None):
        found.append(f"no split by {', '.join(map(str, estimator.exclude))}")
    if getattr(estimator, "skeleton", None) is not None:
        found.append("the given beginning")
    signs = read_monotone("monotone", getattr(estimator, "monotone", None))
    if columns := [column for column, sign, _ in signs if sign and column is not None]:
        found.append(f"predictions monotone in {', '.join(map(str, columns))}")
    if recall := getattr(estimator, "min_recall", None):
        found.append(recall_words(recall))
    return f" with {' and '.join(found)}" if found else ""


def _measure(estimator: Any) -> str:
    """Name what was minimised."""
    error = estimator.measured
    return f"sum of {error} and price of leaves" if estimator.sparsity > 0 else error
