"""Columns that never meet: the groups are exactly the largest sets without a pair."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv

import ramify
from ramify.cli import main
from ramify.steps.apart import groups_apart, read_pairs


def largest_sets(pairs: list[tuple[str, str]], names: list[str]) -> set[frozenset[str]]:
    """Try every set of columns."""
    allowed = [
        frozenset(some)
        for size in range(1, len(names) + 1)
        for some in combinations(names, size)
        if not any(a in some and b in some for a, b in pairs)
    ]
    return {one for one in allowed if not any(one < other for other in allowed)}


@pytest.mark.parametrize("seed", range(20))
def test_the_groups_are_the_largest_sets_without_a_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"c{i}" for i in range(int(rng.integers(2, 8)))]
    every = list(combinations(names, 2))
    chosen = rng.permutation(len(every))[: int(rng.integers(0, len(every) + 1))]
    pairs = [every[i] for i in chosen]
    found = groups_apart(pairs, names)
    assert {frozenset(group) for group in found} == largest_sets(pairs, names)
    assert all(group == sorted(group, key=names.index) for group in found)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(ValueError, match="did you mean 'age'"):
        groups_apart([("agee", "debt")], ["age", "debt"])
    with pytest.raises(ValueError, match="'age' is named twice"):
        groups_apart([("age", "age")], ["age", "debt"])
    with pytest.raises(ValueError, match="'age' is not two columns"):
        read_pairs(["age"], ["age"])


def test_fit_keeps_columns_apart_and_holds_rows_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(3)
    a, b, c = rng.integers(0, 9, (3, 300))
    y = np.where((a > 4) ^ (b > 4), "yes", "no")
    file = write_csv(tmp_path / "t.csv", {"a": a, "b": b, "c": c, "y": y})
    model = tmp_path / "m.json"
    more = ["--never-together", "a,b", "--hold-out", "--pruning", "none", "--model", str(model)]
    assert main(["fit", str(file), "--target", "y", *more]) == 0
    assert "a fifth of the rows, held out" in capsys.readouterr().out
    clf = ramify.load(model)
    assert clf.tree_.data["rows"][0] == 240
    for rule in clf.tree_.rules():
        asked = {condition.split()[0] for condition in rule.conditions}
        assert not {"a", "b"} <= asked
    assert main(["fit", str(file), "--target", "y", "--hold-out", "--folds", "3"]) == 2
    error = capsys.readouterr().err
    assert one_line(error) and "--hold-out does not go with --folds" in error
