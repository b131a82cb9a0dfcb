"""A comparison as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.evaluate._overview import by_learner, overview
from ramify.evaluate._text_table import escape_markdown, markdown_table

if TYPE_CHECKING:
    from ramify.evaluate._comparison import Comparison


def comparison_to_markdown(found: Comparison) -> str:
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
        parts += ["## Learners beaten", found.beats(test=found.test).to_markdown().strip()]
    if view.ranks is not None:
        parts += ["## Ranks", view.ranks.to_markdown().strip()]
    parts += ["## Learners", markdown_table(["name", "learner"], list(_pairs(found)))]
    if found.failures:
        rows = [[row["dataset"], row["learner"], str(row["error"])] for row in found.failures]
        unique = [list(row) for row in dict.fromkeys(map(tuple, rows))]
        parts += ["## Failures", markdown_table(["data set", "learner", "error"], unique)]
    parts.append(escape_markdown(versions_sentence(found)))
    return "\n\n".join(parts) + "\n"


def headline(found: Comparison) -> str:
    """Give the number of learners, and of data sets or the name of the only one, as a heading."""
    n, m = len(found.learners), len(found.datasets)
    return f"{n} learner{'s' * (n != 1)} on {f'{m} data sets' if m != 1 else found.datasets[0]}"


def how_sentence(found: Comparison) -> str:
    """Say how the results came about."""
    what = found.task.capitalize()
    about = found.about_datasets.get(found.datasets[0], {}) if len(found.datasets) == 1 else {}
    size = f" on {about['n_rows']:,} rows of {about['n_features']:,} columns" if about else ""
    classes = f" and {about['n_classes']} classes" if about.get("n_classes") else ""
    return f"{what}{size}{classes}, {found.how}: every learner saw the same folds."


def versions_sentence(found: Comparison) -> str:
    """Name the versions of what computed the results."""
    return "Computed with " + ", ".join(f"{k} {v}" for k, v in found.versions.items()) + "."


def _pairs(found: Comparison) -> list[list[str]]:
    return [[name, found.about_learners.get(name, "")] for name in found.learners]
