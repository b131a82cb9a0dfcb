"""The data sets of the experiments: a folder of NAME.csv.gz with a manifest, datasets.json."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from ramify.datasets import Dataset, read_table_file

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "datasets"


@cache
def manifest(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Give what is known of every data set."""
    found: dict[str, dict[str, Any]] = json.loads((folder / "datasets.json").read_text())
    return found


def load(name: str, folder: Path = FOLDER, *, ids: bool = False) -> Dataset:
    """Read a data set; what the manifest calls nominal is text, whatever it looks like.

    `ids`: with the columns that tell rows apart and say nothing (names of animals, of genes).
    """
    about = manifest(folder)[name]
    left_out = () if ids else about.get("id_like", ())
    kinds = dict.fromkeys(about["numeric"], "number")
    kinds |= dict.fromkeys([*about["nominal"], about["target"]], "text")
    return read_table_file(
        folder / f"{name}.csv.gz",
        target=about["target"],
        columns=[c for c in [*about["numeric"], *about["nominal"]] if c not in left_out],
        kinds=kinds,
        missing=("",),
    )
