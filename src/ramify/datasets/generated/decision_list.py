"""Rows labelled by a random decision list, as Weka's generator RDG1 draws them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify.datasets.dataset import Dataset, text_column
from ramify.datasets.generated.breiman import RandomState
from ramify.learning.parameters import boolean, seed, whole

_WORD = (1 << 48) - 1


class JavaRandom:
    """The linear congruential generator of ``java.util.Random``, as its documentation gives it."""

    def __init__(self, start: int) -> None:
        self._state = (start ^ 0x5DEECE66D) & _WORD

    def _bits(self, count: int) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & _WORD
        return self._state >> (48 - count)

    def uniform(self) -> float:
        """A number from 0 to 1, ``nextDouble()``."""
        high = self._bits(26) << 27
        return (high + self._bits(27)) * 2.0**-53

    def below(self, count: int) -> int:
        """A whole number from 0 to `count` - 1."""
        return int(self.uniform() * count)


@dataclass(frozen=True)
class _Test:
    """One condition of a rule: whether a nominal cell is true, or a number below a threshold."""

    column: int
    threshold: float | None
    holds: bool

    def __call__(self, row: list[float]) -> bool:
        value = row[self.column]
        return (value > 0 if self.threshold is None else value < self.threshold) == self.holds

    def __str__(self) -> str:
        if self.threshold is None:
            return f"{'' if self.holds else 'not '}a{self.column}"
        return f"a{self.column} {'<' if self.holds else '>='} {self.threshold:.3g}"


def make_decision_list(
    n_rows: int = 100,
    *,
    n_columns: int = 10,
    n_classes: int = 2,
    min_rule: int = 1,
    max_rule: int = 10,
    irrelevant_columns: int = 0,
    numeric_columns: int = 0,
    voting: bool = False,
    random_state: RandomState = None,
) -> Dataset:
    """Draw rows and the rules that label them, like Weka's generator RDG1.

    Every nominal cell is the toss of a fair coin, and every numeric cell a number between 0 and 1.
    The first rule that a row meets gives its class. If there is none, a new rule that the row meets
    is drawn and put at the end of the list; the classes of the rules take turns. So the classes
    have no noise, and a tree with enough leaves is never wrong.

    With the same parameters and seed, the table is that of Weka
    (``RDG1 -n 1000 -a 20 -c 2 -S 1`` is ``make_decision_list(1000, n_columns=20,
    random_state=1)``). Weka prints numbers with six digits.

    Parameters
    ----------
    n_rows : int
        How many rows (Weka's option -n).
    n_columns : int
        How many columns (-a): nominal, "false" and "true", called a0, a1, ...
    n_classes : int
        How many classes (-c), called c0, c1, ...
    min_rule, max_rule : int
        Least and largest number of conditions of a rule (-M, -R). A rule has at most as many
        conditions as there are relevant columns, and fewer than `max_rule` unless `min_rule` is
        the same number.
    irrelevant_columns : int
        How many columns no rule uses (-I).
    numeric_columns : int
        How many columns hold numbers (-N); which ones is drawn at random.
    voting : bool
        Whether all rules that a row meets vote on its class, the first class winning a tie (-V).
        Otherwise the first rule decides.
    random_state : int or Generator, optional
        The seed (-S, 1 in Weka); None means 0.

    Returns
    -------
    Dataset
        Its description lists the rules.

    References
    ----------
    Witten and Frank (2005), Data Mining, second edition; Weka's documentation of RDG1.

    Examples
    --------
    >>> drawn = make_decision_list(20, n_columns=5, random_state=1)
    >>> print(drawn.description)
    Drawn from a decision list, by the rules of Weka's RDG1:
    c0 if a4
    c1 if a2 and a0
    c0 if not a4 and a0 and not a2
    c1 if not a2
    c0 if a1 and a2
    """
    n_rows = whole("n_rows", n_rows, least=1)
    n_columns = whole("n_columns", n_columns, least=1)
    n_classes = whole("n_classes", n_classes, least=1)
    irrelevant_columns = whole("irrelevant_columns", irrelevant_columns, least=0)
    numeric_columns = whole("numeric_columns", numeric_columns, least=0)
    most = n_columns - irrelevant_columns
    if most < 1 or numeric_columns > n_columns:
        raise ValueError(
            f"irrelevant_columns={irrelevant_columns} must leave one of n_columns={n_columns}, and "
            f"numeric_columns={numeric_columns} must be no more than these"
        )
    min_rule = whole("min_rule", min_rule, least=1)
    max_rule = min(whole("max_rule", max_rule, least=1), most)
    if min_rule > max_rule:
        raise ValueError(
            f"min_rule={min_rule} must be at most max_rule={max_rule} and at most the number of "
            "columns that are not irrelevant"
        )
    voting = boolean("voting", voting)
    random = JavaRandom(seed(random_state))
    irrelevant = _some(random, irrelevant_columns, n_columns)
    numeric = _some(random, numeric_columns, n_columns)
    asked = [column for column in range(n_columns) if column not in irrelevant]
    rules: list[tuple[_Test, ...]] = []
    rows: list[list[float]] = []
    labels: list[int] = []
    for _ in range(n_rows):
        row = [random.uniform() for _ in range(n_columns)]
        row = [u if c in numeric else float(u > 0.5) for c, u in enumerate(row)]
        known = (i for i, rule in enumerate(rules) if all(test(row) for test in rule))
        first = next(known, len(rules))
        if first == len(rules):
            rules.append(_rule(random, row, asked, numeric, min_rule, max_rule))
        rows.append(row)
        labels.append(first % n_classes)
    if voting:
        labels = [_vote(row, rules, n_classes) for row in rows]
    cells = np.array(rows)
    listed = (f"c{i % n_classes} if {' and '.join(map(str, r))}" for i, r in enumerate(rules))
    return Dataset(
        data={f"a{c}": _column(cells[:, c], c in numeric) for c in range(n_columns)},
        target=text_column(f"c{label}" for label in labels),
        target_name="class",
        description="\n".join(
            ["Drawn from a decision list, by the rules of Weka's RDG1:", *listed]
        ),
    )


def _some(random: JavaRandom, count: int, among: int) -> set[int]:
    """Draw this many different columns; a column that was drawn before is ignored."""
    chosen: set[int] = set()
    while len(chosen) < count:
        chosen.add(random.below(among))
    return chosen


def _rule(
    random: JavaRandom,
    row: list[float],
    asked: list[int],
    numeric: set[int],
    min_rule: int,
    max_rule: int,
) -> tuple[_Test, ...]:
    """Draw a rule that the row meets: thresholds, then how many conditions, then which."""
    tests = []
    for column in asked:
        threshold = random.uniform() if column in numeric else None
        holds = row[column] > 0 if threshold is None else row[column] < threshold
        tests.append(_Test(column, threshold, holds))
    size = min_rule + random.below(max_rule - min_rule)
    return tuple(tests.pop(random.below(len(tests))) for _ in range(size))


def _vote(row: list[float], rules: list[tuple[_Test, ...]], n_classes: int) -> int:
    votes = [0] * n_classes
    for i, rule in enumerate(rules):
        votes[i % n_classes] += all(test(row) for test in rule)
    return votes.index(max(votes))


def _column(
    values: NDArray[np.float64], numeric: bool
) -> NDArray[np.object_] | NDArray[np.float64]:
    return values if numeric else text_column("true" if value else "false" for value in values)
