"""No package imports one above it, openly or inside a function; the doors are all in one file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.paths import PACKAGE

# From top to bottom. Packages of one line do not import each other.
LAYERS = (
    ("cli",),
    ("show", "export", "evaluate"),
    ("presets", "model_file"),
    ("files",),
    ("trees", "aggregate"),
    ("pruning", "discretize", "splits"),
    ("datasets",),
    ("learning",),
    ("tree",),
    ("tables",),
    ("support",),
    ("_core",),
)
HEIGHT = {name: -depth for depth, names in enumerate(LAYERS) for name in names}
OUTSIDE = ("__init__", "__main__", "_former_names")  # they import everything


def package(file: Path) -> str:
    parts = file.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else file.stem


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Give the lines and packages of all imports of ramify, wherever they stand."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ramify":
            parts = (node.module or "").split(".")
            names = parts[1:2] or [alias.name for alias in node.names]
            yield from ((node.lineno, name) for name in names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("ramify."):
                    yield node.lineno, alias.name.split(".")[1]


FILES = [file for file in sorted(PACKAGE.rglob("*.py")) if package(file) not in OUTSIDE]


def test_every_package_has_its_place() -> None:
    assert {package(file) for file in FILES} == set(HEIGHT) - {"_core"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_nothing_imports_upwards(file: Path) -> None:
    own = package(file)
    for line, other in imported(file):
        if other == own or other not in HEIGHT:  # a public name of ramify itself
            assert other == own or own == "cli", f"{file.name}:{line} imports ramify.{other}"
            continue
        assert HEIGHT[other] < HEIGHT[own], f"{file.name}:{line}: {own} imports {other}"


def test_the_doors_lead_upwards_and_somewhere() -> None:
    from ramify.tree import doors

    for name, module in doors._DOORS.items():
        assert HEIGHT[module.split(".")[1]] > HEIGHT["learning"]
        assert callable(doors.door(name))
