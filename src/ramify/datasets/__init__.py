"""Data in and out: readers of files and folders, OpenML, and data sets defined by a rule.

All give a :class:`Dataset`: columns by name, and the target apart. No dataframe library is
needed; ``dataset.X`` is a frame of the one that is installed.

`readers` read files, `folder` a folder of them, `openml` the network; `builtin` and `generated`
need neither.

Imports learning, for the checks of parameters, tables and support. Used by `evaluate` and the
command line.
"""

from ramify.datasets.builtin.classics import load_balance_scale, load_titanic, load_weather
from ramify.datasets.builtin.decision_models import load_car, load_nursery
from ramify.datasets.builtin.monks import load_monks
from ramify.datasets.builtin.tic_tac_toe import load_tic_tac_toe
from ramify.datasets.dataset import Backend, Dataset
from ramify.datasets.folder import DatasetFolder
from ramify.datasets.generated.breiman import make_led, make_waveform
from ramify.datasets.generated.decision_list import make_decision_list
from ramify.datasets.generated.parity import make_parity
from ramify.datasets.openml import fetch
from ramify.datasets.readers.cell_types import CellType, convert_cells
from ramify.datasets.readers.preview import Preview, preview_table_file
from ramify.datasets.readers.table import (
    MISSING_CELLS,
    find_cell_types,
    read_column_names,
    read_table_blocks,
    read_table_file,
)
from ramify.tables.reading import Note, Reading

__all__ = [
    "MISSING_CELLS",
    "Backend",
    "CellType",
    "Dataset",
    "DatasetFolder",
    "Note",
    "Preview",
    "Reading",
    "convert_cells",
    "fetch",
    "find_cell_types",
    "load_balance_scale",
    "load_car",
    "load_monks",
    "load_nursery",
    "load_tic_tac_toe",
    "load_titanic",
    "load_weather",
    "make_decision_list",
    "make_led",
    "make_parity",
    "make_waveform",
    "preview_table_file",
    "read_column_names",
    "read_table_blocks",
    "read_table_file",
]
