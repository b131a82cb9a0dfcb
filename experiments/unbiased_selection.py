"""Count which attribute a tree chooses where there is nothing to find.

    python experiments/unbiased_selection.py            1,000 repetitions (a minute or two)
    python experiments/unbiased_selection.py --quick    100

Attributes of 2 to 1,000 levels and a numeric one, all of them noise, two classes. A fair selection
takes each of them equally often. (The p-values are asymptotic: with fewer rows than levels,
`--rows 500`, conditional inference takes the attribute of 1,000 levels too rarely.) Writes
`results/unbiased_selection.md`, `.csv` and, if matplotlib is there,
`../docs/images/unbiased-selection.svg`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from _markdown import table
from _options import arguments, parsed
from _pictures import plotting
from _rows import write_rows

from ramify import TreeClassifier
from ramify.learning.progress import progress

HERE = Path(__file__).resolve().parent
LEVELS = (2, 5, 20, 100, 1000)
NAMES = (*(f"{levels:,} levels" for levels in LEVELS), "numeric")
SELECTIONS = {
    "gini": {"criterion": "gini"},
    "gain ratio": {"criterion": "gain_ratio"},
    "conditional inference": {"selection": "conditional_inference", "alpha": 1.0},
}


def chosen(rows: int, seed: int) -> dict[str, int]:
    """Give the column that each selection puts at the root of one table of noise."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, levels, rows).astype(float) for levels in LEVELS]
    X = np.column_stack([*columns, rng.standard_normal(rows)])
    y = rng.integers(0, 2, rows)
    roots = {}
    for name, parameters in SELECTIONS.items():
        tree = TreeClassifier(
            max_depth=1, categorical_features=list(range(len(LEVELS))), **parameters
        ).fit(X, y)
        roots[name] = int(tree.tree_.data["attribute"][0])
    return roots


def shares(rows: int, repetitions: int) -> dict[str, np.ndarray]:
    """Give the percentage of tables in which each attribute is chosen."""
    counts = {name: np.zeros(len(NAMES)) for name in SELECTIONS}
    with progress("computing", repetitions, shown=None) as bar:
        for seed in range(repetitions):
            for name, column in chosen(rows, seed).items():
                if column >= 0:
                    counts[name][column] += 1
            bar.advance()
    return {name: 100 * count / repetitions for name, count in counts.items()}


def plot(found: dict[str, np.ndarray], path: Path) -> None:
    """Draw the percentages, if matplotlib is there."""
    pyplot = plotting("svg")
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(1, len(found), figsize=(9, 2.8), sharey=True)
    for axis, (name, share) in zip(axes, found.items(), strict=True):
        axis.bar(range(len(share)), share, color="#0072b2")
        axis.axhline(100 / len(share), color="#d55e00", linewidth=1)
        axis.set_title(name, fontsize=10)
        axis.set_xticks(range(len(share)), NAMES, rotation=45, ha="right", fontsize=8)
    axes[0].set_ylabel("chosen, % of tables")
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Run, print and write."""
    parser = arguments(__doc__, "quick results")
    parser.add_argument("--rows", type=int, default=2500)
    options = parsed(parser)
    repetitions = 100 if options.quick else 1000
    found = shares(options.rows, repetitions)
    intro = (
        f"Share of {repetitions:,} tables of noise ({options.rows} rows, two classes) in which an "
        f"attribute is chosen, in percent; a fair share is {100 / len(NAMES):.1f}."
    )
    rows = [[name, *(f"{value:.1f}" for value in share)] for name, share in found.items()]
    text = f"{intro}\n\n{table(['selection', *NAMES], rows)}"
    print(text)
    cells = ((name, n, value) for name, *row in rows for n, value in zip(NAMES, row, strict=True))
    write_rows(
        options.results / "unbiased_selection.csv", ("selection", "attribute", "percent"), cells
    )
    (options.results / "unbiased_selection.md").write_text(text + "\n")
    if not options.quick:
        plot(found, HERE.parent / "docs" / "images" / "unbiased-selection.svg")


if __name__ == "__main__":
    main()
