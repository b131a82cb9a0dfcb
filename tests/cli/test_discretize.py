"""The command discretize."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ramify.datasets import read_table_file


def test_discretize_finds_the_threshold_and_writes_the_table(run, numbers, tmp_path) -> None:
    path = tmp_path / "cut.csv"
    code, printed, _ = run("discretize", numbers, "--target", "class", "--output", path, "--json")
    assert code == 0
    thresholds = json.loads(printed)["thresholds"]
    assert thresholds["x"] == pytest.approx([0.5], abs=0.02)
    assert thresholds["z"] == []
    cut = read_table_file(path, target="class")
    original = read_table_file(numbers, target="class")
    assert cut.y.tolist() == original.y.tolist()
    assert (cut.data["x"] == (original.data["x"] > thresholds["x"][0])).all()
    code, printed, _ = run(
        *("discretize", numbers, "--target", "class", "--method", "mid", "--n-thresholds", 3),
        *("--encode", "thresholds", "--output", path),
    )
    assert code == 0
    assert len(read_table_file(path, target="class").data) == 3
    assert run("discretize", numbers, "--target", "class", "--n-thresholds", 3)[0] == 2


@pytest.mark.parametrize("method", ["equal_width", "equal_frequency"])
def test_discretize_without_a_target(run, numbers, tmp_path, method: str) -> None:
    path = tmp_path / "cut.csv"
    given = ("discretize", numbers, "--method", method, "--n-bins", 4, "--output", path)
    code, printed, _ = run(*given, "--json")
    assert code == 0
    thresholds = json.loads(printed)["thresholds"]
    x = read_table_file(numbers, target="class").data["x"]
    if method == "equal_width":
        assert thresholds["x"] == pytest.approx(np.linspace(x.min(), x.max(), 5)[1:-1])
    cut = read_table_file(path)
    assert set(cut.data) == {"x", "z", "class"}
    sizes = np.bincount(cut.data["x"].astype(int))
    assert len(sizes) == 4
    assert method == "equal_width" or sizes.max() - sizes.min() <= 1
    code, printed, _ = run(*given, "--target", "class")  # the target stays as it is
    assert code == 0 and ", target class" in printed
    assert read_table_file(path, target="class").y.tolist() == cut.data["class"].tolist()


def test_discretize_by_a_numeric_target(run, tmp_path) -> None:
    path = tmp_path / "steps.csv"
    rng = np.random.default_rng(0)
    x = rng.random(200)
    rows = zip(x, 10 * (x > 0.3) + rng.normal(size=200), strict=True)
    path.write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in rows))
    given = ("discretize", path, "--target", "y", "--method", "mid", "--n-thresholds", "mdl")
    code, printed, _ = run(*given, "--impurity", "variance", "--json")
    assert code == 0
    assert json.loads(printed)["thresholds"]["x"][0] == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(
    ("method", "option"),
    [
        ("mdlp", ("--n-bins", 4)),
        ("equal_width", ("--n-thresholds", 4)),
        ("chimerge", ("--impurity", "gini")),
    ],
)
def test_discretize_refuses_options_of_other_methods(run, numbers, method, option) -> None:
    code, _, err = run("discretize", numbers, "--target", "class", "--method", method, *option)
    assert code == 2 and f"{option[0]} does not go with --method {method}" in err
