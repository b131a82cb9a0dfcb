"""Numbers of the step Judge and of single nodes, beside what is computed from scratch."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.studio_data import client_of, edit, open_session, settled, write_messy_csv

from ramify.studio.session import Session
from ramify.tables.rows import take_rows


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    opened = open_session(write_messy_csv(tmp_path_factory.mktemp("s") / "t.csv", 600))
    opened.choose({"roles": {"account": "ignore"}}, opened.version)
    opened.grow(opened.version)
    settled(opened)
    edit(
        opened, "split", 0, condition={"column": "plan", "codes": [[0, 1], [2, 3, 4]]}, below="drop"
    )
    edit(opened, "label", 1, value="yes")
    return opened


def get(session: Session, path: str) -> Any:
    answer = client_of(session).get(f"/api/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def rows_of(session: Session, places: Any) -> Any:
    return take_rows(session.present_tree().prepared.table.data, places)


def test_scores_are_those_of_predict_on_held_out_rows(session: Session) -> None:
    opened = session.present_tree()
    test, y = opened.grown.test, opened.prepared.y
    assert len(test) == 120 and not np.intersect1d(test, opened.grown.train).size
    own = opened.editor.estimator.predict(rows_of(session, test))
    grown = opened.base.estimator.predict(rows_of(session, test))
    found = get(session, "judge")
    first = found["scores"][0]
    assert first["name"] == "accuracy"
    assert first["own"].startswith(f"{100 * np.mean(own == y[test]):.1f} %")
    assert first["grown"].startswith(f"{100 * np.mean(grown == y[test]):.1f} %")
    differ = np.flatnonzero(own != grown)
    assert found["differences"]["count"] == len(differ) > 0
    assert found["differences"]["own_right"] == int((own == y[test])[differ].sum())
    assert found["differences"]["grown_right"] == int((grown == y[test])[differ].sum())
    for row, answer, other, truth in found["differences"]["rows"]:
        i = int(np.flatnonzero(opened.prepared.rows[test] + 1 == row)[0])
        assert (answer, other, truth) == (own[i], grown[i], y[test][i])


def test_rows_of_a_node_and_of_a_cell(session: Session) -> None:
    opened = session.present_tree()
    train, test, y = opened.grown.train, opened.grown.test, opened.prepared.y
    leaves = opened.editor.estimator.apply(rows_of(session, train))
    found = get(session, "rows?of=training&node=1")
    assert found["count"] == int((leaves == 1).sum())
    plan = found["names"].index("plan")
    levels = opened.editor.tree.schema["plan"].levels
    assert {row[plan] for row in found["rows"]} <= {levels[0], levels[1]}
    own = opened.editor.estimator.predict(rows_of(session, test))
    cell = (own == "no") & (y[test] == "yes")
    found = get(session, "rows?of=test&true=yes&predicted=no")
    assert found["count"] == int(cell.sum())
    text = client_of(session).get("/api/rows.csv?of=test&true=yes&predicted=no")
    lines = list(csv.DictReader(io.StringIO(text.content.decode("utf-8-sig"))))
    assert [int(line["row"]) for line in lines] == (opened.prepared.rows[test][cell] + 1).tolist()
    assert all(line["left"] == "yes" for line in lines)


def test_cells_that_a_spreadsheet_would_run_are_text() -> None:
    from ramify.studio.judging import _plain_text

    assert [_plain_text(cell) for cell in ("=1+1", "-x", "@a", "a", -1, None)] == [
        *("'=1+1", "'-x", "'@a", "a"),
        *(-1, None),
    ]


@pytest.mark.parametrize(
    "path",
    [
        "rows?of=all&node=0",
        "rows?node=99",
        "rows?node=x",
        "rows?true=yes&predicted=maybe",
        "node?node=99",
        "node?node=-1",
        "node?node=0&column=nothing",
        "candidates?node=x",
        "ship?form=exe",
    ],
)
def test_what_is_wrong_is_said(session: Session, path: str) -> None:
    answer = client_of(session).get(f"/api/{path}")
    assert answer.status_code == 400 and answer.json()["error"]


def test_the_histogram_of_a_node_counts_its_rows(session: Session) -> None:
    opened = session.present_tree()
    table = rows_of(session, opened.grown.train)
    leaves = opened.editor.estimator.apply(table)
    here = (leaves == 1) & ~np.isnan(table["tenure"])
    found = get(session, "node?node=1&column=tenure")
    counts = np.array(found["bins"])
    y = opened.prepared.y[opened.grown.train]
    np.testing.assert_array_equal(counts.sum(axis=0), [(y[here] == c).sum() for c in ("no", "yes")])
    edges = found["start"] + found["width"] * np.arange(len(counts) + 1)
    place = np.ceil((table["tenure"][here] - edges[0]) / found["width"]) - 1
    np.testing.assert_array_equal(
        counts.sum(axis=1), np.bincount(place.astype(int), minlength=len(counts))
    )
    assert found["rows"] == (leaves == 1).sum() and not found["own"]
    best = found["curve"]["threshold"][int(np.argmax(found["curve"]["gain"]))]
    assert found["best"] == best


def test_the_levels_of_a_node_have_their_branches(session: Session) -> None:
    opened = session.present_tree()
    table = rows_of(session, opened.grown.train)
    found = get(session, "node?node=0")
    assert found["own"] and found["column"] == "plan"
    assert {one["code"]: one["branch"] for one in found["levels"]} == {0: 0, 1: 0, 2: 1, 3: 1, 4: 1}
    for one in found["levels"]:
        assert sum(one["counts"]) == int((table["plan"] == one["name"]).sum())


def test_candidates_say_what_they_would_change(session: Session) -> None:
    found = get(session, "candidates?node=0")["candidates"]
    gains = [one["gain"] for one in found]
    assert gains and {one["column"] for one in found} >= {"tenure", "calls"}
    for one in found[:3]:
        price = client_of(session).post(
            "/api/price",
            json={
                "action": "split",
                "node": 0,
                "arguments": {"condition": one["condition"], "below": "drop"},
            },
        )
        assert price.status_code == 200
        assert price.json()["result"]["leaves"][1] == len(one["rows"])


def test_the_tree_of_the_page_is_the_tree_of_the_editor(session: Session) -> None:
    found = get(session, "tree")
    tree = session.present_tree().editor.tree
    assert found["nodes"]["parent"][0] == -1 and len(found["nodes"]["parent"]) == tree.n_nodes
    assert found["nodes"]["rows"] == tree.data["rows"].tolist()
    assert found["path"]["leaves"][found["path"]["fitted"]] == tree.n_leaves
    assert found["by_hand"]["0"]["words"].startswith("set by hand")


def test_comparing_on_folds_keeps_what_was_set(session: Session) -> None:
    client = client_of(session)
    assert client.post("/api/compare", json={"folds": 3}).status_code == 200
    settled(session)
    found = get(session, "comparison")
    assert [one["name"] for one in found["rows"]] == ["as grown", "as edited", "largest class"]
    for one in found["rows"]:
        mean, spread = one["scores"]["accuracy"]
        assert 0.5 < mean <= 1 and spread >= 0
    assert 0 <= found["p"] <= 1
    answer = client.post("/api/compare", json={"folds": 1})
    assert answer.status_code == 400 and "from 2 to 20" in answer.json()["error"]


def test_a_number_as_the_target(tmp_path: Path) -> None:
    session = open_session(write_messy_csv(tmp_path / "t.csv", 400))
    session.choose({"target": "fee", "roles": {"account": "ignore"}}, session.version)
    session.grow(session.version)
    settled(session)
    opened = session.present_tree()
    found = get(session, "judge")
    assert found["scores"][0]["name"] == "r2" and found["differences"]["count"] == 0
    edit(session, "regrow", 0, by="greedy", max_depth=2)
    own = opened.editor.estimator.predict(rows_of(session, opened.grown.test))
    grown = opened.base.estimator.predict(rows_of(session, opened.grown.test))
    assert get(session, "judge")["differences"]["count"] == int((own != grown).sum())
    node = get(session, "node?node=0&column=tenure")
    assert sum(one[0] for one in node["bins"]) == len(opened.grown.train)
    assert get(session, "tree")["task"] == "regression"
