"""What do the rules of pruning keep of a target that no column tells of?

    python experiments/pruning_noise.py            200 tables of classes, 200 of numbers
    python experiments/pruning_noise.py --quick    20 of each

A table has 200 to 1,000 rows, 5 to 20 columns (numbers, or 2 to 10 levels), and a target drawn
apart from them: 2 to 5 classes, of equal or unequal shares, or numbers. The best tree is the root
alone. Writes `results/pruning_noise.md` and `.csv`.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import numpy as np
from _markdown import table
from _options import arguments, parsed
from _rows import write_rows

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.progress import progress
from ramify.pruning import CostComplexity

RULES: tuple[Any, ...] = ("min", "1se", "1point")
TARGETS = ("classes", "numbers")
TABLES, QUICK = 200, 20
FIRST_SEED = 1000
Found = dict[tuple[str, int, str], int]  # leaves by target, seed and rule


def noise(seed: int, target: str) -> tuple[dict[str, Any], Any]:
    """Draw columns, and a target apart from them."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(200, 1001))
    columns: dict[str, Any] = {}
    for number in range(int(rng.integers(5, 21))):
        if rng.random() < 0.5:
            columns[f"column {number}"] = rng.normal(size=rows)
        else:
            levels = rng.integers(0, int(rng.integers(2, 11)), rows)
            columns[f"column {number}"] = np.array(list("abcdefghij"))[levels]
    unequal = seed % 2 == 1
    if target == "numbers":
        return columns, rng.exponential(size=rows) if unequal else rng.normal(size=rows)
    classes = int(rng.integers(2, 6))
    shares = rng.dirichlet(np.ones(classes)) if unequal else np.full(classes, 1 / classes)
    return columns, rng.choice(classes, rows, p=shares)


def leaves(seed: int, target: str) -> dict[str, int]:
    """Give the number of leaves that each rule keeps."""
    X, y = noise(seed, target)
    kind = TreeClassifier if target == "classes" else TreeRegressor
    fitted = kind(pruning=CostComplexity(), random_state=seed).fit(X, y)
    if np.isnan(fitted.pruning_path_.error).all():  # a constant target
        return dict.fromkeys(RULES, fitted.tree_.n_leaves)
    return {rule: fitted.prune(rule=rule).tree_.n_leaves for rule in RULES}


def run(tables: int) -> Found:
    """Measure all tables."""
    found: Found = {}
    with progress("computing", tables * len(TARGETS), shown=None) as bar:
        for target in TARGETS:
            for seed in range(FIRST_SEED, FIRST_SEED + tables):
                for rule, count in leaves(seed, target).items():
                    found[target, seed, rule] = count
                bar.advance()
    return found


def write_report(found: Found, folder: Path) -> str:
    """Write both files; give the Markdown."""
    lines = []
    for target in TARGETS:
        for rule in RULES:
            sizes = [n for (of, _, by), n in found.items() if (of, by) == (target, rule)]
            share = statistics.mean(size > 1 for size in sizes)
            mean = statistics.mean(sizes)
            lines.append([target, rule, f"{100 * share:.1f} %", f"{mean:.1f}", str(max(sizes))])
    tables = len(found) // len(TARGETS) // len(RULES)
    head = ["target", "rule", "more than one leaf", "leaves, mean", "leaves, most"]
    text = "\n\n".join(
        [
            "# What the rules of pruning keep of noise",
            f"By `experiments/pruning_noise.py`: {tables} tables of classes and {tables} of "
            "numbers whose columns tell nothing of the target, pruned by `CostComplexity`. The "
            "right answer is one leaf. The first column of figures is the share of the tables "
            "that keep more.",
            table(head, lines),
        ]
    )
    folder.mkdir(parents=True, exist_ok=True)
    rows = [[*key, str(count)] for key, count in found.items()]
    write_rows(folder / "pruning_noise.csv", ("target", "seed", "rule", "leaves"), rows)
    (folder / "pruning_noise.md").write_text(text + "\n")
    return text


def main() -> None:
    """Run, print and write."""
    parser = arguments(__doc__, "quick results", quick=f"{QUICK} tables of each")
    options = parsed(parser)
    print(write_report(run(QUICK if options.quick else TABLES), options.results))


if __name__ == "__main__":
    main()
