"""Which of several splits with the same score is best: the first, or the best balanced?

    python experiments/ties.py              ten-fold, Berzal's data sets and those of numbers
    python experiments/ties.py --quick      the data sets of at most 400 rows
    python experiments/ties.py --report     only writes the table from what is there

Criteria with plateaus score many splits alike: the generalized Gini index (the error rate) and
MaxDif for classes, the absolute error for numbers. `ties="first"` makes the first of them,
"balanced" the one whose smallest branch is heaviest. "any": a split is made even if it gains
nothing (`min_gain=-1`), as in Berzal's trees; otherwise it must gain. Writes `results/ties.md`;
folds are kept in `results/ties/` (not in the repository), means in `results/ties.csv`.
"""

from __future__ import annotations

import statistics
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _berzal_criteria_report import CALLED, TABLES, published
from _folders import load, manifest, opened
from _markdown import table
from _options import arguments, parsed
from _rows import write_rows
from berzal_criteria import read

from ramify import TreeClassifier, TreeRegressor
from ramify.evaluate import Comparison, compare

FOLDS = 10
QUICK = 400
MOST_NUMBERS = 5000  # rows of a data set of numbers
RULES = ("first", "balanced")
ANY: dict[str, Any] = {"min_gain": -1.0}
PRUNED: dict[str, Any] = {"pruning": "auto"}
MULTIWAY: dict[str, Any] = {"categorical_split": "multiway", "missing": "separate"}
CLASSES: dict[str, dict[str, Any]] = {
    f"{shown}{more}": {"criterion": criterion} | settings
    for criterion, shown in (("generalized_gini", "GG"), ("maxdif", "MaxDif"))
    for more, settings in (
        ("", {}),
        (", pruned", PRUNED),
        (", any", ANY),
        (", any, pruned", ANY | PRUNED),
        (", any, multiway", ANY | MULTIWAY),
        (", any, multiway, pruned", ANY | MULTIWAY | {"pruning": "error_based"}),
    )
}
NUMBERS: dict[str, dict[str, Any]] = {
    "absolute error": {"criterion": "absolute_error", "min_samples_leaf": 5},
    "absolute error, pruned": {"criterion": "absolute_error"} | PRUNED,
}


def mean_absolute_error(model: Any, X: Any, y: Any) -> float:
    """Give the mean absolute error, as a share of that of the median of the test rows."""
    y = np.asarray(y, dtype=float)
    return float(np.abs(model.predict(X) - y).mean() / np.abs(y - np.median(y)).mean())


SCORES: dict[str, dict[str, Any]] = {
    "classes": {"accuracy": "accuracy", "leaves": "n_leaves"},
    "numbers": {"absolute": mean_absolute_error, "leaves": "n_leaves"},
}


def learners(kind: str) -> dict[str, Any]:
    """Give every tree of classes or numbers, with both rules."""
    trees, make = (CLASSES, TreeClassifier) if kind == "classes" else (NUMBERS, TreeRegressor)
    return {
        f"{name}: {rule}": make(identifiers="keep", ties=rule, **settings)
        for name, settings in trees.items()
        for rule in RULES
    }


def sources(kind: str, options: Any) -> dict[str, Any]:
    """Give the data sets, the smallest first."""
    there = opened(options.data)
    if kind == "classes":
        printed = dict.fromkeys(name for name, _ in published(options.published, TABLES[0]))
        rows = {
            n: there.about(CALLED.get(n, n))["rows"] for n in printed if CALLED.get(n, n) in there
        }
        made = {name: partial(read, name, options.data) for name in rows}
    else:
        about = manifest(options.data)
        rows = {n: int(str(w["rows"])) for n, w in about.items() if w["task"] == "regression"}
        rows = {name: size for name, size in rows.items() if size <= MOST_NUMBERS}
        made = {name: partial(load, name, options.data) for name in rows}
    most = QUICK if options.quick else max(rows.values())
    names = sorted((name for name in rows if rows[name] <= most), key=lambda name: rows[name])
    return {name: made[name] for name in names if name in (options.only or [name])}


def summarised(kind: str, found: Comparison) -> list[list[str]]:
    """Give a row per data set, tree and rule: the mean score and the mean number of leaves."""
    measure = next(iter(SCORES[kind]))
    parts: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in found.rows:
        parts.setdefault((row["dataset"], row["learner"]), []).append((row[measure], row["leaves"]))
    lines = []
    for (name, learner), several in parts.items():
        tree, _, rule = learner.rpartition(": ")
        means = [statistics.mean(values) for values in zip(*several, strict=True)]
        lines.append([kind, name, tree, rule, f"{100 * means[0]:.2f}", f"{means[1]:.1f}"])
    return lines


def report(lines: list[list[str]]) -> str:
    """Give the means over the data sets, and the sizes data set by data set."""
    found = {tuple(line[:4]): (float(line[4]), float(line[5])) for line in lines}
    text = [
        "# Ties: the first split, or the best balanced one",
        "",
        f"Means over the data sets, by cross-validation in {FOLDS} folds; `python "
        "experiments/ties.py`. Scores are accuracies in percent; for numbers, mean absolute errors "
        "in percent of those of the median. *Better* counts data sets with a better score, "
        '*smaller* those with fewer leaves. "any": splits that gain nothing are made, too.',
        "",
    ]
    rows = []
    names = {kind: list(dict.fromkeys(n for k, n, *_ in found if k == kind)) for kind in SCORES}
    for kind, trees in (("classes", CLASSES), ("numbers", NUMBERS)):
        sign = 1 if kind == "classes" else -1
        for tree in trees:
            for rule, other in (RULES, RULES[::-1]):
                own = [found[kind, name, tree, rule] for name in names[kind]]
                others = [found[kind, name, tree, other] for name in names[kind]]
                if not own:
                    continue
                both = list(zip(own, others, strict=True))
                rows.append(
                    [
                        tree,
                        rule,
                        f"{statistics.mean(score for score, _ in own):.2f}",
                        f"{statistics.mean(size for _, size in own):.1f}",
                        f"{sum(sign * a[0] > sign * b[0] for a, b in both)} of {len(own)}",
                        f"{sum(a[1] < b[1] for a, b in both)} of {len(own)}",
                    ]
                )
    text.append(table(["tree", "ties", "score", "leaves", "better", "smaller"], rows))
    for tree, kind in (("GG, any", "classes"), ("GG", "classes"), ("absolute error", "numbers")):
        text += ["", f"## {tree}, data set by data set", ""]
        head = ["data set", "score, first", "score, balanced", "leaves, first", "leaves, balanced"]
        body = []
        for name in names[kind]:
            first, balanced = (found[kind, name, tree, rule] for rule in RULES)
            scores = [f"{first[0]:.2f}", f"{balanced[0]:.2f}"]
            body.append([name, *scores, f"{first[1]:.1f}", f"{balanced[1]:.1f}"])
        text.append(table(head, body))
    return "\n".join(text) + "\n"


def main() -> None:
    """Run, print and write."""
    names = "quick only jobs report data published results"
    options = parsed(arguments(__doc__, names, quick=f"at most {QUICK} rows", only="data sets"))
    lines: list[list[str]] = []
    for kind, scores in SCORES.items():
        store = Path(options.results) / "ties" / f"{kind}.jsonl"
        store.parent.mkdir(parents=True, exist_ok=True)
        if not options.report:
            compare(
                learners(kind),
                sources(kind, options),
                cv=FOLDS,
                scores=scores,
                n_jobs=options.jobs,
                store=store,
            )
        lines += summarised(kind, Comparison.read(store))
    head = ("kind", "dataset", "tree", "ties", "score", "leaves")
    write_rows(options.results / "ties.csv", head, lines)
    text = report(lines)
    (options.results / "ties.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
