"""Where the experiments find their data sets and the published figures, unless told otherwise."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ramify.datasets import Dataset, DatasetFolder

SHARED = Path(__file__).resolve().parents[2] / "shared"
FOLDER = SHARED / "datasets"
PUBLISHED = SHARED / "published"


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
