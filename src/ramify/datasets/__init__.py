"""Data in and out: readers of files and folders, OpenML, and data sets defined by a rule.

All give a :class:`Dataset`: columns by name, and the target apart. No dataframe library is
needed; ``dataset.X`` is a frame of the one that is installed.

Imports learning, for the checks of parameters. Used by the estimators, `evaluate` and the command
line.
"""

from ramify.datasets._blocks import read_column_names, read_table_blocks
from ramify.datasets._builtin import load_balance_scale, load_titanic, load_weather
from ramify.datasets._dataset import Backend, Dataset
from ramify.datasets._decision_list import make_decision_list
from ramify.datasets._decision_models import load_car, load_nursery
from ramify.datasets._fetch import fetch
from ramify.datasets._folder import DatasetFolder
from ramify.datasets._monks import load_monks
from ramify.datasets._readers import MISSING_CELLS, read_table_file
from ramify.datasets._synthetic import make_led, make_parity, make_waveform
from ramify.datasets._tic_tac_toe import load_tic_tac_toe

__all__ = [
    "MISSING_CELLS",
    "Backend",
    "Dataset",
    "DatasetFolder",
    "fetch",
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
    "read_column_names",
    "read_table_blocks",
    "read_table_file",
]
