"""A session: no window overwrites another, nothing is lost, and undo is exact."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.studio_data import client_of, edit, open_session, settled, write_messy_csv

from ramify.studio.opening import open_file
from ramify.studio.project import load_project, project_file
from ramify.studio.security import Folders
from ramify.studio.session import BusyError, Session, StaleError
from ramify.studio.views import state_json


@pytest.fixture
def session(tmp_path: Path) -> Session:
    opened = open_session(write_messy_csv(tmp_path / "t.csv", 1200))
    opened.choose({"roles": {"account": "ignore"}}, opened.version)
    opened.grow(opened.version)
    return settled(opened)


def text(session: Session) -> str:
    return session.present_tree().editor.tree.to_text()


def test_a_dropped_table_has_a_target_and_a_first_tree(session: Session) -> None:
    state = state_json(session)
    assert state["choices"]["target"] == "left" and state["table"]["task"] == "classification"
    assert state["table"]["left_out"] == ["customer"]
    assert "account" not in state["table"]["used"] and "customer" not in state["table"]["used"]
    assert state["tree"]["held_out"] == 240
    assert json.loads(json.dumps(state, allow_nan=True)) == state


def test_a_change_from_an_old_state_is_refused(session: Session) -> None:
    old = session.version
    edit(session, "lock", 0)
    before = text(session)
    for act in (
        lambda: session.edit({"action": "collapse", "node": 0}, old),
        lambda: session.undo(old),
        lambda: session.choose({"target": "plan"}, old),
        lambda: session.set_up({"learner": "cart"}, old),
        lambda: session.grow(old),
        lambda: session.dial(2, old),
        lambda: session.preview({"action": "collapse", "node": 0}, old),
    ):
        with pytest.raises(StaleError):
            act()
    assert text(session) == before and len(session.present_tree().editor.history) == 1


def test_two_windows_do_not_lose_edits(session: Session) -> None:
    """Of many edits at once from one state exactly one is made; the others get the new state."""
    client, version = client_of(session), session.version
    answers: list[Any] = []

    def act(number: int) -> None:
        request = {"action": "lock", "node": 0, "version": version, "reason": str(number)}
        answers.append(client.post("/api/edit", json=request))

    threads = [threading.Thread(target=act, args=(i,)) for i in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200] + [409] * 7
    assert len(session.present_tree().editor.history) == 1
    for answer in answers:
        assert answer.json()["state"]["version"] == session.version
        assert answer.json().get("stale", False) == (answer.status_code == 409)


def test_undo_and_redo_are_exact_and_saved(session: Session) -> None:
    trees = [text(session)]
    for action, node, given in (
        ("split", 0, {"condition": {"column": "calls", "threshold": 1.5}}),
        ("lock", 0, {}),
        ("collapse", 1, {}),
    ):
        if action == "collapse" and not session.present_tree().editor.tree.data["n_children"][1]:
            continue
        edit(session, action, node, **given)
        trees.append(text(session))
    steps = len(trees) - 1
    assert session.file is not None
    for step in range(steps, 0, -1):
        session.undo(session.version)
        assert text(session) == trees[step - 1]
        kept = load_project(project_file(session.file))
        assert len(kept.edits) == step - 1 and len(kept.undone) == steps - step + 1
    for step in range(1, steps + 1):
        session.redo(session.version)
        assert text(session) == trees[step]
    session.undo(session.version, to=0)
    assert text(session) == trees[0]
    with pytest.raises(ValueError, match="no edit to undo"):
        session.undo(session.version)


def test_other_ways_that_were_tried_stay(session: Session) -> None:
    edit(session, "split", 0, condition={"column": "calls", "threshold": 1.5})
    one = text(session)
    session.undo(session.version)
    edit(session, "split", 0, condition={"column": "tenure", "threshold": 20.0})
    other = text(session)
    assert state_json(session)["tree"]["branches"] == [["Node 0 asks calls <= 1.5"]]
    session.take_branch(0, session.version)
    assert text(session) == one
    assert state_json(session)["tree"]["branches"] == [["Node 0 asks tenure <= 20"]]
    session.take_branch(0, session.version)
    assert text(session) == other
    with pytest.raises(ValueError, match="no branch 7"):
        session.take_branch(7, session.version)


def test_it_is_reopened_where_one_left_off(session: Session) -> None:
    edit(session, "split", 0, "known earlier", condition={"column": "calls", "threshold": 1.5})
    edit(session, "lock", 0, "agreed")
    session.undo(session.version)
    before, tree = state_json(session), text(session)
    assert session.file is not None
    again = state_json(reopened := open_session(session.file, author="adam"))
    assert text(reopened) == tree
    for name in ("choices", "settings", "table"):
        assert again[name] == before[name]
    for name in ("history", "undone", "leaves", "path", "errors"):
        assert again["tree"][name] == before["tree"][name]
    assert again["tree"]["history"][0]["author"] == "eve"
    assert again["version"] > before["version"]
    reopened.redo(reopened.version)
    assert state_json(reopened)["tree"]["history"][1]["reason"] == "agreed"
    by_hand = reopened.present_tree().editor.tree.by_hand
    assert by_hand[0].locked and by_hand[0].reason == "known earlier; agreed"


def test_a_kill_loses_at_most_the_edit_in_progress(session: Session) -> None:
    """After every change the file alone gives the present state: nothing waits to be written."""
    assert session.file is not None
    for action, node, given in (
        ("split", 0, {"condition": {"column": "calls", "threshold": 1.5}}),
        ("regrow", 1, {"by": "pruned"}),
        ("lock", 0, {}),
    ):
        edit(session, action, node, **given)
        assert text(open_session(session.file)) == text(session)


def test_a_disk_that_is_full_is_told_and_loses_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ramify.studio import project

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    assert session.file is not None
    saved = project_file(session.file).read_bytes()
    monkeypatch.setattr(project, "write_text", full)
    edit(session, "lock", 0)
    assert "could not be saved: No space left" in " ".join(state_json(session)["notes"])
    assert project_file(session.file).read_bytes() == saved
    monkeypatch.undo()
    edit(session, "unlock", 0)
    assert "could not be saved" not in " ".join(state_json(session)["notes"])


def test_a_table_that_has_changed_is_told(session: Session) -> None:
    assert session.file is not None
    edit(session, "lock", 0)
    with open(session.file, "a", encoding="utf-8") as stream:
        stream.write("C9;40;3;plus;East;€12,00;1;01.02.2020;open;ok;no\n")
    again = open_session(session.file)
    assert any("has changed since" in note for note in state_json(again)["notes"])
    assert len(again.present_tree().editor.history) == 1


def test_while_something_runs_changes_wait_and_looks_do_not(session: Session) -> None:
    going, done = threading.Event(), threading.Event()

    def work(_: Any) -> None:
        going.set()
        done.wait(30)

    session.start("waiting", work)
    assert going.wait(10)
    client = client_of(session)
    for path in ("state", "job", "tree", "candidates?node=0", "files"):
        assert client.get(f"/api/{path}").status_code == 200
    with pytest.raises(BusyError, match="wait until this is done, or stop it: waiting"):
        session.grow(session.version)
    answer = client.post("/api/edit", json={"action": "lock", "node": 0})
    assert answer.status_code == 423 and answer.json()["busy"]
    done.set()
    settled(session)
    edit(session, "lock", 0)


def test_the_dial_cuts_the_tree_back(session: Session) -> None:
    path = session.present_tree().base.estimator.pruning_path_
    wanted = int(np.sort(path.leaves)[1])
    session.dial(wanted, session.version)
    opened = session.present_tree()
    assert opened.editor.tree.n_leaves == wanted
    expected = opened.base.estimator.prune(n_leaves=wanted)
    assert opened.editor.tree.to_text() == expected.tree_.to_text()
    assert session.file is not None
    assert text(open_session(session.file)) == text(session)


def test_a_saved_model_is_opened_with_its_table(session: Session, tmp_path: Path) -> None:
    edit(session, "split", 0, "known earlier", condition={"column": "calls", "threshold": 1.5})
    folder = tmp_path / "other"
    folder.mkdir()
    table = write_messy_csv(folder / "t.csv", 1200)
    model = folder / "m.json"
    session.present_tree().editor.estimator.save(model)
    fresh = Session(Folders(folder))
    client = client_of(fresh)
    answer = client.post("/api/open", json={"path": "m.json"})
    assert answer.status_code == 200
    assert "Open the table" in answer.json()["state"]["notes"][0]
    assert client.post("/api/open", json={"path": table.name}).status_code == 200
    settled(fresh)
    tree = fresh.present_tree().editor.tree
    assert tree.nodes[0].condition.describe(0) == "calls <= 1.5"
    assert tree.by_hand[0].reason == "known earlier"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "not a project"),
        ("{", "not a project"),
        ('{"ramify_studio":9,"data":"t.csv"}', "form 9 is not known"),
        ('{"ramify_studio":1,"more":1}', "unknown entry 'more'"),
        ('{"ramify_studio":1,"version":"x"}', "'version' is not what it should be"),
        ('{"ramify_studio":1,"data":"gone.csv"}', "not beside it any more"),
    ],
)
def test_projects_that_are_damaged_are_told(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "t.csv.studio.json"
    file.write_text(content)
    session = Session(Folders(tmp_path))
    with pytest.raises(ValueError, match=message):
        open_file(session, file)
    assert session.file is None and session.job is None
