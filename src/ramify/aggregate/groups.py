"""Which columns to join: those that the user names, or those that a test proposes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.aggregate.chi2 import conditional_log_p, sums
from ramify.aggregate.means import conditional_log_p_of_means
from ramify.tables import Schema
from ramify.tables.join import BETWEEN
from ramify.tables.levels import MISSING, short_list

#: Gives log p, from the rows, the combination of every row, and for each combination the values of
#: the other columns.
ConditionalTest = Callable[[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]], float]

# --- named by the user ---------------------------------------------------------------------------


def not_groups(groups: Any) -> ValueError:
    """Give the error for a value of `groups` that has no meaning."""
    return ValueError(
        f"groups={groups!r:.120} is not valid; give 'pairs', or a list of groups, each a list of "
        "two or more names or indices of columns"
    )


def given_groups(groups: Any, schema: Schema) -> list[tuple[int, ...]]:
    """Give the positions of the columns of each group, or say what is wrong with a group."""
    if not isinstance(groups, Sequence | np.ndarray):
        raise not_groups(groups)
    found: list[tuple[int, ...]] = []
    for group in groups:
        if isinstance(group, str) or not isinstance(group, Sequence | np.ndarray):
            raise not_groups(groups)
        positions = tuple(_position(one, schema) for one in group)
        if len(set(positions)) < 2 or len(set(positions)) < len(positions):
            raise ValueError(
                f"groups: {list(group)!r:.120} must be two or more different columns to join"
            )
        found.append(positions)
    return found


def _position(one: Any, schema: Schema) -> int:
    if isinstance(one, str):
        if not schema.named:
            raise ValueError(f"groups: X has no column names, so {one!r} must be an index")
        if one not in schema.names:
            raise ValueError(
                f"groups: X has no column {one!r}; its columns are {short_list(schema.names, 20)}"
            )
        j = schema.names.index(one)
    elif isinstance(one, Integral) and not isinstance(one, bool) and 0 <= int(one) < len(schema):
        j = int(one)
    else:
        raise ValueError(
            f"groups: {one!r:.80} is neither a column name nor an index of 0 to {len(schema) - 1}"
        )
    if schema.columns[j].kind == "numeric":
        raise ValueError(
            f"groups: column {schema.names[j]!r} is numeric, and only nominal columns can be "
            "joined; name it in categorical_features if its numbers are categories, or cut it "
            "into intervals first"
        )
    return j


def joined_names(positions: list[tuple[int, ...]], schema: Schema) -> list[str]:
    """Give the names of the joined columns; none may be there already."""
    names = [BETWEEN.join(schema.names[j] for j in group) for group in positions]
    for i, name in enumerate(names):
        if name in schema.names or name in names[:i]:
            raise ValueError(f"groups: two columns would be named {name!r}")
    return names


# --- proposed by a test --------------------------------------------------------------------------


def conditional_test_of_classes(
    codes: NDArray[Any], n_classes: int, weights: NDArray[np.float64]
) -> ConditionalTest:
    """Give the test for a target of classes, as their codes."""

    def test(rows: NDArray[np.intp], joint: NDArray[np.int64], given: NDArray[np.int64]) -> float:
        cells = joint * n_classes + codes[rows]
        counts = sums(cells, weights[rows], len(given) * n_classes)
        return conditional_log_p(counts.reshape(-1, n_classes), given)

    return test


def conditional_test_of_numbers(
    target: NDArray[np.float64], weights: NDArray[np.float64]
) -> ConditionalTest:
    """Give the test for a target of numbers."""
    # The test does not depend on location and scale of the target; fourth powers must stay finite.
    target = target - target.mean()
    largest = np.abs(target).max()
    target = target / largest if largest > 0 else target

    def test(rows: NDArray[np.intp], joint: NDArray[np.int64], given: NDArray[np.int64]) -> float:
        return conditional_log_p_of_means(joint, given, target[rows], weights[rows])

    return test


def ranked_groups(
    arrays: Mapping[int, NDArray[Any]],
    max_size: int,
    present: NDArray[np.bool_],
    test: ConditionalTest,
) -> tuple[list[tuple[float, tuple[int, ...]]], int]:
    """Give all groups with log p below 0, the smallest first; and how many were tested."""
    ranked: list[tuple[float, tuple[int, ...]]] = []
    tested = 0
    for size in range(2, min(max_size, len(arrays)) + 1):
        for group in combinations(arrays, size):
            known = np.logical_and.reduce([present, *(arrays[j] != MISSING for j in group)])
            rows = np.flatnonzero(known)
            if not len(rows):
                continue
            tested += 1
            joint, values = _combined([arrays[j][rows] for j in group])
            log_p = max(
                test(rows, joint, _combined([v for i, v in enumerate(values) if i != out])[0])
                for out in range(size)
            )
            if log_p < 0.0:
                ranked.append((log_p, group))
    return sorted(ranked, key=lambda one: (one[0], len(one[1]), one[1])), tested


def _combined(
    columns: Sequence[NDArray[Any]],
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Number the combinations that occur; give that of every row, and the values of each."""
    joint = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes = _dense(column)
        joint = _dense(joint * (int(codes.max()) + 1) + codes)
    first = np.unique(joint, return_index=True)[1]
    return joint, [column[first].astype(np.int64) for column in columns]


def _dense(values: NDArray[Any]) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
