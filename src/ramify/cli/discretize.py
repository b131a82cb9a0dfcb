"""`ramify discretize`: the numeric columns of a table cut where the classes change."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify._csv_rows import CsvRows
from ramify._output_file import open_text
from ramify.cli._options import (
    Ignore,
    Jobs,
    Json,
    KeepFormulas,
    Nominal,
    Numeric,
    Reading,
    TableFile,
    Target,
    Task,
    check_outputs,
)


class Method(StrEnum):
    """How the thresholds are found."""

    mid = "mid"
    mdlp = "mdlp"
    chimerge = "chimerge"


class Encode(StrEnum):
    """What a cut column becomes."""

    ordinal = "ordinal"
    thresholds = "thresholds"
    onehot = "onehot"


def discretize(
    file: TableFile,
    *,
    target: Target = None,
    method: Annotated[Method, typer.Option(help="How thresholds are found.")] = Method.mdlp,
    n_thresholds: Annotated[
        str | None, typer.Option(help="mid: a number, all or mdl; 45 if not given.")
    ] = None,
    encode: Annotated[Encode, typer.Option(help="What a column becomes.")] = Encode.ordinal,
    output: Annotated[Path | None, typer.Option(help="CSV to write, the target last.")] = None,
    ignore: Ignore = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    keep_formulas: KeepFormulas = False,
    jobs: Jobs = None,
    json: Json = False,
    reading: Reading,
) -> None:
    """Find thresholds by the classes of a table, print them and write the cut table."""
    from ramify.cli import _output as out
    from ramify.cli._target import settle_target

    check_outputs({"--output": output}, reads=[file])
    table = reading.table(file, target=target, ignore=ignore, nominal=nominal, numeric=numeric)
    table, y, _, notes = settle_target(table, Task.classification)
    found = _discretizer(method, n_thresholds, encode, jobs)
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
            rows.write([[*cut, table.target_name]])
            rows.write(zip(*(_cells(c) for c in cut.values()), y.tolist(), strict=True))
    if json:
        out.print_json({"thresholds": thresholds, "notes": notes, "output": output})
        return
    console = out.make_console()
    console.print(out.styled((str(file), "bold")))
    console.print(out.table_line(table))
    for note in notes:
        console.print(out.styled((note, "dim")))
    for name, cuts in thresholds.items():
        shown = ", ".join(f"{value:.6g}" for value in cuts[:12])
        more = f", +{len(cuts) - 12}" if len(cuts) > 12 else ""
        console.print(out.styled((name, "bold"), f": {shown}{more}" if cuts else ": not cut"))
    if output is not None:
        console.print(f"{table.n_rows:,} rows of {len(cut)} columns written to {output}")


def _discretizer(method: Method, n_thresholds: str | None, encode: Encode, jobs: int | None) -> Any:
    from ramify import discretize as parts

    if method is not Method.mid:
        if n_thresholds is not None:
            raise ValueError(f"--n-thresholds does not go with --method {method}")
        kinds = {Method.mdlp: parts.MDLPDiscretizer, Method.chimerge: parts.ChiMergeDiscretizer}
        return kinds[method](encode=str(encode), n_jobs=jobs)
    wanted: Any = 45 if n_thresholds is None else n_thresholds
    if isinstance(wanted, str) and wanted.isdecimal():
        wanted = int(wanted)
    return parts.MIDDiscretizer(n_thresholds=wanted, encode=str(encode), n_jobs=jobs)


def _cells(column: Any) -> list[Any]:
    """Give the cells as they are written: whole numbers without a point, nothing where missing."""
    if column.dtype == object:
        return ["" if cell is None else cell for cell in column.tolist()]
    return ["" if math.isnan(cell) else int(cell) for cell in column.tolist()]
