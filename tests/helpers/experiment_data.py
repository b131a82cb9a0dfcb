"""Data folders that the experiments can read, and a way to run a script on them."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
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


def run_script(script: Any, folders: dict[str, Path], *more: str) -> None:
    """Run a script with the options ``--data FOLDER`` and so on, as from the command line."""
    given = [text for name, path in folders.items() for text in (f"--{name}", str(path))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [f"{script.__name__}.py", *given, *more])
        script.main()
