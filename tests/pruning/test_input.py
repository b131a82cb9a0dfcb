"""Prunings along a sequence: little to prune, bad parameters, time limits, progress."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification

from ramify import TreeClassifier, TreeRegressor
from ramify.learning.training import Training
from ramify.pruning import BestFirst, CostComplexity, CriticalValue


@pytest.mark.parametrize(
    "pruning", ["auto", "best_first", "critical_value", BestFirst(stage="pre", rule="1se")]
)
def test_little_to_prune(pruning: Any) -> None:
    one_row = TreeClassifier(pruning=pruning).fit([[1.0]], ["a"])
    assert one_row.tree_.n_leaves == 1
    constant = TreeClassifier(pruning=pruning).fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    assert constant.tree_.n_leaves == 1
    assert len(constant.pruning_path_) == 1
    two = TreeClassifier(pruning=pruning).fit([[1.0], [2.0]], ["a", "b"])  # two folds of one row
    assert two.pruning_path_.error.shape == two.pruning_path_.key.shape
    number = TreeRegressor(pruning=pruning).fit([[1.0], [2.0], [5.0]], [1.0, 1.0, 7.0])
    assert number.tree_.n_leaves in (1, 2)
    rare = TreeClassifier(pruning=pruning).fit(np.arange(30.0)[:, None], [0] * 28 + [1, 1])
    assert rare.tree_.n_leaves in (1, 2)


@pytest.mark.parametrize(
    ("pruning", "message"),
    [
        ("cart", r"pruning='cart' is not valid; choose None, one of auto, .*CostComplexity"),
        (3, r"pruning=3 is not valid"),
        (CostComplexity(alpha=-1.0), r"CostComplexity: alpha=-1.0 must be"),
        (CostComplexity(folds=1), r"CostComplexity: folds=1 must be .* at least 2"),
        (CostComplexity(folds=None), r"folds=None must be"),  # type: ignore[arg-type]
        (CostComplexity(rule="2se"), r"rule='2se' is not valid; choose from min, 1se, 1point"),  # type: ignore[arg-type]
        (CostComplexity(risk="gini"), r"risk='gini' is not valid; choose from error, impurity"),  # type: ignore[arg-type]
        (BestFirst(stage="late"), r"stage='late' is not valid; choose from post, pre"),  # type: ignore[arg-type]
        (BestFirst(error="auc"), r"error='auc' is not valid; choose from rate, rmse"),  # type: ignore[arg-type]
        (CriticalValue(threshold=-0.5), r"CriticalValue: threshold=-0.5 must be"),
        (BestFirst(finished_folds="no"), r"finished_folds='no' is not valid; choose from keep"),  # type: ignore[arg-type]
        (BestFirst(time_limit=-1), r"BestFirst: time_limit=-1 must be"),
    ],
)
def test_bad_parameters_are_named(pruning: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier(pruning=pruning).fit([[1.0], [2.0]], [0, 1])


def test_time_limit_leaves_out_folds() -> None:
    X, y = make_classification(3000, 20, n_informative=10, flip_y=0.3, random_state=0)
    with pytest.warns(RuntimeWarning, match=r"time_limit=0.0: 0 of 10 folds .* not pruned"):
        clf = TreeClassifier(pruning=CostComplexity(time_limit=0.0)).fit(X, y)
    assert clf.tree_.n_leaves == clf.prune(alpha=0).tree_.n_leaves
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TreeClassifier(pruning=CostComplexity(time_limit=600.0)).fit(X[:200], y[:200])


def test_a_time_limit_for_ever_is_none() -> None:
    X, y = load_iris(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seconds in (1e300, float("inf")):
            TreeClassifier(pruning=CostComplexity(time_limit=seconds)).fit(X, y)
            TreeClassifier(pruning=BestFirst(time_limit=seconds)).fit(X, y)


def test_impurity_is_no_risk_of_a_criterion_without() -> None:
    X, y = load_iris(return_X_y=True)
    clf = TreeClassifier(
        criterion=lambda counts: float(len(counts)), pruning=CostComplexity(risk="impurity")
    )
    with pytest.raises(ValueError, match="gives nodes no impurity; choose risk='error'"):
        clf.fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_progress_raises_reaches_the_caller(n_jobs: int) -> None:
    X, y = make_classification(4000, 20, n_informative=10, flip_y=0.3, random_state=0)

    class Stop(Exception):
        pass

    def stop(done: int) -> None:
        raise Stop

    @contextmanager
    def progress(*_: Any) -> Any:
        yield stop

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Training, "progress", progress)
        with pytest.raises(Stop):
            TreeClassifier(pruning="auto", n_jobs=n_jobs).fit(X, y)


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = load_iris(return_X_y=True)
    TreeClassifier(pruning="auto", verbose=True).fit(X, y)
    shown = capsys.readouterr()
    assert "cross-validation" in shown.err
    assert shown.out == ""
    TreeClassifier(pruning=BestFirst(stage="pre"), verbose=True).fit(X, y)
    assert "expansions of the folds" in capsys.readouterr().err
    TreeClassifier(pruning="auto").fit(X, y)
    assert capsys.readouterr().err == ""
