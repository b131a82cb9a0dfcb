"""The warnings of ramify."""

from __future__ import annotations


class RamifyWarning(UserWarning):
    """Something in the data or the parameters probably is not what was meant.

    The message names the column or parameter and says how to silence it.

    Examples
    --------
    >>> import warnings
    >>> from ramify import RamifyWarning
    >>> warnings.simplefilter("ignore", RamifyWarning)
    """


__all__ = ["RamifyWarning"]
