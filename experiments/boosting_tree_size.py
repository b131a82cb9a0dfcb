"""How large the trees of LogitBoost should be: the findings of Friedman, Hastie and Tibshirani.

    python experiments/boosting_tree_size.py                   five-fold, 100 rounds
    python experiments/boosting_tree_size.py --quick           three data sets, once, 50 rounds
    python experiments/boosting_tree_size.py --only sonar glass
    python experiments/boosting_tree_size.py --report          only writes up what is there

Friedman, Hastie and Tibshirani (2000, sections 6 and 8) boost best-first trees of few leaves and
find that small ones, stumps to eight leaves, do better than large ones. Here trees of 2, 4, 8 and
32 leaves and trees that are grown to the end ("all") are boosted on ten data sets: six of theirs,
and four more of the UCI repository. 300 rows of waveform are learnt from, as in the paper. In "cv"
the number of leaves (2, 4, 8, 16 or 32) is chosen by cross-validation of the learning rows alone,
as Shi (2007, section 2.3) advises.

Every size is a column of its own, so that no test row decides which of them is shown. Errors by
data set, fold and size are appended to `results/boosting_tree_size_runs.csv`, and what is there is
not run again; the means go to `boosting_tree_size.md`, `.csv` and `.png`.
"""

from __future__ import annotations

import argparse
import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _folders import load
from _markdown import table
from _options import arguments, parsed
from _pictures import plotting
from _rows import add_rows, read_rows, write_rows
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedShuffleSplit

from ramify import BoostedTreesClassifier
from ramify.datasets import Dataset
from ramify.learning.progress import progress

NAME = "boosting_tree_size"
OF_THE_PAPER = ("breast-w", "ionosphere", "glass", "sonar", "vowel", "waveform-5000")
SETS = (*OF_THE_PAPER, "pima_diabetes", "german_credit", "vehicle", "heart-statlog")
SMALL: tuple[int | None, ...] = (2, 4, 8)
FIXED: tuple[int | None, ...] = (*SMALL, 32, None)
SIZES: tuple[int | str | None, ...] = (*FIXED, "cv")
MARKS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # rounds whose errors are kept
FIELDS = ("dataset", "split", "leaves", *(f"round_{mark}" for mark in MARKS))
ROUNDS, FOLDS, REPETITIONS = 100, 5, 1


def called(leaves: int | str | None) -> str:
    return "all" if leaves is None else str(leaves)


def splits(name: str, data: Dataset, folds: int, repetitions: int) -> Iterator[tuple[Any, Any]]:
    """Give learning and test rows."""
    rows = np.arange(data.n_rows)
    if name == "waveform-5000":
        dealt = StratifiedShuffleSplit(folds * repetitions, train_size=300, random_state=0)
    else:
        dealt = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repetitions, random_state=0)
    yield from dealt.split(rows, np.asarray(data.y))


def errors(
    data: Dataset, train: Any, test: Any, leaves: int | str | None, rounds: int
) -> list[float]:
    """Give the test error in percent after the rounds that are kept."""
    part, rest = data.take(train), data.take(test)
    clf = BoostedTreesClassifier(n_rounds=rounds, max_leaves=leaves, random_state=0)
    clf.fit(part.data, part.y)
    truth = np.asarray(rest.y)
    staged = [100.0 * float(np.mean(said != truth)) for said in clf.staged_predict(rest.data)]
    staged += [staged[-1]] * (
        rounds - len(staged)
    )  # boosting stopped where nothing changes any more
    return [staged[mark - 1] for mark in MARKS if mark <= rounds]


def run(options: argparse.Namespace, path: Path) -> None:
    """Run the splits that are not there yet."""
    done = {(row["dataset"], row["split"], row["leaves"]) for row in read_rows(path)}
    with progress("computing", len(options.only) * FOLDS * options.repetitions, shown=None) as bar:
        for name in options.only:
            bar.say(name)
            data = load(name, options.data)
            dealt = splits(name, data, FOLDS, options.repetitions)
            for number, (train, test) in enumerate(dealt):
                for leaves in SIZES:
                    if (name, str(number), called(leaves)) not in done:
                        found = errors(data, train, test, leaves, options.rounds)
                        row = [name, number, called(leaves), *map("{:.4f}".format, found)]
                        add_rows(path, FIELDS, [row])
                bar.advance()
            print(name, flush=True)


Curves = dict[tuple[str, str], NDArray[np.float64]]  # data set, size -> mean error by round


def means(rows: list[dict[str, str]]) -> Curves:
    """Give the mean error of every size."""
    found = defaultdict(list)
    for row in rows:
        curve = [float(row[field]) for field in FIELDS[3:] if row[field]]
        found[row["dataset"], row["leaves"]].append(curve)
    return {key: np.mean(curves, axis=0) for key, curves in found.items()}


def write_up(curves: Curves, folder: Path, rounds: int) -> None:
    names = [name for name in SETS if (name, "8") in curves]
    columns = list(map(called, SIZES))
    head = ["dataset", "leaves", *(f"round_{mark}" for mark in MARKS if mark <= rounds)]
    cells = ((n, c, *(f"{error:.2f}" for error in curves[n, c])) for n in names for c in columns)
    write_rows(folder / f"{NAME}.csv", head, cells)
    last = {key: float(curve[-1]) for key, curve in curves.items()}
    lines = [
        "# Boosted trees by the size of their trees",
        "",
        f"LogitBoost, {rounds} rounds, defaults but for `max_leaves`; test error in percent, mean "
        f"over the folds, by `python experiments/{NAME}.py`. *all*: trees grown to the end; *cv*: "
        "2, 4, 8, 16 or 32 leaves, by cross-validation of the learning rows. Waveform learns "
        "from 300 rows.",
        "",
    ]
    rows = []
    for name in names:
        least = min(last[name, column] for column in columns)
        marks = ["**" if last[name, column] == least else "" for column in columns]
        found = zip(columns, marks, strict=True)
        rows.append([name, *(f"{mark}{last[name, c]:.2f}{mark}" for c, mark in found)])
    mean = [statistics.fmean(last[name, column] for name in names) for column in columns]
    rows.append(["mean", *(f"{value:.2f}" for value in mean)])
    lines += [table(["data set", *columns], rows), "", "## What follows", ""]
    small = [called(leaves) for leaves in SMALL]
    for large in ("all", "32"):
        wins = {c: sum(last[name, c] < last[name, large] for name in names) for c in small}
        best = sum(min(last[name, c] for c in small) < last[name, large] for name in names)
        told = ", ".join(f"those of {c} leaves on {count}" for c, count in wins.items())
        what = "trees grown to the end" if large == "all" else f"trees of {large} leaves"
        lines.append(
            f"- Of {len(names)} data sets, lower errors than {what}: {told}; the best of the "
            f"three, taken after the fact, on {best}."
        )
    fixed = [called(leaves) for leaves in FIXED]
    behind = [last[name, "cv"] - min(last[name, c] for c in fixed) for name in names]
    lines.append(
        f"- Chosen by cross-validation: {statistics.fmean(behind):.2f} points above the best of "
        f"{', '.join(fixed)}, taken after the fact, in the mean; lower errors than 8 leaves on "
        f"{sum(last[n, 'cv'] < last[n, '8'] for n in names)} data sets, higher on "
        f"{sum(last[n, 'cv'] > last[n, '8'] for n in names)}."
    )
    (folder / f"{NAME}.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    draw(curves, names, folder / f"{NAME}.png", rounds)


def draw(curves: Curves, names: list[str], path: Path, rounds: int) -> None:
    """Draw the error by round, a panel for every data set, if matplotlib is there."""
    pyplot = plotting()
    if pyplot is None:
        return
    marks = [mark for mark in MARKS if mark <= rounds]
    figure, axes = pyplot.subplots(2, 5, figsize=(15, 6), sharex=True, layout="constrained")
    colours = pyplot.get_cmap("viridis")(np.linspace(0.0, 0.9, len(SIZES)))
    for name, panel in zip(names, axes.flat, strict=False):
        for leaves, colour in zip(SIZES, colours, strict=True):
            panel.plot(marks, curves[name, called(leaves)], color=colour, label=called(leaves))
        panel.set(title=name, xscale="log")
    axes[0, 0].legend(title="leaves", fontsize=8)
    figure.supxlabel("rounds")
    figure.supylabel("test error, percent")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def main() -> None:
    how = "three data sets, once, 50 rounds"
    parser = arguments(__doc__, "quick report data results", quick=how)
    parser.add_argument("--only", nargs="+", default=list(SETS), choices=SETS)
    options = parsed(parser)
    options.rounds, options.repetitions = ROUNDS, REPETITIONS
    path = options.results / f"{NAME}_runs.csv"
    if options.quick:
        options.rounds, options.repetitions = 50, 1
        options.only = ["sonar", "ionosphere", "heart-statlog"]
    if not options.report:
        run(options, path)
    write_up(means(read_rows(path)), options.results, options.rounds)


if __name__ == "__main__":
    main()
