"""Spark, with two local workers, grows the tree in memory."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, make_table

from ramify import TreeClassifier, TreeRegressor, scale

pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("there is no java", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
LIMIT = 100_000


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
        # Compiled quickly: half of the time of so short a life went into compiling well.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def tree(**parameters: Any) -> TreeClassifier:
    return TreeClassifier(identifiers="keep", max_depth=3, **parameters)


def test_spark(spark: Any, tmp_path: Path) -> None:
    """All of it is one test, so that one process starts one Java machine."""
    _same_trees(spark)
    _lazy_predictions(spark)
    _errors(spark, tmp_path)


def _same_trees(spark: Any) -> None:
    number = TreeRegressor(identifiers="keep", max_depth=3)
    for estimator, made in (
        (tree(criterion="entropy", missing="direction"), {"classes": 3, "missing": 0.1}),
        (number, {"numbers": True, "weighted": True}),
    ):
        table = make_table(900, 3, numeric=2, **made)
        weight = "w" if "weighted" in made else None
        frame = spark.createDataFrame(table).repartition(2)
        scans: list[str] = []
        found = scale.fit(
            estimator,
            frame,
            weight=weight,
            memory_limit=LIMIT,
            progress=lambda number, what, scans=scans: scans.append(what),  # type: ignore[misc]
        )
        assert "counts" in scans
        expected = fit_in_memory(type(estimator)(**estimator.get_params()), table)
        assert_same_tree(found.tree_.core, expected.tree_.core)
    # With memory enough all rows come here.
    found = scale.fit(estimator, frame, weight=weight)
    assert_same_tree(found.tree_.core, expected.tree_.core)


def _lazy_predictions(spark: Any) -> None:
    table = make_table(300, 4)
    named = table.set_column(5, "y", pa.array(np.array(["no", "yes"])[table["y"].to_numpy()]))
    model = fit_in_memory(tree(), named)
    lazy = scale.predict(model, spark.createDataFrame(named), proba=True, keep=["x0"])
    assert lazy.columns == ["x0", "prediction", "probability of no", "probability of yes"]
    found = lazy.toArrow().sort_by("x0")
    told = model.predict(named.sort_by("x0").drop_columns(["y"]))
    np.testing.assert_array_equal(found["prediction"].to_numpy(), told)


def _errors(spark: Any, folder: Path) -> None:
    table = make_table(300, 4)
    holes = table.set_column(3, "n0", pa.array([None, *table["n0"].to_pylist()[1:]]))
    spoilt = spark.createDataFrame(holes)
    with pytest.raises(ValueError, match="Input y contains NaN: every row needs a class"):
        scale.fit(tree(), spoilt, "n0", memory_limit=LIMIT)
    for i in range(2):
        pq.write_table(table.slice(150 * i, 150), folder / f"part{i}.parquet")
    frame = spark.read.parquet(str(folder))
    file = folder / "part1.parquet"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(scale.SourceError, match=r"the Spark frame cannot be read:.*part1"):
        scale.fit(tree(), frame, memory_limit=LIMIT, spill=folder)
    assert not list(folder.glob("ramify-scale-*"))
