"""The table: a schema, and encoded columns.

`Table.read` learns a `Schema` from training data and encodes them. `Schema.encode` encodes other
data in the same way, for prediction.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.tables.categorical import choose_nominal
from ramify.tables.column_schema import ColumnSchema, check_keys, entry_of
from ramify.tables.encode import encode_codes, encode_numbers, names_message
from ramify.tables.levels import OTHER, Floats, Kind, Matrix, learn, pool, short_list
from ramify.tables.parts import LEVELS, part_codes, parts_of, read_parts
from ramify.tables.source import Source, open_table

Unseen = Literal["missing", "majority", "error"]


@dataclass(frozen=True)
class Schema:
    """The columns a model was fitted on, in order.

    Parameters
    ----------
    columns : tuple of ColumnSchema
    named : bool
        Whether the names came from the user's table, or were made up ("x0", "x1", ...).
    inputs : tuple of str, optional
        The columns of the user's table, if these differ from the columns of the schema: parts of
        dates are columns of the schema, too, and some columns may be left out.

    Examples
    --------
    >>> table = Table.read([["sunny", 85], ["rainy", None], ["sunny", 70]])
    >>> table.schema["x0"]
    ColumnSchema(name='x0', kind='nominal', levels=('rainy', 'sunny'))
    >>> table.arrays
    [array([1, 0, 1], dtype=int32), array([85., nan, 70.])]
    >>> table.schema.encode([["overcast", 64]]).arrays
    [array([-2], dtype=int32), array([64.])]
    """

    columns: tuple[ColumnSchema, ...]
    named: bool
    inputs: tuple[str, ...] | None = None

    @property
    def input_names(self) -> list[str]:
        """The names of the columns of the user's table, in order."""
        return self.names if self.inputs is None else list(self.inputs)

    @property
    def sources(self) -> list[int]:
        """Per column of the schema, the position of the user's column that it is read from."""
        if self.inputs is None:
            return list(range(len(self.columns)))
        position = {name: j for j, name in enumerate(self.inputs)}
        return [position[column.input] for column in self.columns]

    def by_input(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum numbers, one per column of the schema, by the user's columns."""
        if self.inputs is None:
            return values
        found = np.zeros(len(self.inputs))
        np.add.at(found, self.sources, values)
        return found

    @property
    def names(self) -> list[str]:
        """The names of the columns of the schema, which a tree can ask about, in order."""
        return [column.name for column in self.columns]

    @property
    def ordered(self) -> list[int]:
        """Positions of the numeric and ordinal columns, which can have thresholds."""
        return [j for j, column in enumerate(self.columns) if column.kind != "nominal"]

    @property
    def nominal(self) -> list[int]:
        """Positions of the nominal columns, whose levels have no order."""
        return [j for j, column in enumerate(self.columns) if column.kind == "nominal"]

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, key: int | str) -> ColumnSchema:
        if not isinstance(key, str):
            return self.columns[key]
        for column in self.columns:
            if column.name == key:
                return column
        raise KeyError(f"no column {key!r}; columns: {short_list(self.names, 20)}")

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold; `from_dict` undoes it.

        Raises
        ------
        ValueError
            If a level is neither str, int, float, bool, bytes, Decimal, date, time, datetime,
            timedelta, an interval nor a tuple of these, or if it has nanoseconds.
        """
        found = {"named": self.named, "columns": [column.to_dict() for column in self.columns]}
        if self.inputs is not None:
            found["inputs"] = list(self.inputs)
        return found

    @classmethod
    def from_dict(cls, data: Any) -> Schema:
        """Undo `to_dict` and check everything; a ValueError names the place of what is wrong.

        Examples
        --------
        >>> schema = Schema((ColumnSchema("a", "numeric"),), named=True)
        >>> Schema.from_dict(schema.to_dict()) == schema
        True
        """
        named = entry_of(data, "named", bool, "schema")
        raw = entry_of(data, "columns", list, "schema")
        check_keys(data, {"named", "columns", "inputs"}, "schema")
        if not raw:
            raise ValueError("schema.columns: expected at least one column")
        columns = tuple(
            ColumnSchema.from_dict(one, place=f"schema.columns[{j}]") for j, one in enumerate(raw)
        )
        if len({column.name for column in columns}) != len(columns):
            raise ValueError("schema.columns: two columns have the same name")
        if "inputs" not in data:
            if any(column.source is not None for column in columns):
                raise ValueError("schema.inputs is missing, which the parts of dates need")
            return cls(columns, named)
        inputs = entry_of(data, "inputs", list, "schema")
        if not all(type(name) is str for name in inputs) or len(set(inputs)) != len(inputs):
            raise ValueError("schema.inputs: expected distinct names")
        if unknown := {column.input for column in columns} - set(inputs):
            raise ValueError(f"schema.inputs has no column {min(unknown)!r}")
        return cls(columns, named, tuple(inputs))

    def encode(self, X: Any, *, unseen: Unseen = "missing", owner: str = "Schema") -> Table:
        """Encode other data in the same way as the training data.

        Parameters
        ----------
        X : dataframe, array or list of rows
            The columns of the training data, in the same order.
        unseen : {"missing", "majority", "error"}, default="missing"
            With "error", a level that did not occur in training is a ValueError. Otherwise its code
            is -2, and the tree decides what to do with it.
        owner : str, default="Schema"
            The name of the estimator, for messages.

        Returns
        -------
        Table

        Raises
        ------
        ValueError
            If the names, order, number or kinds of the columns differ from those in training.
        """
        if unseen not in get_args(Unseen):
            raise ValueError(f"unseen must be one of {get_args(Unseen)}, got {unseen!r}")
        source = open_table(X)
        self.check_names(source, owner)
        plain = self.inputs is None
        if plain and all(one.kind == "numeric" and one.form is None for one in self.columns):
            matrix = source.matrix()
            if matrix is not None:
                return Table(self, source.n_rows, matrix)
        arrays: list[NDArray[Any]] = []
        dates: dict[int, Floats] = {}
        for known, j in zip(self.columns, self.sources, strict=True):
            column = source.columns[j]
            if known.kind == "numeric":
                dates[j] = encode_numbers(known, column)
                arrays.append(dates[j])
            elif known.part is None:
                arrays.append(encode_codes(known, column, fail=unseen == "error"))
            else:
                assert known.form is not None
                if j not in dates:
                    dates[j] = encode_numbers(known, column)
                arrays.append(part_codes(dates[j], known.form, known.part))
        return Table(self, source.n_rows, None, arrays)

    def check_names(self, source: Source, owner: str) -> None:
        """Raise or warn if the columns of a table are not those of the training data.

        The messages are those that scikit-learn's common checks look for. A warning names the line
        that called the estimator.
        """
        if self.named and source.named:
            if source.names != self.input_names:
                raise ValueError(names_message(self.input_names, source.names))
        elif source.named:
            text = f"X has feature names, but {owner} was fitted without feature names"
            warnings.warn(text, UserWarning, stacklevel=4)
        elif self.named:
            text = f"X does not have valid feature names, but {owner} was fitted with feature names"
            warnings.warn(text, UserWarning, stacklevel=4)
        expected = len(self.input_names)
        if len(source.columns) != expected:
            raise ValueError(
                f"X has {len(source.columns)} features, but {owner} is expecting {expected} "
                "features as input."
            )


@dataclass(frozen=True, eq=False)
class Table:
    """The one table: a schema, and the encoded columns that the core reads.

    Parameters
    ----------
    schema : Schema
        The columns: names, kinds and levels.
    n_rows : int
    matrix : ndarray of float64 or float32, shape (n_rows, n_columns), or None
        The whole table, if all columns are numeric and came in one array. It may have any strides.
    arrays : list of ndarray
        Otherwise one contiguous array per column. Numeric columns are float64, with NaN for
        missing. Ordinal and nominal columns are int32 codes, with -1 for missing and -2 for a level
        not seen in training.

    Notes
    -----
    All arrays may be read-only views of the input.
    """

    schema: Schema
    n_rows: int
    matrix: Matrix | None = None
    arrays: list[NDArray[Any]] = field(default_factory=list)

    @classmethod
    def read(
        cls,
        X: Any,
        *,
        categorical_features: Any = "from_dtype",
        date_parts: Any = None,
        min_level_count: int = 0,
    ) -> Table:
        """Learn the schema of training data and encode them.

        Parameters
        ----------
        X : dataframe, array or list of rows
            A table of pandas, polars, pyarrow or another library that narwhals reads; a NumPy
            array; a list of rows; a dict of columns.

            Columns of numeric dtypes are numeric. Columns of dtype category, string, object, bool
            and enum are nominal. Ordered categoricals of pandas and Arrow are ordinal. A polars
            Enum is nominal, because the order of its levels need not mean anything;
            ``df.to_arrow()`` makes it an ordered dictionary, which is ordinal. In an object array
            or a list of rows, a column of real numbers and missing cells is numeric.

            None, NaN, NaT, NA and null are missing. Infinities are ordinary values. Integers
            beyond 2**53 are rounded to float64. Intervals of pandas become :class:`Interval`. Its
            timestamps and time deltas become those of Python, unless they have nanoseconds. Levels
            that are equal in Python (1, 1.0 and True) are one level, the first of them; "1" is
            another.
        categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
            Columns that are nominal whatever their dtype. "from_dtype" and None add no columns to
            those that are nominal by their dtype.
        date_parts : "auto", None or list of {"month", "weekday", "day", "hour"}, default=None
            Parts of dates and datetimes that become ordinal columns of their own. "auto" takes
            those that repeat: the month if the dates span a year, the weekday if they span two
            weeks, the hour if they span two days.
        min_level_count : int, default=0
            Levels of a nominal column with fewer rows than this are pooled in one level, "(other)".
            Levels that were not seen in training then belong to it, too.

        Returns
        -------
        Table

        Examples
        --------
        >>> import datetime, numpy as np
        >>> days = [datetime.date(2018 + i, 1 + i, 3) for i in range(3)]
        >>> Table.read({"sold": days}, date_parts=["month"]).schema.names
        ['sold', 'month of sold']
        >>> table = Table.read(np.array([[3, 1.5], [2, 0.5]]), categorical_features=[0])
        >>> table.schema.columns[0].levels, table.arrays[0]
        ((2.0, 3.0), array([1, 0], dtype=int32))
        """
        parts = read_parts(date_parts)
        source = open_table(X)
        chosen = choose_nominal(categorical_features, source)
        kinds: list[Kind] = [
            "nominal"
            if j in chosen
            else "numeric"
            if column.numeric
            else "ordinal"
            if column.ordered
            else "nominal"
            for j, column in enumerate(source.columns)
        ]
        forms = [column.form for column in source.columns]
        if all(kind == "numeric" for kind in kinds) and not any(forms):
            matrix = source.matrix()
            if matrix is not None:
                plain = tuple(ColumnSchema(name, "numeric") for name in source.names)
                return cls(Schema(plain, source.named), source.n_rows, matrix)
        schemas, arrays = [], []
        taken = set(source.names)
        for kind, column in zip(kinds, source.columns, strict=True):
            if kind == "numeric":
                array: NDArray[Any] = column.floats()
                schemas.append(ColumnSchema(column.name, kind, (), column.form))
                arrays.append(array)
                if column.form is not None:
                    for part in parts_of(array, column.form, parts):
                        name = _free_name(f"{part} of {column.name}", taken)
                        levels = LEVELS[part]
                        schemas.append(
                            ColumnSchema(name, "ordinal", levels, column.form, column.name, part)
                        )
                        arrays.append(part_codes(array, column.form, part))
                continue
            levels, array = learn(column.dictionary(), ordinal=kind == "ordinal")
            pooled = False
            if kind == "nominal" and min_level_count > 1:
                levels, array = pool(levels, array, min_level_count)
                pooled = OTHER in levels
            schemas.append(ColumnSchema(column.name, kind, levels, pooled=pooled))
            arrays.append(array)
        inputs = tuple(source.names) if len(schemas) > len(source.names) else None
        return cls(Schema(tuple(schemas), source.named, inputs), source.n_rows, None, arrays)

    def __len__(self) -> int:
        """Give the number of columns."""
        return len(self.arrays) if self.matrix is None else int(self.matrix.shape[1])

    def column(self, j: int) -> NDArray[Any]:
        """Give column j; a numeric one as float64."""
        if self.matrix is None:
            return self.arrays[j]
        return np.asarray(self.matrix[:, j], dtype=np.float64)

    @property
    def cells(self) -> Matrix | list[NDArray[Any]]:
        """One matrix, or a list of columns, from which the core predicts."""
        return self.arrays if self.matrix is None else self.matrix

    def encoded(self, threads: int = 1) -> Table:
        """Give the table with its columns encoded: whoever asks for `core` gets the same one."""
        if not self.is_encoded:
            self._encoded.append(self.core(threads))
        return self

    @property
    def is_encoded(self) -> bool:
        """Whether `core` gives a table that others use, too, and that must not be used up."""
        return bool(self._encoded)

    @cached_property
    def _encoded(self) -> list[_core.Table]:
        return []

    def core(self, threads: int = 1) -> _core.Table:
        """Encode the columns for growing."""
        if self._encoded:
            return self._encoded[0]
        table = _core.Table(self.n_rows)
        if self.matrix is not None:
            table.add_matrix(self.matrix, threads)
            return table
        pending: list[NDArray[Any]] = []
        for array, column in zip(self.arrays, self.schema.columns, strict=True):
            if column.kind == "numeric":
                pending.append(array)
                continue
            # Neighbouring numeric columns are encoded together, in parallel.
            table.add_numeric(pending, threads)
            pending = []
            table.add_codes(column.kind, array, len(column.levels))
        table.add_numeric(pending, threads)
        return table

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Give some of the rows, in ascending order, with one array per column."""
        every = len(rows) == self.n_rows
        if self.matrix is None:
            if every:
                return self
            taken = [np.ascontiguousarray(array[rows]) for array in self.arrays]
            return Table(self.schema, len(rows), None, taken)
        # All columns at once, in one pass over the rows instead of one per column.
        block = self.matrix if every else self.matrix[rows]
        table = Table(
            self.schema, len(rows), None, list(np.ascontiguousarray(block.T, dtype=np.float64))
        )
        some = np.atleast_1d(np.isnan(block).any(axis=0)).tolist()
        table._any_missing.update(enumerate(some))
        return table

    def select(self, columns: list[int]) -> Table:
        """Give some of the columns as a new table."""
        kept = tuple(self.schema.columns[j] for j in columns)
        schema = Schema(kept, self.schema.named, self.schema.inputs)
        return Table(schema, self.n_rows, None, [self.column(j) for j in columns])

    def without(self, names: Iterable[str]) -> Table:
        """Give the table without some of the user's columns; the schema still takes them."""
        gone = set(names)
        kept = [j for j, one in enumerate(self.schema.columns) if one.input not in gone]
        inputs = tuple(self.schema.input_names)
        schema = Schema(tuple(self.schema.columns[j] for j in kept), self.schema.named, inputs)
        return Table(
            schema, self.n_rows, None, [np.ascontiguousarray(self.column(j)) for j in kept]
        )

    @cached_property
    def _missing(self) -> dict[int, NDArray[np.bool_]]:
        return {}

    @cached_property
    def _any_missing(self) -> dict[int, bool]:
        return {}

    def missing(self, j: int) -> NDArray[np.bool_]:
        """Mark the rows in which column j is missing."""
        if (found := self._missing.get(j)) is None:
            array = self.column(j)
            found = np.asarray(np.isnan(array) if array.dtype.kind == "f" else array < 0)
            self._missing[j] = found
        return found

    def any_missing(self, j: int) -> bool:
        """Tell whether column j is missing in any row."""
        if (found := self._any_missing.get(j)) is None:
            found = self._any_missing[j] = bool(self.missing(j).any())
        return found

    def known(self, j: int) -> NDArray[Any]:
        """Give the values of column j that are not missing."""
        return self.column(j)[~self.missing(j)] if self.any_missing(j) else self.column(j)

    def values(self, j: int) -> NDArray[Any]:
        """Give the distinct values, or levels, that occur in column j."""
        found: NDArray[Any] = np.unique(self.known(j))
        return found


def _free_name(name: str, taken: set[str]) -> str:
    """Give a name that no column has yet, and take it."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    taken.add(found)
    return found


#: The former name of a table.
Columns = Table


def read_table(X: Any, *, categorical_features: Any = "from_dtype") -> tuple[Schema, Table]:
    """Learn the schema of training data and encode them; give both.

    Parameters
    ----------
    X, categorical_features
        As for :meth:`Table.read`.

    Returns
    -------
    schema : Schema
    table : Table
    """
    table = Table.read(X, categorical_features=categorical_features)
    return table.schema, table
