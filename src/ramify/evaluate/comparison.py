"""A comparison: its results, with the tables, tests, pictures and pages made of them."""

from __future__ import annotations

import os
from typing import Any

from ramify.evaluate.results import Results
from ramify.evaluate.significance.paired import check_test
from ramify.evaluate.tables.beats import Beats, count_beats
from ramify.evaluate.tables.ranks import Ranks, rank_learners
from ramify.evaluate.tables.score_table import ScoreTable, make_table
from ramify.learning import parameters as check
from ramify.support.csv_rows import CsvRows
from ramify.support.writer import open_text, write_text


class Comparison(Results):
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
        The versions of the packages that computed the results.

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
        if baseline is not None:
            check.choice("baseline", baseline, self.learners)
        return make_table(self, self.check_score(score), baseline, *self._test(test, alpha))

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
            The published counts use the plain paired t-test. It finds differences too often on
            folds; "corrected_t" does not.
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
        name = self.test if test is None else check_test(test)
        return name, self.alpha if alpha is None else check.probability("alpha", alpha)

    # --- pictures and pages ---------------------------------------------------------------------

    def plot_critical_difference(
        self, score: str | None = None, *, alpha: float | None = None, ax: Any = None
    ) -> Any:
        """Draw the mean ranks, with a bar over learners that do not differ (Demšar 2006).

        Parameters
        ----------
        score, alpha
            As in `ranks`.
        ax : matplotlib axes, optional
            Where to draw; None takes new ones.

        Returns
        -------
        matplotlib axes
        """
        from ramify.evaluate.pictures.plots import plot_critical_difference

        return plot_critical_difference(self.ranks(score, alpha=alpha), ax=ax)

    def plot_accuracy_size(
        self, score: str | None = None, size: str | None = None, *, ax: Any = None
    ) -> Any:
        """Draw the mean score of each learner against its mean size.

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
        from ramify.evaluate.pictures.plots import plot_score_size

        return plot_score_size(self.table(score), self.table(self.check_size(size)), ax=ax)

    def to_markdown(self) -> str:
        """Give a report in Markdown: what was compared and how, a table per score, the ranks."""
        from ramify.evaluate.markdown import comparison_to_markdown

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
        from ramify.evaluate.page.html import comparison_to_html

        page = comparison_to_html(self, title=title)
        if path is not None:
            write_text(path, page)
        return page

    def _repr_html_(self) -> str:
        from ramify.evaluate.page.html import comparison_to_fragment

        return comparison_to_fragment(self)

    def __repr__(self) -> str:
        def count(names: tuple[str, ...], what: str) -> str:
            return f"{len(names)} {what}{'' if len(names) == 1 else 's'}"

        sizes = f"{count(self.learners, 'learner')} on {count(self.datasets, 'data set')}"
        failed = f", {len(self.failures)} folds failed" if self.failures else ""
        said = f", {len(self.warnings)} warnings" if self.warnings else ""
        return f"<Comparison: {sizes}, {self.how}{failed}{said}>"

    def __str__(self) -> str:
        return f"{self!r}\n\n{self.table()}"
