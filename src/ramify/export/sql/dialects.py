"""How dialects of SQL write names, numbers, levels and comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from ramify.export.refusals import ExportError, how_to_install

_LARGEST_EXACT = 2.0**53  # integers beyond it are rounded when a tree reads them as float64


@dataclass(frozen=True)
class Dialect:
    """One way of writing SQL.

    Parameters
    ----------
    name : str
        As the user gives it.
    mark : str
        The quotation mark of identifiers.
    double : str
        The type float64.
    exponent : bool
        Whether a number needs an exponent to be taken for float64.
    has_nan : bool
        Whether a column may hold NaN beside NULL.
    booleans : tuple of str
        False and true.
    fence : str
        The end of a subquery that keeps it from being copied to each place that uses it.
    cases_differ : bool
        Whether names that differ in case only are two names.
    """

    name: str
    mark: str
    double: str
    exponent: bool
    has_nan: bool
    booleans: tuple[str, str]
    fence: str
    cases_differ: bool

    def identifier(self, name: str) -> str:
        """Quote a name."""
        if "\0" in name:
            raise ExportError(f"the name {name!r} holds a zero byte, which SQL cannot name")
        if not name and self.name != SQLITE.name:
            raise ExportError("a name is empty, which this dialect does not take; give it another")
        return self.mark + name.replace(self.mark, 2 * self.mark) + self.mark

    def key(self, name: str) -> str:
        """Give a text that is the same for two names which the database takes for one."""
        return name if self.cases_differ else name.lower()

    def number(self, value: float) -> str:
        """Write a float64 so that every reader gets the same one."""
        if math.isinf(value):
            sign = "-" if value < 0 else ""
            if self.name == "sqlite":
                return f"{sign}9e999"
            if not self.has_nan:
                raise ExportError(
                    "the tree compares with infinity, which this dialect has no number for; "
                    f"choose from {', '.join(NATIVE)}"
                )
            return f"CAST('{sign}Infinity' AS {self.double})"
        text = decimal_text(value)
        return f"{text}e0" if self.exponent and "e" not in text else text

    def literal(self, value: Any, place: str) -> str:
        """Write a level or a class."""
        if isinstance(value, bool):
            return self.booleans[value]
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return self.number(value)
        if isinstance(value, str):
            if "\0" in value:
                raise ExportError(f"{place}: {value!r} holds a zero byte, which SQL cannot write")
            return "'" + value.replace("'", "''") + "'"
        raise ExportError(
            f"{place}: {value!r:.80} of type {type(value).__name__} has no form in SQL; convert "
            "it to a string or a number before fit"
        )

    def compared(self, column: str, threshold: float) -> str:
        """The column as a threshold is compared with it: rounded where the tree rounds it."""
        if math.isfinite(threshold) and abs(threshold) >= _LARGEST_EXACT:
            return f"CAST({column} AS {self.double})"
        return column

    def nan(self) -> str:
        """The text for NaN."""
        return f"CAST('NaN' AS {self.double})"


# SQLite takes an unknown name in double quotes for a string, and the answers would be wrong.
SQLITE = Dialect("sqlite", "`", "REAL", False, False, ("0", "1"), " LIMIT 1", False)
DUCKDB = Dialect("duckdb", '"', "DOUBLE", True, True, ("FALSE", "TRUE"), "", False)
POSTGRES = Dialect(
    "postgres", '"', "DOUBLE PRECISION", False, True, ("FALSE", "TRUE"), " OFFSET 0", True
)
NATIVE = {dialect.name: dialect for dialect in (SQLITE, DUCKDB, POSTGRES)}
# The other dialects refuse CAST('NaN' AS DOUBLE), and their columns hold no NaN.
_WITH_NAN = (
    *("athena", "bigquery", "clickhouse", "databricks", "hive", "materialize", "presto"),
    *("redshift", "risingwave", "snowflake", "spark", "spark2", "trino"),
)
_ALIASES = {"postgresql": "postgres", "sqlite3": "sqlite"}


def find_dialect(name: Any) -> tuple[Dialect, Callable[[str], str]]:
    """Give a dialect that we write, and the function that translates it to the one asked for."""
    if not isinstance(name, str):
        raise ValueError(f"dialect={name!r} is not valid; choose from {', '.join(NATIVE)}")
    name = _ALIASES.get(name.lower(), name.lower())
    if name in NATIVE:
        return NATIVE[name], lambda text: text
    try:
        import sqlglot
    except ImportError:
        raise ExportError(
            f"dialect={name!r} needs the package sqlglot ({how_to_install('sql')}); without it "
            f"choose from {', '.join(NATIVE)}"
        ) from None
    known = sorted(one.value for one in sqlglot.Dialects if one.value)
    if name not in known:
        raise ValueError(f"dialect={name!r} is not valid; choose from {', '.join(known)}")

    def translate(text: str) -> str:
        try:
            return str(sqlglot.parse_one(text, read="duckdb").sql(dialect=name))
        except RecursionError:
            raise ExportError(
                f"the tree is too large for sqlglot to write it as {name}; prune it, give "
                f"mix=False, or choose from {', '.join(NATIVE)}"
            ) from None

    return replace(DUCKDB, has_nan=name in _WITH_NAN), translate


def decimal_text(value: float) -> str:
    """A decimal number that is read as this float64, also by readers that are not exact.

    The shortest such decimal may lie near the middle between two floats, where some readers
    (SQLite is one) err. Then more digits are written.

    Examples
    --------
    >>> decimal_text(0.1), decimal_text(82.5)
    ('0.1', '82.5')
    """
    text = repr(value)
    if value and abs(Decimal(text) - Decimal(value)) > Decimal(math.ulp(value)) * 9 / 20:
        text = format(value, ".18g")
    return text


def join(parts: Iterable[str], word: str) -> str:
    """Join conditions; several are put in parentheses."""
    found = list(parts)
    return f"({f' {word} '.join(found)})" if len(found) > 1 else "".join(found)
