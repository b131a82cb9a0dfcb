"""What is given away says what the tree says, and a drop of a file never replaces another."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.csv_files import write_csv
from helpers.studio_data import client_of, edit, open_session, settled, write_messy_csv

import ramify
from ramify.studio.security import Folders
from ramify.studio.session import Session
from ramify.tables.rows import take_rows


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    opened = open_session(write_messy_csv(tmp_path_factory.mktemp("s") / "t.csv", 500))
    opened.choose({"roles": {"account": "ignore", "joined": "ignore"}}, opened.version)
    opened.grow(opened.version)
    settled(opened)
    edit(opened, "split", 0, "agreed", condition={"column": "calls", "threshold": 1.5})
    return opened


def ship(session: Session, form: str, **more: Any) -> Any:
    answer = client_of(session).get("/api/ship", params={"form": form, **more})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith('attachment; filename="t-')
    return answer


def test_every_form_is_written_or_says_what_it_needs(session: Session) -> None:
    forms = client_of(session).get("/api/forms").json()
    names = {one["name"] for one in forms}
    wanted = "report model script svg sql python onnx pmml c questionnaire"
    assert {*wanted.split()} <= names
    for one in forms:
        if not one["missing"]:
            assert len(ship(session, one["name"]).content) > 50


def test_the_model_keeps_what_was_edited(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_bytes(ship(session, "model").content)
    model = ramify.load(file)
    tree = session.present_tree().editor.tree
    assert model.tree_.to_text() == tree.to_text()
    assert model.tree_.by_hand[0].reason == "agreed"


def test_sql_and_python_answer_as_the_tree(session: Session) -> None:
    opened = session.present_tree()
    X = take_rows(opened.prepared.table.data, opened.grown.test)
    expected = opened.editor.estimator.predict(X).tolist()
    code: dict[str, Any] = {}
    exec(ship(session, "python").text, code)
    rows = [
        dict(zip(X, row, strict=True))
        for row in zip(*(c.tolist() for c in X.values()), strict=True)
    ]
    assert [code["predict"](row) for row in rows] == expected
    with sqlite3.connect(":memory:") as base:
        names = ", ".join(f'"{name}"' for name in X)
        base.execute(f"create table rows ({names})")
        marks = ", ".join("?" * len(X))
        cells = [
            tuple(None if value is None or value != value else value for value in row.values())
            for row in rows
        ]
        base.executemany(f"insert into rows values ({marks})", cells)
        expression = ship(session, "sql", dialect="sqlite").text
        found = base.execute(f"select {expression} from rows").fetchall()
    assert [one[0] for one in found] == expected


def test_the_grown_tree_is_there_beside_the_edited_one(session: Session) -> None:
    own, grown = ship(session, "svg").text, ship(session, "svg", which="grown").text
    assert (own != grown and own.startswith("<svg")) or own.startswith("<?xml")


def test_a_report_has_the_held_out_rows(session: Session) -> None:
    text = ship(session, "report").text
    data = text.split('id="report-data">')[1].split("</script>")[0]
    assert json.loads(data)["held"]["rows"] == 100


# --- files that are dropped -------------------------------------------------------------------


def put(session: Session, name: str, content: bytes) -> Any:
    return client_of(session).put("/api/upload", params={"name": name}, content=content)


def test_a_file_that_is_there_already_is_not_written_again(tmp_path: Path) -> None:
    file = write_messy_csv(tmp_path / "t.csv", 60)
    before = file.stat().st_mtime_ns
    session = Session(Folders(tmp_path))
    assert put(session, "t.csv", file.read_bytes()).json()["result"] == "t.csv"
    settled(session)
    assert file.stat().st_mtime_ns == before
    assert {one.name for one in tmp_path.iterdir()} == {"t.csv", "t.csv.studio.json"}


def test_another_file_of_the_same_name_is_kept_beside_it(tmp_path: Path) -> None:
    file = write_messy_csv(tmp_path / "t.csv", 60)
    old, new = file.read_bytes(), write_messy_csv(tmp_path / "u.csv", 61).read_bytes()
    session = Session(Folders(tmp_path))
    assert put(session, "t.csv", new).json()["result"] == "t-2.csv"
    settled(session)
    assert file.read_bytes() == old and (tmp_path / "t-2.csv").read_bytes() == new


@pytest.mark.parametrize(
    ("name", "content"), [("t.exe", b"x"), ("t.csv", b""), ("t.csv.studio.json", b"{}")]
)
def test_what_is_no_table_is_not_written(tmp_path: Path, name: str, content: bytes) -> None:
    session = Session(Folders(tmp_path))
    assert put(session, name, content).status_code == 400
    assert list(tmp_path.iterdir()) == []


def test_the_folder_lists_tables_and_saved_sessions(tmp_path: Path) -> None:
    file = write_messy_csv(tmp_path / "t.csv", 60)
    write_csv(tmp_path / "u.csv", {"a": np.arange(3)})
    (tmp_path / "notes.md").write_text("x")
    (tmp_path / ".hidden.csv").write_text("x")
    session = open_session(file)
    found = client_of(session).get("/api/files").json()
    assert {one["name"]: one["saved"] for one in found} == {"t.csv": True, "u.csv": False}
