"""No folder of the core includes one above it, and only the bindings know Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2] / "core"
# From top to bottom. Folders of one line do not know each other.
LAYERS = (
    ("python",),
    ("prune", "importance", "stream", "edit"),
    ("reshape",),
    ("grow",),
    ("evaluate",),
    ("problem",),
    ("select", "optimal", "discretize", "columns"),
    ("splits",),
    ("node",),
    ("targets",),
    ("tree",),
    ("criteria",),
    ("counts", "table", "read"),
    ("support",),
)
HEIGHT = {name: -depth for depth, names in enumerate(LAYERS) for name in names}
FILES = sorted(ROOT.rglob("*.?pp"))


def included(file: Path) -> Iterator[Path]:
    for name in re.findall(r'#include "([^"]+)"', file.read_text(encoding="utf-8")):
        yield Path(name)


def test_every_folder_has_its_place() -> None:
    assert {file.relative_to(ROOT).parts[0] for file in FILES} == set(HEIGHT)


def test_nothing_includes_upwards() -> None:
    wrong = []
    for file in FILES:
        where = file.relative_to(ROOT)
        own = where.parts[0]
        for other in included(file):
            if not (ROOT / other).exists():
                wrong.append(f"{where}: {other} is not written from core/ on")
            elif other.parts[0] != own and HEIGHT[other.parts[0]] >= HEIGHT[own]:
                wrong.append(f"{where} includes {other}")
        for name in re.findall(r"#include <([^>]+)>", file.read_text(encoding="utf-8")):
            if own != "python" and ("nanobind" in name or "Python" in name):
                wrong.append(f"{where} includes {name}")
    assert not wrong, wrong


def test_folders_inside_folders_make_no_cycle() -> None:
    graph: dict[Path, set[Path]] = {}
    for file in FILES:
        own = file.relative_to(ROOT).parent
        graph.setdefault(own, set()).update({other.parent for other in included(file)} - {own})
    TopologicalSorter(graph).prepare()  # raises CycleError
