"""`ramify profile`: the columns of a file as a table, and findings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def cars(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    file = tmp_path / "cars.csv"
    lines = ["name,weight,origin,kind,mpg"]
    for i in range(120):
        weight = int(rng.integers(1500, 4500))
        origin = rng.choice(["USA", "Japan", "Europe"])
        mpg = 50 - weight / 120 + rng.normal() * 4
        lines.append(f"model {i},{weight},{origin},car,{mpg:.1f}")
    file.write_text("\n".join(lines) + "\n")
    return file


def test_columns_and_findings(run, cars: Path) -> None:
    code, printed, err = run("profile", cars, "--target", "mpg")
    assert code == 0, err
    lines = printed.splitlines()
    assert lines[0] == str(cars)
    assert lines[1] == "120 rows, 4 columns; target mpg: numbers"
    heading = lines.index("column  kind     distinct  missing  explains alone      examples")
    assert lines[heading + 1].split()[:3] == ["name", "nominal", "120"]
    assert "left out" in lines[heading + 1]
    assert " %  " in lines[heading + 2]
    assert "- name looks like an identifier: 120 different texts in 120 rows." in lines
    assert "  left out; --use name keeps it" in lines
    assert "- kind is car in every row." in lines


def test_without_a_target(run, cars: Path) -> None:
    code, printed, _ = run("profile", cars)
    assert code == 0
    assert "explains alone" not in printed
    assert printed.rstrip().endswith("--target COLUMN shows how much each tells about it")


def test_json(run, cars: Path) -> None:
    code, printed, _ = run("profile", cars, "--target", "origin", "--json")
    assert code == 0
    found = json.loads(printed)
    assert (found["rows"], found["target"], found["classes"]) == (120, "origin", 3)
    assert found["left_out"] == ["name", "kind"]
    assert {one["kind"] for one in found["findings"]} == {"identifier", "constant"}
    assert found["columns"][1]["association"] >= 0


def test_mistakes_are_one_line(run, cars: Path, tmp_path: Path) -> None:
    code, _, err = run("profile", cars, "--target", "mgp")
    assert code == 2
    assert "did you mean 'mpg'?" in err
    lonely = tmp_path / "lonely.csv"
    lonely.write_text("a\n1\n2\n")
    code, _, err = run("profile", lonely, "--target", "a")
    assert code == 2
    assert "there is no column besides 'a'" in err
