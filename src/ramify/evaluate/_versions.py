"""The versions of what computes the results: they belong to a table as its parameters do."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version


def versions() -> dict[str, str]:
    """Give the versions of Python, of the package and of what it computes with."""
    import ramify

    found = {"Python": platform.python_version(), "ramify": ramify.__version__}
    for package in ("numpy", "scipy", "scikit-learn"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # a build without metadata
            found[package] = "unknown"
    return found
