"""Weka's J48 beside `presets.c45`: sizes of the trees on all rows, and ten times ten-fold accuracy.

    python experiments/j48_agreement.py weka.jar                  all data sets of Shi (2007)
    python experiments/j48_agreement.py weka.jar --only iris vote labor soybean glass
    python experiments/j48_agreement.py weka.jar --report         only writes the table again

The argument is the class path of Weka 3.6 (Debian's package `weka`); `java` must be 11 or newer.
J48 runs with -C 0.25 -M 2. Sizes are leaves / nodes as Weka counts them: with an empty leaf for
each level that has no rows at a multiway split. Three more columns separate growing from pruning:

- *J48 1000x*: J48 with all numbers times 1,000. It takes numbers closer than 0.00001 for equal.
- *of its tree*: J48 -U prints the tree that J48 prunes; `ErrorBased` prunes it here.
- *of its tree, -S*: the same without raising, beside J48 -S.

Every data set is appended to `results/j48_agreement.csv` as it ends, and what is there is not run
again. The table goes to `results/j48_agreement.md`.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _folders import RESULTS, load, manifest, opened
from _markdown import table
from _options import arguments
from _rows import Row, add_rows, read_rows
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from weka_reference import levels, weka, write_columns

from ramify import _core, presets
from ramify.datasets import Dataset
from ramify.learning.progress import progress
from ramify.learning.training import Training
from ramify.pruning import ErrorBased
from ramify.pruning.pruned import Pruned
from ramify.tree import Tree

FOLDS = 10
J48 = "weka.classifiers.trees.J48"
PRUNED = "-C 0.25 -M 2"
SIZES = ("j48", "ours", "j48_1000x", "of_its_tree", "j48_no_raising", "of_its_tree_no_raising")
FIELDS = (
    "dataset",
    "rows",
    *(f"{size}_{what}" for size in SIZES for what in ("leaves", "nodes")),
    *("repetitions", "j48_accuracy", "j48_deviation", "ours_accuracy", "ours_deviation"),
)
HEAD = ("data set", "J48", "ours", "J48 1000x", "of its tree", "J48 -S", "of its tree, -S")
LINE = re.compile(r"((?:\|   )*)x(\d+) (<=|>|=) v?([^: ]+)(?:: c\d+ \(([\d.]+)(?:/[\d.]+)?\))?")
THRESHOLD, MULTIWAY = 1, 3
Size = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class OfGiven(ErrorBased):
    """Error-based pruning of a tree that was grown elsewhere."""

    grown: _core.Tree

    def prune(self, training: Training) -> Pruned:
        """Prune it by the rows of the fit."""
        pruned = _core.error_based(
            training.problem, self.grown, self.confidence, self.raising, training.unseen
        )
        return Pruned(pruned, self.grown)


class Branch(NamedTuple):
    """A line of a tree that J48 prints."""

    column: int
    sign: str
    value: float
    weight: float | None  # of a leaf
    below: list[Branch]


def coded(data: Dataset, scale: float = 1.0) -> dict[str, NDArray[Any]]:
    """Rename columns to x0, x1, ... and levels to v0, v1, ..., as the reader of trees wants."""

    def codes(values: NDArray[Any], letter: str) -> NDArray[Any]:
        width = len(str(len(levels(values))))  # sorted as text, they keep their order
        names = {v: f"{letter}{i:0{width}}" for i, v in enumerate(levels(values))}
        return np.array([names.get(value) for value in values], dtype=object)

    columns = {
        f"x{j}": codes(column, "v") if column.dtype == object else column * scale
        for j, column in enumerate(data.data.values())
    }
    return {**columns, "class": codes(data.y, "c")}


def j48(class_path: str, arff: Path, options: str) -> str:
    """Give what J48 prints of the tree on all rows."""
    command = ["java", "-cp", class_path, J48, "-t", str(arff), "-no-cv", "-v", *options.split()]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def printed_size(text: str) -> Size:
    """Read leaves and nodes."""
    found = re.findall(r"^(?:Number of Leaves|Size of the tree) *:\s*(\d+)", text, re.MULTILINE)
    leaves, nodes = map(int, found)
    return leaves, nodes


def read_branches(text: str) -> list[Branch]:
    """Read the branches of the root; none if it is a leaf."""
    top: list[Branch] = []
    open_at = [top]
    for line in text.splitlines():
        if not (match := LINE.fullmatch(line)):
            continue
        depth = len(match[1]) // 4
        weight = None if match[5] is None else float(match[5])
        branch = Branch(int(match[2]), match[3], float(match[4]), weight, [])
        del open_at[depth + 1 :]
        open_at[depth].append(branch)
        open_at.append(branch.below)
    return top


def make_tree(branches: list[Branch], data: Dataset, like: Tree) -> Tree:
    """Build J48's tree with the class weights of the training rows."""
    cells = [
        np.array([-1 if v is None else levels(column).index(v) for v in column])
        if column.dtype == object
        else column
        for column in data.data.values()
    ]
    target = np.searchsorted(like.classes, data.y)
    nodes: dict[str, list[Any]] = defaultdict(list)
    level: dict[str, list[int]] = {"start": [0], "code": [], "branch": []}

    def add(weights: NDArray[np.float64], share: float) -> None:
        nodes["proportion"].append(share)
        nodes["rows"].append(int(np.count_nonzero(weights)))
        nodes["weight"].append(float(weights.sum()))
        nodes["value"] += np.bincount(target, weights, len(like.classes)).tolist()

    add(np.ones(len(target)), 1.0)
    work = [(branches, np.ones(len(target)))]
    for inner, weights in work:  # level by level, so that siblings are neighbours
        first, column = len(nodes["rows"]), inner[0].column if inner else -1
        for branch, share, part in divide(inner, cells[column], weights):
            if branch.weight is not None and abs(branch.weight - part.sum()) > 0.006:
                raise ValueError(f"{branch}: {part.sum():.2f} rows are here")
            if share > 0.0:  # otherwise a level without rows
                if branch.sign == "=":
                    level["code"].append(int(branch.value))
                    level["branch"].append(len(nodes["rows"]) - first)
                add(part, share)
                work.append((branch.below, part))
        level["start"].append(len(level["code"]))
        numeric = bool(inner) and inner[0].sign != "="
        nodes["kind"].append(0 if not inner else THRESHOLD if numeric else MULTIWAY)
        nodes["attribute"].append(column)
        nodes["n_children"].append(len(nodes["rows"]) - first)
        nodes["first_child"].append(first if inner else -1)
        expansions = sum(kind > 0 for kind in nodes["kind"])
        nodes["expansion"].append(expansions - 1 if inner else -1)
        nodes["threshold"].append(nearest(cells[column], inner[0].value) if numeric else None)
    tree = Tree.from_dict(
        {
            **{k: v for k, v in like.to_dict().items() if k not in ("nodes", "competitors")},
            "nodes": nodes,
            "levels": level,
        }
    )
    tree.check()
    return tree


def nearest(values: NDArray[np.float64], printed: float) -> float:
    """Give the value of the data that Weka printed with six decimals."""
    known = values[~np.isnan(values)]
    return float(known[np.abs(known - printed).argmin()])


def divide(
    inner: list[Branch], values: NDArray[Any], weights: NDArray[np.float64]
) -> list[tuple[Branch, float, NDArray[np.float64]]]:
    """Give each branch of a node, its share of the known weight, and the weights of the rows."""
    sides: list[NDArray[np.bool_]] = []
    known = values == values
    for branch in inner:
        if branch.sign == "=":
            known = values >= 0
            sides.append(values == int(branch.value))
        else:
            below = values <= nearest(values, branch.value)
            sides.append(below if branch.sign == "<=" else known & ~below)
    total = weights[known].sum()
    found = []
    for branch, side in zip(inner, sides, strict=True):
        share = float(weights[side].sum() / total)
        found.append((branch, share, weights * np.where(known, side, share)))
    return found


def size_in_weka(tree: Tree) -> Size:
    """Give leaves and nodes, with an empty leaf for every level that is absent from a split."""
    data = tree.data
    multiway = np.flatnonzero(data["kind"] == MULTIWAY)
    columns = tree.schema.columns
    empty = sum(
        len(columns[data["attribute"][i]].levels) - int(data["n_children"][i]) for i in multiway
    )
    return tree.n_leaves + empty, tree.n_nodes + empty


def sizes(data: Dataset, class_path: str) -> list[Size]:
    """Give the sizes on all rows, in the order of SIZES."""
    ours = presets.c45().fit(data.data, data.y).tree_
    with tempfile.TemporaryDirectory() as temporary:
        arff, scaled = Path(temporary, "table.arff"), Path(temporary, "scaled.arff")
        write_columns("table", coded(data), arff)
        write_columns("table", coded(data, 1000.0), scaled)
        grown = make_tree(read_branches(j48(class_path, arff, "-U -M 2")), data, ours)
        theirs = {
            options: printed_size(j48(class_path, arff, options))
            for options in (PRUNED, f"{PRUNED} -S")
        }
        numbers = printed_size(j48(class_path, scaled, PRUNED))
    again = [
        size_in_weka(
            presets.c45(pruning=OfGiven(grown=grown.core, raising=raising))
            .fit(data.data, data.y)
            .tree_
        )
        for raising in (True, False)
    ]
    return [
        theirs[PRUNED],
        size_in_weka(ours),
        numbers,
        again[0],
        theirs[f"{PRUNED} -S"],
        again[1],
    ]


def accuracy(data: Dataset, seed: int) -> float:
    """Give the accuracy of ours in percent in one ten-fold cross-validation."""
    right = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer rows than folds
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
        for train, test in parts.split(np.zeros(len(data.y)), data.y):
            fitted = presets.c45().fit({k: v[train] for k, v in data.data.items()}, data.y[train])
            answers = fitted.predict({k: v[test] for k, v in data.data.items()})
            right += int((answers == data.y[test]).sum())
    return 100 * right / len(data.y)


def measure(name: str, options: argparse.Namespace) -> list[Any]:
    """Give the row of a data set."""
    data = load(name, options.data)
    row = [name, len(data.y)]
    row += [number for size in sizes(data, options.class_path) for number in size]
    if len(data.y) > options.rows:
        return [*row, 0, "", "", "", ""]
    seeds = range(1, options.repetitions + 1)
    jobs = [(name, seed, f"{J48} {PRUNED}") for seed in seeds]
    theirs = [found[3] for found in weka(options.class_path, jobs, FOLDS, options.data)]
    row.append(len(seeds))
    for found in (theirs, [accuracy(data, seed) for seed in seeds]):
        deviation = statistics.stdev(found) if len(found) > 1 else 0.0
        row += [f"{statistics.mean(found):.2f}", f"{deviation:.2f}"]
    return row


def report(rows: Sequence[Row]) -> str:
    """Give the table, and how many sizes agree."""
    repetitions = max((int(row["repetitions"]) for row in rows), default=0)
    lines = []
    for row in rows:
        cells = [f"{row[f'{size}_leaves']} / {row[f'{size}_nodes']}" for size in SIZES]
        cells += [
            f"{row[f'{who}_accuracy']} ± {row[f'{who}_deviation']}" if row["j48_accuracy"] else ""
            for who in ("j48", "ours")
        ]
        lines.append([row["dataset"], *cells])
    raised, kept = same(rows, "of_its_tree", "j48"), same(rows, SIZES[5], SIZES[4])
    return "\n".join(
        (
            "# J48 and `presets.c45`",
            "",
            "Leaves / nodes on all rows, and mean and standard deviation of the accuracies "
            f"(percent) of {repetitions}",
            "ten-fold cross-validations, each with its own folds (`j48_agreement.py`, Weka "
            f"3.6.14, `{PRUNED}`).",
            "",
            table((*HEAD, "accuracy, J48", "ours"), lines),
            "",
            f"Of {len(rows)} data sets, {same(rows, 'ours', 'j48')} give trees of the same size; "
            f"{same(rows, 'ours', 'j48_1000x')} if J48 has all numbers times 1,000.",
            f"Given the tree that J48 prunes, {raised} do with raising and {kept} without.",
            "",
            *compared(rows),
        )
    )


def compared(rows: Iterable[Row]) -> list[str]:
    """Say how far the accuracies differ, in standard errors of the difference."""
    far, differences = [], []
    for row in (row for row in rows if int(row["repetitions"]) > 1):
        difference = float(row["ours_accuracy"]) - float(row["j48_accuracy"])
        deviations = float(row["ours_deviation"]), float(row["j48_deviation"])
        error = float(np.hypot(*deviations)) / int(row["repetitions"]) ** 0.5
        differences.append(difference)
        if abs(difference) > 2 * error:
            far.append(f"{row['dataset']} {difference:+.2f} ± {error:.2f}")
    if not differences:
        return []
    return [
        f"In the mean over {len(differences)} data sets the accuracy is "
        f"{statistics.mean(differences):+.2f} points from J48's. More than two standard",
        f"errors apart are {len(far)}: {', '.join(far)}.",
        "",
    ]


def same(rows: Iterable[Row], one: str, other: str) -> int:
    """Count the data sets in which two sizes are equal."""
    parts = ("leaves", "nodes")
    return sum(all(row[f"{one}_{p}"] == row[f"{other}_{p}"] for p in parts) for row in rows)


def main() -> None:
    """Run what is not there yet, the smallest data sets first, and print."""
    only = {"only": "data sets", "repetitions": 10, "results": RESULTS}
    parser = arguments(__doc__, "only repetitions report data results", **only)
    parser.add_argument("class_path", help="weka.jar")
    parser.add_argument("--rows", type=int, default=1000, help="cross-validate up to so many rows")
    options = parser.parse_args()
    path = options.results / "j48_agreement.csv"
    done = {row["dataset"] for row in read_rows(path)}
    names = options.only or opened(options.data).select(task="classification", used_in="shi")
    rows_of = {name: int(str(manifest(options.data)[name]["rows"])) for name in names}
    wanted = [] if options.report else sorted(set(names) - done, key=lambda n: (rows_of[n], n))
    with progress("computing", len(wanted), shown=None) as bar:
        for name in wanted:
            bar.say(name)
            add_rows(path, FIELDS, [measure(name, options)])
            bar.advance()
    text = report(sorted(read_rows(path), key=lambda row: row["dataset"]))
    (options.results / "j48_agreement.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
