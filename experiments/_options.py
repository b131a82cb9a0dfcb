"""The command line of the experiments: the options that several scripts have, written once."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from _folders import FOLDER, PUBLISHED, RESULTS

SHARED: dict[str, dict[str, Any]] = {
    "quick": {"action": "store_true"},
    "only": {"nargs": "+", "help": "data sets, as printed"},
    "most-rows": {"type": int},
    "repetitions": {"type": int, "default": 1, "help": "of the cross-validation"},
    "seconds": {"type": float, "help": "time limit of a fit"},
    "jobs": {"type": int, "default": 1, "help": "processes"},
    "report": {"action": "store_true", "help": "only write up what is there"},
    "data": {"type": Path, "default": FOLDER, "help": "folder of the data sets"},
    "published": {"type": Path, "default": PUBLISHED, "help": "folder of the printed tables"},
    "results": {"type": Path, "help": "folder to write to"},
}


def arguments(about: str, names: str, **changes: Any) -> argparse.ArgumentParser:
    """Give a parser that has the shared options of these names.

    A change that is a text is the help of an option; any other is its default.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in names.split():
        change = changes.pop(name.replace("-", "_"), None)
        own = {} if change is None else {"help" if isinstance(change, str) else "default": change}
        parser.add_argument(f"--{name}", **SHARED[name] | own)
    if changes:
        raise TypeError(f"{', '.join(changes)}: not among the options {names}")
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Read the command line; `results` is the folder to write to."""
    options = parser.parse_args()
    options.results = results_folder(options)
    return options


def results_folder(options: argparse.Namespace) -> Path:
    """Give the folder to write to: by default --quick does not replace the other results."""
    if options.results is not None:
        return Path(options.results)
    return RESULTS / "quick" if options.quick else RESULTS
