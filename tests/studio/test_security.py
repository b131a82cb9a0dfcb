"""Only this machine, only with the token, only from the page itself, only in the open folder."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from helpers.studio_data import (
    EVIL_LEVEL,
    EVIL_NAME,
    PORT,
    TOKEN,
    client_of,
    open_session,
    serving,
    write_messy_csv,
)

from ramify.studio import security, uploads
from ramify.studio.opening import open_file
from ramify.studio.running import listen
from ramify.studio.security import Folders, Outside, new_token
from ramify.studio.session import Session

PATHS = ("/", "/app.js", "/app.css", "/api/state", "/api/tree", "/api/ship?form=model")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(Folders(tmp_path))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "ü"])
def test_nothing_is_served_without_the_token(session: Session, path: str, token: Any) -> None:
    client = client_of(session, token=None)
    headers = {} if token is None else {"x-ramify-token": token.encode("utf-8")}
    answer = client.get(path, headers=headers)
    assert answer.status_code == 403
    assert "Ramify Studio" not in answer.text and "version" not in answer.text


def test_the_token_of_the_address_becomes_a_cookie(session: Session) -> None:
    client = client_of(session, token=None)
    assert client.get("/?token=wrong").status_code == 403
    answer = client.get(f"/?token={TOKEN}")
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert client.get("/").status_code == 200
    assert client.get("/api/state").status_code == 200


def test_the_token_of_another_port_is_not_taken(session: Session) -> None:
    client = client_of(session, token=None)
    client.cookies.set(f"ramify_studio_{PORT + 1}", TOKEN)
    assert client.get("/api/state").status_code == 403


def test_tokens_cannot_be_guessed() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert all(len(new_token()) >= 40 for _ in range(10))


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", "", "[::1]:80"],
)
def test_a_host_that_is_not_this_server_is_refused(session: Session, host: str) -> None:
    answer = client_of(session).get("/api/state", headers={"host": host})
    assert answer.status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"https://127.0.0.1:{PORT}"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_pages_of_other_origins_are_refused(session: Session, origin: str, method: str) -> None:
    answer = client_of(session).request(method, "/api/state", headers={"origin": origin})
    assert answer.status_code == 403
    allowed = client_of(session).get("/api/state", headers={"origin": f"http://127.0.0.1:{PORT}"})
    assert allowed.status_code == 200


def test_a_form_of_another_site_is_refused(session: Session) -> None:
    headers = {"sec-fetch-site": "cross-site"}
    assert client_of(session).post("/api/grow", json={}, headers=headers).status_code == 403


def test_no_other_origin_may_read_an_answer(session: Session) -> None:
    headers = {"origin": f"http://127.0.0.1:{PORT}"}
    for method, path in (("GET", "/api/state"), ("OPTIONS", "/api/grow"), ("GET", "/")):
        answer = client_of(session).request(method, path, headers=headers)
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", [*PATHS[:4], "/nothing"])
def test_every_answer_forbids_what_the_page_does_not_need(session: Session, path: str) -> None:
    headers = client_of(session).get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_page_that_is_given_away_has_no_rights_here(tmp_path: Path) -> None:
    session = open_session(write_messy_csv(tmp_path / "t.csv", 300))
    answer = client_of(session).get("/api/ship?form=report")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert answer.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "path",
    [
        "../secret.csv",
        "/etc/passwd",
        "sub/../../secret.csv",
        "link.csv",
        "a\0b.csv",
        "linked/x.csv",
    ],
)
def test_nothing_outside_the_open_folder_is_read(tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    write_messy_csv(tmp_path / "secret.csv", 50)
    write_messy_csv(outside / "x.csv", 50)
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "sub").mkdir()
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "linked").symlink_to(outside)
    session = Session(Folders(folder))
    answer = client_of(session).post("/api/open", json={"path": path, "version": 0})
    assert answer.status_code == 400
    assert session.file is None
    with pytest.raises(Outside):
        session.folders.inside(path)


def test_a_project_cannot_lead_outside(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    write_messy_csv(tmp_path / "secret.csv", 50)
    project = folder / "t.csv.studio.json"
    project.write_text('{"ramify_studio":1,"data":"../secret.csv"}')
    session = Session(Folders(folder))
    with pytest.raises(Outside):
        open_file(session, project)
    assert session.file is None


@pytest.mark.parametrize(
    "name", ["../up.csv", "/tmp/up.csv", "a/b.csv", "a\\b.csv", "..", "", "a\0.csv"]
)
def test_a_dropped_file_has_a_name_and_no_path(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    client = client_of(Session(Folders(folder)))
    answer = client.put("/api/upload", params={"name": name}, content=b"a,b\n1,2\n")
    assert answer.status_code == 400
    assert list(folder.iterdir()) == [] and sorted(tmp_path.iterdir()) == [folder]


def test_files_and_requests_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = client_of(Session(Folders(tmp_path)))
    monkeypatch.setattr(security, "MOST_BYTES", 1000)
    monkeypatch.setattr(uploads, "MOST_BYTES", 1000)
    content = b"a,b\n" + b"1,2\n" * 500
    assert client.put("/api/upload?name=t.csv", content=content).status_code == 413

    def pieces() -> Any:  # without a length that tells
        yield from (content[i : i + 100] for i in range(0, len(content), 100))

    assert client.put("/api/upload?name=t.csv", content=pieces()).status_code == 413
    assert list(tmp_path.iterdir()) == []
    long = b" " * (security.MOST_OTHER_BYTES + 1)
    assert client.post("/api/choose", content=long).status_code == 413
    assert (
        client.post(
            "/api/choose", content=(long[i : i + 65536] for i in range(0, len(long), 65536))
        ).status_code
        == 413
    )


def test_it_listens_on_this_machine_alone() -> None:
    with listen(0) as opened:
        assert opened.getsockname()[0] == "127.0.0.1"
        with pytest.raises(ValueError, match="this port is taken"):
            listen(opened.getsockname()[1])


def test_websockets_are_not_answered(session: Session) -> None:
    guard = client_of(session).app
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "websocket", "path": "/", "headers": [], "query_string": b""}
    asyncio.run(guard(scope, None, send))
    assert sent == []


def test_hostile_names_are_text_in_json_and_never_in_the_page(tmp_path: Path) -> None:
    session = open_session(write_messy_csv(tmp_path / "t.csv", 300))
    client = client_of(session)
    state = client.get("/api/state")
    assert state.headers["content-type"] == "application/json"
    column = state.json()["table"]["columns"][9]
    assert column["name"] == EVIL_NAME and any("<img" in one for one in column["examples"])
    page = client.get("/").text
    assert EVIL_LEVEL not in page and EVIL_NAME not in page
    assert "innerHTML" not in client.get("/app.js").text
    assert "insertAdjacentHTML" not in client.get("/app.js").text
    assert "eval(" not in client.get("/app.js").text


def test_a_real_server_answers_only_with_the_token(tmp_path: Path) -> None:
    import httpx

    with serving(Session(Folders(tmp_path))) as address:
        base = address.split("/?")[0]
        assert httpx.get(f"{base}/api/state").status_code == 403
        with httpx.Client(follow_redirects=True) as client:
            assert "Ramify Studio" in client.get(address).text
            assert client.get(f"{base}/api/state").json()["version"] == 0
