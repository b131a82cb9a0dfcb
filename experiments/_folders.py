"""Where the experiments find data sets and printed figures, and where they leave their results."""

from __future__ import annotations

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
    """Give what the manifest says about every data set."""
    return {name: dict(opened(folder).about(name)) for name in opened(folder)}


def load(name: str, folder: Path = FOLDER, *, ids: bool = False) -> Dataset:
    """Read a data set; `ids` keeps the columns that only identify rows."""
    return opened(folder).read(name, ids=ids)
