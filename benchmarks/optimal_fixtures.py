"""Write tests/fixtures/optimal.json: the errors of optimal trees as the peers find them.

    pip install pystreed pydl8.5 pycontree
    python benchmarks/optimal_fixtures.py

The data are scikit-learn's, or made from a seed; `tests/helpers/optimal_peer_data.py` makes them
again for the test that compares. Binary: a column becomes "above its median" (and above its
quartiles). Both STreeD and PyDL8.5 must find the same, ConTree what it finds over all thresholds.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path
from typing import Any

from _optimal_fit import fit_in_new_process

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
LIMIT = 600.0


def wrong(peer: str, data: Any, depth: int) -> int:
    result = fit_in_new_process(peer, data.X, data.y, binary=data.binary, depth=depth, limit=LIMIT)
    if not result["proven"]:
        raise RuntimeError(f"{peer} on {data.name}, depth {depth}: {result}")
    return int(result["wrong"])


def main() -> None:
    from helpers.optimal_peer_data import DEPTHS, tables

    cases = []
    for data in tables():
        for depth in DEPTHS[data.binary]:
            peers = ("STreeD", "PyDL8.5") if data.binary else ("ConTree",)
            found = {peer: wrong(peer, data, depth) for peer in peers}
            print(data.name, data.X.shape, depth, found, file=sys.stderr)
            if len(set(found.values())) > 1:
                raise RuntimeError(f"{data.name}, depth {depth}: the peers differ: {found}")
            cases.append({"data": data.name, "depth": depth, "wrong": next(iter(found.values()))})
    document = {
        "peers": {
            name: importlib.metadata.version(name) for name in ("pystreed", "pydl8.5", "pycontree")
        },
        "cases": cases,
    }
    path = ROOT / "tests" / "fixtures" / "optimal.json"
    path.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
