"""Pereira (2018), Tables 5.3 to 5.13: trees of depth 1, 5 and 16 by search of nominal splits.

    python experiments/pereira_trees.py               20 three-fold cross-validations, as published
    python experiments/pereira_trees.py --quick       1, of the data sets with up to 13,000 rows
    python experiments/pereira_trees.py --only Cars Adult --kinds nominal numeric --jobs 2
    python experiments/pereira_trees.py --report      only writes the tables from what is there

No pruning; an attribute is skipped at a node if its chi-square has p > 10 % or its second most
frequent value has fewer than 15 rows; rows with missing values are removed. The kinds of runs:

    nominal    nominal attributes only (Tables 5.3, 5.6, 5.10; their times are 5.7 and 5.12)
    gw         the two slow methods of Tables 5.6 and 5.7
    inference  conditional inference chooses the attribute (5.4, 5.8, 5.11)
    numeric    nominal and numeric attributes (5.5, 5.9, 5.13)
    inference_program, numeric_program, nominal_program
               the same by the rules of the published program, see `_pereira_tree.py`; of
               nominal_program only the two greedy cuts, since the others equal the library's
    part       CoverType without two of its attributes, see the report
    all_classes
               S.F. Crime and Shelter with all their 39 and 22 classes (sections 5.3.2, 5.3.3)
    default_nominal, default_all
               `TreeClassifier()` as it is, without the limits above, and with `pruning="auto"`

Every fold is kept in `results/pereira_trees/KIND.jsonl` (not in the repository), and is not run
again. Every cross-validation is a line of `results/pereira_trees_runs.csv`. The means go to
`results/pereira_trees.md`, `.csv` and `.png`. CoverType and S.F. Crime have more than half a
million rows and are repeated `--large` times; trees by the rules of the program are grown in Python
and repeated `--program` times.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _folders import load, manifest
from _options import arguments, parsed
from _pereira_tree import ProgramTree
from _runs import TimedTree, collect, cross_validate, leaves, store_of
from pandas import CategoricalDtype

FOLDS = 3
DEPTHS = (1, 5, 16)
LARGE = 100_000  # rows
QUICK = 13_000
# Printed name -> ours. KDD98-2 and KDD98-9 are left out: only 7 of their 65 nominal attributes are
# available.
CALLED = {
    "Adult": "adult",
    "Mushroom": "mushroom",
    "Nursery": "nursery_pereira",
    "Nursery-Ext": "nursery_with_aggreg",
    "Cars": "car",
    "Cars-Ext": "car_with_aggreg",
    "Contracep": "contraceptive",
    "Contracep-Ext": "contraceptive_with_aggreg",
    "CoverType": "covertype",
    "CoverType-Ext": "covertype_with_aggreg",
    "Poker": "poker-hand",
    "Shelter-15": "shelter-15",
    "S.F. Crime-15": "sf_crime_15",
    "Phonemes": "reuters-phonemes",
}
# The methods that the dissertation ran with all classes, and auto.
ALL_CLASSES = {"S.F. Crime": "sf_crime", "Shelter": "shelter-22"}
MANY = ("GLSG", "GLchi2", "PC-ext", "LCA", "auto")
# The columns of Table 5.6 that differ seem to have been made without these attributes.
WITHOUT = {"CoverType": ("Wilderness_Area3", "Wilderness_Area4")}
METHODS = {  # printed name -> criterion, search
    "Twoing": ("twoing", "twoing"),
    "GLSG": ("squared_gini", "greedy_cut"),
    "GLchi2": ("chi2_cut", "greedy_cut"),
    "PC-ext": ("gini", "pc_ext"),
    "HcC": ("gini", "hypercube_cover"),
    "LCA": ("gini", "largest_class_alone"),
    "auto": ("gini", "auto"),
}
GW = {"GWSG": ("squared_gini", "gw_cut"), "GWchi2": ("chi2_cut", "gw_cut")}
KINDS = (
    "nominal", "inference", "inference_program", "numeric", "default_nominal", "default_all", "gw",
    "numeric_program", "nominal_program", "part", "all_classes",
)  # fmt: skip
EXPERIMENT = "pereira_trees"
# The indicator columns of CoverType are numbers in the file; Pereira took them as nominal.
INDICATORS = ("Wilderness_Area", "Soil_Type")
# All 26,711 rows of the shelter were used: the row whose sex is missing has a value of its own.
KEPT = {"Shelter-15": "unknown", "Shelter": "unknown"}


def size(estimator: Any, X: Any, y: Any) -> float:
    """Give the number of leaves, also of a tree by the rules of the program."""
    by_program = isinstance(estimator, ProgramTree)
    return float(estimator.n_leaves_) if by_program else leaves(estimator, X, y)


def read(name: str, folder: Path, *, kind: str) -> tuple[Any, Any]:
    """Read a data set by its printed name, without the rows that have missing values."""
    called = file_of(name)
    nominal_only = not with_numbers(kind)
    data = load(called, folder)
    frame = data.to_frame("pandas")
    known = set(manifest(folder)[called]["nominal"])
    if kind == "part":
        frame = frame.drop(columns=list(WITHOUT[name]))
    if called == "covertype":
        known |= {c for c in frame.columns if c.startswith(INDICATORS)}
    if nominal_only:
        frame = frame[[c for c in frame.columns if c in known]]
    if name in KEPT:
        nominal = [c for c in frame.columns if c in known]
        frame = frame.fillna(dict.fromkeys(nominal, KEPT[name]))
    whole = ~frame.isna().any(axis=1).to_numpy()
    frame = frame[whole].reset_index(drop=True)
    in_file_order = kind.endswith("_program")
    for column in frame.columns:
        if column in known:
            values = frame[column]
            levels = values.unique() if in_file_order else np.sort(values.unique())
            frame[column] = values.astype(CategoricalDtype(levels))
    return frame, np.asarray(data.y)[whole]


def file_of(name: str) -> str:
    """Give the data set of a printed name."""
    return (CALLED | ALL_CLASSES)[name]


def with_numbers(kind: str) -> bool:
    """Say whether the numeric attributes take part in a kind of runs."""
    return kind.startswith("numeric") or kind == "default_all"


def methods_of(kind: str) -> dict[str, tuple[str, str]]:
    """Give criterion and search by the printed name of a method."""
    cuts = {name: METHODS[name] for name in ("GLSG", "GLchi2")}
    if kind == "gw":
        return GW
    if kind == "part":
        return {"Twoing": METHODS["Twoing"], **cuts, **GW}
    if kind == "all_classes":
        return {name: METHODS[name] for name in MANY}
    if kind.endswith("_program"):
        once = {name: (criterion, "greedy_cut_once") for name, (criterion, _) in cuts.items()}
        return once if kind == "nominal_program" else METHODS | once
    return METHODS


def depths_of(kind: str) -> tuple[int, ...]:
    """Give the depths of a kind of runs."""
    return {"gw": (5,), "part": (5,), "all_classes": (5, 16)}.get(kind, DEPTHS)


def learners(kind: str) -> dict[str, Any]:
    """Give the learners of a kind of runs by method and depth."""
    if kind.startswith("default"):
        return {"default 0": TimedTree(), "pruned 0": TimedTree(pruning="auto")}
    made: dict[str, Any] = {}
    # Only the filter stops growth, as in the program: there is no alpha and no adjustment.
    inference = {"selection": "conditional_inference", "alpha": 1.0, "bonferroni": False}
    for depth in depths_of(kind):
        for method, (criterion, search) in methods_of(kind).items():
            limits = {"max_depth": depth, "significance": 0.1, "min_second_value": 15}
            common = {"criterion": criterion, "categorical_split": search, **limits}
            if not kind.endswith("_program"):
                more = inference if kind == "inference" else {}
                made[f"{method} {depth}"] = TimedTree(**common, **more)
            elif method != "auto":
                made[f"{method} {depth}"] = ProgramTree(
                    **common,
                    select="rounded_inference" if kind.startswith("inference") else "criterion",
                    scan="printed" if method == "GLchi2" else "right",
                )
    return made


def takes_part(name: str, kind: str, folder: Path) -> bool:
    """Say whether a data set belongs to a kind of runs."""
    if (name in ALL_CLASSES) != (kind == "all_classes"):
        return False
    if kind == "part":
        return name in WITHOUT
    return not with_numbers(kind) or bool(manifest(folder)[file_of(name)]["numeric"])


def run(kind: str, names: Iterable[str], repetitions: int, options: argparse.Namespace) -> None:
    """Run a kind on data sets, the smallest first."""
    folder = options.data
    trees = {
        name: tree
        for name, tree in learners(kind).items()
        if options.methods is None or name.rpartition(" ")[0] in options.methods
    }
    chosen = [name for name in names if takes_part(name, kind, folder)]
    chosen.sort(key=lambda name: int(manifest(folder)[file_of(name)]["rows"]))
    if not chosen or not trees:
        return
    cross_validate(
        trees,
        {name: partial(read, name, folder, kind=kind) for name in chosen},
        store_of(options.results, EXPERIMENT, kind),
        folds=FOLDS,
        repetitions=repetitions,
        jobs=options.jobs,
        size=size,
    )


def main() -> None:
    """Run, print and write."""
    shared, quick = (
        "quick repetitions jobs report data published results",
        f"once, at most {QUICK:,} rows",
    )
    parser = arguments(__doc__, shared, quick=quick, repetitions=20)
    parser.add_argument(
        "--only", nargs="+", choices=CALLED | ALL_CLASSES, help="data sets, as printed"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--methods", nargs="+", choices=[*METHODS, *GW], help="as printed")
    parser.add_argument("--large", type=int, default=1, help="repetitions of the large data sets")
    parser.add_argument("--program", type=int, default=3, help="repetitions by the program's rules")
    options = parsed(parser)
    if not options.report:
        called = CALLED | ALL_CLASSES
        rows = {n: manifest(options.data)[c]["rows"] for n, c in called.items()
                if c in manifest(options.data) and n in (options.only or called)}  # fmt: skip
        small = [name for name in rows if rows[name] <= (QUICK if options.quick else LARGE)]
        big = [] if options.quick else [name for name in rows if rows[name] > LARGE]
        times = 1 if options.quick else options.repetitions
        for names, repetitions in ((small, times), (big, min(options.large, times))):
            for kind in options.kinds:
                most = options.program if kind.endswith("_program") else repetitions
                often = min(most, repetitions)
                run(kind, names, often, options)
    from _pereira_trees_report import write_report

    runs = collect(options.results, EXPERIMENT, KINDS, FOLDS)
    print(write_report(runs, options.published, options.results))


if __name__ == "__main__":
    main()
