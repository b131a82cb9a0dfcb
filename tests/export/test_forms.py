"""Exports: odd names and values, refusals, files, dialects, and readers other than ours."""

from __future__ import annotations

import math
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.export_data import ODD_LEVELS, tables
from helpers.export_runners import (
    EXACT,
    compile_c,
    expected,
    rows_of,
    run_duckdb,
    run_onnx,
    run_pmml,
    run_sqlite,
    sqlite_table,
)
from helpers.handmade import N, tree_of
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from ramify import TreeClassifier, TreeRegressor
from ramify.export import (
    ExportError,
    rules_to_csv,
    rules_to_text,
    to_c,
    to_dot,
    to_onnx,
    to_pmml,
    to_python,
    to_sql,
)
from ramify.export.sql.dialects import decimal_text

TABLES = tables()
TEXTS = {"python": to_python, "c": to_c, "sql": to_sql, "pmml": to_pmml, "dot": to_dot}


@pytest.fixture
def mixed() -> Any:
    X, y, _ = TABLES["mixed"]
    return TreeClassifier(max_leaves=20).fit(X, y)


# --- what is given and what comes back -----------------------------------------------------------


@pytest.mark.parametrize("form", TEXTS)
def test_a_file_holds_what_is_returned(form: str, mixed: Any, tmp_path: Path) -> None:
    text = TEXTS[form](mixed, path=tmp_path / "out")
    assert (tmp_path / "out").read_bytes().decode() == text
    assert TEXTS[form](mixed.tree_) == text


def test_a_model_of_onnx_in_a_file(mixed: Any, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    made = to_onnx(mixed, path=tmp_path / "out.onnx")
    assert onnx.load(tmp_path / "out.onnx") == made


@pytest.mark.parametrize("export", [*TEXTS.values(), to_onnx, rules_to_csv, rules_to_text])
def test_only_trees(export: Any, mixed: Any) -> None:
    with pytest.raises(NotFittedError):
        export(TreeClassifier())
    with pytest.raises(TypeError, match="its last step"):
        export(make_pipeline(mixed))
    with pytest.raises(TypeError, match="cannot export a dict"):
        export({})


def test_outputs_are_checked(mixed: Any) -> None:
    with pytest.raises(ValueError, match="choose from label, probability, leaf"):
        to_sql(mixed, output="class")
    number = TreeRegressor().fit([[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="needs a tree of classes"):
        to_sql(number, output="probability")
    with pytest.raises(ExportError, match="mix=False"):
        to_sql(mixed, output="leaf")
    with pytest.raises(ValueError, match="dialect='cobol'"):
        to_sql(mixed, "cobol")
    with pytest.raises(ValueError, match="C identifier"):
        to_c(mixed, name="2 trees")


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("export", EXACT)
def test_numbers_at_the_edge(export: str) -> None:
    """Neighbouring floats, integers beyond 2**53 and infinities go where the tree sends them."""
    up = math.nextafter(0.3, 1)
    for left, right in [(0.3, up), (2.0**53, 2.0**53 + 2), (-math.inf, 0.0), (1e-320, 2e-320)]:
        X = pd.DataFrame({"x": [left, right]})
        model = TreeClassifier().fit(X, ["l", "r"])
        rows = pd.DataFrame({"x": [left, right, math.nan, math.inf, -math.inf]})
        found = EXACT[export](model, rows)
        assert list(found[0]) == model.predict(rows).tolist(), (left, right)
    X = pd.DataFrame({"x": [2**53, 2**53 + 4]})
    model = TreeClassifier().fit(X, ["l", "r"])
    rows = pd.DataFrame({"x": [2**53 + 1, 2**53 + 2, 2**53 + 3]})
    assert list(EXACT[export](model, rows)[0]) == model.predict(rows).tolist()


@pytest.mark.parametrize("export", EXACT)
def test_float32_rows(export: str) -> None:
    X = pd.DataFrame({"x": np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float32)})
    model = TreeClassifier().fit(X, ["a", "b", "a", "b"])
    assert list(EXACT[export](model, X)[0]) == model.predict(X).tolist()


def test_decimals_are_read_exactly_by_sqlite() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=20_000) * 10.0 ** rng.integers(-30, 30, 20_000)
    connection = sqlite3.connect(":memory:")
    for part in np.split(values, 40):
        text = f"SELECT {', '.join(map(decimal_text, part.tolist()))}"
        assert list(connection.execute(text).fetchone()) == part.tolist()


def test_nan_is_missing_where_a_database_has_it() -> None:
    duckdb = pytest.importorskip("duckdb")
    X = {"x": [1.0, 2.0, math.nan, 3.0], "z": [1.0, 1.0, 2.0, 1.0]}
    for missing in ("fractional", "direction", "separate"):
        model = TreeClassifier(missing=missing).fit(X, ["a", "b", "b", "a"])
        text = to_sql(model, "duckdb")
        values = [1.0, 2.0, 3.0, math.nan, None]
        rows = "(VALUES (1e0), (2e0), (3e0), ('NaN'::DOUBLE), (NULL)) AS t(x)"
        found = duckdb.sql(f"SELECT {text} FROM (SELECT x, 1e0 AS z FROM {rows})").fetchall()
        wanted = model.predict({"x": np.array(values, dtype=float), "z": np.ones(5)})
        assert [row[0] for row in found] == wanted.tolist(), missing


# --- unseen levels that must not be --------------------------------------------------------------


def test_unseen_levels_as_errors() -> None:
    X = pd.DataFrame({"c": ["a", "b", "a", "c"]})
    model = TreeClassifier(unseen="error").fit(X, ["x", "y", "x", "y"])
    module: dict[str, Any] = {}
    exec(to_python(model), module)
    assert [module["predict"]({"c": c}) for c in ("a", "b", None)] == ["x", "y", "x"]
    with pytest.raises(ValueError, match="'c' holds the level 'z'"):
        module["predict"]({"c": "z"})
    new = pd.DataFrame({"c": ["a", "z", None]})
    assert list(run_sqlite(model, new)[0]) == ["x", None, "x"]
    assert list(run_duckdb(model, new)[0]) == ["x", None, "x"]
    assert run_pmml(model, new)[0] == ["x", None, None]
    library = compile_c(to_c(model))
    import ctypes

    assert library.tree_level(0, b"z") == -2
    assert library.tree_predict((ctypes.c_double * 1)(-2.0)) == -2
    with pytest.raises(ExportError, match="unseen='missing' or 'majority'"):
        to_onnx(model)
    number = TreeRegressor(unseen="error").fit(X, [1.0, 2.0, 1.0, 2.0])
    library = compile_c(to_c(number))
    library.tree_predict.restype = ctypes.c_double
    assert math.isnan(library.tree_predict((ctypes.c_double * 1)(-2.0)))


# --- names and levels ----------------------------------------------------------------------------


def test_names_that_would_break_out(mixed: Any) -> None:
    """All odd levels are asked for somewhere, so that they are quoted somewhere."""
    X, _, _ = TABLES["mixed"]
    model = TreeClassifier(categorical_split="multiway").fit(
        X.iloc[:, [3]], X.iloc[:, 3].fillna("none").to_numpy()
    )
    assert set(model.tree_.schema.columns[0].levels) == set(ODD_LEVELS)
    rows = X.iloc[:50, [3]]
    for run in EXACT.values():
        assert list(run(model, rows)[0]) == model.predict(rows).tolist()
    assert [a for a in run_pmml(model, rows)[0] if a] == [
        a
        for a, missing in zip(model.predict(rows), rows.isna().to_numpy(), strict=True)
        if not missing
    ]


def test_a_level_that_is_the_sign_of_missing() -> None:
    X = pd.DataFrame({"c": ["", "b", "", "b"]})
    model = TreeClassifier().fit(X, ["x", "y", "x", "y"])
    with pytest.raises(ExportError, match="give another na"):
        to_onnx(model)
    rows = pd.DataFrame({"c": ["", "b", None]})
    assert list(run_onnx(model, rows, na="<none>")[0]) == model.predict(rows).tolist()


@pytest.mark.parametrize(
    ("levels", "refuse"),
    [
        ([b"a", b"b"], "c duckdb sqlite onnx pmml"),
        (["a", 1], "duckdb onnx pmml"),
        ([2**53 + 1, 1], "c onnx"),
        (["a\0", "b"], "c sqlite duckdb pmml"),
        ([(1, 2), (3, 4)], "python c sqlite duckdb onnx pmml"),
    ],
)
def test_levels_that_a_form_cannot_hold(levels: list[Any], refuse: str) -> None:
    column = pd.Series([levels[i % 2] for i in range(6)], dtype=object)
    model = TreeClassifier().fit(pd.DataFrame({"c": column}), ["x", "y"] * 3)
    forms: dict[str, Any] = {
        "python": to_python,
        "c": to_c,
        "sqlite": to_sql,
        "duckdb": lambda m: to_sql(m, "duckdb"),
        "onnx": to_onnx,
        "pmml": to_pmml,
    }
    for name, form in forms.items():
        if name in refuse.split():
            with pytest.raises(ExportError):
                form(model)
        else:
            form(model)


def test_names_that_sql_does_not_tell_apart() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 1.0, 2.0], "A": [1.0, 1.0, 2.0, 2.0]})
    model = TreeClassifier().fit(X, ["p", "q", "r", "s"])
    with pytest.raises(ExportError, match="differ in case only"):
        to_sql(model)
    assert '"A"' in to_sql(model, "postgres")


def test_a_column_that_another_one_could_be_taken_for() -> None:
    """The tree asks only for "A"; a database that ignores case would find "a"."""
    X = pd.DataFrame({"a": [1.0, 1.0, 1.0, 1.0], "A": [1.0, 1.0, 2.0, 2.0]})
    model = TreeClassifier().fit(X, ["p", "p", "q", "q"])
    for dialect in ("sqlite", "duckdb"):
        with pytest.raises(ExportError, match="'a' and 'A' differ in case only"):
            to_sql(model, dialect)
    assert '"A"' in to_sql(model, "postgres")


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
@pytest.mark.parametrize("table", [None, "rows"])
def test_shares_have_names_of_their_own(dialect: str, table: str | None) -> None:
    if dialect == "mysql":
        pytest.importorskip("sqlglot")
    labels = ["a", "A", "a_2", "A_2", "b"]
    X = pd.DataFrame({"x": np.arange(5.0)})
    model = TreeClassifier().fit(X, labels)
    text = to_sql(model, dialect, output="probability", table=table)
    names = re.findall(r"AS .(p_\w+).", text.replace("prediction_", "p_"))
    assert len(names) == len(labels)
    if dialect == "postgres":  # which tells them apart
        assert names == [f"p_{label}" for label in sorted(labels)]
        return
    assert names[:2] == ["p_A", "p_A_2"]
    assert len({name.lower() for name in names}) == len(labels)
    if dialect == "mysql":
        return
    query = text if table else f"SELECT {text} FROM rows"
    if dialect == "sqlite":
        database = sqlite3.connect(":memory:")
        database.execute("CREATE TABLE rows (x REAL)")
        database.executemany("INSERT INTO rows VALUES (?)", [(float(i),) for i in range(5)])
    else:
        database = pytest.importorskip("duckdb").connect()
        database.execute("CREATE TABLE rows AS SELECT range::DOUBLE AS x FROM range(5)")
    database.execute(f"CREATE TABLE answers AS {query}")  # duplicates would get other names
    found = database.execute("SELECT * FROM answers")
    columns = [about[0] for about in found.description][bool(table) :]
    assert [name.replace("prediction_", "p_") for name in columns] == names
    shares = np.array(found.fetchall())[:, bool(table) :]
    np.testing.assert_array_equal(shares, model.predict_proba(X))


def test_an_answer_beside_a_column_of_its_name() -> None:
    model = TreeClassifier().fit(pd.DataFrame({"Prediction": [1.0, 2.0]}), ["x", "y"])
    assert "`Prediction` > 1.5" in to_sql(model)
    with pytest.raises(ExportError, match="the name of the column 'Prediction'"):
        to_sql(model, table="rows")
    assert "`answer`" in to_sql(model, table="rows", name="answer")
    assert '"prediction"' in to_sql(model, "postgres", table="rows")


def test_a_column_without_a_name() -> None:
    model = TreeClassifier().fit(pd.DataFrame({"": [1.0, 2.0], "z": [1.0, 1.0]}), ["x", "y"])
    with pytest.raises(ExportError, match="an input of ONNX must have a name"):
        to_onnx(model)
    for dialect in ("duckdb", "postgres"):
        with pytest.raises(ExportError, match="a name is empty"):
            to_sql(model, dialect)
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE rows ("" REAL)')
    database.execute("INSERT INTO rows VALUES (2.0)")
    assert database.execute(f"SELECT {to_sql(model)} FROM rows").fetchall() == [("y",)]


def test_an_unknown_column_is_an_error_in_sqlite() -> None:
    model = TreeClassifier().fit(pd.DataFrame({"c": ["a", "b"]}), ["x", "y"])
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        sqlite3.connect(":memory:").execute(f"SELECT {to_sql(model)} FROM (SELECT 1 AS d)")


def test_a_name_that_an_output_has() -> None:
    model = TreeClassifier().fit(pd.DataFrame({"label": [1.0, 2.0]}), ["x", "y"])
    with pytest.raises(ExportError, match="'label' has the name of an output"):
        to_onnx(model)
    text = to_pmml(TreeClassifier().fit(pd.DataFrame({"y": [1.0, 2.0]}), ["x", "y"]))
    assert '<DataField name="y_"' in text


# --- SQL -----------------------------------------------------------------------------------------


def test_without_mixing_spread_rows_are_null(mixed: Any) -> None:
    rows = TABLES["mixed"][2]
    labels, shares, leaves = expected(mixed, rows)
    spread = np.diff(mixed.decision_path(rows).indptr) > mixed.tree_.data["depth"][leaves] + 1
    assert spread.any() and not spread.all()
    for run in (run_sqlite, run_duckdb):
        found = run(mixed, rows, mix=False)
        assert [label is None for label in found[0]] == spread.tolist()
        known = ~spread
        assert np.array(found[0])[known].tolist() == labels[known].tolist()
        assert np.array_equal(np.array(found[1], dtype=float)[known], shares[known])
    text = to_sql(mixed, output="leaf", table="t", mix=False)
    found_leaves = [row[-1] for row in sqlite_table(rows).execute(text)]
    assert [a for a in found_leaves if a is not None] == leaves[~spread].tolist()


@pytest.mark.parametrize("dialect", ["mysql", "bigquery", "snowflake", "tsql", "spark"])
def test_other_dialects(dialect: str, mixed: Any) -> None:
    """Written by sqlglot, and read back by it into a dialect that can be run."""
    sqlglot = pytest.importorskip("sqlglot")
    X, y, rows = TABLES["titanic"]
    model = TreeClassifier(max_leaves=8).fit(X, y)
    text = to_sql(model, dialect, table="t")
    again = sqlglot.transpile(text, read=dialect, write="sqlite")[0]
    found = [row[-1] for row in sqlite_table(rows).execute(again)]
    assert found == model.predict(rows).tolist()


def test_parts_of_a_table_name(mixed: Any) -> None:
    assert to_sql(mixed, "postgres", table=("s", 'a"b')).endswith('FROM "s"."a""b"')


def test_postgres_parses(mixed: Any) -> None:
    sqlglot = pytest.importorskip("sqlglot")
    sqlglot.parse_one(to_sql(mixed, "postgres", table="t"), read="postgres")


# --- PMML, Python and DOT by other readers -------------------------------------------------------


def test_pmml_by_another_reader() -> None:
    pypmml = pytest.importorskip("pypmml")
    if shutil.which("java") is None:
        pytest.skip("pypmml needs java")
    try:
        for data, parameters in [
            ("weather", {"missing": "direction"}),
            ("titanic", {"categorical_split": "multiway"}),
            ("balance", {"missing": "separate"}),
            ("mixed", {"missing": "direction"}),
            ("numbers", {"missing": "separate", "unseen": "majority"}),
        ]:
            X, y, _ = TABLES[data]
            # Readers have no infinite numbers.
            X = X.replace([np.inf, -np.inf], 0.0)
            kind = TreeRegressor if data == "numbers" else TreeClassifier
            model = kind(max_leaves=20, **parameters).fit(X, y)
            rows = X.drop_duplicates().reset_index(drop=True)
            read = pypmml.Model.fromString(to_pmml(model))
            found = np.array([read.predict(row)["prediction"] for row in rows_of(rows)])
            labels, _, leaves = expected(model, rows)
            depth = model.tree_.data["depth"][leaves]
            whole = np.diff(model.decision_path(rows).indptr) == depth + 1
            assert whole.mean() > 0.5
            if data == "numbers":  # this reader rounds
                np.testing.assert_allclose(found[whole].astype(float), labels[whole], rtol=1e-12)
            else:
                assert found[whole].tolist() == labels[whole].tolist(), data
    finally:
        pypmml.Model.close()


def test_pmml_refuses_what_it_cannot_mix() -> None:
    X, y, _ = TABLES["mixed"]
    model = TreeClassifier(costs=1 - np.eye(3), max_leaves=5).fit(X, y)
    with pytest.raises(ExportError, match="costs"):
        to_pmml(model, mix=True)
    with pytest.raises(ExportError, match="numbers of several leaves"):
        to_pmml(TreeRegressor(max_leaves=5).fit(X, np.arange(300.0)), mix=True)


def test_the_module_runs_alone(mixed: Any, tmp_path: Path) -> None:
    to_python(mixed, path=tmp_path / "exported.py")
    code = "import exported, sys; print(exported.predict({})); print('ramify' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [*str(mixed.predict(X_missing(mixed))[0]).split(), "False"]


def X_missing(model: Any) -> Any:
    return {name: [None] for name in model.tree_.schema.names}


def test_dot_is_balanced() -> None:
    tree = tree_of(N(column=2, levels={0: 0, 1: 1}, children=[N(value=[1, 0]), N(value=[0, 3])]))
    text = to_dot(tree)
    assert '  0 -> 1 [label="city = Bern"];' in text
    assert text.count("->") == tree.n_nodes - 1
    odd = TreeClassifier().fit(pd.DataFrame({'a"\\': ['"', "\\n"]}), ["x", "y"])
    assert r'label="a\"\\ = \"\\\"\"' in to_dot(odd)
    if shutil.which("dot"):
        subprocess.run(
            ["dot", "-Tsvg"], input=to_dot(odd), text=True, check=True, capture_output=True
        )
