"""Messages of errors in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence

_INVALID = re.compile(r"Invalid value for '?(.+?)'?: (?:Value error, )?(.+)", re.DOTALL)
# What the parser says of a value, and what a user understands.
_WORDS = (
    (re.compile(r"Input should be a valid number.*", re.DOTALL), "it must be a number"),
    (re.compile(r"Input should be a valid integer.*", re.DOTALL), "it must be a whole number"),
    (re.compile(r"Input should be greater than or equal to (\S+)"), r"it must be at least \1"),
    (re.compile(r"'(\w+)'(?=,|\.?$)"), r"\1"),
)
# A parameter of a learner or reader as its error begins, perhaps after the name of a file.
_PARAMETER = re.compile(r"(^|: )([a-z_]+)=(?=[^=])")
_OTHER_NAMES = {"n_jobs": "jobs", "n_leaves": "leaves"}


def plain_message(message: str) -> str:
    """Give an error of the parser of options in plain words.

    Examples
    --------
    >>> plain_message("Invalid value for '--folds': Input should be greater than or equal to 0")
    '--folds: it must be at least 0'
    >>> plain_message("Invalid value for '--task': Value error, 'x' is not one of 'a', 'b'.")
    "--task: 'x' is not one of a, b"
    """
    found = _INVALID.fullmatch(message)
    if found is None:
        return message
    text = found[2]
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    return f"{found[1]}: {text.rstrip('.')}"


def name_the_option(message: str, typed: Sequence[str]) -> str:
    """Name the option that was typed in place of the parameter that an error begins with.

    Examples
    --------
    >>> name_the_option("growth='up' is not valid", ["fit", "t.csv", "--growth", "up"])
    "--growth 'up' is not valid"
    """
    found = _PARAMETER.search(message)
    if found is None:
        return message
    option = "--" + _OTHER_NAMES.get(found[2], found[2]).replace("_", "-")
    if not any(word == option or word.startswith(f"{option}=") for word in typed):
        return message
    return f"{message[: found.start()]}{found[1]}{option} {message[found.end() :]}"
