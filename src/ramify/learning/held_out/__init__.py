"""Predictions of rows that a learner has not seen, and what follows from them: scores and curves.

- `held_out.py` is `HeldOut`, the predictions with their scores.
- `curves.py` has the curves of a class: ROC, precision and recall, gain, lift, calibration.
- `predict.py` makes them: by cross-validation, from one held-out part, or from a test table.

Imports the measures, labels and folds. Used by the command line and reports.
"""

from ramify.learning.held_out.curves import Calibration, Curve
from ramify.learning.held_out.held_out import HeldOut, ScoreValue
from ramify.learning.held_out.predict import (
    MANY_ROWS,
    cross_predict,
    hold_out,
    hold_out_rows,
    predict_held_out,
)

__all__ = [
    "MANY_ROWS",
    "Calibration",
    "Curve",
    "HeldOut",
    "ScoreValue",
    "cross_predict",
    "hold_out",
    "hold_out_rows",
    "predict_held_out",
]
