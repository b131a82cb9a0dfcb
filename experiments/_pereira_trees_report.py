"""The report of pereira_trees.py: Markdown, CSV and a picture."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from _markdown import NAN, beside, show, table
from _pereira_trees_text import CLASSES, HEAD, PART, PROGRAM, SECONDS, TIMES
from _pictures import plotting
from _rows import Row, read_rows, write_rows
from pereira_trees import ALL_CLASSES, CALLED, DEPTHS, GW, MANY, METHODS, WITHOUT
from scipy.stats import rankdata, spearmanr, ttest_rel

SIX = [method for method in METHODS if method != "auto"]
EIGHT = ["Twoing", *GW, *SIX[1:]]
CUTS = ("GLSG", "GLchi2")
LEVEL = 0.05  # significance level of Pereira's one-tailed test
FEWEST = 5  # repetitions that the test needs
NEAR = 1.0  # points between the means


class Printed(NamedTuple):
    """A printed table of accuracies: its number, its depth, and the kind of runs to compare."""

    number: str
    depth: int
    kind: str
    library: (
        str | None
    )  # the kind of runs by the rules of the library, if those of the program differ


TABLES = (
    Printed("5.3", 1, "nominal_program", "nominal"),
    Printed("5.6", 5, "nominal_program", "nominal"),
    Printed("5.10", 16, "nominal_program", "nominal"),
    Printed("5.4", 1, "inference_program", "inference"),
    Printed("5.8", 5, "inference_program", "inference"),
    Printed("5.11", 16, "inference_program", "inference"),
    Printed("5.5", 1, "numeric_program", "numeric"),
    Printed("5.9", 5, "numeric_program", "numeric"),
    Printed("5.13", 16, "numeric_program", "numeric"),
)
KINDS = {
    "nominal_program": "nominal attributes, program's rules",
    "nominal": "nominal attributes, library",
    "inference_program": "conditional inference, program's rules",
    "inference": "conditional inference, library",
    "numeric_program": "with numeric attributes, program's rules",
    "numeric": "with numeric attributes, library",
}
Cell = tuple[str, str, int, str]  # data set, kind, depth, method


class Runs:
    """What was measured, by cell."""

    def __init__(self, rows: list[Row]) -> None:
        self.accuracy: dict[Cell, dict[int, float]] = defaultdict(dict)
        self.leaves: dict[Cell, list[float]] = defaultdict(list)
        self.seconds: dict[Cell, list[float]] = defaultdict(list)
        for row in rows:
            method, _, depth = row["learner"].rpartition(" ")
            kinds = ["nominal" if row["kind"] == "gw" else row["kind"]]
            if kinds == ["nominal"] and method not in CUTS:  # the program does the same
                kinds.append("nominal_program")
            for kind in kinds:
                cell = (row["dataset"], kind, int(depth), method)
                self.accuracy[cell][int(row["repetition"])] = float(row["accuracy"])
                self.leaves[cell].append(float(row["size"]))
                if row["seconds"]:
                    self.seconds[cell].append(float(row["seconds"]))

    def mean(self, cell: Cell) -> float:
        """Give the mean accuracy in percent."""
        found = self.accuracy.get(cell)
        return statistics.mean(found.values()) if found else NAN

    def error(self, cell: Cell) -> float:
        """Give the standard error of that mean over the repetitions."""
        found = list(self.accuracy.get(cell, {}).values())
        return statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else NAN


def published(folder: Path, number: str, column: str) -> dict[tuple[str, str], float]:
    """Read a printed table, by data set and method; damaged and unfinished cells are left out."""
    return {
        (row["dataset"], row["method"].removeprefix("CI-")): float(row[column])
        for row in read_rows(folder / f"pereira_{number.replace('.', '_')}.csv")
        if row[column] and row["dataset"] in CALLED
    }


def pair_means(
    runs: Runs, kind: str, depth: int, method: str, printed: dict[tuple[str, str], float]
) -> tuple[float, float, int]:
    """Give the means of ours and of print over the data sets that have both."""
    both = [
        (runs.mean((name, kind, depth, method)), value)
        for (name, called), value in printed.items()
        if called == method and (name, kind, depth, method) in runs.accuracy
    ]
    if not both:
        return NAN, NAN, 0
    first, second = zip(*both, strict=True)
    return statistics.mean(first), statistics.mean(second), len(both)


def write_report(rows: list[Row], folder: Path, results: Path) -> str:
    """Write the three files; give the Markdown."""
    runs = Runs(rows)
    parts = [HEAD, repetitions_table(runs), *summary(runs, folder), *far_cells(runs, folder)]
    parts += [*ranks_section(runs, folder), *beats_section(runs, folder), *auto_section(runs)]
    parts += [*program_section(runs, folder), *part_section(runs, folder)]
    parts += all_classes_section(runs)
    for one in TABLES:
        parts += accuracy_section(runs, one, folder)
    parts += ["## Times (Tables 5.7 and 5.12)", TIMES]
    parts += [
        times_table(runs, number, depth, folder) for number, depth in (("5.7", 5), ("5.12", 16))
    ]
    text = "\n\n".join(part for part in parts if part) + "\n"
    results.mkdir(exist_ok=True)
    (results / "pereira_trees.md").write_text(text)
    write_csv(runs, folder, results / "pereira_trees.csv")
    draw_picture(runs, folder, results / "pereira_trees.png")
    return text


def repetitions_table(runs: Runs) -> str:
    kinds = [*KINDS, "default_nominal", "default_all"]
    body = []
    for name in CALLED:
        counts = []
        for kind in kinds:
            found = [len(v) for (n, k, _, _), v in runs.accuracy.items() if (n, k) == (name, kind)]
            low, high = (min(found), max(found)) if found else (0, 0)
            counts.append(str(high) if low == high else f"{low} to {high}")
        body.append([name, *counts])
    head = ["three-fold cross-validations run", *(k.replace("_", " ") for k in kinds)]
    return table(head, body)


def summary(runs: Runs, folder: Path) -> list[str]:
    body = []
    for one in TABLES:
        printed = published(folder, one.number, "accuracy")
        for kind in (one.kind, one.library):
            if kind is None:
                continue
            cells, used = [], 0
            for method in EIGHT:
                ours, theirs, count = pair_means(runs, kind, one.depth, method, printed)
                used = max(used, count)
                cells.append(beside(ours, theirs, 2))
                if abs(ours - theirs) > NEAR:
                    cells[-1] = f"**{cells[-1]}**"
            body.append([one.number, str(one.depth), KINDS[kind], str(used), *cells])
    head = ["table", "depth", "runs", "data sets", *EIGHT]
    return [
        "## Mean accuracy over the available data sets, percent: ours (printed)",
        "The mean over the data sets that have both figures: of the two GW columns those that were "
        "printed and are not damaged. Bold: more than one point apart.",
        table(head, body),
    ]


def compared(runs: Runs, folder: Path) -> list[tuple[Printed, str, str, float, float]]:
    """Give every cell that has a printed figure: table, data set, method, ours, printed."""
    found = []
    for one in TABLES:
        for (name, method), value in published(folder, one.number, "accuracy").items():
            ours = runs.mean((name, one.kind, one.depth, method))
            if not math.isnan(ours):
                found.append((one, name, method, ours, value))
    return found


def far_cells(runs: Runs, folder: Path) -> list[str]:
    """List the cells that are more than a point from print."""
    cells = compared(runs, folder)
    if not cells:
        return []
    far = [cell for cell in cells if abs(cell[3] - cell[4]) > NEAR]
    body = []
    for one, name, method, ours, theirs in far:
        error = runs.error((name, one.kind, one.depth, method))
        body.append(
            [one.number, name, method, show(ours, 2), show(theirs, 2), f"{ours - theirs:+.2f}",
             "" if math.isnan(error) else f"{error:.2f}"]
        )  # fmt: skip
    head = ["table", "data set", "method", "ours", "printed", "difference", "standard error"]
    text = (
        f"{len(far)} of {len(cells)} cells with a printed figure are more than {NEAR:g} point from "
        "it, with the program's rules where they differ. No standard error: one cross-validation."
    )
    return ["## Cells more than a point from print", text, table(head, body) if body else ""]


def ranks_section(runs: Runs, folder: Path) -> list[str]:
    """Compare the order of the methods: mean rank over the data sets that have all six."""
    body = []
    for one in TABLES:
        printed = published(folder, one.number, "accuracy")
        ranks: list[list[float]] = [[], []]
        for name in CALLED:
            ours = [runs.mean((name, one.kind, one.depth, method)) for method in SIX]
            theirs = [printed.get((name, method), NAN) for method in SIX]
            if not any(map(math.isnan, (*ours, *theirs))):
                for side, values in zip(ranks, (ours, theirs), strict=True):
                    side.append(rankdata([-round(value, 2) for value in values]))
        if not ranks[0]:
            continue
        mine, print_ = (
            [statistics.mean(column) for column in zip(*side, strict=True)] for side in ranks
        )
        cells = [beside(a, b, 2) for a, b in zip(mine, print_, strict=True)]
        first = [SIX[side.index(min(side))] for side in (mine, print_)]
        alike = spearmanr(mine, print_).statistic
        body.append([one.number, str(len(ranks[0])), *cells, beside_text(*first), f"{alike:.2f}"])
    if not body:
        return []
    head = ["table", "data sets", *SIX, "first", "rank correlation"]
    return [
        "## The order of the methods: mean rank, ours (printed)",
        "Rank 1 is the highest accuracy on a data set; accuracies that are equal to two digits "
        "share their ranks. With the program's rules where they differ.",
        table(head, body),
    ]


def beside_text(found: str, printed: str) -> str:
    """Show ours, and the printed one in brackets."""
    return f"{found} ({printed})"


def part_section(runs: Runs, folder: Path) -> list[str]:
    """Show CoverType without the attributes that its printed columns seem to lack."""
    printed = published(folder, "5.6", "accuracy")
    body = []
    for name in WITHOUT:
        for method in EIGHT:
            without = runs.mean((name, "part", 5, method))
            if math.isnan(without):
                continue
            whole = runs.mean((name, "nominal_program", 5, method))
            theirs = printed.get((name, method), NAN)
            shown = [show(value, 2) for value in (theirs, without, whole)]
            body.append([name, method, *shown])
    if not body:
        return []
    missing = " and ".join(columns for without in WITHOUT.values() for columns in without)
    return [
        "## CoverType at depth 5",
        PART,
        table(["data set", "method", "printed", f"without {missing}", "all attributes"], body),
    ]


def all_classes_section(runs: Runs) -> list[str]:
    """Show the runs with all classes."""
    body = []
    for name in ALL_CLASSES:
        for depth in (5, 16):
            for method in MANY:
                cell = (name, "all_classes", depth, method)
                if cell not in runs.accuracy:
                    continue
                spent = statistics.median(runs.seconds[cell])
                was = SECONDS.get((name, depth, method), "")
                leaves = statistics.mean(runs.leaves[cell])
                row = [name, str(depth), method, show(runs.mean(cell), 2), f"{leaves:.0f}"]
                body.append([*row, show(spent, 2), was])
    if not body:
        return []
    head = ["data set", "depth", "method", "accuracy", "leaves", "seconds", "printed seconds"]
    return ["## All 39 and 22 classes (sections 5.3.2 and 5.3.3)", CLASSES, table(head, body)]


def program_section(runs: Runs, folder: Path) -> list[str]:
    cells = (
        ("Mushroom", "5.4", "inference", "PC-ext"),
        ("Nursery", "5.4", "inference", "PC-ext"),
        ("Nursery-Ext", "5.8", "inference", "PC-ext"),
        ("Cars-Ext", "5.11", "inference", "Twoing"),
        ("Phonemes", "5.8", "inference", "Twoing"),
        ("Contracep", "5.13", "numeric", "PC-ext"),
        ("Adult", "5.13", "numeric", "PC-ext"),
        ("Adult", "5.13", "numeric", "GLSG"),
        ("Contracep", "5.5", "numeric", "GLchi2"),
        ("CoverType", "5.5", "numeric", "GLchi2"),
    )
    depths = {one.number: one.depth for one in TABLES}
    body = []
    for name, number, kind, method in cells:
        theirs = published(folder, number, "accuracy").get((name, method), NAN)
        by = [runs.mean((name, k, depths[number], method)) for k in (kind, f"{kind}_program")]
        body.append([number, name, method, show(theirs, 2), *(show(value, 2) for value in by)])
    head = ["table", "data set", "method", "printed", "library", "program's rules"]
    return ["## Where the program differs from its description", PROGRAM, table(head, body)]


def auto_section(runs: Runs) -> list[str]:
    parts = ['## What `categorical_split="auto"` and the default do on the same data']
    for kind, default in (("nominal", "default_nominal"), ("numeric", "default_all")):
        body = []
        whole: list[list[float]] = []
        labels: list[str] = []
        for name in CALLED:
            cells = {}
            for depth in DEPTHS:
                for method in ("PC-ext", "auto"):
                    cells[f"{method} {depth}"] = (name, kind, depth, method)
            cells |= {f"`{m}`": (name, default, 0, m) for m in ("default", "pruned")}
            if cells["auto 5"] not in runs.accuracy:
                continue
            labels = list(cells)
            row, values = [], []
            for cell in cells.values():
                value = runs.mean(cell)
                values.append(value)
                leaves = runs.leaves.get(cell)
                size = f" ({statistics.mean(leaves):.0f})" if leaves else ""
                row.append(show(value, 2) + size)
            body.append([name, *row])
            if not any(map(math.isnan, values)):
                whole.append(values)
        if not body:
            continue
        if whole:
            means = [show(statistics.mean(column), 2) for column in zip(*whole, strict=True)]
            body.append([f"**mean of the {len(whole)} with all**", *means])
        parts += [f"{KINDS[kind].capitalize()}; accuracy in percent (leaves):"]
        parts += [table(["data set", *labels], body)]
    parts.append(
        "`default` is `TreeClassifier()`, grown to the end without filters; `pruned` is "
        '`TreeClassifier(pruning="auto")`. An empty cell was not run.'
    )
    return parts


def beats_section(runs: Runs, folder: Path) -> list[str]:
    body = []
    for one in TABLES:
        if one.number == "5.6":  # its printed counts are damaged
            continue
        counts, sums = dict.fromkeys(SIX, 0), dict.fromkeys(SIX, 0.0)
        printed = published(folder, one.number, "beats")
        used = 0
        for name in CALLED:
            cells = {m: runs.accuracy.get((name, one.kind, one.depth, m), {}) for m in SIX}
            if min(map(len, cells.values())) < FEWEST:
                continue
            used += 1
            for method in SIX:
                counts[method] += beats(cells, method)
                sums[method] += printed.get((name, method), NAN)
        if used:
            shown = [beside(counts[m], sums[m], 0) for m in SIX]
            body.append([one.number, str(used), *shown])
    if not body:
        return []
    return [
        "## How many methods each beats: ours (printed)",
        "One-tailed paired t-test at 95 % on the accuracies of the repetitions, summed over the "
        f"data sets with at least {FEWEST} repetitions; printed sums over the same data sets. The "
        "counts of Table 5.6 are damaged.",
        table(["table", "data sets", *SIX], body),
    ]


def beats(cells: dict[str, dict[int, float]], method: str) -> int:
    """Count the methods that are significantly worse."""
    won = 0
    for other, theirs in cells.items():
        shared = sorted(set(cells[method]) & set(theirs))
        a = [cells[method][r] for r in shared]
        b = [theirs[r] for r in shared]
        if other == method or a == b:
            continue
        won += bool(ttest_rel(a, b, alternative="greater").pvalue < LEVEL)
    return won


def accuracy_section(runs: Runs, one: Printed, folder: Path) -> list[str]:
    printed = published(folder, one.number, "accuracy")
    columns = [
        m for m in (*EIGHT, "auto") if any(c[1:] == (one.kind, one.depth, m) for c in runs.accuracy)
    ]
    body, errors = [], []
    for name in CALLED:
        cells = [(name, one.kind, one.depth, method) for method in columns]
        if not any(cell in runs.accuracy for cell in cells):
            continue
        figures = ((runs.mean(cell), printed.get((name, cell[3]), NAN)) for cell in cells)
        body.append([name, *(beside(*pair, 2) for pair in figures)])
        errors += [runs.error(cell) for cell in cells if not math.isnan(runs.error(cell))]
    if not body:
        return []
    worst = f" Largest standard error of ours: {max(errors):.2f}." if errors else ""
    return [
        f"## Table {one.number}: depth at most {one.depth}, {KINDS[one.kind]}; ours (printed)",
        table(["data set", *columns], body),
        f"Accuracy in percent.{worst}",
    ]


def times_table(runs: Runs, number: str, depth: int, folder: Path) -> str:
    printed = published(folder, number, "seconds")
    columns = [*(EIGHT if depth == 5 else SIX), "auto"]
    body = []
    for name in CALLED:
        found = [runs.seconds.get((name, "nominal", depth, method)) for method in columns]
        if not any(found):
            continue
        cells = [
            beside(statistics.median(spent), printed.get((name, method), NAN), 2) if spent else ""
            for method, spent in zip(columns, found, strict=True)
        ]
        body.append([name, *cells])
    return table([f"Table {number}, seconds", *columns], body) if body else ""


def write_csv(runs: Runs, folder: Path, path: Path) -> None:
    numbers = {(one.kind, one.depth): one.number for one in TABLES}
    numbers |= {(one.library, one.depth): one.number for one in TABLES if one.library}
    rows = []
    for cell in sorted(runs.accuracy):
        name, kind, depth, method = cell
        number = numbers.get((kind, depth), "")
        printed = published(folder, number, "accuracy").get((name, method), NAN)
        spent = runs.seconds.get(cell)
        row = [number, name, kind, depth, method, len(runs.accuracy[cell])]
        row += [show(runs.mean(cell), 3), show(runs.error(cell), 3)]
        row += [show(statistics.mean(runs.leaves[cell]), 1)]
        rows.append([*row, show(statistics.median(spent) if spent else NAN, 3), show(printed, 2)])
    head = ["table", "dataset", "kind", "depth", "method", "repetitions", "accuracy"]
    write_rows(path, [*head, "standard_error", "leaves", "seconds", "printed_accuracy"], rows)


def draw_picture(runs: Runs, folder: Path, path: Path) -> None:
    pyplot = plotting()
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(1, 3, figsize=(13, 4.5), squeeze=False)
    groups = ("nominal", "inference_program", "numeric_program")
    for axis, group in zip(axes[0], groups, strict=True):
        for one in (one for one in TABLES if one.kind == group):
            printed = published(folder, one.number, "accuracy")
            points = [
                (value, runs.mean((name, group, one.depth, method)))
                for (name, method), value in printed.items()
                if (name, group, one.depth, method) in runs.accuracy
            ]
            if points:
                axis.plot(*zip(*points, strict=True), ".", label=f"depth {one.depth}")
        axis.set_title(KINDS[group], fontsize=10)
        axis.set_xlabel("printed accuracy, %")
        if axis.lines:
            axis.legend()
        axis.axline((50, 50), slope=1, color="grey", linewidth=0.7)
    axes[0, 0].set_ylabel("ours, %")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
