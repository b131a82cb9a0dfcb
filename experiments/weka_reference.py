"""Accuracy and size of Weka's BFTree and SimpleCart, written by Shi: figures to compare with.

    python experiments/weka_reference.py weka.jar                 ten times ten-fold
    python experiments/weka_reference.py weka.jar --only iris labor --seeds 3
    python experiments/weka_reference.py weka.jar --unpruned      unpruned sizes beside ours

The argument is the class path of Weka 3.6 (Debian's package `weka`); `java` must be 11 or newer.
Results are appended to `results/weka_bftree_simplecart.csv`, one line per data set, learner and
seed, and what is there is not run again. The summary is printed.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _folders import load, manifest
from _markdown import table
from _options import arguments
from _rows import Row, add_rows, read_rows
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "weka_bftree_simplecart.csv"
LEARNERS = {
    "post_without_1se": "weka.classifiers.trees.BFTree -P POSTPRUNED -N 10",
    "cart_without_1se": "weka.classifiers.trees.SimpleCart -N 10",
    "post_with_1se": "weka.classifiers.trees.BFTree -P POSTPRUNED -N 10 -A",
    "cart_with_1se": "weka.classifiers.trees.SimpleCart -N 10 -A",
    "pre_without_1se": "weka.classifiers.trees.BFTree -P PREPRUNED -N 10",
    "pre_with_1se": "weka.classifiers.trees.BFTree -P PREPRUNED -N 10 -A",
}
UNPRUNED = {
    "BFTree": "weka.classifiers.trees.BFTree -P UNPRUNED",
    "SimpleCart": "weka.classifiers.trees.SimpleCart -U",
}
# From the cheapest to the most expensive.
NAMES = (
    "iris labor glass hepatitis heart-statlog ecoli balance-scale vote breast-cancer breast-w "
    "lymphography pima_diabetes sonar german_credit ionosphere vehicle vowel anneal segment"
)
HEADER = (
    "# Weka 3.6.14: accuracy (percent) and mean number of nodes in one ten-fold cross-validation "
    "per seed.",
    *(f"# {name}: {options}" for name, options in LEARNERS.items()),
    "# Made by experiments/weka_reference.py; all other options are Weka's defaults (-M 2, -S 1).",
)


def write_arff(name: str, path: Path, folder: Path) -> None:
    """Write a data set as ARFF, the class last, levels in the order of a tree."""
    data = load(name, folder)
    write_columns(name, {**data.data, "the class": data.y}, path)


def write_columns(name: str, columns: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Write columns as ARFF; columns of objects are nominal."""

    def quoted(text: Any) -> str:
        return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"

    def cell(value: Any) -> str:
        if value is None or value != value:
            return "?"
        return repr(float(value)) if isinstance(value, (float, np.number)) else quoted(value)

    with path.open("w") as file:
        file.write(f"@relation {quoted(name)}\n")
        for column, values in columns.items():
            if values.dtype == object:
                kind = "{" + ",".join(map(quoted, levels(values))) + "}"
            else:
                kind = "numeric"
            file.write(f"@attribute {quoted(column)} {kind}\n")
        file.write("@data\n")
        for row in zip(*columns.values(), strict=True):
            file.write(",".join(map(cell, row)) + "\n")


def levels(values: NDArray[Any]) -> list[Any]:
    """Give the levels of a nominal column in the order in which a tree numbers them."""
    return sorted({value for value in values if value is not None})


def weka(
    class_path: str, jobs: list[tuple[str, int, str]], folds: int, folder: Path
) -> Iterator[tuple[str, int, str, float, float]]:
    """Give data set, seed, learner, accuracy and nodes of every job as it ends."""
    with tempfile.TemporaryDirectory() as temporary:
        lines = []
        for name, seed, learner in jobs:
            arff = Path(temporary, f"{name}.arff")
            if not arff.exists():
                write_arff(name, arff, folder)
            lines.append(f"{arff}\t{seed}\t{learner}")
        command = ["java", "-cp", class_path, str(HERE / "WekaTrees.java"), str(folds), "1"]
        listed = Path(temporary, "jobs")
        listed.write_text("\n".join(lines) + "\n")
        with (
            listed.open() as given,
            subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, text=True) as process,
        ):
            assert process.stdout is not None
            for line in process.stdout:
                file, seed, learner, accuracy, nodes = line.rstrip("\n").split("\t")
                yield Path(file).stem, int(seed), learner, float(accuracy), float(nodes)
        if process.returncode:
            raise SystemExit(f"java ended with {process.returncode}")


def summary(rows: list[Row]) -> str:
    """Give means and standard errors over the seeds, as a Markdown table."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["dataset"], row["learner"]].append((float(row["accuracy"]), float(row["nodes"])))
    lines = []
    for (name, learner), found in groups.items():
        cells = []
        for values in zip(*found, strict=True):
            error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
            cells.append(f"{statistics.mean(values):.2f} ± {error:.2f}")
        lines.append([name, learner, str(len(found)), *cells])
    return table(["data set", "learner", "runs", "accuracy", "nodes"], lines)


def compare_unpruned(class_path: str, names: list[str], folder: Path) -> str:
    """Give the numbers of nodes of unpruned trees on all rows, Weka's and ours."""
    from ramify import presets

    jobs = [(name, 1, learner) for name in names for learner in UNPRUNED.values()]
    nodes = {
        (name, learner): size for name, _, learner, _, size in weka(class_path, jobs, 0, folder)
    }
    lines = []
    for name in names:
        data = load(name, folder)
        ours = presets.bftree(pruning=None, min_weight_split=4)  # a rule of Weka 3.6.14
        size = ours.fit(data.data, data.y).tree_.n_nodes
        theirs = (f"{nodes[name, learner]:.0f}" for learner in UNPRUNED.values())
        lines.append([name, str(manifest(folder)[name]["missing"]), *theirs, str(size)])
    return table(["data set", "missing", *UNPRUNED, "ramify"], lines)


def main() -> None:
    """Run what is not there yet, and print."""
    parser = arguments(__doc__, "data results", results=RESULTS)
    parser.add_argument("class_path", help="weka.jar")
    parser.add_argument("--only", nargs="+", default=NAMES.split(), help="data sets")
    parser.add_argument("--learners", nargs="+", default=list(LEARNERS), choices=list(LEARNERS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--unpruned", action="store_true")
    options = parser.parse_args()
    if options.unpruned:
        print(compare_unpruned(options.class_path, options.only, options.data))
        return
    done = {(r["dataset"], r["learner"], int(r["seed"])) for r in read_rows(options.results)}
    jobs = [
        (name, seed, LEARNERS[learner])
        for name in options.only
        for learner in options.learners
        for seed in range(1, options.seeds + 1)
        if (name, learner, seed) not in done
    ]
    called = {text: learner for learner, text in LEARNERS.items()}
    if not options.results.exists():
        options.results.parent.mkdir(exist_ok=True)
        options.results.write_text("\n".join(HEADER) + "\ndataset,learner,seed,accuracy,nodes\n")
    for name, seed, learner, accuracy, size in weka(options.class_path, jobs, 10, options.data):
        row = (name, called[learner], seed, f"{accuracy:.4f}", f"{size:.2f}")
        add_rows(options.results, (), [row])
    print(summary(read_rows(options.results)))


if __name__ == "__main__":
    main()
