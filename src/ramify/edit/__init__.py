"""Trees that a person changes: edits with their price, undo, history, and code that replays them.

- `editor.py` is `TreeEditor`.
- `state.py` has one state of it, `losses.py` the loss of every row, `price.py` what an edit costs.
- `reading.py` reads conditions as people write them; `candidates.py` what could be asked instead.
- `history.py` has the records.

Imports the greedy trees and what is below them.
"""

from ramify.edit.candidates import Candidate, Candidates
from ramify.edit.editor import TreeEditor
from ramify.edit.history import Edit
from ramify.edit.price import Bound, Change, Price

__all__ = ["Bound", "Candidate", "Candidates", "Change", "Edit", "Price", "TreeEditor"]
