"""Cases in child processes, with a limit of time and memory for each: a crash is a result.

Invariant: every number that is begun has one result, whatever becomes of the process.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

#: How much longer a case may take than its limit of processor time.
PATIENCE = 10
#: Address space that a child may take beyond what it starts with.
MEMORY = 2 * 2**30


@dataclass(frozen=True)
class Result:
    """What became of a case: `failure` is "" or its kind in one line, `details` its traceback."""

    number: int
    outcome: str
    failure: str = ""
    details: str = ""


def run_each(
    numbers: Sequence[int], work: Callable[[int], str], *, seconds: float = 60.0
) -> Iterator[Result]:
    """Run `work` on each number in a child; a new child takes over where one has died.

    `seconds` is the limit of a case in processor time, so that a busy machine makes no failure; a
    child that says nothing for `PATIENCE` times as long hangs.
    """
    left = list(numbers)
    while left:
        done = 0
        for result in _one_child(left, work, seconds):
            done += 1
            yield result
        left = left[done:]


def _one_child(
    numbers: Sequence[int], work: Callable[[int], str], seconds: float
) -> Iterator[Result]:
    sys.stdout.flush()
    gc.collect()
    gc.freeze()  # what is there stays; the child need not look through it again and again
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work_through(numbers, work, writing, seconds)
    gc.unfreeze()
    os.close(writing)
    begun, ended = None, False
    try:
        for line in _lines(reading, seconds * PATIENCE):
            if line[0] == "begin":
                begun = line[1]
            else:
                begun = None
                yield Result(*line[1:])
    except TimeoutError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        ended = True
        yield Result(_of(begun), "failed", "hang", f"no answer within {seconds * PATIENCE} s")
    finally:
        os.close(reading)
        if not ended:
            _, status = os.waitpid(child, 0)
            code = os.waitstatus_to_exitcode(status)
    if not ended and begun is not None:
        ending = signal.Signals(-code).name if code < 0 else f"exit {code}"
        yield Result(begun, "failed", f"crash: {ending}", "")
    elif not ended and code != 0:
        raise RuntimeError(f"the child ended with {code} between two cases")


def _of(begun: int | None) -> int:
    if begun is None:
        raise RuntimeError("the child hung between two cases")
    return begun


def _work_through(
    numbers: Sequence[int], work: Callable[[int], str], writing: int, seconds: float
) -> None:
    """Be the child. It never returns."""
    code = 0
    try:
        signal.signal(signal.SIGPROF, _too_long)
        if "ASAN_OPTIONS" not in os.environ:  # the sanitizer reserves terabytes
            with open("/proc/self/statm") as file:
                size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, resource.RLIM_INFINITY))
        for number in numbers:
            _say(writing, ["begin", number])
            signal.setitimer(signal.ITIMER_PROF, seconds)
            try:
                result = [number, work(number)]
            except BaseException as error:
                signal.setitimer(signal.ITIMER_PROF, 0)
                result = [number, "failed", signature(error), traceback.format_exc()[-6000:]]
            signal.setitimer(signal.ITIMER_PROF, 0)
            _say(writing, ["end", *result])
    except BrokenPipeError:
        pass  # nobody listens any more
    except BaseException:
        traceback.print_exc()
        code = 99
    os._exit(code)


def _too_long(*_: object) -> None:
    raise TimeoutError("the case took too long")


def _say(writing: int, line: list[object]) -> None:
    rest = (json.dumps(line) + "\n").encode()
    while rest:
        rest = rest[os.write(writing, rest) :]


def _lines(reading: int, seconds: float) -> Iterator[list[object]]:
    """What the child says, until it says nothing for so long.

    Short waits are counted: the time in which all of us are stopped is no time of the child.
    """
    buffer = b""
    step = min(1.0, seconds / 10)
    while True:
        waits = 0
        while not select.select([reading], [], [], step)[0]:
            waits += 1
            if waits * step >= seconds:
                raise TimeoutError
        got = os.read(reading, 2**16)
        if not got:
            return
        *lines, buffer = (buffer + got).split(b"\n")
        for line in lines:
            yield json.loads(line)


def signature(error: BaseException) -> str:
    """The kind of a failure: what failed, without the numbers in it."""
    where = next((note for note in getattr(error, "__notes__", ()) if note.startswith("in ")), "")
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "ramify" in frame.filename and frame.name != "fit"]
    last = inside[-1].name if inside else ""
    if isinstance(error, AssertionError):  # what does not hold, up to the first number
        said = re.split(
            r"\d",
            " ".join(str(error).split()).replace(
                "Not equal to tolerance rtol=1e-09, atol=1e-12 ", ""
            ),
        )
        last = f"{last} {said[0][:60] or said[-1][:60]}".strip()
    return f"{type(error).__name__} {where} {last}".strip()
