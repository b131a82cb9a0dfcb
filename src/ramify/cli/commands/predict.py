"""`ramify predict`: the predictions of a saved model, block by block."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli.files import check_outputs, load_model, read_blocks
from ramify.cli.large.options import EngineOptions, files_of
from ramify.cli.options import (
    OUTPUT,
    FileOptions,
    Jobs,
    KeepFormulas,
    ModelFile,
    TableFile,
    complete_column,
    option,
)
from ramify.support.suggest import unknown_column
from ramify.support.writer import is_same_file

if TYPE_CHECKING:
    from ramify.datasets import CellType


def predict(
    model: ModelFile,
    file: TableFile,
    *,
    output: Annotated[
        Path | None,
        option(
            "Write to this file, in the format of its ending: .csv, .tsv, .jsonl, .parquet, .xlsx "
            "or .arff. Without it, CSV is printed.",
            panel=OUTPUT,
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        option(
            "Write this column of the table, too, such as an id. Repeat it for more columns.",
            panel=OUTPUT,
            autocompletion=complete_column,
        ),
    ] = None,
    keep_all: Annotated[
        bool, option("Write all columns of the table, too.", "--keep-all", panel=OUTPUT)
    ] = False,
    proba: Annotated[
        bool, option("Add the probability of each class.", "--proba", panel=OUTPUT)
    ] = False,
    json: Annotated[
        bool, option("Write one JSON object for each row.", "--json", panel=OUTPUT)
    ] = False,
    keep_formulas: KeepFormulas = False,
    jobs: Jobs = -1,
    engine: EngineOptions,
    form: FileOptions,
) -> None:
    """Predict the rows of a table with a saved model; the file may be larger than memory.

    FILE may be a folder or a quoted pattern such as 'data/*.parquet'.
    """
    from ramify.cli.writers import find_format, open_table

    check_outputs({"--output": output}, reads=[model, file])
    if output is None and is_same_file(None, file):
        raise ValueError(f"{file}: this is the file that is read, and stdout writes to it")
    files = [file]
    if engine.wanted(file):
        engine.check(file)
        files = [Path(one) for one in files_of(file)]
        check_outputs({"--output": output}, reads=files)
    in_scans = engine.wanted(file) and (engine.on_cluster or files[0].suffix.lower() != ".csv")
    written_as, _ = find_format(None if engine.on_cluster else output, as_json=json)
    kept = _columns_to_keep(files, form, keep or (), keep_all=keep_all)
    estimator = load_model(model)
    estimator.set_params(n_jobs=jobs)
    if proba and not hasattr(estimator, "predict_proba"):
        raise ValueError("--proba needs a model that predicts classes; this one predicts numbers")
    names = {"prediction": "prediction"}
    if proba:
        names |= {f"probability of {label}": f"p({label})" for label in estimator.classes_}
    names = {old: _free_name(new, kept) for old, new in names.items()}
    rows = 0
    if in_scans:
        from ramify.cli.large import predicting

        if taken := [name for name in names if name in kept]:
            raise ValueError(
                f"--keep {taken[0]}: a new column has this name; rename the one in the table"
            )
        options: dict[str, Any] = {"kept": kept, "heading": names, "proba": proba}
        if engine.on_cluster:
            if output is None or json or output.suffix.lower() not in ("", ".parquet", ".pq"):
                where = "--dask" if engine.dask is not None else "--spark"
                raise ValueError(
                    f"{where} writes a folder of Parquet files; give --output FOLDER, and no --json"
                )
            predicting.predict_on_cluster(estimator, file, output, form, engine, **options)
            typer.echo(f"predictions written to the folder {output}", err=True)
            return
        blocks: Iterator[Any] = predicting.predicted_blocks(
            estimator, file, form, engine, as_arrow=written_as == "parquet", **options
        )
    else:
        types = _cell_types(files[0], form, kept, written_as)
        blocks = _blocks(estimator, files, form, kept, types, [*names.values()])
    with open_table(output, as_json=json, keep_formulas=keep_formulas) as write:
        for block in blocks:
            rows += len(next(iter(block.values())))
            write(block)
    if output is not None:
        typer.echo(f"{rows:,} predictions written to {output}", err=True)


def _blocks(
    estimator: Any,
    files: Sequence[Path],
    form: FileOptions,
    kept: Sequence[str],
    types: Mapping[str, CellType],
    names: Sequence[str],
) -> Iterator[Any]:
    """Predict files one after the other, block by block."""
    for file in files:
        for X, cells in read_blocks(file, form, estimator, keep=kept, types=types):
            columns: list[Any] = [estimator.predict(X)]
            if len(names) > 1:
                columns += [*estimator.predict_proba(X).T]
            yield cells | dict(zip(names, columns, strict=True))


def _columns_to_keep(
    files: Sequence[Path], form: FileOptions, keep: Collection[str], *, keep_all: bool
) -> list[str]:
    """Give the names of the columns to keep, each once."""
    if not keep and not keep_all:
        return []
    from ramify.datasets import read_column_names

    names = read_column_names(files[0], **form.for_names())
    for name in keep:
        if name not in names:
            raise unknown_column(name, names, what="--keep: column")
    return names if keep_all else list(dict.fromkeys(keep))


def _cell_types(
    file: Path, form: FileOptions, kept: Collection[str], written_as: str
) -> dict[str, CellType]:
    """Say what kept columns are in a format that has types; CSV has them as they are written."""
    if not kept or written_as in ("csv", "tsv"):
        return {}
    from ramify.datasets import find_cell_types

    found = find_cell_types(file, list(kept), **form.for_rows())
    # Only JSON has numbers of any length; others would round them. ARFF has no booleans.
    lacks = {"jsonl": (), "arff": ("long number", "boolean")}.get(written_as, ("long number",))
    return {name: "text" if one in lacks else one for name, one in found.items()}


def _free_name(name: str, taken: Collection[str]) -> str:
    """Give a name that no kept column has; a note says what it is if it had to be changed."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    if free != name:
        warnings.warn(
            f"the table has a column {name!r}, so the new one is called {free!r}", stacklevel=2
        )
    return free
