"""Trees that a person changes: edits with their price, undo, history, and code that replays them.

- `editor.py` is `TreeEditor`. Its edits are in `splitting.py` (one condition), `branches.py`
  (everything below a node) and `marking.py` (locks and answers). `growing.py` searches and grows,
  `curves.py` looks at one column, `bounds.py` says what locks cost, `base.py` has what they share.
- `state.py` has one state of the tree, `losses.py` the loss of every row, `price.py` what an edit
  costs, `monotone.py` the order that must hold.
- `reading.py` reads conditions as people write them, `snapping.py` rounds thresholds, `demands.py`
  writes conditions for the core.
- `history.py` has the records, `script.py` the code, `skeletons.py` what cross-validation keeps.

Imports the trees and what is below them.
"""

from ramify.edit.candidates import Candidate, Candidates
from ramify.edit.curves import GainCurve, LevelCurve, LevelShare
from ramify.edit.editor import TreeEditor
from ramify.edit.history import Edit
from ramify.edit.price import Bound, Change, Price
from ramify.edit.skeletons import skeleton_of

__all__ = [
    "Bound",
    "Candidate",
    "Candidates",
    "Change",
    "Edit",
    "GainCurve",
    "LevelCurve",
    "LevelShare",
    "Price",
    "TreeEditor",
    "skeleton_of",
]
