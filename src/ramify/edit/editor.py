"""`TreeEditor`: a fitted tree that a person changes, one step after the other."""

from __future__ import annotations

from typing import Any

from ramify.edit.bounds import Bounds
from ramify.edit.branches import Branches
from ramify.edit.curves import Curves
from ramify.edit.marking import Marking
from ramify.edit.price import Price
from ramify.edit.script import write_script

#: The methods that edit, by name.
ACTIONS = (
    "split",
    "move_levels",
    "send_missing",
    "swap",
    "split_best",
    "collapse",
    "prune_worst",
    "regrow",
    "exclude",
    "graft",
    "label",
    "clear_label",
    "lock",
    "unlock",
)


class TreeEditor(Branches, Marking, Curves, Bounds):
    """A fitted tree that a person changes; every edit says what it costs.

    Parameters
    ----------
    estimator : TreeClassifier or TreeRegressor
        A fitted estimator. It does not change.
    X, y, sample_weight
        The rows that the tree was grown on. With other rows the conditions stay, and all numbers
        are those of the new rows.
    validation : None, float or tuple
        Rows for prices that the tree has not seen: a tuple (X, y) or (X, y, weights), or a fraction
        of the rows, for which the tree is grown again on the others. None: prices are of the
        training rows only, and say so.
    random_state : int, default=0
        Seed of the rows that are held out.
    author : str, optional
        Who edits, for the records.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.datasets import load_weather
    >>> weather = load_weather()
    >>> clf = TreeClassifier(max_depth=2).fit(weather.data, weather.y)
    >>> editor = TreeEditor(clf, weather.data, weather.y)
    >>> price = editor.split(0, "humidity <= 80", reason="easier to measure")
    >>> round(price.training.before, 2), round(price.training.after, 2)
    (0.14, 0.29)
    >>> editor.undo()
    >>> editor.tree == clf.tree_
    True
    """

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        validation: Any = None,
        random_state: int = 0,
        author: str | None = None,
    ) -> None:
        self.author = author
        self._given = {
            "sample_weight": None if sample_weight is None else "sample_weight",
            "validation": "validation" if isinstance(validation, tuple) else validation,
            "random_state": random_state or None,
            "author": None if author is None else repr(author),
        }
        self._open(estimator, X, y, sample_weight, validation, random_state)

    def __repr__(self) -> str:
        count = len(self.history)
        return f"<TreeEditor: {self.tree!r}, {count} edit{'' if count == 1 else 's'}>"

    def preview(self, action: str, node: int, *arguments: Any, **options: Any) -> Price:
        """Say what an edit would cost, without doing it.

        Parameters
        ----------
        action : str
            The name of the method: "split", "collapse", ...
        node : int
            Number of the node in ``tree``.
        *arguments, **options
            Its other arguments.

        Returns
        -------
        Price
        """
        if action not in ACTIONS:
            raise ValueError(f"action={action!r} is unknown; choose from {', '.join(ACTIONS)}")
        if action == "exclude":
            arguments, node = (node,), arguments[0]
        price: Price = getattr(self, action)(node, *arguments, **{**options, "dry_run": True})
        return price

    def script(self) -> str:
        """Give Python code that replays the edits of this editor, on the same or on new data."""
        given = {name: value for name, value in self._given.items() if value is not None}
        return write_script(self.history, given)
