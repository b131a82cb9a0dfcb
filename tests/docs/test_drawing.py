"""The examples of the guides to drawings and reports run, and their pictures are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.paths import ROOT

DOCS = ROOT / "docs"


@pytest.mark.parametrize("name", ["drawing.md", "reading-a-report.md"])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    if "matplotlib" in text:
        pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), space)
    assert any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["drawing.md", "reading-a-report.md"])
def test_pictures_and_links_are_there(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)", text):
        path = DOCS / link
        assert path.exists(), link
        assert path.suffix == ".md" or path.stat().st_size < 200_000
