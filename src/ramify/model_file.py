"""Model files, under their public name; see :mod:`ramify.files`."""

from ramify.files import ModelFileError, dumps, load, loads, save

__all__ = ["ModelFileError", "dumps", "load", "loads", "save"]
