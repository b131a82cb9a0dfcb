"""Writing files: the old file survives every failure, and only regular files are replaced."""

from __future__ import annotations

import errno
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.handmade import weather
from helpers.paths import PACKAGE
from helpers.processes import posix, run_python

import ramify
from ramify import TreeClassifier, TreeRegressor, export
from ramify.evaluate import compare
from ramify.support.writer import open_bytes, open_text, write_bytes, write_text

unprivileged = pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="root may write everything"
)


@pytest.fixture(scope="module")
def tree() -> TreeClassifier:
    return TreeClassifier().fit(*weather())


@pytest.fixture(scope="module")
def comparison() -> Any:
    learners = {"deep": TreeClassifier(), "flat": TreeClassifier(max_depth=1)}
    return compare(learners, {"weather": weather()}, cv=2)


Writer = Callable[[Any, Any, Path], object]

# Everything of the library that writes a file.
WRITERS: dict[str, Writer] = {
    "save": lambda tree, _, path: tree.save(path),
    "report": lambda tree, _, path: tree.report(path),
    "to_sql": lambda tree, _, path: export.to_sql(tree, path=path),
    "to_pmml": lambda tree, _, path: export.to_pmml(tree, path=path),
    "to_python": lambda tree, _, path: export.to_python(tree, path=path),
    "to_c": lambda tree, _, path: export.to_c(tree, path=path),
    "to_dot": lambda tree, _, path: export.to_dot(tree, path=path),
    "rules_to_text": lambda tree, _, path: export.rules_to_text(tree, path=path),
    "rules_to_markdown": lambda tree, _, path: export.rules_to_markdown(tree, path=path),
    "rules_to_csv": lambda tree, _, path: export.rules_to_csv(tree, path=path),
    "to_csv": lambda _, comparison, path: comparison.to_csv(path),
    "to_onnx": lambda tree, _, path: export.to_onnx(tree, path=path),
    "to_html": lambda _, comparison, path: comparison.to_html(path),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def unless_there(writer: str) -> Writer:
    """Give a writer, or skip where what it needs is not installed."""
    if writer == "to_onnx":
        pytest.importorskip("onnx")
    return WRITERS[writer]


@posix
@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_leaves_the_old_file(
    writer: str, tree: Any, comparison: Any, tmp_path: Path
) -> None:
    """Every write beyond the first byte fails, as on a disk that is full."""
    import resource
    import signal

    path = tmp_path / "old"
    path.write_bytes(b"the old one")
    write = unless_there(writer)
    write(tree, comparison, tmp_path / "warm")  # what is imported meanwhile may write files, too
    (tmp_path / "warm").unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            write(tree, comparison, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert caught.value.filename == str(path)
    assert str(caught.value).endswith(f": '{path}'")
    assert contents(tmp_path) == {"old": b"the old one"}


@posix
@pytest.mark.parametrize("writer", WRITERS)
def test_a_link_stays_and_its_file_is_replaced(
    writer: str, tree: Any, comparison: Any, tmp_path: Path
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to("real")
    unless_there(writer)(tree, comparison, link)
    assert link.is_symlink() and real.read_bytes() not in (b"old", b"")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert len(contents(tmp_path)) == 2


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_a_device_is_written_and_says_that_it_is_full(tree: Any) -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        tree.save("/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    tree.save(os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@posix
def test_a_fifo_is_written_and_stays(tree: Any, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()), daemon=True)
    reader.start()
    tree.save(fifo)
    reader.join(timeout=60)
    assert stat.S_ISFIFO(fifo.stat().st_mode) and len(list(tmp_path.iterdir())) == 1
    (tmp_path / "model").write_bytes(got[0])
    assert ramify.load(tmp_path / "model").tree_ == tree.tree_


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_stdout_goes_on_where_it_stands(name: str, tmp_path: Path) -> None:
    if not os.path.exists(os.path.dirname(name)):
        pytest.skip(f"the system has no {name}")
    work = f"""
from ramify.support.writer import write_text
print("before", end=" ")
write_text({name!r}, "between ")
print("after")
"""
    with open(tmp_path / "out", "ab") as file:
        file.write(b"first ")
        file.flush()
        subprocess.run([sys.executable, "-c", work], stdout=file, check=True)
    assert (tmp_path / "out").read_text() == "first before between after\n"
    assert run_python(work) == "before between after\n"


@posix
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_new_files_have_the_permissions_of_any_new_file(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "ours", "x")
        (tmp_path / "plain").write_text("x")
    finally:
        os.umask(before)
    modes = {file.stat().st_mode for file in tmp_path.iterdir()}
    assert modes == {stat.S_IFREG | (0o666 & ~mask)}


class Stop(BaseException):
    """What Ctrl-C is like."""


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, Stop])
@pytest.mark.parametrize("there", [False, True])
def test_an_interrupted_write_leaves_nothing(
    error: type[BaseException], there: bool, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    if there:
        path.write_bytes(b"old")
    for opened, piece in ((open_bytes, b"new" * 10**5), (open_text, "new" * 10**5)):
        written = False
        with pytest.raises(error), opened(path) as stream:  # type: ignore[operator]  # noqa: PT012
            stream.write(piece)
            written = len(list(tmp_path.iterdir())) == 1 + there
            raise error
        assert written
        assert contents(tmp_path) == ({"file": b"old"} if there else {})


@posix
def test_the_old_file_is_read_while_the_new_one_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with open_text(path) as stream:
        stream.write("new ö\r\n")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_bytes() == "new ö\r\n".encode()


def test_files_of_the_user_are_left_alone(tree: Any, tmp_path: Path) -> None:
    mine = tmp_path / "model.json.part"
    mine.write_text("my own")
    tree.save(tmp_path / "model.json")
    assert contents(tmp_path).keys() == {"model.json", "model.json.part"}
    assert mine.read_text() == "my own"


@posix
def test_a_taken_name_is_not_followed(tmp_path: Path, monkeypatch: Any) -> None:
    """The name of the temporary file is taken already: another one is used."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    guessed = iter(["a", "b", "c"])
    monkeypatch.setattr("ramify.support.writer.secrets.token_hex", lambda _: next(guessed))
    (tmp_path / ".ramify-a.part").symlink_to("victim")
    (tmp_path / ".ramify-b.part").write_text("another's")
    write_text(tmp_path / "file", "new")
    assert contents(tmp_path) == {
        "victim": b"precious",
        ".ramify-a.part": b"precious",
        ".ramify-b.part": b"another's",
        "file": b"new",
    }


@unprivileged
def test_what_is_read_only_stays(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "protected").write_text("old")
    (folder / "protected").chmod(0o444)
    with pytest.raises(PermissionError, match="protected"):
        write_text(folder / "protected", "new")
    (folder / "open").write_text("old")
    folder.chmod(0o555)
    try:
        for name in ("open", "new"):
            with pytest.raises(PermissionError, match=name):
                write_text(folder / name, "new")
        assert contents(folder) == {"protected": b"old", "open": b"old"}
    finally:
        folder.chmod(0o755)


@posix
@pytest.mark.parametrize("call", ["open", "access"])
def test_a_system_that_refuses_is_quoted(call: str, tmp_path: Path, monkeypatch: Any) -> None:
    """The same for root: the system says no, and the old file stays."""
    path = tmp_path / "file"
    path.write_text("old")
    refusal = PermissionError(errno.EACCES, "Permission denied", "another name")

    def refuse(*_: Any, **__: Any) -> Any:
        if call == "access":
            return False
        raise refusal

    with monkeypatch.context() as patched:
        patched.setattr(os, call, refuse)
        with pytest.raises(PermissionError) as caught:
            write_text(path, "new")
    assert caught.value.filename == str(path)
    assert contents(tmp_path) == {"file": b"old"}


@posix
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_the_last_steps_fail(call: str, tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, "Input/output error", "one", None, "other")

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(OSError, match="Input/output error") as caught:
            write_bytes(path, b"new")
    assert str(caught.value) == f"[Errno 5] Input/output error: '{path}'"
    assert contents(tmp_path) == {"file": b"old"}


@posix
def test_odd_places(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nothing yet")
    write_text(tmp_path / "dangling", "new")
    assert (tmp_path / "dangling").is_symlink() and (tmp_path / "nothing yet").read_text() == "new"
    (tmp_path / "loop").symlink_to("loop")
    for path, error in (
        (tmp_path / "loop", "symbolic links"),
        (tmp_path, "Is a directory"),
        (tmp_path / "none" / "file", "No such file"),
        (tmp_path / ("long" * 100), "File name too long"),
    ):
        with pytest.raises(OSError, match=error) as caught:
            write_text(path, "x")
        assert caught.value.filename == str(path)
    longest = tmp_path / ("l" * 255)  # the file beside it must not have a longer name
    write_text(longest, "x")
    assert longest.read_text() == "x"


def test_nothing_else_in_the_library_writes_files() -> None:
    """Except the store of compare, which appends, and temporary data for processes and fits."""
    writing = re.compile(
        r"""\.write_(text|bytes)\(|\bopen\([^)]*["'][rbt]*[wax][+bt]*["']|os\.open\(|mkstemp|"""
        r"NamedTemporaryFile|\.tofile\(|np\.save|savefig"
    )
    found = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if writing.search(line) and not line.lstrip().startswith((">>>", "..."))
    }
    assert found == {
        "support/writer.py",
        "evaluate/store.py",
        "evaluate/run/trials.py",
        "scale/spill.py",
    }


@posix
@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="the system has no /proc")
def test_the_pipe_of_another_process(tmp_path: Path) -> None:
    work = "import sys; print(len(sys.stdin.read()))"
    with subprocess.Popen(
        [sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        write_text(f"/proc/{other.pid}/fd/0", "x" * 1000)
        assert other.communicate(timeout=60)[0] == "1000\n"


def test_a_relative_path(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    TreeRegressor().fit(np.arange(4.0)[:, None], [0, 0, 1, 1]).save("model.json")
    assert ramify.load("model.json").predict([[3.0]]) == 1
    assert os.listdir() == ["model.json"]
