"""The table of a session: how the file is read, what its columns are for, and what is in them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ramify.datasets import Dataset, preview_table_file, read_column_names, read_table_file
from ramify.learning.measures.positive import positive_class
from ramify.steps.columns import look_at_columns
from ramify.steps.target import settle_target
from ramify.steps.task import Task
from ramify.support.page.bins import in_bins
from ramify.support.suggest import unknown_column
from ramify.tables import Profile, profile

Role = Literal["use", "ignore", "weight"]
Kind = Literal["number", "category", "date"]
ROLES: tuple[Role, ...] = ("use", "ignore", "weight")
KINDS: tuple[Kind, ...] = ("number", "category", "date")
_READ_AS: dict[str, Literal["number", "text", "date"]] = {
    "number": "number",
    "category": "text",
    "date": "date",
}
_SHOWN_ROWS = 12
_SHOWN_CLASSES = 12
_BINS = 20
#: With more classes a column is no likely target.
_MANY_CLASSES = 30


@dataclass(frozen=True)
class Parsing:
    """How a file is written; None is found in the file."""

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool = True
    sheet: str | None = None
    missing: tuple[str, ...] | None = None

    def for_reader(self) -> dict[str, Any]:
        """Give it as the readers take it, without what is as usual."""
        found: dict[str, Any] = {"rename_duplicates": True}
        for name in ("delimiter", "decimal", "encoding", "sheet"):
            if getattr(self, name):
                found[name] = getattr(self, name)
        if not self.header:
            found["header"] = False
        if self.missing is not None:
            found["missing"] = list(self.missing)
        return found


@dataclass(frozen=True)
class Choices:
    """What the user decided about the table.

    Parameters
    ----------
    parsing : Parsing
    kinds : mapping of str to {"number", "category", "date"}
        Columns that are read otherwise than they look.
    roles : mapping of str to {"use", "ignore", "weight"}
        What columns are for, where the user said so.
    target : str or None
        The column to predict; None is not chosen yet.
    task : Task
    positive : str or None
        The class that counts as positive; None is the usual one.
    hold_out : bool
        Whether a fifth of the rows is held out.
    min_level_count : int or None
        Levels with fewer rows are pooled; None lets the profile say.
    """

    parsing: Parsing = Parsing()
    kinds: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    target: str | None = None
    task: Task = Task.auto
    positive: str | None = None
    hold_out: bool = True
    min_level_count: int | None = None

    def of_role(self, role: str) -> list[str]:
        """Give the columns that the user gave a role."""
        return [name for name, own in self.roles.items() if own == role and name != self.target]

    @property
    def weight(self) -> str | None:
        """The column of weights."""
        return next(iter(self.of_role("weight")), None)

    def reader_kinds(self) -> dict[str, Any]:
        """Give the kinds as the readers take them."""
        return {name: _READ_AS[kind] for name, kind in self.kinds.items()}

    def to_dict(self) -> dict[str, Any]:
        """Give a form that JSON can hold."""
        missing = self.parsing.missing
        return {
            "parsing": {
                **vars(self.parsing),
                "missing": None if missing is None else list(missing),
            },
            "kinds": dict(self.kinds),
            "roles": dict(self.roles),
            "target": self.target,
            "task": str(self.task),
            "positive": self.positive,
            "hold_out": self.hold_out,
            "min_level_count": self.min_level_count,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Choices:
        """Undo `to_dict`; a ValueError says what is wrong."""
        parsing = dict(_of(data, "parsing", dict, {}))
        missing = parsing.get("missing")
        if missing is not None:
            parsing["missing"] = tuple(map(str, missing))
        known = vars(Parsing())
        for name, value in parsing.items():
            kind = bool if name == "header" else (str, type(None))
            if name not in known or (name != "missing" and not isinstance(value, kind)):
                raise ValueError(f"parsing: {name}={value!r} is not understood")
        kinds, roles = _of(data, "kinds", dict, {}), _of(data, "roles", dict, {})
        _check_words("kinds", kinds, KINDS)
        _check_words("roles", roles, ROLES)
        task = data.get("task", "auto")
        if task not in Task.__members__:
            raise ValueError(f"task={task!r} is not one of {', '.join(Task)}")
        least = data.get("min_level_count")
        if least is not None and (type(least) is not int or least < 0):
            raise ValueError(f"min_level_count={least!r} must be a whole number of at least 0")
        found = cls(
            parsing=Parsing(**parsing),
            kinds=kinds,
            roles=roles,
            target=_of(data, "target", (str, type(None)), None),
            task=Task(task),
            positive=_of(data, "positive", (str, type(None)), None),
            hold_out=_of(data, "hold_out", bool, True),
            min_level_count=least,
        )
        if len(found.of_role("weight")) > 1:
            raise ValueError("one column at most holds the weights of the rows")
        return found


def _of(data: Mapping[str, Any], name: str, kind: Any, default: Any) -> Any:
    value = data.get(name, default)
    if not isinstance(value, kind):
        raise ValueError(f"{name}={value!r:.80} is not understood")
    return value


def _check_words(name: str, given: Mapping[str, Any], valid: tuple[str, ...]) -> None:
    for column, word in given.items():
        if word not in valid:
            raise ValueError(f"{name}: {column!r} is {word!r}, and not one of {', '.join(valid)}")


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table that a tree can be grown from.

    Parameters
    ----------
    file : Path
    table : Dataset
        The rows that have a target, with the columns that are used.
    rows : ndarray of int
        The places of these rows in the file, from 0.
    y : ndarray
        Their target.
    weights : ndarray or None
    task : Task
    profile : Profile
    left_out : tuple of str
        Columns that are left out because of what is in them.
    notes : tuple of str
        What was done to the rows and the target.
    choices : Choices
    """

    file: Path
    table: Dataset
    rows: NDArray[np.intp]
    y: NDArray[Any]
    weights: NDArray[np.float64] | None
    task: Task
    profile: Profile
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    choices: Choices

    @property
    def target(self) -> str:
        """The name of the target."""
        return str(self.table.target_name)

    @property
    def min_level_count(self) -> int:
        """Levels with fewer rows are pooled."""
        least = self.choices.min_level_count
        return self.profile.min_level_count if least is None else least

    @cached_property
    def classes(self) -> list[Any]:
        """The classes of the target, sorted; empty if it is a number."""
        return [] if self.task is Task.regression else np.unique(self.y).tolist()

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The rows of every class."""
        return np.asarray(np.unique(self.y, return_counts=True)[1], dtype=np.int64)

    @cached_property
    def range_of_target(self) -> dict[str, Any]:
        """How the numbers of the target are distributed."""
        low, median, high = np.quantile(self.y, [0, 0.5, 1]).tolist()
        return {"low": low, "median": median, "high": high, "bins": _bins(self.y)}

    @cached_property
    def positive(self) -> int:
        """The place of the positive class."""
        names = [str(label) for label in self.classes]
        if self.choices.positive in names:
            return names.index(self.choices.positive)
        return positive_class(np.array(self.classes, dtype=self.y.dtype)) if names else 0


def read(file: Path, choices: Choices, *, progress: Any = None) -> Dataset:
    """Read all columns of a file, with no target set apart."""
    kinds = choices.reader_kinds()
    return read_table_file(file, kinds=kinds, progress=progress, **choices.parsing.for_reader())


def column_names(file: Path, choices: Choices) -> list[str]:
    """Give the names of the columns of a file."""
    given = choices.parsing.for_reader()
    signs = {
        name: given[name] for name in ("delimiter", "encoding", "header", "sheet") if name in given
    }
    return read_column_names(file, rename_duplicates=True, **signs)


def with_target(table: Dataset, name: str) -> Dataset:
    """Set a column apart as the target."""
    if name not in table.data:
        raise unknown_column(name, table.data, what="target")
    return replace(table.without(name), target=table.data[name], target_name=name)


def prepare(file: Path, table: Dataset, choices: Choices) -> Prepared:
    """Settle the target, leave out columns, and look at the others.

    Parameters
    ----------
    file : Path
        Where the table comes from.
    table : Dataset
        All columns, as `read` gives them.
    choices : Choices
        With a target.
    """
    if choices.target is None:
        raise ValueError("choose the column to predict")
    for name in choices.roles:
        if name not in table.data:
            raise unknown_column(name, table.data)
    weight = choices.weight
    apart = with_target(table, choices.target)
    weights = None if weight is None else _weights(weight, apart.data[weight])
    gone = [name for name in (*choices.of_role("ignore"), weight) if name is not None]
    marked = replace(apart.without(*gone), readings=_without(apart.readings, gone))
    numbers = np.arange(marked.n_rows, dtype=np.intp)
    known = _known(marked.y)
    rows, y, task, notes = settle_target(marked, choices.task)
    places = numbers[known] if rows.n_rows < marked.n_rows else numbers
    use = [name for name in choices.of_role("use") if name in rows.data]
    least = choices.min_level_count
    found = look_at_columns(rows, y, task, use=use, min_level_count=least)
    return Prepared(
        file=file,
        table=rows.without(*found.left_out),
        rows=places,
        y=y,
        weights=None if weights is None else weights[places],
        task=task,
        profile=found,
        left_out=found.left_out,
        notes=tuple(notes),
        choices=choices,
    )


def _without(readings: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    return {name: one for name, one in readings.items() if name not in names}


def _known(y: NDArray[Any]) -> NDArray[np.bool_]:
    if y.dtype == object:
        return np.array([cell is not None for cell in y.tolist()], dtype=bool)
    return np.asarray(~np.isnan(y)) if y.dtype.kind == "f" else np.asarray(~np.isnat(y))


def _weights(name: str, values: NDArray[Any]) -> NDArray[np.float64]:
    if values.dtype != np.float64:
        raise ValueError(f"column {name!r} holds no numbers, so it cannot be the weight of rows")
    if not (np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0):
        raise ValueError(
            f"column {name!r} cannot be the weight of rows: weights are numbers of at least 0, "
            "not all 0, and none is missing"
        )
    return values


def likely_target(table: Dataset) -> str | None:
    """Give the last column that a tree could predict; None if there is none."""
    for name in reversed(list(table.data)):
        column = table.data[name]
        if column.dtype.kind in "mM" or len(table.data) < 2:
            continue
        try:
            _, y, task, _ = settle_target(with_target(table, name), Task.auto)
        except ValueError:
            continue
        if task is Task.classification and len(np.unique(y)) > _MANY_CLASSES:
            continue
        return name
    return None


# --- what the page shows ----------------------------------------------------------------------


def preview(file: Path, table: Dataset | None, parsing: Parsing) -> dict[str, Any]:
    """Give the first rows as they are written, or as they were read."""
    found = preview_table_file(
        file, delimiter=parsing.delimiter, encoding=parsing.encoding, rows=_SHOWN_ROWS + 1
    )
    if found is not None:
        head = found.rows[0] if parsing.header and found.rows else []
        rows = found.rows[1:] if parsing.header else found.rows
        width = max(map(len, found.rows), default=0)
        names = [*head, *[""] * (width - len(head))] if parsing.header else _numbered(width)
        return {
            "text": True,
            "delimiter": found.delimiter,
            "encoding": found.encoding,
            "names": names,
            "rows": rows[:_SHOWN_ROWS],
        }
    rows = []
    if table is not None:
        columns = [column[:_SHOWN_ROWS].tolist() for column in table.data.values()]
        rows = [[_cell(value) for value in row] for row in zip(*columns, strict=True)]
    names = [] if table is None else list(table.data)
    return {"text": False, "delimiter": "", "encoding": "", "names": names, "rows": rows}


def _numbered(width: int) -> list[str]:
    return [f"x{j}" for j in range(width)]


def _cell(value: Any) -> str:
    if value is None or str(value) in ("nan", "NaT"):
        return ""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)[:200]


@dataclass(frozen=True, eq=False)
class Looked:
    """What is known of all columns of a table, also of those that are not used.

    Parameters
    ----------
    profile : Profile
        Without a target.
    bins : dict of str to list of int
        The histograms of numbers and dates.
    """

    profile: Profile
    bins: dict[str, list[int] | None]

    @classmethod
    def at(cls, table: Dataset) -> Looked:
        """Look at all columns."""
        found = profile(table.data, readings=table.readings, notes=table.notes)
        return cls(found, {name: _bins(cells) for name, cells in table.data.items()})


def columns_json(
    table: Dataset, whole: Looked, prepared: Prepared | None, choices: Choices
) -> list[Any]:
    """Give one entry per column of the file: what it holds and what it is for."""
    target = choices.target
    known = {one.name: one for one in whole.profile.columns}
    if prepared is not None:
        known |= {one.name: one for one in prepared.profile.columns}
    left_out = {*(prepared.left_out if prepared is not None else ())}
    found = []
    for name in table.data:
        one = known.get(name)
        role = choices.roles.get(name, "use")
        reading = table.readings.get(name)
        entry: dict[str, Any] = {
            "name": name,
            "role": "target" if name == target else role,
            "left_out": name in left_out and role == "use",
            "chosen": name in choices.roles,
            "read_as": None if reading is None else str(reading),
            "asked_kind": choices.kinds.get(name),
            "bins": whole.bins[name],
        }
        if one is not None:
            entry |= one.to_dict() | {"why": one.role, "role": entry["role"]}
        found.append(entry)
    return found


def _bins(cells: NDArray[Any]) -> list[int] | None:
    """Give rows in bins of equal width, for numbers and dates."""
    if cells.dtype == object:
        return None
    values = cells.astype(np.float64) if cells.dtype.kind in "f" else _as_numbers(cells)
    finite = values[np.isfinite(values)]
    if not len(finite) or finite.min() == finite.max():
        return None
    low, high = np.quantile(finite, [0.005, 0.995]).tolist()
    if not (np.isfinite(high - low) and high > low):
        return None
    return in_bins(np.clip(finite, low, high) - low, high - low, _BINS)


def _as_numbers(cells: NDArray[Any]) -> NDArray[np.float64]:
    missing = np.isnat(cells)
    return np.where(missing, np.nan, cells.astype(np.int64).astype(np.float64))


def findings_json(found: Profile) -> list[dict[str, Any]]:
    """Give the findings with what one click does about each."""
    return [one.to_dict() | {"remedies": remedies(one.overrule)} for one in found.findings]


def remedies(overrule: str) -> list[dict[str, Any]]:
    """Read what an option of the command line would do, as a button and a change of choices.

    Examples
    --------
    >>> remedies("--ignore 'paid late'")
    [{'label': 'Leave it out', 'change': {'role': ['paid late', 'ignore']}}]
    """
    try:
        words = shlex.split(overrule)
    except ValueError:
        return []
    if len(words) < 2 or words[1] == "COLUMN":
        return []
    option, value = words[0], words[1]
    labels = {
        "--ignore": ("Leave it out", {"role": [value, "ignore"]}),
        "--use": ("Use it all the same", {"role": [value, "use"]}),
        "--nominal": ("Keep it as text", {"kind": [value, "category"]}),
        "--numeric": ("Read it as numbers", {"kind": [value, "number"]}),
        "--min-level-count": (
            "Keep rare levels" if value == "1" else "Pool rare levels",
            {"min_level_count": int(value) if value.isdecimal() else None},
        ),
        "--class-weight": ("Give the classes the same weight", {"balanced": True}),
        "--task": (f"Take it for {value}", {"task": value}),
    }
    if option not in labels:
        return []
    label, change = labels[option]
    return [{"label": label, "change": change}]


def target_json(prepared: Prepared) -> dict[str, Any]:
    """Give the distribution of the target."""
    if prepared.task is Task.regression:
        return prepared.range_of_target
    counts = prepared.counts
    labels = prepared.classes
    order = np.argsort(-counts, kind="stable")[:_SHOWN_CLASSES]
    return {
        "classes": [[str(labels[i]), int(counts[i])] for i in order.tolist()],
        "n_classes": len(labels),
        "positive": str(labels[prepared.positive]),
        "names": list(map(str, labels)) if len(labels) <= 60 else [],
    }
