"""Files that come to the session: the list of those that are there, and one that is dropped.

Invariant: nothing is written outside the open folder, no file is replaced, and a file is there as a
whole or not at all. A file that is there already, byte for byte, is not written again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from ramify.studio.project import ENDING
from ramify.studio.security import MOST_BYTES, Folders, TooLarge
from ramify.support.writer import open_bytes

_ENDINGS = (
    *(".csv", ".tsv", ".txt", ".data", ".arff", ".parquet", ".pq"),
    *(".xlsx", ".xlsm", ".jsonl", ".ndjson", ".json", ".gz"),
)
_MOST_FILES = 500


def list_files(folders: Folders) -> list[dict[str, Any]]:
    """Give the tables and models of the first open folder, the newest first."""
    root = folders.roots[0]
    found = []
    with os.scandir(root) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith(".") or not name.lower().endswith(_ENDINGS):
                continue
            if name.endswith(ENDING) or not entry.is_file():
                continue
            status = entry.stat()
            saved = (root / f"{name}{ENDING}").is_file()
            found.append((status.st_mtime, {"name": name, "size": status.st_size, "saved": saved}))
    found.sort(key=lambda one: -one[0])
    return [one for _, one in found[:_MOST_FILES]]


async def receive(folders: Folders, name: str, pieces: AsyncIterator[bytes]) -> Path:
    """Write a file that is dropped into the first folder, or find it there."""
    wanted = folders.new_name(name)
    if not wanted.name.lower().endswith(_ENDINGS) or wanted.name.endswith(ENDING):
        raise ValueError(f"{name}: this is no table; its name should end in {', '.join(_ENDINGS)}")
    part = wanted.with_name(f".{wanted.name}.part")
    digest, size = hashlib.sha256(), 0
    same = _digest(wanted)
    target = wanted if same is None else _free_name(wanted)
    try:
        with open_bytes(part) as stream:
            async for piece in pieces:
                size += len(piece)
                if size > MOST_BYTES:
                    raise TooLarge(
                        f"{name}: more than {MOST_BYTES >> 30} GB; give its path to ramify studio"
                    )
                digest.update(piece)
                stream.write(piece)
        if not size:
            raise ValueError(f"{name}: the file is empty")
        if same == digest.hexdigest():
            return wanted
        os.replace(part, target)
        return target
    finally:
        part.unlink(missing_ok=True)


def _digest(file: Path) -> str | None:
    if not file.exists():
        return None
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _free_name(file: Path) -> Path:
    ending = "".join(file.suffixes[-2:]) if file.suffix == ".gz" else file.suffix
    stem = file.name.removesuffix(ending)
    for number in range(2, 10_000):
        other = file.with_name(f"{stem}-{number}{ending}")
        if not other.exists():
            return other
    raise ValueError(f"{file.name}: there are too many files of this name")
