"""Going through the columns of a table: what they are, how much they tell, what is odd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.tables.levels import RARE
from ramify.tables.profiling.association import (
    Association,
    Target,
    association,
    best_association,
    levels_of,
)
from ramify.tables.profiling.cardinality import POOLED, has_many_levels, level_finding, pool
from ramify.tables.profiling.column_profile import (
    ColumnProfile,
    ColumnRole,
    Content,
    content_of,
    kind_of,
)
from ramify.tables.profiling.findings import Finding, FindingKind, dropped, join_findings, option
from ramify.tables.profiling.gaps import missing_tells
from ramify.tables.profiling.identifiers import Identifier, is_time, look_for_identifier
from ramify.tables.profiling.leaks import find_leak
from ramify.tables.profiling.names import is_time_or_rank
from ramify.tables.profiling.profile import Profile
from ramify.tables.profiling.read_as import note_findings, reading_findings, text_finding
from ramify.tables.profiling.same import same_columns, same_findings
from ramify.tables.profiling.target import (
    ProfileTarget,
    Task,
    as_target_table,
    target_findings,
    target_of,
)
from ramify.tables.reading import Note, Reading
from ramify.tables.table import Table

#: Association is measured in at most this many rows, drawn at random.
_MOST_ROWS = 100_000


def profile(
    X: Any,
    y: Any = None,
    *,
    task: Task | None = None,
    target: str = "y",
    readings: Mapping[str, Reading] | None = None,
    notes: Sequence[Note] = (),
) -> Profile:
    """Say what the columns of a table are, how much each explains of the target, and what is odd.

    Parameters
    ----------
    X : dataframe, array, dict of columns or list of rows
        As for ``fit``; a `Table` is taken, too.
    y : array-like or str, optional
        The target, or the name of its column in `X`. Without it, there are no associations, and
        leaks are not looked for.
    task : {"classification", "regression"}, optional
        What the target is. None takes text as classes, and whole numbers with at most ten different
        values, too.
    target : str, default="y"
        The name of `y` in sentences.
    readings : mapping of str to Reading, optional
        Text columns of a file that were read as numbers or dates, with an example. All other text
        then stays text.
    notes : sequence of Note, default=()
        What the reader of the file noted, such as new names of columns.

    Returns
    -------
    Profile
        It prints as a table; ``profile.findings`` lists what is noteworthy.

    Examples
    --------
    >>> cars = {"name": [f"car {i}" for i in range(60)], "weight": [i % 7 for i in range(60)]}
    >>> found = profile(cars, [i % 7 > 3 for i in range(60)], target="heavy")
    >>> found.left_out
    ('name',)
    >>> for finding in found.findings:
    ...     print(finding)
    weight nearly determines heavy: alone it explains 99.7 % of it. Is weight known before heavy \
is? Kept; --ignore weight leaves it out.
    name looks like an identifier: 60 different texts in 60 rows. Left out; --use name keeps it.
    """
    table = X if isinstance(X, Table) else Table.read(X)
    answers: ProfileTarget | None = None
    if isinstance(y, str):
        table, answers = _apart(table, y, task)
    elif y is not None:
        answers = _beside(table, y, target, task)
    return _Profiler(table, answers).profile(readings, notes)


def _apart(table: Table, name: str, task: str | None) -> tuple[Table, ProfileTarget]:
    names = table.schema.names
    if name not in names:
        raise ValueError(f"y={name!r} is no column of X; its columns are {', '.join(names)}.")
    j = names.index(name)
    answers = target_of(table, j, name, task)
    return table.select([i for i in range(len(names)) if i != j]), answers


def _beside(table: Table, y: Any, name: str, task: str | None) -> ProfileTarget:
    column = as_target_table(y)
    if column.n_rows != table.n_rows:
        raise ValueError(f"X has {table.n_rows:,} rows, but y has {column.n_rows:,}.")
    return target_of(column, 0, name, task)


class _Profiler:
    """Goes through the columns of a table once."""

    def __init__(self, table: Table, answers: ProfileTarget | None) -> None:
        self.table, self.answers = table, answers
        self.content = [content_of(table, j) for j in range(len(table))]
        self.roles: list[ColumnRole] = ["predictor"] * len(table)
        self.findings: list[Finding] = []
        self.rows, self.sample = self._draw()

    def _draw(self) -> tuple[NDArray[np.intp], Target | None]:
        if self.answers is None:
            return np.arange(0), None
        rows = np.flatnonzero(self.answers.known)
        if len(rows) > _MOST_ROWS:
            rows = np.sort(np.random.default_rng(0).permutation(rows)[:_MOST_ROWS])
        return rows, self.answers.take(rows)

    def profile(self, readings: Mapping[str, Reading] | None, noted: Sequence[Note]) -> Profile:
        table, answers = self.table, self.answers
        shares = [self._share(j) for j in range(len(table))]
        best = self._best(shares)
        for j, share in enumerate(shares):
            self._look_at(j, share, best, from_file=readings is not None)
        self._look_for_twins()
        for j, share in enumerate(shares):
            # a time is known beforehand, however smooth the target's way through it is
            column = table.schema.columns[j]
            time = is_time(column) or is_time_or_rank(column.name)
            if share is not None and self.roles[j] == "predictor" and not time:
                self._look_for_leak(j, share)
        self._look_for_gaps()
        self._keep_something()
        read = reading_findings(table.schema.columns, readings or {})
        about = [] if answers is None else target_findings(answers)
        pooled = any(one.done == POOLED for one in self.findings)
        own = [pool(one) if pooled else one for one in self.findings]  # all columns or none
        left_out = tuple(one.column for one in own if _leaves_out(one) and one.column)
        read = [one for one in read if one.column not in left_out]  # it is not used as anything
        notes = [*read, *note_findings(noted, left_out)]
        every = [*about, *join_findings([*own, *notes], rare=RARE)]
        findings = sorted(every, key=lambda one: not one.loud)
        classes = 0 if answers is None else len(answers.labels)
        return Profile(
            n_rows=table.n_rows,
            columns=tuple(map(self._column, range(len(table)), shares)),
            findings=tuple(findings),
            target=None if answers is None else answers.name,
            task=None if answers is None else answers.task,
            classes=classes,
            baseline=None if answers is None else answers.baseline,
            left_out=left_out,
            min_level_count=RARE if pooled else 1,
        )

    def _column(self, j: int, share: Association | None) -> ColumnProfile:
        column, content = self.table.schema.columns[j], self.content[j]
        return ColumnProfile(
            name=column.name,
            kind=kind_of(column),
            role=self.roles[j],
            distinct=content.distinct,
            missing=content.missing / self.table.n_rows,
            association=None if share is None else round(share.unseen, 6),
            examples=content.examples,
        )

    def _share(self, j: int) -> Association | None:
        if self.sample is None:
            return None
        column, values = self.table.schema.columns[j], self.table.column(j)[self.rows]
        if column.kind == "numeric":
            return best_association(values, self.sample)
        return association(levels_of(values, len(column.levels)), self.sample)

    def _best(self, shares: list[Association | None]) -> tuple[str, float]:
        """Give the column that explains most in rows that are left out, and how much.

        Columns of very many levels and identifiers do not count. Without the former, nobody asks.
        """
        counts = {j: one.counts for j, one in enumerate(self.content)}
        many = {j for j, of in counts.items() if of is not None and has_many_levels(of)}
        best = ("", 0.0)
        for j, share in enumerate(shares if many else ()):
            if share is None or j in many or share.unseen <= best[1]:
                continue
            if look_for_identifier(self.table, j) is None:
                best = (self.table.schema.names[j], share.unseen)
        return best

    def _look_at(
        self, j: int, share: Association | None, best: tuple[str, float], *, from_file: bool
    ) -> None:
        """Look at a column by itself, and beside the one that explains most."""
        column, content = self.table.schema.columns[j], self.content[j]
        if content.constant:
            self.roles[j] = "constant"
            self.findings.append(_constant(column.name, content))
        elif not from_file and (written := text_finding(column)) is not None:
            self.findings.append(written)
        elif (found := look_for_identifier(self.table, j)) is not None:
            self.roles[j] = found.role
            self.findings.append(_identifier(found))
        elif column.kind == "nominal" and content.counts is not None:
            name = "" if self.answers is None else self.answers.name
            note = level_finding(column.name, content.counts, share, target=name, best=best)
            if note is not None:
                self.findings.append(note)
                self.roles[j] = "text of many levels" if _leaves_out(note) else "predictor"

    def _look_for_twins(self) -> None:
        skip = {j for j, role in enumerate(self.roles) if role != "predictor"}
        twins = same_columns(self.table, skip)
        equal = [one.column for one in twins if one.how == "equal"]
        for j in equal:
            self.roles[j] = "duplicate"
        gone = {self.table.schema.names[j] for j in equal}  # nothing else is said of these
        self.findings = [one for one in self.findings if one.column not in gone]
        self.findings += same_findings(self.table, twins)

    def _look_for_leak(self, j: int, share: Association) -> None:
        assert self.answers is not None
        assert self.sample is not None
        name, values = self.table.schema.names[j], self.table.column(j)[self.rows]
        found = find_leak(name, values, share, self.sample, target_name=self.answers.name)
        if found is not None:
            self.findings.append(found)

    def _look_for_gaps(self) -> None:
        if self.sample is None or self.answers is None:
            return
        for j, content in enumerate(self.content):
            if self.roles[j] == "predictor" and content.missing:
                gaps = self.table.missing(j)[self.rows]
                name = self.table.schema.names[j]
                found = missing_tells(name, gaps, self.sample, target_name=self.answers.name)
                if found is not None:
                    self.findings.append(found)

    def _keep_something(self) -> None:
        """Leave out nothing if no column would be left."""
        if "predictor" in self.roles:
            return
        self.findings = [
            replace(one, done="kept, since no other column is left", overrule="")
            if _leaves_out(one)
            else one
            for one in self.findings
        ]


def _leaves_out(finding: Finding) -> bool:
    return finding.done == "left out"


def _constant(name: str, content: Content) -> Finding:
    what = "has no value"
    if content.distinct:
        what = f"is {content.examples[0].strip() or 'blank text'} in every row"
    use = option("--use", name)
    return Finding(name, "constant", f"{name} {what}.", "left out", use, dropped(name))


def _identifier(found: Identifier) -> Finding:
    kinds: dict[str, FindingKind] = {
        "identifier": "identifier",
        "row index": "row_index",
        "free text": "free_text",
    }
    words = {"identifier": "an identifier", "row index": "a row number", "free text": "free text"}
    reason, _, python = found.reason.partition("; ")  # a remedy that is for Python alone
    text = f"{found.name} looks like {words[found.role]}: {reason}"
    text = text if text.endswith(".") else f"{text}."
    use = option("--use", found.name)
    in_python = 'identifiers="drop" leaves it out, identifiers="keep" keeps it without a warning'
    return Finding(found.name, kinds[found.role], text, "left out", use, python or in_python)
