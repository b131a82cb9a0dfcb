"""Trees on tables of nominal attributes: every search beside the published times, and beside YDF.

    python benchmarks/nominal_trees.py                     every data set that is there
    python benchmarks/nominal_trees.py --only Phonemes Poker
    python benchmarks/nominal_trees.py --part ydf          beside YDF alone

For every data set and method of Pereira's Table 5.7 (depth 5, nominal attributes only, rows with
missing values left out): the time of one fold of a three-fold cross-validation, published and ours.
If the published time (of three folds) is above a second, ours must be a hundredth of it. Ours
starts with a dataframe of categories and classes numbered from zero, and includes the encoding.
Then `categorical_split="auto"`, by the Gini index and by twoing, beside YDF's CART on the two sets
of many levels and classes, taking turns: seconds, training error, and the mean error on held-out
fifths of the rows.
"""

from __future__ import annotations

import csv
import importlib.util
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _data import find
from _measure import Row, medians, report, timed
from _options import SHARED, arguments
from sklearn.model_selection import StratifiedKFold

import ramify

NAMES = {
    "Adult": "adult",
    "Mushroom": "mushroom",
    "KDD98-2": "kdd98_donors_2",
    "KDD98-9": "kdd98_donors_5",
    "Contracep": "contraceptive",
    "Contracep-Ext": "contraceptive_with_aggreg",
    "Cars": "car",
    "Cars-Ext": "car_with_aggreg",
    "Nursery": "nursery_pereira",
    "Nursery-Ext": "nursery_with_aggreg",
    "CoverType": "covertype",
    "CoverType-Ext": "covertype_with_aggreg",
    "Poker": "poker-hand",
    "S.F. Crime-15": "sf_crime_15",
    "Shelter-15": "shelter-15",
    "Phonemes": "reuters-phonemes",
}
METHODS = {
    "Twoing": ("twoing", "gini"),
    "GWSG": ("gw_cut", "squared_gini"),
    "GWchi2": ("gw_cut", "chi2_cut"),
    "GLSG": ("greedy_cut", "squared_gini"),
    "GLchi2": ("greedy_cut", "chi2_cut"),
    "PC-ext": ("pc_ext", "gini"),
    "HcC": ("hypercube_cover", "gini"),
    "LCA": ("largest_class_alone", "gini"),
}
SPLITS = 30  # into four fifths and a fifth of the rows
MOST_RUNS, ENOUGH = 7, 0.5  # of a fold: runs, and seconds after which there are no more
OTHER_DATA = {"KDD98-9": "5 classes in place of 9"}  # not the same file as in the thesis


def load(folder: Path, name: str, *, nominal_only: bool) -> tuple[dict[str, Any], Any] | None:
    """Read a data set: columns by name, nominal ones first, and the target."""
    table = find(folder, name)
    if table is None:
        return None
    nominal = {column: values for column, values in table.data.items() if values.dtype == object}
    columns = nominal if nominal_only else nominal | table.data
    if nominal_only:
        whole = np.ones(len(table.y), dtype=bool)
        for values in columns.values():
            whole &= np.array([v is not None and v == v for v in values])
        columns = {name: values[whole] for name, values in columns.items()}
        return columns, np.asarray(table.y)[whole]
    return columns, np.asarray(table.y)


def as_frame(columns: dict[str, Any]) -> Any:
    if importlib.util.find_spec("pandas") is None:
        return columns
    import pandas

    return pandas.DataFrame(
        {
            name: pandas.Categorical(values) if values.dtype == object else values
            for name, values in columns.items()
        }
    )


def take(X: Any, rows: Any) -> Any:
    if isinstance(X, dict):
        return {name: values[rows] for name, values in X.items()}
    return X.iloc[rows]


def published(folder: Path) -> dict[str, dict[str, float]]:
    times: dict[str, dict[str, float]] = {}
    path = folder / "pereira_5_7.csv"
    if not path.exists():
        return times
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["dataset"] in NAMES and row["seconds"]:
                times.setdefault(row["dataset"], {})[row["method"]] = float(row["seconds"])
    return times


def thesis(shared: Path, only: list[str] | None) -> Iterator[Row]:
    for dataset, seconds in published(shared / "published").items():
        if only and dataset not in only:
            continue
        found = load(shared / "datasets", NAMES[dataset], nominal_only=True)
        if found is None or not found[0]:
            continue
        X, y = as_frame(found[0]), np.unique(found[1], return_inverse=True)[1]
        folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(y, y))
        print(f"{dataset} ...", file=sys.stderr, flush=True)
        for method, whole in seconds.items():
            split, criterion = METHODS[method]
            model = ramify.TreeClassifier(
                categorical_split=split,
                criterion=criterion,
                max_depth=5,
                significance=0.10,
                min_second_value=15,
            )
            times = []
            model.fit(take(X, slice(200)), y[:200])  # loads all code
            for train, _ in folds:
                part, labels = take(X, train), y[train]
                runs = []
                while len(runs) < MOST_RUNS and sum(runs) < ENOUGH:
                    start = time.perf_counter()
                    model.fit(part, labels)
                    runs.append(time.perf_counter() - start)
                times.append(np.median(runs))
            own = float(np.median(times))
            note = OTHER_DATA.get(dataset, "")
            asked = 100.0 if whole > 1.0 else None
            yield Row(f"{dataset}, {method}", own, "published, a fold", whole / 3, asked, note=note)


class Ours:
    """A tree of depth 5 by `auto`, on a frame."""

    def __init__(self, columns: dict[str, Any], y: Any, criterion: str) -> None:
        self.table, self.target = as_frame(columns), y
        self.criterion = criterion

    def train(self, table: Any, target: Any) -> Any:
        return ramify.TreeClassifier(criterion=self.criterion, max_depth=5).fit(table, target)

    def error(self, model: Any, table: Any, target: Any) -> float:
        return 100 * (1.0 - float(model.score(table, target)))


class Ydf:
    """The same by YDF's CART, on a dict of columns."""

    def __init__(self, columns: dict[str, Any], y: Any) -> None:
        self.table = {k: v.astype(str) if v.dtype == object else v for k, v in columns.items()}
        self.target = y.astype(str)

    def train(self, table: Any, target: Any) -> Any:
        import ydf

        # YDF counts the root as depth 1.
        learner = ydf.CartLearner(
            label="the target", max_depth=6, min_examples=1, validation_ratio=0.0, num_threads=1
        )
        return learner.train({**table, "the target": target})

    def error(self, model: Any, table: Any, target: Any) -> float:
        return 100 * (1.0 - float(model.evaluate({**table, "the target": target}).accuracy))


def held_out_error(learner: Ours | Ydf, splits: int) -> float:
    """Give the mean error on the fifth of the rows that is left out of training, in percent."""
    errors = []
    for seed in range(splits):
        order = np.random.default_rng(seed).permutation(len(learner.target))
        train, test = np.split(order, [len(order) * 4 // 5])
        model = learner.train(take(learner.table, train), learner.target[train])
        errors.append(learner.error(model, take(learner.table, test), learner.target[test]))
    return float(np.mean(errors))


def ydf_rows(shared: Path, only: list[str] | None) -> Iterator[Row]:
    if importlib.util.find_spec("ydf") is None:
        return
    import ydf

    ydf.verbose(0)
    for dataset in ("Phonemes", "Shelter-15"):
        if only and dataset not in only:
            continue
        found = load(shared / "datasets", NAMES[dataset], nominal_only=False)
        if found is None:
            continue
        print(f"{dataset}, YDF ...", file=sys.stderr, flush=True)
        learners = [Ydf(*found), Ours(*found, "gini"), Ours(*found, "twoing")]
        runs = [timed(partial(one.train, one.table, one.target)) for one in learners]
        seconds = [each for each, _ in medians(runs, 5)]
        on_training = [
            one.error(one.train(one.table, one.target), one.table, one.target) for one in learners
        ]
        held_out = [held_out_error(one, SPLITS) for one in learners]
        # Of so many classes twoing is the criterion to take (experiments/many_classes.py).
        for i, called, asked in ((1, "auto", None), (2, "auto, twoing", 1.0)):
            case = f"{dataset}, depth 5, {called}"
            yield Row(case, seconds[i], "YDF", seconds[0], 1.0)
            yield Row(f"{case}: training error", on_training[i], "YDF", on_training[0], asked, "%")
            yield Row(f"{case}: held-out error", held_out[i], "YDF", held_out[0], None, "%")


PARTS = {"thesis": thesis, "ydf": ydf_rows}


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--only", nargs="+", choices=list(NAMES), metavar="DATASET")
    parser.add_argument("--shared", type=Path, default=SHARED, help="with datasets/ and published/")
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=list(PARTS))
    options = parser.parse_args()
    rows = [row for part in options.part for row in PARTS[part](options.shared, options.only)]
    if not rows:
        print(f"no data in {options.shared}")
        return 0
    return report(rows, "medians of three folds of up to 7 runs each, and of 5 runs beside YDF")


if __name__ == "__main__":
    sys.exit(main())
