"""Puts the files outside docs/ that the guides link to into the site (a hook of mkdocs.yml).

In the repository the guides link to ``../experiments/results/x.md``. The site has those files below
its own root, and its links lead there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WANTED = ("experiments/results/*.md", "experiments/results/*.png", "src/ramify/*.schema.json")
OUTSIDE = re.compile(r"\]\(\.\./(experiments/results|src/ramify)/")


def on_files(files: Any, config: Any) -> Any:
    """Add these files to the site."""
    from mkdocs.structure.files import File

    for pattern in WANTED:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Change the links of a guide to those files."""
    return OUTSIDE.sub(r"](\1/", markdown)
