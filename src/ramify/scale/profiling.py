"""The first scan: the levels of all columns, the classes, the number of rows, and a sample.

What it learns is the same schema that a fit in memory learns: the distinct values of the source go
through the same reader. The sample proposes edges; the tree does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ramify.learning.labels import class_codes
from ramify.learning.weights import check_total, class_weights
from ramify.scale.exact_sums import ExactSum
from ramify.scale.executors import Emit
from ramify.scale.reading import read_numbers, read_weights
from ramify.tables import Schema, Table
from ramify.tables.column_schema import ColumnSchema
from ramify.tables.levels import OTHER, pool

_COMPACT = 100_000


@dataclass
class Distinct:
    """The distinct values of a column, with the number of rows of each."""

    parts: list[pa.Table] = field(default_factory=list)
    size: int = 0
    settled: int = 0

    def add(self, cells: pa.Array, weights: NDArray[np.float64] | None = None) -> None:
        """Add the cells of a batch; nulls are left out."""
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(cells.type.value_type)
        table = pa.table({"value": cells, "rows": np.ones(len(cells), dtype=np.int64)})
        if weights is not None:
            table = table.append_column("weight", pa.array(weights))
        if cells.null_count:
            table = table.filter(pc.is_valid(table["value"]))
        self._append(_grouped(table))

    def _append(self, table: pa.Table) -> None:
        self.parts.append(table)
        self.size += table.num_rows
        if self.size > 2 * self.settled + _COMPACT:
            self.parts = [self.table()]
            self.size = self.settled = self.parts[0].num_rows

    def table(self) -> pa.Table:
        """Give the values and their rows, in order of value where that can be sorted."""
        return _grouped(pa.concat_tables(self.parts))

    def __add__(self, other: Distinct) -> Distinct:
        """Give those of both."""
        found = Distinct()
        for part in (*self.parts, *other.parts):
            found._append(part)
        return found


def _grouped(table: pa.Table) -> pa.Table:
    sums = [(name, "sum") for name in table.column_names if name != "value"]
    grouped = table.group_by("value", use_threads=False).aggregate(sums)
    return grouped.rename_columns([name.removesuffix("_sum") for name in grouped.column_names])


@dataclass
class Sample:
    """Every n-th row, n a power of two, so that samples of partitions fit together.

    Parameters
    ----------
    most : int
        It has at most twice as many rows.
    """

    most: int
    parts: list[pa.RecordBatch] = field(default_factory=list)
    step: int = 1
    size: int = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Take rows of a batch."""
        taken = batch.take(pa.array(np.arange(0, batch.num_rows, self.step)))
        self.parts.append(taken)
        self.size += taken.num_rows
        while self.size > 2 * self.most:
            self._thin()

    def _thin(self) -> None:
        rows = [np.arange(0, part.num_rows, 2) for part in self.parts]
        self.parts = [p.take(pa.array(r)) for p, r in zip(self.parts, rows, strict=True)]
        self.size = sum(part.num_rows for part in self.parts)
        self.step *= 2

    def __add__(self, other: Sample) -> Sample:
        """Give the rows of both."""
        one, two = (Sample(s.most, list(s.parts), s.step, s.size) for s in (self, other))
        while one.step != two.step:
            (one if one.step < two.step else two)._thin()
        found = Sample(one.most, one.parts + two.parts, one.step, one.size + two.size)
        while found.size > 2 * self.most:
            found._thin()
        return found


@dataclass
class Profile:
    """What the first scan counts."""

    sample: Sample
    n_rows: int = 0
    distinct: dict[str, Distinct] = field(default_factory=dict)
    declared: dict[str, list[pa.Array]] = field(default_factory=dict)
    extremes: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    labels: Distinct = field(default_factory=Distinct)
    weight: ExactSum = field(default_factory=ExactSum)
    target_sum: ExactSum = field(default_factory=ExactSum)  # of weights times targets
    targets: tuple[float, float] = (np.inf, -np.inf)
    weights: tuple[float, float] = (np.inf, -np.inf)  # of rows that take part
    present: int = 0

    def __add__(self, other: Profile) -> Profile:
        """Give the profile of both parts."""
        return Profile(
            self.sample + other.sample,
            self.n_rows + other.n_rows,
            _merged(self.distinct, other.distinct),
            _merged(self.declared, other.declared),
            {
                name: _wider(self.extremes.get(name), other.extremes.get(name))
                for name in self.extremes | other.extremes
            },
            self.missing | other.missing,
            self.labels + other.labels,
            self.weight + other.weight,
            self.target_sum + other.target_sum,
            (min(self.targets[0], other.targets[0]), max(self.targets[1], other.targets[1])),
            (min(self.weights[0], other.weights[0]), max(self.weights[1], other.weights[1])),
            self.present + other.present,
        )


def _merged(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    return {
        name: one[name] + two[name] if name in one and name in two else (one | two)[name]
        for name in one | two
    }


def _wider(one: Any, two: Any) -> tuple[Any, Any]:
    if one is None or two is None:
        return one or two  # type: ignore[no-any-return]
    return min(one[0], two[0]), max(one[1], two[1])


@dataclass(frozen=True)
class ProfileTask:
    """Profiles the rows of a partition.

    Parameters
    ----------
    inputs : list of str
        The columns that describe the rows.
    levelled : list of str
        Those of them that have levels.
    target, weight : str
        `weight` may be None.
    classes : bool
        Whether the target is a class.
    owner : str
        The name of the estimator, for messages.
    sample_rows : int
        The sample has at most twice as many rows.
    """

    inputs: list[str]
    levelled: list[str]
    target: str
    weight: str | None
    classes: bool
    owner: str
    sample_rows: int

    @property
    def columns(self) -> Sequence[str]:
        """The columns that are read."""
        more = [] if self.weight is None else [self.weight]
        return [*self.inputs, self.target, *more]

    @property
    def emits(self) -> bool:
        """Whether anything is emitted: no."""
        return False

    def __call__(self, batches: Iterator[pa.RecordBatch], emit: Emit, threads: int) -> Profile:
        """Profile the batches."""
        found = Profile(Sample(self.sample_rows))
        found.distinct = {name: Distinct() for name in self.levelled}
        for batch in batches:
            found.n_rows += batch.num_rows
            numbers = [] if self.classes else [self.target]
            found.sample.add(batch.select([*self.inputs, *numbers]))
            for name in self.inputs:
                self._look_at(name, batch.column(name), found)
            self._look_at_target(batch, found)
        return found

    def _look_at(self, name: str, cells: pa.Array, found: Profile) -> None:
        if cells.null_count:
            found.missing.add(name)
        if pa.types.is_floating(cells.type) and pc.any(pc.is_nan(cells)).as_py():
            found.missing.add(name)
        if pa.types.is_dictionary(cells.type):
            known = found.declared.setdefault(name, [])
            if not any(cells.dictionary.equals(one) for one in known):
                known.append(cells.dictionary)
        if name in found.distinct:
            found.distinct[name].add(cells)
        elif pa.types.is_temporal(cells.type):
            now = _least_and_largest(cells)
            if now is not None:
                found.extremes[name] = _wider(found.extremes.get(name), now)
            # The parts of dates that vary are seen from the days, and from quarters of an hour.
            days = found.distinct.setdefault(f"{name}\0days", Distinct())
            if pa.types.is_date(cells.type):
                days.add(cells)
            elif pa.types.is_timestamp(cells.type):
                days.add(pc.floor_temporal(cells, 15, unit="minute"))

    def _look_at_target(self, batch: pa.RecordBatch, found: Profile) -> None:
        cells = batch.column(self.target)
        weights = None
        if self.weight is not None:
            weights = read_weights(batch.column(self.weight), self.weight)
        taken = np.ones(len(cells)) if weights is None else weights
        there = taken[taken > 0]
        found.present += len(there)
        if len(there):
            low, high = found.weights
            found.weights = (min(low, float(there.min())), max(high, float(there.max())))
        found.weight += ExactSum.of(taken)
        if self.classes:
            if cells.null_count:
                raise ValueError(
                    f"Input y contains NaN: every row needs a class, and {cells.null_count} rows "
                    f"of the target {self.target!r} have none."
                )
            found.labels.add(cells, taken)
            return
        y = read_numbers(cells, self.owner)
        if len(there):
            low, high = found.targets
            present = y[taken > 0]
            found.targets = (min(low, float(present.min())), max(high, float(present.max())))
        found.target_sum += ExactSum.of(taken * y)


def _least_and_largest(cells: pa.Array) -> tuple[Any, Any] | None:
    """Give the least and the largest moment or duration; None if there is none."""
    lasting = pa.types.is_duration(cells.type)  # Arrow does not compare these
    found = pc.min_max(cells.cast(pa.int64()) if lasting else cells)
    if not found["min"].is_valid:
        return None
    ends = [found[end].cast(cells.type) if lasting else found[end] for end in ("min", "max")]
    return ends[0].as_py(), ends[1].as_py()


@dataclass(frozen=True)
class Taken:
    """The sums over the rows that a tree is grown on, if these are not all rows.

    Parameters
    ----------
    present : int
        Rows of positive weight.
    weight : float
        Their weight.
    weights, targets : tuple
        The least and the largest.
    mean : float
        The mean of the targets; 0 for classes.
    """

    present: int
    weight: float
    weights: tuple[float, float]
    targets: tuple[float, float]
    mean: float


@dataclass(frozen=True)
class Learned:
    """What a fit needs to know of the whole table.

    Parameters
    ----------
    profile : Profile
    schema : Schema
    classes, labels, codes, class_weights
        The sorted classes; the labels as they are in the source, their classes, and the weights of
        the classes. None if the target is a number; `class_weights` is None also if all weigh 1.
    taken : Taken or None
        The rows that take part, if others do not.
    """

    profile: Profile
    schema: Schema
    classes: NDArray[Any] | None = None
    labels: pa.Array | None = None
    codes: NDArray[np.int32] | None = None
    class_weights: NDArray[np.float64] | None = None
    taken: Taken | None = None

    @property
    def any_missing(self) -> bool:
        """Whether any cell is missing."""
        used = {column.input for column in self.schema.columns}
        return bool(self.profile.missing & used)


def levelled_columns(
    first: pa.RecordBatch, inputs: list[str], options: dict[str, Any]
) -> list[str]:
    """Give the columns that have levels, by the types of a batch."""
    schema = Table.read(pa.Table.from_batches([first.select(inputs)]), **options).schema
    return [c.name for c in schema.columns if c.kind != "numeric" and c.part is None]


def learn_schema(
    profile: Profile, types: pa.Schema, inputs: list[str], options: dict[str, Any]
) -> Schema:
    """Give the schema that a fit in memory would learn."""
    least = options["min_level_count"]
    columns = {}
    tables = {name: one.table() for name, one in profile.distinct.items() if one.parts}
    for name in inputs:
        kind = types.field(name).type
        if name in profile.distinct:
            values = (
                tables[name]["value"].combine_chunks() if name in tables else pa.array([], kind)
            )
            if pa.types.is_dictionary(kind):
                values = _declared(values, profile.declared.get(name, []), kind)
        elif pa.types.is_temporal(kind):
            days = tables.get(f"{name}\0days")
            known = [] if days is None else days["value"].to_pylist()
            values = pa.array([*known, *profile.extremes.get(name, ())], kind)
        else:
            values = pa.array([0], kind)
        columns[name] = values
    length = max(1, *(len(values) for values in columns.values()))
    padded = {
        name: pa.chunked_array([values, pa.nulls(length - len(values), values.type)])
        if len(values) < length
        else values
        for name, values in columns.items()
    }
    read = {key: value for key, value in options.items() if key != "min_level_count"}
    schema = Table.read(pa.table(padded), **read).schema
    if least <= 1:
        return schema
    pooled = []
    for column in schema.columns:
        if column.kind == "nominal" and column.name in tables:
            counts = _counts_by_level(tables[column.name], column.levels)
            codes = np.repeat(np.arange(len(counts)), np.minimum(counts, least)).astype(np.int32)
            levels, _ = pool(column.levels, codes, least)
            pooled.append(replace(column, levels=levels, pooled=OTHER in levels))
        else:
            pooled.append(column)
    return Schema(tuple(pooled), schema.named, schema.inputs)


def _counts_by_level(table: pa.Table, levels: tuple[Any, ...]) -> NDArray[np.int64]:
    place = {level: i for i, level in enumerate(levels)}
    counts = np.zeros(len(levels), dtype=np.int64)
    for value, rows in zip(table["value"].to_pylist(), table["rows"].to_pylist(), strict=True):
        if value in place:
            counts[place[value]] += rows
    return counts


def counts_of_levels(profile: Profile, column: ColumnSchema) -> NDArray[np.int64]:
    """Give the rows of every level of a column; levels that were pooled are one."""
    one = profile.distinct.get(column.input)
    if one is None or not one.parts:
        return np.zeros(len(column.levels), dtype=np.int64)
    table = one.table()
    counts = _counts_by_level(table, column.levels)
    if column.pooled:
        counts[column.levels.index(OTHER)] += int(np.sum(table["rows"].to_numpy())) - counts.sum()
    return counts


def _declared(values: pa.Array, known: list[pa.Array], kind: pa.DataType) -> pa.Array:
    """Give the values as a dictionary with all declared levels, in the order of the first batch."""
    levels = pa.concat_arrays(known).unique() if known else values
    places = pc.index_in(values, value_set=levels).cast(pa.int32())
    return pa.DictionaryArray.from_arrays(places, levels, ordered=kind.ordered)


def learn(
    profile: Profile,
    types: pa.Schema,
    inputs: list[str],
    options: dict[str, Any],
    *,
    class_weight: Any,
    classes: bool,
    owner: str,
) -> Learned:
    """Learn the schema and the classes."""
    if profile.n_rows == 0:
        raise ValueError("Found array with 0 sample(s): the source has no rows.")
    check_total(np.array([float(profile.weight)]))
    schema = learn_schema(profile, types, inputs, options)
    if not classes:
        return Learned(profile, schema)
    table = profile.labels.table()
    labels = table["value"].combine_chunks()
    found, codes = class_codes(pa.chunked_array([labels]), len(labels), owner)
    given = table["weight"].to_numpy().astype(np.float64)
    by_class = class_weights(class_weight, found, codes, given)
    return Learned(profile, schema, found, labels, codes.astype(np.int32), by_class)
