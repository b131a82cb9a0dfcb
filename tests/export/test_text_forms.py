"""Columns that were read from text such as "$1,234": exports say so, and take the numbers."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
import pytest
from helpers.export_runners import compile_c

from ramify import TreeClassifier
from ramify.export import to_c, to_onnx, to_pmml, to_python, to_sql
from ramify.export.text_forms import example_of
from ramify.tables import tidy
from ramify.tables.forms import Form
from ramify.tables.written import parse

N = 200
TABLE = {
    'price */ """': [f"${1000 + 17 * i:,}" for i in range(N)],
    "share": [f"{i * 37 % 100},5 %" for i in range(N)],
    "sold": [f"{i % 28 + 1}.{i % 12 + 1}.2019" for i in range(N)],
    "plain": [float(i % 7) for i in range(N)],
}
SHOWN = ["price * / ''': $1,234 -> 1234", "share: 12,5 % -> 12.5", "sold: 31/12/2019 -> 2019-12-31"]


@pytest.fixture(scope="module")
def model() -> Any:
    X = tidy(TABLE)
    y = (X["share"] > 40) * 1 + (X['price */ """'] > 2500) * 2 + (X["plain"] > 3) * 4
    y = y + 8 * (X["sold"] > np.datetime64("2019-06-15"))
    return TreeClassifier(date_parts=None).fit(X, [f"c{one}" for one in y])


def test_the_head_says_how_text_was_read(model: Any) -> None:
    for text in (to_sql(model), to_sql(model, "duckdb", table="t"), to_python(model)):
        head = text.replace('"', "'")[:900]
        for line in SHOWN:
            assert line in head
        assert "plain:" not in head
    assert "sold: 31" not in to_c(model)  # its list of columns says that it takes days
    assert "share: 12,5 % -> 12.5" in to_c(model)
    assert to_pmml(model).count("<Annotation>") == 4


def test_what_has_such_a_head_runs(model: Any) -> None:
    space: dict[str, Any] = {}
    exec(to_python(model), space)
    X = tidy(TABLE)
    rows = [
        dict(zip(X, cells, strict=True)) for cells in zip(*(X[n].tolist() for n in X), strict=True)
    ]
    assert [space["predict"](row) for row in rows] == model.predict(TABLE).tolist()
    compile_c(to_c(model))
    connection = sqlite3.connect(":memory:")
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in TABLE)
    connection.execute(f"CREATE TABLE t ({names})")
    for one_line in (False, True):
        sql = to_sql(model, table="t")
        connection.execute(sql.replace("\n", " ") if one_line else sql).fetchall()


def test_onnx_says_it_too(model: Any) -> None:
    pytest.importorskip("onnx")
    assert SHOWN[1] in to_onnx(model).doc_string


def test_without_text_nothing_is_said() -> None:
    model = TreeClassifier().fit({"x": [1.0, 2.0]}, ["a", "b"])
    for text in (to_sql(model), to_python(model), to_c(model), to_pmml(model)):
        assert "read from text" not in text


@pytest.mark.parametrize("unit", ["", "$", "€", "CHF", "kr", "%", "kg", "a$", "m²"])
@pytest.mark.parametrize("signs", [(".", ""), (".", ","), (",", ""), (",", "."), (".", "'")])
def test_examples_are_read_as_they_say(unit: str, signs: tuple[str, str]) -> None:
    form = Form("number", decimal=signs[0], thousands=signs[1], unit=unit)
    example = example_of(form)
    assert (example is None) == (form == Form("number"))
    if example is not None:
        assert parse([example[0]], form).tolist() == [float(example[1])]
