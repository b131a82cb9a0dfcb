"""Some seconds of every campaign, and the harness itself: it must find what is wrong."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pytest
from helpers.paths import TESTS

from fuzz import fits
from fuzz.__main__ import CAMPAIGNS
from fuzz.children import run_each
from fuzz.drawing import draw_problem
from fuzz.minimise import minimise

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="cases run in forked children")
#: How many cases of a campaign; a longer run is ``tools/fuzz``.
CASES = {"fits": 60, "optimal": 40, "files": 150, "tables": 40, "scale": 40}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_short_run_finds_nothing(name: str) -> None:
    # In an interpreter of its own: a child that is forked beside the threads of others may hang.
    ended = subprocess.run(
        [sys.executable, "-m", "fuzz", name, "--seconds", "120", "--most", str(CASES[name])],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *_path()])},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    outcomes = Counter({w: int(n) for n, w in re.findall(r"(\d+) ([a-z]+)", _counts(ended.stdout))})
    assert outcomes.total() >= 10
    used = outcomes.total() - outcomes["refused"]
    assert used > outcomes.total() * {"files": 0.05, "tables": 0.25}.get(name, 0.6), outcomes


def _path() -> list[str]:
    return [path for path in [os.environ.get("PYTHONPATH", "")] if path]


def _counts(printed: str) -> str:
    return printed.splitlines()[-1].partition(" cases from 0: ")[2]


def test_a_number_is_always_the_same_case() -> None:
    assert draw_problem(77) == draw_problem(77) != draw_problem(78)


def test_whatever_becomes_of_a_child_is_a_result() -> None:
    def work(number: int) -> str:
        if number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 2:
            while True:
                pass
        if number == 3:
            np.ones(2**34)
        if number == 4:
            os._exit(7)
        if number == 5:
            time.sleep(60)
        return "fine"

    found = {r.number: r.failure or r.outcome for r in run_each(range(7), work, seconds=0.3)}
    assert found[0] == found[6] == "fine" and found[5] == "hang"
    assert found[1] == "crash: SIGKILL" and found[2].startswith("TimeoutError")
    assert "MemoryError" in found[3] and found[4] == "crash: exit 7"


def test_a_failure_is_made_small() -> None:
    class Broken:
        """Fails where a table has a column of text and three rows or more."""

        name = "fits"
        draw = staticmethod(fits.draw)
        smaller = staticmethod(fits.smaller)

        @staticmethod
        def run(case: dict, number: int) -> str:
            kinds = {column["kind"] for column in case["columns"].values()}
            if "text" in kinds and len(case["target"]) >= 3:
                raise AssertionError("a column of text")  # what does not hold is always the same
            return "fitted"

    number = next(n for n in range(1000) if _fails(Broken.run, fits.draw(n)))
    small = minimise(Broken(), fits.draw(number))
    assert len(small["target"]) == 3 and not small["parameters"] and small["weights"] is None
    assert [column["kind"] for column in small["columns"].values()] == ["text"]


def _fails(run: object, case: dict) -> bool:
    try:
        run(case, 0)  # type: ignore[operator]
    except AssertionError:
        return len(case["target"]) > 8 and len(case["columns"]) > 2
    return False
