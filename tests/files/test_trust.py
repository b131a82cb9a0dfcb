"""A tree is checked when it comes in, from a file, a dict or a pickle: later calls rely on it."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from helpers.handmade import N, tree_of
from helpers.model_mutations import HOLES, document, use

from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor, _core
from ramify.files import ModelFileError, dumps, loads
from ramify.tree import Tree


def damaged(name: str, change: Any) -> str:
    whole = json.loads(document(name))
    change(whole)
    return json.dumps(whole)


def nodes(whole: Any) -> Any:
    return whole["tree"]["nodes"]


def set_all(name: str, value: Any) -> Any:
    def change(whole: Any) -> None:
        nodes(whole)[name] = [value] * len(nodes(whole)["kind"])

    return change


def set_one(name: str, value: Any, at: int = 0) -> Any:
    return lambda whole: nodes(whole)[name].__setitem__(at, value)


def cleared(whole: Any) -> None:
    nodes(whole)["expansion"][2] = -1


def turned(whole: Any) -> None:
    inner = [n for n in nodes(whole)["expansion"] if n >= 0]
    nodes(whole)["expansion"] = [
        n if n < 0 else len(inner) - 1 - n for n in nodes(whole)["expansion"]
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_one("expansion", 2_000_000_000), "tree: node 0: the expansion number"),
        (set_one("expansion", 100), "tree: node 0: the expansion number"),
        (set_one("expansion", 1), "the expansion number is that of another node"),
        (set_all("expansion", 0), "node 1: a leaf has an expansion number"),
        (turned, "expanded before its parent"),
        (set_all("proportion", 0), "node 0: the proportions of its branches"),
        (set_all("proportion", 1), "node 0: the proportions of its branches"),
        (set_one("proportion", None, 1), "node 1: proportion is not between 0 and 1"),
        (set_one("weight", "inf"), "node 0: weight"),
        (set_one("weight", 15), "weight is not the sum of value at position 0"),
        (lambda whole: nodes(whole).pop("weight"), "weight is not the sum of value"),
        (set_one("gain", None), "gain is beyond what can be summed at position 0"),
        (set_one("rows", -1), "node 0: rows is below zero"),
        (set_one("value", None), "value must be finite at position 0"),
        (lambda whole: nodes(whole)["first_child"].reverse(), "tree: nodes: first_child"),
        (lambda whole: whole["classes"].update(values=["no", 1], dtype="object"), "classes"),
        (lambda whole: whole["classes"].update(values=["no", None], dtype="object"), "classes"),
        (lambda whole: whole["classes"].update(values=[True, 0.5], dtype="object"), "classes"),
        (lambda whole: whole["classes"].update(values=[1.0, 0.5], dtype="float64"), "classes"),
    ],
)
def test_damaged_nodes_are_named(change, message):
    with pytest.raises(ModelFileError, match=f"damaged model file: .*{message}"):
        loads(damaged("tree", change))


@pytest.mark.parametrize("name", ["tree", "regression", "cut", "reshaped", "optimal"])
def test_a_file_without_expansions_has_the_order_of_growth(name):
    def without(whole: Any) -> None:
        nodes(whole).pop("expansion", None)  # a leaf alone has none
        if "pruning" in whole:
            del whole["pruning"]["grown"]["nodes"]["expansion"]

    model = loads(damaged(name, without))
    assert model.tree_ == loads(document(name)).tree_
    assert model.fitted_.grown == loads(document(name)).fitted_.grown
    use(model)


def test_some_expansions_are_not_enough():
    with pytest.raises(ModelFileError, match="tree: node 2: the expansion number"):
        loads(damaged("tree", cleared))


def test_any_order_of_growth_is_recovered_from_the_nodes():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    for growth in ("depth_first", "best_first"):
        tree = TreeClassifier(growth=growth, max_leaves=30).fit(X, y).tree_
        given = tree.to_dict()
        del given["nodes"]["expansion"]
        assert Tree.from_dict(given) == tree


def test_an_inner_node_without_a_prediction_predicts_its_mean_when_it_is_cut():
    saved = TreeRegressor().fit(HOLES, np.arange(14.0))
    whole = json.loads(dumps(saved))
    prediction = whole["tree"]["nodes"]["prediction"]
    for i, kind in enumerate(whole["tree"]["nodes"]["kind"]):
        if kind:
            prediction[i] = None
    root = loads(json.dumps(whole)).prune(n_leaves=1)
    assert root.predict(HOLES) == pytest.approx(np.full(14, 6.5))


def another(pruning: Any) -> None:
    path = pruning["path"]
    path["selected"] = (path["selected"] + 1) % len(path["error"])


@pytest.mark.parametrize("name", ["cut", "cut by gain", "optimal cut"])
def test_the_trees_of_a_pruning_belong_together(name):
    for change, message in [
        (another, r"selected=\d: this tree of the path differs from tree in first_child"),
        (lambda p: p["grown"].update(target="other"), "pruning.grown has another target"),
        (lambda p: p["grown"].update(unseen="error"), "pruning.grown has another unseen"),
        (lambda p: p["grown"].update(costs=[[0, 1, 1]] * 3), "pruning.grown has other costs"),
        (lambda p: p["grown"]["nodes"]["expansion"].__setitem__(0, 77), "pruning.grown: node 0"),
        (lambda p: p.update(path=None), "pruning.path must have"),
    ]:
        with pytest.raises(ModelFileError, match=message):
            loads(damaged(name, lambda whole, change=change: change(whole["pruning"])))


@pytest.mark.parametrize("word", ["inf", "-inf"])
def test_errors_of_a_path_are_numbers_that_can_be_compared(word):
    def change(whole: Any) -> None:
        path = whole["pruning"]["path"]
        path["error"] = [{"type": "float", "value": word}] * len(path["error"])

    with pytest.raises(ModelFileError, match=r"pruning\.path.error must be finite"):
        loads(damaged("cut", change))


def test_a_standard_error_stands_beside_every_error():
    def change(whole: Any) -> None:
        path = whole["pruning"]["path"]
        path["standard_error"] = [{"type": "float", "value": "nan"}] * len(path["error"])

    with pytest.raises(ModelFileError, match=r"pruning\.path.standard_error must be 0 or above"):
        loads(damaged("cut", change))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seconds", None),
        ("seconds", "long"),
        ("seconds", -1.0),
        ("seconds", {"type": "float", "value": "nan"}),
        ("stopped_by", 3),
        ("searches", [1]),
        ("n_thresholds", "many"),
        ("all_thresholds", 1),
        ("below_upper_bound", "no"),
    ],
)
def test_facts_of_a_search_are_what_the_report_shows(key, value):
    def change(whole: Any) -> None:
        items = whole["search"]["facts"]["items"]
        items[:] = [[k, value if k == key else v] for k, v in items]

    with pytest.raises(ModelFileError, match=f"search.facts: {key}"):
        loads(damaged("optimal", change))


def test_a_search_without_its_time_is_refused():
    def change(whole: Any) -> None:
        items = whole["search"]["facts"]["items"]
        items[:] = [item for item in items if item[0] != "seconds"]

    with pytest.raises(ModelFileError, match=r"search\.facts: seconds"):
        loads(damaged("optimal", change))


def test_a_bound_that_is_no_parameter_any_more_is_not_spoken_of():
    def change(whole: Any) -> None:
        items = whole["search"]["facts"]["items"]
        items[:] = [[k, k != "below_upper_bound" and v] for k, v in items]
        whole["search"]["proven_optimal"] = False

    model = loads(damaged("optimal", change))
    assert model.upper_bound is None and model.below_upper_bound_ is None
    use(model)


def test_the_tree_of_a_boosting_is_named():
    def change(whole: Any) -> None:
        whole["boosting"]["trees"][1]["nodes"]["expansion"][0] = 5

    with pytest.raises(ModelFileError, match=r"boosting\.trees\[1\]: node 0"):
        loads(damaged("boosted", change))


def test_a_pickle_is_verified_as_a_file_is():
    tree = tree_of(N(column=0, threshold=1.0, children=[N([3, 1]), N([0, 2])]))
    for name, value in (("expansion", 99), ("proportion", 0.1), ("attribute", 2)):
        state = copy.deepcopy(tree.__getstate__())
        state["arrays"][name][0 if name != "proportion" else 1] = value
        with pytest.raises(ValueError, match=name if name != "attribute" else "kind asks"):
            Tree.__new__(Tree).__setstate__(state)
    state = tree.__getstate__()
    state["arrays"]["expansion"][:] = -1  # the order of expansion is not known
    old = Tree.__new__(Tree)
    old.__setstate__(state)
    assert old == tree == pickle.loads(pickle.dumps(tree))


def test_the_core_makes_no_tree_that_it_could_not_walk():
    tree = tree_of(N(column=0, threshold=1.0, children=[N([3, 1]), N([0, 2])]))
    for name, value in (("expansion", 3), ("proportion", 0.0), ("threshold", np.nan)):
        arrays = {key: np.array(array) for key, array in tree.data.items()}
        arrays[name][:] = value
        with pytest.raises(ValueError, match=r"node \d: "):
            _core.Tree("classification", 3, 2, arrays)


def test_boosting_takes_any_bound_on_its_scores():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 3
    boosted = BoostedTreesClassifier(algorithm="real", z_max=1000.0, n_rounds=3).fit(X, y)
    assert np.isfinite(boosted.predict_proba(X)).all()
