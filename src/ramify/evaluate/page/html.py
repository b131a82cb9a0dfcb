"""A comparison as one HTML page that stands alone; all text from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ramify.evaluate.measures import SIZES, TIMES
from ramify.evaluate.page.details import details
from ramify.evaluate.page.style import STYLE
from ramify.evaluate.page.tables import html_table, learner_table, score_table
from ramify.evaluate.pictures.svg import rank_diagram, size_picture
from ramify.evaluate.results import Results
from ramify.evaluate.significance.paired import TESTS
from ramify.evaluate.tables.overview import (
    Overview,
    headline,
    how_sentence,
    overview,
    versions_sentence,
)
from ramify.evaluate.tables.score_table import BETTER, WORSE, ScoreTable


def comparison_to_html(found: Results, *, title: str = "") -> str:
    """Write the page."""
    heading = title or headline(found)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(heading)}</title><style>body{{margin:0}}{STYLE}</style></head>"
        f'<body class="ramify-compare"><main>{_body(found, heading)}</main></body></html>\n'
    )


def comparison_to_fragment(found: Results) -> str:
    """Write what a notebook shows: the overview and the table of the first score."""
    view = overview(found)
    return (
        f'<div class="ramify-compare"><style>{STYLE}</style><p><b>{escape(headline(found))}</b>. '
        f"{escape(how_sentence(found))}</p>{_main_table(view.main)}</div>"
    )


def _body(found: Results, heading: str) -> str:
    view = overview(found)
    parts = [f"<h1>{escape(heading)}</h1>", f"<p>{escape(_what(found))}</p>"]
    if view.sentences:
        parts.append('<div class="sum">')
        parts += [f"<p>{escape(sentence)}</p>" for sentence in view.sentences]
        parts.append("</div>")
    if len(found.datasets) > 1:
        parts += ["<h2>At a glance</h2>", html_table(view.header(), view.cells())]
        parts += _by_dataset(found, view)
    else:
        tables = list(view.tables.values())
        parts += ["<h2>Results</h2>", learner_table(tables), _legend(tables)]
        parts += _picture(view)
    parts += ["<h2>Details</h2>", *details(found, view)]
    parts.append(f'<footer class="soft"><p>{escape(versions_sentence(found))}</p></footer>')
    return "".join(parts)


def _by_dataset(found: Results, view: Overview) -> list[str]:
    main = view.main
    parts = [f"<h2>{escape(_title(main))} by data set</h2>", _main_table(main)]
    if view.ranks is not None:
        parts += ["<h2>Ranks over the data sets</h2>", _ranks(view)]
    parts += _picture(view)
    for score, table in view.tables.items():
        if score != main.score and score not in TIMES:
            parts += [f"<h2>{escape(_title(table))} by data set</h2>", _main_table(table)]
    for score in found.times:
        parts += [f"<h2>{escape(_title(view.tables[score]))}</h2>", _times(view.tables[score])]
    return parts


def _what(found: Results) -> str:
    learners = ", ".join(found.learners[:12])
    if len(found.learners) > 12:
        learners += f" and {len(found.learners) - 12} others"
    return f"{learners}. {how_sentence(found)}"


def _title(table: ScoreTable) -> str:
    return table.label[:1].upper() + table.label[1:]


def _main_table(table: ScoreTable) -> str:
    return f"{score_table(table)}{_legend([table])}"


def _legend(tables: Sequence[ScoreTable]) -> str:
    table = tables[0]
    what = f" of {table.heading}" if len(tables) == 1 else ""
    less = [one.label for one in tables if not one.greater_is_better]
    way = f" Of {' and '.join(less)}, less is better." if less else ""
    text = f"Mean ± standard deviation{what} over the folds.{way} "
    if len(table.learners) < 2:
        return f'<p class="soft">{escape(text)}</p>'
    test = TESTS[table.test]
    marks = (
        f'<span class="mark good">{BETTER}</span> significantly better, '
        f'<span class="mark bad">{WORSE}</span> worse than {escape(table.baseline)}: '
        f"{escape(test.title)}, two-tailed, {100 * table.alpha:g} %. "
    )
    line = "row" if len(tables) == 1 else "column"
    bold = f"The best mean of a {line} is bold. Point at a cell for its p-value."
    return f'<p class="soft">{escape(text)}{marks}{escape(test.about)} {bold}</p>'


def _ranks(view: Overview) -> str:
    assert view.ranks is not None
    text = (
        f"{view.ranks.caption}. Rank 1 is the best. Learners under one thick bar do not differ "
        "significantly (Demšar 2006)."
    )
    return f"<figure>{rank_diagram(view.ranks)}<figcaption>{escape(text)}</figcaption></figure>"


def _picture(view: Overview) -> Sequence[str]:
    size = next((name for name in SIZES if name in view.tables), None)
    main = view.main
    if size is None or main.score in (*SIZES, *TIMES) or len(main.learners) < 2:
        return []
    picture = size_picture(main, view.tables[size])
    if not picture:
        return []
    over = "; means over the data sets" if len(main.datasets) > 1 else ""
    text = f"Blue: no other learner is both smaller and better{over}."
    without = [
        name for j, name in enumerate(main.learners) if np.isnan(view.tables[size].mean[:, j]).all()
    ]
    if without:
        text += f" Without a size: {', '.join(without)}."
    title = f"{_title(main)} against size"
    return [
        f"<h2>{escape(title)}</h2><figure>{picture}<figcaption>{escape(text)}</figcaption></figure>"
    ]


def _times(table: ScoreTable) -> str:
    """Write the mean time of each learner with a bar, and the table by data set folded away."""
    values = table.average
    longest = np.nanmax(values) if not np.isnan(values).all() else np.nan
    rows = []
    for j in np.argsort(np.nan_to_num(values, nan=np.inf), kind="stable"):
        share = 0.0 if np.isnan(values[j]) or not longest > 0 else values[j] / longest
        bar = f'<span class="bar" style="width:{max(100 * share, 0.5):.1f}%"></span>'
        rows.append(
            f'<tr><th scope="row">{escape(table.learners[j])}</th>'
            f'<td>{escape(table.format(float(values[j])))} s</td><td class="bars">{bar}</td></tr>'
        )
    over = f"mean of {len(table.datasets)} data sets, " if len(table.datasets) > 1 else ""
    return (
        f'<div class="wide"><table><tbody>{"".join(rows)}</tbody></table></div>'
        f'<p class="soft">Seconds per fold, {over}on the machine that ran it.</p>'
        f"<details><summary>By data set</summary>{score_table(table)}</details>"
    )
