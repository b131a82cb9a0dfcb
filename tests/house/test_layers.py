"""No package imports one above it, openly or inside a function; the doors are all in one file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Give the lines and packages of all imports of ramify, wherever they stand."""
    for node in ast.walk(parsed(file)):
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


def test_nothing_imports_upwards() -> None:
    wrong = []
    for file in FILES:
        own = package(file)
        for line, other in imported(file):
            # A name that is no package is a public name of ramify itself.
            allowed = HEIGHT[other] < HEIGHT[own] if other in HEIGHT else own == "cli"
            if other != own and not allowed:
                wrong.append(f"{file.relative_to(PACKAGE)}:{line}: {own} imports {other}")
    assert not wrong, wrong


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
    for node in ast.walk(parsed(MODULES[name])):
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


def test_no_package_uses_private_names_of_another() -> None:
    made: dict[str, set[str]] = {}
    for file in FILES:
        made.setdefault(package(file), set()).update(names_made(parsed(file)))
    wrong = []
    for file in FILES:
        own, where = package(file), file.relative_to(PACKAGE)
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ramify."):
                parts = [*(node.module or "").split(".")[1:], *(alias.name for alias in node.names)]
                if parts[0] != own and any(map(private, parts)):
                    wrong.append(f"{where}:{node.lineno} imports {'.'.join(parts)}")
            elif isinstance(node, ast.Attribute) and private(node.attr):
                foreign = node.attr not in made[own] and any(node.attr in n for n in made.values())
                inherited = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                if foreign and not inherited:
                    wrong.append(f"{where}:{node.lineno} uses {node.attr}")
    assert not wrong, wrong
