"""The progress bar of everything that takes long: what runs, how much is done, the time left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Progress:
    """Updates a progress bar. Without a bar it does nothing.

    Most learners only call it with the number of steps done.
    """

    def __init__(self, bar: Any = None, task: Any = None) -> None:
        self._bar = bar
        self._task = task

    def begin(self, what: str, total: float | None) -> None:
        """Hear that something begins, with its number of steps."""

    def __call__(self, done: float, what: str | None = None) -> None:
        """Show how much is done (a number of steps, or a part of 1) and what is running."""
        self._update(completed=done, description=what)

    def say(self, what: str) -> None:
        """Show what is running."""
        self._update(description=what)

    def advance(self) -> None:
        """Show that one more step is done."""
        self._update(advance=1)

    def expect(self, more: int) -> None:
        """Add to the expected number of steps; a negative number takes steps away."""
        if self._bar is not None:
            self._update(total=(self._bar.tasks[0].total or 0) + more)

    def _update(self, **what: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._task, **what)


_LISTENER: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Progress) -> Iterator[None]:
    """Let a listener hear all progress of this thread, in place of the error stream.

    What it raises ends the work: it is raised where the progress was told.
    """
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


@contextmanager
def progress(
    what: str, total: float | None = None, *, shown: bool | None, transient: bool = False
) -> Iterator[Progress]:
    """Show a bar on the error stream while something runs.

    Parameters
    ----------
    what : str
        What is running.
    total : int, float or None
        The number of steps; 1.0 if parts of 1 are reported; None if it is not known.
    shown : bool or None
        Whether to show it. None shows it if the error stream is a terminal.
    transient : bool
        Whether the bar disappears at the end.
    """
    listener = _LISTENER.get()
    if listener is not None:
        listener.begin(what, total)
        yield listener
        return
    if shown is None:
        shown = sys.stderr is not None and sys.stderr.isatty()
    if not shown:
        yield Progress()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Done(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(_done(task.completed, task.total), style="progress.download")

    with Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        Done(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=transient,
        speed_estimate_period=600,
    ) as bar:
        yield Progress(bar, bar.add_task(what, total=total))


def _done(completed: float, total: float | None) -> str:
    if total is None:
        return f"{completed:g}" if completed else ""
    return f"{completed / total:.0%}" if isinstance(total, float) else f"{completed:g}/{total:g}"
