"""What to say of a name that is not there: the names that are close to it, or all there are."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_SHOWN = 20


def unknown_column(name: str, valid: Iterable[str], *, what: str = "column") -> ValueError:
    """Make the error for a column that is not in a table."""
    return ValueError(f"{what} {name!r} is not in the table; {near_names(name, valid, 'columns')}")


def near_names(name: str, valid: Iterable[str], what: str) -> str:
    """Say which valid names are close to this one; if none is, list them as "the `what` are".

    Examples
    --------
    >>> near_names("peple", ["people", "places"], "data sets")
    "did you mean 'people'?"
    >>> near_names("x", ["people", "places"], "data sets")
    "the data sets are 'people', 'places'"
    """
    names = list(valid)
    folded = {other.casefold(): other for other in reversed(names)}
    close = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(repr(folded[match]) for match in close) + "?"
    shown = ", ".join(repr(other) for other in names[:_MOST_SHOWN])
    more = f", +{len(names) - _MOST_SHOWN}" if len(names) > _MOST_SHOWN else ""
    return f"the {what} are {shown}{more}"
