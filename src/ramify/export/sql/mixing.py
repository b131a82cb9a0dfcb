"""The answer of SQL for a row that missing values spread over several leaves.

Subqueries of one row name what is used more than once: first the factor of every branch, then the
share of every leaf, then the sums. So the text grows with the leaves times the depth, not with two
to the power of the depth. Products and sums are in the order of the core: the bits are the same.
"""

from __future__ import annotations

from ramify.export.refusals import ExportError
from ramify.export.routing import RoutedTree
from ramify.export.sql.branch_tests import BranchTests
from ramify.export.sql.dialects import Dialect

MOST_LEAVES = 500  # SQLite and DuckDB refuse sums of more than about 1000 terms
MOST_NODES = 1900  # SQLite refuses subqueries of more than 2000 columns


def mixed_value(routed: RoutedTree, dialect: Dialect, tests: BranchTests, k: int) -> str:
    """The mixed share of class k; in regression the mixed number, for k = 0."""
    prefix = _free_prefix(routed)
    return (
        f"(SELECT {_sum(routed, dialect, prefix, k)} FROM {_leaf_shares(routed, dialect, tests)})"
    )


def mixed_label(routed: RoutedTree, dialect: Dialect, tests: BranchTests, labels: list[str]) -> str:
    """The class of least expected cost, by mixed shares; the first of equals."""
    prefix, n = _free_prefix(routed), len(labels)
    sums = [f"{_sum(routed, dialect, prefix, k)} AS {prefix}p{k}" for k in range(n)]
    source = (
        f"(SELECT {', '.join(sums)} FROM {_leaf_shares(routed, dialect, tests)}{dialect.fence})"
    )
    source += f" AS {prefix}c"
    score = "p"
    if routed.costs is not None:
        score = "v"
        zero = dialect.number(0.0)
        values = []
        for j in range(n):
            terms = "".join(
                f" - {prefix}p{t} * {dialect.number(routed.costs[t][j])}" for t in range(n)
            )
            values.append(f"{zero}{terms} AS {prefix}v{j}")
        source = f"(SELECT {', '.join(values)} FROM {source}{dialect.fence}) AS {prefix}d"
    whens = []
    for j in range(n - 1):
        later = [f"{prefix}{score}{j} >= {prefix}{score}{i}" for i in range(j + 1, n)]
        whens.append(f"WHEN {' AND '.join(later)} THEN {labels[j]}")
    label = f"CASE {' '.join(whens)} ELSE {labels[-1]} END" if whens else labels[0]
    return f"(SELECT {label} FROM {source}{dialect.fence})"


def _free_prefix(routed: RoutedTree) -> str:
    """The beginning of our own names; no column of the tree begins with it."""
    prefix = "r_"
    names = [name.lower() for name in routed.tree.schema.input_names]
    while any(name.startswith(prefix) for name in names):
        prefix = "r" + prefix
    return prefix


def _leaf_shares(routed: RoutedTree, dialect: Dialect, tests: BranchTests) -> str:
    """A subquery with the share of a row that comes to each leaf."""
    if len(routed.leaves) > MOST_LEAVES or routed.tree.n_nodes > MOST_NODES:
        raise ExportError(
            f"the tree has {len(routed.leaves)} leaves; mixing those of a row with missing values "
            f"takes sums of as many terms, and databases refuse more than {MOST_LEAVES}. Prune the "
            "tree, or give mix=False, which answers NULL for such a row"
        )
    prefix = _free_prefix(routed)
    factors, paths = [], {0: ""}
    for split in routed.splits.values():
        for branch, child in enumerate(split.children):
            factors.append(f"{tests.factor(split, branch)} AS {prefix}e{child}")
            above = paths[split.node]
            paths[child] = f"{above} * {prefix}e{child}" if above else f"{prefix}e{child}"
    shares = [f"{paths[leaf]} AS {prefix}w{leaf}" for leaf in routed.leaves]
    inner = f"(SELECT {', '.join(factors)}) AS {prefix}a"
    return f"(SELECT {', '.join(shares)} FROM {inner}{dialect.fence}) AS {prefix}b"


def _sum(routed: RoutedTree, dialect: Dialect, prefix: str, k: int) -> str:
    terms = [
        f"{prefix}w{leaf} * {dialect.number(value[k])}"
        for leaf, value in routed.values.items()
        if value[k] != 0.0
    ]
    return " + ".join(terms) or dialect.number(0.0)
