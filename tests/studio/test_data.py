"""The table of a session: how it is read, what columns are for, and what one click does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.csv_files import write_csv
from helpers.studio_data import EVIL_NAME, client_of, open_session, write_messy_csv

from ramify.datasets import preview_table_file, read_table_file
from ramify.steps.task import Task
from ramify.studio import data
from ramify.studio.data import Choices, Parsing
from ramify.studio.session import Session
from ramify.studio.views import state_json


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return open_session(write_messy_csv(tmp_path / "t.csv", 400))


def column(session: Session, name: str) -> Any:
    table = state_json(session)["table"]
    return next(one for one in table["columns"] if one["name"] == name)


def change(session: Session, **changes: Any) -> Any:
    session.choose(changes, session.version)
    return state_json(session)


def test_choices_come_back_from_json() -> None:
    choices = Choices(
        parsing=Parsing(";", ",", "latin-1", False, "a", ("x", "")),
        kinds={"a": "date"},
        roles={"b": "weight", "c": "ignore"},
        target="d",
        task=Task.regression,
        positive="yes",
        hold_out=False,
        min_level_count=3,
    )
    assert Choices.from_dict(json.loads(json.dumps(choices.to_dict()))) == choices
    assert Choices.from_dict({}) == Choices()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kinds": {"a": "colour"}}, "'a' is 'colour', and not one of number, category, date"),
        ({"roles": {"a": "boss"}}, "'a' is 'boss', and not one of use, ignore, weight"),
        ({"roles": {"a": "weight", "b": "weight"}}, "one column at most holds the weights"),
        ({"task": "guess"}, "task='guess'"),
        ({"target": 3}, "target=3"),
        ({"hold_out": "yes"}, "hold_out='yes'"),
        ({"min_level_count": -1}, "min_level_count=-1"),
        ({"parsing": {"delimiter": 3}}, "delimiter=3"),
        ({"parsing": {"more": "x"}}, "more='x'"),
        ({"parsing": []}, "parsing"),
    ],
)
def test_choices_that_are_wrong_are_named(
    session: Session, given: dict[str, Any], message: str
) -> None:
    before = state_json(session)
    answer = client_of(session).post("/api/choose", json={"changes": given})
    assert answer.status_code == 400 and message in answer.json()["error"]
    assert state_json(session) == before


def test_the_preview_shows_what_is_written_and_what_is_found(session: Session) -> None:
    found = client_of(session).get("/api/preview").json()
    assert found["delimiter"] == ";" and found["names"][5] == "fee"
    assert found["rows"][0][5].startswith("€") and len(found["rows"]) == 12
    change(session, parsing={**vars(Parsing()), "missing": None, "header": False})
    found = client_of(session).get("/api/preview").json()
    assert found["names"][0] == "x0" and found["rows"][0][0] == "customer"


def test_other_signs_read_the_file_again(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = "".join(f"{i},5;{i + 1}.234;{'ja' if i % 2 else 'nein'}\n" for i in range(40))
    file.write_bytes(("größe;preis;gut\n" + rows).encode("latin-1"))
    session = open_session(file)
    assert state_json(session)["table"]["columns"][0]["name"] == "größe"
    assert client_of(session).get("/api/preview").json()["encoding"] == "cp1252"
    change(session, parsing={"decimal": ","})
    assert column(session, "größe")["kind"] == "numeric"
    assert column(session, "größe")["examples"][-1] == "39.5"
    assert column(session, "preis")["examples"][-1] == "40,234"


def test_roles_decide_what_the_tree_may_use(session: Session) -> None:
    assert column(session, "customer")["left_out"]
    state = change(session, roles={"customer": "use", "account": "ignore", "fee": "weight"})
    assert "customer" in state["table"]["used"]
    assert not {"account", "fee"} & {*state["table"]["used"]}
    assert session.prepared is not None and session.prepared.weights is not None
    expected = read_table_file(session.prepared.file, target="left").data["fee"]
    np.testing.assert_array_equal(session.prepared.weights, expected)
    state = change(session, roles={"plan": "weight"})
    assert "'plan' holds no numbers" in state["problem"] and state["table"]["target"] is None


def test_kinds_decide_how_columns_are_read(session: Session) -> None:
    assert column(session, "calls")["kind"] == "numeric"
    change(session, kinds={"calls": "category", "joined": "category"})
    assert column(session, "calls")["kind"] == "nominal"
    assert column(session, "joined")["kind"] == "nominal"
    answer = client_of(session).post("/api/choose", json={"changes": {"kinds": {"plan": "number"}}})
    assert "'plan' should hold numbers" in answer.json()["error"]
    assert column(session, "calls")["kind"] == "nominal"  # as it was


def test_another_target_is_settled_anew(session: Session) -> None:
    state = change(session, target="fee")
    assert state["table"]["task"] == "regression"
    assert state["table"]["target"]["low"] < state["table"]["target"]["median"]
    state = change(session, target="calls", task="classification")
    assert state["table"]["task"] == "classification"
    state = change(session, target="joined", task="auto")
    assert "holds dates" in state["problem"]
    assert state["tree"] is not None and not state["tree"]["current"]


def test_rows_without_a_target_are_left_out_and_keep_their_numbers(tmp_path: Path) -> None:
    y = np.array(["yes", "no", ""] * 40, dtype=object)
    file = write_csv(tmp_path / "t.csv", {"x": np.arange(120) % 7, "y": y})
    session = open_session(file)
    assert session.prepared is not None
    np.testing.assert_array_equal(session.prepared.rows, np.flatnonzero(y != ""))
    assert state_json(session)["table"]["usable_rows"] == 80


def test_every_remedy_can_be_clicked(session: Session) -> None:
    findings = state_json(session)["table"]["findings"]
    kinds = {one["kind"]: one for one in findings}
    assert kinds["leak"]["loud"] and kinds["leak"]["column"] == "account"
    assert kinds["leak"]["remedies"] == [
        {"label": "Leave it out", "change": {"role": ["account", "ignore"]}}
    ]
    assert kinds["identifier"]["remedies"][0]["change"] == {"role": ["customer", "use"]}
    assert kinds["date"]["remedies"][0]["change"] == {"kind": ["joined", "category"]}
    state = change(session, roles={"account": "ignore"})
    assert "leak" not in {one["kind"] for one in state["table"]["findings"]}


@pytest.mark.parametrize(
    ("overrule", "change"),
    [
        ("--ignore 'a b'", {"role": ["a b", "ignore"]}),
        ("--nominal x keeps the text", {"kind": ["x", "category"]}),
        ("--numeric x rounds them", {"kind": ["x", "number"]}),
        ("--min-level-count 1 keeps them", {"min_level_count": 1}),
        ("--class-weight balanced, or --costs FILE", {"balanced": True}),
        ("--task regression predicts numbers", {"task": "regression"}),
    ],
)
def test_remedies_are_read_from_the_options(overrule: str, change: dict[str, Any]) -> None:
    (found,) = data.remedies(overrule)
    assert found["change"] == change


@pytest.mark.parametrize("overrule", ["", "--use COLUMN", "--missing fractional x", "it's", "--x"])
def test_what_no_click_can_do_has_no_button(overrule: str) -> None:
    assert data.remedies(overrule) == []


def test_a_likely_target_is_the_last_column_that_can_be_one(tmp_path: Path) -> None:
    n = 60
    columns = {
        "sold": np.array(["yes", "no"] * (n // 2), dtype=object),
        "key": np.array([f"k{i}" for i in range(n)], dtype=object),
        "same": np.full(n, 3),
    }
    table = read_table_file(write_csv(tmp_path / "t.csv", columns))
    assert data.likely_target(table) == "sold"
    assert data.likely_target(table.without("sold")) is None


def test_a_file_that_cannot_be_read_is_told_and_other_signs_help(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(
        "a~b\n" + "".join(f"{i % 5}~{'yes' if i % 5 > 2 else 'no'}\n" for i in range(60))
    )
    from ramify.studio.opening import open_file
    from ramify.studio.security import Folders

    session = Session(Folders(tmp_path))
    open_file(session, file)
    assert session.job is not None and session.job.wait(30)
    assert session.job.state == "failed" and "no delimiter" in session.job.error
    assert state_json(session)["table"] is None
    state = change(session, parsing={"delimiter": "~"})
    assert state["choices"]["target"] == "b" and state["table"]["used"] == ["a"]


def test_names_of_columns_are_data(session: Session) -> None:
    state = change(session, roles={EVIL_NAME: "ignore"})
    assert EVIL_NAME not in state["table"]["used"]
    answer = client_of(session).post(
        "/api/choose", json={"changes": {"roles": {"nobody": "ignore"}}}
    )
    assert answer.status_code == 200
    assert "nobody" in answer.json()["state"]["problem"]


def test_the_preview_is_a_function_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text('a;b\n1;"x;y"\n')
    found = preview_table_file(file)
    assert found is not None and found.rows == [["a", "b"], ["1", "x;y"]]
    with pytest.raises(ValueError, match="must be one character"):
        preview_table_file(file, delimiter="ab")
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"a": 1}\n')
    assert preview_table_file(lines) is None
