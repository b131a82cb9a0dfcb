"""The report of shi_tables.py: Markdown, CSV and a picture."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from _markdown import NAN, compared, ours_printed, show, table
from _pictures import plotting
from _rows import Row, read_rows, write_rows
from _shi_tables_text import ARTIFICIAL, HEAD, SEARCH, TIMES, VIEWS, WHERE
from shi_pruning import means, published
from shi_tables import ARTIFICIAL as ARTI1000
from shi_tables import PERCENT, curves

MEASURES = ("accuracy", "size", "seconds")
Found = dict[tuple[str, str, str], dict[str, list[float]]]  # family, data set, learner
# Tables of what was measured: number, family, measure, and printed column -> ours.
GINI = {"error_rate": "post_error_rate", "rmse": "post_rmse"}
CRITERIA = {
    f"{error}_{called}": learner + more
    for error, learner in GINI.items()
    for called, more in (("gini", ""), ("information", "_information"))
}
ESTIMATES = {name: name for name in ("post_error_rate", "post_rmse", "pre_error_rate", "pre_rmse")}
PLAIN: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("4.2", "criterion", "accuracy", CRITERIA),
    ("4.3", "criterion", "size", CRITERIA),
    ("4.4", "criterion", "accuracy", ESTIMATES),
    ("4.5", "criterion", "size", ESTIMATES),
)
TITLES = {
    "4.2": "accuracy of post-pruning, Gini index against information",
    "4.3": "nodes for the same",
    "4.4": "accuracy, error rate against RMSE as the inner estimate",
    "4.5": "nodes for the same",
    "4.9": "accuracy with and without the 1SE rule; 4.11: post- against pre-pruning",
    "4.10": "nodes with and without the 1SE rule; 4.12: post- against pre-pruning",
}
SHRUNK = (  # table, printed stage, rule, accuracy and size in Appendix B
    ("4.19", "pre", "without_1se", 1, 2),
    ("4.19", "pre", "with_1se", 3, 4),
    ("4.20", "post", "without_1se", 5, 6),
    ("4.20", "post", "with_1se", 7, 8),
)
LOSSES = ("cease_percent", "accuracy_loss", "size_loss_percent")
Lines = list[list[Any]]  # of the CSV


def group(rows: list[Row]) -> Found:
    """Collect the repetitions of a learner on a data set."""
    found: Found = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for measure in MEASURES:
            if row[measure]:
                key = (row["kind"], row["dataset"], row["learner"])
                found[key][measure].append(float(row[measure]))
    return found


def write_report(rows: list[Row], folder: Path, results: Path) -> str:
    """Write the three files; give the Markdown."""
    found, lines = group(rows), []
    parts = [HEAD, WHERE, repetitions(found)]
    for number, family, measure, columns in PLAIN:
        parts += plain_table(found, folder, number, family, measure, columns, lines)
    parts += search_tables(found, folder, lines)
    parts += views(folder, results, lines)
    parts += times_tables(found, folder, lines)
    parts += artificial_tables(found, folder, lines)
    parts += shrunk_tables(found, folder, lines)
    text = "\n\n".join(part for part in parts if part) + "\n"
    results.mkdir(exist_ok=True)
    (results / "shi_tables.md").write_text(text)
    head = ["table", "dataset", "column", "measure", "repetitions", "ours", "printed"]
    write_rows(results / "shi_tables.csv", head, lines)
    draw_picture(found, folder, results / "shi_tables.png")
    return text


def repetitions(found: Found) -> str:
    parts = []
    for family in dict.fromkeys(family for family, _, _ in found):
        names = {name for kind, name, _ in found if kind == family}
        runs = [len(v["accuracy"]) for (kind, _, _), v in found.items() if kind == family]
        often = " to ".join(map(str, dict.fromkeys((min(runs), max(runs)))))
        parts.append(f"*{family}*: {len(names)} data sets, {often} times ten-fold")
    return "Run here: " + "; ".join(parts) + "." if parts else "Nothing was run yet."


def plain_table(
    found: Found, folder: Path, number: str, family: str, measure: str, columns: dict[str, str],
    lines: Lines,
) -> list[str]:  # fmt: skip
    theirs = published(folder, number.replace(".", "_"))
    ours = {
        (name, column): statistics.mean(found[family, name, learner][measure])
        for column, learner in columns.items()
        for name in dict.fromkeys(name for name, _ in theirs)
        if (family, name, learner) in found
    }
    runs = {key: len(found[family, key[0], columns[key[1]]][measure]) for key in ours}
    title = f"## Table {number}: {TITLES[number]}; ours / printed"
    return pairs_table(title, list(columns), ours, theirs, (number, measure, runs), lines)


def pairs_table(
    title: str, columns: list[str], ours: dict[tuple[str, str], float],
    theirs: dict[tuple[str, str], float], about: tuple[str, str, dict[tuple[str, str], int]],
    lines: Lines,
) -> list[str]:  # fmt: skip
    """Show ours beside print, with the means over the data sets that have both."""
    if not ours:
        return []
    number, measure, runs = about
    for key in product(dict.fromkeys(name for name, _ in ours), columns):
        if key in ours:
            figures = [runs.get(key, ""), show(ours[key], 2), theirs.get(key)]
            lines.append([number, *key, measure, *figures])
    return [title, compared(columns, ours, theirs)]


def search_tables(found: Found, folder: Path, lines: Lines) -> list[str]:
    theirs = published(folder, "4_7") | published(folder, "4_8")
    keys = [(name, learner) for kind, name, learner in found if kind == "search"]
    ours = {key: statistics.mean(found[("search", *key)]["accuracy"]) for key in keys}
    runs = {key: len(found[("search", *key)]["accuracy"]) for key in keys}
    title = "## Tables 4.7 and 4.8: accuracy by heuristic and exhaustive search; ours / printed"
    columns = ["heuristic", "exhaustive"]
    about = ("4.7, 4.8", "accuracy", runs)
    parts = pairs_table(title, columns, ours, theirs, about, lines)
    return [*parts, SEARCH] if parts else []


def views(folder: Path, results: Path, lines: Lines) -> list[str]:
    """Make 4.9 to 4.12 from the runs of shi_pruning.py."""
    known = means(read_rows(results / "shi_pruning_runs.csv"))
    columns = ["post_without_1se", "post_with_1se", "pre_without_1se", "pre_with_1se"]
    parts = []
    for number, at, measure in (("4.9", 1, "accuracy"), ("4.10", 2, "size")):
        theirs = published(folder, number.replace(".", "_"))
        ours = {key: value[at] for key, value in known.items() if key[1] in columns}
        runs = {key: value[0] for key, value in known.items()}
        title = f"## Table {number}: {TITLES[number]}; ours / printed"
        parts += pairs_table(title, columns, ours, theirs, (number, measure, runs), lines)
    return [*parts, VIEWS] if parts else []


def times_tables(found: Found, folder: Path, lines: Lines) -> list[str]:
    theirs = published(folder, "4_16")
    columns = list(dict.fromkeys(column for _, column in theirs))
    body, ratios = [], defaultdict(list)
    for name in dict.fromkeys(name for kind, name, _ in found if kind == "times"):
        cells = []
        spent = {
            c: found["times", name, c]["seconds"] for c in columns if ("times", name, c) in found
        }
        ours = {c: statistics.median(v) / 10 for c, v in spent.items() if v}  # of one training
        for column in columns:
            printed = theirs.get((name, column))
            value = ours.get(column, NAN)
            cells.append(show(value, 4) + ("" if printed is None else f" / {printed:.2f}"))
            if column in ours:
                many = len(spent[column])
                lines.append(["4.16", name, column, "seconds", many, show(value, 4), printed])
                first = theirs.get((name, columns[0]))
                if printed and first and ours.get(columns[0]):
                    ratios[column].append((value / ours[columns[0]], printed / first))
        body.append([name, *cells])
    if not body:
        return []
    middle = [
        " / ".join(f"{statistics.median(side):.2f}" for side in zip(*ratios[c], strict=True))
        for c in columns
    ]
    body.append([f"**median of the time by that of {columns[0]}**", *middle])
    title = "## Tables 4.13 and 4.16: seconds of one training; ours / printed"
    return [title, table(["data set", *columns], body), TIMES]


def ceases(accuracy: list[float]) -> int:
    """Give the position from which more rows add at most one point.

    It is the first whose mean with its neighbours is within a point of the last.
    """
    for i in range(len(accuracy)):
        near = accuracy[max(0, i - 1) : i + 2]
        if accuracy[-1] - statistics.mean(near) <= 1.0:
            return i
    return len(accuracy) - 1


def losses(accuracy: list[float], size: list[float]) -> tuple[int, float, float]:
    """Give the percentage at which accuracy stops growing, and the losses of both there."""
    at = ceases(accuracy)
    return PERCENT[at], accuracy[-1] - accuracy[at], 100 * (size[-1] - size[at]) / size[-1]


def measured_curve(
    found: Found, name: str, method: str, measure: str, family: str = "fractions"
) -> list[float]:
    """Give our values from 10 to 100 percent; nothing if some are missing."""
    keys = [(family, name, f"{method} {percent}") for percent in PERCENT]
    if any(key not in found for key in keys):
        return []
    return [statistics.mean(found[key][measure]) for key in keys]


def artificial_tables(found: Found, folder: Path, lines: Lines) -> list[str]:
    """Make 4.17 and 4.18: one data set, a row for every part of its training rows."""
    parts: list[str] = []
    for number, stage in (("4.17", "pre"), ("4.18", "post")):
        theirs = {
            (row["rule"], measure, int(row["train_percent"])): float(row[column])
            for row in read_rows(folder / f"shi_{number.replace('.', '_')}.csv")
            for measure, column in (("accuracy", "accuracy"), ("size", "tree_size"))
        }
        columns = [(rule, m) for rule in ("without_1se", "with_1se") for m in ("accuracy", "size")]
        ours = {}
        for rule, measure in columns:
            curve = measured_curve(found, ARTI1000, f"{stage}_{rule}", measure, "artificial")
            ours |= {(rule, measure, p): v for p, v in zip(PERCENT, curve, strict=False)}
        if not ours:
            continue
        body = [
            [
                f"{p} %",
                *(ours_printed(ours[rule, m, p], theirs.get((rule, m, p))) for rule, m in columns),
            ]
            for p in PERCENT
        ]
        for (rule, measure, percent), value in ours.items():
            method = f"{stage}_{rule}"
            runs = len(found["artificial", ARTI1000, f"{method} {percent}"]["accuracy"])
            printed = theirs.get((rule, measure, percent))
            line = [number, ARTI1000, f"{method} {percent}", measure, runs, show(value, 2), printed]
            lines.append(line)
        heads = [f"{m}, {rule.replace('_', ' ').replace('1se', '1SE')}" for rule, m in columns]
        title = f"## Table {number}: {stage}-pruning on parts of an artificial data set; "
        parts += [title + "ours / printed", table(["training rows", *heads], body)]
    return [*parts, ARTIFICIAL] if parts else []


def columnwise(rows: Sequence[Sequence[float]]) -> list[float]:
    """Give the mean of every column."""
    return [statistics.mean(column) for column in zip(*rows, strict=True)]


def three(of: Sequence[float]) -> str:
    """Write what `losses` gives."""
    return f"{of[0]:.0f} {of[1]:.2f} {of[2]:.0f}"


def shrunk_tables(found: Found, folder: Path, lines: Lines) -> list[str]:
    body: dict[str, list[str]] = defaultdict(list)
    heads, sums = [], []
    for number, stage, rule, first, second in SHRUNK:
        accuracies, sizes = curves(folder, first), curves(folder, second)
        method, all_ours, all_theirs = f"{stage}_{rule}", [], []
        for name in dict.fromkeys(name for name, _ in accuracies):
            ours = [measured_curve(found, name, method, m) for m in ("accuracy", "size")]
            if not all(ours):
                continue
            printed = [[t[name, p] for p in PERCENT] for t in (accuracies, sizes)]
            mine, theirs = losses(*ours), losses(*printed)
            all_ours.append(mine)
            all_theirs.append(theirs)
            body[name].append(" / ".join(map(three, (mine, theirs))))
            runs = len(found["fractions", name, f"{method} 100"]["accuracy"])
            for what, one, other in zip(LOSSES, mine, theirs, strict=True):
                lines.append([number, name, method, what, runs, f"{one:.2f}", f"{other:.2f}"])
        heads.append(f"{number}, {stage}, {rule.replace('_', ' ')}")
        if all_ours:
            sums.append(" / ".join(three(columnwise(each)) for each in (all_ours, all_theirs)))
    if not body:
        return []
    rows = [[name, *cells] for name, cells in body.items()]
    return [
        "## Tables 4.19 and 4.20: where accuracy ceases to grow; ours / printed",
        "Percent of the training rows, by which the size of the tree is chosen, from which on "
        "accuracy grows by no more than a point, the "
        "accuracy lost there in points, and the nodes saved there in percent. By the rule that "
        "gives all 76 printed percentages. A single ten-fold cross-validation has errors of about "
        "a point, so that the percentage of one data set jumps; the means are what to compare.",
        table(["data set", *heads], [*rows, ["**mean**", *sums]]),
    ]


def draw_picture(found: Found, folder: Path, path: Path) -> None:
    pyplot = plotting()
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2))
    for axis, measure, at in zip(axes, ("accuracy", "size"), (0, 1), strict=True):
        for colour, (_, stage, rule, *tables) in enumerate(SHRUNK):
            printed = curves(folder, tables[at])
            method, several = f"{stage}_{rule}", []
            for name in dict.fromkeys(name for name, _ in printed):
                ours = measured_curve(found, name, method, measure)
                if ours:
                    several.append((ours, [printed[name, p] for p in PERCENT]))
            if several:
                for side, style in ((0, "-"), (1, "x")):
                    values = [
                        statistics.mean(v) for v in zip(*(s[side] for s in several), strict=True)
                    ]
                    label = method if side == 0 else None
                    axis.plot(PERCENT, values, style, color=f"C{colour}", label=label)
        axis.set_xlabel("percent of the training rows (x: printed)")
        axis.set_ylabel("mean accuracy, %" if measure == "accuracy" else "mean nodes")
        if axis.lines:
            axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
