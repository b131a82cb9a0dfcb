"""The experiment on Berzal's criteria, on a small folder of its own: it resumes, and it reports."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import berzal_criteria
import numpy as np
import pytest
from _random_ties import best_cuts, collapsed_size
from helpers.csv_files import csv_rows
from helpers.experiment_data import run_script
from sklearn.datasets import load_iris

from ramify.datasets import load_titanic

PRINTED = {
    "2": ("95.33", "79.05"),
    "3": ("95.33", "79.05"),
    "4": ("16.4", "15.0"),
    "5": ("7", "15"),
}


def write(path: Path, names: list[str], rows: Any) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[*names, "label"], *rows])


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    data, published = tmp_path / "data", tmp_path / "published"
    data.mkdir()
    published.mkdir()
    X, y = load_iris(return_X_y=True)
    numeric = ["sl", "sw", "pl", "pw"]
    write(
        data / "iris.csv",
        numeric,
        ([*row, label] for row, label in zip(X.tolist(), y, strict=True)),
    )
    people = load_titanic()
    nominal = list(people.data)
    write(data / "titanic.csv", nominal, zip(*people.data.values(), people.y, strict=True))
    about = {
        "iris": {"rows": 150, "target": "label", "numeric": numeric, "nominal": []},
        "titanic": {"rows": 2201, "target": "label", "numeric": [], "nominal": nominal},
    }
    (data / "datasets.json").write_text(json.dumps(about))
    criteria = ("Entropy", "GainRatio", "LM", "Gini", "GG", "MaxDif")
    for table, values in PRINTED.items():
        lines = [
            f"{name},{criterion},{value}"
            for name, value in zip(("iris", "titanic"), values, strict=True)
            for criterion in criteria
        ]
        text = "\n".join(["dataset,criterion,value", *lines, "average,Entropy,1.0", ""])
        (published / f"berzal_{table}.csv").write_text(text)
    return {"data": data, "published": published, "results": tmp_path / "results"}


def run(folders: dict[str, Path], *more: str) -> str:
    run_script(berzal_criteria, folders, *more)
    return (folders["results"] / "berzal_criteria.md").read_text()


def ours(folders: dict[str, Path]) -> dict[tuple[str, str, str], float]:
    return {
        (row["table"], row["dataset"], row["criterion"]): float(row["ours"])
        for row in csv_rows(folders["results"] / "berzal_criteria.csv")
    }


def test_six_criteria_beside_the_printed_figures(folders: dict[str, Path]) -> None:
    text = run(folders)
    found = ours(folders)
    assert len(found) == 4 * 2 * 6
    assert all(75 < value <= 100 for (table, *_), value in found.items() if table in "23")
    # without splits that change no prediction, as printed; LM asks the age first
    assert found["4", "titanic", "Entropy"] == pytest.approx(15.0, abs=1.5)
    assert found["4", "titanic", "LM"] == pytest.approx(12.0, abs=1.5)
    # GG makes splits that gain nothing, MaxDif those of nominal attributes only
    assert found["4", "iris", "GG"] > 2 * found["4", "iris", "MaxDif"]
    assert found["4", "titanic", "GG"] == found["4", "titanic", "MaxDif"] > 10
    assert f"{found['2', 'iris', 'Gini']:.2f} / 95.33" in text
    assert f"{found['5', 'titanic', 'GG']:.1f} / 15.0" in text
    pytest.importorskip("matplotlib")
    assert (folders["results"] / "berzal_criteria.png").exists()


def test_nothing_is_run_twice_and_more_is_added(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(folders, "--quick")
    assert {name for _, name, _ in ours(folders)} == {"iris"}  # titanic has more than 1,000 rows
    before = ours(folders)
    monkeypatch.setattr(
        berzal_criteria.TreeClassifier, "fit", lambda *_: pytest.fail("fitted again")
    )
    run(folders, "--only", "iris")
    for store in (folders["results"] / "berzal_criteria").iterdir():
        store.unlink()  # the file of runs is enough for the tables
    run(folders, "--report")
    assert ours(folders) == before


def test_the_names_of_the_printed_tables_are_one(tmp_path: Path) -> None:
    (tmp_path / "berzal_4.csv").write_text(
        "dataset,criterion,value\nhayesroth,LM,53.4\nvotes,LM,\nrelative tree complexity,LM,168\n"
    )
    assert berzal_criteria.published(tmp_path, "4") == {("hayes-roth", "LM"): 53.4}
    assert berzal_criteria.published(tmp_path, "9") == {}


def test_ties_by_chance_count_the_nodes_of_a_tree_that_separates_all_it_can() -> None:
    rng = np.random.default_rng(0)
    # one cut separates the classes, and nothing ties with it
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    y = np.array([0, 0, 1, 1])
    assert best_cuts(X, y, 2) == [(0, 1.5)]
    assert collapsed_size(X, y, 2, rng) == 3
    # exclusive or: no single cut saves an error, all tie, and four leaves are needed
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array([0, 1, 1, 0])
    assert best_cuts(X, y, 2) == [(0, 0.5), (1, 0.5)]
    assert collapsed_size(X, y, 2, rng) == 7
    # what cannot be told apart is a leaf; splits that change no prediction are not counted
    assert collapsed_size(np.zeros((3, 2)), np.array([0, 1, 1]), 2, rng) == 1
    assert collapsed_size(np.array([[0.0], [0.0], [1.0]]), np.array([0, 0, 0]), 2, rng) == 1
