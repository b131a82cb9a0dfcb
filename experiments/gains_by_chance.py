"""Count which column of noise is least likely by chance, and check p-values by shuffling.

    python experiments/gains_by_chance.py            2,000 tables of each kind (some minutes)
    python experiments/gains_by_chance.py --quick    100

Nominal columns of 2 to 1,000 levels, of equal and of uneven sizes, one in which half of the rows
have a level of their own, and numeric ones, all of them noise. Each should win equally often: the
first table has the number of wins over the fair number among the five plain columns, the second
among all. The third has, for a column and a target, how often a p-value is at most 0.02, 0.1 and
0.3, over that number. Writes
`results/gains_by_chance.md`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from _markdown import table
from _options import arguments, parsed

from ramify import _core
from ramify.learning.progress import progress

ROWS = (200, 1000, 5000)
LEVELS = (2, 10, 100, 1000)
PLAIN = (*map(str, LEVELS), "numeric")
TARGETS: dict[str, tuple[float, ...]] = {
    "2 classes": (0.5, 0.5),
    "2, 20/80": (0.2, 0.8),
    "3": (1 / 3, 1 / 3, 1 / 3),
    "3, 70/20/10": (0.7, 0.2, 0.1),
    "5": (0.2,) * 5,
    "5, 40/25/20/10/5": (0.4, 0.25, 0.2, 0.1, 0.05),
    "normal": (),
}
AT = (0.02, 0.1, 0.3)


@dataclass
class Target:
    """The targets of a table: centred vectors, and what the core knows of them."""

    vectors: np.ndarray
    chance: _core.ChanceTarget

    @property
    def total(self) -> float:
        """The sum of squares."""
        return float((self.vectors**2).sum())


def drawn(name: str, rows: int, rng: np.random.Generator) -> Target:
    """Draw the targets of one table."""
    shares = TARGETS[name]
    if not shares:
        y = rng.standard_normal(rows)
        y -= y.mean()
        chance = _core.chance_of_numbers(float((y**2).mean()), float((y**4).mean()), rows)
        return Target(y[:, None], chance)
    codes = rng.choice(len(shares), rows, p=shares)
    counts = np.bincount(codes, minlength=len(shares)).astype(float)
    vectors = np.eye(len(shares))[codes]
    return Target(vectors - vectors.mean(axis=0), _core.chance_of_classes(counts.tolist(), rows))


def nominal(target: Target, levels: np.ndarray) -> float:
    """Give log p of a nominal column."""
    sizes = np.bincount(levels)
    between = sum(
        (np.bincount(levels, weights=column) ** 2 / np.maximum(sizes, 1)).sum()
        for column in target.vectors.T
    )
    present = sizes[sizes > 0].astype(float).tolist()
    return float(_core.log_p_of_levels(target.chance, present, between / target.total))


def numeric(target: Target, order: np.ndarray, places: np.ndarray) -> float:
    """Give log p of a numeric column that may be cut at these places."""
    rows = len(order)
    sums = np.cumsum(target.vectors[order], axis=0)[places - 1]
    between = (sums**2).sum(axis=1) * rows / (places * (rows - places))
    share = float(between.max()) / target.total
    if len(places) <= 16:
        return float(_core.log_p_of_threshold(target.chance, places.astype(float).tolist(), share))
    first, last = int(places[0]), int(places[-1])
    return float(_core.log_p_of_even_threshold(target.chance, len(places), first, last, share))


Column = Callable[[Target, np.random.Generator], float]


def columns() -> dict[str, Column]:
    """Give the columns of noise by name."""

    def uneven(levels: int) -> np.ndarray:
        shares = np.array([0.9, 0.1]) if levels == 2 else 1 / np.arange(1, levels + 1) ** 1.2
        return np.asarray(shares / shares.sum())

    def of_levels(levels: int, shares: np.ndarray | None) -> Column:
        return lambda t, rng: nominal(t, rng.choice(levels, len(t.vectors), p=shares))

    def half_alone(t: Target, rng: np.random.Generator) -> float:
        rows = len(t.vectors)
        return nominal(t, np.maximum(rng.permutation(rows) - rows // 2, 0))

    def continuous(least: int) -> Column:
        def column(t: Target, rng: np.random.Generator) -> float:
            rows = len(t.vectors)
            return numeric(t, rng.permutation(rows), np.arange(least, rows - least + 1))

        return column

    def of_values(t: Target, rng: np.random.Generator) -> float:
        values = rng.integers(0, 5, len(t.vectors))
        places = np.cumsum(np.bincount(values, minlength=5))[:-1]
        return numeric(t, np.argsort(values, kind="stable"), places)

    found: dict[str, Column] = {str(n): of_levels(n, None) for n in LEVELS}
    found |= {f"{n}, uneven": of_levels(n, uneven(n)) for n in LEVELS}
    found["half alone"] = half_alone
    found["numeric"] = continuous(1)
    found["leaves of 20"] = continuous(20)
    found["5 values"] = of_values
    return found


def log_p_values(name: str, rows: int, tables: int) -> np.ndarray:
    """Give log p of every column, one row per table."""
    rng = np.random.default_rng(rows)
    found = np.empty((tables, len(columns())))
    for i in range(tables):
        target = drawn(name, rows, rng)
        found[i] = [column(target, rng) for column in columns().values()]
    return found


def wins(log_p: np.ndarray) -> np.ndarray:
    """Give the wins of each column over the fair number; ties are divided."""
    least = log_p <= log_p.min(axis=1, keepdims=True) + 1e-12
    return np.asarray((least / least.sum(axis=1, keepdims=True)).mean(axis=0) * log_p.shape[1])


def main() -> None:
    """Run, print and write."""
    options = parsed(arguments(__doc__, "quick results"))
    tables = 100 if options.quick else 2000
    names = list(columns())
    plain = [names.index(name) for name in PLAIN]
    first, fair, small = [], [], []
    with progress("computing", len(ROWS) * len(TARGETS), shown=None) as bar:
        for rows in ROWS:
            for name in TARGETS:
                log_p = log_p_values(name, rows, tables)
                among = wins(log_p[:, plain])
                first.append([f"{rows:,}", name, *(f"{share:.2f}" for share in among)])
                fair.append([f"{rows:,}", name, *(f"{share:.2f}" for share in wins(log_p))])
                parts = [(np.exp(log_p) <= at).mean(axis=0) / at for at in AT]
                cells = (" ".join(f"{part[c]:.2f}" for part in parts) for c in range(len(names)))
                small.append([f"{rows:,}", name, *cells])
                bar.advance()
    text = (
        f"Wins of columns of noise over the fair number, in {tables:,} tables. A standard error is "
        f"{np.sqrt((len(plain) - 1) / tables):.2f}.\n\n"
        f"{table(['rows', 'target', *PLAIN], first)}\n\n"
        f"The same with uneven levels, larger leaves and few values beside them. A standard error "
        f"is {np.sqrt((len(names) - 1) / tables):.2f}.\n\n"
        f"{table(['rows', 'target', *names], fair)}\n\n"
        f"How often a p-value is at most {', '.join(map(str, AT))}, over that number.\n\n"
        f"{table(['rows', 'target', *names], small)}\n"
    )
    print(text)
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "gains_by_chance.md").write_text(text)


if __name__ == "__main__":
    main()
