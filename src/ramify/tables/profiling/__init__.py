"""What the columns of a table are: kinds, roles, association with the target, and findings.

- `profiler.py` goes through a table; `profile.py`, `column_profile.py`, `findings.py` and
  `target.py` hold what it finds, `layout.py` and `words.py` show it.
- `identifiers.py` finds columns that name the rows, `names.py` reads the names of columns.
- `association.py` says how much a column tells of the target; `cardinality.py`, `leaks.py`,
  `same.py` and `read_as.py` each make one kind of finding.

Imports the rest of `tables`. Used by the estimators, the command line and the report.
"""

from __future__ import annotations

from ramify.tables.profiling.column_profile import ColumnProfile
from ramify.tables.profiling.findings import Finding
from ramify.tables.profiling.identifiers import find_identifiers
from ramify.tables.profiling.profile import Profile
from ramify.tables.profiling.profiler import profile

__all__ = ["ColumnProfile", "Finding", "Profile", "find_identifiers", "profile"]
