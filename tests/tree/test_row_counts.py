"""Counts of rows add up: under fractional missing values they are sums of parts, and say so."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from ramify import TreeClassifier, TreeRegressor, export
from ramify.tree.row_counts import DIVIDED, RowCounts

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2))
Y = np.where(X[:, 0] + RNG.normal(size=200) / 2 > 0, "yes", "no")
HOLES = np.where(RNG.random(X.shape) < 0.1, np.nan, X)


def counts(text: str) -> list[float]:
    """Give the numbers of rows in the lines of a text, from the root down."""
    return [float(found.replace(",", "")) for found in re.findall(r"([\d,.]+) rows?[,)]", text)]


@pytest.mark.parametrize("tree", [TreeClassifier(max_depth=1), TreeRegressor(max_depth=1)])
def test_the_rows_of_branches_add_up(tree: Any) -> None:
    fitted = tree.fit(
        HOLES, Y if isinstance(tree, TreeClassifier) else X[:, 1] + np.nan_to_num(HOLES[:, 0])
    ).tree_
    text = fitted.to_text()
    root, left, right = counts(text)
    assert root == 200 == pytest.approx(left + right)
    assert not (left.is_integer() and right.is_integer())
    assert text.endswith("\n" + DIVIDED) and "weight" not in text
    different = fitted.to_text(different_rows=True)
    root, left, right = counts(different.replace(", weight", ")"))
    assert left + right > root and ", weight " in different
    assert "missing" not in different
    assert str(fitted.rules(different_rows=True)[0]).count(f"({int(left)} row") == 1


def test_rules_drawings_and_tables_count_the_same() -> None:
    model = TreeClassifier(max_depth=2).fit(HOLES, Y)
    tree, rules = model.tree_, model.tree_.rules()
    assert sum(rule.weight for rule in rules) == pytest.approx(200)
    for rule in rules:
        assert rule.rows in str(rule)
        assert rule.rows in tree.to_svg() and rule.rows in export.to_dot(model)
        assert f"| {rule.rows.removesuffix(' rows')} |" in export.rules_to_markdown(model)
    assert "parts of" in tree.to_svg()


def test_nothing_is_said_where_nothing_is_divided() -> None:
    whole = TreeClassifier(max_depth=2).fit(X, Y).tree_
    assert "missing" not in whole.to_text() and not RowCounts(whole).divided
    apart = TreeClassifier(max_depth=2, missing="separate").fit(HOLES, Y).tree_
    assert DIVIDED not in apart.to_text()
    assert sum(rule.support for rule in apart.rules()) == 200


def test_weights_are_not_taken_for_parts() -> None:
    weights = RNG.random(200)
    for given in (weights, weights / weights.mean()):  # the second adds up to the rows
        tree = TreeClassifier(max_depth=1).fit(X, Y, given).tree_
        assert RowCounts(tree).weighted
        assert ", weight " in tree.to_text() and "divided" not in tree.to_text()
        both = TreeClassifier(max_depth=1).fit(HOLES, Y, 3 * given).tree_
        assert "their weights add up" in both.to_text()


def test_the_note_fits_a_width() -> None:
    text = TreeClassifier(max_depth=1).fit(HOLES, Y).tree_.to_text(width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert DIVIDED in text.replace("\n", " ")
