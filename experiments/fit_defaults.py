"""What `ramify fit` takes where nothing is said: where missing cells go, and how small a leaf is.

    python experiments/fit_defaults.py --jobs 2     twice ten folds, sets of up to 6,000 rows
    python experiments/fit_defaults.py --quick      the same, up to 400 rows

The first table compares `missing="fractional"` with `"direction"` on the data sets for
classification that have holes, the second several `min_samples_leaf` on those for regression. All
trees are pruned with `pruning="auto"`. Writes `results/fit_defaults.md` and `.csv`; folds are kept
in `results/fit_defaults/` (not in the repository).
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from functools import partial
from pathlib import Path

from _folders import manifest
from _markdown import table
from _options import arguments, parsed
from _rows import write_rows
from _runs import leaves, store_of
from defaults import read

from ramify import TreeClassifier, TreeRegressor
from ramify.evaluate import Comparison, compare

EXPERIMENT = "fit_defaults"
FOLDS = 10
REPETITIONS = 2
MOST_ROWS = 6000
QUICK = 400
USUAL_LEAF = 20  # as `ramify fit` has it
LEARNERS = {
    "classification": {
        f'missing="{missing}"': TreeClassifier(pruning="auto", missing=missing)
        for missing in ("fractional", "direction")
    },
    "regression": {
        f"min_samples_leaf={rows}": TreeRegressor(
            pruning="auto", missing="direction", min_samples_leaf=rows
        )
        for rows in (1, 5, 10, 15, USUAL_LEAF, 30)
    },
}
SCORES = {"classification": "accuracy", "regression": "r2"}
Found = dict[str, dict[str, tuple[float, float]]]  # data set, learner: score and leaves


def names_in(folder: Path, task: str, most: int) -> list[str]:
    """Give the data sets of a task, the smallest first; of those for classes, the ones with holes.

    The data sets with 0 and 1 for every level, and those with joined columns, are others again.
    """
    about = manifest(folder)
    rows = {
        name: int(str(what["rows"]))
        for name, what in about.items()
        if what["task"] == task
        and (task == "regression" or what["missing"])
        and not name.startswith("binary-")
        and not name.endswith("_with_aggreg")
    }
    return sorted((name for name in rows if rows[name] <= most), key=lambda name: rows[name])


def means(store: Path, task: str) -> Found:
    """Give the mean score and size over all folds."""
    parts: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for row in Comparison.read(store).rows:
        parts[row["dataset"], row["learner"]].append((row[SCORES[task]], row["leaves"]))
    found: Found = defaultdict(dict)
    for (name, learner), several in parts.items():
        score, size = (statistics.mean(values) for values in zip(*several, strict=True))
        found[name][learner] = (score, size)
    return found


def section(found: Found, task: str) -> str:
    """Give the table of a task: a line per data set, and the means."""
    learners = LEARNERS[task]

    def cell(score: float, size: float) -> str:
        shown = f"{100 * score:.2f}" if task == "classification" else f"{score:.3f}"
        return f"{shown} ({size:.1f})"

    rows = [[name, *(cell(*of[learner]) for learner in learners)] for name, of in found.items()]
    mean = [
        [statistics.mean(of[learner][which] for of in found.values()) for which in range(2)]
        for learner in learners
    ]
    rows.append(["**mean**", *(cell(*values) for values in mean)])
    return table(["data set", *(f"`{learner}`" for learner in learners)], rows)


def report(found: dict[str, Found]) -> str:
    """Give the text, with a section for every task that has data sets."""
    parts = [
        "# What `ramify fit` takes where nothing is said",
        f"By `experiments/{EXPERIMENT}.py`: ten-fold cross-validation, twice, the same folds for "
        'all, with `pruning="auto"`. Leaves are in brackets.',
    ]
    for task, of_task in found.items():
        if task == "classification":
            divided, side = LEARNERS[task]
            pairs = [(of[side][0], of[divided][0]) for of in of_task.values()]
            parts += [
                "## Where missing cells go",
                f"Accuracy in percent on {len(pairs)} data sets with holes. `{side}`, which "
                f"`ramify fit` takes, is better on {sum(a > b for a, b in pairs)} and worse on "
                f"{sum(a < b for a, b in pairs)}.",
            ]
        else:
            parts += [
                "## The least rows of a leaf of numbers",
                f"R2 on {len(of_task)} data sets. `ramify fit` takes {USUAL_LEAF} rows, and a "
                "tenth of the rows of a table with fewer than 200.",
            ]
        parts.append(section(of_task, task))
    return "\n\n".join(parts)


def main() -> None:
    """Run, print and write."""
    parser = arguments(__doc__, "quick jobs data results", quick=f"at most {QUICK} rows")
    options = parsed(parser)
    found: dict[str, Found] = {}
    for task, learners in LEARNERS.items():
        names = names_in(options.data, task, QUICK if options.quick else MOST_ROWS)
        if not names:
            continue
        store = store_of(options.results, EXPERIMENT, task)
        compare(
            learners,
            {name: partial(read, name, options.data) for name in names},
            cv=(FOLDS, REPETITIONS),
            scores={SCORES[task]: SCORES[task], "leaves": leaves},
            n_jobs=options.jobs,
            store=store,
        )
        found[task] = means(store, task)
    text = report(found)
    lines = [
        (task, name, learner, f"{score:.4f}", f"{size:.2f}")
        for task, of_task in found.items()
        for name, of in of_task.items()
        for learner, (score, size) in of.items()
    ]
    head = ("task", "dataset", "learner", "score", "leaves")
    write_rows(options.results / f"{EXPERIMENT}.csv", head, lines)
    (options.results / f"{EXPERIMENT}.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
