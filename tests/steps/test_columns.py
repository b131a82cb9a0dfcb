"""What is found in the columns, and which are left out: the same for `fit` and the studio."""

from __future__ import annotations

import numpy as np
import pytest

from ramify.datasets import Dataset
from ramify.steps.columns import look_at_columns
from ramify.steps.target import settle_target
from ramify.steps.task import Task


def table() -> Dataset:
    names = np.array([f"person {i}" for i in range(80)], dtype=object)
    paid = np.array(["yes" if i % 3 else "no" for i in range(80)], dtype=object)
    return Dataset({"name": names, "age": np.arange(80.0) % 7}, target=paid, target_name="paid")


def test_identifiers_are_left_out_unless_they_are_used() -> None:
    rows, y, task, _ = settle_target(table(), Task.auto)
    assert task is Task.classification
    found = look_at_columns(rows, y, task)
    assert found.left_out == ("name",)
    assert [one.column for one in found.findings] == ["name"]
    used = look_at_columns(rows, y, task, use=["name"])
    assert used.left_out == () and used.findings == ()


def test_something_is_always_kept() -> None:
    rows, y, task, _ = settle_target(table().without("age"), Task.auto)
    assert look_at_columns(rows, y, task).left_out == ()


def test_an_unknown_column_is_named() -> None:
    rows, y, task, _ = settle_target(table(), Task.auto)
    with pytest.raises(ValueError, match="did you mean 'name'"):
        look_at_columns(rows, y, task, use=["nam"])
