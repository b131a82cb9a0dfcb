"""A profile as text and as HTML."""

from __future__ import annotations

from html import escape
from typing import Protocol

from ramify.tables.profiling.column_profile import ColumnProfile
from ramify.tables.profiling.findings import Finding
from ramify.tables.profiling.words import counted, percent

_BAR = 10
_WIDTH = 100
_LONGEST_NAME = 28
_BLOCKS = " ▏▎▍▌▋▊▉█"


class Shown(Protocol):
    """What is shown of a profile."""

    @property
    def n_rows(self) -> int: ...  # noqa: D102
    @property
    def columns(self) -> tuple[ColumnProfile, ...]: ...  # noqa: D102
    @property
    def findings(self) -> tuple[Finding, ...]: ...  # noqa: D102
    @property
    def target(self) -> str | None: ...  # noqa: D102
    @property
    def task(self) -> str | None: ...  # noqa: D102
    @property
    def classes(self) -> int: ...  # noqa: D102
    @property
    def baseline(self) -> float | None: ...  # noqa: D102
    @property
    def left_out(self) -> tuple[str, ...]: ...  # noqa: D102


def headline(profile: Shown) -> str:
    """Give the size of the table and what the target is in one line."""
    size = f"{counted(profile.n_rows, 'row')}, {counted(len(profile.columns), 'column')}"
    if profile.target is None:
        return size
    if profile.task == "regression":
        return f"{size}; target {profile.target}: numbers"
    if not profile.classes:
        return f"{size}; target {profile.target}: no known value"
    if profile.classes == 1:
        return f"{size}; target {profile.target}: the same in every row; nothing can be learnt"
    share = profile.baseline
    large = "" if share is None else f", the largest {percent(share)} of the rows"
    return f"{size}; target {profile.target}: {counted(profile.classes, 'class')}{large}"


def bar(share: float, width: int = _BAR) -> str:
    """Draw a share as a bar.

    Examples
    --------
    >>> bar(0.55), bar(0.04)
    ('█████▌    ', '▍         ')
    """
    eighths = min(max(round(share * width * 8), 0), width * 8)
    full, part = divmod(eighths, 8)
    return f"{'█' * full}{_BLOCKS[part] if part else ''}".ljust(width)


def table_rows(profile: Shown) -> list[list[str]]:
    """Give the cells of the table of columns, its heading first."""
    scored = profile.target is not None
    heading = ["column", "kind", "distinct", "missing", "explains alone", "examples"]
    rows = [heading, *(_cells(column, profile) for column in profile.columns)]
    return rows if scored else [row[:4] + row[5:] for row in rows]


def _cells(column: ColumnProfile, profile: Shown) -> list[str]:
    name = " ".join(column.name.split())  # on one line
    if len(name) > _LONGEST_NAME:
        name = f"{name[: _LONGEST_NAME - 1]}…"
    out = column.name in profile.left_out
    share = column.association or 0.0
    explains = "left out" if out else f"{bar(share)} {percent(share):>7}"
    joint = ", " if column.kind in ("nominal", "ordinal") else " … "
    missing = percent(column.missing) if column.missing else ""
    kind = f"{column.kind}, out" if out and profile.target is None else column.kind
    return [name, kind, f"{column.distinct:,}", missing, explains, joint.join(column.examples)]


def aligned(rows: list[list[str]], width: int = _WIDTH) -> list[str]:
    """Give rows of cells as lines no longer than the width; figures stand at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = {2, 3}
    lines = []
    for row in rows:
        cells = [
            cell.rjust(size) if j in right else cell.ljust(size)
            for j, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        lines.append(line if len(line) <= width else f"{line[: width - 1].rstrip()}…")
    return lines


def as_text(profile: Shown, width: int = _WIDTH) -> str:
    """Give a profile as text."""
    lines = [headline(profile), "", *aligned(table_rows(profile), width), ""]
    if not profile.findings:
        lines.append("No findings.")
    for finding in profile.findings:
        lines.append(f"{'!' if finding.loud else '-'} {finding.text}")
        if finding.remedy:
            lines.append(f"  ramify fit: {finding.remedy}")
        if finding.in_python:
            lines.append(f"  in Python: {finding.in_python}")
    return "\n".join(lines)


def as_html(profile: Shown) -> str:
    """Give a profile as HTML for a notebook."""
    heading, *rows = table_rows(profile)
    shares = [column.association for column in profile.columns]
    right = 'style="text-align:right"'
    body = []
    for row, share, column in zip(rows, shares, profile.columns, strict=True):
        cells = []
        for j, cell in enumerate(row):
            if heading[j] == "explains alone" and column.name not in profile.left_out:
                length = f"{60 * (share or 0.0):.0f}px"
                block = f"display:inline-block;width:{length};height:.7em;background:#4c78a8"
                cells.append(
                    f'<td style="text-align:left"><span style="{block}"></span> '
                    f"{percent(share or 0.0)}</td>"
                )
            else:
                where = right if j in (2, 3) else 'style="text-align:left"'
                cells.append(f"<td {where}>{escape(cell)}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    head = "".join(f'<th style="text-align:left">{escape(cell)}</th>' for cell in heading)
    notes = "".join(
        f"<li>{'<b>' if one.loud else ''}{escape(one.text)}{'</b>' if one.loud else ''} "
        f'<span style="opacity:.7">{escape(one.in_python or one.remedy)}</span></li>'
        for one in profile.findings
    )
    listed = f"<ul>{notes}</ul>" if notes else "<p>No findings.</p>"
    return (
        f"<div><p>{escape(headline(profile))}</p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>{listed}</div>"
    )
