"""A real zsh that completes what is typed into it."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

needs_zsh = pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")

# Ctrl-X w writes what stands in the line to the file `line`.
_SETTINGS = """\
autoload -Uz compinit && compinit -u -D
source completion.zsh
write-line() { print -rn -- "$BUFFER" > line.part && mv line.part line }
zle -N write-line
bindkey '^Xw' write-line
print > ready
"""


def make_command(folder: Path) -> dict[str, str]:
    """Write a command `ramify` and its completion to a folder; give the environment to use it."""
    command = folder / "bin" / "ramify"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ramify "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "TERM": "dumb",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",  # the shell is named, not found
    }
    script = subprocess.run(
        [command, "--show-completion", "zsh"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    (folder / "completion.zsh").write_text(script)
    return environment


def complete_in_zsh(typed: str, folder: Path, environment: dict[str, str]) -> str:
    """Type a line, press Tab, and give the line as it then is."""
    import pty  # Windows has none

    line, ready = folder / "line", folder / "ready"
    line.unlink(missing_ok=True)
    ready.unlink(missing_ok=True)
    keyboard, screen = pty.openpty()
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=screen,
        stdout=screen,
        stderr=screen,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    os.close(screen)
    try:
        os.write(keyboard, _SETTINGS.encode())
        shown = _wait_for(ready, keyboard)
        os.write(keyboard, f"{typed}\t\x18w".encode())
        shown += _wait_for(line, keyboard)
    finally:
        shell.kill()
        shell.wait()
        os.close(keyboard)
    assert line.exists(), shown.decode(errors="replace")
    return line.read_text()


def _wait_for(file: Path, keyboard: int) -> bytes:
    """Wait until the shell has written a file; what it shows must be read, or it waits as well."""
    shown, last = b"", time.monotonic() + 60
    while not file.exists() and time.monotonic() < last:
        if select.select([keyboard], [], [], 0.05)[0]:
            shown += os.read(keyboard, 4096)
    return shown
