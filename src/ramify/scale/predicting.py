"""`predict`: the answers of any model, batch by batch, from a source to a Parquet file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ramify.learning.model import TableModel
from ramify.scale.executors import read_ahead
from ramify.scale.sources import open_source


def predict(
    model: Any,
    source: Any,
    output: str | os.PathLike[str] | None = None,
    *,
    proba: bool = False,
    keep: list[str] | None = None,
) -> Any:
    """Predict every row of a source, in bounded memory.

    Parameters
    ----------
    model : estimator
        Any fitted model of the library.
    source : path, glob, list of paths, Dataset, Table, LazyFrame or relation
        It has the columns of the training data by name; others are passed over.
    output : path or None
        The Parquet file to write; an existing file is replaced once all rows are predicted. None
        gives an iterator of record batches.
    proba : bool, default=False
        Whether a classifier also gives the probability of every class, as "probability of CLASS".
    keep : list of str or None
        Columns of the source to copy beside the predictions, such as a key.

    Returns
    -------
    int or iterator
        The number of rows written, or the batches.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from ramify import TreeClassifier, scale
    >>> rows = pa.table({"a": [1.0, 2.0, 3.0, 4.0], "y": ["no", "no", "yes", "yes"]})
    >>> clf = scale.fit(TreeClassifier(), rows)
    >>> next(scale.predict(clf, rows))["prediction"].to_pylist()
    ['no', 'no', 'yes', 'yes']
    """
    if not isinstance(model, TableModel):
        raise TypeError(f"model is a {type(model).__name__}, not a model of ramify")
    if proba and not hasattr(model, "predict_proba"):
        raise ValueError(f"proba=True: a {type(model).__name__} has no probabilities")
    batches = _answers(model, source, proba, keep or [])
    if output is None:
        return batches
    path = Path(output)
    handle, partial = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent or None)
    os.close(handle)
    rows = 0
    try:
        writer = None
        for batch in batches:
            if writer is None:
                writer = pq.ParquetWriter(partial, batch.schema)
            writer.write_batch(batch)
            rows += batch.num_rows
        if writer is None:
            raise ValueError("the source has no rows to predict")
        writer.close()
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    return rows


def _answers(
    model: TableModel, source: Any, proba: bool, keep: list[str]
) -> Iterator[pa.RecordBatch]:
    rows = open_source(source)
    names = rows.schema.names
    inputs = model.schema_.input_names
    if not model.schema_.named:
        inputs = [name for name in names if name not in keep][: len(inputs)]
    missing = [name for name in [*inputs, *keep] if name not in names]
    if missing:
        raise ValueError(
            f"{rows.name} has no column {missing[0]!r}, which the model reads; it has "
            f"{', '.join(map(repr, names[:20]))}"
        )
    columns = list(dict.fromkeys([*inputs, *keep]))
    for partition in rows.partitions:
        batches = read_ahead(partition.batches(columns), rows.name)
        try:
            for batch in batches:
                if batch.num_rows:
                    yield _answer(model, batch, inputs, proba, keep)
        finally:
            batches.close()


def _answer(
    model: TableModel, batch: pa.RecordBatch, inputs: list[str], proba: bool, keep: list[str]
) -> pa.RecordBatch:
    table: Any = pa.Table.from_batches([batch.select(inputs)])
    if not model.schema_.named:
        table = np.column_stack([column.to_numpy() for column in table.columns])
    found = {name: batch.column(name) for name in keep}
    found["prediction"] = pa.array(model.predict(table))
    if proba:
        shares = model.predict_proba(table)
        for j, label in enumerate(model.classes_):
            found[f"probability of {label}"] = pa.array(np.ascontiguousarray(shares[:, j]))
    return pa.RecordBatch.from_pydict(found)
