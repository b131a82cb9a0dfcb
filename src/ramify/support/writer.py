"""The one writer of files: a file changes when all of its new content is written, not before.

Invariant: if anything fails (a full disk, Ctrl-C, an error of the caller), the old file is as it
was, and nothing of the new one is left. A device, a FIFO or a descriptor like /dev/stdout is
written directly. A symbolic link stays, and the file that it points to is replaced.
"""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TextIO, cast

_MOST_LINKS = 40  # as Linux follows them


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file."""
    with open_bytes(path) as stream:
        stream.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as UTF-8, its line ends as they are."""
    write_bytes(path, text.encode())


@contextmanager
def open_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a file to write text as UTF-8, its line ends as they are."""
    with open_bytes(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        yield text
        text.flush()


@contextmanager
def open_bytes(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write; its old content stays until the block ends without an error."""
    name = os.fspath(path)
    real = _behind_links(name)
    old = _status(name)
    if isinstance(real, int) or (old is not None and not stat.S_ISREG(old.st_mode)):
        with _stream(_open_as_it_is(real, name), name) as stream:
            yield stream
        return
    if old is not None and not _may_write(real):  # a rename would not check that
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    file, part = _create_beside(real, name)
    try:
        with _stream(file, name) as stream:
            yield stream
            stream.flush()
            with _naming(name):
                if old is not None:
                    _take_over(file, old)
                os.fsync(file)
        with _naming(name):
            os.replace(part, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
    _sync_folder(os.path.dirname(real))


def is_same_file(output: str | os.PathLike[str] | None, source: str | os.PathLike[str]) -> bool:
    """Tell whether writing the output (None: stdout) would destroy the source.

    A link counts as the file that it names. Devices and FIFOs hold nothing that could be lost.
    """
    try:
        one = os.fstat(sys.stdout.fileno()) if output is None else os.stat(output)
        other = os.stat(source)
    except (OSError, ValueError, AttributeError):  # not there, or no real stdout
        return False
    return stat.S_ISREG(other.st_mode) and os.path.samestat(one, other)


def _behind_links(name: str) -> str | int:
    """Give the path behind symbolic links, or the number of an open descriptor of this process."""
    path = name
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(path))
        base = os.path.basename(path)
        if folder in (f"/proc/{os.getpid()}/fd", "/dev/fd") and base.isdecimal():
            return int(base)
        path = os.path.join(folder, base)
        if not os.path.islink(path):
            return path
        path = os.path.join(folder, os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _may_write(path: str) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _open_as_it_is(real: str | int, name: str) -> int:
    """Open what is not a regular file; a descriptor continues where it is."""
    with _naming(name):
        if isinstance(real, int):
            if sys.stdout is not None:
                sys.stdout.flush()
            return os.dup(real)
        return os.open(name, os.O_WRONLY | getattr(os, "O_BINARY", 0))


def _create_beside(path: str, name: str) -> tuple[int, str]:
    """Create a file with a new name beside a path, with the permissions of any new file."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for flag in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    while True:
        part = os.path.join(os.path.dirname(path), f".ramify-{secrets.token_hex(8)}.part")
        try:
            with _naming(name):
                return os.open(part, flags, 0o666), part
        except FileExistsError:
            continue


def _take_over(file: int, old: os.stat_result) -> None:
    """Give a new file the owner and the mode of the old one, if the system allows it."""
    if not hasattr(os, "fchmod"):
        return
    new = os.fstat(file)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.fchown(file, old.st_uid, old.st_gid)
    os.fchmod(file, old.st_mode & 0o777)


def _sync_folder(folder: str) -> None:
    """Write the new name to the disk, too, if the system can."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


class _Raw(io.FileIO):
    """A file whose errors name the path that the user gave."""

    def __init__(self, file: int, name: str) -> None:
        super().__init__(file, "wb")
        self._path = name

    def write(self, data: object) -> int | None:  # type: ignore[override]
        with _naming(self._path):
            return super().write(data)  # type: ignore[arg-type]


@contextmanager
def _stream(file: int, name: str) -> Iterator[BinaryIO]:
    """Give a buffered stream of an open file; after an error, closing it raises no other one."""
    stream = io.BufferedWriter(_Raw(file, name))
    try:
        yield cast(BinaryIO, stream)
    except BaseException:
        with suppress(OSError):
            stream.close()
        raise
    stream.close()


@contextmanager
def _naming(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        error.filename = name
        del error.filename2  # a rename sets it; None would be shown
        raise


__all__ = ["is_same_file", "open_bytes", "open_text", "write_bytes", "write_text"]
