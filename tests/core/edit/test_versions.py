"""Versions of a tree: what is opened, replaced and grown again is what growth makes, bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.edit_data import make_rows

from ramify import TreeClassifier, TreeRegressor, _core

#: What a skeleton leaves out, and what counts differ in by rounding.
OF_GROWTH = ("competitor", "log_p", "key")


def problem_of(model: Any, rows: Any) -> tuple[_core.Problem, Any]:
    table, target = model.read_rows(rows.X, rows.y, rows.weights)
    training = model.training(table, target, model.check_parameters(skeleton=None))
    return training.problem, table


def compare(one: _core.Tree, other: _core.Tree, *, exact: bool, gains: bool = True) -> None:
    first, second = one.arrays(), other.arrays()
    for name, array in first.items():
        if not exact and name.startswith(OF_GROWTH):
            continue
        if name == "gain" and not gains:
            continue
        if array.dtype.kind != "f" or exact:
            np.testing.assert_array_equal(array, second[name], err_msg=name)
        else:
            np.testing.assert_allclose(array, second[name], rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("make", "parameters"),
    [
        (TreeClassifier, {}),
        (TreeClassifier, {"criterion": "entropy", "missing_gain": "divided"}),
        (TreeClassifier, {"criterion": "chi2", "missing": "separate"}),
        (TreeClassifier, {"criterion": "gain_ratio", "categorical_split": "multiway"}),
        (TreeClassifier, {"missing_count": "pieces", "min_samples_leaf": 4}),
        (TreeClassifier, {"growth": "best_first", "max_leaves": 9}),
        (TreeRegressor, {"missing": "direction"}),
        (TreeRegressor, {"criterion": "absolute_error"}),
        (TreeRegressor, {"categorical_split": "multiway"}),
    ],
)
def test_a_tree_is_opened_replaced_and_grown_again_as_it_was(
    make: Any, parameters: dict[str, Any], weighted: bool
) -> None:
    rows = make_rows(240, weighted=weighted, numbers=make is TreeRegressor, seed=5)
    model = make(max_depth=4, **parameters).fit(rows.X, rows.y, rows.weights)
    problem, _ = problem_of(model, rows)
    editor = _core.TreeEditor(problem, [], "missing")
    version, passed_over, as_grown = editor.open(model.tree_.core)
    assert as_grown
    assert not any(passed_over)
    compare(model.tree_.core, version.tree, exact=True)

    skeleton, tags = version.demand(0)
    again, passed_over, _ = editor.replace(version, 0, skeleton, tags)
    assert not any(passed_over)
    # The gain ratio of a split that was searched counts missing rows as a branch; that of a split
    # that is demanded does not.
    gains = parameters.get("criterion") != "gain_ratio"
    compare(version.tree, again.tree, exact=False, gains=gains)

    if "max_leaves" in parameters:
        return
    for node in np.flatnonzero(version.tree.arrays()["n_children"])[:4].tolist():
        grown = editor.grow(version, node, None, [], None, None)
        put, _, same = editor.put_tree(version, node, grown)
        assert same
        compare(version.tree, put.tree, exact=False)


def test_leaves_have_the_rows_that_prediction_sends_there() -> None:
    rows = make_rows(240, seed=2)
    model = TreeClassifier(max_depth=4).fit(rows.X, rows.y)
    problem, table = problem_of(model, rows)
    cells = [np.ascontiguousarray(table.column(j)) for j in range(len(table.schema))]
    editor = _core.TreeEditor(problem, cells, "missing")
    version, _, _ = editor.open(model.tree_.core)
    paths = model.decision_path(rows.X).toarray()
    leaves = model.apply(rows.X)
    for which in ("walked", "held_out"):
        whole, leaf_of, divided, part, leaf_of_part = version.leaf_rows(0, which)
        np.testing.assert_array_equal(leaves[whole], leaf_of)
        assert paths[divided, leaf_of_part].all()
        assert len(np.unique(np.concatenate((whole, divided)))) == 240
        sums = np.bincount(divided, part, minlength=240)
        np.testing.assert_allclose(sums[np.unique(divided)], 1.0)


def test_what_does_not_fit_is_refused() -> None:
    rows = make_rows(60, holes=False)
    model = TreeClassifier(max_depth=2).fit(rows.X, rows.y)
    problem, _ = problem_of(model, rows)
    editor = _core.TreeEditor(problem, [], "missing")
    version, _, _ = editor.open(model.tree_.core)
    leaf = (0, -1, 0.0, -1, [], [], False, None)
    with pytest.raises(ValueError, match="no such node"):
        editor.replace(version, 99, [leaf], [-1])
    with pytest.raises(ValueError, match="a tag for every node"):
        editor.replace(version, 0, [leaf], [])
    with pytest.raises(ValueError, match="which"):
        version.leaf_rows(0, "all")
    with pytest.raises(ValueError, match="no such column"):
        editor.gains(version, 0, 99, np.array([1.0]))
    with pytest.raises(ValueError, match="wrong number of columns"):
        _core.TreeEditor(problem, [np.zeros(3)], "missing")
    other = TreeRegressor(max_depth=1).fit(rows.X, np.arange(60.0))
    with pytest.raises(ValueError, match="was not grown on this problem"):
        editor.open(other.tree_.core)
