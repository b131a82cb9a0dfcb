"""`ramify discretize`: the numeric columns of a table cut into intervals."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from ramify.cli.files import check_outputs, read_table
from ramify.cli.learners import number_or_word
from ramify.cli.options import (
    OUTPUT,
    ColumnOptions,
    FileOptions,
    Jobs,
    Json,
    KeepFormulas,
    TableFile,
    Target,
    given,
    option,
)
from ramify.steps.task import Task
from ramify.support.csv_rows import CsvRows
from ramify.support.writer import open_text


class Method(StrEnum):
    """How the thresholds are found."""

    mid = "mid"
    mdlp = "mdlp"
    chimerge = "chimerge"
    equal_width = "equal_width"
    equal_frequency = "equal_frequency"


_WITHOUT_TARGET = (Method.equal_width, Method.equal_frequency)


class Impurity(StrEnum):
    """What a threshold of MID lowers."""

    entropy = "entropy"
    gini = "gini"
    variance = "variance"


class Encode(StrEnum):
    """What a cut column becomes."""

    ordinal = "ordinal"
    thresholds = "thresholds"
    onehot = "onehot"


def discretize(
    file: TableFile,
    *,
    target: Target = None,
    method: Annotated[Method, "How the thresholds are found."] = Method.mdlp,
    n_thresholds: Annotated[
        str | None, "--method mid: how many thresholds, a number, all or mdl. Default: 45."
    ] = None,
    impurity: Annotated[
        Impurity | None,
        "--method mid: what the thresholds make smaller; variance for a target of numbers.",
    ] = None,
    n_bins: Annotated[
        int | None,
        "--method equal_width and equal_frequency: how many intervals. Default: 5.",
    ] = None,
    encode: Annotated[
        Encode, "What a column of numbers becomes: its interval (ordinal), or columns of 0 and 1."
    ] = Encode.ordinal,
    output: Annotated[
        Path | None, option("Write the cut table to this CSV file, the target last.", panel=OUTPUT)
    ] = None,
    columns: ColumnOptions,
    keep_formulas: KeepFormulas = False,
    jobs: Jobs = -1,
    json: Json = False,
    form: FileOptions,
) -> None:
    """Find thresholds for the numbers of a table, print them and write the cut table.

    Equal width and equal frequency need no target; one that is given is not cut.
    """
    from ramify.cli import output as out
    from ramify.steps.target import settle_target

    check_outputs({"--output": output}, reads=[file])
    supervised = method not in _WITHOUT_TARGET
    found = _discretizer(
        method,
        {"n_thresholds": n_thresholds, "impurity": impurity, "n_bins": n_bins},
        {"encode": str(encode), "n_jobs": jobs},
    )
    table = read_table(file, form, columns, target=target, needs_target=supervised)
    notes: list[str] = []
    y = table.target
    if supervised:
        numbers = impurity is Impurity.variance
        task = Task.regression if numbers else Task.classification
        table, y, _, notes = settle_target(table, task, for_numbers=_AS_NUMBERS)
        if not numbers and y.dtype.kind in "iuf" and len(set(y.tolist())) > _MANY_CLASSES:
            said = f"{_AS_NUMBERS} takes them as numbers"
            notes.append(f"target {table.target_name}: every number is a class; {said}")
    with out.busy("cutting"):
        cut = found.fit(table.data, y).transform(table.data)
    thresholds = {
        column.name: found.thresholds_[j].tolist()
        for j, column in enumerate(found.schema_.columns)
        if column.kind == "numeric"
    }
    if output is not None:
        with open_text(output) as stream:
            rows = CsvRows(stream, keep_formulas=keep_formulas)
            cells = {name: _cells(column) for name, column in cut.items()}
            if y is not None:
                cells[str(table.target_name)] = _as_read(y)
            rows.write([[*cells]])
            rows.write(zip(*cells.values(), strict=True))
    if json:
        out.print_json({"thresholds": thresholds, "notes": notes, "output": output})
        return
    console = out.make_console()
    out.introduce(console, file, out.table_line(table), notes)
    for name, cuts in thresholds.items():
        times = found.schema_[name].times  # a threshold of dates is shown as one
        words = [f"{v:.6g}" if times is None else times.threshold(v).text for v in cuts[:12]]
        shown = ", ".join(words)
        more = f", +{len(cuts) - 12}" if len(cuts) > 12 else ""
        console.print(out.styled((name, "bold"), f": {shown}{more}" if cuts else ": not cut"))
    if output is not None:
        console.print(f"{table.n_rows:,} rows of {len(cut)} columns written to {output}")


#: What reads a target as numbers, and how many classes are so many that it is told.
_AS_NUMBERS, _MANY_CLASSES = "--method mid --impurity variance", 20

#: The options that only some methods have.
_OWN_OPTIONS = {
    Method.mid: ("n_thresholds", "impurity"),
    Method.equal_width: ("n_bins",),
    Method.equal_frequency: ("n_bins",),
}


def _discretizer(method: Method, options: dict[str, Any], shared: dict[str, Any]) -> Any:
    """Give the discretiser of a method; an error names an option that it does not have."""
    from ramify import discretize as parts

    wanted = given(options)
    for name in wanted:
        if name not in _OWN_OPTIONS.get(method, ()):
            option = name.replace("_", "-")
            raise ValueError(f"--{option} does not go with --method {method}")
    if "n_thresholds" in wanted:
        wanted["n_thresholds"] = number_or_word(wanted["n_thresholds"])
    kinds = {
        Method.mid: parts.MIDDiscretizer,
        Method.mdlp: parts.MDLPDiscretizer,
        Method.chimerge: parts.ChiMergeDiscretizer,
        Method.equal_width: parts.EqualWidthDiscretizer,
        Method.equal_frequency: parts.EqualFrequencyDiscretizer,
    }
    return kinds[method](**wanted, **shared)


def _as_read(target: Any) -> list[Any]:
    """Give the cells of the target, nothing where missing."""
    from ramify.tables.levels import is_missing

    return ["" if is_missing(cell) else cell for cell in target.tolist()]


def _cells(column: Any) -> list[Any]:
    """Give the cells as text files have them: no decimal point, nothing where missing."""
    if column.dtype == object:
        return ["" if cell is None else cell for cell in column.tolist()]
    return ["" if math.isnan(cell) else int(cell) for cell in column.tolist()]
