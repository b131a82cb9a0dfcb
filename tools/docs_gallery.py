"""The analyses of the gallery, run while mkdocs builds the site (a hook of mkdocs.yml).

Each section of docs/gallery.md with a ``ramify fit`` command is an analysis. Its code runs in an
empty folder, as a reader would run it. The page gets what the command said of the columns and its
score, the tree as a picture, and the report, which the home page shows, too.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import tempfile
import textwrap
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "gallery.md"
#: Where the hook puts its results into a page.
RESULT, LIVE = "<!-- result -->", "<!-- live report -->"
#: The analyses for the home page; the first that can be run is shown.
HOME = ("cars", "titanic")
#: A package that some sections take their table from. `pip install '.[docs]'` has it.
OPTIONAL = "vega_datasets"

_BLOCK = re.compile(r"```(python|sh)\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Analysis:
    """A section of the gallery."""

    heading: str
    text: str

    @property
    def blocks(self) -> list[tuple[str, str]]:
        """Language and code of each block."""
        return _BLOCK.findall(self.text)

    @property
    def command(self) -> str:
        """The ``ramify fit`` command."""
        lines = (line for _, code in self.blocks for line in code.splitlines())
        return next(line for line in lines if line.startswith("ramify fit "))

    @property
    def name(self) -> str:
        """The name of the report, without its ending."""
        words = shlex.split(self.command)
        return Path(words[words.index("--report") + 1]).stem

    @property
    def words(self) -> str:
        """The sentences about the result."""
        return self.text.partition(RESULT)[2].strip()

    @property
    def lacks(self) -> str | None:
        """The package that has to be installed first."""
        wanted = OPTIONAL in self.text
        return OPTIONAL if wanted and find_spec(OPTIONAL) is None else None


@dataclass(frozen=True)
class Outcome:
    """What an analysis wrote."""

    printed: str
    report: str
    svg: str

    @property
    def paragraphs(self) -> list[str]:
        """What the command printed: the columns, the score, the size, the tree, ..."""
        return self.printed.strip("\n").split("\n\n")


def analyses() -> list[Analysis]:
    """Find the sections with a ``ramify fit`` command."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [
        Analysis(heading.strip(), text)
        for heading, _, text in (section.partition("\n") for section in sections)
        if "ramify fit " in text
    ]


@cache
def run(analysis: Analysis) -> Outcome:
    """Run the code of a section in an empty folder."""
    from ramify import load
    from ramify.cli import main

    printed = ""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), _width(100):
        for language, code in analysis.blocks:
            if language == "python":
                exec(compile(code, PAGE.name, "exec"), {})
                continue
            for line in code.splitlines():
                words = shlex.split(line, comments=True)[1:]
                fits = line == analysis.command
                with contextlib.redirect_stdout(io.StringIO()) as stream:
                    code_of_exit = main([*words, *(("--model", "model.json") if fits else ())])
                if code_of_exit != 0:
                    raise RuntimeError(f"{PAGE.name}: this command failed: {line}")
                printed = stream.getvalue() if fits else printed
        report = Path(f"{analysis.name}.html").read_text(encoding="utf-8")
        return Outcome(printed, report, load("model.json").tree_.to_svg())


@contextlib.contextmanager
def _width(columns: int) -> Any:
    """Print for a terminal of this width."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        yield
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before


def result(analysis: Analysis) -> str:
    """Write the part of the page that comes from the run."""
    if analysis.lacks:
        return f"!!! note\n    Not run for this site, because {analysis.lacks} was not installed."
    outcome = run(analysis)
    name = analysis.name
    read, *notes = outcome.paragraphs[0].splitlines()
    done = "\n".join(f"- {_plain(note.removeprefix('- '))}" for note in [read, *notes])
    score = "\n".join(f"- {_plain(line)}" for line in outcome.paragraphs[1].splitlines())
    everything = textwrap.indent(f"```text\n{outcome.printed.strip()}\n```", "    ")
    return "\n\n".join(
        [
            f"**What was done to the columns**\n\n{done}",
            f"**The score, with the score of a constant answer in brackets**\n\n{score}",
            f"[![The tree: {analysis.heading}](images/analyses/{name}.svg)]"
            f"(images/analyses/{name}.svg)",
            f"[Open the report of this tree](reports/{name}.html){{ .md-button target=_blank }}",
            f'??? note "All that the command prints"\n\n{everything}',
            "**What it says**",
        ]
    )


def _plain(line: str) -> str:
    """Protect the signs that Markdown would take for its own."""
    return re.sub(r"([\\`*_{}<>\[\]#|])", r"\\\1", line)


def home() -> str:
    """Write the frame with the live report."""
    found = {analysis.name: analysis for analysis in analyses()}
    shown = next(found[name] for name in HOME if not found[name].lacks)
    page = f"reports/{shown.name}.html"
    return (
        f"```sh\n{shown.command}\n```\n\n"
        f'<iframe src="{page}" title="The report of {shown.command.split()[2]}" '
        'style="width:100%;height:52rem;border:1px solid #8884;border-radius:8px" '
        'loading="lazy"></iframe>\n\n'
        f"[Open it in a window of its own]({page}){{ target=_blank }}"
    )


def on_files(files: Any, config: Any) -> Any:
    """Add reports and pictures to the files of the site."""
    from mkdocs.structure.files import File

    for analysis in analyses():
        if analysis.lacks:
            print(f"gallery: {analysis.name} is left out; {analysis.lacks} is not installed")
            continue
        outcome, name = run(analysis), analysis.name
        for path, content in (
            (f"reports/{name}.html", outcome.report),
            (f"images/analyses/{name}.svg", outcome.svg),
        ):
            files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the results into the gallery and the home page."""
    if page.file.src_uri == "gallery.md":
        for analysis in analyses():
            filled = analysis.text.replace(RESULT, result(analysis))
            markdown = markdown.replace(analysis.text, filled)
    return markdown.replace(LIVE, home()) if LIVE in markdown else markdown
