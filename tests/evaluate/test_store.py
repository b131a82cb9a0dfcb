"""The store: it survives kills and torn lines, is continued, and never mixes runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.counting import DATA, CountingTree, fits, learners, without_times
from helpers.paths import TESTS
from sklearn.datasets import load_iris

from ramify.evaluate import Comparison, compare

KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
from helpers.counting import DATA, learners
from ramify.evaluate import compare
if __name__ == "__main__":
    compare(learners(sys.argv[2], seconds=0.02), DATA, cv=(5, 2), store=sys.argv[3],
            n_jobs=int(sys.argv[4]))
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_killed_run_continues(tmp_path: Path, n_jobs: int) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    with subprocess.Popen(
        [sys.executable, str(script), str(TESTS), str(log), str(store), str(n_jobs)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        end = time.monotonic() + 60
        while store_size(store) < 8 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGKILL)
    before = store_size(store)
    assert 8 <= before < 40, process.returncode
    done = fits(log)
    assert before <= done <= before + 2 * n_jobs + 2  # only what was under way is lost
    found = compare(learners(log, seconds=0.02), DATA, cv=(5, 2), store=store)
    assert fits(log) - done == 40 - before
    whole = compare(learners(tmp_path / "other", seconds=0.02), DATA, cv=(5, 2))
    assert without_times(found) == without_times(whole)
    assert without_times(Comparison.read(store)) == without_times(whole)


def store_size(path: Path) -> int:
    """Whole lines with a fold."""
    if not path.exists():
        return 0
    return sum(b'"kind":"fold"' in line for line in path.read_bytes().split(b"\n")[:-1])


def test_a_torn_line_is_computed_again(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    whole = compare(learners(log), DATA, cv=5, store=store)
    content = store.read_bytes()
    for cut in (1, 40, 200):  # inside the last line
        store.write_bytes(content[:-cut])
        before = fits(log)
        again = compare(learners(log), DATA, cv=5, store=store)
        assert fits(log) - before == (cut > 1)  # only the newline was missing
        assert without_times(again) == without_times(whole)
        assert without_times(Comparison.read(store)) == without_times(whole)
    assert fits(log) == 22


@pytest.mark.parametrize("cut", range(0, 42, 3))
def test_a_torn_header_is_no_obstacle(tmp_path: Path, cut: int) -> None:
    """A run was killed while it wrote the header; then come a run, and another, and another."""
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    store.write_bytes(b'{"kind": "ramify.evaluate", "format": 1}\n'[:cut])
    tree = {"tree": CountingTree(str(log))}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = compare(tree, {"iris": load_iris}, cv=3, store=store)
        for _ in range(2):
            again = compare(tree, {"iris": load_iris}, cv=3, store=store)
            assert without_times(again) == without_times(first)
        assert without_times(Comparison.read(store)) == without_times(first)
    assert fits(log) == 3
    assert store.read_bytes().count(b'"ramify.evaluate", "format": 1}\n') == 1


def test_a_store_that_a_torn_header_had_spoiled_is_read_again(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    whole = compare(learners(log), DATA, cv=3, store=store)
    header, rest = store.read_bytes().split(b"\n", 1)
    store.write_bytes(header[:12] + b"\n" + rest)
    for _ in range(2):
        assert without_times(compare(learners(log), DATA, cv=3, store=store)) == without_times(
            whole
        )
    assert fits(log) == 12
    assert store.read_bytes().startswith(header[:12] + b"\n" + rest)


ODD_LINES = {
    "no JSON": b"something else",
    "no text": b"\xff\xfe\x00",
    "a number": b"3",
    "no kind": b'{"fold": 1}',
    "a fold without all": b'{"kind":"fold","dataset":"iris"}',
    "a run without all": b'{"kind":"run"}',
    "learners that are none": b'{"kind":"run","learners":{"x":1},"datasets":[],"task":"t","cv":"c",'
    b'"repeats":1,"scores":{},"test":"t","alpha":0.05,"versions":{}}',
    "a data set without all": b'{"kind":"dataset","name":"iris"}',
    "a header without all": b'{"kind":"ramify.evaluate"}',
    "of odd types": b'{"kind":"dataset","name":"iris","id":[1],"n_rows":1}',
}


@pytest.mark.parametrize("kind", ODD_LINES)
@pytest.mark.parametrize("place", [0, 1, 3, 8, -1])
def test_an_odd_line_is_skipped_with_a_warning(tmp_path: Path, kind: str, place: int) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    whole = compare(learners(log), DATA, cv=3, store=store)
    lines = store.read_bytes().split(b"\n")
    lines.insert(place if place >= 0 else len(lines) - 1, ODD_LINES[kind])
    store.write_bytes(b"\n".join(lines))
    number = lines.index(ODD_LINES[kind]) + 1
    for _ in range(2):
        with pytest.warns(UserWarning, match=rf"these lines as they are: {number} \("):
            again = compare(learners(log), DATA, cv=3, store=store)
        assert without_times(again) == without_times(whole)
    with pytest.warns(UserWarning, match="skipped and stay in the file"):
        assert without_times(Comparison.read(store)) == without_times(whole)
    assert fits(log) == 12
    assert store.read_bytes().startswith(b"\n".join(lines))


@pytest.mark.parametrize("line", [0, 1, 2, 5])
def test_a_spoiled_line_is_computed_again(tmp_path: Path, line: int) -> None:
    """Any line of a store, header, run, data set or fold, turned to rubbish."""
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    whole = compare(learners(log), DATA, cv=3, store=store)
    lines = store.read_bytes().split(b"\n")
    lines[line] = b"#" * len(lines[line])
    store.write_bytes(b"\n".join(lines))
    with pytest.warns(UserWarning, match=rf"{line + 1} \(it is no JSON\)"):
        again = compare(learners(log), DATA, cv=3, store=store)
    assert without_times(again) == without_times(whole)
    assert fits(log) == 12 + (line == 5)


def test_many_odd_lines_are_counted(tmp_path: Path) -> None:
    store = tmp_path / "runs.jsonl"
    compare({"tree": CountingTree()}, {"iris": load_iris}, cv=3, store=store)
    with store.open("ab") as file:
        file.write(b"rubbish\n" * 9)
    with pytest.warns(UserWarning, match="and 4 more"):
        assert len(Comparison.read(store).rows) == 3


@pytest.mark.parametrize(
    "text", ["a diary", "a diary\nof mine\n", '{"a": 1}', '{"kind": "x"}\n', "[]"]
)
def test_files_of_others_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match="has not written"):
        compare({"tree": CountingTree()}, {"iris": load_iris}, store=file)
    assert file.read_text() == text


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    store = tmp_path / "runs.jsonl"
    calls = []

    def interrupting(estimator: Any, X: Any, y: Any) -> float:
        calls.append(1)
        if len(calls) == 7:
            raise KeyboardInterrupt
        return 1.0

    with pytest.raises(KeyboardInterrupt):
        compare(learners(tmp_path / "log"), DATA, cv=5, store=store, scores=(interrupting,))
    assert store_size(store) == 6
    assert len(Comparison.read(store).rows) == 6


def test_nothing_is_computed_twice(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(learners(log), DATA, cv=(3, 1), store=store)
        assert fits(log) == 12
        compare(learners(log), DATA, cv=(3, 2), store=store)  # one repeat more
        assert fits(log) == 24
        few = compare(learners(log), {"iris": load_iris}, cv=(3, 1), store=store)
        assert fits(log) == 24 and len(few.rows) == 6
        compare({**learners(log), "third": CountingTree(str(log))}, DATA, cv=(3, 1), store=store)
        assert fits(log) == 30
        compare(learners(log), DATA, cv=(3, 1), scores=("accuracy",), store=store)
        assert fits(log) == 30
        compare(learners(log), DATA, cv=(3, 1), scores=("accuracy", "depth"), store=store)
        assert fits(log) == 42  # a score that is not there needs the learner again
        compare(learners(log), DATA, cv=4, store=store)
        assert fits(log) == 58
        compare(learners(log), DATA, cv=(3, 1), random_state=1, store=store)
        assert fits(log) == 70
        read = compare(learners(log), DATA, cv=(3, 2), store=store)
        assert fits(log) == 70
    union = Comparison.read(store)
    assert union.learners == ("depth 1", "depth 3", "third")
    assert len(read.rows) == 24 and len(union.rows) == 30


def test_a_changed_learner_is_computed_anew(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    first = compare({"tree": CountingTree(str(log), max_depth=1)}, DATA, cv=3, store=store)
    with pytest.warns(UserWarning, match=r"'tree' is not the one in the store \(max_depth: 1 -> 4"):
        second = compare({"tree": CountingTree(str(log), max_depth=4)}, DATA, cv=3, store=store)
    assert fits(log) == 12
    assert second.results["accuracy"] != first.results["accuracy"]
    assert without_times(Comparison.read(store)) == without_times(second)
    with pytest.warns(UserWarning, match="max_depth: 4 -> 1"):
        third = compare({"tree": CountingTree(str(log), max_depth=1)}, DATA, cv=3, store=store)
    assert fits(log) == 12  # it was there already
    assert without_times(third) == without_times(first)


def test_changed_data_are_computed_anew(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    X, y = load_iris(return_X_y=True)
    compare({"tree": CountingTree(str(log))}, {"iris": (X, y)}, cv=3, store=store)
    other = X.copy()
    other[17, 2] += 1e-9
    with pytest.warns(UserWarning, match="data set 'iris' is not the one in the store"):
        found = compare({"tree": CountingTree(str(log))}, {"iris": (other, y)}, cv=3, store=store)
    assert fits(log) == 6 and len(found.rows) == 3


def test_a_changed_function_is_computed_anew(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"

    def with_score(value: float) -> Comparison:
        def mine(estimator: Any, X: Any, y: Any) -> float:
            return value

        tree = {"tree": CountingTree(str(log))}
        return compare(tree, {"iris": load_iris}, cv=3, scores=[mine], store=store)

    assert with_score(1.0).results["mine"] == [1.0] * 3
    assert with_score(1.0).results["mine"] == [1.0] * 3
    assert fits(log) == 3
    assert with_score(2.0).results["mine"] == [2.0] * 3
    assert fits(log) == 6


def test_failures_are_kept_and_tried_again_when_asked(tmp_path: Path) -> None:
    log, store = tmp_path / "log", tmp_path / "runs.jsonl"
    bad = {"bad": CountingTree(str(log), fail_with="no luck")}
    with pytest.warns(UserWarning, match="'bad' failed on data set 'iris': RuntimeError: no luck"):
        compare(bad, {"iris": load_iris}, cv=3, store=store)
    found = compare(bad, {"iris": load_iris}, cv=3, store=store)
    assert fits(log) == 3
    assert found.results["error"] == ["RuntimeError: no luck"] * 3
    assert np.isnan(found.results["accuracy"]).all()
    with pytest.warns(UserWarning, match="no luck"):
        compare(bad, {"iris": load_iris}, cv=3, store=store, retry_errors=True)
    assert fits(log) == 6


def test_where_a_store_may_be(tmp_path: Path) -> None:
    tree = {"tree": CountingTree()}
    compare(tree, {"iris": load_iris}, cv=3, store=tmp_path / "new" / "folder")
    assert len(Comparison.read(tmp_path / "new" / "folder").rows) == 3
    assert (tmp_path / "new" / "folder" / "runs.jsonl").exists()
    with pytest.raises(ValueError, match=r"call it runs\.jsonl"):
        compare(tree, {"iris": load_iris}, store=tmp_path / "runs.csv")
    (tmp_path / "mine.txt").write_text("a diary\nof mine\n")
    with pytest.raises(ValueError, match="has not written"):
        compare(tree, {"iris": load_iris}, store=tmp_path / "mine.txt")
    (tmp_path / "new.jsonl").write_text('{"kind": "ramify.evaluate", "format": 99}\n')
    with pytest.raises(ValueError, match="format 99, newer"):
        compare(tree, {"iris": load_iris}, store=tmp_path / "new.jsonl")
    with pytest.raises(ValueError, match="no results in"):
        Comparison.read(tmp_path / "absent.jsonl")
