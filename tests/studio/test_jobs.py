"""Work in the background: how far it is, and what a stop keeps."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from helpers.csv_files import write_csv
from helpers.studio_data import client_of, open_session, settled

from ramify import TreeClassifier
from ramify.learning.progress import progress
from ramify.studio.jobs import Job, thinned
from ramify.studio.views import state_json


def test_the_progress_of_learners_is_heard() -> None:
    heard: list[tuple[str, float | None]] = []

    class Listening(Job):
        def say(self, words: str, part: float | None = None) -> None:
            heard.append((words, part))
            super().say(words, part)

    def work(job: Job) -> None:
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
        TreeClassifier(pruning="auto").fit(X, y)

    job = Listening("growing", work).start()
    assert job.wait(60) and job.state == "done"
    assert ("cross-validation", 0.0) in heard
    parts = [part for words, part in heard if words == "cross-validation"]
    assert parts == sorted(parts) and parts[-1] == 1.0


def test_others_hear_nothing(capsys: Any) -> None:
    job = Job("a", lambda _: None).start()
    assert job.wait(10)
    with progress("b", 2, shown=False) as bar:
        bar(1)
    assert job.words == "" and capsys.readouterr().err == ""


def test_a_stop_ends_work_where_it_reports() -> None:
    going = threading.Event()

    def work(job: Job) -> None:
        with progress("steps", 1000, shown=False) as bar:
            for step in range(1000):
                going.set()
                time.sleep(0.01)
                bar(step)
        raise AssertionError("it was not stopped")

    job = Job("steps", work).start()
    assert going.wait(10)
    job.stop()
    assert job.to_dict()["stopping"]
    assert job.wait(10) and job.state == "stopped"


def test_errors_are_sentences() -> None:
    def mistake(_: Job) -> None:
        raise ValueError("the column\n  is missing")

    def defect(_: Job) -> None:
        raise ZeroDivisionError("x")

    job = Job("a", mistake).start()
    assert job.wait(10) and (job.state, job.error) == ("failed", "the column is missing")
    job = Job("a", defect).start()
    assert job.wait(10) and "defect of ramify" in job.error


def test_some_of_many_moments() -> None:
    moments = [(float(i), 1.0, 0.0) for i in range(1000)]
    found = thinned(moments, 50)
    assert len(found) == 50 and found[0] == moments[0] and found[-1] == moments[-1]
    assert thinned(moments[:3]) == moments[:3]


def test_stopping_an_optimal_search_keeps_its_best_tree(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(0, 60, (2000, 12))
    y = np.where((X[:, 0] + X[:, 1] > 60) ^ (X[:, 2] > X[:, 3]), "yes", "no")
    columns = {f"x{j}": X[:, j] for j in range(12)} | {"y": y}
    session = open_session(write_csv(tmp_path / "t.csv", columns))
    setup = {"learner": "optimal", "limits": {"max_depth": 7}, "time_limit": 300}
    session.set_up(setup, session.version)
    client = client_of(session)
    assert client.post("/api/grow", json={"version": session.version}).status_code == 200
    end = time.monotonic() + 60
    while not (job := client.get("/api/job").json()["job"])["moments"]:
        assert time.monotonic() < end and job["state"] == "running"
        time.sleep(0.05)
    seconds, error, bound = job["moments"][-1]
    assert seconds > 0 and 0 <= bound <= error <= 0.5
    assert client.post("/api/stop", json={}).status_code == 200
    settled(session)
    state = state_json(session)
    assert state["job"]["state"] == "done" and state["tree"]["stopped"]
    assert state["tree"]["leaves"] > 1
    opened = session.present_tree()
    assert opened.base.estimator.search_["stopped_by"] == "interrupt"
    # The same tree, in the editor.
    rows = {name: cells[:50] for name, cells in opened.prepared.table.data.items()}
    np.testing.assert_array_equal(
        opened.editor.estimator.predict(rows), opened.base.estimator.predict(rows)
    )
    assert opened.editor.tree.n_leaves == opened.base.estimator.tree_.n_leaves
