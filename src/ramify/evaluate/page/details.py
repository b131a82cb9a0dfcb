"""The details of the page: learners, data sets, counts, failures and folds, folded away."""

from __future__ import annotations

from html import escape

import numpy as np

from ramify.evaluate.measures import format_score
from ramify.evaluate.page.tables import html_table
from ramify.evaluate.results import Results
from ramify.evaluate.tables.beats import count_beats
from ramify.evaluate.tables.overview import Overview

# More values than this would make the page slow; they are in the store.
_MOST_VALUES = 20_000


def details(found: Results, view: Overview) -> list[str]:
    """Write what stands behind the tables."""
    parts = [_fold("Learners", _learners(found)), _fold("Data sets", _datasets(found))]
    if len(found.learners) > 1:
        beats = count_beats(found, view.main.score, found.test, found.alpha)
        table = html_table(["data set", *beats.learners], beats.cells(), foot=1)
        text = f'<p class="soft">{escape(beats.caption)}.</p>'
        parts.append(_fold("How many learners each one beats", table + text))
    if found.failures:
        rows = dict.fromkeys((r["learner"], r["dataset"], str(r["error"])) for r in found.failures)
        table = html_table(["learner", "data set", "error"], list(rows), code=2)
        parts.append(_fold(f"Failures ({len(found.failures)} folds)", table))
    if found.warnings:
        table = html_table(["learner", "data set", "warning"], found.warnings, code=2)
        parts.append(_fold(f"Warnings ({len(found.warnings)})", table))
    return [*parts, _folds(found, view.main.score)]


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _learners(found: Results) -> str:
    rows = [[name, found.about_learners.get(name, "")] for name in found.learners]
    return html_table(["name", "learner"], rows, code=1)


def _datasets(found: Results) -> str:
    classes = found.task == "classification"
    rows = []
    for name in found.datasets:
        about = found.about_datasets.get(name, {})
        keys = ["n_rows", "n_features", *(["n_classes"] if classes else [])]
        row = [f"{about[key]:,}" if key in about else "" for key in keys]
        if classes:
            row.append(format_score("accuracy", about.get("largest_class") or np.nan))
        rows.append([name, *row])
    header = ["data set", "rows", "columns"]
    header += ["classes", "most frequent class (%)"] if classes else []
    return html_table(header, rows)


def _folds(found: Results, score: str) -> str:
    if len(found.rows) > _MOST_VALUES:
        text = f"{len(found.rows):,} values, too many for a page; results and to_csv() have them."
        return _fold("Folds", f'<p class="soft">{text}</p>')
    parts = []
    for dataset in found.datasets:
        values, keys = found.values(dataset, score), found.folds(dataset)
        rows = [
            [f"{repeat + 1}.{fold + 1}", *(format_score(score, value) for value in line)]
            for (repeat, fold), line in zip(keys, values.tolist(), strict=True)
        ]
        table = html_table(["repeat.fold", *found.learners], rows)
        parts.append(_fold(dataset, table))
    return _fold(f"Folds: {score}", "".join(parts))
