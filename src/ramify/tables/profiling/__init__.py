"""What the columns of a table are: kinds, roles, association with the target, and findings.

- `identifiers.py` finds the columns that name the rows; `names.py` reads the names of columns.

Imports the rest of `tables`. Used by the estimators, the command line and the report.
"""

from __future__ import annotations

from ramify.tables.profiling.identifiers import find_identifiers

__all__ = ["find_identifiers"]
