"""The tests themselves: the folders mirror the packages, and no test imports a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from helpers.paths import ROOT, TESTS

# Folders that mirror no package: what tests use, and tests of more than one package.
OTHERS = (
    "docs",
    "experiments",
    "fixtures",
    "fuzz",
    "golden",
    "helpers",
    "house",
    "oracles",
    "peers",
)
PYTHON, CORE = ROOT / "src" / "ramify", ROOT / "core"


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Give the line and the dotted name of everything that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, f"{'.' * node.level}{node.module or ''}.{alias.name}"


def test_no_test_is_imported() -> None:
    tests = {file.stem for file in TESTS.rglob("test_*.py")}
    found = [
        f"{file.relative_to(TESTS)}:{line} imports {name}"
        for file in TESTS.rglob("*.py")
        for line, name in imported(file)
        if not tests.isdisjoint(name.split(".")) or name.startswith(".")
    ]
    assert not found


def mirrored(folder: Path) -> Path:
    """Give the package that a folder of tests is named after."""
    first, *rest = folder.relative_to(TESTS).parts
    return CORE.joinpath(*rest) if first == "core" else PYTHON.joinpath(first, *rest)


def test_every_folder_mirrors_a_package() -> None:
    folders = {file.parent for file in TESTS.rglob("test_*.py")} - {TESTS}
    own = {folder for folder in folders if folder.relative_to(TESTS).parts[0] not in OTHERS}
    assert len(own) > 20
    assert [folder for folder in sorted(own) if not mirrored(folder).is_dir()] == []
    for name in OTHERS:
        assert (TESTS / name).is_dir()
        assert not (PYTHON / name).exists(), f"tests/{name} is no mirror of ramify.{name}"


def test_files_do_not_repeat_the_name_of_their_folder() -> None:
    found = [
        file.relative_to(TESTS).as_posix()
        for file in TESTS.rglob("test_*.py")
        if file.stem.startswith(f"test_{file.parent.name}_")
    ]
    assert not found
