"""The tree as data: nodes, conditions, frames, invariants, dictionaries, pickles."""

from __future__ import annotations

import copy
import json
import pickle

import cloudpickle
import numpy as np
import pytest
from helpers.handmade import SCHEMA, N, arrays_of, tree_of, weather

from ramify import TreeClassifier, TreeRegressor, _core
from ramify.tables import ColumnSchema, Schema
from ramify.tree import Multiway, Subset, Threshold, Tree

BINARY = N(
    column=2,
    levels={0: 0, 1: 1, 3: 1},
    children=[
        N([1, 4]),
        N(column=0, threshold=30.5, missing_to=1, children=[N([6, 0]), N([2, 2])]),
    ],
)


@pytest.fixture(scope="module")
def fitted() -> Tree:
    return TreeClassifier().fit(*weather()).tree_


def test_conditions_describe_themselves():
    assert Threshold("age", 0, 77.5, None).describe(0) == "age <= 77.5"
    assert Threshold("age", 0, 77.5, 1).describe(1) == "age > 77.5 or missing"
    assert Threshold("age", 0, np.inf, 1).describe(0) == "age is known"
    assert Threshold("age", 0, np.inf, 1).describe(1) == "age is missing"
    assert Threshold("size", 1, 1.5, None, "M").describe(1) == "size > M"
    split = Subset("city", 2, (tuple(f"c{i}" for i in range(39)), ("z",)), None)
    assert split.describe(0, max_levels=2) == "city in {c0, c1, +37}"
    assert split.describe(1) == "city = z"
    assert split.describe(0, max_levels=None).endswith("c38}")
    assert Multiway("city", 2, (("a",), ("b",), ()), 2).describe(2) == "city is missing"
    with pytest.raises(IndexError, match="branch=2"):
        split.describe(2)


def test_nodes_of_the_weather_tree(fitted):
    root = fitted.nodes[0]
    assert root.condition == Subset("outlook", 0, (("overcast",), ("rainy", "sunny")), None)
    assert (root.parent, root.depth, root.rows, root.weight) == (None, 0, 14, 14.0)
    assert root.prediction == "yes" and not root.is_leaf and root.expansion == 0
    assert root.gain == pytest.approx(0.102041, abs=1e-6)
    assert root.impurity == pytest.approx(0.459184, abs=1e-6)
    np.testing.assert_array_equal(root.value, [5, 9])
    assert [(c.condition.attribute, round(c.gain, 4)) for c in root.competitors] == [
        ("humidity", 0.0918),
        ("temperature", 0.0636),
        ("windy", 0.0306),
    ]
    assert root.competitors[0].condition.describe(0) == "humidity <= 82.5"
    assert str(root.competitors[0]).startswith("humidity <= 82.5 (gain 0.")
    assert {fitted.nodes[child].parent for child in root.children} == {0}


def test_nodes_are_a_sequence(fitted):
    assert len(fitted) == len(fitted.nodes) == fitted.n_nodes == len(list(fitted.nodes))
    assert fitted.nodes[-1].id == fitted.n_nodes - 1
    assert [node.id for node in fitted.nodes[1:3]] == [1, 2]
    assert sum(node.is_leaf for node in fitted.nodes) == fitted.n_leaves
    assert max(node.depth for node in fitted.nodes) == fitted.depth
    with pytest.raises(IndexError, match="out of range"):
        fitted.nodes[fitted.n_nodes]
    with pytest.raises(ValueError, match="is a leaf"):
        fitted.condition(next(node.id for node in fitted.nodes if node.is_leaf))
    with pytest.raises(ValueError, match="read-only"):
        fitted.nodes[0].value[0] = 1.0  # the arrays are read-only


def test_repr_and_equality(fitted):
    assert repr(fitted) == "<Tree: classification of 'play', 5 leaves, depth 3>"
    X, y = weather()
    assert fitted == TreeClassifier().fit(X, y).tree_
    assert fitted != TreeClassifier(max_depth=1).fit(X, y).tree_
    assert fitted != 3
    assert tree_of(BINARY) != tree_of(BINARY, classes=("no", "si"))
    assert repr(tree_of(N([1, 2]))) == "<Tree: classification of 'buys', 1 leaf, depth 0>"


def test_costs_decide_the_label():
    assert tree_of(N([3, 2])).nodes[0].prediction == "no"
    costs = np.array([[0.0, 1.0], [2.0, 0.0]])  # calling a "yes" a "no" costs 2
    tree = tree_of(N([3, 2]), costs=costs)
    assert tree.nodes[0].prediction == "yes"
    assert tree.confidence[0] == pytest.approx(0.4)
    assert tree_of(N([2, 2])).nodes[0].prediction == "no"  # ties to the first class


def test_regression_nodes():
    X, _ = weather()
    tree = TreeRegressor(max_depth=1).fit(X[["humidity"]], X["temperature"]).tree_
    root = tree.nodes[0]
    assert root.prediction == pytest.approx(X["temperature"].mean())
    assert tree.spread[0] == pytest.approx(X["temperature"].std(ddof=0))
    with pytest.raises(ValueError, match="classification"):
        _ = tree.confidence


def test_missing_own_branch_and_ordinal_level():
    root = N(
        column=2,
        multiway=True,
        missing_to=2,
        levels={0: 0, 2: 1},
        children=[
            N([1, 0]),
            N([0, 1]),
            N(column=1, threshold=1.5, children=[N([2, 0]), N([0, 2])]),
        ],
    )
    tree = tree_of(root)
    assert tree.condition(0) == Multiway("city", 2, (("Bern",), ("Paris",), ()), 2)
    assert tree.condition(3) == Threshold("size", 1, 1.5, None, "M")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", None])
def test_to_frame(fitted, backend):
    if backend is not None:
        pytest.importorskip(backend)
    frame = fitted.to_frame(backend=backend)
    if hasattr(frame, "to_pydict"):
        columns = frame.to_pydict()
    else:
        columns = {name: list(frame[name]) for name in frame.columns}
    assert columns["node"] == list(range(fitted.n_nodes))
    assert columns["rows"][0] == 14
    assert columns["condition"][:2] == ["", "outlook = overcast"]
    assert columns["attribute"][0] == "outlook" and columns["kind"][0] == "subset"
    assert columns["prediction"][0] == "yes"


def test_to_frame_refuses_other_backends(fitted):
    with pytest.raises(ValueError, match=r"backend='excel'.*pandas"):
        fitted.to_frame(backend="excel")


def test_arrays_of_a_numeric_tree(fitted):
    with pytest.raises(ValueError, match="outlook"):
        _ = fitted.arrays
    X, y = weather()
    tree = TreeClassifier().fit(X[["temperature", "humidity"]], y).tree_
    arrays = tree.arrays
    leaf = arrays.children_left == -1
    assert (arrays.children_right[leaf] == -1).all() and (arrays.feature[leaf] == -2).all()
    assert leaf.sum() == tree.n_leaves
    np.testing.assert_array_equal(arrays.value.sum(axis=1), arrays.n_node_samples)
    with pytest.raises(ValueError, match="read-only"):
        arrays.threshold[0] = 0.0
    # walking the arrays gives what the tree says
    for row, label in zip(X[["temperature", "humidity"]].to_numpy(), y, strict=True):
        node = 0
        while arrays.children_left[node] >= 0:
            left = row[arrays.feature[node]] <= arrays.threshold[node]
            node = arrays.children_left[node] if left else arrays.children_right[node]
        assert tree.predictions[node] == label


@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_dict_and_pickle_round_trips(split):
    X, y = weather()
    for tree in (
        TreeClassifier(categorical_split=split).fit(X, y).tree_,
        TreeRegressor(categorical_split=split).fit(X, X["humidity"] / 7).tree_,
    ):
        tree.check()
        again = Tree.from_dict(json.loads(json.dumps(tree.to_dict(), allow_nan=False)))
        again.check()
        assert again == tree
        for name, array in tree.data.items():
            assert again.data[name].dtype == array.dtype, name
        assert pickle.loads(pickle.dumps(tree)) == tree
        assert cloudpickle.loads(cloudpickle.dumps(tree)) == tree
        assert copy.deepcopy(tree) == tree


def test_extreme_numbers_survive():
    leaves = [N([5e-324, 1e300], weight_per_row=1e300), N([0.1 + 0.2, 0.0])]
    tree = tree_of(N(column=0, threshold=-np.inf, children=leaves), costs=np.eye(2))
    again = Tree.from_dict(json.loads(json.dumps(tree.to_dict(), allow_nan=False)))
    assert again == tree and again.data["threshold"][0] == -np.inf


def _with(name, value):
    def change(tree):
        tree["nodes"][name] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_with("kind", [2, 0, 1, 0]), "entries, expected 4"),
        (_with("kind", [2, 0, 1, 0, 4]), "kind"),
        (_with("kind", [1, 0, 1, 0, 0]), "threshold"),
        (_with("kind", [2, 0, 1, 0, True]), "integers"),
        (_with("kind", [2, 0, 1, 0, 256]), "uint8"),
        (_with("first_child", [1, -1, 0, -1, -1]), "come after"),
        (_with("first_child", [1, -1, 4, -1, -1]), "parent"),
        (_with("first_child", [3, -1, 3, -1, -1]), "parent"),
        (_with("n_children", [2, 0, 3, 0, 0]), "parent"),
        (_with("attribute", [3, -1, 0, -1, -1]), "attribute"),
        (_with("attribute", [0, -1, 0, -1, -1]), "numeric column"),
        (_with("attribute", [2, -1, 2, -1, -1]), "order"),
        (_with("attribute", [2, 1, 0, -1, -1]), "attribute"),
        (_with("threshold", [None, None, None, None, None]), "threshold"),
        (_with("threshold", [None, None, "x", None, None]), "threshold"),
        (_with("threshold", [None, None, [], None, None]), "threshold"),
        (_with("threshold", [None, None, 10**400, None, None]), "float64"),
        (_with("missing_to", [-1, -1, 2, -1, -1]), "missing_to"),
        (_with("proportion", [1, 0.5, 1.5, 0.5, 0.5]), "proportion"),
        (_with("weight", [1, 1, -1, 1, 1]), "weight"),
        (_with("rows", [1, 1, -1, 1, 1]), "rows"),
        (_with("value", [1.0] * 9), "5 x 2"),
        (_with("value", [-1.0] * 10), "value"),
        (_with("colour", [1] * 5), "colour"),
        (lambda t: t["levels"].update(code=[0, 1, 4]), "code"),
        (lambda t: t["levels"].update(code=[0, 3, 1]), "rise"),
        (lambda t: t["levels"].update(branch=[0, 1, 2]), "branch"),
        (lambda t: t["levels"].update(start=[0, 3, 2, 3, 3, 3]), "rise"),
        (lambda t: t["levels"].update(start=[0, 2, 3, 3, 3, 3]), "without a set"),
        (lambda t: t.update(classes=None), "classes"),
        (lambda t: t.update(classes={"dtype": "str", "values": ["a", "a"]}), "different"),
        (lambda t: t.update(classes={"dtype": "O", "values": ["a", "b"]}), "dtype"),
        (lambda t: t.update(costs=[[0, 1]]), "costs"),
        (lambda t: t.update(task="clustering"), "clustering"),
        (lambda t: t.update(unseen="guess"), "guess"),
        (lambda t: t.update(extra=1), "extra"),
        (lambda t: t.pop("nodes"), "nodes"),
        (lambda t: t["schema"]["columns"].pop(), "attribute"),
        (
            lambda t: t.update(
                competitors={
                    "start": [0, 1, 1, 1, 1, 1],
                    "kind": [3],
                    "attribute": [2],
                    "level_start": [0, 1],
                    "level_code": [0],
                    "level_branch": [2**31 - 1],
                }
            ),
            "branch",
        ),
    ],
)
def test_from_dict_refuses(change, message):
    tree = tree_of(BINARY).to_dict()
    Tree.from_dict(copy.deepcopy(tree))
    change(tree)
    with pytest.raises(ValueError, match=message):
        Tree.from_dict(tree)


def test_check_sees_what_only_python_knows():
    tree_of(BINARY).check()
    few = Schema((*SCHEMA.columns[:2], ColumnSchema("city", "nominal", ("Bern",))), named=True)
    with pytest.raises(ValueError, match="code"):
        tree_of(BINARY, schema=few).check()
    core = _core.Tree("classification", 3, 2, arrays_of(BINARY))
    with pytest.raises(ValueError, match="shape"):
        Tree(core, SCHEMA, task="classification", classes=np.array(["a", "b", "c"])).check()
    with pytest.raises(ValueError, match="classes"):
        Tree(core, SCHEMA, task="classification").check()


def test_a_tree_of_great_depth():
    node = N([1, 0])
    for i in range(20_000):
        node = N(column=0, threshold=float(i), children=[node, N([0, 1])])
    tree = tree_of(node)
    assert tree.depth == 20_000
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    assert len(tree.to_text().split("\n")) == tree.n_nodes
    assert len(tree.rules()) == tree.n_leaves
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_a_column_of_many_levels():
    levels = tuple(f"level {i}" for i in range(100_000))
    schema = Schema((ColumnSchema("id", "nominal", levels),), named=True)
    split = {code: code % 2 for code in range(len(levels))}
    tree = tree_of(N(column=0, levels=split, children=[N([1, 0]), N([0, 1])]), schema=schema)
    assert len(tree.nodes[0].condition.branches[1]) == 50_000
    assert "+49995}" in tree.to_text()
    assert Tree.from_dict(tree.to_dict()) == tree
