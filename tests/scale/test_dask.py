"""Dask grows the tree in memory, on two worker processes, and survives the loss of one."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pyarrow as pa
import pytest
from helpers.scale_data import assert_same_tree, fit_in_memory, make_table

from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor, scale
from ramify.pruning import ErrorBased

dd = pytest.importorskip("dask.dataframe", reason="dask is not installed")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")
from ramify.scale.dask import Dask  # noqa: E402
from ramify.scale.opening import open_any  # noqa: E402

cloudpickle.register_pickle_by_value(sys.modules[__name__])

LIMIT = 60_000


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    where = str(tmp_path_factory.mktemp("dask"))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=where
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def frame_of(table: pa.Table, parts: int = 3) -> Any:
    return dd.from_pandas(table.to_pandas(), npartitions=parts, sort=False)


def expected_tree(estimator: Any, table: pa.Table) -> Any:
    """Fit to the same pandas frame in memory."""
    rows = table.to_pandas()
    weights = rows["w"].to_numpy() if "w" in rows else None
    X = rows.drop(columns=[name for name in ("y", "w") if name in rows])
    return type(estimator)(**estimator.get_params()).fit(X, rows["y"].to_numpy(), weights)


@pytest.mark.parametrize(
    ("estimator", "made"),
    [
        (TreeClassifier(), {}),
        (TreeClassifier(criterion="entropy", categorical_split="multiway"), {"classes": 3}),
        (TreeClassifier(criterion="gain_ratio"), {"missing": 0.1}),
        (TreeClassifier(missing="direction", class_weight="balanced"), {"missing": 0.1}),
        (TreeClassifier(growth="best_first", max_leaves=9), {"weighted": True}),
        (TreeRegressor(), {"numbers": True, "weighted": True}),
        (TreeRegressor(missing="separate"), {"numbers": True, "missing": 0.1}),
        (TreeClassifier(pruning=ErrorBased()), {"missing": 0.1}),
        (TreeClassifier(pruning="mdl"), {}),
    ],
    ids=str,
)
def test_the_tree_is_that_in_memory(client: Any, estimator: Any, made: dict[str, Any]) -> None:
    table = make_table(1200, 3, **made)
    estimator.set_params(identifiers="keep", max_depth=4)
    weight = "w" if "weighted" in made else None
    scans: list[str] = []
    found = scale.fit(
        estimator,
        frame_of(table),
        weight=weight,
        memory_limit=2 * LIMIT,
        executor=Dask(client),
        progress=lambda number, what: scans.append(what),
    )
    assert "counts" in scans
    assert_same_tree(found.tree_.core, expected_tree(estimator, table).tree_.core)


def tree(**parameters: Any) -> TreeClassifier:
    return TreeClassifier(identifiers="keep", max_depth=3, **parameters)


def test_categories_dates_and_objects(client: Any) -> None:
    table = make_table(900, 4)
    rows = table.to_pandas()
    rows["sold"] = np.datetime64("2024-01-01") + np.arange(900) % 500 * np.timedelta64(1, "D")
    rows["coded"] = rows["n0"].astype("category")
    rows["plain"] = rows.pop("n1").astype(object)
    rows.index = np.arange(900)[::-1] * 3
    frame = dd.from_pandas(rows, npartitions=4, sort=False)
    found = scale.fit(tree(), frame, memory_limit=LIMIT, executor=Dask(client))
    expected = tree().fit(rows.drop(columns="y"), rows["y"].to_numpy())
    assert_same_tree(found.tree_.core, expected.tree_.core)
    # With memory enough all rows come here.
    found = scale.fit(tree(), frame, executor=Dask(client))
    assert_same_tree(found.tree_.core, expected.tree_.core)


def test_the_current_client_and_none(client: Any) -> None:
    table = make_table(900, 5)
    expected = expected_tree(tree(), table)
    with client.as_current():
        frame = frame_of(table).persist()
        found = scale.fit(tree(), frame, memory_limit=LIMIT)
        assert open_any(frame).executor.client is client
    assert_same_tree(found.tree_.core, expected.tree_.core)
    assert open_any(frame_of(table)).executor is None
    alone = scale.fit(tree(), frame_of(table), memory_limit=LIMIT)
    assert_same_tree(alone.tree_.core, expected.tree_.core)


def test_files_are_read_by_the_workers(client: Any, tmp_path: Path) -> None:
    table = make_table(900, 6)
    frame_of(table).to_parquet(tmp_path / "rows", write_index=False)
    frame = dd.read_parquet(tmp_path / "rows")
    found = scale.fit(tree(), frame, memory_limit=LIMIT, executor=Dask(client))
    assert_same_tree(found.tree_.core, expected_tree(tree(), table).tree_.core)
    found = scale.fit(tree(), tmp_path / "rows", memory_limit=LIMIT, executor=Dask(client))
    assert_same_tree(found.tree_.core, expected_tree(tree(), table).tree_.core)


def test_predictions_are_a_lazy_frame(client: Any) -> None:
    table = make_table(600, 7, missing=0.05)
    named = table.set_column(5, "y", pa.array(np.array(["no", "yes"])[table["y"].to_numpy()]))
    X, frame = named.drop_columns(["y"]), frame_of(named)
    model = fit_in_memory(tree(), named)
    lazy = scale.predict(model, frame, proba=True, keep=["n0"])
    assert type(lazy) is type(frame)
    found = client.compute(lazy).result()
    assert (found.dtypes == lazy.dtypes).all()
    assert list(found.columns) == ["n0", "prediction", "probability of no", "probability of yes"]
    np.testing.assert_array_equal(found["prediction"], model.predict(X))
    np.testing.assert_array_equal(found["probability of yes"], model.predict_proba(X)[:, 1])
    boosted = BoostedTreesClassifier(n_rounds=3).fit(X, named["y"].to_pylist())
    answers = scale.predict(boosted, frame).compute()
    np.testing.assert_array_equal(answers["prediction"], boosted.predict(X))
    with pytest.raises(ValueError, match=r"output='out.parquet'.*lazy frame"):
        scale.predict(model, frame, "out.parquet")


# --- faults ---------------------------------------------------------------------------------------


def die_once(part: Any, flag: Path) -> Any:
    """Kill the worker, the first time that the flag is up."""
    if flag.exists():
        flag.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def always_die(part: Any) -> Any:
    """Kill every worker that reads the partition."""
    os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.mark.parametrize("scan", [1, 3, 4])
def test_a_worker_that_dies_in_a_scan(client: Any, tmp_path: Path, scan: int) -> None:
    table = make_table(900, 8)
    flag = tmp_path / "flag"
    frame = frame_of(table, 4)
    frame = frame.map_partitions(die_once, flag, meta=frame._meta)

    def raise_flag(number: int, what: str) -> None:
        if number == scan:
            flag.touch()

    found = scale.fit(tree(), frame, memory_limit=LIMIT, executor=Dask(client), progress=raise_flag)
    assert not flag.exists()
    assert_same_tree(found.tree_.core, expected_tree(tree(), table).tree_.core)


def test_a_worker_that_dies_with_its_partitions(client: Any) -> None:
    table = make_table(900, 9)
    frame = client.persist(frame_of(table, 4))
    with client.as_current():
        distributed.wait(frame)

    def kill(number: int, what: str) -> None:
        if number == 3:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    found = scale.fit(tree(), frame, memory_limit=LIMIT, executor=Dask(client), progress=kill)
    assert_same_tree(found.tree_.core, expected_tree(tree(), table).tree_.core)


def test_workers_that_always_die(client: Any, tmp_path: Path) -> None:
    import dask

    frame = frame_of(make_table(900, 8))
    frame = frame.map_partitions(always_die, meta=frame._meta)
    client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0))
    try:
        with pytest.raises(scale.SourceError, match=r"the Dask frame cannot be read.*died"):
            scale.fit(tree(), frame, memory_limit=LIMIT, executor=Dask(client), spill=tmp_path)
    finally:
        usual = dask.config.get("distributed.scheduler.allowed-failures")
        client.run_on_scheduler(
            lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", usual)
        )
    assert not list(tmp_path.iterdir())


def test_a_partition_of_another_type(client: Any) -> None:
    table = make_table(900, 8)
    frame = frame_of(table)

    def spoil(part: Any) -> Any:
        return part.assign(x1="text") if part.index[0] > 0 else part

    spoilt = frame.map_partitions(spoil, meta=frame._meta)
    for executor in (Dask(client), None):
        with pytest.raises(scale.SourceError, match=r"column 'x1' is float in the Dask frame, but"):
            scale.fit(tree(), spoilt, memory_limit=LIMIT, executor=executor)


def test_errors_of_the_task_are_raised_as_they_are(client: Any) -> None:
    rows = make_table(300, 8).to_pandas()
    rows.loc[250, "n1"] = None
    frame = dd.from_pandas(rows, npartitions=2)
    with pytest.raises(ValueError, match="Input y contains NaN: every row needs a class"):
        scale.fit(tree(), frame, "n1", memory_limit=LIMIT, executor=Dask(client))


def test_frames_that_change_between_scans(client: Any, tmp_path: Path) -> None:
    table = make_table(900, 8)
    flag = tmp_path / "flag"

    def change(part: Any) -> Any:
        return part.assign(x2=-part["x2"]) if flag.exists() else part

    frame = frame_of(table)
    frame = frame.map_partitions(change, meta=frame._meta)

    def raise_flag(number: int, what: str) -> None:
        if number == 3:
            flag.touch()

    with pytest.raises(scale.SourceError, match=r"'x2'.*changed between scans"):
        scale.fit(tree(), frame, memory_limit=LIMIT, executor=Dask(client), progress=raise_flag)


def test_folds_are_refused(client: Any) -> None:
    frame = frame_of(make_table(900, 8))
    with pytest.raises(ValueError, match=r"pruning='auto' cannot be had.*in the same order"):
        scale.fit(tree(pruning="auto"), frame, memory_limit=LIMIT, executor=Dask(client))


def test_without_a_client_no_executor() -> None:
    with pytest.raises(ValueError, match="client=None: there is no current"):
        Dask()
