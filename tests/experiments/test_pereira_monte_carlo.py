"""The logic of experiments/pereira_monte_carlo.py, with searches by their definitions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import _pereira_monte_carlo_report as report
import numpy as np
import pereira_monte_carlo as experiment
import pytest
from helpers.csv_files import csv_rows
from oracles import nominal as oracle
from oracles.criteria import index_of

from ramify.splits import best_nominal_split


def find(table: np.ndarray, method: str, criterion: str, limit: int) -> tuple[float, bool]:
    """The smallest impurity that a search finds by its definition, and whether it is proven."""
    small, _ = oracle.merged(table)
    if method in ("exact", "auto"):
        tried = list(oracle.every_subset(len(small)))
    else:
        tried = oracle.HEURISTICS[method](small, criterion)
    drop = max(oracle.score(small, left, criterion) for left in tried)
    before = index_of(criterion)(table.sum(axis=0))
    return before - drop, method == "exact"


def test_tables_are_as_the_paper_draws_them() -> None:
    rng = np.random.default_rng(0)
    tables = experiment.draw(rng, 500, 4, 3)
    assert tables.shape == (500, 4, 3)
    assert set(np.unique(tables)) == set(range(8))
    assert tables.sum(axis=1).min() > 0 and tables.sum(axis=2).min() > 0
    # uniform: each of the eight values an eighth of the time, apart from redrawn tables
    assert np.bincount(tables.astype(int).ravel()) / tables.size == pytest.approx(1 / 8, abs=0.02)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_batched_principal_component_is_the_plain_one(criterion: str) -> None:
    tables = experiment.draw(np.random.default_rng(1), 60, 9, 3)
    merged = experiment.merge_supervalues(tables)
    np.testing.assert_array_equal(merged.sum(axis=1), tables.sum(axis=1))
    assert any((one.sum(axis=1) == 0).any() for one in merged)  # some rows were alike
    scores = experiment.component_scores(merged)
    batched = experiment.scan(merged, scores, criterion, exchanges=True)
    plain = [find(table, "pc_ext", criterion, 0)[0] for table in tables]
    np.testing.assert_allclose(batched, plain, rtol=1e-9)


def test_the_searches_of_the_library_are_the_plain_ones() -> None:
    tables = experiment.draw(np.random.default_rng(2), 15, 7, 4)
    for method in (*experiment.FOUR, "exact"):
        for criterion in experiment.CRITERIA:
            for table in tables:
                found = best_nominal_split(table, method=method, criterion=criterion)
                assert found is not None
                # equal shares of a superclass may be ordered either way
                wanted = find(table, method, criterion, 0)[0]
                assert found.impurity == pytest.approx(wanted, rel=0.02)
                if method == "exact":
                    assert found.impurity == pytest.approx(wanted, rel=1e-9)


def test_shares_excess_and_tables_of_their_own() -> None:
    columns = {
        "hypercube_cover": np.array([1.0, 2.0, 3.0, 4.0]),
        "pc_ext": np.array([1.0, 1.0, 4.0, 4.0 + 1e-12]),
        "largest_class_alone": np.array([2.0, 2.0, 3.0, 5.0]),
        "list_scheduling": np.array([2.0, 2.0, 4.0, 5.0]),
    }
    shares = experiment.share_smallest(columns)
    assert list(shares.values()) == [75.0, 75.0, 25.0, 0.0]
    mean, most = experiment.excess(columns["pc_ext"], columns["hypercube_cover"])
    assert (mean, most) == pytest.approx((100 / 3, 100 / 3))
    assert np.isnan(experiment.excess(np.ones(3), np.ones(3))[0])
    moved = experiment.apart(columns, "hypercube_cover")
    assert moved["hypercube_cover"].tolist() == [4.0, 1.0, 2.0, 3.0]
    assert moved["pc_ext"] is columns["pc_ext"]
    # each method is moved by a different number of runs: none sees the table of another
    alone = experiment.apart({m: np.arange(6.0) for m in experiment.FOUR}, *experiment.FOUR)
    assert len({tuple(column) for column in alone.values()}) == 4


def test_the_whole_report(tmp_path: Path) -> None:
    cells = [
        experiment.measure(criterion, n, k, 12, 6, 0, find)
        for n, k in ((5, 3), (6, 3))
        for criterion in experiment.CRITERIA
    ]
    for cell in cells:
        assert experiment.together(cell) == 100.0
        hit, mean, most = experiment.against_optimum(cell, "auto")
        assert (hit, mean, most) == (100.0, 0.0, 0.0)
        assert experiment.against_optimum(cell, "list_scheduling")[0] <= 100.0
        library = cell.variants[next(iter(experiment.VARIANTS))]
        np.testing.assert_allclose(library, cell.impurity["pc_ext"], rtol=1e-9)
    # two of them in the place of a cell that can be compared with the printed one
    cells = [replace(cell, n=12) if cell.n == 5 else cell for cell in cells]
    printed = {(cell.key, name): 45.0 for cell in cells for name in experiment.NAMES.values()}
    text = report.write_report(cells, printed, {}, 12, tmp_path)
    assert "add up to 90.0 to 90.0" in text and "Closest to print is" in text
    most = max(
        abs(share - 45.0)
        for cell in cells
        if experiment.usable(cell.n, cell.k)
        for method, share in experiment.share_smallest(cell.impurity).items()
        if method in ("hypercube_cover", "largest_class_alone", "list_scheduling")
    )
    assert f"HcC, LCA and LS from print: {most:.1f} points" in text
    assert "not at hand" in report.write_report(cells, {}, {}, 12, tmp_path)
    rows = csv_rows(tmp_path / "pereira_monte_carlo.csv")
    assert {row["quantity"] for row in rows} >= {"smallest_percent", "excess_mean"}
    values = [float(r["value"]) for r in rows if r["quantity"] == "smallest_percent"]
    assert all(0 <= value <= 100 for value in values) and len(values) == 4 * 5


def test_printed_tables_are_read(tmp_path: Path) -> None:
    assert experiment.read_published(tmp_path) == ({}, {})
    (tmp_path / "pereira_4_1.csv").write_text("impurity,n,k,method,percent\ngini,12,3,HcC,97.5\n")
    (tmp_path / "pereira_4_3.csv").write_text(
        "impurity,n,k,method,excess_avg,excess_max\n"
        "gini,12,3,HcC over PC-ext,0.15,0.97\ngini,12,9,HcC over PC-ext,,\n"
    )
    shares, excesses = experiment.read_published(tmp_path)
    assert shares == {(("gini", 12, 3), "HcC"): 97.5}
    assert excesses == {(("gini", 12, 3), "HcC over PC-ext"): (0.15, 0.97)}


def test_random_tables_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = ("gini", 12, 3, 4, 2, 1 << 16)
    first = experiment.measured(tmp_path, *task)
    monkeypatch.setattr(experiment, "measure", None)  # not to be called again
    again = experiment.measured(tmp_path, *task)
    assert again.key == first.key == ("gini", 12, 3)
    assert np.array_equal(again.exact, first.exact, equal_nan=True)
    for kind in ("impurity", "variants"):
        one, other = getattr(first, kind), getattr(again, kind)
        assert list(one) == list(other) and len(one) >= 5
        assert all(np.array_equal(one[name], other[name]) for name in one)
