"""What SQL answers for a row that missing values spread over several leaves.

Subqueries of one row name what is used more than once: first the factor of every branch, then the
share of every leaf, then the sums. So the text grows with leaves times depth, not with two to the
power of the depth. All products and sums are written in the order of the core, which gives the
same bits.
"""

from __future__ import annotations

from ramify.export._plan import ExportError, Plan
from ramify.export._sql_tests import Tests
from ramify.export._sql_text import Dialect

MOST_LEAVES = 500  # SQLite and DuckDB refuse sums of more than about 1000 terms
MOST_NODES = 1900  # SQLite refuses subqueries of more than 2000 columns


def mixed_columns(plan: Plan, dialect: Dialect, tests: Tests, which: list[int]) -> str:
    """The mixed value of one class, or of a number."""
    [k] = which
    prefix = _free_prefix(plan)
    return f"(SELECT {_sum(plan, dialect, prefix, k)} FROM {_leaf_shares(plan, dialect, tests)})"


def mixed_label(plan: Plan, dialect: Dialect, tests: Tests, labels: list[str]) -> str:
    """The class of least expected cost by the mixed shares, the first of equals."""
    prefix, n = _free_prefix(plan), len(labels)
    sums = [f"{_sum(plan, dialect, prefix, k)} AS {prefix}p{k}" for k in range(n)]
    source = f"(SELECT {', '.join(sums)} FROM {_leaf_shares(plan, dialect, tests)}{dialect.fence})"
    source += f" AS {prefix}c"
    score = "p"
    if plan.costs is not None:
        score = "v"
        zero = dialect.number(0.0)
        values = []
        for j in range(n):
            terms = "".join(
                f" - {prefix}p{t} * {dialect.number(plan.costs[t][j])}" for t in range(n)
            )
            values.append(f"{zero}{terms} AS {prefix}v{j}")
        source = f"(SELECT {', '.join(values)} FROM {source}{dialect.fence}) AS {prefix}d"
    whens = []
    for j in range(n - 1):
        later = [f"{prefix}{score}{j} >= {prefix}{score}{i}" for i in range(j + 1, n)]
        whens.append(f"WHEN {' AND '.join(later)} THEN {labels[j]}")
    label = f"CASE {' '.join(whens)} ELSE {labels[-1]} END" if whens else labels[0]
    return f"(SELECT {label} FROM {source}{dialect.fence})"


def _free_prefix(plan: Plan) -> str:
    """Names that no column of the tree begins with."""
    prefix = "r_"
    names = [name.lower() for name in plan.tree.schema.names]
    while any(name.startswith(prefix) for name in names):
        prefix = "r" + prefix
    return prefix


def _leaf_shares(plan: Plan, dialect: Dialect, tests: Tests) -> str:
    """A subquery with the share of a row that comes to each leaf."""
    if len(plan.leaves) > MOST_LEAVES or plan.tree.n_nodes > MOST_NODES:
        raise ExportError(
            f"the tree has {len(plan.leaves)} leaves; mixing those of a row with missing values "
            f"takes sums of as many terms, and databases refuse more than {MOST_LEAVES}. Prune the "
            "tree, or give mix=False, which answers NULL for such a row"
        )
    prefix = _free_prefix(plan)
    factors, paths = [], {0: ""}
    for step in plan.steps.values():
        for branch, child in enumerate(step.children):
            factors.append(f"{tests.factor(step, branch)} AS {prefix}e{child}")
            above = paths[step.node]
            paths[child] = f"{above} * {prefix}e{child}" if above else f"{prefix}e{child}"
    shares = [f"{paths[leaf]} AS {prefix}w{leaf}" for leaf in plan.leaves]
    inner = f"(SELECT {', '.join(factors)}) AS {prefix}a"
    return f"(SELECT {', '.join(shares)} FROM {inner}{dialect.fence}) AS {prefix}b"


def _sum(plan: Plan, dialect: Dialect, prefix: str, k: int) -> str:
    terms = [
        f"{prefix}w{leaf} * {dialect.number(value[k])}"
        for leaf, value in plan.values.items()
        if value[k] != 0.0
    ]
    return " + ".join(terms) or dialect.number(0.0)
