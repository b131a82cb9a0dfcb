"""Fits in threads and in workers of joblib give what they give alone; nobody waits for ever.

`test_fork.py` has forked children.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import run_python

import ramify

# In a process of its own, which is ended if a worker hangs.
WORK = """
import hashlib, sys, warnings
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from joblib import Parallel, delayed
import ramify
from ramify import BoostedTreesClassifier, OptimalTreeClassifier, TreeClassifier, TreeRegressor

def digest(kind, n_jobs):
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 4))
    X[rng.random(X.shape) < 0.02] = np.nan
    y = (np.nan_to_num(X[:, 0]) + rng.normal(size=4000) > 0).astype(int)
    if kind == "greedy":
        model = TreeClassifier(n_jobs=n_jobs, pruning="cost_complexity").fit(X, y)
    elif kind == "numbers":
        model = TreeRegressor(n_jobs=n_jobs, max_depth=5).fit(X, np.nan_to_num(X[:, 1]) + y)
    elif kind == "boosted":
        model = BoostedTreesClassifier(n_rounds=3, n_jobs=n_jobs).fit(X, y)
    else:
        rows = ~np.isnan(X[:, :2]).any(axis=1)
        model = OptimalTreeClassifier(max_depth=2, n_thresholds=8, n_jobs=n_jobs)
        model.fit(X[rows, :2][:400], y[rows][:400])
        X = X[:, :2]
    said = model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)
    return hashlib.sha256(np.ascontiguousarray(said).tobytes()).hexdigest()

def main():
    backend, *kinds = sys.argv[1:]
    for kind in kinds:
        expected = digest(kind, 1)
        if backend == "pool":
            with ThreadPoolExecutor(4) as pool:
                found = list(pool.map(lambda n: digest(kind, n), [1, 2, 1, 2, 2, 1]))
        else:
            jobs = [delayed(digest)(kind, n) for n in [1, 2, 2, 1]]
            found = Parallel(n_jobs=2, backend=backend)(jobs)
        print(kind, "same" if set(found) == {expected} else found)

if __name__ == "__main__":
    main()
"""


KINDS = ("greedy", "numbers", "boosted", "optimal")


@pytest.mark.parametrize("backend", ["pool", "threading", "loky"])
def test_workers_compute_the_same(backend: str, tmp_path: Path) -> None:
    script = tmp_path / "work.py"  # loky's workers must be able to import it
    script.write_text(WORK, encoding="utf-8")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); import work; work.main()"
    printed = run_python(code, tmp_path, backend, *KINDS, timeout=300)
    assert printed.splitlines() == [f"{kind} same" for kind in KINDS]


# Two processes write one file again and again, and this one reads it all the while.
WRITER = """
import sys
import numpy as np
from ramify import TreeClassifier

labels = np.array(["a", sys.argv[2]])[np.arange(300) % 2]
model = TreeClassifier(identifiers="keep").fit(np.arange(300.0)[:, None] * 7 % 31, labels)
for _ in range(60):
    model.save(sys.argv[1])
"""


def test_two_writers_leave_a_whole_file(tmp_path: Path) -> None:
    path, seen = tmp_path / "model.json", set()
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), label]) for label in "yz"]
    try:
        while any(writer.poll() is None for writer in writers):
            if path.exists():
                seen.add(ramify.load(path).classes_.tolist()[1])
    finally:
        for writer in writers:
            assert writer.wait(timeout=120) == 0
    assert seen and seen <= {"y", "z"}
    assert ramify.load(path).classes_.tolist()[1] in "yz"
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]
