"""A messy table for the studio, sessions on it, and a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra studio)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra studio)")
pytest.importorskip("httpx", reason="httpx is not installed (extra test)")

import uvicorn
from starlette.testclient import TestClient

from ramify.studio.opening import open_file
from ramify.studio.running import listen
from ramify.studio.security import Folders
from ramify.studio.server import make_app
from ramify.studio.session import Session

TOKEN, PORT = "a-token-of-the-test", 8765
#: Names that would do harm if they were read as markup.
EVIL_NAME = "<b>note</b>"
EVIL_LEVEL = "<img src=x onerror=window.broken=1>"


def write_messy_csv(path: Path, n: int = 1500, seed: int = 1) -> Path:
    """Write customers with an identifier, a leak, holes, dates and prices as people write them."""
    rng = np.random.default_rng(seed)
    age, tenure = rng.integers(18, 85, n), rng.integers(0, 72, n)
    plan = rng.choice(["basic", "plus", "family", "business", "student"], n)
    region = rng.choice(["North", "South", "East", "West"], n)
    fee, calls = rng.gamma(4, 9, n) + 10, rng.poisson(1.5, n)
    z = -1.2 - 0.06 * tenure + 0.8 * calls + 1.2 * (plan == "basic") - 1.2 * (plan == "business")
    left = rng.random(n) < 1 / (1 + np.exp(-(z + 1.5 * (fee > 60))))
    account = np.where(left, "closed", "open")
    day, month, year = rng.integers(1, 28, n), rng.integers(1, 13, n), rng.integers(2015, 2024, n)
    note = rng.choice(["ok", EVIL_LEVEL, ""], n)
    lines = [f"customer;age;tenure;plan;region;fee;calls;joined;account;{EVIL_NAME};left"]
    for i in range(n):
        cells = [
            f"C{i:05d}",
            str(age[i]) if rng.random() > 0.03 else "?",
            str(tenure[i]),
            plan[i],
            region[i],
            f"€{fee[i]:.2f}".replace(".", ","),
            str(calls[i]),
            f"{day[i]:02d}.{month[i]:02d}.{year[i]}",
            account[i],
            note[i],
            "yes" if left[i] else "no",
        ]
        lines.append(";".join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def settled(session: Session) -> Session:
    """Wait until nothing runs; a failure is raised."""
    assert session.job is None or session.job.wait(60)
    if session.job is not None and session.job.state == "failed":
        raise AssertionError(session.job.error)
    return session


def open_session(file: Path, *, author: str = "eve") -> Session:
    """Open a table with its first tree."""
    session = Session(Folders(file.parent), author=author)
    open_file(session, file)
    return settled(session)


def client_of(session: Session, *, token: str | None = TOKEN) -> TestClient:
    """Give a client that has the token, unless it is told not to."""
    app = make_app(session, token=TOKEN, port=PORT)
    headers = {} if token is None else {"x-ramify-token": token}
    return TestClient(
        app, base_url=f"http://127.0.0.1:{PORT}", headers=headers, follow_redirects=False
    )


@contextmanager
def serving(session: Session) -> Iterator[str]:
    """Serve a session on a free port; gives the address with its token."""
    with listen(0) as opened:
        port = opened.getsockname()[1]
        app = make_app(session, token=TOKEN, port=port)
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: server.run(sockets=[opened]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}/?token={TOKEN}"
        server.should_exit = True
        thread.join(10)


def edit(session: Session, action: str, node: int, reason: str | None = None, **given: Any) -> Any:
    """Edit the tree of a session, as the page does."""
    request = {"action": action, "node": node, "arguments": given, "reason": reason}
    return session.edit(request, session.version)
