"""A tree as an expression of SQL.

`expression.py` writes the CASE for rows whose leaf is known, and `mixing.py` the sums for rows that
missing values spread over several leaves. `branch_tests.py` writes the conditions of both, and
`dialects.py` says how names and numbers are written.
"""

from ramify.export.sql.expression import to_sql

__all__ = ["to_sql"]
