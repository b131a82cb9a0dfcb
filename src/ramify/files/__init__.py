"""Model files: a fitted estimator as JSON, in a published format that stays readable for ever.

Loading runs no code from the file. The class is one of a fixed list, every entry is checked before
it is used, and anything wrong raises :class:`ModelFileError`. See ``docs/model-format.md``.

Imports the estimators, so that they register themselves, and what lies below them. Used by
``estimator.save``, ``ramify.load`` and the command line.
"""

from __future__ import annotations

from ramify.files.model import ModelFileError, dumps, load, loads, save

__all__ = ["ModelFileError", "dumps", "load", "loads", "save"]
