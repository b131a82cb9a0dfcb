"""The progress bar of a comparison: what is running, what is done, and the time left."""

from __future__ import annotations

import sys
from typing import Any


class ProgressBar:
    """A bar on the error stream; nothing where it is switched off or nobody looks.

    `shown` None shows it if the error stream is a terminal.
    """

    def __init__(self, shown: bool | None, total: int) -> None:
        self._bar: Any = None
        self._total = total
        self._done = 0
        self._shown = sys.stderr.isatty() if shown is None else shown

    def __enter__(self) -> ProgressBar:
        if self._shown:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                speed_estimate_period=600,
            )
            self._bar.start()
            self._task = self._bar.add_task("comparing", total=self._total or None)
        return self

    def __exit__(self, *what: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Say what is running."""
        if self._bar is not None:
            self._bar.update(self._task, description=text)

    def advance(self, count: int = 1) -> None:
        """Count folds that are done."""
        self._done += count
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)

    def correct(self, difference: int) -> None:
        """Change the total by what a data set has more or fewer folds than expected."""
        self._total += difference
        if self._bar is not None and difference:
            self._bar.update(self._task, total=self._total)
