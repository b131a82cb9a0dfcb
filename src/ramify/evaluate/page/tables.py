"""Tables of the page in HTML; every cell is escaped here."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ramify.evaluate.tables.score_table import BETTER, ScoreTable

_LEFT = ' class="left"'


def html_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, code: int | None = None, foot: int = 0
) -> str:
    """Write a table of text; `code` is a column of code, the last `foot` rows are sums."""
    body = [_row(row, code) for row in rows]
    head = "".join(
        f'<th scope="col"{_LEFT * (i == code)}>{escape(cell)}</th>' for i, cell in enumerate(header)
    )
    split = len(body) - foot
    end = f"<tfoot>{''.join(body[split:])}</tfoot>" if foot else ""
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body[:split])}</tbody>{end}</table></div>"
    )


def _row(row: Sequence[str], code: int | None) -> str:
    cells = [
        f'<td class="code">{escape(cell)}</td>' if i == code else f"<td>{escape(cell)}</td>"
        for i, cell in enumerate(row[1:], start=1)
    ]
    name = escape(row[0])
    return f'<tr><th scope="row" title="{name}">{name}</th>{"".join(cells)}</tr>'


def score_table(table: ScoreTable) -> str:
    """Write the table of a score with its marks, the best of each row bold."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.learners)
    rows = [_score_row(table, i) for i in range(len(table.datasets))]
    feet = []
    if len(table.datasets) > 1:
        means = (table.format(float(value)) for value in table.average)
        feet.append(
            _foot(table.mean_label, [f'{escape(text)}<span class="mark"></span>' for text in means])
        )
    if len(table.datasets) > 1 and table.wins:
        cells = [f'{text}<span class="mark"></span>' for text in table.wins_cells()]
        feet.append(_foot("win/tie/loss", cells))
    return (
        f'<div class="wide"><table><thead><tr><th scope="col">data set</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody><tfoot>{''.join(feet)}</tfoot></table></div>"
    )


def learner_table(tables: Sequence[ScoreTable]) -> str:
    """Write the tables of one data set as one: a row per learner, the best of a column bold."""
    head = "".join(f'<th scope="col">{escape(table.heading)}</th>' for table in tables)
    columns = [_score_cells(table, 0) for table in tables]
    rows = [
        f'<tr><th scope="row" title="{escape(name)}">{escape(name)}</th>{"".join(cells)}</tr>'
        for name, *cells in zip(tables[0].learners, *columns, strict=True)
    ]
    return (
        f'<div class="wide"><table><thead><tr><th scope="col">learner</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _foot(name: str, cells: list[str]) -> str:
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{name}</th>{inside}</tr>'


def _score_row(table: ScoreTable, i: int) -> str:
    name = escape(table.datasets[i])
    cells = "".join(_score_cells(table, i))
    return f'<tr><th scope="row" title="{name}">{name}</th>{cells}</tr>'


def _score_cells(table: ScoreTable, i: int) -> list[str]:
    shown = [table.format(float(value)) for value in table.mean[i]]
    known = table.mean[i][~np.isnan(table.mean[i])]
    best = ""
    if len(known) > 1:
        best = table.format(float(known.max() if table.greater_is_better else known.min()))
    cells = []
    for j, text in enumerate(shown):
        kind = ' class="top"' if text == best else ""
        cell = f"<span{kind}>{escape(text)}</span>"
        if not np.isnan(table.sd[i, j]):
            cell += f' <span class="sd">± {escape(table.format(float(table.sd[i, j])))}</span>'
        mark = table.marks[i][j]
        colour = {"": "", BETTER: " good"}.get(mark, " bad")
        cell += f'<span class="mark{colour}">{mark}</span>'
        p = table.pvalue[i, j]
        title = "" if np.isnan(p) else f' title="p = {p:.3g}"'
        cells.append(f"<td{title}>{cell}</td>")
    return cells
