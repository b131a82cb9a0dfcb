"""What must hold for the forms in which a tree leaves Python."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from helpers.export_runners import (
    assert_equal,
    expected,
    run_c,
    run_duckdb,
    run_onnx,
    run_pmml,
    run_python,
    run_sqlite,
)

from fuzz.invariants.fitted import Fitted
from fuzz.problem import as_frame
from ramify.export import ExportError, to_dot, to_pmml


def every_picture_can_be_drawn(f: Fitted) -> None:
    for tree in f.trees[:2]:
        text = tree.to_text()
        assert text and "nan" not in text.replace("never", "")
        assert len(tree.rules()) == tree.n_leaves
        ElementTree.fromstring(tree.to_svg())
        assert tree.to_frame() is not None and to_dot(tree)
        assert type(tree).from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    if f.single:
        assert str(f.model.explain(_last(f, 1)))
        assert str(f.model.pruning_path_) and len(f.model.feature_importances_)
    assert repr(f.model) and f.model._repr_html_()


def _last(f: Fitted, count: int) -> Any:
    columns = {
        name: type(c)(c.kind, c.values[-count:], c.levels)
        for name, c in f.problem.new_columns().items()
    }
    return as_frame(columns, f.problem.frame)


def a_report_can_be_written(f: Fitted) -> None:
    if not f.single or f.model.tree_.abstains:
        return  # the report cannot show that, and says so
    with tempfile.TemporaryDirectory() as folder:
        target = np.array(f.problem.target)
        for name, data in (("empty", ()), ("full", (f.problem.table(), target))):
            page = f.model.report(Path(folder) / f"{name}.html", *data)
            assert page.stat().st_size > 1000


def _by(run: Callable[[Any, Any], Any], compare: Callable[..., None] = assert_equal) -> Any:
    """The check of an export. Dates reach other languages as numbers: tests/export has them."""

    def check(f: Fitted) -> None:
        if not f.single or f.problem.frame != "pandas":
            return
        if {c.kind for c in f.problem.columns.values()} & {"date", "duration"}:
            return
        if f.model.schema_.names != [*f.problem.columns]:
            return  # the helpers read a table whose columns are all used
        try:
            found = run(f.model, f.rows)
        except ExportError:
            return
        compare(found, f.model, f.rows)

    return check


def _close(found: Any, model: Any, rows: Any) -> None:
    """Where it answers at all: PMML has no word for rows that spread."""
    labels, shares, _ = expected(model, rows)
    for i, label in enumerate(found[0]):
        if label is None or label != label:
            continue
        if shares is not None:
            np.testing.assert_allclose(found[1][i], shares[i], rtol=0, atol=1e-9)
        else:
            assert label == labels[i]


def python_and_sqlite_answer_as_predict(f: Fitted) -> None:
    for run in (run_python, run_sqlite):
        _by(run)(f)


def c_answers_as_predict(f: Fitted) -> None:
    _by(run_c)(f)


def duckdb_answers_as_predict(f: Fitted) -> None:
    if f.divides and f.single and f.model.tree_.n_leaves > 60:
        return  # DuckDB plans the question of a large tree for up to a minute
    _by(run_duckdb)(f)


def onnx_answers_as_predict(f: Fitted) -> None:
    _by(run_onnx)(f)


def pmml_answers_as_predict(f: Fitted) -> None:
    if f.single and f.problem.frame == "pandas":
        try:
            ElementTree.fromstring(to_pmml(f.model))
        except ExportError:
            return
    if not f.single or not any(column.pooled for column in f.model.schema_.columns):
        _by(run_pmml, _close)(f)  # our interpreter has no sets of levels
