"""Tables for fits out of core, and the comparison of their trees with those of a fit in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ramify import _core, scale
from ramify.scale.sources import RowSource, TablePartition

_EXACT = (
    "parent",
    "first_child",
    "n_children",
    "depth",
    "kind",
    "attribute",
    "threshold",
    "missing_to",
    "rows",
    "expansion",
    "level_start",
    "level_code",
    "level_branch",
    "competitor_start",
)
_CLOSE = (
    "key",
    "proportion",
    "weight",
    "impurity",
    "gain",
    "log_p",
    "prediction",
    "spread",
    "value",
)


def make_table(
    n_rows: int,
    seed: int,
    *,
    numeric: int = 3,
    nominal: int = 2,
    classes: int = 2,
    missing: float = 0.0,
    distinct: int | None = None,
    numbers: bool = False,
    weighted: bool = False,
) -> pa.Table:
    """Make a table of numeric and nominal columns whose target depends on some of them."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    signal = np.zeros(n_rows)
    for j in range(numeric):
        values = rng.normal(size=n_rows)
        if distinct is not None:
            values = np.round(values * distinct / 4) / 2
        elif j % 2:
            values = values.astype(np.float32)
        signal += np.sin(values * (1 + j)) / (1 + j)
        columns[f"x{j}"] = pa.array(values, mask=rng.random(n_rows) < missing)
    for j in range(nominal):
        codes = rng.integers(0, 3 + 2 * j, n_rows)
        signal += np.array([0.4, -0.3, 0.1, 0.6, -0.5, 0.2, 0.0])[codes % 7]
        words = np.array([f"level {i}" for i in range(9)])[codes]
        columns[f"n{j}"] = pa.array(words, mask=rng.random(n_rows) < missing)
    noisy = signal + rng.normal(size=n_rows) * 0.4
    if numbers:
        columns["y"] = pa.array(noisy)
    else:
        cuts = np.quantile(noisy, np.linspace(0, 1, classes + 1)[1:-1])
        columns["y"] = pa.array(np.searchsorted(cuts, noisy))
    if weighted:
        columns["w"] = pa.array(rng.integers(0, 4, n_rows) / 3)
    return pa.table(columns)


def in_partitions(table: pa.Table, count: int, *, seed: int | None = None) -> RowSource:
    """Give a table as a source of several partitions, its rows dealt or shuffled."""
    rows = np.arange(table.num_rows)
    if seed is not None:
        rows = np.random.default_rng(seed).permutation(rows)
    parts = [table.take(pa.array(part)) for part in np.array_split(rows, count)]
    return RowSource(table.schema, [TablePartition(part) for part in parts], "the test")


def fit_in_memory(estimator: Any, table: pa.Table) -> Any:
    """Fit to the whole table."""
    weights = table["w"].to_numpy() if "w" in table.column_names else None
    X = table.drop_columns([name for name in ("y", "w") if name in table.column_names])
    return estimator.fit(X, table["y"].to_numpy(), weights)


def assert_same_tree(found: _core.Tree, expected: _core.Tree) -> None:
    """Compare two trees node by node; sums that are rounded may differ in the last digits."""
    a, b = found.arrays(), expected.arrays()
    assert a.keys() == b.keys()
    assert len(a["parent"]) == len(b["parent"]), "the trees differ in size"
    for name in _EXACT:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    for name in _CLOSE:
        if name in b:
            finite = b[name][np.isfinite(b[name])]
            scale = max(1.0, float(np.max(np.abs(finite), initial=0.0)))
            np.testing.assert_allclose(
                a[name], b[name], rtol=1e-9, atol=1e-12 * scale, err_msg=name
            )
    for node in range(len(a["parent"])):
        assert competitors(a, node).keys() == competitors(b, node).keys()
        for column, one in competitors(a, node).items():
            other = competitors(b, node)[column]
            assert one[1:] == other[1:], f"competitor {column} of node {node}"
            np.testing.assert_allclose(one[0], other[0], rtol=1e-9, atol=1e-12)


def compare(estimator: Any, table: pa.Table, limit: int, parts: int = 1, **source: Any) -> None:
    """Fit in memory and out of core, and compare."""
    expected = fit_in_memory(type(estimator)(**estimator.get_params()), table)
    scans: list[str] = []
    weight = "w" if "w" in table.column_names else None
    found = scale.fit(
        estimator,
        in_partitions(table, parts, **source),
        weight=weight,
        memory_limit=limit,
        progress=lambda number, what: scans.append(what),
    )
    assert "counts" in scans
    assert_same_tree(found.tree_.core, expected.tree_.core)
    assert found.schema_ == expected.schema_
    X = table.drop_columns([name for name in ("y", "w") if name in table.column_names])
    if estimator.missing == "fractional":
        # A row that is divided is told the heaviest of its leaves; of equal ones, rounding decides.
        X = X.drop_null()
    np.testing.assert_array_equal(found.apply(X), expected.apply(X))


def competitors(arrays: Any, node: int) -> dict[int, tuple[Any, ...]]:
    """Give the best split of every other column of a node: its gain, then what it is."""
    found = {}
    for c in range(arrays["competitor_start"][node], arrays["competitor_start"][node + 1]):
        first, last = arrays["competitor_level_start"][c : c + 2]
        found[int(arrays["competitor_attribute"][c])] = (
            arrays["competitor_gain"][c],
            int(arrays["competitor_kind"][c]),
            str(arrays["competitor_threshold"][c]),
            int(arrays["competitor_missing_to"][c]),
            arrays["competitor_level_code"][first:last].tolist(),
            arrays["competitor_level_branch"][first:last].tolist(),
        )
    return found
