"""What must hold for predictions."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
from sklearn.base import clone

from fuzz.invariants.fitted import Fitted, answers, assert_same_answers, assert_same_trees
from fuzz.problem import as_frame
from ramify.files import dumps, loads


def shares_are_shares(f: Fitted) -> None:
    labels, shares = f.answers
    if shares is None:
        assert np.isfinite(labels.astype(float)).all()
        return
    assert shares.shape == (f.n_rows, len(f.model.classes_))
    assert np.isfinite(shares).all() and (shares >= 0).all() and (shares <= 1 + 1e-12).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=0, atol=1e-9)
    if f.answers_by_rule:
        return
    costs = getattr(f.model, "costs", None)
    if costs is None:
        best = shares.max(axis=1)
        chosen = shares[np.arange(f.n_rows), np.searchsorted(f.model.classes_, labels)]
        assert (chosen >= best - 1e-12).all()
        return
    prices = shares @ np.array(costs)
    place = {label: i for i, label in enumerate(f.model.classes_.tolist())}
    place[None] = len(place)
    chosen = prices[np.arange(f.n_rows), [place[label] for label in labels.tolist()]]
    assert (chosen <= prices.min(axis=1) + 1e-9 * np.abs(prices).max()).all()


def predictions_lie_among_the_targets(f: Fitted) -> None:
    if f.problem.classifies:
        known = set(f.problem.target) | {None}
        assert set(f.answers[0].tolist()) <= known
    elif f.single:
        present = [t for t, w in zip(f.problem.target, f.weights, strict=True) if w > 0]
        low, high = min(present), max(present)
        # The mean of the leaves of a divided row is rounded, also where these leaves agree.
        slack = 4 * np.finfo(float).eps * max(abs(low), abs(high)) if f.divides else 0.0
        least, most = f.answers[0].min(), f.answers[0].max()
        assert low - slack <= least and most <= high + slack, (low, high, least, most)


def one_row_is_answered_as_in_a_batch(f: Fitted) -> None:
    columns = f.problem.new_columns()
    labels, shares = f.answers
    for i in {0, f.n_rows // 2, f.n_rows - 2, f.n_rows - 1}:
        one = {name: type(c)(c.kind, [c.values[i]], c.levels) for name, c in columns.items()}
        label, share = answers(f.model, as_frame(one, f.problem.frame))
        # A mixture multiplies matrices, and these round by their size.
        close = 1e-9 if f.problem.estimator.startswith("Mixture") else 0.0
        if close and shares is None:
            scale = float(np.abs(labels).max())
            np.testing.assert_allclose(label, labels[[i]], rtol=close, atol=1e-14 * scale)
        else:
            assert label.tolist() == labels[[i]].tolist()
        if shares is not None and share is not None:
            np.testing.assert_allclose(share[0], shares[i], rtol=close, atol=0)


def leaves_lie_at_the_ends_of_paths(f: Fitted) -> None:
    if not f.single:
        return
    leaves, path = f.model.apply(f.rows), f.model.decision_path(f.rows)
    assert path.shape == (f.n_rows, f.model.tree_.n_nodes)
    n_children = f.model.tree_.data["n_children"]
    assert (n_children[leaves] == 0).all()
    dense = path.toarray()
    assert dense[:, 0].all() and dense[np.arange(f.n_rows), leaves].all()


def contributions_add_up(f: Fitted) -> None:
    if not f.single:
        return
    found = f.model.contributions(f.rows)
    total = np.asarray(found.bias) + np.asarray(found.values).sum(axis=1)
    scale = np.abs(found.prediction).max() + np.abs(np.asarray(found.values)).max(initial=0)
    np.testing.assert_allclose(total, found.prediction, rtol=1e-9, atol=1e-9 * scale)


def monotone_columns_are_monotone(f: Fitted) -> None:
    """Any two rows that differ in that column alone."""
    for name, sign in (f.problem.parameters.get("monotone") or {}).items():
        if f.problem.classifies and len(f.model.classes_) != 2:
            return
        columns = f.problem.new_columns()
        column = columns[name]
        if column.kind == "ordered":
            steps: list[Any] = list(column.levels)
        else:
            steps = sorted({v for v in column.values if v is not None})[:12]
        before = None
        for step in steps:
            moved = columns | {name: type(column)(column.kind, [step] * f.n_rows, column.levels)}
            labels, shares = answers(f.model, as_frame(moved, f.problem.frame))
            now = labels if shares is None else shares[:, 1]
            if before is not None:
                scale = 1e-9 * max(1e-300, np.abs(now).max())
                assert ((now - before) * sign >= -scale).all(), f"{name} at {step}"
            before = now


def arrays_answer_as_predict(f: Fitted) -> None:
    """The arrays alone give the answers, on rows that lie in one leaf."""
    if not f.single or not f.problem.numeric() or f.problem.parameters.get("costs"):
        return
    if (f.model.tree_.data["n_children"] > 2).any():
        return
    arrays, columns = f.model.arrays_, f.problem.columns
    cells = [c.values for c in columns.values()]
    labels, shares = answers(f.model, f.problem.table())
    inputs = [
        list(f.model.tree_.schema.input_names).index(c.input) for c in f.model.schema_.columns
    ]
    for i in range(len(f.problem.target)):
        row = [cells[place][i] for place in inputs]
        node: int | None = 0
        while node is not None and arrays.children_left[node] >= 0:
            cell = row[arrays.feature[node]]
            if cell is None and arrays.missing_to[node] < 0:
                node = None  # it goes down both branches
                continue
            left = arrays.missing_to[node] == 0 if cell is None else cell <= arrays.threshold[node]
            node = int((arrays.children_left if left else arrays.children_right)[node])
        if node is None:
            continue
        value = arrays.value[node]
        if shares is None:
            assert value[0] == labels[i]
        else:
            np.testing.assert_allclose(value / value.sum(), shares[i], rtol=1e-12)


def copies_answer_alike(f: Fitted) -> None:
    text = dumps(f.model)
    json.loads(text)
    copies = [loads(text), pickle.loads(pickle.dumps(f.model))]
    for copy in copies:
        assert_same_answers(answers(copy, f.rows), f.answers)
        assert_same_trees(Fitted(f.problem, copy).trees, f.trees)
    if not json.loads(text)["unsaved_parameters"]:
        assert dumps(copies[0]) == text
    again = f.problem.fit(clone(f.model))
    if not (f.settled and Fitted(f.problem, again).settled):
        return
    assert_same_trees(Fitted(f.problem, again).trees, f.trees)
    assert_same_answers(answers(again, f.rows), f.answers)
