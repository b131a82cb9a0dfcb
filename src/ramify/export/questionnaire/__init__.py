"""A tree as a page that asks its questions one by one and gives the answer with its reasons.

`document.py` puts the page together, `data.py` says what it knows of the tree, and `wording.py` how
its questions read. The scripts in `page/` walk the tree: `walk.js` answers as `predict` does.
"""

from ramify.export.questionnaire.document import to_questionnaire

__all__ = ["to_questionnaire"]
