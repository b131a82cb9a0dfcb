"""A tree as PMML 4.4.

`document.py` writes the model, `predicates.py` the conditions of its nodes, and `elements.py` says
how XML is written.
"""

from ramify.export.pmml.document import to_pmml

__all__ = ["to_pmml"]
