"""Starting the server: a socket of this machine alone, a token, a browser, and the end."""

from __future__ import annotations

import getpass
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from ramify.studio.opening import open_file
from ramify.studio.security import Folders, new_token
from ramify.studio.server import make_app
from ramify.studio.session import Session

HOST = "127.0.0.1"


def run(
    file: Path | None,
    *,
    port: int = 0,
    browser: bool = True,
    author: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the studio until Ctrl-C.

    Parameters
    ----------
    file : Path or None
        A table, a model or a project to open. Its folder is the one that is open; without a file,
        that is the working directory.
    port : int
        0 takes a free one.
    browser : bool
        Whether to open the page.
    author : str or None
        Who edits; None is the name of the user.
    say : callable
        Prints a line.
    """
    folder = Path.cwd() if file is None else file.resolve().parent
    if file is not None and not file.is_file():
        raise FileNotFoundError(2, "No such file or directory", str(file))
    session = Session(Folders(folder), author=author or user_name())
    if file is not None:
        open_file(session, file.resolve())
    with listen(port) as server_socket:
        port = int(server_socket.getsockname()[1])
        token = new_token()
        app = make_app(session, token=token, port=port)
        settings = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", server_header=False
        )
        server = uvicorn.Server(settings)
        address = f"http://{HOST}:{port}/?token={token}"
        say(f"Ramify Studio: {address}")
        say("Ctrl-C ends it. What you did is saved.")
        if browser:
            threading.Thread(target=_open, args=(server, address), daemon=True).start()
        with suppress(KeyboardInterrupt):
            server.run(sockets=[server_socket])
        if session.job is not None:
            session.job.stop()


def listen(port: int) -> socket.socket:
    """Open a socket that this machine alone reaches."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((HOST, port))
        opened.listen()  # from here on nobody else gets the port
    except OSError as error:
        opened.close()
        raise ValueError(f"--port {port}: this port is taken; leave it out to take any") from error
    return opened


def user_name() -> str | None:
    """Give the name of the user, if the machine says it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None


def _open(server: uvicorn.Server, address: str) -> None:
    while not server.started and not server.should_exit:
        time.sleep(0.02)
    webbrowser.open(address)
