"""What must hold for the grown tree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fuzz.invariants.fitted import Fitted, assert_same_trees

#: What makes a row count, besides its weight.
_COUNT_ROWS = (
    "min_samples_leaf",
    "min_samples_split",
    "min_level_count",
    "min_second_value",
    "numeric_penalty",
    "identifiers",
    "n_permutations",
    "min_support",
    "weight_trimming",
)


def tree_is_sound(f: Fitted) -> None:
    for tree in f.trees:
        tree.check()


def limits_are_kept(f: Fitted) -> None:
    if not f.single:
        return
    tree, given = f.model.tree_, f.parameters
    for limit, size in (("max_depth", tree.depth), ("max_leaves", tree.n_leaves)):
        if given.get(limit) is not None and "skeleton" not in f.problem.parameters:
            assert size <= given[limit], f"{limit}={given[limit]} but {size}"
    if f.problem.parameters.get("exclude") and not f.problem.parameters.get("skeleton"):
        excluded = f.problem.parameters["exclude"][0]
        inputs = list(tree.schema.input_names)
        name = inputs[excluded] if isinstance(excluded, int) else excluded
        used = {tree.schema.columns[a].input for a in tree.data["attribute"] if a >= 0}
        assert name not in used
    leaf = tree.data["n_children"] == 0
    least = given.get("min_samples_leaf", 1)
    other_rules = given.get("small_branches") or given.get("pruning") is not None or f.divides
    other_rules = other_rules or given.get("skeleton") is not None
    if isinstance(least, int) and tree.n_leaves > 1 and not other_rules:
        present = f.weights > 0
        counts = np.bincount(f.leaves[present], minlength=tree.n_nodes)
        assert counts[leaf].min() >= min(least, present.sum())


def leaves_have_the_weight_of_their_rows(f: Fitted) -> None:
    """From scratch: where no row is divided, a leaf holds the rows that `apply` sends there."""
    if not f.single or f.divides or f.problem.parameters.get("class_weight") == "balanced":
        return
    if f.holds_rows_out or f.parameters.get("objective") == "balanced_accuracy":
        return  # reduced-error pruning grows on a part of the rows
    tree, leaves = f.model.tree_, f.leaves
    for leaf in np.flatnonzero(tree.data["n_children"] == 0):
        here = np.flatnonzero(leaves == leaf)
        found = tree.data["value"][leaf]
        weights, target = f.weights[here], [f.problem.target[i] for i in here]
        if f.problem.classifies:
            expected = [
                sum(w for w, t in zip(weights, target, strict=True) if t == label)
                for label in f.model.classes_
            ]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * f.weights.max())
        else:
            sums = [Fraction(0)] * 3
            for w, t in zip(weights, target, strict=True):
                for power in range(3):
                    sums[power] += Fraction(w) * Fraction(t) ** power
            sizes = [np.abs(np.array(target)) ** p @ weights for p in range(3)]
            for power in range(3):
                assert abs(found[power] - float(sums[power])) <= 1e-9 * sizes[power] + 1e-300


def a_leaf_of_one_target_is_exact(f: Fitted) -> None:
    """A leaf whose rows agree predicts just that."""
    if not f.single or f.divides or f.holds_rows_out:
        return
    tree, X = f.model.tree_, f.problem.table()
    leaves, target = f.leaves, f.problem.target
    labels = f.model.predict(X)
    shares = f.model.predict_proba(X) if f.problem.classifies else None
    for leaf in np.unique(leaves):
        here = np.flatnonzero((leaves == leaf) & (f.weights > 0))
        kinds = {target[i] for i in here}
        if len(kinds) != 1:
            continue
        first = here[0]
        if tree.costs is None and not f.answers_by_rule:
            assert labels[first] == target[first], f"leaf {leaf} of {kinds}: {labels[first]}"
        if shares is not None:
            assert shares[first].max() == 1.0


def threads_do_not_matter(f: Fitted) -> None:
    other = Fitted(f.problem, f.problem.fit(n_jobs=2))
    if f.settled and other.settled:
        assert_same_trees(f.trees, other.trees)


def _exact(f: Fitted) -> bool:
    """Whether all sums are exact in any order."""
    eighths = [v * 8 for v in f.problem.weights or [1.0]]
    if any(v != round(v) or v > 1e6 for v in eighths):
        return False
    if f.problem.parameters.get("class_weight") == "balanced":
        return False
    if not f.problem.classifies:
        if any(t * 8 != round(t * 8) or abs(t) > 1e6 for t in f.problem.target):
            return False
        return not f.divides  # parts of rows are rounded
    return True


def order_of_rows_does_not_matter(f: Fitted) -> None:
    greedy = f.problem.estimator.startswith(("Tree", "presets"))
    if not greedy or f.holds_rows_out or not _exact(f) or f.parameters.get("n_permutations"):
        return
    order = np.random.default_rng(f.problem.seed).permutation(len(f.problem.target))
    turned = f.problem.take(order)
    other = Fitted(turned, turned.fit())
    weighted = f.problem.weights is not None or "class_weight" in f.problem.parameters
    tests = f.parameters["selection"] != "criterion" or f.parameters["significance"] is not None
    if f.problem.classifies and not tests and not (f.divides and weighted):
        assert_same_trees(f.trees, other.trees)
    else:  # p-values, sums of numbers and of parts of weights are rounded
        _assert_same_questions(f.model.tree_, other.model.tree_)


def a_weight_is_a_repetition(f: Fitted) -> None:
    weights, given = f.problem.weights, f.problem.parameters
    greedy = f.problem.estimator.startswith("Tree")
    if weights is None or not greedy or f.holds_rows_out or f.divides or not _exact(f):
        return
    if any(w != round(w) or w > 5 for w in weights) or any(name in given for name in _COUNT_ROWS):
        return
    if given.get("categorical_split") in ("gw_cut", "greedy_cut", "greedy_cut_once"):
        return
    repeated = f.problem.take([i for i, w in enumerate(weights) for _ in range(int(w))])
    if set(map(repr, repeated.target)) != set(map(repr, f.problem.target)):
        return  # a class without rows is no class
    from dataclasses import replace

    other = Fitted(repeated, replace(repeated, weights=None).fit())
    _assert_same_questions(f.model.tree_, other.model.tree_)


def _assert_same_questions(a: Any, b: Any) -> None:
    same = a.n_nodes == b.n_nodes and all(
        np.array_equal(a.data[name], b.data[name], equal_nan=name == "threshold")
        for name in ("first_child", "attribute", "kind", "threshold", "missing_to")
    )
    if not same:
        raise AssertionError(f"the trees differ:\n{a.to_text()}\n{b.to_text()}")
    scale = np.abs(a.data["value"]).max(axis=0) + 1e-300
    np.testing.assert_allclose(a.data["value"] / scale, b.data["value"] / scale, atol=1e-12)


def spread_is_the_standard_deviation(f: Fitted) -> None:
    """By exact arithmetic, where no row is divided."""
    if not f.single or f.problem.classifies or f.divides or f.holds_rows_out:
        return
    leaves = f.leaves
    scale = max(abs(t) for t in f.problem.target)
    for leaf in np.unique(leaves):
        here = np.flatnonzero((leaves == leaf) & (f.weights > 0))
        if not len(here):
            continue
        w = [Fraction(f.weights[i]) for i in here]
        y = [Fraction(f.problem.target[i]) for i in here]
        mean = sum((a * b for a, b in zip(w, y, strict=True)), Fraction(0)) / sum(w)
        variance = sum((a * (b - mean) ** 2 for a, b in zip(w, y, strict=True)), Fraction(0)) / sum(
            w
        )
        expected = float(variance) ** 0.5
        found = float(f.model.tree_.spread[leaf])
        # A stored mean is rounded to the digits of the target.
        assert abs(found - expected) <= 1e-6 * expected + 1e-15 * scale * 4, (found, expected)
