"""Where the files are that tests read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ramify

PACKAGE = Path(ramify.__file__).parent  # as it is installed
TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
EXPERIMENTS = ROOT / "experiments"


def fixture(name: str) -> Any:
    """Read a JSON file of ``tests/fixtures``."""
    return json.loads((TESTS / "fixtures" / name).read_text())
