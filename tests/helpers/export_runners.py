"""Runs every export on the rows of a table and gives its answers.

An answer is a tuple of labels (or numbers), class shares (None in regression) and leaves (None
where the export does not say them).
"""

from __future__ import annotations

import ctypes
import math
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles.pmml import PmmlTree

from helpers.questionnaire_runner import run_questionnaire
from ramify.export import to_c, to_onnx, to_pmml, to_python, to_sql

Answers = tuple[Any, Any, Any]


def expected(model: Any, X: pd.DataFrame) -> Answers:
    shares = model.predict_proba(X) if hasattr(model, "classes_") else None
    return model.predict(X), shares, model.apply(X)


def assert_equal(found: Answers, model: Any, X: pd.DataFrame) -> None:
    labels, shares, leaves = expected(model, X)
    assert list(found[0]) == labels.tolist()
    if shares is not None:
        assert np.array_equal(np.array(found[1], dtype=float), shares)
    if found[2] is not None:
        assert list(found[2]) == leaves.tolist()


def is_missing(cell: Any) -> bool:
    return cell is None or cell is pd.NA or (isinstance(cell, float) and math.isnan(cell))


def cells(X: pd.DataFrame, j: int) -> list[Any]:
    """A column as plain values, None where missing."""
    return [None if is_missing(v) else v for v in X.iloc[:, j].astype(object).tolist()]


def rows_of(X: pd.DataFrame) -> list[dict[str, Any]]:
    columns = {name: cells(X, j) for j, name in enumerate(X.columns)}
    return [{name: column[i] for name, column in columns.items()} for i in range(len(X))]


def run_python(model: Any, X: pd.DataFrame) -> Answers:
    module: dict[str, Any] = {}
    exec(compile(to_python(model), "exported", "exec"), module)
    rows = rows_of(X)
    proba = module.get("predict_proba")
    return (
        [module["predict"](row) for row in rows],
        None if proba is None else [proba(row) for row in rows],
        [module["apply"](row) for row in rows],
    )


def compile_c(text: str) -> ctypes.CDLL:
    folder = Path(tempfile.mkdtemp())
    (folder / "tree.c").write_text(text, encoding="utf-8")
    command = "cc -std=c99 -Wall -Wextra -Werror -pedantic -O1 -shared -fPIC -o tree.so tree.c"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    return ctypes.CDLL(str(folder / "tree.so"))


def run_c(model: Any, X: pd.DataFrame) -> Answers:
    library = compile_c(to_c(model))
    tree = model.tree_
    library.tree_number_level.argtypes = [ctypes.c_int, ctypes.c_double]
    classify = tree.classes is not None
    if not classify:
        library.tree_predict.restype = ctypes.c_double
    used = sorted({int(a) for a in tree.data["attribute"] if a >= 0})
    columns = []
    for place, j in enumerate(used):
        numeric = tree.schema.columns[j].kind == "numeric"
        column = []
        for cell in cells(X, j):
            if numeric:
                column.append(math.nan if cell is None else float(cell))
            elif cell is None:
                column.append(-1.0)
            elif isinstance(cell, str):
                column.append(float(library.tree_level(place, cell.encode())))
            else:
                column.append(float(library.tree_number_level(place, float(cell))))
        columns.append(column)
    labels, shares, leaves = [], [], []
    k = len(tree.classes) if classify else 1
    for i in range(len(X)):
        row = (ctypes.c_double * max(1, len(used)))(*(column[i] for column in columns))
        found = library.tree_predict(row)
        labels.append(tree.classes[found] if classify else found)
        leaves.append(library.tree_apply(row))
        out = (ctypes.c_double * k)()
        if classify:
            assert library.tree_predict_proba(row, out) == 0
        shares.append(list(out))
    return labels, shares if classify else None, leaves


def sqlite_table(X: pd.DataFrame) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in X.columns)
    connection.execute(f"CREATE TABLE t ({names})")
    columns = [cells(X, j) for j in range(X.shape[1])]
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO t VALUES ({marks})", zip(*columns, strict=True))
    return connection


def run_sqlite(model: Any, X: pd.DataFrame, **options: Any) -> Answers:
    connection = sqlite_table(X)

    def ask(output: str) -> list[Any]:
        return connection.execute(to_sql(model, output=output, table="t", **options)).fetchall()

    classify = hasattr(model, "classes_")
    labels = [row[-1] for row in ask("label")]
    if classify and model.classes_.dtype == bool:
        labels = [bool(label) for label in labels]
    k = len(model.classes_) if classify else 0
    shares = [row[-k:] for row in ask("probability")] if classify else None
    return labels, shares, None


def run_duckdb(model: Any, X: pd.DataFrame, **options: Any) -> Answers:
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    # A table of some rows: to start threads takes longer than the question.
    connection = duckdb.connect(config={"threads": 1})
    arrays = []
    for j, column in enumerate(model.tree_.schema.columns):
        # The level of pooled levels is a word, whatever the cells are.
        kinds = {type(v) for v in cells(X, j) if v is not None}
        kinds = kinds or {type(level) for level in column.levels}
        kind = pyarrow.bool_() if kinds == {bool} else pyarrow.string()
        if not kinds & {str, bool}:
            whole = all(type(v) is int for v in cells(X, j) if v is not None)
            kind = pyarrow.int64() if whole else pyarrow.float64()
        arrays.append(pyarrow.array(cells(X, j), type=kind, from_pandas=False))
    connection.register("t", pyarrow.table(arrays, names=list(X.columns)))

    def ask(output: str) -> list[Any]:
        text = to_sql(model, "duckdb", output=output, table="t", **options)
        return connection.execute(text).fetchall()

    classify = hasattr(model, "classes_")
    labels = [row[-1] for row in ask("label")]
    k = len(model.classes_) if classify else 0
    shares = [row[-k:] for row in ask("probability")] if classify else None
    return labels, shares, None


def run_onnx(model: Any, X: pd.DataFrame, na: str = "") -> Answers:
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    made = to_onnx(model, na=na)
    onnx.checker.check_model(made, full_check=True)
    session = runtime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    feeds = {}
    for j, one in enumerate(session.get_inputs()):
        column = cells(X, j)
        if one.type == "tensor(string)":
            values: Any = np.array([[na if v is None else v] for v in column], dtype=object)
        else:
            values = np.array([[math.nan if v is None else float(v)] for v in column])
        feeds[one.name] = values
    found = dict(
        zip([one.name for one in session.get_outputs()], session.run(None, feeds), strict=True)
    )
    return found["label"], found.get("probability"), found["leaf"]


def run_pmml(model: Any, X: pd.DataFrame, **options: Any) -> Answers:
    """By an interpreter of our own that follows the standard."""
    read = PmmlTree(to_pmml(model, **options))
    answers = [read.answer(row) for row in rows_of(X)]
    labels = [one.score for one in answers]
    if hasattr(model, "classes_"):
        text = {read.text(label): label for label in model.classes_.tolist()}
        labels = [None if label is None else text[label] for label in labels]
        order = [read.text(label) for label in model.classes_.tolist()]
        shares = [[one.shares.get(label, math.nan) for label in order] for one in answers]
        return labels, shares, None
    return [math.nan if label is None else float(label) for label in labels], None, None


EXACT = {
    "python": run_python,
    "c": run_c,
    "sqlite": run_sqlite,
    "duckdb": run_duckdb,
    "onnx": run_onnx,
    "questionnaire": run_questionnaire,
}
