"""Any dataframe, array or list, as the columns a tree is grown from and the schema of them.

`Table.read` learns a `Schema` from training data and encodes them; `Schema.encode` encodes other
data in the same way, for prediction. A numeric column becomes float64 with NaN for missing; an
ordinal or nominal column becomes int32 codes, the position in the schema's levels.

Imports the core alone. Used by everything above.
"""

from __future__ import annotations

from ramify.tables.levels import Interval, Kind, Level
from ramify.tables.table import Columns, ColumnSchema, Schema, Table, Unseen, read_table

__all__ = [
    "ColumnSchema",
    "Columns",
    "Interval",
    "Kind",
    "Level",
    "Schema",
    "Table",
    "Unseen",
    "read_table",
]
