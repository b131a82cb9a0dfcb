"""Rows come from files, datasets, lazy frames and relations; what is wrong with them is said."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from helpers.scale_data import assert_same_tree, compare, fit_in_memory, make_table
from sklearn.base import clone

from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor, scale
from ramify.pruning import BestFirst, CostComplexity
from ramify.scale.sources import TablePartition, open_source

LIMIT = 30_000


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return make_table(500, 0, missing=0.05)


@pytest.fixture(scope="module")
def expected(table: pa.Table) -> Any:
    return fit_in_memory(tree(), table)


def tree(**parameters: Any) -> TreeClassifier:
    return TreeClassifier(identifiers="keep", max_depth=4, **parameters)


def write_parquet(folder: Path, table: pa.Table, parts: int = 3) -> str:
    bounds = np.linspace(0, table.num_rows, parts + 1).astype(int)
    for i, (begin, end) in enumerate(itertools.pairwise(bounds)):
        pq.write_table(table.slice(begin, end - begin), folder / f"part{i}.parquet")
    return str(folder / "*.parquet")


def sources(folder: Path, table: pa.Table) -> dict[str, Any]:
    pattern = write_parquet(folder, table)
    pyarrow.feather.write_feather(table, folder / "all.arrow")
    dataset = ds.dataset(sorted(folder.glob("*.parquet")))
    return {
        "glob": pattern,
        "folder": folder,
        "list": sorted(folder.glob("*.parquet")),
        "ipc": folder / "all.arrow",
        "dataset": dataset,
        "table": table,
    }


@pytest.mark.parametrize("kind", ["glob", "list", "ipc", "dataset", "table"])
def test_arrow_sources(kind: str, tmp_path: Path, table: pa.Table, expected: Any) -> None:
    found = scale.fit(tree(), sources(tmp_path, table)[kind], memory_limit=LIMIT)
    assert_same_tree(found.tree_.core, expected.tree_.core)


def test_csv(tmp_path: Path) -> None:
    rows = make_table(500, 1)
    pyarrow.csv.write_csv(rows, tmp_path / "rows.csv")
    read = pyarrow.csv.read_csv(tmp_path / "rows.csv")
    found = scale.fit(tree(), tmp_path / "rows.csv", memory_limit=LIMIT)
    assert_same_tree(found.tree_.core, fit_in_memory(tree(), read).tree_.core)


def test_polars(table: pa.Table, expected: Any) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.from_arrow(table).lazy()
    found = scale.fit(tree(), frame, memory_limit=LIMIT)
    assert_same_tree(found.tree_.core, expected.tree_.core)


def test_duckdb(table: pa.Table, expected: Any) -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("rows", table)
    found = scale.fit(tree(), connection.sql("select * from rows"), memory_limit=LIMIT)
    assert_same_tree(found.tree_.core, expected.tree_.core)


def test_dictionaries_are_levels(table: pa.Table) -> None:
    coded = table.set_column(table.column_names.index("n1"), "n1", table["n1"].dictionary_encode())
    found = scale.fit(tree(), coded, memory_limit=LIMIT)
    assert_same_tree(found.tree_.core, fit_in_memory(tree(), coded).tree_.core)


def test_dates_and_their_parts() -> None:
    rng = np.random.default_rng(0)
    days = rng.integers(17_000, 19_000, 600)
    y = ((days % 7 == 2) | (days > 18_500)).astype(int) ^ (rng.random(600) < 0.1)
    rows = pa.table({"sold": days.astype("datetime64[D]"), "x": rng.normal(size=600), "y": y})
    found = scale.fit(tree(), rows, memory_limit=20_000)
    expected = fit_in_memory(tree(), rows)
    assert found.schema_ == expected.schema_
    assert_same_tree(found.tree_.core, expected.tree_.core)


def test_labels_are_those_of_the_source(table: pa.Table) -> None:
    words = pa.array(np.array(["no", "yes"])[table["y"].to_numpy()])
    named = table.set_column(table.column_names.index("y"), "y", words)
    found = scale.fit(tree(), named, memory_limit=LIMIT)
    assert found.classes_.tolist() == ["no", "yes"]


def test_with_memory_for_all_rows_everything_can_be_had(table: pa.Table) -> None:
    found = scale.fit(tree(pruning="auto", random_state=0), table, memory_limit="1GB")
    expected = fit_in_memory(tree(pruning="auto", random_state=0), table)
    assert_same_tree(found.tree_.core, expected.tree_.core)


def test_the_fitted_tree_is_like_any_other(tmp_path: Path, table: pa.Table) -> None:
    import ramify

    found = scale.fit(tree(), table, memory_limit=LIMIT)
    found.tree_.check()
    found.save(tmp_path / "model.json")
    X = table.drop_columns(["y"])
    np.testing.assert_array_equal(ramify.load(tmp_path / "model.json").predict(X), found.predict(X))
    assert found.prune(n_leaves=3).tree_.n_leaves <= 3
    assert "y" in found.tree_.to_text() or found.tree_.target == "y"


def test_pruning_at_a_price(table: pa.Table) -> None:
    pruning = CostComplexity(alpha=0.01)
    found = scale.fit(tree(pruning=pruning), table, memory_limit=LIMIT)
    expected = fit_in_memory(tree(pruning=pruning), table)
    assert_same_tree(found.tree_.core, expected.tree_.core)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"selection": "beyond_chance"}, "selection='beyond_chance' cannot be had out of core"),
        (
            {"pruning": BestFirst(time_limit=1.0)},
            r"pruning=BestFirst\(.*cannot be had.*memory_limit",
        ),
        ({"n_permutations": 3}, "n_permutations=3 cannot be had"),
    ],
    ids=lambda given: str(given)[:20],
)
def test_what_cannot_be_had_is_refused(
    parameters: dict[str, Any], message: str, table: pa.Table
) -> None:
    given = {"identifiers": "keep"} | parameters
    with pytest.raises(ValueError, match=message):
        scale.fit(TreeClassifier(**given), table, memory_limit=LIMIT)


def test_folds_need_rows_in_order(table: pa.Table) -> None:
    pl = pytest.importorskip("polars")
    with pytest.raises(ValueError, match="same order in every scan"):
        scale.fit(tree(pruning="auto"), pl.from_arrow(table).lazy(), memory_limit=LIMIT)


def test_other_estimators_are_refused(table: pa.Table) -> None:
    with pytest.raises(TypeError, match="only TreeClassifier and TreeRegressor"):
        scale.fit(BoostedTreesClassifier(), table)


@pytest.mark.parametrize("value", ["much", "-1GB", 0, "4 apples"])
def test_no_amount_of_memory(value: Any, table: pa.Table) -> None:
    with pytest.raises(ValueError, match=r"memory_limit=.*'4GB'"):
        scale.fit(tree(), table, memory_limit=value)


def test_columns_that_are_not_there(table: pa.Table) -> None:
    with pytest.raises(ValueError, match="target='Y' is not a column"):
        scale.fit(tree(), table, "Y")
    with pytest.raises(ValueError, match="weight='v' is not a column"):
        scale.fit(tree(), table, weight="v")


def test_sources_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        open_source(tmp_path / "none.parquet")
    with pytest.raises(TypeError, match=r"source is a builtins\.int"):
        open_source(3)
    (tmp_path / "rows.txt").write_text("a")
    with pytest.raises(ValueError, match=r"end in .txt; all must be of one kind"):
        open_source(tmp_path / "rows.txt")


# --- what may go wrong ----------------------------------------------------------------------------


def test_a_truncated_file(tmp_path: Path, table: pa.Table) -> None:
    pattern = write_parquet(tmp_path, table)
    file = tmp_path / "part1.parquet"
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(scale.SourceError, match="cannot be read"):
        scale.fit(tree(), pattern, memory_limit=LIMIT, spill=tmp_path)
    assert not list(tmp_path.glob("ramify-scale-*"))


def test_a_column_that_changes_its_type(tmp_path: Path, table: pa.Table) -> None:
    pattern = write_parquet(tmp_path, table)
    place = table.column_names.index("x0")
    other = table.slice(0, 50).set_column(place, "x0", pa.array(["text"] * 50))
    pq.write_table(other, tmp_path / "part1.parquet")
    with pytest.raises(scale.SourceError, match=r"column 'x0' is of type string in .*part1"):
        scale.fit(tree(), pattern, memory_limit=LIMIT)


@pytest.mark.parametrize("change", ["gone", "shorter", "longer"])
def test_files_that_change_between_scans(tmp_path: Path, table: pa.Table, change: str) -> None:
    pattern = write_parquet(tmp_path, table)
    file = tmp_path / "part2.parquet"

    def meddle(number: int, what: str) -> None:
        if number == 3 and change == "gone":
            file.unlink()
        elif number == 3:
            rows = table if change == "longer" else table.slice(0, 3)
            pq.write_table(rows, file)

    with pytest.raises(scale.SourceError, match=r"cannot be read|changed between scans"):
        scale.fit(tree(), pattern, memory_limit=LIMIT, progress=meddle, spill=tmp_path)
    assert not list(tmp_path.glob("ramify-scale-*"))


def test_spilled_rows_are_removed(tmp_path: Path, table: pa.Table) -> None:
    stale = tmp_path / "ramify-scale-stale"
    stale.mkdir()
    (stale / "lock").touch()
    seen = []

    def look(number: int, what: str) -> None:
        seen.append(len(list(tmp_path.glob("ramify-scale-*/*/*.arrow"))))

    scale.fit(tree(), table, memory_limit=15_000, spill=tmp_path, progress=look)
    assert max(seen) > 0
    assert not list(tmp_path.iterdir())


# --- predictions ----------------------------------------------------------------------------------


def test_a_folder_of_a_fit_that_was_killed_before_its_lock_is_removed(
    tmp_path: Path, table: pa.Table
) -> None:
    (tmp_path / "ramify-scale-killed").mkdir()
    scale.fit(TreeClassifier(max_depth=2), table, memory_limit=30_000, spill=tmp_path)
    assert not list(tmp_path.iterdir())


def test_predictions_from_parquet_to_parquet(tmp_path: Path, table: pa.Table) -> None:
    pattern = write_parquet(tmp_path, table)
    clf = fit_in_memory(tree(), table)
    rows = scale.predict(clf, pattern, tmp_path / "out.parquet", proba=True, keep=["x0"])
    written = pq.read_table(tmp_path / "out.parquet")
    X = table.drop_columns(["y"])
    assert rows == table.num_rows
    np.testing.assert_array_equal(written["prediction"].to_numpy(), clf.predict(X))
    np.testing.assert_allclose(written["probability of 1"].to_numpy(), clf.predict_proba(X)[:, 1])
    assert written["x0"].equals(table["x0"])
    assert not list(tmp_path.glob(".out*"))


def test_every_model_predicts(table: pa.Table) -> None:
    X = table.select(["x0", "x1"])
    model = BoostedTreesClassifier(n_rounds=3).fit(X, table["y"].to_numpy())
    found = [batch["prediction"].to_numpy() for batch in scale.predict(model, table)]
    np.testing.assert_array_equal(np.concatenate(found), model.predict(X))


def test_a_failed_prediction_leaves_nothing(tmp_path: Path, table: pa.Table) -> None:
    clf = fit_in_memory(tree(), table)
    with pytest.raises(ValueError, match="has no column 'n0'"):
        scale.predict(clf, table.drop_columns(["n0"]), tmp_path / "out.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("memory", ["20KB", "1GB"])
@pytest.mark.parametrize("numbers", [False, True])
def test_validation_cuts_the_tree_back(memory: str, numbers: bool) -> None:
    rng = np.random.default_rng(5)

    def rows(count: int) -> Any:
        x, z = rng.normal(size=count), rng.normal(size=count)
        y = (x > 0) * 3.0 + rng.normal(size=count)
        labels = np.where(rng.random(count) < 0.15, x <= 0, x > 0)
        return pa.table({"x": x, "z": z, "y": y if numbers else np.where(labels, "yes", "no")})

    grown, other = rows(3000), rows(1000)
    estimator = TreeRegressor() if numbers else TreeClassifier()
    whole = scale.fit(clone(estimator), grown, memory_limit=memory)
    cut = scale.fit(estimator, grown, memory_limit=memory, validation=other)
    assert cut is estimator
    assert cut.tree_.n_leaves <= 8 < whole.tree_.n_leaves
    y = np.array(other["y"].to_pylist())
    inputs = other.drop_columns(["y"])
    assert cut.score(inputs, y) > whole.score(inputs, y)
    # No tree of the path is smaller and as good.
    assert cut.prune(n_leaves=whole.tree_.n_leaves).tree_.n_leaves == whole.tree_.n_leaves


def test_validation_goes_without_pruning() -> None:
    table = pa.table({"x": [1.0, 2.0], "y": ["a", "b"]})
    with pytest.raises(ValueError, match="validation cuts the tree back, and so does pruning="):
        scale.fit(TreeClassifier(pruning="auto"), table, validation=table)
    with pytest.raises(ValueError, match=r"validation: .* has no column 'x'"):
        scale.fit(TreeClassifier(), table, validation=table.drop_columns(["x"]))


def test_a_scan_reads_the_columns_that_it_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[list[str]] = []
    batches = TablePartition.batches

    def watched(self: TablePartition, columns: Any) -> Any:
        read.append(list(columns))
        return batches(self, columns)

    monkeypatch.setattr(TablePartition, "batches", watched)
    rng = np.random.default_rng(0)
    table = pa.table({f"x{j}": rng.normal(size=3000) for j in range(6)})
    table = table.append_column("y", pa.array(table["x2"].to_numpy() > 0.3))
    compare(TreeClassifier(max_depth=2), table, 60_000, 2)
    assert table.column_names in read
    # The best splits of some columns are found by counts alone.
    assert any("y" in columns and len(columns) < 5 for columns in read)
