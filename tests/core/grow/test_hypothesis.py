"""Growth on made-up tables: ties, one row, one class, constant and empty columns, zero weights."""

from __future__ import annotations

import math

import numpy as np
from helpers.growth_data import assert_root, assert_same_tree, fit
from helpers.growth_strategies import RELAXED, problems
from hypothesis import given
from hypothesis import strategies as st


@given(problems(classification=True))
@RELAXED
def test_classification(problem):
    assert_root(problem, exact=False)
    assert_same_tree(problem)


@given(problems(classification=False))
@RELAXED
def test_regression(problem):
    assert_root(problem, exact=False)
    assert_same_tree(problem)


@given(
    problems(classification=True, most_rows=60) | problems(classification=False, most_rows=60),
    st.sampled_from(["depth_first", "best_first", "best_first_unweighted"]),
    st.sampled_from([None, 1, 2, 7]),
)
@RELAXED
def test_invariants_hold(problem, growth, max_leaves):
    tree = fit(problem, growth=growth, max_leaves=max_leaves)
    tree.check()
    assert tree.n_leaves <= (max_leaves or math.inf)
    weights = np.ones(len(problem.target)) if problem.weights is None else problem.weights
    leaves = tree.data["n_children"] == 0
    np.testing.assert_allclose(tree.data["weight"][leaves].sum(), weights.sum(), rtol=1e-9)
