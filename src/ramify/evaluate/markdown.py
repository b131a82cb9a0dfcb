"""A comparison as Markdown."""

from __future__ import annotations

from ramify.evaluate.results import Results
from ramify.evaluate.tables.beats import count_beats
from ramify.evaluate.tables.overview import (
    by_learner,
    headline,
    how_sentence,
    overview,
    versions_sentence,
)
from ramify.evaluate.tables.text import escape_markdown, markdown_table


def comparison_to_markdown(found: Results) -> str:
    """Write what was compared and how, a table per score, counts, ranks and versions."""
    view = overview(found)
    parts = [f"# {escape_markdown(headline(found))}", escape_markdown(how_sentence(found))]
    parts += [escape_markdown(" ".join(view.sentences))] if view.sentences else []
    if len(found.datasets) > 1:
        parts.append(markdown_table(view.header(), view.cells()))
        for table in view.tables.values():
            parts += [f"## {escape_markdown(table.label)}", table.to_markdown().strip()]
    else:
        header, rows = by_learner(list(view.tables.values()))
        parts.append(markdown_table(header, [[cell.rstrip() for cell in row] for row in rows]))
        parts.append(f"{escape_markdown(view.main.legend)}.")
    if len(found.learners) > 1:
        beats = count_beats(found, view.main.score, found.test, found.alpha)
        parts += ["## Learners beaten", beats.to_markdown().strip()]
    if view.ranks is not None:
        parts += ["## Ranks", view.ranks.to_markdown().strip()]
    parts += ["## Learners", markdown_table(["name", "learner"], list(_pairs(found)))]
    if found.failures:
        rows = [[row["dataset"], row["learner"], str(row["error"])] for row in found.failures]
        unique = [list(row) for row in dict.fromkeys(map(tuple, rows))]
        parts += ["## Failures", markdown_table(["data set", "learner", "error"], unique)]
    parts.append(escape_markdown(versions_sentence(found)))
    return "\n\n".join(parts) + "\n"


def _pairs(found: Results) -> list[list[str]]:
    return [[name, found.about_learners.get(name, "")] for name in found.learners]
