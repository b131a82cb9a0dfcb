"""A folder with a manifest: kinds as stated there, tables read on demand, helpful errors."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ramify.datasets import DatasetFolder


def write(folder: Path, manifest: Any) -> Path:
    (folder / "datasets.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "animals.csv.gz", "wt") as file:
        file.write("name,legs,code,note,kind\ncat,4,01,?,2\nhen,2,,None,1\nfly,,02,x,1\n")
    (tmp_path / "prices.csv").write_text("size,price\n1,10.5\n2,\n")
    return write(
        tmp_path,
        {
            "animals": {
                "target": "kind",
                "task": "classification",
                "numeric": ["legs"],
                "nominal": ["name", "code", "note"],
                "id_like": ["name"],
                "aliases": ["beasts"],
                "used_in": ["a", "b"],
            },
            "prices": {"target": "price", "task": "regression", "numeric": ["size"], "nominal": []},
            "gone": {"target": "y", "numeric": [], "nominal": []},
        },
    )


def test_the_manifest_decides_what_is_text(folder: Path) -> None:
    animals = DatasetFolder(folder)["animals"]
    assert list(animals.data) == ["legs", "code", "note"]  # numeric columns first; no name column
    assert animals.data["code"].tolist() == ["01", None, "02"]
    assert animals.data["note"].tolist() == ["?", "None", "x"]  # only an empty cell is missing
    assert animals.data["legs"][:2].tolist() == [4.0, 2.0]
    assert np.isnan(animals.data["legs"][2])
    assert animals.y.tolist() == ["2", "1", "1"]


def test_the_target_of_a_regression_is_a_number(folder: Path) -> None:
    prices = DatasetFolder(folder)["prices"]
    assert prices.y.dtype == np.float64
    assert prices.y[0] == 10.5


def test_identifiers_only_on_request(folder: Path) -> None:
    assert "name" in DatasetFolder(folder, ids=True)["animals"].data
    opened = DatasetFolder(folder)
    assert "name" in opened.read("animals", ids=True).data
    assert "name" not in opened.read("animals").data


def test_it_is_a_mapping_that_knows_other_names(folder: Path) -> None:
    opened = DatasetFolder(folder)
    assert list(opened) == ["animals", "prices", "gone"]
    assert len(opened) == 3
    assert "beasts" in opened
    assert "cats" not in opened
    assert opened["beasts"].n_rows == 3
    assert opened.about("beasts")["used_in"] == ["a", "b"]
    assert repr(opened) == "DatasetFolder(3 data sets)"


def test_select_by_task_and_field(folder: Path) -> None:
    opened = DatasetFolder(folder)
    assert opened.select(task="regression") == ["prices"]
    assert opened.select(task="classification") == ["animals", "gone"]  # the default task
    assert opened.select(used_in="b") == ["animals"]
    assert opened.select(task="regression", used_in="b") == []


def test_an_unknown_name_is_told_the_near_ones(folder: Path) -> None:
    opened = DatasetFolder(folder)
    with pytest.raises(KeyError) as caught:
        opened["Animal"]
    assert str(caught.value).endswith("did you mean 'animals'?")
    with pytest.raises(KeyError, match="the data sets are 'animals', 'prices', 'gone', 'beasts'"):
        opened.about("xyz")


def test_a_file_that_is_not_there(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"lists 'gone', but there is no gone\.csv\.gz"):
        DatasetFolder(folder)["gone"]


def test_a_manifest_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"datasets\.json is not there"):
        DatasetFolder(tmp_path)
    (tmp_path / "datasets.json").write_text("{")
    with pytest.raises(ValueError, match=r"datasets\.json is not JSON"):
        DatasetFolder(tmp_path)
    with pytest.raises(ValueError, match="must be an object"):
        DatasetFolder(write(tmp_path, [1]))
    with pytest.raises(ValueError, match="'a' lacks 'numeric', 'nominal'"):
        DatasetFolder(write(tmp_path, {"a": {"target": "y"}}))
    about = {"target": "y", "task": "ranking", "numeric": [], "nominal": []}
    with pytest.raises(ValueError, match="the task 'ranking' of 'a' is not one of"):
        DatasetFolder(write(tmp_path, {"a": about}))
