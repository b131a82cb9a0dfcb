"""The questions that an optimal tree may ask: made, and counted in trees, by the core.

A split (feature, code) sends a row to the left if its code is at most `code`. Of features that
divide the rows in the same way, only the first is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ramify import _core
from ramify.learning.clock import Clock
from ramify.learning.target import Target
from ramify.tables import Table
from ramify.tree.arrays import flat

#: With up to this many levels, every set of levels of a nominal column is a feature.
FEW_LEVELS: int = _core.few_levels()
#: Nodes as the core gives them: feature, code, left node, right node. A leaf has feature -1.
Splits = Sequence[tuple[int, int, int, int]]
Maker = Callable[[_core.FeatureSet], Any]
#: A condition that is laid down: kind, column, threshold, branch of missing values, branch of every
#: level, number of branches.
Fixed = tuple[int, int, float, int, list[int], int]


@dataclass(frozen=True)
class ColumnFacts:
    """What the rows have in a column: its kind, whether cells are missing, and distinct values."""

    index: int  # in the table
    name: str
    kind: str
    missing: bool
    distinct: int


def column_facts(table: Table, allowed: list[int] | None = None) -> list[ColumnFacts]:
    """Give the facts about every column that may be asked; None is all."""
    found = _core.column_facts(table.core())
    columns = table.schema.columns
    chosen = range(len(columns)) if allowed is None else allowed
    return [ColumnFacts(j, columns[j].name, columns[j].kind, *found[j]) for j in chosen]


def add_features(
    features: _core.FeatureSet, makers: Iterable[Maker], clock: Clock | None = None
) -> bool:
    """Add the features of one column after another; tell whether there was time for all."""
    for make in makers:
        if clock is not None and clock.left() <= 0:
            return False
        make(features)
    return True


def binary_features(table: Table, facts: list[ColumnFacts]) -> Iterator[Maker]:
    """Make the features of a table in which no column has more than two values.

    A ValueError names a column that has more.
    """
    core = table.core()
    for column in facts:
        j = column.index
        if column.distinct > 2:
            raise ValueError(
                f"features='binary' needs columns of two values, but column {column.name!r} has "
                f"{column.distinct}; choose features='mid', 'all' or 'auto'"
            )
        if column.kind == "nominal":
            yield partial(_add_levels, core, j)
        else:
            known = table.known(j)
            yield partial(_add_threshold, core, j, float(known.min()) if len(known) else np.inf)
            yield partial(_add_missing, core, j)


def all_features(table: Table, facts: list[ColumnFacts]) -> Iterator[Maker]:
    """Make every threshold of every column, and the features of nominal columns."""
    core = table.core()
    for column in facts:
        nominal = column.kind == "nominal"
        yield partial(_add_levels if nominal else _add_ranks, core, column.index)


def features_without_thresholds(table: Table, facts: list[ColumnFacts]) -> Iterator[Maker]:
    """Make the features of nominal columns, and those that ask whether a value is missing."""
    core = table.core()
    for column in facts:
        nominal = column.kind == "nominal"
        yield partial(_add_levels if nominal else _add_missing, core, column.index)


def threshold_features(table: Table, thresholds: Iterable[tuple[int, float]]) -> Iterator[Maker]:
    """Make a feature of two codes for every column and threshold."""
    core = table.core()
    for column, threshold in thresholds:
        yield partial(_add_threshold, core, column, threshold)


def _add_threshold(
    core: _core.Table, column: int, threshold: float, features: _core.FeatureSet
) -> None:
    features.add_threshold(core, column, threshold)


def _add_missing(core: _core.Table, column: int, features: _core.FeatureSet) -> None:
    features.add_missing(core, column)


def _add_levels(core: _core.Table, column: int, features: _core.FeatureSet) -> None:
    features.add_levels(core, column)
    features.add_missing(core, column)


def _add_ranks(core: _core.Table, column: int, features: _core.FeatureSet) -> None:
    features.add_ranks(core, column)


def n_columns(facts: list[ColumnFacts]) -> int:
    """Count the columns of a search over all thresholds: one for each order of the rows."""
    count = 0
    for column in facts:
        levels = column.distinct if column.kind == "nominal" else 0
        sets = 1 if not levels else levels if levels > FEW_LEVELS else 2 ** (levels - 1) - 1
        count += sets * (1 + column.missing)
    return count


def n_all_thresholds(facts: list[ColumnFacts]) -> int:
    """Count the thresholds of all columns."""
    return sum(max(column.distinct - 1, 0) for column in facts if column.kind != "nominal")


def tree_of_splits(
    splits: Splits,
    features: _core.FeatureSet,
    table: Table,
    target: Target,
    fixed: Sequence[Fixed] = (),
) -> _core.Tree:
    """Build the tree of some splits, with the training rows in its nodes.

    `fixed` are the conditions that are laid down.
    """
    nodes = [list(split) for split in splits]
    return features.tree(table.core(), nodes, fixed=fixed, **core_target(target))


def core_target(target: Target) -> dict[str, Any]:
    """Give the arguments of the core that describe the target."""
    arguments: dict[str, Any] = {"weights": target.weights}
    if target.classes is None:
        measure = target.measure
        return arguments | {
            "target": target.y,
            "loss": measure.name,
            "quantile": measure.quantile,
        }
    return arguments | {
        "labels": target.y,
        "classes": target.n_classes,
        "costs": flat(target.regrets),
    }
