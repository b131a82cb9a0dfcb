"""The options of tables larger than memory, and which tables these are."""

from __future__ import annotations

import glob
import importlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, ClassVar

LARGE = "Larger than memory"
#: What is taken if a folder or a pattern is given without --memory.
USUAL_MEMORY = "4GB"
_ENDINGS = (".parquet", ".pq", ".csv", ".arrow", ".ipc", ".feather")
#: What an option needs to be installed, with the name of its package.
_NEEDS = {
    "--memory": ("pyarrow", "pyarrow"),
    "--dask": ("dask.dataframe", "'dask[dataframe,distributed]'"),
    "--spark": ("pyspark.sql", "pyspark"),
}


@dataclass(frozen=True)
class EngineOptions:
    """How much memory a command may use, and where scans run."""

    PANEL: ClassVar = LARGE

    memory: Annotated[
        str | None,
        "Read the table again and again in place of holding it, within this much memory: 4GB, "
        f"512MB... Default: the table is held; of a folder or pattern of files, {USUAL_MEMORY}.",
    ] = None
    dask: Annotated[
        str | None,
        "Run on the Dask cluster of this scheduler, such as tcp://HOST:8786. Workers read the "
        "files.",
    ] = None
    spark: Annotated[
        str | None, "Run on Spark with this master, such as 'local[2]' or spark://HOST:7077."
    ] = None

    def wanted(self, file: Path) -> bool:
        """Tell whether a table is read in scans: an option says so, or it is several files."""
        asked = [one for one in (self.memory, self.dask, self.spark) if one is not None]
        return bool(asked) or is_several(file)

    def check(self, file: Path) -> None:
        """Refuse what does not go together or is not installed, before anything is read."""
        if self.dask is not None and self.spark is not None:
            raise ValueError(
                f"--dask {self.dask} and --spark {self.spark}: a table is read by one of them; "
                "leave out one"
            )
        for option in ("--memory", "--dask", "--spark"):
            given = getattr(self, option[2:])
            if option == "--memory" or given is not None:
                _require(option, given, file)
        from ramify.scale.memory import read_memory

        read_memory("memory", self.limit)
        endings = {Path(one).suffix.lower() for one in files_of(file)}
        if len(endings) > 1 or not endings <= {*_ENDINGS}:
            why = "" if len(endings) > 1 else " cannot be read in scans"
            raise ValueError(
                f"{file}: {' and '.join(sorted(endings)) or 'a file without ending'}{why}; all "
                f"files must be of one kind: {', '.join(_ENDINGS)}"
            )

    @property
    def limit(self) -> str:
        """The memory to use."""
        return USUAL_MEMORY if self.memory is None else self.memory

    @property
    def on_cluster(self) -> bool:
        """Whether the rows are read elsewhere."""
        return self.dask is not None or self.spark is not None


@dataclass(frozen=True)
class GrowingEngineOptions(EngineOptions):
    """What growth from scans needs besides."""

    spill: Annotated[
        Path | None,
        "The folder for temporary files of --memory. Default: that of the system.",
    ] = None


def is_several(file: Path) -> bool:
    """Tell whether a name is that of a folder, or a pattern for the names of files."""
    return file.is_dir() or (glob.has_magic(str(file)) and not file.exists())


def files_of(file: Path) -> list[str]:
    """Give the files of a name, a folder or a pattern, in the order of their names."""
    if file.is_dir():
        found = [str(one) for one in sorted(file.rglob("*")) if one.suffix.lower() in _ENDINGS]
        if not found:
            raise ValueError(f"{file}: the folder has no files that end in {', '.join(_ENDINGS)}")
        return found
    if not is_several(file):
        if not file.exists():
            raise ValueError(f"{file}: there is no such file")
        return [str(file)]
    found = sorted(glob.glob(str(file), recursive=True))
    if not found:
        raise ValueError(f"{file}: no file has a name of this pattern")
    return found


def _require(option: str, given: Any, file: Path) -> None:
    module, package = _NEEDS[option]
    try:
        importlib.import_module(module)
    except ImportError:
        what = f"{option} {given}" if given is not None else str(file)
        raise ValueError(f"{what}: this needs {package} (pip install {package})") from None
    engine = f"ramify.scale.{option[2:]}"
    if option != "--memory" and find_spec(engine) is None:
        raise ValueError(
            f"{option} {given}: this version of ramify does not run there; --memory reads the "
            "files on this machine"
        )
