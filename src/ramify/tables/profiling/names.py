"""What the name of a column says of it: a key, a row number, a time, a rank."""

from __future__ import annotations

import re
from functools import lru_cache

#: Every fit asks for the names of its columns, mostly the same ones.
_REMEMBERED = 4096
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")

#: Words for keys. A column of such a name need only be of different whole numbers.
_KEYS = {"id", "ids", "key", "uid", "uuid", "guid", "pk", "rowid", "rownum", "rn", "idx", "ssn"}
_KEYS |= {"isbn", "ean", "upc", "imei", "iban", "barcode", "vin", "rownames", "rowname"}
#: Words that may stand for a key or for a count.
_NUMBERS = {"no", "nr", "num", "number", "nbr", "nummer", "numero", "code", "phone", "telephone"}
_NUMBERS |= {"tel", "mobile", "fax", "account", "serial", "ticket", "reference", "ref", "record"}
_NUMBERS |= {"case", "subject", "sample", "observation", "obs", "row"}
#: Words for what is joined to "id" without a sign: userid.
_THINGS = "account|car|case|client|cust|customer|device|doc|document|employee|event|film|house"
_THINGS += "|item|loan|member|movie|object|obs|order|patient|person|player|product|record|row"
_THINGS += "|sample|session|store|student|subject|track|transaction|trip|user"
_JOINED = re.compile(rf"(?:{_THINGS})_?(?:id|key|no|nr|num)", re.IGNORECASE)
#: Names that programs give to a column of row numbers that had none.
_ROW_NUMBERS = {"", "index", "idx", "x", "rn", "rownames", "rowname", "rownum", "rownumber"}
_ROW_NUMBERS |= {"rowid", "row", "unnamed", "obs", "nr", "no", "id", "lp", "#"}
#: Whole numbers in a run that mean something: they are no row numbers.
_TIMES = {"time", "t", "day", "days", "date", "week", "weeks", "month", "months", "quarter", "year"}
_TIMES |= {"years", "yr", "hour", "hours", "minute", "minutes", "second", "seconds", "period"}
_TIMES |= {"step", "steps", "age", "lag", "epoch", "iteration", "round", "wave", "visit", "trial"}
_TIMES |= {"rank", "ranking", "order", "position", "pos", "place", "distance", "dose", "length"}
_TIMES |= {"temperature", "temp", "depth", "height", "level", "size", "tag", "jahr", "monat"}
#: Words that say that a text names a thing.
_NAMES = {"name", "names", "title", "label", "description", "comment", "comments", "text", "url"}
_NAMES |= {"email", "mail", "address", "link", "notes", "note", "summary", "review", "hash"}


def words_of(name: str) -> list[str]:
    """Give the words of a name in lower case.

    Examples
    --------
    >>> words_of("CustomerID"), words_of("zip_code"), words_of("Unnamed: 0")
    (['customer', 'id'], ['zip', 'code'], ['unnamed', '0'])
    """
    return [word.lower() for word in _WORD.findall(name)]


@lru_cache(_REMEMBERED)
def is_key(name: str) -> bool:
    """Tell whether a name says that a column is a key.

    Examples
    --------
    >>> [is_key(name) for name in ("id", "orderId", "userid", "id_sku", "paid", "key rate")]
    [True, True, True, True, False, False]
    """
    words = words_of(name)
    if not words:
        return False
    first_only = {"id", "uuid", "guid"}  # key rate is a rate
    return words[-1] in _KEYS or words[0] in first_only or bool(_JOINED.fullmatch(name.strip()))


@lru_cache(_REMEMBERED)
def may_be_key(name: str) -> bool:
    """Tell whether a name may be that of a key, or else of a count.

    Examples
    --------
    >>> [may_be_key(name) for name in ("account no.", "Number", "number of rooms", "num_rooms")]
    [True, True, False, False]
    """
    words = words_of(name)
    return bool(words) and words[-1] in _NUMBERS and "of" not in words


@lru_cache(_REMEMBERED)
def is_row_number(name: str) -> bool:
    """Tell whether a name is one that programs give to a column of row numbers.

    Examples
    --------
    >>> [is_row_number(name) for name in ("Unnamed: 0", "column_1", "X", "", "index", "price")]
    [True, True, True, True, True, False]
    >>> is_row_number("X2")
    False
    """
    words = words_of(name)
    if len(words) > 1 and words[0] in ("unnamed", "column", "level") and words[-1].isdecimal():
        return True
    return "".join(words) in _ROW_NUMBERS or name.strip() in _ROW_NUMBERS


@lru_cache(_REMEMBERED)
def is_time_or_rank(name: str) -> bool:
    """Tell whether whole numbers in a run may mean something in a column of this name.

    Examples
    --------
    >>> [is_time_or_rank(name) for name in ("Year", "rank", "day of study", "patient")]
    [True, True, True, False]
    """
    return not _TIMES.isdisjoint(words_of(name)) and not is_row_number(name)


@lru_cache(_REMEMBERED)
def names_things(name: str) -> bool:
    """Tell whether a name says that a column of text names or describes things.

    Examples
    --------
    >>> [names_things(name) for name in ("Name", "movie_title", "colour")]
    [True, True, False]
    """
    words = words_of(name)
    return bool(words) and (words[-1] in _NAMES or is_key(name))
