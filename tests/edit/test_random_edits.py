"""Any sequence of edits gives the tree that its conditions and the rows give."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.edit_data import SIZES, Rows, make_rows
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from oracles.edited_tree import check_against_rows

import ramify
from ramify import TreeClassifier, TreeRegressor
from ramify.edit import TreeEditor
from ramify.tree import Tree

ESTIMATORS: dict[str, Any] = {
    "fractional": (TreeClassifier, {}),
    "direction": (TreeClassifier, {"missing": "direction"}),
    "separate": (TreeClassifier, {"missing": "separate", "criterion": "entropy"}),
    "multiway": (TreeClassifier, {"categorical_split": "multiway", "growth": "best_first"}),
    "costs": (TreeClassifier, {"costs": [[0, 1, 4], [2, 0, 1], [1, 1, 0]]}),
    "class weights": (TreeClassifier, {"class_weight": "balanced"}),
    "squared": (TreeRegressor, {}),
    "absolute": (TreeRegressor, {"criterion": "absolute_error", "missing": "direction"}),
}
TEXTS = (
    [f"age <= {value}" for value in (20, 33.3, 38, 45, 60)]
    + [f"score > {value} missing left" for value in (1, 4.5, 7)]
    + [f"size <= {size}" for size in SIZES[:-1]]
    + ["job in {clerk, cook}", "job: {clerk} | {cook, nurse} | {pilot}", "job not in {pilot}"]
    + ['town in {"a, b", e}', "age is missing", "job = nurse missing right"]
)
node = st.integers(0, 40)


def full_loss(estimator: Any, rows: Rows) -> dict[str, float]:
    """The losses by `predict` on all rows."""
    predicted = estimator.predict(rows.X)
    weights = rows.weights
    if estimator.tree_.task == "regression":
        loss = estimator.number_loss
        return {loss.mean_name: float(np.average(loss.of(rows.y, predicted), weights=weights))}
    found = {"error": float(np.average(predicted != rows.y, weights=weights))}
    if estimator.tree_.costs is not None:
        place = {label: code for code, label in enumerate(estimator.classes_.tolist())}
        costs = [
            estimator.tree_.costs[place[true], place[said]]
            for true, said in zip(rows.y, predicted, strict=True)
        ]
        found["cost"] = float(np.average(costs, weights=weights))
    return found


class Edits(RuleBasedStateMachine):
    editor: TreeEditor

    @initialize(
        kind=st.sampled_from(sorted(ESTIMATORS)),
        seed=st.integers(0, 3),
        weighted=st.booleans(),
        holes=st.booleans(),
    )
    def start(self, kind: str, seed: int, weighted: bool, holes: bool) -> None:
        make, parameters = ESTIMATORS[kind]
        rows = make_rows(seed=seed, weighted=weighted, holes=holes, numbers=make is TreeRegressor)
        self.rows, self.held_out = rows.take(slice(50, None)), rows.take(slice(0, 50))
        estimator = make(max_depth=3, min_samples_leaf=3, **parameters)
        self.estimator = estimator.fit(self.rows.X, self.rows.y, self.rows.weights)
        held_out = self.held_out
        self.validation = (held_out.X, held_out.y, held_out.weights)
        self.editor = TreeEditor(
            self.estimator,
            self.rows.X,
            self.rows.y,
            self.rows.weights,
            validation=self.validation,
            author="a person",
        )
        self.first = self.editor.tree
        assert self.first.n_nodes == self.estimator.tree_.n_nodes

    def attempt(self, action: str, number: int, *arguments: Any, **options: Any) -> None:
        """Do an edit if it is allowed; one that is refused, or only tried, changes nothing."""
        editor, before = self.editor, self.editor.version
        number %= editor.tree.n_nodes
        tree, errors = editor.tree, editor.errors
        locked = {at for at, mark in tree.by_hand.items() if mark.locked}
        texts = {tree.condition(at).describe(0) for at in locked if not tree.nodes[at].is_leaf}
        try:
            price = editor.preview(action, number, *arguments, **options)
        except ValueError:
            price = None
        assert editor.version == before
        assert editor.tree is tree
        assert editor.errors == errors
        method = getattr(editor, action)
        given = (*arguments, number) if action == "exclude" else (number, *arguments)
        if price is None:
            with pytest.raises(ValueError, match=r"\w"):
                method(*given, **options)
            assert editor.version == before
            assert editor.tree is tree
            return
        done = method(*given, **options)
        assert editor.version != before
        assert (done.training, done.validation) == (price.training, price.validation)
        self.check_price(done, errors)
        if action != "unlock":
            now = editor.tree
            kept = {at for at, mark in now.by_hand.items() if mark.locked}
            assert texts <= {
                now.condition(at).describe(0) for at in kept if not now.nodes[at].is_leaf
            }

    def check_price(self, price: Any, before: dict[str, dict[str, float]]) -> None:
        after = self.editor.errors
        measure = price.training.measure
        for name, change in (("training", price.training), ("validation", price.validation)):
            np.testing.assert_allclose(change.before, before[name][measure], rtol=1e-12)
            np.testing.assert_allclose(change.after, after[name][measure], rtol=1e-12, atol=1e-15)

    @rule(number=node, text=st.sampled_from(TEXTS), below=st.sampled_from(["keep", "drop"]))
    def split(self, number: int, text: str, below: str) -> None:
        self.attempt("split", number, text, below=below, reason="because")

    @rule(number=node, text=st.sampled_from(TEXTS))
    def split_and_regrow(self, number: int, text: str) -> None:
        self.attempt("split", number, text, below="regrow")

    @rule(number=node)
    def collapse(self, number: int) -> None:
        self.attempt("collapse", number)

    @rule(number=node, rank=st.integers(1, 3))
    def swap(self, number: int, rank: int) -> None:
        self.attempt("swap", number, rank)

    @rule(number=node, depth=st.integers(1, 3))
    def regrow(self, number: int, depth: int) -> None:
        self.attempt("regrow", number, max_depth=depth)

    @rule(number=node, column=st.sampled_from(["age", "job", "score"]))
    def exclude(self, number: int, column: str) -> None:
        self.attempt("exclude", number, column)

    @rule(number=node, levels=st.sampled_from(["cook", ["nurse", "pilot"], "e"]))
    def move_levels(self, number: int, levels: Any) -> None:
        self.attempt("move_levels", number, levels, 1)

    @rule(number=node, branch=st.sampled_from([0, 1, "right", None]))
    def send_missing(self, number: int, branch: Any) -> None:
        self.attempt("send_missing", number, branch)

    @rule(number=node)
    def lock(self, number: int) -> None:
        self.attempt("lock", number, reason="policy")

    @rule(number=node)
    def unlock(self, number: int) -> None:
        self.attempt("unlock", number)

    @rule(number=node, label=st.sampled_from(["yes", "no", 1.5]))
    def label(self, number: int, label: Any) -> None:
        self.attempt("label", number, label, reason="the law")

    @rule(number=node)
    def clear_label(self, number: int) -> None:
        self.attempt("clear_label", number)

    @rule(number=node)
    def graft(self, number: int) -> None:
        self.attempt("graft", number, self.first)

    @rule(times=st.integers(1, 3))
    def undo(self, times: int) -> None:
        trees = []
        for _ in range(times):
            if self.editor.can_undo:
                trees.append((self.editor.tree, self.editor.errors))
                self.editor.undo()
        if times == 2:
            return
        for tree, errors in reversed(trees):
            self.editor.redo()
            assert self.editor.tree == tree
            assert self.editor.errors == errors

    @invariant()
    def tree_is_what_its_conditions_give(self) -> None:
        tree = self.editor.tree
        tree.check()
        target = self.editor._target  # with the weights of the classes
        weights = target.row_weights().tolist()
        check_against_rows(tree, self.rows.cells, self.rows.y.tolist(), weights)

    @invariant()
    def errors_are_those_of_predict(self) -> None:
        estimator = self.editor.estimator
        held_out = full_loss(estimator, self.held_out)
        for measure, loss in held_out.items():
            found = self.editor.errors["validation"][measure]
            np.testing.assert_allclose(found, loss, rtol=1e-9, atol=1e-12)
        for measure, loss in full_loss(estimator, self.rows).items():
            found = self.editor.errors["training"][measure]
            np.testing.assert_allclose(found, loss, rtol=1e-9, atol=1e-12)

    def teardown(self) -> None:
        if not hasattr(self, "editor"):
            return
        editor, tree = self.editor, self.editor.tree
        names = {
            "clf": self.estimator,
            "X": self.rows.X,
            "y": self.rows.y,
            "sample_weight": self.rows.weights,
            "validation": self.validation,
        }
        exec(editor.script(), names)
        assert without_times(names["editor"].tree) == without_times(tree)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            editor.estimator.save(path)
            loaded = ramify.load(path)
        assert loaded.tree_.to_dict() == tree.to_dict()
        assert loaded.tree_.history == tree.history
        assert loaded.tree_.by_hand == tree.by_hand
        tree.to_text()
        tree.rules()
        count = len(editor.history)
        for _ in range(count):
            editor.undo()
        assert editor.tree == self.first
        for _ in range(count):
            editor.redo()
        assert editor.tree == tree


def without_times(tree: Tree) -> dict[str, Any]:
    found = tree.to_dict()
    for entry in [*found.get("by_hand", []), *found.get("history", [])]:
        entry.pop("time", None)
    return found


Edits.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=12,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking takes minutes
    suppress_health_check=list(HealthCheck),
)
test_random_edits = Edits.TestCase
