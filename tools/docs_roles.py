"""Turns the roles of docstrings (``:meth:`fit```) into code for the reference pages of the site.

Editors and Python's help read the roles; the site's reader of docstrings does not know them. It is
an extension of griffe, named in mkdocs.yml.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_ROLE = re.compile(r":(?:class|func|meth|mod|attr|data|exc|obj|doc):`~?([^`<]+?)(?:\s*<[^`]*>)?`")


def without_roles(text: str) -> str:
    """Replace roles by the last part of the name, as code."""
    return _ROLE.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", text)


class Roles(Extension):
    """Rewrites every docstring before it is parsed."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of a module, a class, a function or an attribute."""
        if obj.docstring is not None:
            obj.docstring.value = without_roles(obj.docstring.value)
