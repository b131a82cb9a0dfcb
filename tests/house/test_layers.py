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
    ("studio",),
    ("steps",),
    ("show", "export", "evaluate"),
    ("presets", "model_file"),
    ("files",),
    ("edit", "scale"),
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


def module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in FILES}


def modules_imported(name: str) -> set[str]:
    """Give the modules that a module imports, also inside functions and for type checkers."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & MODULES.keys()
            found |= inside or {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & MODULES.keys()


def test_no_modules_import_each_other_in_a_circle() -> None:
    """A package's own ``__init__`` gathers names for others; its modules do not import it."""
    imports = {name: modules_imported(name) for name in MODULES}
    circles = []
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> None:
        if name in way:
            circles.append(" -> ".join([*way[way.index(name) :], name]))
            return
        if name in done:
            return
        for other in sorted(imports[name]):
            visit(other, [*way, name])
        done.add(name)

    for name in MODULES:
        visit(name, [])
    assert not circles, circles


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_core"


def names_made(tree: ast.AST) -> Iterator[str]:
    """Give the private names that a file makes: functions, classes, attributes, variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}
MADE = {
    own: {name for file in FILES if package(file) == own for name in names_made(TREES[file])}
    for own in {package(file) for file in FILES}
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_no_package_uses_private_names_of_another(file: Path) -> None:
    own = package(file)
    elsewhere = {name for other, names in MADE.items() if other != own for name in names}
    for node in ast.walk(TREES[file]):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ramify."):
            parts = [*(node.module or "").split(".")[1:], *(alias.name for alias in node.names)]
            reached = [part for part in parts if private(part) and parts[0] != own]
            assert not reached, f"{file.name}:{node.lineno} imports {reached[0]}"
        elif isinstance(node, ast.Attribute) and private(node.attr):
            foreign = node.attr in elsewhere and node.attr not in MADE[own]
            inherited = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            assert not foreign or inherited, f"{file.name}:{node.lineno} uses {node.attr}"
