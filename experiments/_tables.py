"""Where the experiments find data sets and published figures, and leave their results."""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

from ramify.datasets import Dataset, DatasetFolder

SHARED = Path(__file__).resolve().parents[2] / "shared"
FOLDER = SHARED / "datasets"
PUBLISHED = SHARED / "published"
RESULTS = Path(__file__).resolve().parent / "results"


@cache
def opened(folder: Path = FOLDER) -> DatasetFolder:
    """Give a folder of data sets; its manifest is read once."""
    return DatasetFolder(folder)


def manifest(folder: Path = FOLDER) -> dict[str, dict[str, object]]:
    """Give what is known of every data set."""
    return {name: dict(opened(folder).about(name)) for name in opened(folder)}


def load(name: str, folder: Path = FOLDER, *, ids: bool = False) -> Dataset:
    """Read a data set; `ids`: with the columns that only tell rows apart."""
    return opened(folder).read(name, ids=ids)


def results_folder(options: argparse.Namespace) -> Path:
    """Give where results go: unless told, those of --quick do not replace the others."""
    if options.results is not None:
        return Path(options.results)
    return RESULTS / "quick" if options.quick else RESULTS
