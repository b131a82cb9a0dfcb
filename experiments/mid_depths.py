"""Is the optimal tree better on new rows? Greedy, MID + optimal, and exact, depth by depth.

    python experiments/mid_depths.py                     14 data sets, ten folds (ten minutes)
    python experiments/mid_depths.py --quick             four small ones
    python experiments/mid_depths.py --report            only writes the tables from what is there

Dal Maso (2024) does not have this figure: at depth 2, 3 and 4 the greedy tree (Gini index), the
optimal tree over the 45 thresholds of MID (and those of the greedy tree, from which the search
starts: the default of the estimator), and the optimal tree over all thresholds, or the best found
in the time. Ten-fold cross-validation, the same folds for all, at least five rows in a leaf. Each
data set is appended to `results/mid_depths_runs.csv` when it ends, and what is there is
not run again; the tables go to `results/mid_depths.md` and `.csv`, the plot to `.png`.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _markdown import table as markdown
from _mid import (
    CALLED,
    FOLDS,
    MIN_LEAF,
    N_THRESHOLDS,
    cross_validated,
    folds,
    standard_error,
    table,
)
from _pictures import draw
from _rows import read_rows, write_rows
from sklearn.exceptions import ConvergenceWarning

from ramify import OptimalTreeClassifier, TreeClassifier

DEPTHS = (2, 3, 4)
LEARNERS = {"greedy": "#d55e00", "MID 45": "#0072b2", "all thresholds": "#009e73"}
HEAD = ("dataset", "fold", "depth", "learner", "test", "train", "proven", "seconds")
TIE = 2.0  # standard errors of the difference over the folds
Key = tuple[str, int, str]  # data set, depth, learner


def model(learner: str, depth: int, seconds: float) -> Any:
    """Make an estimator."""
    limits: dict[str, Any] = {"max_depth": depth, "min_samples_leaf": MIN_LEAF}
    if learner == "greedy":
        return TreeClassifier(**limits)
    kind: Any = "mid" if learner == "MID 45" else "all"
    return OptimalTreeClassifier(
        features=kind, n_thresholds=N_THRESHOLDS, time_limit=seconds, **limits
    )


def run(
    name: str, data: Path, most_rows: int, seconds: float, tick: Callable[[], None] = lambda: None
) -> list[tuple]:
    """Cross-validate the three learners."""
    found, rows = table(name, data, most_rows), []
    for fold, (train, test) in enumerate(folds(found)):
        for depth in DEPTHS:
            for learner in LEARNERS:
                began = time.perf_counter()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)  # `proven` says it
                    fitted = model(learner, depth, seconds).fit(found.X[train], found.y[train])
                spent = time.perf_counter() - began
                accuracy = [
                    100 * float(np.mean(fitted.predict(found.X[part]) == found.y[part]))
                    for part in (test, train)
                ]
                proven = "" if learner == "greedy" else int(fitted.proven_optimal_)
                rows.append(
                    (
                        name,
                        fold,
                        depth,
                        learner,
                        *(f"{a:.4f}" for a in accuracy),
                        proven,
                        f"{spent:.4f}",
                    )
                )
        tick()
    return rows


def report(results: Path, protocol: str) -> str:
    """Write the three files; give the Markdown."""
    groups: dict[Key, list[dict[str, str]]] = defaultdict(list)
    for row in read_rows(results / "mid_depths_runs.csv"):
        groups[row["dataset"], int(row["depth"]), row["learner"]].append(row)
    column = {
        what: {key: [float(row[what] or 0) for row in rows] for key, rows in groups.items()}
        for what in ("test", "train", "proven", "seconds")
    }
    names = [name for name in CALLED if (name, DEPTHS[0], "greedy") in groups]
    text = "\n\n".join(
        [
            "# Is the optimal tree better on new rows?",
            f"By `python experiments/mid_depths.py`: {protocol}",
            "## In short",
            in_short(column, names),
            f"Means over {len(names)} data sets, percent. *Better, alike, worse*: data sets on "
            "which the test accuracy is higher or lower than the greedy tree's by more than "
            f"{TIE:g} standard errors of the difference over the folds; in brackets, higher, "
            "equal and lower without any test. *Seconds* is the median of a fit.",
            "## The 45 thresholds of MID against all thresholds",
            against(column, names, "MID 45", "all thresholds"),
            "## Test accuracy",
            grid(column, names),
            "(n) is how many of the folds were not proven optimal, where there were any.",
            "![test accuracy by depth](mid_depths.png)",
        ]
    )
    (results / "mid_depths.md").write_text(text + "\n")
    write_rows(
        results / "mid_depths.csv",
        ("dataset", "depth", "learner", "test", "standard_error", "train", "proven", "fits"),
        (
            (
                *key,
                f"{statistics.mean(values):.2f}",
                f"{standard_error(values):.2f}",
                f"{statistics.mean(column['train'][key]):.2f}",
                "" if key[2] == "greedy" else round(sum(column["proven"][key])),
                len(values),
            )
            for key, values in column["test"].items()
        ),
    )
    plot(column, names, results / "mid_depths.png")
    return text


def outcomes(test: dict[Key, list[float]], names: list[str], depth: int, one: str, two: str) -> str:
    """Count the data sets on which one learner is better, alike and worse than another."""
    tested, plain = [0, 0, 0], [0, 0, 0]
    for name in names:
        pairs = zip(test[name, depth, one], test[name, depth, two], strict=True)
        away = [a - b for a, b in pairs]
        mean, error = statistics.mean(away), standard_error(away)
        plain[0 if mean > 1e-9 else 2 if mean < -1e-9 else 1] += 1
        tested[1 if abs(mean) <= max(TIE * error, 1e-9) else 0 if mean > 0 else 2] += 1
    return "{}, {}, {}".format(*tested) + " ({}, {}, {})".format(*plain)


def in_short(column: dict[str, dict[Key, list[float]]], names: list[str]) -> str:
    """Give the means by depth and learner."""
    rows = []
    for depth in DEPTHS:
        for learner in LEARNERS:
            keys = [(name, depth, learner) for name in names]
            test, train = (
                statistics.mean(statistics.mean(column[what][key]) for key in keys)
                for what in ("test", "train")
            )
            seconds = statistics.median(s for key in keys for s in column["seconds"][key])
            row = [str(depth), learner, f"{test:.2f}", f"{train:.2f}"]
            if learner == "greedy":
                row += ["", ""]
            else:
                fits = sum(len(column["proven"][key]) for key in keys)
                row.append(outcomes(column["test"], names, depth, learner, "greedy"))
                row.append(f"{sum(sum(column['proven'][key]) for key in keys):.0f} of {fits}")
            rows.append([*row, f"{seconds:.3f}"])
    head = (
        "depth",
        "tree",
        "test",
        "training",
        "better, alike, worse than greedy",
        "proven",
        "seconds",
    )
    return markdown(head, rows)


def against(column: dict[str, dict[Key, list[float]]], names: list[str], one: str, two: str) -> str:
    """Compare two learners, and once more where all of the second's fits were proven."""
    rows = []
    for depth in DEPTHS:
        proven = [name for name in names if min(column["proven"][name, depth, two]) > 0]
        for title, some in (("all", names), ("all folds proven", proven)):
            if not some:
                continue
            means = [
                statistics.mean(statistics.mean(column["test"][name, depth, each]) for name in some)
                for each in (one, two)
            ]
            rows.append(
                [
                    str(depth),
                    f"{title} ({len(some)})",
                    *(f"{mean:.2f}" for mean in means),
                    outcomes(column["test"], some, depth, one, two),
                ]
            )
    head = ("depth", "data sets", one, two, f"{one}: better, alike, worse")
    return markdown(head, rows)


def grid(column: dict[str, dict[Key, list[float]]], names: list[str]) -> str:
    """Lay out one line per data set."""
    head = ["data set", *(f"{learner}, {depth}" for depth in DEPTHS for learner in LEARNERS)]
    rows = []
    for name in names:
        row = [name]
        for depth in DEPTHS:
            for learner in LEARNERS:
                key = name, depth, learner
                open_ = sum(p == 0 for p in column["proven"][key]) if learner != "greedy" else 0
                text = f"{statistics.mean(column['test'][key]):.2f}"
                row.append(text + (f" ({open_})" if open_ else ""))
        rows.append(row)
    return markdown(head, rows)


def plot(column: dict[str, dict[Key, list[float]]], names: list[str], path: Path) -> None:
    """Draw the means by depth, and each data set's lead over greedy, if matplotlib is there."""
    made = draw(path, (12, 4.2), (1, 4), width_ratios=(1.2, 1, 1, 1))
    if made is None:
        return
    figure, ((first, *rest),) = made
    means = {key: statistics.mean(values) for key, values in column["test"].items()}
    fitted = {key: statistics.mean(values) for key, values in column["train"].items()}
    for learner, color in LEARNERS.items():
        for values, style in ((means, "-o"), (fitted, ":")):
            by_depth = [statistics.mean(values[n, d, learner] for n in names) for d in DEPTHS]
            label = learner if style == "-o" else None
            first.plot(DEPTHS, by_depth, style, color=color, label=label, markersize=4)
    first.set(xticks=DEPTHS, xlabel="depth", ylabel="accuracy, %")
    first.set_title("mean: test (solid), training (dotted)", fontsize=9)
    first.legend(fontsize=8)
    for depth, axis in zip(DEPTHS, rest, strict=True):
        for shift, learner in zip((-0.2, 0.2), list(LEARNERS)[1:], strict=True):
            lead = [
                [
                    a - b
                    for a, b in zip(
                        *(column["test"][n, depth, each] for each in (learner, "greedy")),
                        strict=True,
                    )
                ]
                for n in names
            ]
            axis.errorbar(
                [statistics.mean(values) for values in lead],
                [i + shift for i in range(len(names))],
                xerr=[standard_error(values) for values in lead],
                fmt="o",
                markersize=3,
                color=LEARNERS[learner],
                elinewidth=1,
            )
        axis.axvline(0, color="gray", linewidth=0.8)
        axis.set_title(f"depth {depth}: points over greedy", fontsize=9)
        axis.set_yticks(range(len(names)), names if depth == DEPTHS[0] else [], fontsize=8)
        axis.invert_yaxis()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Run, print and write."""
    options, sample = cross_validated(__doc__, "mid_depths", HEAD, run, seconds=2.0)
    protocol = (
        f"{FOLDS}-fold cross-validation, the same folds for all, at least {MIN_LEAF} rows in a "
        f"leaf. {sample} At most {options.seconds:g} s a "
        "fit by the clock, after which the best tree found is taken; what is proven depends on the "
        "machine and on what else it does."
    )
    print(report(options.results, protocol))


if __name__ == "__main__":
    main()
