"""Trees that ask for dates, parts of dates and pooled levels: exports answer as `predict` does."""

from __future__ import annotations

import ctypes
import datetime as dt
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ramify import TreeClassifier, TreeRegressor
from ramify.export import to_c, to_onnx, to_pmml, to_python, to_sql


def make(seed: int, n: int = 300) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(seed)
    sold = pd.Timestamp("2017-11-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    X = pd.DataFrame(
        {
            "sold": sold,
            "at": sold + pd.to_timedelta(rng.integers(0, 86_400, n), unit="s"),
            "town": rng.choice([*"RRRRRROOOOOOabcdefgh"], n),
        }
    )
    y = (sold.month > 5) * 2.0 + (X["at"].dt.hour > 14) + (X["at"].dt.day_of_week > 3) * 0.7
    y += (sold > "2018-10-02") * 1.5 + (~X["town"].isin(["R", "O"])) * 3.0
    X.loc[rng.random(n) < 0.05, ["sold", "town"]] = None
    return X, y + rng.normal(scale=0.1, size=n)


X, Y = make(0)
NEW = make(1, 200)[0].assign(town=lambda f: f["town"].where(f["town"] != "a", "Paris"))
TREE = TreeRegressor(max_depth=6, min_level_count=25).fit(X, Y)


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {name: None if pd.isna(cell) else cell for name, cell in row.items()}
        for row in frame.to_dict("records")
    ]


def test_the_tree_asks_for_all_of_it() -> None:
    text = TREE.tree_.to_text()
    for words in ("month of sold", "hour of at", "(other)", "sold <"):
        assert words in text


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    query = to_sql(TREE, "duckdb", table="new")
    new = NEW.astype({"town": object})
    assert "DATE '" in query and "EXTRACT(MONTH FROM" in query
    found = duckdb.connect().register("new", new).sql(query).fetchnumpy()["prediction"]
    np.testing.assert_allclose(found, TREE.predict(NEW), rtol=1e-12)


def test_sqlite() -> None:
    base = sqlite3.connect(":memory:")
    text = NEW.assign(
        sold=NEW["sold"].dt.strftime("%Y-%m-%d"), at=NEW["at"].dt.strftime("%Y-%m-%d %H:%M:%S")
    ).astype(object)
    text.where(text.notna(), None).to_sql("new", base, index=False)
    found = [row[-1] for row in base.execute(to_sql(TREE, "sqlite", table="new"))]
    np.testing.assert_allclose(found, TREE.predict(NEW), rtol=1e-12)


def test_python() -> None:
    module: dict[str, Any] = {}
    exec(to_python(TREE), module)
    found = [module["predict"](row) for row in rows_of(NEW)]
    np.testing.assert_array_equal(found, TREE.predict(NEW))
    texts = [
        {k: str(v) if k != "town" and v is not None else v for k, v in row.items()}
        for row in rows_of(NEW)
    ]
    np.testing.assert_array_equal([module["predict"](row) for row in texts], found)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c(tmp_path: Path) -> None:
    (tmp_path / "tree.c").write_text(to_c(TREE))
    library = tmp_path / "tree.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "tree.c"], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.tree_predict.restype = ctypes.c_double
    loaded.tree_level.argtypes = [ctypes.c_int, ctypes.c_char_p]
    table = TREE.read(NEW)
    asked = sorted(set(TREE.tree_.data["attribute"][TREE.tree_.data["n_children"] > 0].tolist()))
    for i, expected in enumerate(TREE.predict(NEW).tolist()):
        cells = [float(table.column(j)[i]) for j in asked]
        for place, j in enumerate(asked):
            if TREE.schema_.columns[j].name == "town":
                town = NEW["town"].iloc[i]
                raw = None if pd.isna(town) else town.encode()
                assert loaded.tree_level(place, raw) == cells[place]
        assert loaded.tree_predict((ctypes.c_double * len(cells))(*cells)) == expected


def test_onnx() -> None:
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    session = runtime.InferenceSession(to_onnx(TREE).SerializeToString())
    table = TREE.read(NEW)
    feeds: dict[str, Any] = {}
    for j, column in enumerate(TREE.schema_.columns):
        if column.name == "town":
            cells = NEW["town"].fillna("").to_numpy(dtype=object)
        elif column.kind == "numeric" or column.part == "hour":
            cells = table.column(j).astype(float)
            cells[table.missing(j)] = np.nan
        else:
            cells = np.array([*column.levels, ""], dtype=object)[table.column(j)]
        feeds[column.name] = cells.reshape(-1, 1)
    wanted = {one.name for one in session.get_inputs()}
    found = session.run(["label"], {k: v for k, v in feeds.items() if k in wanted})[0]
    np.testing.assert_allclose(found, TREE.predict(NEW), rtol=1e-6)


def test_pmml_derives_the_pooled_level() -> None:
    text = to_pmml(TREE)
    assert '<DerivedField name="town pooled"' in text
    assert '<Apply function="isIn"><FieldRef field="town"/>' in text
    assert '<DataField name="sold" optype="continuous" dataType="double"/>' in text


def test_durations_and_times_of_day_in_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(3)
    took = [dt.timedelta(seconds=int(s)) for s in rng.integers(0, 10**6, 80)]
    clock = [dt.time(int(h), 30) for h in rng.integers(0, 24, 80)]
    zoned = [dt.datetime(2020, 1, 1, int(h), tzinfo=dt.UTC) for h in rng.integers(0, 24, 80)]
    table = pa.table({"took": took, "clock": clock, "zoned": zoned})
    y = [
        (a > dt.timedelta(days=5)) * 2 + (b > dt.time(9)) * 4 + (c.hour > 11)
        for a, b, c in zip(took, clock, zoned, strict=True)
    ]
    tree = TreeClassifier().fit(table, y)
    query = to_sql(tree, "duckdb", table="new")
    found = duckdb.connect().register("new", table).sql(query).fetchnumpy()["prediction"]
    np.testing.assert_array_equal(found, tree.predict(table))
