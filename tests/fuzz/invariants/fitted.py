"""A fitted estimator with its problem, as the invariants read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzz.problem import Problem

#: Prunings that divide the rows, or draw at random, and so see their order.
HELD_OUT = ("auto", "cost_complexity", "best_first", "critical_value", "reduced_error")


@dataclass(frozen=True)
class Fitted:
    """A problem and the estimator fitted to it."""

    problem: Problem
    model: Any

    @cached_property
    def parameters(self) -> dict[str, Any]:
        return self.model.get_params()

    @cached_property
    def rows(self) -> Any:
        """The rows to predict."""
        return self.problem.rows()

    @cached_property
    def n_rows(self) -> int:
        return 2 * len(self.problem.target)

    @property
    def single(self) -> bool:
        """Whether the model is one tree."""
        return hasattr(self.model, "tree_")

    @property
    def trees(self) -> list[Any]:
        if self.single:
            return [self.model.tree_]
        if hasattr(self.model, "estimators_"):
            return list(self.model.estimators_)
        return [self.model.to_hard_tree()]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Weights of the rows, those of their classes in them."""
        given = self.problem.weights
        weights = np.ones(len(self.problem.target)) if given is None else np.array(given)
        classes = self.problem.parameters.get("class_weight")
        if isinstance(classes, dict):
            weights = weights * [classes[str(label)] for label in self.problem.target]
        return weights

    @cached_property
    def leaves(self) -> Any:
        """The leaf of every training row, of one tree."""
        return self.model.apply(self.problem.table())

    @cached_property
    def answers(self) -> tuple[Any, Any]:
        """Predictions and, for classes, probabilities of the rows."""
        return answers(self.model, self.rows)

    @property
    def settled(self) -> bool:
        """Whether another fit gives the same: no search was stopped by the time."""
        return bool(getattr(self.model, "search_", {}).get("stopped_by") != "time_limit")

    @property
    def answers_by_rule(self) -> bool:
        """Whether leaves answer with another class than that of least cost."""
        given = self.parameters
        return given.get("objective") == "f1" or bool(given.get("min_recall"))

    @property
    def divides(self) -> bool:
        """Whether a training row may lie in several leaves."""
        if not self.problem.has_holes():
            return False
        return bool(self.parameters.get("missing", "fractional") == "fractional")

    @property
    def holds_rows_out(self) -> bool:
        """Whether the fit divides the rows at random, so that their order matters."""
        pruning = self.parameters.get("pruning")
        if pruning is None or pruning in ("mdl", "error_based"):
            grow = self.parameters.get("n_thresholds") == "grow"
            early = self.parameters.get("n_iter_no_change") or self.parameters.get("early_stopping")
            return bool(grow or early or isinstance(self.parameters.get("max_leaves"), list))
        name = type(pruning).__name__
        fixed = getattr(pruning, "alpha", None) is not None
        return name not in ("MDL", "ErrorBased") and not fixed


def answers(model: Any, rows: Any) -> tuple[Any, Any]:
    """Predictions and, for classes, probabilities."""
    return model.predict(rows), model.predict_proba(rows) if hasattr(model, "classes_") else None


def assert_same_answers(one: tuple[Any, Any], other: tuple[Any, Any]) -> None:
    """The same bits."""
    np.testing.assert_array_equal(one[0], other[0])
    if one[1] is not None:
        np.testing.assert_array_equal(one[1], other[1])


def assert_same_trees(one: list[Any], other: list[Any]) -> None:
    """The same trees, and a word about the first difference."""
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        if a == b:
            continue
        lists = [k for k, v in a.data.items() if not _equal(v, b.data[k])]
        raise AssertionError(f"the trees differ in {lists}:\n{a.to_text()}\n{b.to_text()}")


def _equal(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
