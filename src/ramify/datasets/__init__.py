"""Small built-in data sets, and readers for CSV, ARFF and Parquet files.

Both give a :class:`Dataset`: columns by name, and the target apart. No dataframe library is
needed; ``dataset.X`` is a frame of the one that is installed.
"""

from ramify.datasets._blocks import read_column_names, read_table_blocks
from ramify.datasets._builtin import load_balance_scale, load_titanic, load_weather
from ramify.datasets._dataset import Backend, Dataset
from ramify.datasets._readers import MISSING_CELLS, read_table_file

__all__ = [
    "MISSING_CELLS",
    "Backend",
    "Dataset",
    "load_balance_scale",
    "load_titanic",
    "load_weather",
    "read_column_names",
    "read_table_blocks",
    "read_table_file",
]
