"""One row per learner: what a reader wants to know first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ramify.evaluate.results import Results
from ramify.evaluate.tables.ranks import Ranks, rank_learners
from ramify.evaluate.tables.score_table import ScoreTable, make_table
from ramify.evaluate.tables.verdict import decide, join_names


@dataclass(frozen=True)
class Overview:
    """The tables of all scores, the ranks if there are any, and sentences that sum them up."""

    tables: dict[str, ScoreTable]
    ranks: Ranks | None
    sentences: tuple[str, ...]

    @property
    def main(self) -> ScoreTable:
        """The table of the first score."""
        return next(iter(self.tables.values()))

    def header(self) -> list[str]:
        """Give the names of the columns."""
        names = [f"mean {table.heading}" for table in self.tables.values()]
        if self.ranks is not None:
            names.insert(1, "mean rank")
        return ["learner", *names, f"win/tie/loss against {self.main.baseline}"]

    def cells(self) -> list[list[str]]:
        """Give a row of text per learner, the best mean first."""
        main = self.main
        sign = -1.0 if main.greater_is_better else 1.0
        order = np.argsort(sign * np.nan_to_num(main.average, nan=-sign * np.inf), kind="stable")
        rows = []
        for j in order:
            name = main.learners[j]
            row = [table.format(float(table.average[j])) for table in self.tables.values()]
            if self.ranks is not None:
                row.insert(1, f"{self.ranks.mean_ranks[name]:.2f}")
            wins = "/".join(map(str, main.wins[name])) if name in main.wins else "baseline"
            rows.append([name, *row, wins])
        return rows


def by_learner(tables: Sequence[ScoreTable]) -> tuple[list[str], list[list[str]]]:
    """Give the tables of one data set as one: a row per learner, a column per score."""
    columns = [table.cells()[0][1:] for table in tables]
    rows = [[name, *cells] for name, *cells in zip(tables[0].learners, *columns, strict=True)]
    return ["learner", *(table.heading for table in tables)], rows


def overview(found: Results) -> Overview:
    """Make all tables of a comparison once, and sum them up."""
    tables = {one: make_table(found, one, None, found.test, found.alpha) for one in found.scores}
    try:
        ranks = rank_learners(found, found.check_score(None), found.alpha)
    except ValueError:  # one learner or one data set
        ranks = None
    return Overview(tables, ranks, tuple(_sentences(found, next(iter(tables.values())), ranks)))


def headline(found: Results) -> str:
    """Give a heading: the number of learners, and the number of data sets or the name of one."""
    n, m = len(found.learners), len(found.datasets)
    return f"{n} learner{'s' * (n != 1)} on {f'{m} data sets' if m != 1 else found.datasets[0]}"


def how_sentence(found: Results) -> str:
    """Say how the results were computed."""
    what = found.task.capitalize()
    about = found.about_datasets.get(found.datasets[0], {}) if len(found.datasets) == 1 else {}
    size = f" on {about['n_rows']:,} rows of {about['n_features']:,} columns" if about else ""
    classes = f" and {about['n_classes']} classes" if about.get("n_classes") else ""
    return f"{what}{size}{classes}, {found.how}: every learner saw the same folds."


def versions_sentence(found: Results) -> str:
    """Name the versions of what computed the results."""
    return "Computed with " + ", ".join(f"{k} {v}" for k, v in found.versions.items()) + "."


def _sentences(found: Results, main: ScoreTable, ranks: Ranks | None) -> list[str]:
    said = []
    if len(found.learners) > 1 and len(found.datasets) == 1:
        verdict = decide(found, found.datasets[0])
        said += [str(verdict)] if verdict is not None else []
    if len(found.learners) > 1 and not np.isnan(main.average).all():
        best = (np.nanmax if main.greater_is_better else np.nanmin)(main.average)
        end = "highest" if main.greater_is_better else "lowest"
        n = int(main.shared.sum())
        over = f" over {n} data set{'s' * (n != 1)}" if len(found.datasets) > 1 else ""
        value = main.format(float(best))
        pairs = zip(main.learners, main.average, strict=True)
        names = [name for name, mean in pairs if main.format(float(mean)) == value]
        have = "has" if len(names) == 1 else "have"
        unit = f" {main.unit}" if main.unit else ""
        said.append(f"{join_names(names)} {have} the {end} mean {main.label}{over}: {value}{unit}.")
        if len(found.datasets) == 1:
            said += _largest_class(found, main)
    if ranks is not None:
        p = ranks.friedman.f_pvalue
        differ = p <= ranks.alpha
        said.append(
            f"Over the data sets, the learners {'differ' if differ else 'do not differ'} "
            f"significantly in rank (Iman-Davenport p = {p:.2g})."
        )
        first = next(iter(ranks.mean_ranks))
        group = next((g for g in ranks.groups if first in g), ())
        worse = [name for name in ranks.mean_ranks if name != first and name not in group]
        if differ and worse:
            said.append(f"{first} ranks best, significantly better than {join_names(worse)}.")
    if found.failures:
        failed = list(dict.fromkeys(str(row["learner"]) for row in found.failures))
        said.append(f"{len(found.failures)} folds failed, of {join_names(failed)}.")
    return said


def _largest_class(found: Results, main: ScoreTable) -> list[str]:
    """Say how often the most frequent class alone is right: the least that a learner should be."""
    share = found.about_datasets.get(found.datasets[0], {}).get("largest_class")
    if share is None or main.score != "accuracy":
        return []
    return [f"Always answering the most frequent class is {main.format(share)} % right."]
