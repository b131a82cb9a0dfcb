"""`ramify studio`: a table, a tree and its edits in the browser, on this machine."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.options import OUTPUT, option


def studio(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A table, a saved model, or a project of the studio.", metavar="[FILE | MODEL]"
        ),
    ] = None,
    *,
    port: Annotated[int, option("The port of the server. 0 takes a free one.", panel=OUTPUT)] = 0,
    no_browser: Annotated[
        bool, option("Print the address, and open no browser.", "--no-browser", panel=OUTPUT)
    ] = False,
    author: Annotated[
        str | None, option("Who edits, for the records. Default: your user name.", panel=OUTPUT)
    ] = None,
) -> None:
    """Grow a tree in the browser, change it, and see what every change costs.

    The server answers this machine alone. What you do is saved beside the table as you go.
    """
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise ValueError(f"the studio needs {' and '.join(missing)}: pip install 'ramify[studio]'")
    if not 0 <= port <= 65535:
        raise ValueError(f"--port={port} is no port; give a number from 0 to 65535")
    from ramify.studio.running import run

    run(file, port=port, browser=not no_browser, author=author, say=typer.echo)
