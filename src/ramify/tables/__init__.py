"""Any dataframe, array or list as a `Table`: a schema, and encoded columns.

`Table.read` learns a `Schema` from training data and encodes them. `Schema.encode` encodes other
data in the same way, for prediction. A numeric column becomes float64, with NaN for missing. An
ordinal or nominal column becomes int32 codes, positions in the schema's levels.

- `source.py` opens what users pass; `columns.py` has one class per kind of column; `levels.py` says
  what a level is and what is missing.
- `column_schema.py` and `table.py` have the schema and the `Table`; `categorical.py` reads
  `categorical_features`; `encode.py` fits other data to a schema.
- `frame.py`, `join.py` and `rows.py` give tables, or some of their rows, back to users.
- `written` finds numbers and dates in text; `tidy.py` reads them in any table.
- `profiling` says what the columns are and what is odd about them.
- `level_json.py` and `values.py` write levels, labels and parameters for model files.

Imports the core alone. Used by everything above.
"""

from __future__ import annotations

from ramify.tables.column_schema import ColumnSchema
from ramify.tables.levels import Interval, Kind, Level
from ramify.tables.profiling import (
    ColumnProfile,
    Finding,
    Profile,
    find_identifiers,
    profile,
)
from ramify.tables.table import Columns, Schema, Table, Unseen, read_table
from ramify.tables.tidy import tidy

__all__ = [
    "ColumnProfile",
    "ColumnSchema",
    "Columns",
    "Finding",
    "Interval",
    "Kind",
    "Level",
    "Profile",
    "Schema",
    "Table",
    "Unseen",
    "find_identifiers",
    "profile",
    "read_table",
    "tidy",
]
