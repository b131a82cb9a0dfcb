"""Model files: a fitted estimator as JSON, in a published format that stays readable for ever.

Loading runs no code of the file: the class is one of a fixed list, every entry is verified before
it is used, and whatever is wrong raises :class:`ModelFileError`. See ``docs/model-format.md``.

Imports the estimators, to make them again. Used by ``save``, ``load`` and the command line.
"""

from __future__ import annotations

from ramify.files.model import ModelFileError, dumps, load, loads, save

__all__ = ["ModelFileError", "dumps", "load", "loads", "save"]
