"""Where scans run: a Dask cluster or Spark, with the files as their workers read them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ramify.cli.large.options import EngineOptions, files_of
from ramify.cli.options import ColumnOptions, FileOptions
from ramify.support.suggest import unknown_column

#: Seconds to wait for a cluster.
_PATIENCE = 30


@contextmanager
def cluster_frame(
    options: EngineOptions, file: Path, form: FileOptions, columns: ColumnOptions
) -> Iterator[Any]:
    """Give the files as a frame of Dask or Spark, without the columns to ignore."""
    option = "--dask" if options.dask is not None else "--spark"
    files = files_of(file)
    if Path(files[0]).suffix.lower() not in (".parquet", ".pq"):
        raise ValueError(
            f"{option}: {files[0]} is no Parquet file; workers read Parquet files only, and "
            "--memory reads other files on this machine"
        )
    for name in ("delimiter", "decimal", "encoding", "na", "no_header", "sheet"):
        if getattr(form, name):
            raise ValueError(f"--{name.replace('_', '-')} is for text files, not for {files[0]}")
    if columns.numeric:
        raise ValueError(
            f"--numeric {columns.numeric[0]} does not go with {option}: Parquet files say what "
            "their columns hold"
        )
    ignored = list(columns.ignore or ())
    with _dask(options, files) if options.dask is not None else _spark(options, files) as frame:
        names = list(frame.columns)
        for name in ignored:
            if name not in names:
                raise unknown_column(name, names, what="--ignore: column")
        kept = [name for name in names if name not in ignored]
        yield frame[kept] if ignored else frame  # both engines choose columns by a list


def divide_frame(options: EngineOptions, frame: Any, share: float) -> tuple[Any, Any]:
    """Give the rows to grow from, as a frame, and a share of all rows, as a table in memory.

    The division is made anew in every scan, from the same seed, so it is always the same.
    """
    import pyarrow as pa

    if share <= 0.0:
        return frame, None
    shares, seed = [1.0 - share, share], 0
    if options.dask is not None:
        grown, held_out = frame.random_split(shares, random_state=seed)
        return grown, pa.Table.from_pandas(held_out.compute(), preserve_index=False)
    grown, held_out = frame.randomSplit(shares, seed)
    return grown, held_out.toArrow()


@contextmanager
def _dask(options: EngineOptions, files: list[str]) -> Iterator[Any]:
    distributed: Any = importlib.import_module("distributed")
    frames: Any = importlib.import_module("dask.dataframe")
    try:
        client = distributed.Client(options.dask, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"--dask {options.dask}: no scheduler answers ({error}); start one by: dask scheduler"
        ) from error
    with client:
        yield frames.read_parquet(files)


@contextmanager
def _spark(options: EngineOptions, files: list[str]) -> Iterator[Any]:
    sql: Any = importlib.import_module("pyspark.sql")
    builder = sql.SparkSession.builder.master(options.spark).appName("ramify")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    try:
        session = builder.getOrCreate()
    except Exception as error:  # of Java, or of the gateway to it
        first = str(error).strip().partition("\n")[0]
        raise ValueError(
            f"--spark {options.spark}: Spark does not start ({first:.200}); it needs Java 17, and "
            "a master such as local[2] or spark://HOST:7077"
        ) from error
    try:
        session.sparkContext.setLogLevel("ERROR")
        yield session.read.parquet(*map(str, map(Path.absolute, map(Path, files))))
    finally:
        session.stop()
