"""Shi (2007), Tables 4.2 to 4.20 beside ours; 4.14 and 4.15 are those of `shi_pruning.py`.

    python experiments/shi_tables.py --repetitions 10    ten times ten-fold, as published
    python experiments/shi_tables.py                     once ten-fold, at most 1,000 rows
    python experiments/shi_tables.py --quick             the same, at most 250 rows
    python experiments/shi_tables.py --only iris glass --families criterion
    python experiments/shi_tables.py --report            only writes the tables from what is there

The families of tables, each with its learners (`presets.bftree`, inner ten-fold cross-validation):

    criterion  4.2 to 4.5: Gini index or information, error rate or RMSE, post- or pre-pruning
    search     4.7, 4.8: heuristic or exhaustive search of nominal splits
    times      4.13, 4.16: training times of six prunings
    fractions  4.19, 4.20 (and Appendix B): 10 to 100 percent of the training rows
    artificial 4.17, 4.18: the same of arti1000, which Weka's generator RDG1 drew

4.9 to 4.12 show columns of 4.14 and 4.15 in another order, and are made from the runs of
`shi_pruning.py`. Folds are kept in `results/shi_tables/` (not in the repository),
cross-validations in `results/shi_tables_runs.csv`; what is there is not run again.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _folders import load, manifest
from _options import arguments, parsed
from _rows import read_rows
from _runs import TimedTree, collect, cross_validate, store_of
from shi_pruning import CALLED, FOLDS, WITH_IDS, methods, published
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from ramify import presets
from ramify.datasets import make_decision_list
from ramify.pruning import BestFirst

EXPERIMENT = "shi_tables"
FAMILIES = ("criterion", "search", "times", "fractions", "artificial")
PERCENT = tuple(range(10, 101, 10))
MOST_ROWS = 1000
# Tables 4.17 and 4.18. The thesis gives rows and columns. With the generator's other defaults and
# its first seed, Weka's own trees have the printed accuracies and sizes to every digit.
ARTIFICIAL = "arti1000"
ARTIFICIAL_ROWS = 1000
QUICK = 250
# Tables 4.7 and 4.8: printed name -> ours, and the columns left out. Shi did not run splice with
# its names either.
SEARCHED: dict[str, tuple[str, tuple[str, ...]]] = {
    "anneal": ("anneal", ()),
    "audiology": ("audiology", ()),
    "autos": ("autos", ()),
    "hypothyroid": ("hypothyroid", ()),
    "lymphography": ("lymphography", ()),
    "primary-tumor": ("primary-tumor", ()),
    "soybean": ("soybean", ()),
    "vowel": ("vowel", ()),
    "zoo": ("zoo", ()),
    "newAutos": ("autos", ("make",)),
    "newSplice": ("splice", ()),
    "newZoo": ("zoo", ("animal",)),
}


class OnPart(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A best-first tree that is grown on all rows, with a size that was chosen on a part of them.

    That is what the thesis varies (option -C of Weka's BFTree): the trees of the inner
    cross-validation see a part of the rows, the tree that is kept sees all. A larger part contains
    the smaller.
    """

    def __init__(
        self, *, learner: Any = None, percent: int = 100, random_state: int | None = None
    ) -> None:
        self.learner = learner
        self.percent = percent
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> OnPart:
        """Choose the number of expansions on the first `percent` of the rows in random order."""
        order = np.random.default_rng(self.random_state).permutation(len(y))
        rows = np.sort(order[: max(2, round(len(y) * self.percent / 100))])
        self.chosen_ = clone(self.learner).fit(X.iloc[rows], y[rows])
        expansions = self.chosen_.tree_.n_nodes // 2
        whole = clone(self.learner).set_params(pruning=None, max_expansions=expansions)
        self.fitted_ = whole.fit(X, y)
        self.classes_ = self.fitted_.classes_
        self.tree_ = self.fitted_.tree_
        return self

    def predict(self, X: Any) -> Any:
        """Predict by the tree of all rows."""
        return self.fitted_.predict(X)


def nodes(estimator: Any, X: Any, y: Any) -> float:
    """Give the number of nodes."""
    return float(estimator.tree_.n_nodes)


def timed(estimator: Any) -> TimedTree:
    """Give a learner that takes its training time."""
    return TimedTree(**estimator.get_params())


def learners(family: str) -> dict[str, Any]:
    """Give the learners of a family, named like the printed columns."""
    if family == "times":
        return {name: timed(estimator) for name, estimator in methods().items()}
    if family == "search":
        return {
            "heuristic": timed(presets.bftree(categorical_split="pc")),
            "exhaustive": timed(presets.bftree(categorical_split="exact")),
        }
    if family == "criterion":
        made: dict[str, Any] = {}
        for error, called in (("rate", "error_rate"), ("rmse", "rmse")):
            for stage, criteria in (("post", ("gini", "entropy")), ("pre", ("gini",))):
                pruning = BestFirst(stage=stage, error=error, folds=FOLDS, finished_folds="drop")
                for criterion in criteria:
                    about = "" if criterion == "gini" else "_information"
                    tree = presets.bftree(criterion=criterion, pruning=pruning)
                    made[f"{stage}_{called}{about}"] = timed(tree)
        return made
    return {
        f"{name} {percent}": OnPart(learner=estimator, percent=percent)
        for name, estimator in methods().items()
        if not name.startswith("cart")
        for percent in PERCENT
    }


def ours(family: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Give our name of a printed data set, and the columns that are left out."""
    return SEARCHED[name] if family == "search" else (CALLED.get(name, name), ())


def names_of(family: str, folder: Path, printed: Path) -> list[str]:
    """Give the data sets of a family that are there, the smallest first."""
    table = {"criterion": "4_2", "times": "4_16", "fractions": "b_1"}.get(family)
    if family == "artificial":
        return [ARTIFICIAL]
    if table is None:
        names = list(SEARCHED)
    elif table == "b_1":
        names = list(dict.fromkeys(name for name, *_ in curves(printed, 1)))
    else:
        names = list(dict.fromkeys(name for name, _ in published(printed, table)))
    rows = {name: manifest(folder).get(ours(family, name)[0], {}).get("rows") for name in names}
    return sorted((name for name in names if rows[name]), key=lambda name: rows[name])


def n_rows(family: str, name: str, folder: Path) -> int:
    """Give the number of rows of a data set that is there."""
    if family == "artificial":
        return ARTIFICIAL_ROWS
    return int(manifest(folder)[ours(family, name)[0]]["rows"])


def curves(printed: Path, number: int) -> dict[tuple[str, int], float]:
    """Read a table of Appendix B: a value by data set and percent."""
    found = read_rows(printed / f"shi_b_{number}.csv")
    column = "accuracy" if found and "accuracy" in found[0] else "tree_size"
    return {(r["dataset"], int(r["train_percent"])): float(r[column]) for r in found if r[column]}


def read(family: str, name: str, folder: Path) -> tuple[Any, Any]:
    """Read a data set by its printed name."""
    if family == "artificial":
        drawn = make_decision_list(ARTIFICIAL_ROWS, n_columns=20, random_state=1)
        return drawn.to_frame("pandas"), drawn.y
    data, without = ours(family, name)
    table = load(data, folder, ids=data in WITH_IDS)
    frame = table.to_frame("pandas")
    return frame.drop(columns=list(without)), np.asarray(table.y)


def main() -> None:
    """Run, print and write."""
    shared = "quick only repetitions most-rows jobs report data published results"
    helps = {
        "quick": f"once, at most {QUICK} rows",
        "most_rows": f"default {MOST_ROWS}; all if repeated",
    }
    parser = arguments(__doc__, shared, **helps)
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    options = parsed(parser)
    repetitions = 1 if options.quick else options.repetitions
    most = options.most_rows or (MOST_ROWS if repetitions == 1 else 10**9)
    most = min(most, QUICK) if options.quick else most
    for family in () if options.report else options.families:
        names = [
            name
            for name in names_of(family, options.data, options.published)
            if name in (options.only or [name]) and n_rows(family, name, options.data) <= most
        ]
        if names:
            cross_validate(
                learners(family),
                {name: partial(read, family, name, options.data) for name in names},
                store_of(options.results, EXPERIMENT, family),
                folds=FOLDS,
                repetitions=repetitions,
                jobs=options.jobs,
                size=nodes,
            )
    from _shi_tables_report import write_report

    runs = collect(options.results, EXPERIMENT, FAMILIES, FOLDS)
    print(write_report(runs, options.published, options.results))


if __name__ == "__main__":
    main()
