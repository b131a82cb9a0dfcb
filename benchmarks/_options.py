"""The command line of the benchmarks: what several scripts have, written once."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared"
DATA = SHARED / "datasets"


def arguments(
    about: str, *, cases: Iterable[str] = (), repeat: int | None = None, data: bool = False
) -> argparse.ArgumentParser:
    """Give a parser with the options that are asked for.

    `cases` makes ``--only``, `repeat` is the default of ``--repeat``, `data` makes ``--data``.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = list(cases)
    if names:
        what = f"of {', '.join(names)}"
        parser.add_argument(
            "--only", nargs="+", choices=names, default=names, metavar="CASE", help=what
        )
    if repeat is not None:
        how = "runs, of which the median counts"
        parser.add_argument("--repeat", type=int, default=repeat, help=how)
    if data:
        where = "folder with NAME.csv.gz files"
        parser.add_argument("--data", type=Path, default=DATA, help=where)
    return parser


def data_folder(options: argparse.Namespace) -> Path | None:
    """Give the folder of the data sets; None if it is not there, for stand-ins."""
    return options.data if options.data.is_dir() else None
