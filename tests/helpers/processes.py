"""Code in a process of its own, Ctrl-C in this one, and what only POSIX systems have."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

posix = pytest.mark.skipif(os.name == "nt", reason="files as POSIX has them")
needs_signals = pytest.mark.skipif(
    os.name == "nt", reason="Windows has no SIGINT to send to one process"
)


def run_python(code: str, *arguments: object, timeout: float = 120, **options: Any) -> str:
    """Run code in a process of its own. Give what it prints; fail if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **options,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def seconds_to_stop(code: str, *arguments: object, timeout: float) -> float:
    """Run code that interrupts itself. It prints how long it took to stop, then "usable"."""
    stopped, usable = run_python(code, *arguments, timeout=timeout).split()
    assert usable == "usable"
    assert stopped != "finished", "the work was over before the signal: make it larger"
    return float(stopped)


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt. A job in the background is started with it ignored."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Send Ctrl-C to this process after so many seconds. The work inside must be stopped by it."""
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    with heeding_ctrl_c():
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                yield
        finally:
            timer.cancel()
