"""Work that takes long: it runs in a thread, says how far it is, and can be stopped."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from ramify.learning.progress import Progress, listening


class Job:
    """One piece of work.

    `state` is "running", "done", "stopped" or "failed". Stopping asks the work to end: it raises
    KeyboardInterrupt where the work reports its progress, as Ctrl-C would.

    Parameters
    ----------
    what : str
        What is done, in words.
    work : callable
        Called with the job in a thread of its own.
    """

    def __init__(self, what: str, work: Callable[[Job], None]) -> None:
        self.what = what
        self.state = "running"
        self.error = ""
        self.part: float | None = None
        self.words = ""
        self.moments: list[tuple[float, float, float]] = []
        self._work = work
        self._stop = threading.Event()
        self._began = time.monotonic()
        self._seconds: float | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"ramify {what}")

    def start(self) -> Job:
        """Begin."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ask the work to end; what it has found so far is kept where that is possible."""
        self._stop.set()

    def keep(self) -> None:
        """Note that what was found is kept: from here on nothing is stopped any more."""
        self._stop.clear()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; tell whether it came."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.state == "running"

    def say(self, words: str, part: float | None = None) -> None:
        """Report what runs, and how much of it is done; here a stop takes effect."""
        self.words, self.part = words, part
        if self._stop.is_set():
            raise KeyboardInterrupt

    def moment(self, seconds: float, error: float, bound: float) -> None:
        """Report the error and the bound of a search; here a stop takes effect."""
        self.moments.append((seconds, error, bound))
        if self._stop.is_set():
            raise KeyboardInterrupt

    def _run(self) -> None:
        try:
            with listening(_Heard(self)):
                self._work(self)
            self.state = "done"
        except KeyboardInterrupt:
            self.state = "stopped"
        except (ValueError, TypeError, OSError, MemoryError, RuntimeError) as error:
            self.state, self.error = "failed", _one_line(error)
        except Exception as error:
            traceback.print_exc()
            self.state = "failed"
            self.error = f"{type(error).__name__}: {_one_line(error)} (a defect of ramify)"
        finally:
            self._seconds = time.monotonic() - self._began

    def to_dict(self) -> dict[str, Any]:
        """Give what a window shows of it."""
        seconds = time.monotonic() - self._began if self._seconds is None else self._seconds
        return {
            "what": self.what,
            "state": self.state,
            "error": self.error,
            "words": self.words,
            "part": self.part,
            "seconds": round(seconds, 2),
            "moments": thinned(self.moments),
            "stopping": self._stop.is_set() and self.running,
        }


class _Heard(Progress):
    """Passes the progress of learners on to a job."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self._done = 0.0
        self._total: float | None = None
        self._what = ""

    def begin(self, what: str, total: float | None) -> None:
        self._what, self._total, self._done = what, total, 0.0
        self._job.say(what, None if total is None else 0.0)

    def expect(self, more: int) -> None:
        self._update(total=(self._total or 0) + more)

    def _update(self, **what: Any) -> None:
        self._what = what.get("description") or self._what
        self._total = what.get("total", self._total)
        self._done = what.get("completed", self._done) + what.get("advance", 0)
        part = None if not self._total else min(1.0, self._done / self._total)
        self._job.say(self._what, part)


def thinned(
    moments: list[tuple[float, float, float]], most: int = 200
) -> list[tuple[float, float, float]]:
    """Give some of many moments, the first and the last among them."""
    if len(moments) <= most:
        return list(moments)
    step = (len(moments) - 1) / (most - 1)
    return [moments[round(i * step)] for i in range(most)]


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
