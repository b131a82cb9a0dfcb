"""`predict`: the answers of any model, batch by batch, from a source to a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ramify.learning.model import TableModel
from ramify.scale.executors import batches_of
from ramify.scale.opening import open_any
from ramify.scale.sources import RowSource
from ramify.support.writer import open_bytes


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
    source : path, glob, list of paths, Dataset, Table, LazyFrame, relation or DataFrame
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
    int, iterator or DataFrame
        The number of rows written, or the batches; of a DataFrame of Dask or Spark a lazy one of
        the same kind.

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
    opened = open_any(source)
    answers = Answers.of(model, opened, proba, keep or [])
    lazily = getattr(opened.partitions[0], "answered", None)
    if lazily is not None:
        if output is not None:
            raise ValueError(
                f"output={os.fspath(output)!r}: the answer to {opened.name} is a lazy frame of the "
                "same kind; leave output out, and write that frame"
            )
        return lazily(answers)
    batches = _answered(answers, opened)
    if output is None:
        return batches
    rows = 0
    # The file has its name when all of it is written.
    with open_bytes(output) as file, pq.ParquetWriter(file, answers.schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
        if not rows:
            raise ValueError("the source has no rows to predict")
    return rows


@dataclass(frozen=True)
class Answers:
    """Answers batches. It is sent to workers.

    Parameters
    ----------
    model : TableModel
    inputs : list of str
        The columns that the model reads.
    proba : bool
    keep : list of str
    schema : pyarrow.Schema
        The columns of the answers, those of `keep` first.
    """

    model: TableModel
    inputs: list[str]
    proba: bool
    keep: list[str]
    schema: pa.Schema

    @classmethod
    def of(cls, model: TableModel, rows: RowSource, proba: bool, keep: list[str]) -> Answers:
        """Check the columns of a source."""
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
        labels: Any = getattr(model, "classes_", None)
        fields = [rows.schema.field(name) for name in keep]
        kind = pa.float64() if labels is None else pa.array(labels).type
        fields.append(pa.field("prediction", kind))
        if proba:
            fields += [pa.field(f"probability of {label}", pa.float64()) for label in labels]
        return cls(model, list(inputs), proba, keep, pa.schema(fields))

    @property
    def columns(self) -> list[str]:
        """The columns of the source that are read."""
        return list(dict.fromkeys([*self.inputs, *self.keep]))

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Answer the rows of a batch."""
        model: Any = self.model
        table: Any = pa.Table.from_batches([batch.select(self.inputs)])
        if not model.schema_.named:
            table = np.column_stack([column.to_numpy() for column in table.columns])
        found = [batch.column(name) for name in self.keep]
        found.append(pa.array(model.predict(table), self.schema.field("prediction").type))
        if self.proba:
            shares = model.predict_proba(table)
            found += [pa.array(np.ascontiguousarray(shares[:, j])) for j in range(shares.shape[1])]
        return pa.RecordBatch.from_arrays(found, self.schema.names)


def _answered(answers: Answers, rows: RowSource) -> Iterator[pa.RecordBatch]:
    for partition in rows.partitions:
        with closing(batches_of(partition, answers.columns, rows.name)) as batches:
            for batch in batches:
                if batch.num_rows:
                    yield answers(batch)
