"""The results of a comparison, and all that is made of them.

Invariant: at most one row per data set, learner, repeat and fold; scores of two learners on a data
set are paired by repeat and fold.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.evaluate._assemble import assemble
from ramify.evaluate._beats import Beats, count_beats
from ramify.evaluate._marks import make_table
from ramify.evaluate._measures import SIZES, TIMES
from ramify.evaluate._paired_tests import TESTS
from ramify.evaluate._ranks import Ranks, rank_learners
from ramify.evaluate._score_table import ScoreTable
from ramify.evaluate._store import Store
from ramify.evaluate._store_lines import Line
from ramify.learning import parameters as check
from ramify.support.csv_rows import CsvRows
from ramify.support.writer import open_text, write_text

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of learners on the folds of data sets, with tables, tests, plots and a page.

    Made by :func:`compare`, or read from a store.

    Parameters
    ----------
    learners, datasets : tuple of str
        What was compared, in the order it was given.
    scores : dict of str to bool
        What was measured, and whether greater is better.
    task : {"classification", "regression"}
        What the learners do.
    cv : str
        How the data were divided.
    test, alpha : str, float
        How differences on a data set are tested, and the level.
    rows : list of dict
        One per data set, learner, repeat and fold.
    about_learners, about_datasets : dict
        The learners as text; rows, columns, classes and share of the largest class of the data
        sets.
    versions : dict
        The versions of what computed the results.

    Examples
    --------
    >>> from ramify import presets
    >>> from ramify.datasets import load_balance_scale, load_titanic
    >>> from ramify.evaluate import compare
    >>> found = compare(
    ...     {"c45": presets.c45(), "stump": presets.cart(max_depth=1)},
    ...     {"balance": load_balance_scale, "titanic": load_titanic},
    ... )
    >>> found.table().wins
    {'stump': (0, 1, 1)}
    >>> found.beats().total
    {'c45': 1, 'stump': 0}
    """

    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: dict[str, bool]
    task: str
    cv: str
    test: str
    alpha: float
    rows: list[dict[str, Any]]
    about_learners: dict[str, str] = field(default_factory=dict)
    about_datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_lines(
        cls,
        lines: list[Line],
        *,
        learners: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> Comparison:
        """Make a comparison of the lines of a store; None takes all learners, or data sets."""
        return cls(**assemble(lines, learners, datasets))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Comparison:
        """Read all results of a store, also while it is being written.

        It holds the learners and data sets of all runs with the folds of the last run; of a learner
        that has changed, the last version.
        """
        store = Store(path)
        if not store.of_kind("run"):
            raise ValueError(f"there are no results in {str(store.path)!r}")
        return cls.from_lines(store.lines)

    def select(
        self, *, learners: Sequence[str] | None = None, datasets: Sequence[str] | None = None
    ) -> Comparison:
        """Give the comparison of some learners or data sets only, in this order; None is all."""
        kept, sets = (
            own if names is None else tuple(check.choice(what, name, own) for name in names)
            for what, names, own in (
                ("learners", learners, self.learners),
                ("datasets", datasets, self.datasets),
            )
        )
        rows = [row for row in self.rows if row["learner"] in kept and row["dataset"] in sets]
        return replace(self, learners=kept, datasets=sets, rows=rows)

    # --- the numbers ----------------------------------------------------------------------------

    @property
    def results(self) -> dict[str, list[Any]]:
        """The tidy table by columns: one row per data set, learner, repeat and fold."""
        names = ["dataset", "learner", "repeat", "fold", "n_train", "n_test", *self.scores, "error"]
        return {name: [row[name] for row in self.rows] for name in names}

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Give the tidy table as a data frame of the library that is installed.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            None takes the first that is installed, else a dict of lists.
        """
        from ramify.tables.frame import make_frame

        return make_frame(self.results, backend=backend)

    def to_csv(self, path: str | os.PathLike[str], *, keep_formulas: bool = False) -> None:
        """Write the tidy table as CSV.

        Parameters
        ----------
        path : path
            The file; it is replaced if it is there.
        keep_formulas : bool, default=False
            False: a text that a spreadsheet would run as a formula (it begins with =, +, - or @ and
            is no number) has an apostrophe before it. True: texts are written as they are.
        """
        columns = self.results
        with open_text(path) as file:
            rows = CsvRows(file, keep_formulas=keep_formulas)
            rows.write([columns])
            rows.write(zip(*columns.values(), strict=True))

    def values(self, dataset: str, score: str | None = None) -> Floats:
        """Give the scores on a data set: a row per fold, a column per learner; NaN if missing."""
        name = self.check_score(score)
        check.choice("dataset", dataset, self.datasets)
        folds = self.folds(dataset)
        table = np.full((len(folds), len(self.learners)), np.nan)
        at = {key: i for i, key in enumerate(folds)}
        column = {learner: j for j, learner in enumerate(self.learners)}
        for row in self._by_dataset[dataset]:
            table[at[row["repeat"], row["fold"]], column[row["learner"]]] = row[name]
        return table

    def folds(self, dataset: str) -> list[tuple[int, int]]:
        """Give repeat and fold of the rows of `values`."""
        return sorted({(row["repeat"], row["fold"]) for row in self._by_dataset[dataset]})

    def test_fraction(self, dataset: str) -> float:
        """Give rows to test over rows to learn from, the mean over the folds of a data set."""
        shares = [row["n_test"] / row["n_train"] for row in self._by_dataset[dataset]]
        return float(np.mean(shares)) if shares else np.nan

    @cached_property
    def _by_dataset(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in self.datasets}
        for row in self.rows:
            found[row["dataset"]].append(row)
        return found

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The rows where a learner or a score failed, with the message."""
        return [row for row in self.rows if row["error"]]

    @property
    def warnings(self) -> list[tuple[str, str, str]]:
        """What was warned of: learner, data set and text, each once."""
        said = ((r["learner"], r["dataset"], text) for r in self.rows for text in r["warnings"])
        return list(dict.fromkeys(said))

    def check_score(self, score: str | None) -> str:
        """Give the name of a score; None is the first."""
        return next(iter(self.scores)) if score is None else self._one_of("score", score)

    def _one_of(self, what: str, name: str) -> str:
        valid = {"score": tuple(self.scores), "baseline": self.learners}[what]
        return check.choice(what, name, valid)

    # --- the tests ------------------------------------------------------------------------------

    def table(
        self,
        score: str | None = None,
        baseline: str | None = None,
        *,
        test: str | None = None,
        alpha: float | None = None,
    ) -> ScoreTable:
        """Mean and standard deviation per data set, and who differs from the baseline.

        Parameters
        ----------
        score : str, optional
            None takes the first score.
        baseline : str, optional
            The learner that the others are tested against; None takes the first.
        test : {"corrected_t", "paired_t", "wilcoxon"}, optional
            None takes that of the comparison.
        alpha : float, optional
            The level, two-tailed; None takes that of the comparison.

        Returns
        -------
        ScoreTable
        """
        name = self.learners[0] if baseline is None else self._one_of("baseline", baseline)
        return make_table(self, self.check_score(score), name, *self._test(test, alpha))

    def beats(
        self, score: str | None = None, *, test: str = "paired_t", alpha: float | None = None
    ) -> Beats:
        """How many other learners each one beats on each data set, as Pereira counts.

        A learner beats another if its score is better by a one-tailed test.

        Parameters
        ----------
        score : str, optional
            None takes the first score.
        test : {"corrected_t", "paired_t", "wilcoxon"}, default="paired_t"
            The published counts use the plain paired t-test; "corrected_t" is the honest one.
        alpha : float, optional
            The level, one-tailed; None takes that of the comparison.

        Returns
        -------
        Beats
        """
        return count_beats(self, self.check_score(score), *self._test(test, alpha))

    def ranks(self, score: str | None = None, *, alpha: float | None = None) -> Ranks:
        """Mean ranks over the data sets, Friedman's test and the critical difference.

        Data sets where a learner has no score are left out.

        Parameters
        ----------
        score : str, optional
            None takes the first score.
        alpha : float, optional
            The level; None takes that of the comparison.

        Returns
        -------
        Ranks
        """
        return rank_learners(self, self.check_score(score), self._test(None, alpha)[1])

    def _test(self, test: str | None, alpha: float | None) -> tuple[str, float]:
        name = self.test if test is None else check.choice("test", test, TESTS)
        return name, self.alpha if alpha is None else check.probability("alpha", alpha)

    # --- pictures and pages ---------------------------------------------------------------------

    def plot_critical_difference(
        self, score: str | None = None, *, alpha: float | None = None, ax: Any = None
    ) -> Any:
        """Draw the mean ranks, with a bar over learners that do not differ (Demšar 2006).

        Parameters
        ----------
        score, alpha
            As of `ranks`.
        ax : matplotlib axes, optional
            Where to draw; None takes new ones.

        Returns
        -------
        matplotlib axes
        """
        from ramify.evaluate._plots import plot_critical_difference

        return plot_critical_difference(self.ranks(score, alpha=alpha), ax=ax)

    def plot_accuracy_size(
        self, score: str | None = None, size: str | None = None, *, ax: Any = None
    ) -> Any:
        """Draw the score against the size: the mean of each learner, and its data sets faintly.

        Parameters
        ----------
        score : str, optional
            None takes the first score.
        size : str, optional
            None takes the first size that was measured: n_leaves, n_nodes or depth.
        ax : matplotlib axes, optional
            Where to draw; None takes new ones.

        Returns
        -------
        matplotlib axes
        """
        from ramify.evaluate._plots import plot_score_size

        return plot_score_size(self.table(score), self.table(self.check_size(size)), ax=ax)

    def check_size(self, size: str | None) -> str:
        """Give the name of a size; None is the first that was measured."""
        if size is not None:
            return self.check_score(size)
        found = next((name for name in SIZES if name in self.scores), None)
        if found is None:
            raise ValueError(f"no size was measured; add one of {', '.join(SIZES)} to scores")
        return found

    @property
    def times(self) -> list[str]:
        """The times that were measured."""
        return [name for name in TIMES if name in self.scores]

    def to_markdown(self) -> str:
        """Give a report in Markdown: what was compared and how, a table per score, the ranks."""
        from ramify.evaluate._markdown import comparison_to_markdown

        return comparison_to_markdown(self)

    def to_html(self, path: str | os.PathLike[str] | None = None, *, title: str = "") -> str:
        """Give a page that stands alone: one file, no network, light and dark.

        Parameters
        ----------
        path : path, optional
            Where to write it.
        title : str, optional
            The heading of the page.

        Returns
        -------
        str
            The page.
        """
        from ramify.evaluate._page import comparison_to_html

        page = comparison_to_html(self, title=title)
        if path is not None:
            write_text(path, page)
        return page

    def _repr_html_(self) -> str:
        from ramify.evaluate._page import comparison_to_fragment

        return comparison_to_fragment(self)

    @property
    def how(self) -> str:
        """How the data were divided, with the number of repeats."""
        repeats = len({row["repeat"] for row in self.rows})
        return f"{self.cv}, {repeats} repeats" if repeats > 1 else self.cv

    def __repr__(self) -> str:
        def count(names: tuple[str, ...], what: str) -> str:
            return f"{len(names)} {what}{'' if len(names) == 1 else 's'}"

        sizes = f"{count(self.learners, 'learner')} on {count(self.datasets, 'data set')}"
        failed = f", {len(self.failures)} folds failed" if self.failures else ""
        said = f", {len(self.warnings)} warnings" if self.warnings else ""
        return f"<Comparison: {sizes}, {self.how}{failed}{said}>"

    def __str__(self) -> str:
        return f"{self!r}\n\n{self.table()}"
