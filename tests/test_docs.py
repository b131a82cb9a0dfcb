"""Every code block of README and the guides runs, page by page, in an empty folder.

Python blocks of a page share one namespace, in order. Shell blocks run their `ramify` lines; what
installs something is left out. A block marked `text` is output.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from ramify.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
SHELL = ("sh", "bash", "console", "")
# What a block needs beyond a plain install, by what stands in it.
EXTRAS = {
    "plot": "matplotlib",
    "to_onnx": "onnx",
    "onnxruntime": "onnxruntime",
    "duckdb": "duckdb",
    "pandas": "pandas",
    "polars": "polars",
}
pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="the guides are not here")


def blocks(page: Path) -> Iterator[tuple[int, str, str]]:
    """Give line, language and code of each block."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        indent = len(match[1])
        code = "\n".join(line[indent:] for line in match[3].splitlines())
        yield text[: match.start()].count("\n") + 2, match[2], code


def commands(code: str) -> list[str]:
    """Give the `ramify` commands of a shell block, continued lines joined."""
    lines = code.replace("\\\n", " ").splitlines()
    return [
        line.removeprefix("$ ") for line in lines if line.removeprefix("$ ").startswith("ramify ")
    ]


def runs(page: Path) -> bool:
    return any(
        language == "python" or (language in SHELL and commands(code))
        for _, language, code in blocks(page)
    )


@pytest.mark.parametrize("page", [page for page in PAGES if runs(page)], ids=lambda page: page.name)
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    whole = page.read_text(encoding="utf-8")
    for word, module in EXTRAS.items():
        if word in whole:
            pytest.importorskip(module)
    names: dict[str, object] = {"__name__": page.stem}
    for line, language, code in blocks(page):
        if language == "python":
            # Empty lines before it, so that an error names the line of the page.
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        elif language in SHELL:
            for command in commands(code):
                words = shlex.split(command.split("#")[0])[1:]
                assert main(words) == 0, f"{page.name}, line {line}: {command}"


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
