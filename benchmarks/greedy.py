"""Time greedy growth beside the peers, in one run.

    python benchmarks/greedy.py                    every case, full size (about ten minutes)
    python benchmarks/greedy.py --quick            a twentieth of the rows
    python benchmarks/greedy.py --only full depth5

Prints one table. `ratio` is the peer's value divided by ours, `asked` the ratio that must hold; a
peer called "limit" is a bound on our own value. All runs use one thread unless said otherwise, and
peers that are not installed are left out.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _data import adult, continuous, counts, covertype, letter, many_levels, regression
from _measure import Row, Run, median, medians, probe, report, run_cases, timed
from _options import arguments, data_folder
from _peers import lightgbm_tree, ramify_tree, rpart_tree, sklearn_tree, ydf_tree

Peer = tuple[str, Run | None, float | None]  # its name, one fit, the ratio asked for


@dataclass(frozen=True)
class Settings:
    rows: int
    repeat: int
    data: Path | None
    peers_only: bool

    def ours(self, X: Any, y: Any, **parameters: Any) -> Run | None:
        return None if self.peers_only else ramify_tree(X, y, **parameters)


def compare(case: str, settings: Settings, ours: Run | None, peers: list[Peer]) -> Iterator[Row]:
    """Time a fit of ours and of every peer that is installed."""
    there = [peer for peer in peers if peer[1] is not None]
    (own, own_leaves), *others = medians([ours, *(fit for _, fit, _ in there)], settings.repeat)
    for (name, _, asked), (theirs, leaves) in zip(there, others, strict=True):
        yield Row(case, own, name, theirs, asked, note=f"leaves {own_leaves:,} / {leaves:,}")


def named(X: Any) -> dict[str, Any]:
    """Give the columns of an array by name, as YDF wants them."""
    return {f"x{j}": np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])}


def full(s: Settings) -> Iterator[Row]:
    X, y = continuous(s.rows)
    peers = [("scikit-learn", sklearn_tree(X, y), 20.0), ("YDF", ydf_tree(named(X), y), None)]
    yield from compare(f"{s.rows:,} x 20, two classes, full depth", s, s.ours(X, y), peers)


def depth5(s: Settings) -> Iterator[Row]:
    X, y = continuous(s.rows)
    peers = [
        ("scikit-learn", sklearn_tree(X, y, max_depth=5), 15.0),
        ("LightGBM (bins)", lightgbm_tree(X, y, max_depth=5, num_leaves=32), 1.0),
        # YDF counts the root as depth 1.
        ("YDF", ydf_tree(named(X), y, max_depth=6), None),
    ]
    yield from compare(f"{s.rows:,} x 20, depth 5", s, s.ours(X, y, max_depth=5), peers)


def leaves64(s: Settings) -> Iterator[Row]:
    X, y = continuous(s.rows)
    peers = [
        ("scikit-learn", sklearn_tree(X, y, max_leaf_nodes=64), 15.0),
        ("LightGBM (bins)", lightgbm_tree(X, y, num_leaves=64), 1.0),
    ]
    ours = s.ours(X, y, max_leaves=64, growth="best_first")
    yield from compare(f"{s.rows:,} x 20, 64 leaves, best first", s, ours, peers)


def covertype_(s: Settings) -> Iterator[Row]:
    name, (X, y) = covertype(s.data, round(s.rows * 0.581012))
    yield from of_numbers(name, X, y, s, asked=8.0)


def letter_(s: Settings) -> Iterator[Row]:
    name, (X, y) = letter(s.data, min(20_000, s.rows))
    yield from of_numbers(name, X, y, s, asked=4.0)


def of_numbers(name: str, X: Any, y: Any, s: Settings, *, asked: float) -> Iterator[Row]:
    """Compare full trees on a table of numbers; `asked` is the ratio to scikit-learn."""
    peers = [
        ("scikit-learn", sklearn_tree(X, y), asked),
        ("rpart", rpart_tree(X, y), None),
        ("YDF", ydf_tree(named(X), y), None),
    ]
    yield from compare(f"{name}, {len(X):,} x {X.shape[1]}", s, s.ours(X, y), peers)


def regression_(s: Settings) -> Iterator[Row]:
    X, y = regression(s.rows)
    peers = [
        ("scikit-learn", sklearn_tree(X, y, task="regression"), 15.0),
        ("YDF", ydf_tree(named(X), y, task="REGRESSION"), None),
    ]
    ours = s.ours(X, y, task="regression")
    yield from compare(f"{s.rows:,} x 20, regression, full depth", s, ours, peers)


def poisson(s: Settings) -> Iterator[Row]:
    X, y = counts(s.rows)
    for label, limits in (("full depth", {}), ("depth 6", {"max_depth": 6})):
        theirs = sklearn_tree(X, y, task="regression", criterion="poisson", **limits)
        ours = s.ours(X, y, task="regression", criterion="poisson", **limits)
        case = f"{s.rows:,} x 20, Poisson, {label}"
        yield from compare(case, s, ours, [("scikit-learn", theirs, 20.0)])


def adult_(s: Settings) -> Iterator[Row]:
    """Ours reads text and missing cells as they are; the encoding for the peers is not timed."""
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    name, table = adult(s.data, min(32_561, s.rows))
    numbers = np.column_stack([c for c in table.data.values() if c.dtype != object])
    names = np.column_stack([c for c in table.data.values() if c.dtype == object])
    one_hot = np.hstack([numbers, OneHotEncoder(sparse_output=False).fit_transform(names)])
    codes = np.hstack([numbers, OrdinalEncoder().fit_transform(names)])
    nominal = tuple(range(numbers.shape[1], codes.shape[1]))
    texts = {k: c.astype(str) if c.dtype == object else c for k, c in table.data.items()}
    peers = [
        ("scikit-learn, one-hot", sklearn_tree(one_hot, table.y), 0.5),
        ("scikit-learn, ordinal", sklearn_tree(codes, table.y), 0.5),
        ("rpart", rpart_tree(codes, table.y, nominal=nominal), None),
        ("YDF", ydf_tree(texts, table.y.astype(str)), None),
    ]
    yield from compare(f"{name}, as text columns", s, s.ours(table.X, table.y), peers)
    if importlib.util.find_spec("pandas") is not None:
        frame = table.to_frame("pandas")
        frame = frame.astype({c: "category" for c in frame if table.data[c].dtype == object})
        ours = s.ours(frame, table.y)
        yield from compare(f"{name}, as categories", s, ours, peers[:2])


def levels20000(s: Settings) -> Iterator[Row]:
    codes, y = many_levels(s.rows, min(20_000, s.rows // 5))
    if importlib.util.find_spec("pandas") is not None:
        import pandas

        X: Any = pandas.DataFrame({"level": pandas.Categorical([f"v{c}" for c in codes])})
        ours = s.ours(X, y)
    else:
        ours = s.ours(codes[:, None].astype(np.float64), y, categorical_features=[0])
    seconds, leaves = median(ours, s.repeat)
    case = f"{s.rows:,} rows of one column of {len(np.unique(codes)):,} levels"
    yield Row(case, seconds, "limit", 1.0, 1.0, note=f"leaves {leaves:,}")


def predict(s: Settings) -> Iterator[Row]:
    """Predict all rows with a full tree of a tenth of them."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = continuous(s.rows)
    some = slice(0, max(s.rows // 10, 100))
    other = DecisionTreeClassifier().fit(X[some], y[some])
    theirs, _ = median(timed(lambda: other.predict(X)), max(s.repeat, 5))
    if s.peers_only:
        yield Row(f"predict {s.rows:,} rows", None, "scikit-learn", theirs, 1.0)
        return
    import ramify

    model = ramify.TreeClassifier().fit(X[some], y[some])
    for jobs, asked in ((1, 1.0), (2, 2.0)):
        model.set_params(n_jobs=jobs)
        own, _ = median(timed(lambda: model.predict(X)), max(s.repeat, 5))
        yield Row(f"predict {s.rows:,} rows, {jobs} thread(s)", own, "scikit-learn", theirs, asked)


def threads(s: Settings) -> Iterator[Row]:
    """Fit the large tables with two threads and with one."""
    name, cover = covertype(s.data, round(s.rows * 0.581012))
    tables = [
        ("two classes", continuous(s.rows), "classification"),
        ("regression", regression(s.rows), "regression"),
        (name, cover, "classification"),
    ]
    for label, (X, y), task in tables:
        fits = [s.ours(X, y, task=task, n_jobs=jobs) for jobs in (2, 1)]
        (two, _), (one, _) = medians(fits, s.repeat)
        yield Row(f"{label}, full depth, two threads", two, "ramify, one thread", one, 1.6)


def memory(s: Settings) -> Iterator[Row]:
    if s.peers_only or not Path("/proc/self/clear_refs").exists():
        return
    for jobs in (1, 2):
        found = probe("memory", rows=s.rows, n_jobs=jobs)
        mega = {name: value / 1e6 for name, value in found.items()}
        note = (
            f"input {mega['input']:.0f}, codes {mega['codes']:.0f}, values {mega['values']:.0f} MB"
        )
        case = f"peak memory above the input, {jobs} thread(s)"
        yield Row(case, mega["above"], "limit: 3 x codes", 3 * mega["codes"], 1.0, "MB", note)


def startup(s: Settings) -> Iterator[Row]:
    seconds = sorted(probe("import")["seconds"] for _ in range(max(s.repeat, 5)))
    yield Row("import beyond numpy and scipy", seconds[len(seconds) // 2], "limit", 0.4, 1.0)


def interrupt(s: Settings) -> Iterator[Row]:
    if s.peers_only:
        return
    delays = (0.02, 0.1, 0.3, 1.0, 2.0)
    waits = [probe("interrupt", rows=s.rows, delay=delay)["seconds"] for delay in delays]
    caught = [wait for wait in waits if wait is not None]
    note = f"{len(caught)} of {len(delays)} fits interrupted"
    yield Row(
        "Ctrl-C to exception, longest", max(caught, default=None), "limit", 0.2, 1.0, note=note
    )


CASES: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "full": full,
    "depth5": depth5,
    "leaves64": leaves64,
    "covertype": covertype_,
    "letter": letter_,
    "regression": regression_,
    "poisson": poisson,
    "adult": adult_,
    "levels": levels20000,
    "predict": predict,
    "threads": threads,
    "memory": memory,
    "import": startup,
    "interrupt": interrupt,
}


def versions() -> str:
    found = []
    for name in ("ramify", "scikit-learn", "lightgbm", "ydf", "numpy"):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def main() -> int:
    parser = arguments(__doc__, cases=CASES, repeat=3, data=True)
    parser.add_argument("--quick", action="store_true", help="50,000 rows in place of 1,000,000")
    parser.add_argument("--rows", type=int, help="this many rows in place of 1,000,000")
    parser.add_argument("--peers-only", action="store_true", help="time the peers alone")
    options = parser.parse_args()
    settings = Settings(
        rows=options.rows or (50_000 if options.quick else 1_000_000),
        repeat=options.repeat,
        data=data_folder(options),
        peers_only=options.peers_only,
    )
    rows = run_cases(CASES, options.only, settings)
    return report(rows, f"{versions()}; medians of up to {settings.repeat} runs")


if __name__ == "__main__":
    sys.exit(main())
