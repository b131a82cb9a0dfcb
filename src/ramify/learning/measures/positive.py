"""Which of two classes a measure is about."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

#: Words for yes in files of several languages.
_YES = frozenset({"yes", "y", "true", "t", "1", "1.0", "ja", "j", "oui", "si", "sí", "sì", "sim"})


def positive_class(classes: NDArray[Any]) -> int:
    """Give the place of the class that is looked for.

    Of two classes it is the one that says yes, if one does; otherwise the second. Of more classes
    it is the second, too.

    Examples
    --------
    >>> import numpy as np
    >>> positive_class(np.array(["ja", "nein"])), positive_class(np.array(["no", "yes"]))
    (0, 1)
    """
    saying_yes = [str(label).strip().lower() in _YES for label in classes.tolist()]
    if len(classes) == 2 and saying_yes == [True, False]:
        return 0
    return min(1, len(classes) - 1)
