"""What choosing a tree by cross-validation costs, beside the peers that do it, in one run.

    python benchmarks/pruning.py --weka weka.jar      every case
    python benchmarks/pruning.py --only letter threads

Prints one table. `ratio` is the peer's value divided by ours, `asked` the ratio that must hold; a
peer called "limit" is a bound on our own value. One thread unless the case says otherwise. Peers
that are not installed are left out: rpart needs Rscript, Weka 3.6 needs java and `--weka` (or the
environment variable WEKA_JAR).

scikit-learn has no cross-validated pruning. Its guide shows `cost_complexity_pruning_path` and
`cross_val_score` for every alpha of it, thousands of them on letter; each fits ten trees, since a
fitted tree cannot be pruned. Here it runs for only `--alphas` of them, evenly spread over the path,
which favours it; the note says how many there were.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _data import Coded, adult, coded, letter, segment, splice, waveform
from _measure import Row, Run, fitting, medians, report, run_cases, turns, two_at_a_time
from _options import arguments, data_folder
from _peers import leaves, rpart_tree, weka_bftree

from ramify import TreeClassifier, presets
from ramify.pruning import BestFirst, CostComplexity

FOLDS = 10


# The defaults of rpart.control.
LIKE_RPART: dict[str, Any] = {"min_samples_split": 20, "min_samples_leaf": 7}


@dataclass(frozen=True)
class Settings:
    repeat: int
    data: Path | None
    weka: str | None
    alphas: int


def ours(make: Callable[..., TreeClassifier], data: Coded, **parameters: Any) -> Run:
    parameters = {"n_jobs": 1, "categorical_features": list(data.nominal)} | parameters
    return fitting(lambda: make(**parameters), data.X, data.y, leaves)


def cost_complexity(data: Coded, **parameters: Any) -> Run:
    return ours(TreeClassifier, data, pruning=CostComplexity(folds=FOLDS), **parameters)


def best_first(data: Coded, **parameters: Any) -> Run:
    pruning = BestFirst(stage="post", rule="min", folds=FOLDS)
    return ours(presets.bftree, data, pruning=pruning, **parameters)


def sklearn_loop(data: Coded, most: int) -> tuple[Run, list[int]]:
    """Give the loop over alphas, and a list that will hold how many there were."""
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    there: list[int] = []

    def fit() -> tuple[float, int]:
        start = time.perf_counter()
        full = DecisionTreeClassifier(random_state=0)
        path = np.unique(full.cost_complexity_pruning_path(data.X, data.y).ccp_alphas)
        there[:] = [len(path)]
        alphas = path[np.linspace(0, len(path) - 1, min(most, len(path))).astype(int)]
        scores = []
        for alpha in alphas:
            model = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha)
            scores.append(cross_val_score(model, data.X, data.y, cv=FOLDS).mean())
        best = DecisionTreeClassifier(random_state=0, ccp_alpha=alphas[int(np.argmax(scores))])
        best.fit(data.X, data.y)
        return time.perf_counter() - start, int(best.get_n_leaves())

    return fit, there


def letter_data(s: Settings) -> Coded:
    name, (X, y) = letter(s.data, 20_000)
    return Coded(name, X, y)


def letter_(s: Settings) -> Iterator[Row]:
    data = letter_data(s)
    case = f"{data.name}, CostComplexity, {FOLDS} folds"
    plain = ours(TreeClassifier, data)
    (own, kept), (one, full) = medians([cost_complexity(data), plain], s.repeat)
    assert own is not None
    assert one is not None
    note = f"{own / one:.2f} plain fits; leaves {kept:,} of {full:,}"
    yield Row(case, own, "limit: 10.5 plain fits", 10.5 * one, 1.0, note=note)
    loop, there = sklearn_loop(data, s.alphas)
    ((theirs, count),) = medians([loop], 1)
    note = f"{min(s.alphas, there[0])} of {there[0]:,} alphas; leaves {kept:,} / {count:,}"
    yield Row(case, own, "scikit-learn, loop", theirs, 10.0, note=note)
    yield from beside_rpart(f"{case}, leaves of 7", data, s, **LIKE_RPART)


def adult_(s: Settings) -> Iterator[Row]:
    # By default a row with a missing value goes down all branches; rpart uses surrogates.
    data = coded(*adult(s.data, 32_561))
    for missing in ("fractional", "direction"):
        case = f"{data.name}, CostComplexity, {FOLDS} folds, leaves of 7, missing {missing}"
        yield from beside_rpart(case, data, s, **LIKE_RPART, missing=missing)


def beside_rpart(case: str, data: Coded, s: Settings, **parameters: Any) -> Iterator[Row]:
    rpart = rpart_tree(data.X, data.y, nominal=data.nominal, folds=FOLDS, runs=3)
    fits = [cost_complexity(data, **parameters), rpart]
    (own, kept), (theirs, count) = medians(fits, s.repeat)
    if rpart is not None:
        note = f"leaves {kept:,} / {count:,} before pruning"
        yield Row(case, own, "rpart(xval=10, cp=0)", theirs, 5.0, note=note)


def weka(s: Settings) -> Iterator[Row]:
    for data in (segment(s.data), waveform(s.data), splice(s.data)):
        case = f"{data.name}, BestFirst post, {FOLDS} folds"
        peers = (("Weka BFTree", 0, 30.0), ("the same, warmed up", 3, None))
        fits = [
            weka_bftree(data.X, data.y, jar=s.weka, nominal=data.nominal, runs=runs)
            for _, runs, _ in peers
        ]
        (own, kept), *others = medians([best_first(data), *fits], s.repeat)
        for (peer, _, asked), (theirs, count) in zip(peers, others, strict=True):
            note = f"leaves {kept:,} / {count:,}"
            yield Row(case, own, peer, theirs, asked, note=note)


def threads(s: Settings) -> Iterator[Row]:
    for name, fit, data in (
        ("CostComplexity", cost_complexity, letter_data(s)),
        ("BestFirst post", best_first, waveform(s.data)),
    ):
        alone = fit(data, n_jobs=1)
        # The runs are short, and two cores of a shared machine need many of them. The best runs
        # show the program, the medians also show the machine.
        with two_at_a_time(alone) as processes:
            found, _ = turns([fit(data, n_jobs=2), alone, processes], 5 * s.repeat)
        two, one, each = (statistics.median(seconds) for seconds in found)
        case = f"{data.name}, {name}, two threads"
        yield Row(case, two, "ramify, one thread", one, 1.7)
        yield Row(f"{case}, best runs", min(found[0]), "ramify, one thread", min(found[1]), 1.7)
        yield Row(case, two, "two processes at a time, for each", each)


CASES = {"letter": letter_, "adult": adult_, "weka": weka, "threads": threads}


def main() -> int:
    parser = arguments(__doc__, cases=CASES, repeat=5, data=True)
    parser.add_argument("--weka", default=os.environ.get("WEKA_JAR"), help="Weka's jar")
    parser.add_argument("--alphas", type=int, default=20, help="of scikit-learn's loop")
    options = parser.parse_args()
    settings = Settings(options.repeat, data_folder(options), options.weka, options.alphas)
    rows = run_cases(CASES, options.only, settings)
    return report(rows, f"medians of {options.repeat} runs, ours and the peer's taking turns")


if __name__ == "__main__":
    sys.exit(main())
