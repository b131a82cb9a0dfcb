"""The guide: its examples run in order, and print what stands below them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "comparing.md"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def test_the_examples_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    assert len(blocks) >= 8
    space: dict[str, Any] = {}
    printed = ""
    for kind, text in blocks:
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(text, space)
            printed = out.getvalue()
        else:
            assert printed == text
