"""Folders of data for the tests of the experiments, in the format that these read."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sklearn.datasets import load_iris


def write_data(folder: Path, name: str, about: dict[str, Any], rows: Iterable[list[Any]]) -> None:
    """Write a data set and a manifest that holds it alone."""
    folder.mkdir(exist_ok=True)
    (folder / "datasets.json").write_text(json.dumps({name: about}))
    with gzip.open(folder / f"{name}.csv.gz", "wt", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*about["numeric"], *about["nominal"], about["target"]])
        writer.writerows(rows)


def write_iris(folder: Path) -> None:
    """Write the iris data, as one of the data sets of Shi (2007)."""
    iris = load_iris()
    about = {"rows": 150, "target": "class", "numeric": ["sl", "sw", "pl", "pw"], "nominal": []}
    about |= {"task": "classification", "used_in": ["shi"]}
    rows = zip(iris.data.tolist(), iris.target_names[iris.target], strict=True)
    write_data(folder, "iris", about, ([*row, label] for row, label in rows))
