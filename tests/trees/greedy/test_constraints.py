"""Constraints as users give them: what is refused, prunings, files, grid search, boosted trees."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers.constraint_data import columns_of_paths
from helpers.model_schema import validator
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

import ramify
from ramify import BoostedTreesClassifier, RamifyWarning, TreeClassifier, TreeRegressor, presets
from ramify.pruning import (
    MDL,
    BestFirst,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    ReducedError,
)
from ramify.tree import Tree

RNG = np.random.default_rng(0)
ROWS = 400
X = pd.DataFrame(
    {
        "age": RNG.integers(18, 80, ROWS).astype(float),
        "income": RNG.normal(size=ROWS).round(2),
        "city": RNG.choice(["rome", "oslo", "bonn", "kyiv"], ROWS),
        "size": pd.Categorical(RNG.choice(["S", "M", "L"], ROWS), ["S", "M", "L"], ordered=True),
    }
)
NOISE = RNG.random(ROWS) < 0.15
LABELS = np.where(((X["age"] > 45) ^ (X["income"] > 0) ^ NOISE), "yes", "no")
NUMBERS = X["age"] / 10 + X["income"] * 3 + RNG.normal(size=ROWS)
# Conditions that growth would not make: they say nothing about the target.
SKELETON = {
    "column": "city",
    "levels": ["rome"],
    "left": {"column": "size", "threshold": "S", "left": {"closed": True}},
    "right": {"column": "income", "threshold": 1.75, "right": {"exclude": ["age", "income"]}},
}


def begins_with_skeleton(tree: Tree) -> None:
    tree.check()
    assert tree.condition(0).describe(0) == "city = rome"
    left, right = tree.nodes[0].children
    assert tree.condition(left).describe(0) == "size <= S"
    assert tree.condition(right).value == 1.75
    assert tree.nodes[tree.nodes[left].children[0]].is_leaf
    below = [tree.nodes[right].children[1]]
    for node in below:
        below += tree.nodes[node].children
        if not tree.nodes[node].is_leaf:
            assert tree.condition(node).attribute in ("city", "size")


# --- what is refused


@pytest.mark.parametrize("make", [TreeClassifier, TreeRegressor])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"interactions": [["age", "incom"]]}, "'incom' is not a column; did you mean 'income'"),
        ({"interactions": [["age", 4]]}, "4 is no position; valid are 0 to 3"),
        ({"exclude": ["city", "q"]}, r"exclude=\['city', 'q'\]: 'q' is not a column; the columns"),
        ({"exclude": ["age", "income", "city", "size"]}, "leaves no column to split on"),
        ({"skeleton": {"column": "aeg", "threshold": 1}}, "'aeg' is not a column; did you mean"),
        ({"skeleton": {"column": 9, "threshold": 1}}, "column=9 is no position; valid are 0 to 3"),
        ({"skeleton": {"column": "age"}}, "'age' needs either 'threshold' or 'levels'"),
        ({"skeleton": {"column": "age", "levels": ["a"]}}, "'age' is numeric and has no levels"),
        ({"skeleton": {"column": "city", "threshold": 1}}, "'city' is nominal and has no thresh"),
        ({"skeleton": {"column": "age", "threshold": "old"}}, "'old' must be a number"),
        (
            {"skeleton": {"column": "size", "threshold": "XL"}},
            "'XL' is not a level of column 'size'",
        ),
        (
            {"skeleton": {"column": "city", "levels": ["rom"]}},
            "'rom' is not a level of column 'city'; did you mean 'rome'",
        ),
        (
            {"skeleton": {"column": "city", "levels": [["rome"], ["oslo"]]}},
            "levels 'bonn', 'kyiv' of column 'city' have no branch",
        ),
        (
            {"skeleton": {"column": "city", "levels": [["rome"], ["rome"]]}},
            "level 'rome' of column 'city' is named twice",
        ),
        (
            {"skeleton": {"column": "city", "levels": [["rome"]], "branches": [{}, {}]}},
            "names 1 branches of column 'city', and there are 2",
        ),
        (
            {"skeleton": {"column": "age", "threshold": 3, "left": {"colum": 1}}},
            "left: 'colum' is not a key of it; did you mean 'column'",
        ),
        (
            {"skeleton": {"column": "age", "threshold": 3, "right": {"left": {}}}},
            "right: 'left' is not a key of it; the keys are 'closed', 'columns'",
        ),
        ({"skeleton": {"closed": 1}}, "closed=1 must be True or False"),
        ({"skeleton": {"columns": "age"}}, "must be a list of column names or positions"),
        ({"skeleton": {"exclude": ["q"]}}, "'q' is not a column"),
        ({"skeleton": {"column": "age", "threshold": 3, "left": 5}}, "must be a dict, not 5"),
        (
            {"skeleton": {"column": "age", "threshold": 3, "missing": 2}},
            "missing=2 is not a branch; choose 'left', 'right' or 0 to 1",
        ),
        (
            {"skeleton": {"column": "age", "threshold": 3, "branches": [{}, {}]}},
            "'branches' is not a key of it",
        ),
        (
            {
                "interactions": [["age"], ["income"]],
                "skeleton": {
                    "column": "age",
                    "threshold": 40,
                    "left": {"column": "income", "threshold": 0},
                },
            },
            "left: column 'income' meets columns on its path that `interactions` keeps apart",
        ),
    ],
)
def test_refusals_name_what_is_wrong(make, parameters, message):
    y = LABELS if make is TreeClassifier else NUMBERS
    with pytest.raises(ValueError, match=message):
        make(**parameters).fit(X, y)


def test_an_estimator_that_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError, match=r"give skeleton=fitted\.tree_"):
        TreeClassifier(skeleton=TreeClassifier()).fit(X, LABELS)


# --- forms of a skeleton


def test_positions_and_names_are_the_same():
    by_name = TreeClassifier(interactions=[["age", "city"]], exclude=["size"]).fit(X, LABELS)
    by_position = TreeClassifier(interactions=[(0, 2)], exclude=[np.int64(3)]).fit(X, LABELS)
    assert by_name.tree_ == by_position.tree_
    arrays = TreeRegressor(exclude=[1]).fit(X[["age", "income"]].to_numpy(), NUMBERS)
    assert set(arrays.tree_.data["attribute"].tolist()) == {-1, 0}


@pytest.mark.parametrize("missing", ["fractional", "direction", "separate"])
@pytest.mark.parametrize("split", ["auto", "multiway"])
def test_a_fitted_tree_reproduces_itself(missing, split):
    holed = X.mask(RNG.random(X.shape) < 0.1)
    holed["city"] = holed["city"].where(holed["city"].notna(), None)
    for make, y in ((TreeClassifier, LABELS), (TreeRegressor, NUMBERS)):
        base = make(missing=missing, categorical_split=split, max_depth=4).fit(holed, y)
        written = base.tree_.skeleton(closed=True)
        again = make(missing=missing, categorical_split=split, skeleton=written).fit(holed, y)
        np.testing.assert_array_equal(again.predict(holed), base.predict(holed))
        for name in ("kind", "attribute", "threshold", "rows", "level_code", "level_branch"):
            np.testing.assert_array_equal(again.tree_.data[name], base.tree_.data[name])
        for form in (base.tree_, base, base.tree_.to_dict(), base.tree_.skeleton()):
            grown = make(missing=missing, categorical_split=split, skeleton=form, max_depth=6)
            tree = grown.fit(holed, y).tree_
            free = make(missing=missing, categorical_split=split, max_depth=6).fit(holed, y).tree_
            np.testing.assert_array_equal(tree.data["threshold"], free.data["threshold"])
            np.testing.assert_array_equal(tree.data["rows"], free.data["rows"])


def test_cut_leaves_some_nodes_free():
    base = TreeClassifier(max_depth=3).fit(X, LABELS)
    written = base.tree_.skeleton(cut=[1], closed=True)
    assert written["left"] == {}
    model = TreeClassifier(skeleton=written).fit(X, LABELS)
    assert model.tree_.n_leaves > base.tree_.n_leaves
    right = model.tree_.nodes[0].children[1]
    assert model.tree_.nodes[right].rows == base.tree_.nodes[2].rows
    with pytest.raises(ValueError, match="cut: 99 is not a node; the nodes are numbered 0 to"):
        base.tree_.skeleton(cut=[99])


def test_a_tree_with_other_levels_is_taken_as_far_as_it_goes():
    base = TreeClassifier(max_depth=1, exclude=["age", "income", "size"]).fit(X, LABELS)
    other = X.replace({"city": {"rome": "lima"}})
    model = TreeClassifier(skeleton=base.tree_, max_depth=1).fit(other, LABELS)
    assert model.tree_.condition(0).attribute == "city"


def test_conditions_that_do_not_divide_are_left_out_with_a_warning():
    skeleton = {
        "column": "age",
        "threshold": 200,
        "left": {"column": "city", "levels": ["oslo"], "right": {"closed": True}},
        "right": {"closed": True},
    }
    with pytest.warns(RamifyWarning, match="skeleton: these conditions .* age <= 200"):
        model = TreeClassifier(skeleton=skeleton).fit(X, LABELS)
    assert model.tree_.condition(0).describe(0) == "city = oslo"
    assert model.tree_.nodes[model.tree_.nodes[0].children[1]].is_leaf
    with pytest.warns(RamifyWarning, match="age <= -1"):
        closed = TreeClassifier(skeleton=skeleton | {"threshold": -1}).fit(X, LABELS)
    assert closed.tree_.n_nodes == 1


def test_multiway_conditions_lose_branches_without_rows():
    skeleton = {
        "column": "age",
        "threshold": 40,
        "left": {
            "column": "city",
            "levels": [["rome"], ["oslo"], ["bonn", "kyiv"]],
            "branches": [{"closed": True}, {}, {"closed": True}],
        },
    }
    some = X[(X["age"] > 40) | (X["city"] != "oslo")]
    model = TreeClassifier(skeleton=skeleton).fit(some, LABELS[some.index])
    left = model.tree_.nodes[0].children[0]
    assert model.tree_.condition(left).branches == (("rome",), ("bonn", "kyiv"))
    assert all(model.tree_.nodes[child].is_leaf for child in model.tree_.nodes[left].children)


def test_pure_nodes_are_split_too():
    pure = TreeClassifier(skeleton=SKELETON).fit(X, np.where(X["city"] == "rome", "a", "b"))
    begins_with_skeleton(pure.tree_)
    assert (pure.tree_.data["gain"] >= 0).all()


# --- prunings


CLASSES = [
    CostComplexity(),
    CostComplexity(risk="impurity", rule="min"),
    CostComplexity(alpha=10.0),
    BestFirst(),
    BestFirst(error="rmse"),
    BestFirst(stage="pre"),
    BestFirst(stage="pre", rule="1se"),
    CriticalValue(),
    ErrorBased(confidence=0.01),
    ErrorBased(raising=False, confidence=0.01),
    ReducedError(significance=0.001),
    ReducedError(significance="cv", folds=3),
    MDL(),
    "auto",
]


@pytest.mark.parametrize("growth", ["depth_first", "best_first"])
@pytest.mark.parametrize("pruning", CLASSES, ids=str)
def test_no_pruning_undoes_the_skeleton(pruning, growth):
    model = TreeClassifier(pruning=pruning, growth=growth, skeleton=SKELETON).fit(X, LABELS)
    begins_with_skeleton(model.tree_)
    assert model.tree_.n_leaves < TreeClassifier(skeleton=SKELETON).fit(X, LABELS).tree_.n_leaves
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        smallest = model.prune(alpha=1e6).tree_
    begins_with_skeleton(smallest)
    assert smallest.n_leaves == 4
    assert np.isinf(smallest.data["key"][smallest.data["kind"] > 0]).all()


@pytest.mark.parametrize(
    "pruning",
    [one for one in CLASSES if not isinstance(one, ErrorBased) and one != CLASSES[1]],
    ids=str,
)
def test_no_pruning_of_numbers_undoes_the_skeleton(pruning):
    for criterion in ("squared_error", "absolute_error"):
        model = TreeRegressor(pruning=pruning, criterion=criterion, skeleton=SKELETON)
        begins_with_skeleton(model.fit(X, NUMBERS).tree_)


def test_the_path_ends_with_the_skeleton():
    model = TreeClassifier(pruning="cost_complexity", skeleton=SKELETON).fit(X, LABELS)
    path = model.pruning_path_
    assert path.leaves[-1] == 4
    assert np.isfinite(path.key).all() and np.isfinite(path.error).all()
    assert (np.diff(path.leaves) < 0).all()
    assert model.prune(n_leaves=4).tree_.n_leaves == 4
    with pytest.raises(ValueError, match="n_leaves=3 must be at least 4: the tree has a skeleton"):
        model.prune(n_leaves=3)
    for row, leaves in enumerate(path.leaves):
        assert model.prune(alpha=float(path.key[row])).tree_.n_leaves == leaves
    counted = BestFirst()
    model = TreeClassifier(pruning=counted, growth="best_first", skeleton=SKELETON).fit(X, LABELS)
    assert model.pruning_path_.key[-1] == 3  # expansions of the skeleton
    assert model.pruning_path_.leaves[-1] == 4


def test_folds_begin_with_the_skeleton():
    """All of the tree is laid down, so that only the skeleton can be cross-validated."""
    closed = copy.deepcopy(SKELETON)
    closed["left"]["right"] = closed["right"]["left"] = closed["right"]["right"] = {"closed": True}
    grown = TreeClassifier(skeleton=closed).fit(X, LABELS)
    assert grown.tree_.n_leaves == 4
    for pruning in (CostComplexity(), BestFirst(), BestFirst(stage="pre"), CriticalValue()):
        model = TreeClassifier(pruning=pruning, skeleton=closed).fit(X, LABELS)
        np.testing.assert_array_equal(model.predict(X), grown.predict(X))


# --- estimators


@pytest.mark.parametrize("parameters", [{}, {"growth": "best_first", "max_leaves": 9}], ids=str)
def test_any_number_of_threads_gives_the_same_tree(parameters):
    for make, y in ((TreeClassifier, LABELS), (TreeRegressor, NUMBERS)):
        one = make(skeleton=SKELETON, interactions=[["city", "size", "income"]], **parameters)
        two = make(skeleton=SKELETON, interactions=[["city", "size", "income"]], **parameters)
        assert one.fit(X, y).tree_ == two.set_params(n_jobs=2).fit(X, y).tree_
        begins_with_skeleton(one.tree_)


def test_files_pickles_and_clones(tmp_path):
    tree = TreeClassifier(max_depth=2).fit(X, LABELS).tree_
    for skeleton in (SKELETON, tree, None):
        model = TreeClassifier(
            skeleton=skeleton, interactions=[["city", "size", "income", "age"]], exclude=["age"]
        ).fit(X, LABELS)
        model.save(tmp_path / "model.json")
        loaded = ramify.load(tmp_path / "model.json")
        for other in (loaded, pickle.loads(pickle.dumps(model)), clone(model).fit(X, LABELS)):
            assert other.tree_ == model.tree_
            assert other.get_params()["exclude"] == ["age"]
            assert clone(other).fit(X, LABELS).tree_ == model.tree_
        np.testing.assert_array_equal(loaded.tree_.data["key"], model.tree_.data["key"])
        assert loaded.prune(alpha=1e6).tree_ == model.prune(alpha=1e6).tree_


@pytest.mark.parametrize("pruning", [CostComplexity(), BestFirst(), ErrorBased()], ids=str)
def test_files_of_pruned_trees(pruning, tmp_path):
    model = TreeClassifier(pruning=pruning, skeleton=SKELETON).fit(X, LABELS)
    model.save(tmp_path / "model.json")
    validator().validate(json.loads((tmp_path / "model.json").read_text(encoding="utf-8")))
    loaded = ramify.load(tmp_path / "model.json")
    assert loaded.tree_ == model.tree_
    np.testing.assert_array_equal(loaded.pruning_path_.key, model.pruning_path_.key)
    np.testing.assert_array_equal(loaded.pruning_path_.leaves, model.pruning_path_.leaves)
    assert loaded.prune(n_leaves=5).tree_ == model.prune(n_leaves=5).tree_


def test_files_without_constraints_do_not_name_them(tmp_path):
    TreeClassifier().fit(X[["age"]], LABELS).save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text(encoding="utf-8")
    assert "skeleton" not in text and "interactions" not in text and "exclude" not in text


def test_grid_search():
    tree = TreeClassifier(max_depth=1).fit(X, LABELS).tree_
    grid = {"skeleton": [None, SKELETON, tree], "max_depth": [2, 4]}
    search = GridSearchCV(TreeClassifier(), grid, cv=3, error_score="raise").fit(X, LABELS)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("preset", [presets.cart, presets.c45, presets.ctree, presets.chaid])
def test_presets(preset):
    model = preset(skeleton=SKELETON, exclude=["age"]).fit(X, LABELS)
    begins_with_skeleton(model.tree_)
    assert "age" not in {node.condition.attribute for node in model.tree_.nodes if node.condition}


def test_excluded_columns_stay_in_the_table():
    model = TreeClassifier(exclude=["income"]).fit(X, LABELS)
    assert model.feature_importances_[1] == 0
    assert list(model.feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="income"):
        model.predict(X.drop(columns="income"))


def test_parts_of_dates_go_with_their_column():
    days = pd.Series(pd.date_range("2020-01-01", periods=ROWS))
    table = pd.DataFrame({"sold": days, "age": X["age"]})
    labels = np.where((days.dt.month <= 6) ^ NOISE, "a", "b")
    names = TreeClassifier().fit(table, labels).schema_.names
    assert len(names) > 2
    model = TreeClassifier(exclude=["sold"]).fit(table, labels)
    assert {node.condition.attribute for node in model.tree_.nodes if node.condition} == {"age"}
    part = next(name for name in names if "month" in name)
    model = TreeClassifier(exclude=[part]).fit(table, labels)
    used = {node.condition.attribute for node in model.tree_.nodes if node.condition}
    assert part not in used and "sold" in used


@pytest.mark.parametrize("algorithm", ["logit", "real", "gentle", "discrete"])
def test_boosted_trees_keep_groups(algorithm):
    groups = [["age", "city"], ["income"], ["size"]]
    model = BoostedTreesClassifier(algorithm=algorithm, n_rounds=15, interactions=groups)
    model.fit(X, LABELS)
    sets = [{0, 2}, {1}, {3}]
    for tree in model.estimators_:
        assert all(any(path <= one for one in sets) for path in columns_of_paths(tree))
    with pytest.raises(ValueError, match="'q' is not a column"):
        BoostedTreesClassifier(interactions=[["q"]]).fit(X, LABELS)


def test_the_importance_beyond_chance_is_found():
    model = TreeClassifier(skeleton=SKELETON, n_permutations=5).fit(X, LABELS)
    assert (model.unbiased_importances_ >= 0).all()
