"""What the defaults of `TreeClassifier` are worth: beside the alternatives, on the same folds.

    python experiments/defaults.py              five-fold, the data sets with up to 2,000 rows
    python experiments/defaults.py --quick      the same, up to 250 rows
    python experiments/defaults.py --most-rows 20000 --repetitions 2 --jobs 2
    python experiments/defaults.py --report     only writes the tables from what is there

The data sets are those of Shi (2007) and Pereira (2018) that are there, without columns that only
identify rows. Writes `results/defaults.md`, `.csv` and `.png`; folds are kept in
`results/defaults/` (not in the repository), cross-validations in `results/defaults_runs.csv`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _folders import load, manifest
from _options import arguments, parsed
from _runs import TimedTree, collect, cross_validate, store_of

from ramify import presets
from ramify.pruning import CostComplexity, ErrorBased

EXPERIMENT = "defaults"
FOLDS = 5
MOST_ROWS = 2000
QUICK = 250
PAPERS = ("shi", "pereira")


def learners() -> dict[str, Any]:
    """Give the default first, then the alternatives, named by what differs."""
    auto = {"pruning": "auto"}
    made: dict[str, dict[str, Any]] = {
        "TreeClassifier()": {},
        "criterion='entropy'": {"criterion": "entropy"},
        "categorical_split='multiway'": {"categorical_split": "multiway"},
        "categorical_split='pc_ext'": {"categorical_split": "pc_ext"},
        "categorical_split='largest_class_alone'": {"categorical_split": "largest_class_alone"},
        "min_samples_leaf=5": {"min_samples_leaf": 5},
        "significance=0.1, min_second_value=15": {"significance": 0.1, "min_second_value": 15},
        "pruning='auto'": auto,
        "pruning=CostComplexity(rule='1se')": {"pruning": CostComplexity(rule="1se")},
        "pruning=CostComplexity(rule='min')": {"pruning": CostComplexity(rule="min")},
        "pruning=ErrorBased()": {"pruning": ErrorBased()},
        "pruning='mdl'": {"pruning": "mdl"},
        "pruning='best_first'": {"pruning": "best_first", "growth": "best_first"},
        "pruning='auto', criterion='entropy'": {"criterion": "entropy", **auto},
        "pruning='auto', categorical_split='multiway'": {"categorical_split": "multiway", **auto},
    }
    found: dict[str, Any] = {name: TimedTree(**settings) for name, settings in made.items()}
    for name in ("c45", "ctree", "bftree"):
        preset = getattr(presets, name)()
        found[f"presets.{name}()"] = TimedTree(**preset.get_params())
    return found


def read(name: str, folder: Path) -> tuple[Any, Any]:
    """Read a data set."""
    table = load(name, folder)
    return table.to_frame("pandas"), np.asarray(table.y)


def names_in(folder: Path, most: int) -> list[str]:
    """Give the data sets for classification of the two papers, the smallest first."""
    about = {
        name: what
        for name, what in manifest(folder).items()
        if what["task"] == "classification" and set(PAPERS) & set(what.get("used_in", ()))
    }
    chosen = [name for name, what in about.items() if what["rows"] <= most]
    return sorted(chosen, key=lambda name: about[name]["rows"] * len(about[name]["numeric"] or [0]))


def main() -> None:
    """Run, print and write."""
    parser = arguments(
        __doc__,
        "quick only most-rows repetitions jobs report data results",
        quick=f"at most {QUICK} rows",
        only="data sets",
        most_rows=MOST_ROWS,
    )
    options = parsed(parser)
    if not options.report:
        most = min(QUICK, options.most_rows) if options.quick else options.most_rows
        names = [n for n in names_in(options.data, most) if n in (options.only or [n])]
        cross_validate(
            learners(),
            {name: partial(read, name, options.data) for name in names},
            store_of(options.results, EXPERIMENT, "all"),
            folds=FOLDS,
            repetitions=options.repetitions,
            jobs=options.jobs,
        )
    from _defaults_report import write_report

    runs = collect(options.results, EXPERIMENT, ("all",), FOLDS)
    print(write_report(runs, options.results))


if __name__ == "__main__":
    main()
