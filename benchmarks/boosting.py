"""What boosting costs beside scikit-learn's AdaBoost, and its errors beside gradient boosting.

    python benchmarks/boosting.py                 every case
    python benchmarks/boosting.py --only speed    or error
    python benchmarks/boosting.py --quick         fewer rounds

Prints one table. `ratio` is the peer's value divided by ours, `asked` the ratio that must hold.

Speed: Discrete AdaBoost by both, the same number of rounds, trees of the same number of leaves
grown best first, one thread; AdaBoostClassifier of scikit-learn has its own trees. It cannot take
nominal columns, so it gets those of adult as numbers, which is less work; ours divides their
levels. Fits take turns; the median of `--repeat` counts, in seconds of the processor, which other
programs on the machine disturb less. LogitBoost has no peer of its kind; it is shown for the cost
of its rounds.

Error: half of the rows of adult and letter are held out, the same for both. The peer is
HistGradientBoostingClassifier with its defaults, except that it is told the nominal columns. Ours
must not exceed its error plus one point. Ours runs `--rounds` rounds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _data import Coded, adult, coded, continuous, letter
from _measure import Row, Run, fitting, medians, report
from _options import arguments, data_folder
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from ramify import BoostedTreesClassifier

LEAVES = (2, 8, 32)


def tables(folder: Path | None) -> list[Coded]:
    name, (X, y) = letter(folder, 20_000)
    return [
        Coded("20,000 x 20 distinct numbers", *continuous(20_000)),
        Coded(name, X, y),
        coded(*adult(folder, 50_000)),
    ]


def boosting(make: Callable[[], Any], X: Any, y: Any) -> Run:
    """Take the processor time of a fit, and count the trees."""
    return fitting(make, X, y, lambda model: len(model.estimators_), time.process_time)


def speed(folder: Path | None, rounds: int, repeat: int) -> Iterator[Row]:
    for data in tables(folder):
        plain = np.nan_to_num(data.X, nan=-1.0)
        for leaves in LEAVES:

            def ours(algorithm: str, leaves: int = leaves, data: Coded = data) -> Run:
                return boosting(
                    lambda: BoostedTreesClassifier(
                        algorithm=algorithm,  # type: ignore[arg-type]
                        n_rounds=rounds,
                        learning_rate=1.0,
                        max_leaves=leaves,
                        categorical_features=list(data.nominal),
                    ),
                    data.X,
                    data.y,
                )

            theirs = boosting(
                lambda leaves=leaves: AdaBoostClassifier(  # type: ignore[misc]
                    DecisionTreeClassifier(max_leaf_nodes=leaves), n_estimators=rounds
                ),
                plain,
                data.y,
            )
            (mine, trees), (sklearn, others), (logit, many) = medians(
                [ours("discrete"), theirs, ours("logit")], repeat
            )
            case = f"{data.name}, {leaves} leaves"
            note = f"{trees} and {others} trees"
            yield Row(f"{case}, discrete", mine, "AdaBoostClassifier", sklearn, 1.0, note=note)
            yield Row(f"{case}, logit", logit, "", None, note=f"{many} trees")


def errors(folder: Path | None, rounds: int) -> Iterator[Row]:
    for data in tables(folder)[1:]:
        split = train_test_split(data.X, data.y, test_size=0.5, stratify=data.y, random_state=0)
        train_x, test_x, train_y, test_y = split
        peer = HistGradientBoostingClassifier(
            categorical_features=list(data.nominal) or None, random_state=0
        )
        theirs, their_time = _error(peer, train_x, train_y, test_x, test_y)
        for algorithm in ("logit", "gentle", "real", "discrete"):
            clf = BoostedTreesClassifier(
                algorithm=algorithm,  # type: ignore[arg-type]
                n_rounds=rounds,
                categorical_features=list(data.nominal),
                n_jobs=-1,
            )
            error, seconds = _error(clf, train_x, train_y, test_x, test_y)
            note = f"its own {theirs:.2f} % in {their_time:.1f} s, ours in {seconds:.1f} s"
            asked = 1.0 if algorithm == "logit" else None  # the default
            case = f"error on {data.name}, {algorithm}"
            yield Row(case, error, "HistGradientBoosting + 1", theirs + 1.0, asked, "%", note)


def _error(model: Any, X: Any, y: Any, test_x: Any, test_y: Any) -> tuple[float, float]:
    start = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - start
    return 100.0 * float(1.0 - model.score(test_x, test_y)), seconds


def main() -> int:
    parser = arguments(__doc__, cases=("speed", "error"), repeat=3, data=True)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, once")
    parser.add_argument("--rounds", type=int, default=200, help="for the errors")
    options = parser.parse_args()
    folder = data_folder(options)
    repeat, rounds, many = (1, 5, 30) if options.quick else (options.repeat, 20, options.rounds)
    rows: list[Row] = []
    if "speed" in options.only:
        rows += speed(folder, rounds, repeat)
    if "error" in options.only:
        rows += errors(folder, many)
    how = f"{rounds} rounds for time, median of {repeat}; {many} rounds for errors"
    return report(rows, how)


if __name__ == "__main__":
    sys.exit(main())
