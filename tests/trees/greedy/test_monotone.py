"""Monotone columns and the weight of leaves: what holds for any two rows, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import monotone as oracle
from sklearn.base import clone

from ramify import BoostedTreesClassifier, TreeClassifier, TreeRegressor, presets
from ramify.files.model import dumps, loads
from ramify.pruning import CostComplexity, ErrorBased, ReducedError

GRADES = ["low", "mid", "high"]
MISSING = ("fractional", "separate", "direction")


def table(rng: np.random.Generator, n: int, *, holes: float = 0.15) -> pd.DataFrame:
    """Two columns with a sign, a free one, a nominal and an ordinal one, all with holes."""

    def pierce(values: Any) -> Any:
        return np.where(rng.random(n) < holes, np.nan, values)

    def labels(of: list[str]) -> list[str | None]:
        return [None if rng.random() < holes else str(rng.choice(of)) for _ in range(n)]

    return pd.DataFrame(
        {
            "age": pierce(rng.integers(0, 6, n).astype(float)),
            "debt": pierce(rng.integers(0, 5, n).astype(float)),
            "free": pierce(rng.normal(size=n).round(1)),
            "colour": pd.Categorical(labels(["red", "green", "blue", "grey"])),
            "grade": pd.Categorical(labels(GRADES), GRADES, ordered=True),
        }
    )


def target(rng: np.random.Generator, X: pd.DataFrame, noise: float) -> Any:
    """Numbers that rise and fall with the columns, against the signs as often as not."""
    age, debt, free = (X[c].fillna(2.0).to_numpy() for c in ("age", "debt", "free"))
    colour = X["colour"].cat.codes.to_numpy()
    grade = X["grade"].cat.codes.to_numpy()
    waves = np.sin(2 * age) + (debt - 2) ** 2 / 3 + free * (colour - 1) + (grade == 1)
    return waves + noise * rng.normal(size=len(X))


def grid(X: pd.DataFrame) -> pd.DataFrame:
    """All combinations of a few values of every column, holes included."""
    values = {
        "age": [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, np.nan],
        "debt": [0.0, 1.0, 2.5, 4.0, np.nan],
        "free": [-1.0, 0.0, 0.7, np.nan],
        "colour": [*X["colour"].cat.categories, None],
        "grade": [*GRADES, None],
    }
    rows = pd.DataFrame(list(itertools.product(*values.values())), columns=list(values))
    rows["colour"] = pd.Categorical(rows["colour"], X["colour"].cat.categories)
    rows["grade"] = pd.Categorical(rows["grade"], GRADES, ordered=True)
    return rows


def worst_step(rows: pd.DataFrame, answers: Any, column: str, sign: int) -> float:
    """The largest step against the sign between neighbours that differ in the column alone."""
    axes = [rows[name].nunique(dropna=False) for name in rows.columns]
    cube = np.asarray(answers).reshape(axes)
    axis = list(rows.columns).index(column)
    known = np.moveaxis(cube, axis, 0)[:-1]  # the last value is the hole
    return float(-(sign * np.diff(known, axis=0)).min())


def assert_monotone(model: Any, X: pd.DataFrame, signs: dict[str, Any]) -> None:
    rows = grid(X)
    for column, entry in signs.items():
        if isinstance(model, TreeRegressor):
            assert worst_step(rows, model.predict(rows), column, entry) <= 1e-9
            continue
        sign, label = entry if isinstance(entry, tuple) else (entry, model.classes_[-1])
        shares = model.predict_proba(rows)[:, list(model.classes_).index(label)]
        assert worst_step(rows, shares, column, sign) <= 1e-12


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "max_depth": st.integers(1, 6),
        "growth": st.sampled_from(["depth_first", "best_first", "best_first_unweighted"]),
        "max_leaves": st.integers(2, 20),
        "min_samples_leaf": st.integers(1, 8),
        "min_weight_fraction_leaf": st.sampled_from([0.01, 0.05, 0.2]),
        "categorical_split": st.sampled_from(["auto", "exact", "multiway"]),
        "n_jobs": st.just(2),
        "pruning": st.sampled_from(
            [CostComplexity(alpha=0.01), CostComplexity(folds=3), ReducedError(holdout=0.3)]
        ),
    },
)


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(20, 400),
    missing=st.sampled_from(MISSING),
    weighted=st.booleans(),
    given_settings=SETTINGS,
    classes=st.sampled_from([0, 2, 3]),
    more=st.sampled_from(["gini", "entropy", "gain_ratio", "twoing"]),
)
def test_holds_for_all_pairs_of_a_grid(
    seed: int,
    n: int,
    missing: str,
    weighted: bool,
    given_settings: dict[str, Any],
    classes: int,
    more: str,
) -> None:
    rng = np.random.default_rng(seed)
    X = table(rng, n)
    y = target(rng, X, noise=0.5)
    weight = rng.choice([0.3, 1.0, 2.5], n) if weighted else None
    signs: dict[str, Any] = {"age": 1, "debt": -1, "grade": 1}
    if not classes:
        model: Any = TreeRegressor(monotone=signs, missing=missing, **given_settings)
    else:
        if given_settings.get("categorical_split") == "multiway" and more == "twoing":
            more = "gini"
        codes = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
        y = np.array(["a", "b", "c"])[codes]
        if classes == 3:
            signs = {"age": (1, "b"), "debt": (-1, "a"), "grade": (1, "c")}
        model = TreeClassifier(monotone=signs, missing=missing, criterion=more, **given_settings)
    model.fit(X, y, weight)
    if len(np.unique(y)) < classes:
        return
    assert_monotone(model, X, signs)
    if model.pruning is None:
        assert_monotone(model.prune(alpha=0.02), X, signs)


@pytest.mark.parametrize("pieces", [False, True])
@pytest.mark.parametrize("classes", [0, 2])
def test_divided_rows(pieces: bool, classes: int) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = table(rng, 300, holes=0.4)
        y = target(rng, X, noise=1.0)
        rules = {"missing_gain": "divided", "missing_count": "pieces" if pieces else "parts"}
        signs = {"age": -1, "debt": 1, "grade": -1}
        kind = TreeClassifier if classes else TreeRegressor
        model = kind(monotone=signs, min_samples_leaf=2, **rules)
        model.fit(X, (y > np.median(y)) if classes else y)
        assert_monotone(model, X, signs)


# --- the best cut, by brute force --------------------------------------------------------------


@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("task", ["numbers", "two", "three", "entropy"])
@pytest.mark.parametrize("fraction", [0.0, 0.1])
def test_equals_brute_force(holes: float, weighted: bool, task: str, fraction: float) -> None:
    for seed in range(15):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(10, 90))
        X = rng.normal(size=(n, 3))
        if seed % 3 == 0:
            X = X.round()
        X[rng.random(X.shape) < holes] = np.nan
        raw = np.sin(3 * np.nan_to_num(X[:, 0])) - np.nan_to_num(X[:, 1]) + rng.normal(size=n)
        weight = rng.uniform(0.2, 3.0, n) if weighted else np.ones(n)
        signs = [int(s) for s in rng.permutation([1, -1, 0])]
        rules = oracle.Rules(signs, None, fraction * weight.sum())
        common = {"max_depth": 3, "missing": "direction", "min_weight_fraction_leaf": fraction}
        given_weight = weight if weighted else None
        if task == "numbers":
            model: Any = TreeRegressor(monotone=signs, **common).fit(X, raw, given_weight)
            found, y = model.predict(X), raw
        else:
            classes = 3 if task == "three" else 2
            y = np.digitize(raw, np.quantile(raw, np.arange(1, classes) / classes))
            rules.of_class = 1
            rules.entropy = task == "entropy"
            named = {j: (sign, 1) for j, sign in enumerate(signs)}
            criterion = "entropy" if task == "entropy" else "gini"
            model = TreeClassifier(monotone=named, criterion=criterion, **common)
            found = model.fit(X, y, given_weight).predict_proba(X)[:, 1]
        np.testing.assert_allclose(found, oracle.predictions(X, y, weight, rules), atol=1e-9)


# --- what is known of the result ----------------------------------------------------------------


@pytest.mark.parametrize("depth", [None, 4])
@pytest.mark.parametrize("classes", [0, 2, 4])
def test_equals_the_free_tree_where_nothing_binds(depth: int | None, classes: int) -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3000, 4))
    y = rng.normal(size=3000) + X[:, 1]
    kind: Any = TreeRegressor
    if classes:
        y = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
        kind = TreeClassifier
    free = kind(max_depth=depth).fit(X, y)
    assert kind(max_depth=depth, monotone=[0, 0, 0, 0]).fit(X, y).tree_ == free.tree_
    assert kind(max_depth=depth, min_weight_fraction_leaf=0.0).fit(X, y).tree_ == free.tree_
    # A column that is constant has no splits, but its sign asks for bounds everywhere.
    X = np.column_stack([X, np.zeros(3000)])
    entry = (1, 0) if classes else 1
    bound = kind(max_depth=depth, monotone={4: entry}).fit(X, y)
    assert bound.tree_ == kind(max_depth=depth).fit(X, y).tree_


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_a_monotone_target_loses_nothing(kind: Any) -> None:
    x = np.arange(200.0)[:, None]
    y = (x[:, 0] > 70).astype(int)
    free = kind().fit(x, y)
    assert kind(monotone=[1]).fit(x, y).tree_ == free.tree_
    assert kind(monotone=[-1]).fit(x, y).tree_.n_leaves == 1


@pytest.mark.parametrize("classes", [0, 2, 3])
@pytest.mark.parametrize("growth", ["depth_first", "best_first"])
@pytest.mark.parametrize("weighted", [False, True])
def test_large_trees_and_threads(classes: int, growth: str, weighted: bool) -> None:
    """Large nodes, small subtrees and threads have searches of their own."""
    rng = np.random.default_rng(1)
    n = 6000
    X = rng.normal(size=(n, 4))
    X[:, 3] = X[:, 3].round(1)
    y: Any = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(size=n)
    signs: Any = [1, -1, 0, 1]
    kind: Any = TreeRegressor
    if classes:
        # Shares of exactly a third would let a split by three classes leave no room below it.
        y = np.digitize(y, [0.1] if classes == 2 else [-0.4, 0.7])
        signs = {0: (1, 1), 1: (-1, 1), 3: (1, 0)} if classes > 2 else signs
        kind = TreeClassifier
    weight = rng.uniform(0.5, 2, n) if weighted else None
    model = kind(monotone=signs, growth=growth).fit(X, y, weight)
    assert model.tree_ == kind(monotone=signs, growth=growth, n_jobs=2).fit(X, y, weight).tree_
    assert model.tree_.n_leaves > 20
    base = rng.normal(size=(300, 4))
    for column, (sign, label) in ({0: (1, 1), 1: (-1, 1), 3: (1, 0 if classes > 2 else 1)}).items():
        rows = np.repeat(base, 40, axis=0)
        rows[:, column] = np.tile(np.linspace(-3, 3, 40), 300)
        found = model.predict_proba(rows)[:, label] if classes else model.predict(rows)
        assert (sign * np.diff(found.reshape(300, 40), axis=1)).min() >= -1e-12


def test_numbers_far_from_zero() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(2000, 2))
    y = 1e9 + 1e-3 * (np.sin(3 * X[:, 0]) + rng.normal(size=2000))
    model = TreeRegressor(monotone=[1, 0]).fit(X, y)
    rows = np.repeat(rng.normal(size=(200, 2)), 30, axis=0)
    rows[:, 0] = np.tile(np.linspace(-3, 3, 30), 200)
    assert np.diff(model.predict(rows).reshape(200, 30), axis=1).min() >= 0.0


@pytest.mark.parametrize("preset", [presets.cart, presets.id3, presets.bftree, presets.ctree])
def test_presets(preset: Any) -> None:
    rng = np.random.default_rng(3)
    X = table(rng, 250)
    y = np.where(target(rng, X, 0.3) > 0.5, "yes", "no")
    signs = {"age": 1, "debt": -1}
    assert_monotone(preset(monotone=signs).fit(X, y), X, signs)


@pytest.mark.parametrize("algorithm", ["logit", "gentle", "real", "discrete"])
@pytest.mark.parametrize("missing", MISSING)
def test_boosted_trees(algorithm: Any, missing: Any) -> None:
    rng = np.random.default_rng(4)
    X = table(rng, 250)
    y = np.where(target(rng, X, 0.3) > 0.5, "yes", "no")
    signs = {"age": (-1, "no"), "debt": -1, "grade": (1, "yes")}
    model = BoostedTreesClassifier(
        algorithm=algorithm, n_rounds=15, monotone=signs, missing=missing
    ).fit(X, y)
    assert_monotone(model, X, signs)
    assert_monotone(loads(dumps(model)), X, signs)


# --- the weight of a leaf -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("split", ["auto", "multiway"])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_leaf_weighs_enough(kind: Any, missing: str, split: str, weighted: bool) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = table(rng, 300)
        y = target(rng, X, 1.0)
        weight = rng.choice([0.01, 1.0, 5.0], 300) if weighted else np.ones(300)
        for fraction in (0.02, 0.1, 0.5):
            model = kind(
                min_weight_fraction_leaf=fraction, missing=missing, categorical_split=split
            )
            model.fit(X, y > 0 if kind is TreeClassifier else y, weight if weighted else None)
            leaves = leaf_weights(model)
            assert min(leaves) >= fraction * weight.sum() * (1 - 1e-6)
            if fraction == 0.02 and split == "auto":
                assert len(leaves) > 4


def leaf_weights(model: Any) -> list[float]:
    tree = model.tree_
    return [node.weight for node in tree.nodes if node.is_leaf]


@pytest.mark.parametrize("missing", MISSING)
def test_weight_of_leaves_by_absolute_error(missing: str) -> None:
    rng = np.random.default_rng(0)
    X = table(rng, 200)
    y = target(rng, X, 1.0)
    weight = rng.choice([0.01, 1.0, 5.0], 200)
    model = TreeRegressor(
        criterion="absolute_error", min_weight_fraction_leaf=0.05, missing=missing
    ).fit(X, y, weight)
    assert min(leaf_weights(model)) >= 0.05 * weight.sum() * (1 - 1e-6)


def test_weight_of_leaves_equals_rows_without_weights() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    y = rng.integers(0, 3, 1000)
    by_weight = TreeClassifier(min_weight_fraction_leaf=0.02).fit(X, y)
    assert by_weight.tree_ == TreeClassifier(min_samples_leaf=20).fit(X, y).tree_


# --- what is refused, files and the command line ----------------------------------------------


ROWS = pd.DataFrame(
    {
        "age": [1.0, 2.0, 3.0, 4.0],
        "colour": ["red", "blue", "red", "blue"],
        "grade": pd.Categorical(["low", "mid", "high", "low"], GRADES, ordered=True),
        "day": pd.to_datetime(["2020-01-01", "2020-02-03", "2021-03-01", "2021-04-05"]),
    }
)


@pytest.mark.parametrize(
    ("monotone", "message"),
    [
        ("age", "monotone='age' is not valid; choose None, a dict"),
        ({"age": 2}, r"monotone\['age'\]=2 is not valid"),
        ({"age": True}, r"monotone\['age'\]=True is not valid"),
        ({"agge": 1}, "monotone: column 'agge' is not in the table; did you mean 'age'"),
        ({7: 1}, "monotone: column '7' is not in the table"),
        ([1, 0], "monotone has 2 entries, but X has 4 columns"),
        ({"colour": 1}, "monotone: column 'colour' is nominal"),
        ({"day": 1}, "monotone: column 'day' is a date whose parts"),
        ({"age": (1, "no")}, "names a class, but the target is a number"),
    ],
)
def test_errors(monotone: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeRegressor(monotone=monotone, date_parts=["month"]).fit(ROWS, [1.0, 2.0, 3.0, 4.0])


def test_more_errors() -> None:
    y = ["a", "b", "c", "a"]
    with pytest.raises(ValueError, match=r"must name the class .* such as \(1, 'a'\)"):
        TreeClassifier(monotone={"age": 1}).fit(ROWS, y)
    with pytest.raises(ValueError, match=r"names no class; the classes are 'a', 'b', 'c'"):
        TreeClassifier(monotone={"age": (1, "d")}).fit(ROWS, y)
    with pytest.raises(ValueError, match="criterion='absolute_error'"):
        TreeRegressor(monotone={"age": 1}, criterion="absolute_error").fit(ROWS, [1, 2, 3, 4])
    with pytest.raises(ValueError, match="raising=True"):
        presets.c45(monotone={"age": 1}).fit(ROWS, ["a", "b", "b", "a"])
    with pytest.raises(ValueError, match="levels of column 'grade' are merged"):
        presets.chaid(monotone={"grade": 1}).fit(ROWS, ["a", "b", "b", "a"])
    presets.c45(monotone={"age": 1}, pruning=ErrorBased(raising=False)).fit(ROWS, list("abba"))
    with pytest.raises(ValueError, match="monotone of boosted trees is for two classes"):
        BoostedTreesClassifier(monotone={"age": (1, "a")}).fit(ROWS, y)


@pytest.mark.parametrize(
    "monotone", [{"age": (1, "late"), "debt": -1}, [0, 1, 0, 0, -1], np.array([0, 1, 0, 0, 0])]
)
def test_files_and_clones_keep_it(monotone: Any) -> None:
    rng = np.random.default_rng(0)
    X = table(rng, 100)
    y = np.where(target(rng, X, 1.0) > 0, "late", "never")
    model = TreeClassifier(monotone=monotone, min_weight_fraction_leaf=0.03).fit(X, y)
    again = loads(dumps(model))
    assert again.tree_ == model.tree_
    np.testing.assert_equal(again.monotone, monotone)
    assert again.min_weight_fraction_leaf == 0.03
    assert clone(model).fit(X, y).tree_ == model.tree_
