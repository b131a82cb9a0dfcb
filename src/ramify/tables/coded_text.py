"""A column of texts as codes of its distinct texts: how files give it, and how a tree needs it.

Invariant: `values` never changes, so that it and the codes always say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class CodedText:
    """A column of texts.

    Parameters
    ----------
    codes : ndarray of int32
        For each row the place of its text in `levels`; -1 is missing.
    levels : sequence of str
        The distinct texts, in the order in which they were first seen. After `take` some may
        have no rows.

    Examples
    --------
    >>> import numpy as np
    >>> CodedText(np.array([1, 0, -1], dtype=np.int32), ["Oslo", "Rome"]).values
    array(['Rome', 'Oslo', None], dtype=object)
    """

    codes: NDArray[np.int32]
    levels: Sequence[str]

    @cached_property
    def values(self) -> NDArray[np.object_]:
        """The texts by rows, None where missing; the array is read-only."""
        levels = np.empty(len(self.levels) + 1, dtype=object)
        levels[:-1] = self.levels
        values = levels[self.codes]  # -1 is the last: None
        values.flags.writeable = False
        return values

    def take(self, rows: NDArray[np.generic]) -> CodedText:
        """Give some of the rows: indices or a mask."""
        return CodedText(self.codes[rows], self.levels)

    def __len__(self) -> int:
        return len(self.codes)
