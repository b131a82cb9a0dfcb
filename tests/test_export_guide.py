"""The examples of the guide to exports run, and say what the guide says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[1] / "docs" / "exporting.md"


def test_the_guide_runs() -> None:
    if not GUIDE.exists():
        pytest.skip("the guide is not installed with the package")
    for needed in ("onnx", "onnxruntime", "pandas"):
        pytest.importorskip(needed)
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    space: dict[str, Any] = {}
    said = ""
    for kind, code in blocks:
        if kind != "python":
            assert code == said
            continue
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            exec(compile(code, str(GUIDE), "exec"), space)
        said = stream.getvalue()
    assert space["labels"].tolist() == ["no", "yes"]
