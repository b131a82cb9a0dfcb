"""Trees grown with ``selection="beyond_chance"``: choices by brute force, and what must hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from oracles import beyond_chance as oracle

from ramify import TreeClassifier, TreeRegressor, _core
from ramify.splits import MergeLevels

BY_CHANCE = {"selection": "beyond_chance"}
TARGETS = ("two", "uneven", "four", "numbers")


def target_of(kind, signal, rng):
    noisy = signal + rng.standard_normal(len(signal))
    if kind == "numbers":
        return noisy
    shares = {"two": [0.5], "uneven": [0.85], "four": [0.3, 0.6, 0.8]}[kind]
    return np.searchsorted(np.quantile(noisy, shares), noisy)


def learner_of(kind, **settings):
    return (TreeRegressor if kind == "numbers" else TreeClassifier)(**BY_CHANCE, **settings)


def table_of(rows, rng):
    few = rng.integers(0, 4, rows)
    return pd.DataFrame(
        {
            "number": rng.standard_normal(rows),
            "rounded": np.round(rng.standard_normal(rows), 1),
            "few": few.astype(float),
            "two levels": rng.choice(["a", "b"], rows, p=[0.8, 0.2]),
            "levels": [f"l{v}" for v in rng.integers(0, 12, rows)],
            "pairs": [f"p{v}" for v in rng.integers(0, rows // 2, rows)],
            "identifier": [f"i{v}" for v in range(rows)],
        }
    )


def vectors_of(kind, y):
    if kind == "numbers":
        return oracle.of_numbers(np.asarray(y, float))
    return oracle.of_classes(np.unique(y, return_inverse=True)[1])


def chance_of(vectors, kind):
    if kind == "numbers":
        y = vectors[:, 0]
        return _core.chance_of_numbers(float((y**2).mean()), float((y**4).mean()), len(y))
    _, counts = np.unique(np.round(vectors, 9), axis=0, return_counts=True)
    return _core.chance_of_classes(counts.astype(float).tolist(), len(vectors))


def places_of(values, least, before=0, rows=None):
    rows = len(values) if rows is None else rows
    ordered = np.sort(values)
    cuts = np.flatnonzero(np.diff(ordered) > 0) + 1 + before
    return cuts[(cuts >= least) & (rows - cuts >= least)]


def best_share(column, vectors):
    """Give the share of the impurity that the best cut of a numeric column gains."""
    places = places_of(column.to_numpy(), 1)
    if len(places) == 0:
        return 0.0
    return oracle.best_cut(vectors[np.argsort(column.to_numpy(), kind="stable")], places)


def log_p_of(column, vectors, kind, least, slowly=False):
    """Give log p of a complete column: by the core's formulas, or by the slow ones."""
    chance = chance_of(vectors, kind)
    if column.dtype.kind == "f":
        places = places_of(column.to_numpy(), least)
        if len(places) == 0:
            return np.inf
        ordered = vectors[np.argsort(column.to_numpy(), kind="stable")]
        share = oracle.best_cut(ordered, places)
        if slowly:
            return oracle.log_p_of_threshold(vectors, places, share)
        if len(places) <= 8 and len(places) < places[-1] - places[0] + 1:
            return _core.log_p_of_threshold(chance, places.astype(float).tolist(), share)
        ends = float(places[0]), float(places[-1])
        return _core.log_p_of_even_threshold(chance, len(places), *ends, share)
    codes = pd.factorize(column)[0]
    sizes = np.bincount(codes)
    if sizes.max() == 1:
        return np.inf
    share = oracle.between_levels(vectors, codes)
    if slowly:
        return oracle.log_p_of_levels(vectors, sizes, share)
    return _core.log_p_of_levels(chance, sizes.astype(float).tolist(), share)


@pytest.mark.parametrize("least", [1, 9])
@pytest.mark.parametrize("kind", TARGETS)
def test_the_root_has_the_smallest_p_value(kind, least):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = table_of(150, rng)
        tells = [X["number"], X["few"], (X["two levels"] == "a") * 1.0][seed % 3]
        y = target_of(kind, 0.3 * (seed % 4) * tells, rng)
        root = (
            learner_of(kind, max_depth=1, min_samples_leaf=least, identifiers="keep")
            .fit(X, y)
            .tree_
        )
        vectors = vectors_of(kind, y)
        found = [log_p_of(X[name], vectors, kind, least) for name in X]
        chosen = root.data["attribute"][0]
        assert root.data["log_p"][0] == pytest.approx(found[chosen], rel=1e-7, abs=1e-9)
        assert found[chosen] <= min(found) + 0.02 * abs(min(found))
        slow = [log_p_of(X[name], vectors, kind, least, slowly=True) for name in X.columns[:-1]]
        assert slow[chosen] <= min(slow) + 0.25  # many cuts are taken as evenly far apart


@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", "twoing", "misclassification"])
def test_other_criteria_are_judged_by_the_gini_share_of_their_cut(criterion):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(120)
    y = target_of("two", x, rng)
    root = TreeClassifier(max_depth=1, criterion=criterion, **BY_CHANCE).fit(x[:, None], y).tree_
    vectors = vectors_of("two", y)
    left = int((x <= root.data["threshold"][0]).sum())
    share = oracle.best_cut(vectors[np.argsort(x)], np.array([left]))
    expected = _core.log_p_of_even_threshold(chance_of(vectors, "two"), 119, 1, 119, share)
    assert root.data["log_p"][0] == pytest.approx(expected, rel=1e-7)


def test_absolute_error_is_judged_by_squared_error():
    rng = np.random.default_rng(3)
    x = rng.standard_normal(90)
    y = x + rng.standard_normal(90)
    settings = {"max_depth": 1, "criterion": "absolute_error", **BY_CHANCE}
    root = TreeRegressor(**settings).fit(x[:, None], y).tree_
    vectors = vectors_of("numbers", y)
    left = int((x <= root.data["threshold"][0]).sum())
    share = oracle.best_cut(vectors[np.argsort(x)], np.array([left]))
    expected = _core.log_p_of_even_threshold(chance_of(vectors, "numbers"), 89, 1, 89, share)
    assert root.data["log_p"][0] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("kind", TARGETS)
def test_every_node_has_the_p_value_of_its_rows(kind):
    """Deep nodes, which are grown in a buffer, are judged as the others are."""
    rng = np.random.default_rng(1)
    X = table_of(700, rng)[["number", "rounded", "few"]]
    y = target_of(kind, X["number"] + X["few"], rng)
    tree = learner_of(kind).fit(X, y).tree_
    rows = {0: np.arange(len(X))}
    deep = 0
    for node in tree.nodes:
        if node.condition is None:
            continue
        here = rows[node.id]
        name = X.columns[tree.data["attribute"][node.id]]
        left = X[name].to_numpy()[here] <= tree.data["threshold"][node.id]
        rows[node.children[0]], rows[node.children[1]] = here[left], here[~left]
        vectors = vectors_of(kind, np.asarray(y)[here])
        found = {c: log_p_of(X[c].iloc[here], vectors, kind, 1) for c in X}
        stored = tree.data["log_p"][node.id]
        deep += node.depth > 8
        if oracle.too_few_to_tell(vectors):
            gains = {c: best_share(X[c].iloc[here], vectors) for c in X}
            assert stored == 0
            assert gains[name] >= max(gains.values()) - 1e-9
            continue
        assert stored == pytest.approx(found[name], rel=1e-6, abs=1e-9)
        assert stored <= min(found.values()) + 0.02 * abs(min(found.values())) + 1e-9
    assert deep > 20


def test_columns_of_noise_win_about_equally_often():
    wins = np.zeros(4)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({n: [f"l{v}" for v in rng.integers(0, n, 300)] for n in (2, 10, 100)})
        X.columns = ["2", "10", "100"]
        X["numeric"] = rng.standard_normal(300)
        root = TreeClassifier(max_depth=1, **BY_CHANCE).fit(X, rng.integers(0, 2, 300)).tree_
        wins[root.data["attribute"][0]] += 1
    assert (wins > 48).all() and (wins < 105).all()  # 75 each; by the criterion 100 levels win all


@pytest.mark.parametrize("kind", TARGETS)
def test_identifiers_never_win(kind):
    rng = np.random.default_rng(7)
    X = table_of(300, rng)[["identifier", "few"]]
    y = target_of(kind, X["few"], rng)
    tree = learner_of(kind, identifiers="keep").fit(X, y).tree_
    used = set(tree.data["attribute"]) - {-1}
    assert used == {1}
    alone = learner_of(kind, identifiers="keep").fit(X[["identifier"]], y).tree_
    assert alone.n_leaves == 1


@pytest.mark.parametrize("kind", TARGETS)
def test_a_whole_weight_is_a_repetition(kind):
    rng = np.random.default_rng(2)
    X = table_of(160, rng)
    y = target_of(kind, X["few"], rng)
    weights = rng.integers(0, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), weights)
    weighed = learner_of(kind, identifiers="keep", max_depth=4).fit(X, y, sample_weight=weights)
    copied = learner_of(kind, identifiers="keep", max_depth=4).fit(
        X.iloc[repeated], np.asarray(y)[repeated]
    )
    for part in ("attribute", "threshold"):
        np.testing.assert_array_equal(weighed.tree_.data[part], copied.tree_.data[part])
    np.testing.assert_allclose(
        weighed.tree_.data["log_p"], copied.tree_.data["log_p"], rtol=1e-7, atol=1e-9
    )


def test_other_weights_do_not_change_the_number_of_rows():
    rng = np.random.default_rng(2)
    x = rng.standard_normal(100)
    y = target_of("two", x, rng)
    plain = TreeClassifier(max_depth=1, **BY_CHANCE).fit(x[:, None], y).tree_
    halves = TreeClassifier(max_depth=1, **BY_CHANCE).fit(x[:, None], y, np.full(100, 0.5)).tree_
    assert halves.data["log_p"][0] == pytest.approx(plain.data["log_p"][0], rel=1e-9)


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("missing", ["fractional", "separate", "direction"])
def test_threads_do_not_matter(kind, missing):
    rng = np.random.default_rng(4)
    X = table_of(1500, rng)
    X.loc[rng.random(1500) < 0.2, "number"] = np.nan
    X.loc[rng.random(1500) < 0.2, "levels"] = None
    y = target_of(kind, X["few"], rng)
    trees = [
        learner_of(kind, missing=missing, n_jobs=jobs, identifiers="keep").fit(X, y).tree_
        for jobs in (1, 4)
    ]
    for part in ("attribute", "threshold", "log_p"):
        np.testing.assert_array_equal(trees[0].data[part], trees[1].data[part])


@pytest.mark.parametrize("kind", TARGETS)
def test_rows_without_a_value_that_are_divided_are_left_out(kind):
    rng = np.random.default_rng(5)
    X = table_of(200, rng)[["number", "levels"]]
    y = target_of(kind, X["number"], rng)
    gone = rng.random(200) < 0.3
    for name, value in (("number", np.nan), ("levels", None)):
        holed = X[[name]].copy()
        holed.loc[gone, name] = value
        root = learner_of(kind, max_depth=1).fit(holed, y).tree_
        vectors = vectors_of(kind, np.asarray(y)[~gone])
        expected = log_p_of(X[name][~gone], vectors, kind, 1)
        assert root.data["log_p"][0] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("missing", ["separate", "direction"])
def test_missing_levels_are_a_level(kind, missing):
    rng = np.random.default_rng(6)
    X = table_of(200, rng)[["levels"]]
    y = target_of(kind, np.zeros(200), rng)
    X.loc[rng.random(200) < 0.3, "levels"] = None
    root = learner_of(kind, max_depth=1, missing=missing).fit(X, y).tree_
    expected = log_p_of(X["levels"].fillna("none"), vectors_of(kind, y), kind, 1)
    assert root.data["log_p"][0] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("informative", [False, True])
def test_missing_numbers_have_three_tries(kind, informative):
    rng = np.random.default_rng(8)
    x = rng.standard_normal(150)
    gone = rng.random(150) < 0.3
    y = target_of(kind, gone * 2.0 if informative else x, rng)
    x[gone] = np.nan
    root = learner_of(kind, max_depth=1, missing="direction").fit(x[:, None], y).tree_
    vectors = vectors_of(kind, y)
    order = np.argsort(x, kind="stable")  # missing ones last
    known, holes = order[: (~gone).sum()], np.flatnonzero(gone)
    tries = []
    for before in (len(holes), 0):
        rows = np.concatenate([holes, known] if before else [known, holes])
        cuts = np.arange(1, len(known)) + before
        tries.append((oracle.best_cut(vectors[rows], cuts), before, len(cuts)))
    apart = oracle.best_cut(vectors[np.concatenate([known, holes])], np.array([len(known)]))
    share, before, count = max(tries)
    if apart > share:
        share, before, count = apart, 0, len(known)
    first = 1 + before
    one = _core.log_p_of_even_threshold(
        chance_of(vectors, kind), count, first, first + count - 1, share
    )
    expected = np.log(-np.expm1(3 * np.log1p(-np.exp(one))))
    assert root.data["log_p"][0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("split", ["multiway", "merge", MergeLevels(alpha=0.5)], ids=str)
def test_levels_are_judged_all_at_once_however_they_are_split(kind, split):
    rng = np.random.default_rng(9)
    X = table_of(300, rng)[["levels", "two levels"]]
    y = target_of(kind, 2.0 * (X["levels"] < "l4"), rng)
    root = learner_of(kind, max_depth=1, categorical_split=split).fit(X, y).tree_
    assert root.data["attribute"][0] == 0
    expected = log_p_of(X["levels"], vectors_of(kind, y), kind, 1)
    assert root.data["log_p"][0] == pytest.approx(expected, rel=1e-7)


def test_a_column_without_a_split_gives_way_to_the_next():
    rng = np.random.default_rng(10)
    X = pd.DataFrame({"lone": ["x"] * 3 + ["y"] * 197, "number": rng.standard_normal(200)})
    y = np.r_[np.ones(3), rng.random(197) < 0.02].astype(int)
    first = TreeClassifier(max_depth=1, **BY_CHANCE).fit(X, y).tree_
    assert first.data["attribute"][0] == 0
    next_one = TreeClassifier(max_depth=1, min_samples_leaf=5, **BY_CHANCE).fit(X, y).tree_
    assert next_one.data["attribute"][0] == 1


def test_filters_and_alpha():
    rng = np.random.default_rng(11)
    X = table_of(200, rng)
    y = target_of("two", np.zeros(200), rng)
    noise = TreeClassifier(alpha=1e-9, identifiers="keep", **BY_CHANCE).fit(X, y)
    assert noise.tree_.n_leaves > 10  # alpha does not stop it
    filtered = TreeClassifier(significance=1e-9, identifiers="keep", **BY_CHANCE).fit(X, y)
    assert filtered.tree_.n_leaves == 1
