"""What must hold for optimal trees: for the proof, for fronts, for sets of near-best trees."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import f1_score

from fuzz.invariants.fitted import Fitted, assert_same_trees
from ramify import PolicyTree, TreeClassifier, TreeRegressor
from ramify.edit.monotone import Order

_SECONDS = 4.0  # of a front or a set
_TREES = 12  # of a set that are looked at


def _of_optimal_trees(check: Callable[[Fitted], None]) -> Callable[[Fitted], None]:
    def checked(f: Fitted) -> None:
        if f.problem.estimator.startswith("Optimal"):
            check(f)

    checked.__name__ = check.__name__
    checked.__doc__ = check.__doc__
    return checked


def _data(f: Fitted) -> tuple[Any, ...]:
    weights = None if f.problem.weights is None else np.array(f.problem.weights)
    return f.problem.table(), np.array(f.problem.target), weights


def _close(f: Fitted) -> float:
    """How far sums of losses may be rounded: weights or targets may be huge."""
    if f.problem.classifies:
        return 1e-9 * (1.0 + float(f.model.error_))
    target = np.abs(np.array(f.problem.target, dtype=float))
    criterion = f.parameters["criterion"]
    power = {"squared_error": 2, "poisson": 1, "gamma": 0}.get(criterion, 1)
    scale = float(target.max()) ** power
    return 1e-9 * (scale + abs(float(f.model.error_)))


def _additive(f: Fitted) -> bool:
    return f.parameters.get("objective") != "f1" and not f.parameters.get("min_recall")


@_of_optimal_trees
def proofs_are_what_they_say(f: Fitted) -> None:
    model, near = f.model, _close(f)
    assert 0.0 <= model.lower_bound_ <= model.objective_ + near
    if model.proven_optimal_:
        assert model.lower_bound_ == model.objective_ and model.gap_ == 0.0
    assert np.isfinite(model.history_.error).all()
    assert model.search_["stopped_by"] and isinstance(model.proof(), str)
    if f.parameters["upper_bound"] is not None and model.below_upper_bound_:
        assert model.objective_ < f.parameters["upper_bound"] + near


@_of_optimal_trees
def the_error_is_that_of_the_answers(f: Fitted) -> None:
    if f.parameters.get("class_weight") is not None or f.parameters.get("costs") is not None:
        return
    X, y, _ = _data(f)
    predicted, weights = f.model.predict(X), f.weights
    if not f.problem.classifies:
        if f.parameters["criterion"] == "squared_error":
            error = np.average((predicted - y) ** 2, weights=weights)
        elif f.parameters["criterion"] == "absolute_error":
            error = np.average(np.abs(predicted - y), weights=weights)
        else:
            return
        assert abs(error - f.model.error_) <= 1e3 * _close(f), (error, f.model.error_)
        return
    wrong = predicted != y
    present = [label for label in f.model.classes_ if weights[y == label].sum() > 0]
    missed = {
        label: np.average(wrong[y == label], weights=weights[y == label]) for label in present
    }
    match f.parameters["objective"]:
        case "error":
            error = np.average(wrong, weights=weights)
        case "balanced_accuracy":
            error = float(np.mean([*missed.values()]))
        case _:
            positive = f.parameters["positive"]
            positive = f.model.classes_[1] if positive is None else positive
            error = 1 - f1_score(y, predicted, pos_label=positive, sample_weight=weights)
    assert abs(error - f.model.error_) <= 1e-9, (error, f.model.error_)
    for label, share in (f.parameters["min_recall"] or {}).items():
        assert label not in missed or 1 - missed[label] >= share - 1e-6, (label, missed[label])


@_of_optimal_trees
def constraints_are_kept(f: Fitted) -> None:
    Order(f.model.check_parameters(), f.model.tree_).require(f.model.tree_)


@_of_optimal_trees
def a_start_changes_no_optimum(f: Fitted) -> None:
    """Nor is any tree that we can grow under the same limits better."""
    facts = f.model.search_
    every = facts["all_thresholds"] and facts["all_level_sets"]
    if not f.model.proven_optimal_ or not every or f.model.below_upper_bound_ is False:
        return
    kind = TreeClassifier if f.problem.classifies else TreeRegressor
    shared = ("max_depth", "max_leaves", "exclude", "date_parts", "min_level_count", "identifiers")
    given = {name: f.parameters[name] for name in shared}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grown = kind(missing="direction", **given).fit(*_data(f))
    again = Fitted(f.problem, f.problem.fit(clone(f.model), start=grown.tree_))
    if again.model.proven_optimal_:
        assert abs(again.model.objective_ - f.model.objective_) <= _close(f), (
            again.model.objective_,
            f.model.objective_,
        )


@_of_optimal_trees
def fronts_fall(f: Fitted) -> None:
    if not _additive(f) or f.parameters["n_thresholds"] == "grow":
        return
    model = clone(f.model).set_params(upper_bound=None, time_limit=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        front = model.pareto_front(*_data(f), max_leaves=4, time_limit=_SECONDS)
    near = _close(f)
    assert (np.diff(front.error) <= near).all() and (front.bound <= front.error + near).all()
    assert (np.diff(front.leaves) == 1).all()
    assert bool(front.proven.all()) == (front.stopped_by == "")
    price = f.model._leaf_price()
    for leaves, error, tree in zip(front.leaves, front.error, front.trees, strict=True):
        tree.check()
        assert tree.n_leaves <= leaves
        Order(f.model.check_parameters(), tree).require(tree)
        if f.model.proven_optimal_ and f.model.below_upper_bound_ is not False:
            most = f.parameters["max_leaves"]
            if most is None or tree.n_leaves <= most or tree.n_leaves == front.leaves[0]:
                assert f.model.objective_ <= error + price * tree.n_leaves + near
    if front.proven.all() and f.model.tree_.n_leaves <= front.leaves[-1]:
        here = front.leaves <= max(f.model.tree_.n_leaves, front.leaves[0])
        assert front.error[here].min() <= f.model.error_ + near


@_of_optimal_trees
def sets_hold_the_optimum(f: Fitted) -> None:
    given = f.parameters
    squares = f.problem.classifies or given["criterion"] == "squared_error"
    if not _additive(f) or not squares or f.parameters["n_thresholds"] == "grow":
        return
    model = clone(f.model).set_params(upper_bound=None, time_limit=None)
    X, y, weights = _data(f)
    epsilon = float(np.random.default_rng(f.problem.seed).choice([0.0, 0.02, 0.1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = model.near_optimal(
                X, y, weights, epsilon=epsilon, max_trees=10_000, time_limit=_SECONDS
            )
        except TimeoutError:
            return
    near = _close(f)
    best = found.best_objective
    if f.model.proven_optimal_ and f.model.below_upper_bound_ is not False:
        assert abs(best - f.model.objective_) <= near, (best, f.model.objective_)
    assert found.count == sum(level.count for level in found.levels) >= 1
    unit = 1.0 if f.problem.classifies else float(f.model.tree_.data["impurity"][0])
    for number in range(min(found.count, _TREES)):
        tree, objective = found[number], found.objective(number)
        tree.check()
        assert abs(objective - found._near.task.objective(tree.core)) <= near
        assert best - near <= objective <= best + epsilon * unit + near
        Order(f.model.check_parameters(), tree).require(tree)
    for column in range(len(f.model.schema_)):
        assert found.without(column).count + found.with_root(column).count <= found.count
    assert found.at_most(2).count <= found.count and found.within(0.0).count >= 1
    if f.problem.weights is None and f.problem.classifies and given["objective"] == "error":
        assert found.closest(found[0]).distance == 0.0  # without ties that rounding breaks
    assert found.most_different().distance >= -near
    agreed = found.agreement()
    if f.problem.classifies:
        np.testing.assert_allclose(agreed.sum(axis=1), 1.0, atol=1e-9)
    assert len(found.report(trees=2)) > 1000 and str(found)


@_of_optimal_trees
def a_policy_of_right_answers_errs_as_little(f: Fitted) -> None:
    """Rewards of 1 for the right answer are the error rate."""
    plain = {"objective": "error", "costs": None, "class_weight": None, "min_recall": None}
    given = f.parameters
    if not f.problem.classifies or any(given[name] != value for name, value in plain.items()):
        return
    if given["skeleton"] or given["monotone"] or not f.model.proven_optimal_:
        return
    facts = f.model.search_
    if facts["features"] != "all" or not facts["all_level_sets"]:  # or the start asks others
        return
    if f.model.below_upper_bound_ is False:
        return
    shared = set(PolicyTree().get_params()) & set(given) - {"on_progress", "verbose"}
    policy = PolicyTree(**{name: given[name] for name in shared} | {"features": "all"})
    X, y, weights = _data(f)
    rewards = (y[:, np.newaxis] == f.model.classes_).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        policy.fit(X, rewards, sample_weight=weights)
    if policy.proven_optimal_:
        paid = given["sparsity"] * policy.tree_.n_leaves
        assert abs((1 - policy.reward_ + paid) - f.model.objective_) <= 1e-9
    policy.tree_.check()
    assert_same_trees([policy.tree_], [clone(policy).fit(X, rewards, sample_weight=weights).tree_])
