"""What is printed: the drawn tree and the if/then rules."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.handmade import N, tree_of, weather

from ramify import TreeClassifier, TreeRegressor
from ramify.tables import ColumnSchema, Schema
from ramify.tree.words import format_level, format_number, percent, threshold_digits

WEATHER = """\
play: 14 rows, yes 64 %
├─ outlook = overcast: yes (4 rows, 100 %)
└─ outlook in {rainy, sunny}: 10 rows, no 50 %
   ├─ humidity <= 82.5: 5 rows, yes 80 %
   │  ├─ temperature <= 66.5: no (1 row, 100 %)
   │  └─ temperature > 66.5: yes (4 rows, 100 %)
   └─ humidity > 82.5: 5 rows, no 80 %
      ├─ temperature <= 70.5: yes (1 row, 100 %)
      └─ temperature > 70.5: no (4 rows, 100 %)"""

MULTIWAY = """\
play: 14 rows, yes 64 %
├─ outlook = overcast: yes (4 rows, 100 %)
├─ outlook = rainy: 5 rows, yes 60 % … 2 leaves below
└─ outlook = sunny: 5 rows, no 60 % … 2 leaves below"""


def test_weather():
    tree = TreeClassifier().fit(*weather()).tree_
    assert tree.to_text() == WEATHER
    assert [str(rule) for rule in tree.rules()][:2] == [
        "if outlook = overcast then yes (4 rows, 100 %)",
        "if outlook in {rainy, sunny} and humidity <= 82.5 and temperature <= 66.5 then no "
        "(1 row, 100 %)",
    ]


def test_max_depth_counts_what_it_leaves_out():
    tree = TreeClassifier(categorical_split="multiway").fit(*weather()).tree_
    assert tree.to_text(max_depth=1) == MULTIWAY
    assert tree.to_text(max_depth=0) == "play: 14 rows, yes 64 % … 5 leaves below"


def test_a_single_leaf():
    tree = tree_of(N([3, 1]))
    assert tree.to_text() == "buys: no (4 rows, 75 %)"
    [rule] = tree.rules()
    assert rule.conditions == () and str(rule) == "always no (4 rows, 75 %)"


def test_regression_shows_mean_and_spread():
    leaves = [N([2, 20, 202]), N([1, 7, 49])]
    tree = tree_of(N(column=0, threshold=3.0, children=leaves), classes=None, target="price")
    assert tree.to_text().split("\n") == [
        "price: 3 rows, mean 9 ± 1.633",
        "├─ age <= 3: 10 (2 rows, ± 1)",
        "└─ age > 3: 7 (1 row, ± 0)",
    ]
    first, _ = tree.rules()
    assert str(first) == "if age <= 3 then 10 (2 rows, ± 1)"
    assert first.confidence is None and first.spread == 1.0 and first.label == 10.0
    X, _ = weather()
    fitted = TreeRegressor(max_depth=2).fit(X, X["temperature"]).tree_
    assert fitted.to_text().startswith("temperature: 14 rows, mean 73.57 ± ")


def test_weights_where_they_differ():
    leaves = [N([2, 0], weight_per_row=0.5), N([0, 3])]
    tree = tree_of(N(column=0, threshold=3.0, children=leaves))
    assert "weight" not in tree.to_text(show_weights=False)
    assert tree.to_text().split("\n")[1:] == [
        "├─ age <= 3: no (4 rows, weight 2, 100 %)",
        "└─ age > 3: yes (3 rows, 100 %)",
    ]


def test_missing_values_are_named():
    inner = N(column=0, threshold=np.inf, missing_to=1, children=[N([1, 0]), N([0, 1])])
    root = N(column=2, levels={0: 0, 1: 0, 2: 1}, missing_to=1, children=[N([5, 0]), inner])
    tree = tree_of(root)
    assert tree.to_text().split("\n")[1:] == [
        "├─ city in {Bern, Oslo}: no (5 rows, 100 %)",
        "└─ city = Paris or missing: 2 rows, no 50 %",
        "   ├─ age is known: no (1 row, 100 %)",
        "   └─ age is missing: yes (1 row, 100 %)",
    ]
    assert [str(rule) for rule in tree.rules()][1:] == [
        "if (city = Paris or missing) and age is known then no (1 row, 100 %)",
        "if (city = Paris or missing) and age is missing then yes (1 row, 100 %)",
    ]


def test_rules_merge_per_attribute():
    sets = N(column=2, levels={1: 0, 2: 1}, children=[N([1, 0]), N([0, 2])])
    cities = N(column=2, levels={0: 0, 1: 1, 2: 1}, children=[N([3, 0]), sets])
    ages = N(column=0, threshold=30.0, children=[N([4, 0]), cities])
    sizes = N(column=1, threshold=0.5, children=[N([0, 5]), ages])
    root = N(column=1, threshold=2.5, children=[sizes, N([6, 1])])
    tree = tree_of(N(column=0, threshold=60.5, children=[root, N([7, 0])]))
    rules = {rule.conditions for rule in tree.rules()}
    assert rules == {
        ("age <= 60.5", "size <= S"),
        ("age <= 30", "S < size <= L"),
        ("30 < age <= 60.5", "S < size <= L", "city = Bern"),
        ("30 < age <= 60.5", "S < size <= L", "city = Oslo"),
        ("30 < age <= 60.5", "S < size <= L", "city = Paris"),
        ("age <= 60.5", "size > L"),
        ("age > 60.5",),
    }
    assert sum(rule.coverage for rule in tree.rules()) == pytest.approx(1.0)
    assert sum(rule.support for rule in tree.rules()) == tree.nodes[0].rows


def test_missing_stays_only_if_every_step_takes_it():
    inner = N(column=0, threshold=1.0, missing_to=0, children=[N([1, 0]), N([0, 1])])
    tree = tree_of(N(column=0, threshold=5.0, missing_to=0, children=[inner, N([0, 2])]))
    assert [rule.conditions for rule in tree.rules()] == [
        ("age <= 1 or missing",),
        ("1 < age <= 5",),
        ("age > 5",),
    ]


def test_rules_are_chosen_and_ordered():
    leaves = [N([1, 2]), N(column=0, threshold=9.0, children=[N([9, 1]), N([0, 4])])]
    tree = tree_of(N(column=0, threshold=3.0, children=leaves))
    assert [rule.support for rule in tree.rules()] == [3, 10, 4]
    assert [rule.support for rule in tree.rules(order="support")] == [10, 4, 3]
    assert [rule.support for rule in tree.rules(order="confidence")] == [4, 10, 3]
    assert [rule.support for rule in tree.rules(min_support=4, min_confidence=0.95)] == [4]
    rule = tree.rules()[1]
    assert (rule.label, rule.confidence, rule.weight) == ("no", 0.9, 10.0)
    with pytest.raises(ValueError, match=r"order='size'.*support"):
        tree.rules(order="size")


@pytest.mark.parametrize(
    "bad", [{"precision": 0}, {"precision": 2.5}, {"max_levels": -1}, {"max_depth": "all"}]
)
def test_bad_parameters_are_named(bad):
    [name] = bad
    with pytest.raises(ValueError, match=f"{name}="):
        tree_of(N([1, 1])).to_text(**bad)


def test_thresholds_that_look_alike_get_more_digits():
    one, two = 0.123456789012, 0.123456781234
    inner = N(column=0, threshold=two, children=[N([1, 0]), N([0, 1])])
    text = tree_of(N(column=0, threshold=one, children=[inner, N([0, 1])])).to_text()
    lines = [line.split(":")[0] for line in text.split("\n")]
    assert lines[1] == "├─ age <= 0.123456789"
    assert lines[2] == "│  ├─ age <= 0.123456781"
    alone = tree_of(N(column=0, threshold=one, children=[N([1, 0]), N([0, 1])]))
    assert "age <= 0.1235:" in alone.to_text()
    assert "age <= 0.123457:" in alone.to_text(precision=6)


def test_printed_thresholds_keep_their_order():
    rng = np.random.default_rng(3)
    for scale in (1e-12, 1.0, 1e12):
        values = np.unique(np.concatenate([rng.normal(size=50), 1 + rng.normal(size=50) * 1e-9]))
        values *= scale
        digits = threshold_digits(np.zeros(len(values), dtype=np.int32), values, 4)
        printed = [format_number(v, int(d)) for v, d in zip(values, digits, strict=True)]
        read = np.array(printed, dtype=float)
        assert (np.diff(read) > 0).all()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (82.5, "82.5"),
        (0.0, "0"),
        (-3.0, "-3"),
        (1234567.5, "1234567.5"),
        (0.1 + 0.2, "0.3"),
        (2 / 3, "0.6667"),
        (123456.789012345, "123456.8"),
        (1.5e-7, "1.5e-07"),
        (1e300, "1e+300"),
        (-np.inf, "-inf"),
    ],
)
def test_numbers(value, text):
    assert format_number(value) == text


def test_levels():
    assert format_level("a, b") == '"a, b"' and format_level(" x") == '" x"'
    assert format_level("") == '""' and format_level("line\nbreak") == "line\\nbreak"
    assert format_level(True) == "True" and format_level(2.0) == "2" and format_level(7) == "7"
    long = format_level("Republic of " + "x" * 200 + " Island")
    assert len(long) <= 28 and "…" in long and long.endswith("Island")
    assert [percent(share) for share in (0.0, 0.004, 0.5, 0.9999, 1.0)] == [
        "0 %",
        "<1 %",
        "50 %",
        ">99 %",
        "100 %",
    ]


def test_names_never_break_a_line():
    schema = Schema((ColumnSchema("a\nb", "nominal", ("x\ty", "z\r")),), named=True)
    split = N(column=0, levels={0: 0, 1: 1}, children=[N([1, 0]), N([0, 1])])
    tree = tree_of(split, schema=schema, target="t\nu", classes=("n\no", "yes"))
    assert len(tree.to_text().splitlines()) == 3


def test_deep_trees_are_indented_to_a_limit():
    node = N([1, 0])
    for i in range(100):
        node = N(column=0, threshold=float(i), children=[N([0, 1]), node])
    lines = tree_of(node).to_text().split("\n")
    assert len(lines) == 201 and max(map(len, lines)) < 200
    assert lines[-1].startswith("⋯+59⋯ ")
