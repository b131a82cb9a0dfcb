"""What `ramify compare` prints: the verdict, and a table of the learners with the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ramify.evaluate.measures import format_score, label_of, unit_of
from ramify.evaluate.tables.score_table import moments
from ramify.evaluate.tables.text import plain_table
from ramify.evaluate.tables.verdict import Verdict, decide, join_names, write_p
from ramify.learning.folds import k_fold
from ramify.learning.measures import MEASURES, write_score

#: The row of a learner that looks at no column.
LARGEST, MEAN = "largest class", "mean alone"
CONSTANT = (LARGEST, MEAN)
#: A learner to compare with, which is not one tree to read.
BOOSTED = "boosted"


class FoldsOfFit:
    """The folds that `ramify fit` scores on, so that both commands give the same figures."""

    def __init__(self, folds: int, repeats: int, *, by_class: bool) -> None:
        self.cvargs = {"n_splits": folds}
        self.repeats = repeats
        self.by_class = by_class

    def get_n_splits(self, *_: Any) -> int:
        """Give the number of folds of all repeats."""
        return self.cvargs["n_splits"] * self.repeats

    def split(self, _: Any, y: Any) -> Any:
        """Give the rows to learn from and to test on, one repeat after the other."""
        for seed in range(self.repeats):
            yield from k_fold(np.asarray(y), self.cvargs["n_splits"], seed, by_class=self.by_class)

    def __str__(self) -> str:
        return f"{'stratified ' if self.by_class else ''}{self.cvargs['n_splits']}-fold"


def verdict_lines(found: Any) -> list[str]:
    """Say who wins and whether that is sure; boosted trees and the baseline are told apart."""
    dataset = found.datasets[0]
    trees = [name for name in found.learners if name not in (*CONSTANT, BOOSTED)]
    if len(trees) < 2:
        trees = [name for name in found.learners if name not in CONSTANT]
    verdict = decide(found, dataset, learners=trees)
    if verdict is None:
        return ["No learner could be scored."]
    lines = [str(verdict), *_smallest(found, dataset, verdict)]
    if BOOSTED in found.learners and BOOSTED not in trees:
        lines += _boosted_line(found, dataset, verdict.best)
    for base in CONSTANT:
        if base in found.learners:
            against = decide(found, dataset, learners=[base, verdict.best])
            if against is not None and base not in against.worse:
                lines.append(f"No tree is surely better than the {base}.")
    failed = list(dict.fromkeys(str(row["learner"]) for row in found.failures))
    if failed:
        lines.append(f"{join_names(failed)} failed in {len(found.failures)} folds.")
    return lines


def _smallest(found: Any, dataset: str, verdict: Verdict) -> list[str]:
    """Of learners that are as good as each other, name the one with the smallest tree."""
    if not verdict.ties or "n_leaves" not in found.scores:
        return []
    means = moments(found.values(dataset, "n_leaves"))[0]
    sizes = {
        name: float(means[found.learners.index(name)]) for name in [verdict.best, *verdict.ties]
    }
    known = {name: size for name, size in sizes.items() if not np.isnan(size)}
    if len(known) < 2:
        return []
    name = min(known, key=known.__getitem__)
    return [f"Of these, {name} grows the smallest trees: {known[name]:,.1f} leaves on average."]


def _boosted_line(found: Any, dataset: str, best: str) -> list[str]:
    """Say what many trees would gain over the best single one."""
    against = decide(found, dataset, learners=[best, BOOSTED])
    if against is None or BOOSTED not in (against.best, *against.pvalues):
        return []
    many = "Boosted trees (many trees, for reference) are"
    if not against.worse:
        return [f"{many} as good as {best}."]
    way = "better" if against.best == BOOSTED else "worse"
    p = write_p(next(iter(against.pvalues.values())))
    return [f"{many} surely {way} than {best} ({p})."]


def comparison_table(
    found: Any, scores: Sequence[str], classes: Any, width: int | None = None
) -> str:
    """Give the table: a row per learner, the best first, the baseline last.

    If it is wider than `width`, its columns are divided among several tables.
    """
    dataset = found.datasets[0]
    main = found.values(dataset, scores[0])
    mean = moments(main)[0] * (1.0 if found.scores[scores[0]] else -1.0)
    last = [name in CONSTANT for name in found.learners]
    order = sorted(range(len(mean)), key=lambda j: (last[j], -np.nan_to_num(mean[j], nan=-np.inf)))
    best = decide(found, dataset, learners=[n for n in found.learners if n not in CONSTANT])
    header = ["learner", *(_heading(score, classes) for score in scores)]
    columns = {score: moments(found.values(dataset, score)) for score in scores}
    rows = []
    for j in order:
        name = found.learners[j]
        cells = [_cell(score, columns[score][0][j], columns[score][1][j]) for score in scores]
        rows.append([name, *cells, _against(best, name)])
    body = sum(not one for one in last)
    rules = (body,) if any(last) else ()
    header.append("")
    tables, first = [], 1
    while first < len(header):
        end = len(header)
        while True:
            places = [0, *range(first, end)]
            shown = plain_table(
                [header[j] for j in places], [[row[j] for j in places] for row in rows], rules=rules
            )
            if width is None or end == first + 1 or _width(shown) <= width:
                break
            end -= 1
        tables.append(shown)
        first = end
    return "\n\n".join(tables)


def _width(table: str) -> int:
    return max(map(len, table.splitlines()))


def scores_json(found: Any, scores: Sequence[str]) -> dict[str, Any]:
    """Give mean and standard deviation of every learner by score."""
    dataset = found.datasets[0]
    summary: dict[str, Any] = {name: {} for name in found.learners}
    for score in scores:
        means, spreads = moments(found.values(dataset, score))
        for j, name in enumerate(found.learners):
            summary[name][score] = {"mean": float(means[j]), "spread": float(spreads[j])}
    return summary


def _heading(score: str, classes: Any) -> str:
    known = MEASURES.get(score)
    if known is not None:
        return known.label_for(classes)
    return f"{label_of(score)} (s)" if unit_of(score) == "s" else label_of(score)


def _cell(score: str, mean: float, spread: float) -> str:
    if np.isnan(mean):
        return "–"
    known = MEASURES.get(score)
    if known is not None:
        return write_score(mean, spread, percent=known.shown_as == "percent")
    return format_score(score, mean)


def _against(best: Verdict | None, name: str) -> str:
    if best is None or name not in (best.best, *best.pvalues):
        return ""
    if name == best.best:
        return "best"
    p = best.pvalues[name]
    return f"surely worse, {write_p(p)}" if name in best.worse else "as good"
