"""What the harness has found stays mended: every kept case, for ever."""

from __future__ import annotations

import json

import pytest

from fuzz.__main__ import CAMPAIGNS, CASES

KEPT = sorted(path.stem for path in CASES.glob("*.json"))


@pytest.mark.parametrize("name", KEPT)
def test_kept_case(name: str) -> None:
    kept = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    CAMPAIGNS[kept["campaign"]].run(kept["case"], 0)


def test_every_case_says_what_was_found() -> None:
    assert KEPT
    for name in KEPT:
        assert json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))["found"]
