"""A folder of data sets with a manifest: what each file holds is written down once, beside it.

Invariant: only the manifest is read at first; a data set is read when it is asked for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, cast

from ramify.datasets.dataset import Dataset
from ramify.datasets.readers.cells import ColumnKind
from ramify.datasets.readers.table import read_table_file
from ramify.support.suggest import near_names

MANIFEST = "datasets.json"
_ENDINGS = (".csv.gz", ".csv", ".tsv", ".arff", ".arff.gz", ".parquet")
_REQUIRED = ("target", "numeric", "nominal")
_TASKS = ("classification", "regression")


class DatasetFolder(Mapping[str, Dataset]):
    r"""The data sets of a folder by name, each read when it is asked for.

    The folder holds files ``NAME.csv.gz`` (or .csv, .tsv, .arff, .arff.gz, .parquet) and
    ``datasets.json``, an object that maps each NAME to what is known of it:

    - ``target``: the column to predict;
    - ``numeric``, ``nominal``: the predictors. A nominal column, and the target of a
      classification, is read as text whatever it looks like ("01", "None", "?");
    - optional: ``task``, "classification" (if not given) or "regression"; ``id_like``, columns that
      only identify rows; ``aliases``, other names; anything else is given by `about`.

    In a text file only an empty cell is missing.

    Parameters
    ----------
    path : str or path
        The folder.
    ids : bool
        Whether to keep the columns that ``id_like`` names.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> place = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(place.name)
    >>> about = '"target": "y", "task": "classification", "numeric": ["n"], "nominal": ["code"]'
    >>> _ = (path / "datasets.json").write_text('{"small": {' + about + '}}')
    >>> _ = (path / "small.csv").write_text("n,code,y\n1,01,a\n2,,b\n")
    >>> folder = DatasetFolder(path)
    >>> folder
    DatasetFolder(1 data set)
    >>> folder["small"].data["code"]
    array(['01', None], dtype=object)
    >>> place.cleanup()
    """

    def __init__(self, path: str | os.PathLike[str], *, ids: bool = False) -> None:
        self.path = Path(path)
        self.ids = ids
        self._about = _manifest(self.path / MANIFEST)
        self._names = {name: name for name in self._about}
        for name, about in self._about.items():
            for alias in about.get("aliases", ()):
                self._names.setdefault(alias, name)

    def about(self, name: str) -> Mapping[str, Any]:
        """Give what the manifest says of a data set."""
        return self._about[self._find(name)]

    def select(
        self, *, task: Literal["classification", "regression"] | None = None, **fields: str
    ) -> list[str]:
        """Name the data sets of a task, or those whose field has a value or lists it.

        ``folder.select(task="classification", used_in="shi")``, for example.
        """
        wanted = fields if task is None else {"task": task, **fields}
        return [
            name
            for name, about in self._about.items()
            if all(
                value == found or (isinstance(found, list) and value in found)
                for value, found in ((value, about.get(key)) for key, value in wanted.items())
            )
        ]

    def read(self, name: str, *, ids: bool | None = None) -> Dataset:
        """Read a data set; `ids` overrides what the folder was opened with."""
        name = self._find(name)
        about = self._about[name]
        left_out = () if (self.ids if ids is None else ids) else about.get("id_like", ())
        text = [*about["nominal"]]
        if about["task"] == "classification":
            text.append(about["target"])
        kinds = dict.fromkeys(about["numeric"], "number") | dict.fromkeys(text, "text")
        return read_table_file(
            self._file(name),
            target=about["target"],
            columns=[c for c in [*about["numeric"], *about["nominal"]] if c not in left_out],
            kinds=cast(Mapping[str, ColumnKind], kinds),
            missing=("",),
        )

    def _find(self, name: str) -> str:
        if name not in self._names:
            hint = near_names(str(name), self._names, "data sets")
            # A KeyError, as any mapping raises, but with a text that is easy to read.
            raise UnknownDataset(f"no data set {name!r} in {self.path}; {hint}")
        return self._names[name]

    def _file(self, name: str) -> Path:
        for ending in _ENDINGS:
            if (path := self.path / f"{name}{ending}").exists():
                return path
        raise FileNotFoundError(
            f"{self.path / MANIFEST} lists {name!r}, but there is no {name}.csv.gz (or "
            f"{', '.join(_ENDINGS[1:])}) beside it"
        )

    def __getitem__(self, name: str) -> Dataset:
        return self.read(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._about)

    def __len__(self) -> int:
        return len(self._about)

    def __repr__(self) -> str:
        return f"DatasetFolder({len(self)} data set{'' if len(self) == 1 else 's'})"


class UnknownDataset(KeyError):
    """A name that the folder does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


def _manifest(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there: a folder of data sets needs a manifest")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path} must be an object that maps names to what is known of them")
    for name, about in found.items():
        absent = [key for key in _REQUIRED if not isinstance(about, dict) or key not in about]
        if absent:
            raise ValueError(f"{path}: {name!r} lacks {', '.join(map(repr, absent))}")
        if about.setdefault("task", _TASKS[0]) not in _TASKS:
            raise ValueError(
                f"{path}: the task {about['task']!r} of {name!r} is not one of {list(_TASKS)}"
            )
    return found
