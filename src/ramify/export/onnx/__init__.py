"""A tree as a model of ONNX.

`model.py` puts the parts together: `tree_ensemble.py` finds the leaf of a row, `mixing.py` answers
for rows that missing values spread over several leaves, and `graph.py` holds the operations.
"""

from ramify.export.onnx.model import to_onnx

__all__ = ["to_onnx"]
