"""The parts of a page, and how they become one file. What comes from data is never markup.

Invariant: data stands in a page as JSON in which no tag can begin, or as escaped text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

#: The scripts that all pages share, in the order in which they run.
SHARED_SCRIPTS = ("elements.js", "words.js", "times.js")


def read(folder: Traversable, name: str) -> str:
    """Read a part of a page."""
    return (folder / name).read_text(encoding="utf-8")


def shared(name: str) -> str:
    """Read a part that all pages share."""
    return read(resources.files("ramify.support.page"), name)


def scripts(folder: Traversable, names: Sequence[str]) -> str:
    """The scripts that all pages share, then those of one page, as one text."""
    texts = [*map(shared, SHARED_SCRIPTS), *(read(folder, name) for name in names)]
    return "\n".join(map(_prepared, texts))


def fill_template(template: str, **parts: str) -> str:
    """Fill the places of a template, which are written %%name%%.

    The template is cut before it is filled: what is put in is never read as a place to fill.

    Examples
    --------
    >>> fill_template("<h1>%%title%%</h1>%%body%%", title="%%body%%", body="<p>")
    '<h1>%%body%%</h1><p>'
    """
    pieces = template.split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def without_comments(script: str) -> str:
    r"""A script without indents and lines of comments, which a reader of the page never needs.

    No text of the scripts goes over several lines, so that nothing in quotes changes.

    Examples
    --------
    >>> without_comments("// What it does.\nif (a) {\n  b();\n}")
    'if (a) {\nb();\n}'
    """
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


#: Every report has the same scripts.
_prepared = lru_cache(maxsize=64)(without_comments)


def as_script(data: Any) -> str:
    """JSON that may stand inside a script element: no tag and no comment can begin in it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def as_text(text: str) -> str:
    """A text that may stand anywhere in a page, also inside quotes.

    Examples
    --------
    >>> as_text("a < 'b'")
    'a &lt; &#x27;b&#x27;'
    """
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def source_hash(text: str) -> str:
    """A style or a script as a content security policy names it; it must be inside its tags.

    Examples
    --------
    >>> source_hash("alert(1)")[:20]
    "'sha256-bhHHL3z2vDgx"
    """
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
