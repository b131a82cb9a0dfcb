"""What the core tells of its criteria, nominal searches and retirement keys."""

from __future__ import annotations

import numpy as np
import pytest

from ramify import _core


def test_criteria_describe_themselves() -> None:
    told = {criterion.name: criterion for criterion in _core.criteria()}
    assert list(told) == _core.criterion_names()
    assert {name for name in told if told[name].counts_rows} == {"chi2", "chi2_cut"}
    assert {name for name in told if told[name].takes_costs} == {"gini", "squared_gini"}
    assert {name for name in told if told[name].adds_up_pairs} == {"chi2_cut"}
    for name, criterion in told.items():
        if criterion.binary_only:
            with pytest.raises(ValueError, match=f"criterion='{name}' is defined for two children"):
                _core.score(np.ones((3, 2)), name, 0.0, None)
        else:
            assert _core.score(np.ones((3, 2)), name, 0.0, None) >= 0.0


def test_searches_describe_themselves() -> None:
    told = _core.nominal_searches()
    assert [search.name for search in told] == _core.nominal_search_names()
    table = np.array([[5.0, 1.0], [1.0, 5.0], [3.0, 3.0]])
    for search in told:
        assert search.guarantee and search.cost and search.reference
        options = (0.0, None, 1.0, 0, 100)
        if search.criteria.startswith("all but chi2_cut"):
            with pytest.raises(ValueError, match="choose 'auto', 'exact', 'greedy_cut'"):
                _core.best_nominal_split(table, search.name, "chi2_cut", *options)
        else:
            assert _core.best_nominal_split(table, search.name, "chi2_cut", *options)


def test_retirement_keys_are_named_once() -> None:
    told = {keys.name: keys.key for keys in _core.retirements()}
    assert set(told.values()) == {"alpha", "expansions", "threshold"}
    table = _core.Table(4)
    table.add_matrix(np.arange(4.0).reshape(-1, 1))
    target = np.array([0.0, 0.0, 1.0, 1.0])
    tree = _core.grow(_core.regression_problem(table, target, None, "squared_error", False, {}))
    for name in told:
        key, thresholds, *_ = _core.pruning_sequence(tree, name, True, None)
        assert len(key) == tree.n_nodes and len(thresholds) == 2
    with pytest.raises(ValueError, match="unknown keys 'size'; choose from cost_complexity, "):
        _core.pruning_sequence(tree, "size", True, None)
