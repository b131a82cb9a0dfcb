"""Every code block of README and the guides runs, page by page, in an empty folder.

Python blocks of a page share one namespace, in order. A block marked `text` below one is what it
printed; a `pycon` block shows its output itself. Shell blocks run their `ramify` and `python -c`
lines, but install nothing. A table of two rows stands for OpenML, so that no test needs a network.
Where a package that only carries tables is missing, the commands on its tables are left out.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.datasets
from helpers.paths import ROOT
from sklearn.utils import Bunch

from ramify.cli import main

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PICTURES = ROOT / "tools" / "docs_pictures.py"
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
SHELL = ("sh", "bash", "console", "")
# Text in a block -> the library that it needs beyond a plain install.
EXTRAS = {
    "plot": "matplotlib",
    "to_onnx": "onnx",
    "onnxruntime": "onnxruntime",
    "duckdb": "duckdb",
    "pandas": "pandas",
    "pyarrow": "pyarrow",
    "polars": "polars",
    "as_frame": "pandas",
}
# Text in a block -> a package that it takes its table from. Only that table is not there without.
TABLES = "vega_datasets"
FILE = re.compile(r"[\w-]+\.(?:csv|json)\b")
pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="the guides are not here")


def blocks(page: Path) -> Iterator[tuple[int, str, str]]:
    """Give line, language and code of each block."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        indent = len(match[1])
        code = "\n".join(line[indent:] for line in match[3].splitlines())
        yield text[: match.start()].count("\n") + 2, match[2], code


def commands(code: str) -> list[str]:
    """Give the commands of a shell block that are run, continued lines joined."""
    lines = [line.removeprefix("$ ") for line in code.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.startswith(("ramify ", "python -c "))]


def runs(page: Path) -> bool:
    return any(
        language in ("python", "pycon") or (language in SHELL and commands(code))
        for _, language, code in blocks(page)
    )


def run_command(command: str, page: Path, line: int) -> None:
    """Run a command of the shell in this process."""
    program, *words = shlex.split(command, comments=True)
    if program == "python":
        run_python(words[1], page, line, {})
    else:
        assert main(words) == 0, f"{page.name}, line {line}: {command}"


def openml(**_: Any) -> Bunch:
    """Stand for scikit-learn's loader."""
    return Bunch(
        data=np.array([[1.5], [2.0]]),
        target=np.array(["a", "b"], dtype=object),
        feature_names=["size"],
        target_names=["kind"],
        categories={},
        details={"id": "7", "name": "things", "version": "1"},
    )


def run_python(code: str, page: Path, line: int, names: dict[str, Any]) -> str:
    """Run a block and give what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        # Empty lines before it, so that an error names the line of the page.
        exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
    return stream.getvalue()


def run_session(code: str, page: Path, line: int, names: dict[str, Any]) -> None:
    """Run a block of prompts; what they print must stand below them."""
    test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line - 1)
    said = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(test, out=said.write, clear_globs=False).failed == 0, said.getvalue()
    names.update(test.globs)


@pytest.mark.parametrize("page", [page for page in PAGES if runs(page)], ids=lambda page: page.name)
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", openml)
    whole = page.read_text(encoding="utf-8")
    for word, module in EXTRAS.items():
        if word in whole:
            pytest.importorskip(module)
    names: dict[str, Any] = {"__name__": page.stem}
    printed: str | None = None
    absent: set[str] = set()
    for line, language, code in blocks(page):
        if TABLES in code and find_spec(TABLES) is None:
            absent.update(FILE.findall(code))
        if absent.intersection(FILE.findall(code)):
            continue
        if language == "text" and printed is not None:
            assert printed.strip("\n") == code, f"{page.name}, line {line}"
        printed = None
        if language == "python":
            printed = run_python(code, page, line, names)
        elif language == "pycon":
            run_session(code, page, line, names)
        elif language in SHELL:
            for command in commands(code):
                run_command(command, page, line)


def test_the_first_tree_has_its_names_without_a_dataframe_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a plain install prints is what README shows beside the code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    code = next(code for _, language, code in blocks(ROOT / "README.md") if language == "python")
    shown = re.findall(r"^# (.*[├└:].*)$", code, re.MULTILINE)
    printed = run_python(code, ROOT / "README.md", 1, {})
    assert len(shown) > 4 and printed.splitlines()[: len(shown)] == shown


def test_a_block_of_code_says_what_it_is() -> None:
    for page in PAGES:
        for line, language, code in blocks(page):
            looks = re.search(r"^(import|from \w+ import|>>> ) ?", code, re.MULTILINE)
            where = f"{page.name}, line {line}: would not be run"
            assert not looks or language in ("python", "pycon"), where


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        words = FENCE.sub("", page.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", words):
            if "://" in target or target.startswith("mailto:"):
                continue
            if target.startswith("images/gallery/"):  # made with the site
                assert f'yield "{Path(target).stem}"' in PICTURES.read_text(encoding="utf-8")
            else:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
