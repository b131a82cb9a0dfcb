"""Texts that exports write: to a file, and inside comments."""

from __future__ import annotations

import os

from ramify.support.writer import write_text


def write(text: str, path: str | os.PathLike[str] | None) -> str:
    """Write a text to a file, if one is named, and give it back."""
    if path is not None:
        write_text(path, text)
    return text


def one_line(text: str) -> str:
    """A text for a comment: printable, and without the end of a comment in any language."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace("??", "? ?")
