"""Prepares docstrings for the reference pages of the site: roles and choices.

Editors and Python's help read roles (``:meth:`fit```); the site's reader of docstrings does not
know them. Of choices (``{"a", "b"}``) it takes the first for the default, whatever the signature
says. It is an extension of griffe, named in mkdocs.yml.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_ROLE = re.compile(r":(?:class|func|meth|mod|attr|data|exc|obj|doc):`~?([^`<]+?)(?:\s*<[^`]*>)?`")

_CHOICES = re.compile(r"^( *\w+(?:, \w+)* : )\{([^}\n]*)\}", re.MULTILINE)


def without_roles(text: str) -> str:
    """Replace roles by the last part of the name, as code."""
    return _ROLE.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", text)


def without_choices(text: str) -> str:
    """Write the choices of a parameter as alternatives."""
    return _CHOICES.sub(lambda found: found[1] + found[2].replace(", ", " or "), text)


class Roles(Extension):
    """Rewrites every docstring before it is parsed."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of a module, a class, a function or an attribute."""
        if obj.docstring is not None:
            obj.docstring.value = without_choices(without_roles(obj.docstring.value))
