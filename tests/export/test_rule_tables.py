"""Exports of rules: for a spreadsheet, for Markdown, as a frame and as text."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from helpers.export_data import tables

from ramify import TreeClassifier, TreeRegressor
from ramify.export import rules_to_csv, rules_to_frame, rules_to_markdown, rules_to_text


def test_rules_as_csv_for_a_spreadsheet() -> None:
    X = pd.DataFrame({"=cmd()": ["a;b", "é", "a;b", "é"]})
    model = TreeClassifier().fit(X, ["-1", "@x\n", "-1", "@x\n"])
    text = rules_to_csv(model, delimiter=";", decimal=",")
    assert text.startswith("\ufeff") and text.endswith("\r\n")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";"))
    assert [row["prediction"] for row in rows] == ["'-1", "'@x\n"]
    assert [row["condition"] for row in rows] == ["'=cmd() = a;b", "'=cmd() = é"]
    assert rows[0]["coverage"] == "0,5"
    number = TreeRegressor().fit([[0.0], [1.0]], [-1.5, 2.0])
    rows = list(csv.DictReader(io.StringIO(rules_to_csv(number).removeprefix("\ufeff"))))
    assert [row["prediction"] for row in rows] == ["-1.5", "2.0"]
    with pytest.raises(ValueError, match="another delimiter"):
        rules_to_csv(model, decimal=",")


def test_rules_as_markdown_are_text() -> None:
    X = pd.DataFrame({"a|b": ["<script>", "*x*", "<script>", "*x*"]})
    model = TreeClassifier().fit(X, ["p`q", "z", "p`q", "z"])
    lines = rules_to_markdown(model).splitlines()
    assert lines[3] == r"| a\|b = \<script\> | p\`q | 100 % | 2 | 50 % |"
    assert all(line.replace(r"\|", "").count("|") == 6 for line in lines)


def test_rules_as_frame_and_text() -> None:
    X, y, _ = tables()["mixed"]
    mixed = TreeClassifier(max_leaves=20).fit(X, y)
    frame = rules_to_frame(mixed, order="support", backend="pandas")
    rules = mixed.tree_.rules(order="support")
    assert frame["rows"].tolist() == [rule.support for rule in rules]
    assert frame["prediction"].tolist() == [rule.label for rule in rules]
    assert rules_to_text(rules).splitlines() == [str(rule) for rule in rules]
    assert rules_to_text(mixed, order="support") == rules_to_text(rules)
    with pytest.raises(TypeError, match="options need a tree"):
        rules_to_text(rules, order="support")
