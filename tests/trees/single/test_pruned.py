"""Cutting a fitted tree back, and the path that it is cut from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from ramify import TreeClassifier, load
from ramify.pruning import BestFirst, CostComplexity, CriticalValue


def test_prune_after_fit() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    clf = TreeClassifier(pruning=CostComplexity(rule="min")).fit(X, y)
    grown = TreeClassifier().fit(X, y).tree_
    assert clf.prune(alpha=0).tree_.n_leaves == grown.n_leaves
    simple = clf.prune(rule="1se")
    assert simple.tree_.n_leaves <= clf.tree_.n_leaves
    assert simple is not clf
    assert simple.prune(rule="min").tree_ == clf.tree_
    for row in range(len(clf.pruning_path_)):
        leaves = clf.pruning_path_.leaves[row]
        assert clf.prune(n_leaves=int(leaves)).tree_.n_leaves == leaves
        key = clf.pruning_path_["alpha"][row]
        assert clf.prune(alpha=key).tree_.n_leaves == leaves
    again = TreeClassifier(pruning=CostComplexity(rule="1se")).fit(X, y)
    assert again.tree_ == simple.tree_
    plain = TreeClassifier().fit(X, y)
    assert plain.prune(alpha=0.01).tree_.n_leaves == clf.prune(alpha=0.01).tree_.n_leaves
    assert np.isnan(plain.pruning_path_["error"]).all()
    with pytest.raises(ValueError, match=r"no cross-validated errors.*cost_complexity"):
        plain.prune(rule="1se")
    with pytest.raises(ValueError, match=r"exactly one of alpha, n_leaves and rule, not alpha"):
        clf.prune(alpha=0.1, n_leaves=3)
    with pytest.raises(ValueError, match=r"exactly one of .* not none"):
        clf.prune()
    with pytest.raises(ValueError, match=r"rule='best' is not valid; choose from min, 1se, 1point"):
        clf.prune(rule="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="n_leaves=0 must be"):
        clf.prune(n_leaves=0)


def test_the_path_is_a_table() -> None:
    X, y = load_wine(return_X_y=True)
    path = TreeClassifier(pruning="auto").fit(X, y).pruning_path_
    assert path.columns == ("alpha", "leaves", "training_error", "error", "standard_error")
    frame = path.to_frame()
    assert list(frame.columns) == list(path.columns)
    assert len(frame) == len(path)
    assert dict(path)["leaves"][-1] == 1
    assert path["key"] is path["alpha"]
    with pytest.raises(KeyError, match="choose from alpha, leaves"):
        path["size"]
    assert str(path).count("\n") == len(path)
    assert str(path).count("*") == 1


def test_the_path_is_plotted() -> None:
    plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is an extra")
    X, y = load_wine(return_X_y=True)
    clf = TreeClassifier(pruning="auto").fit(X, y)
    figure, ax = plt.subplots()
    assert clf.plot_pruning_path(ax=ax) is ax
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert f"chosen: {clf.tree_.n_leaves} leaves" in labels
    plt.close(figure)
    assert TreeClassifier().fit(X, y).plot_pruning_path() is not None
    plt.close("all")


def test_what_belongs_to_the_larger_tree_is_forgotten() -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier().fit(X, y)
    clf.unbiased_importances(X, y, n_permutations=1)
    assert not hasattr(clf.prune(n_leaves=2), "unbiased_importances_")
    assert hasattr(clf, "unbiased_importances_")


def test_prices_that_rounding_raised_are_met() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 6, (10, 2)).astype(float), rng.integers(0, 2, 10)
    clf = TreeClassifier().fit(X, y)
    assert clf.pruning_path_.key[-1] > 0.1  # a tenth, but for rounding
    assert clf.prune(alpha=0.1).tree_.n_leaves == 1
    again = TreeClassifier(pruning=CostComplexity(alpha=0.1)).fit(X, y)
    assert again.tree_.n_leaves == 1


def test_gains_that_differ_by_rounding_are_one_step() -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier(criterion="chi2", pruning=CriticalValue()).fit(X, y)
    assert clf.pruning_path_.leaves.tolist() == [9, 6, 5, 3, 2, 1]
    given = TreeClassifier(criterion="chi2", pruning=CriticalValue(threshold=3.0)).fit(X, y)
    assert given.tree_.n_leaves == 6


def test_the_path_of_an_rmse_has_it_of_the_training_rows_too(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier(pruning=BestFirst(error="rmse")).fit(X, y)
    path = clf.pruning_path_
    for row, leaves in enumerate(path.leaves.tolist()):
        shares = clf.prune(n_leaves=leaves).predict_proba(X)
        rmse = np.sqrt(((shares - np.eye(3)[y]) ** 2).mean())
        assert path.training_error[row] == pytest.approx(rmse, abs=1e-12)
    clf.save(tmp_path / "model.json")
    read = load(tmp_path / "model.json").pruning_path_
    np.testing.assert_array_equal(read.training_error, path.training_error)
    assert read.error_name == path.error_name == "RMSE of class shares"
    assert repr(path) == str(path)


def test_a_pickled_path_loads_by_the_former_names_of_its_fields() -> None:
    path = TreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 0]).pruning_path_
    former = {"retirement": "rule_of_keys", "fold_thresholds": "elsewhere"}
    state = {former.get(name, name): value for name, value in vars(path).items()}
    again = object.__new__(type(path))
    again.__setstate__(state)
    assert vars(again).keys() == vars(path).keys()
    assert again.key_name == path.key_name
