"""`ramify predict` of many files, or on a cluster: Parquet in, any format out, batch by batch."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ramify.cli import output as out
from ramify.cli.large.engines import cluster_frame
from ramify.cli.large.options import EngineOptions
from ramify.cli.large.rows import batches_within, open_rows
from ramify.cli.large.scans import count_text, ended_by_sigterm
from ramify.cli.options import ColumnOptions, FileOptions
from ramify.scale.sources import RowSource
from ramify.support.suggest import unknown_column


def predicted_blocks(
    estimator: Any,
    file: Path,
    form: FileOptions,
    engine: EngineOptions,
    *,
    kept: Collection[str],
    heading: Mapping[str, str],
    proba: bool,
    as_arrow: bool,
) -> Iterator[dict[str, Any]]:
    """Predict files batch by batch; columns have the names that `heading` gives them.

    The cells are arrays of numpy, or of Arrow for a file that keeps their types.
    """
    from ramify import scale
    from ramify.scale.memory import read_memory

    source = open_rows(file, form, ColumnOptions())
    memory = read_memory("memory", engine.limit)
    rows, done = source.expected_rows, 0
    _check_inputs(estimator, source)
    with ended_by_sigterm(), out.bar(f"predicting {file.name}") as progress:
        small = batches_within(source, memory)
        for batch in scale.predict(estimator, small, proba=proba, keep=list(kept)):
            done += batch.num_rows
            if rows:
                progress(done / rows, f"predicting {count_text(done)} of {count_text(rows)} rows")
            columns = {heading.get(name, name): batch.column(name) for name in batch.schema.names}
            yield columns if as_arrow else {name: _cells(one) for name, one in columns.items()}


def predict_on_cluster(
    estimator: Any,
    file: Path,
    output: Path,
    form: FileOptions,
    engine: EngineOptions,
    *,
    kept: Collection[str],
    heading: Mapping[str, str],
    proba: bool,
) -> None:
    """Predict on Dask or Spark, to a folder of Parquet files that the workers write.

    The folder has its name when all of it is written.
    """
    from ramify import scale

    option = "--dask" if engine.dask is not None else "--spark"
    if output.exists():
        raise ValueError(f"--output {output}: it is there already; {option} writes a new folder")
    part = output.with_name(f".{output.name}.part").absolute()
    shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
    try:
        with ended_by_sigterm(), cluster_frame(engine, file, form, ColumnOptions()) as frame:
            with out.busy(f"predicting {file.name} by {option[2:]}"):
                found = scale.predict(estimator, frame, proba=proba, keep=list(kept))
                if engine.dask is not None:
                    found.rename(columns=dict(heading)).to_parquet(str(part), write_index=False)
                else:
                    for old, new in heading.items():
                        found = found.withColumnRenamed(old, new)
                    found.write.parquet(str(part))
            part.rename(output)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _check_inputs(estimator: Any, source: RowSource) -> None:
    schema = estimator.schema_
    names = source.schema.names
    if not schema.named:
        return
    for name in schema.input_names:
        if name not in names:
            raise unknown_column(name, names)


def _cells(column: pa.Array) -> Any:
    """Give a column as the writers take it: numbers, or objects with None where missing."""
    kind = column.type
    if pa.types.is_floating(kind) or (pa.types.is_integer(kind) and not column.null_count):
        return column.to_numpy(zero_copy_only=False)
    cells = np.empty(len(column), dtype=object)
    cells[:] = column.to_pylist()
    return cells
