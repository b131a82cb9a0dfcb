"""How long does an iteration of EM take? A mixture of experts on 1,000,000 rows of 20 columns.

    python benchmarks/mixture.py               # at full size, two threads
    python benchmarks/mixture.py --quick       # 50,000 rows

The time of an iteration is that of one step: the walk over the rows, and the steps of all gates and
experts. The whole fit is shown beside it: reading the table, the hard tree to start from, and the
tree for readers.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from typing import Any

import numpy as np
from _measure import Row, report
from _options import arguments

from ramify import MixtureOfExpertsClassifier, MixtureOfExpertsRegressor
from ramify.trees.mixture.em import EM

LIMIT = 3.0
TARGETS = ("two classes", "five classes", "numbers")


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 20))
    return X, 2 * np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + X[:, 3] ** 2 - 1 + rng.normal(size=n)


def measure(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Give median seconds and CPU seconds of an iteration, and the seconds of the whole fit."""
    wall: list[float] = []
    cpu: list[float] = []
    step = EM.step

    def timed(self: EM, *arguments: Any) -> Any:
        began, used = time.perf_counter(), time.process_time()
        found = step(self, *arguments)
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() - used)
        return found

    EM.step = timed  # type: ignore[method-assign]
    try:
        began = time.perf_counter()
        model.fit(X, y)
        whole = time.perf_counter() - began
    finally:
        EM.step = step  # type: ignore[method-assign]
    return statistics.median(wall), statistics.median(cpu), whole


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", choices=TARGETS, default=TARGETS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    n = 50_000 if given.quick else 1_000_000
    X, f = data(n)
    targets = {
        "two classes": (MixtureOfExpertsClassifier, (f > 0).astype(int)),
        "five classes": (MixtureOfExpertsClassifier, np.digitize(f, [-2, -0.5, 0.5, 2])),
        "numbers": (MixtureOfExpertsRegressor, f),
    }
    rows = []
    for name in given.only:
        kind, y = targets[name]
        for threads in given.threads:
            model = kind(depth=2, max_iter=given.iterations, tol=0.0, n_jobs=threads)
            wall, cpu, whole = measure(model, X, y)
            asked = 1.0 if threads == 2 and name != "five classes" else None
            note = f"{cpu:.2f} s of processor time; whole fit {whole:.1f} s"
            rows.append(Row(f"{name}, {threads} threads", wall, "limit", LIMIT, asked, note=note))
    return report(rows, f"{n:,} rows x 20 columns, depth 2, one iteration of EM")


if __name__ == "__main__":
    sys.exit(main())
