"""The report of defaults.py: Markdown, CSV and a picture."""

from __future__ import annotations

import statistics
from collections import defaultdict
from pathlib import Path

from _markdown import table
from _pictures import plotting
from _rows import Row, write_rows
from defaults import EXPERIMENT, FOLDS, learners
from scipy.stats import rankdata, wilcoxon

Found = dict[str, dict[str, tuple[float, float, float]]]  # data set, learner: the three measures
MEASURES = ("accuracy", "size", "seconds")


def group(rows: list[Row]) -> Found:
    """Give accuracy, leaves and seconds of a training, for data sets that have all learners."""
    every: dict[tuple[str, str], list[tuple[float, ...]]] = defaultdict(list)
    for row in rows:
        values = tuple(float(row[measure]) for measure in MEASURES)
        every[row["dataset"], row["learner"]].append(values)
    found: Found = defaultdict(dict)
    for (name, learner), several in every.items():
        accuracy, size, spent = (statistics.mean(v) for v in zip(*several, strict=True))
        found[name][learner] = (accuracy, size, spent / FOLDS)
    whole = set(learners())
    return {name: of for name, of in found.items() if whole <= set(of)}


def compared(found: Found, learner: str, other: str) -> tuple[list[int], float]:
    """Count the data sets on which a learner is better, alike and worse, with Wilcoxon's p."""
    pairs = [(of[learner][0], of[other][0]) for of in found.values()]
    differences = [a - b for a, b in pairs]
    counts = [
        sum(d > 1e-9 for d in differences),
        sum(abs(d) <= 1e-9 for d in differences),
        sum(d < -1e-9 for d in differences),
    ]
    if counts[0] + counts[2] == 0:
        return counts, 1.0
    return counts, float(wilcoxon(differences, zero_method="zsplit").pvalue)


def ranks(found: Found) -> dict[str, float]:
    """Give the mean rank by accuracy, 1 the best."""
    names = list(learners())
    several = [rankdata([-of[name][0] for name in names]) for of in found.values()]
    means = [statistics.mean(column) for column in zip(*several, strict=True)]
    return dict(zip(names, means, strict=True))


def write_report(rows: list[Row], results: Path) -> str:
    """Write the three files; give the Markdown."""
    found = group(rows)
    if not found:
        return "No data set has all learners yet."
    names = list(learners())
    first, rank = names[0], ranks(found)
    body, lines = [], []
    for name in names:
        means = [statistics.mean(of[name][i] for of in found.values()) for i in range(2)]
        spent = statistics.median(of[name][2] for of in found.values())
        counts, p = compared(found, name, first)
        shown = ["", ""] if name == first else [", ".join(map(str, counts)), f"{p:.3f}"]
        fixed = [name, f"{means[0]:.2f}", f"{means[1]:.1f}"]
        body.append([f"`{name}`", *fixed[1:], f"{1000 * spent:.1f}", f"{rank[name]:.2f}", *shown])
        lines.append([*fixed, f"{spent:.5f}", f"{rank[name]:.3f}", *counts, f"{p:.4f}"])
    head = ["learner", "accuracy", "leaves", "ms", "rank", "better, alike, worse", "p"]
    repeats = max(int(row["repetition"]) for row in rows) + 1
    text = "\n\n".join(
        [
            "# The defaults of `TreeClassifier` beside their alternatives",
            f"By `experiments/{EXPERIMENT}.py`: stratified five-fold cross-validation, run "
            f"{'once' if repeats == 1 else f'up to {repeats} times'}, the same folds for all, on "
            f"{len(found)} data sets of Shi (2007) and Pereira (2018). Means over the data sets; "
            "*ms* is the median processor time of a training; *rank* is by accuracy, 1 the best of "
            f"{len(names)}. The last two columns compare with the first line: data sets on which "
            "the accuracy is higher, equal and lower, and the p-value of Wilcoxon's signed-rank "
            "test over the data sets (two-sided, not adjusted for the number of comparisons).",
            table(head, body),
            "## By data set: accuracy (leaves)",
            by_dataset(found),
        ]
    )
    results.mkdir(exist_ok=True)
    (results / f"{EXPERIMENT}.md").write_text(text + "\n")
    columns = ["learner", "accuracy", "leaves", "seconds", "rank", "better", "alike", "worse", "p"]
    write_rows(results / f"{EXPERIMENT}.csv", columns, lines)
    draw_picture(found, results / f"{EXPERIMENT}.png")
    return text


def by_dataset(found: Found) -> str:
    names = [
        "TreeClassifier()",
        "categorical_split='multiway'",
        "min_samples_leaf=5",
        "pruning='auto'",
        "pruning=CostComplexity(rule='min')",
        "pruning=ErrorBased()",
        "presets.c45()",
        "presets.ctree()",
    ]
    body = []
    for data, of in found.items():
        best = max(of[name][0] for name in names)
        cells = [
            f"{'**' if of[name][0] == best else ''}{of[name][0]:.2f}"
            f"{'**' if of[name][0] == best else ''} ({of[name][1]:.0f})"
            for name in names
        ]
        body.append([data, *cells])
    return table(["data set", *(f"`{name}`" for name in names)], body)


def draw_picture(found: Found, path: Path) -> None:
    pyplot = plotting()
    if pyplot is None:
        return
    figure, axis = pyplot.subplots(figsize=(9, 5.5))
    for name in learners():
        x = statistics.mean(of[name][1] for of in found.values())
        y = statistics.mean(of[name][0] for of in found.values())
        axis.plot(x, y, "o", color="C3" if name == "TreeClassifier()" else "C0")
        axis.annotate(name, (x, y), fontsize=7, xytext=(4, 3), textcoords="offset points")
    axis.set_xlabel(f"leaves, mean over {len(found)} data sets")
    axis.set_ylabel("accuracy, %")
    axis.set_xscale("log")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
