"""Where ours differ from scikit-learn's trees by design: the test, and the reason.

A test here must fail: one that passes has become no difference, and goes. `docs/migrating.md` tells
users of the differences; those that only concern scikit-learn's own internals are marked so.
"""

from __future__ import annotations

import sklearn

#: The release whose tests were sorted. Others may lack one of them, or have more.
SORTED = "1.9"
IS_SORTED = sklearn.__version__.startswith(f"{SORTED}.")
_INTERNAL = "internal: "
#: The beginning of the name of a test: the reason.
DIFFERENCES = {
    "test_max_features": "all columns are looked at: no max_features",
    "test_error": _INTERNAL + "the number of rows is checked before the range of the target",
    "test_min_impurity_decrease[DecisionTreeClassifier-log_loss]": (
        "min_gain is the gain at the node, not weighted by its share of the rows"
    ),
    "test_min_impurity_decrease[DecisionTreeRegressor-poisson]": (
        "min_gain is the gain at the node, not weighted by its share of the rows"
    ),
    "test_pickle": _INTERNAL + "attributes of its compiled tree",
    "test_almost_constant_feature": "numbers are told apart exactly, also within 1e-7",
    "test_big_input": "numbers are float64: none is too large for float32",
    "test_huge_allocations": _INTERNAL
    + "a limit beyond memory is no error, as nothing is reserved",
    "test_mae": "a split that gains nothing is made only by a strictly concave criterion",
    "test_poisson_zero_nodes": "a Poisson leaf without events predicts 0",
    "test_poisson_vs_mse": "a Poisson leaf without events predicts 0",
    "test_min_sample_split_1_error": "1.0 is no fraction of the rows; write None or an integer",
    "test_missing_values_best_splitter_on_equal_nodes_no_missing": (
        "a value missing only at prediction goes down both branches in proportion"
    ),
    "test_missing_values_best_splitter_missing_both_classes_has_nan": (
        "where both sides gain the same, missing values go left"
    ),
    "test_build_pruned_tree": _INTERNAL + "functions of its compiled module",
    "test_friedman_mse_deprecation": _INTERNAL + "a warning of its own",
}


def reason_of(test: str) -> str | None:
    """The reason why a test fails, None if it must pass."""
    return next((why for start, why in DIFFERENCES.items() if test.startswith(start)), None)
