"""What a user gives as a source: rows on this machine, or a frame of an engine.

An engine is imported only if a frame of it is given.
"""

from __future__ import annotations

from typing import Any

from ramify.scale.sources import RowSource, open_source


def open_any(source: Any, executor: Any = None) -> RowSource:
    """Open a source of any kind.

    Parameters
    ----------
    source : object
        A DataFrame of Dask or Spark, or what `open_source` opens.
    executor : Executor or None
        Who counts, if the user said that: its client also reads a Dask frame.
    """
    kind = type(source).__module__
    if kind.startswith("dask.") and hasattr(source, "to_delayed"):
        from ramify.scale.dask import dask_source

        return dask_source(source, getattr(executor, "client", None))
    if kind.startswith("pyspark.") and hasattr(source, "mapInArrow"):
        from ramify.scale.spark import spark_source

        return spark_source(source)
    return open_source(source)
