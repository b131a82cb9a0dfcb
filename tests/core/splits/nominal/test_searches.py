"""What holds for every search for nominal splits: edges, bad tables, and trees that use it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from helpers.nominal_data import split
from oracles import nominal as oracle
from oracles.criteria import index_of

from ramify import TreeClassifier, _core
from ramify.splits import best_nominal_split, methods, score

TABLE = np.array([[3.0, 1, 2], [1, 4, 2], [2, 2, 7], [5, 1, 1]])
PAIRS = (
    "auto",
    "exact",
    "greedy_cut",
    "greedy_cut_once",
    "gw_cut",
)  # the searches that can use chi2_cut


@pytest.mark.parametrize("method", _core.nominal_search_names())
def test_edges(method: str) -> None:
    two = method == "two_class"
    criterion = "squared_gini" if method.endswith(("cut", "cut_once")) else "gini"
    assert best_nominal_split([[1.0, 2.0]], method=method, criterion=criterion) is None
    assert best_nominal_split([[0, 0], [0, 3]], method=method, criterion=criterion) is None
    found = split([[1, 2], [2, 1]], method, criterion)
    assert (found.left, found.right) == ((0,), (1,))
    found = best_nominal_split([[3, 1], [0, 0], [0, 2]], method=method, criterion=criterion)
    assert found is not None and found.left == (0, 1) and found.right == (2,)
    same = split([[1, 1], [2, 2], [3, 3]], method, criterion)
    if criterion == "gini":
        assert same.score == pytest.approx(0.0)
        if not two:
            assert split([[1], [2], [3]], method).score == 0.0
            assert split([[1, 0, 0], [2, 0, 0]], method).score == 0.0


@pytest.mark.parametrize("method", ["twoing", "hypercube_cover"])
def test_too_many_classes_and_levels(method: str) -> None:
    """One of the two may be large: 2^k or 2^n is enumerated, whichever is less."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 9, (21, 21))
    wanted = "an attribute has 21 levels of 21 classes; choose 'auto', 'exact', 'pc_ext'"
    with pytest.raises(ValueError, match=wanted):
        best_nominal_split(table, method=method)
    names = np.array([f"level {i}" for i in range(21)], dtype=object)
    rows, labels = np.nonzero(table)
    with pytest.raises(ValueError, match=f"categorical_split='{method}' .* {wanted}"):
        TreeClassifier(categorical_split=method).fit({"a": names[rows]}, labels)
    assert split(table[:, :3], method).score > 0
    assert split(table[:3], method).score > 0
    few = rows < 5
    model = TreeClassifier(categorical_split=method).fit({"a": names[rows[few]]}, labels[few])
    assert model.tree_.n_leaves == 5


@pytest.mark.parametrize("method", ["twoing", "hypercube_cover"])
@pytest.mark.parametrize("shape", [(6, 20), (4, 25), (7, 5), (9, 3)])
def test_superclasses_do_no_more_work_than_partitions(method: str, shape: tuple[int, int]) -> None:
    n, k = shape
    for seed in range(5):
        table = np.random.default_rng([seed, n]).integers(0, 9, shape) + np.eye(n, k)
        criterion = "twoing" if method == "twoing" else "gini"
        found = split(table, method, criterion)
        assert found.work <= min(2 ** (n - 1) - 1, (2 ** (k - 1) - 1) * (n - 1))
        best = max(oracle.score(table, left, criterion) for left in oracle.every_subset(n))
        if method == "twoing":
            assert found.proven
        if found.proven:
            assert found.score == pytest.approx(best)
        assert found.proven or k < n


def test_twoing_claims_nothing_of_other_criteria() -> None:
    table = np.random.default_rng(1).integers(0, 9, (5, 4)) + 1
    assert split(table, "twoing", "twoing").proven
    assert not split(table, "twoing", "gini").proven
    assert not split(table, "twoing", "twoing", min_support=3).proven
    assert split(table, "twoing", "twoing", min_samples_leaf=40).proven  # all were tried


@pytest.mark.parametrize("empty", [0, 9, 20])
def test_equal_distributions_of_many_classes_stay_together(empty: int) -> None:
    """Whether or not the first classes tell levels apart."""
    rng = np.random.default_rng(empty)
    base = rng.integers(0, 5, (12, 24)).astype(float)
    base[:, :empty] = 0
    of = rng.permutation(np.repeat(np.arange(12), 3))
    table = base[of] * rng.integers(1, 4, (36, 1))
    found = split(table, "largest_class_alone")
    right = np.isin(np.arange(36), found.right)
    assert all(len(set(right[of == row])) == 1 for row in range(12))
    first = dict.fromkeys(of.tolist())  # equal shares are ordered by first level
    merged = np.array([table[of == row].sum(axis=0) for row in first])
    assert found.score == pytest.approx(split(merged, "largest_class_alone").score, abs=1e-12)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (4, 6), (2, 3)])
def test_numbers_that_are_no_weights(bad: float, place: tuple[int, int]) -> None:
    table = np.ones((5, 7))
    table[place] = bad
    where = f"row {place[0]}, column {place[1]} has {bad!r}"
    with pytest.raises(ValueError, match=f"counts must be finite and not negative, but {where}"):
        best_nominal_split(table)
    with pytest.raises(ValueError, match=f"children must be finite and not negative, but {where}"):
        score(table)


@pytest.mark.parametrize("method", ["flip_flop", "twoing", "gw_cut", "auto"])
@pytest.mark.parametrize("scale", [1e-308, 1e-160, 1e-62, 1e60, 1e160, 1e307])
def test_weights_out_of_the_range_of_numbers(scale: float, method: str) -> None:
    """Their fourth powers are zero or infinite, and flip_flop would not end with them."""
    with np.errstate(over="ignore"):
        total = re.escape(repr(float((TABLE * scale).sum())))
    wanted = rf"counts add up to {total}, out of the range of 1e-60 to 1e\+60 .*; scale counts"
    with pytest.raises(ValueError, match=wanted):
        best_nominal_split(TABLE * scale, method=method)
    with pytest.raises(ValueError, match=wanted.replace("counts", "children")):
        score(TABLE * scale)
    assert best_nominal_split(TABLE * 0.0, method=method) is None


def test_sums_that_are_not_finite() -> None:
    with pytest.raises(ValueError, match="counts add up to inf"):
        best_nominal_split([[1e308, 1.0], [1e308, 2.0]])


@pytest.mark.parametrize(
    ("method", "criterion"),
    [
        (method, criterion)
        for method in _core.nominal_search_names()
        for criterion in _core.criterion_names()
        if criterion != "chi2_cut" or method in PAIRS
    ],
)
def test_within_the_range_the_unit_does_not_matter(method: str, criterion: str) -> None:
    table = np.random.default_rng(3).integers(0, 9, (7, 2 if method == "two_class" else 4)) + 1.0
    one = split(table, method, criterion)
    for power in (-190, 190):  # powers of two, so that nothing is rounded
        other = split(np.ldexp(table, power), method, criterion)
        unit = 2.0**power if criterion.startswith("chi2") else 1.0
        assert other.left == one.left
        assert other.score == pytest.approx(one.score * unit, rel=1e-9, abs=0.0)
        assert other.impurity == pytest.approx(one.impurity)


def test_a_row_that_is_lost_beside_the_others() -> None:
    table = [[1, 2], [1e-200, 1e-200]]
    wanted = "row 1 of counts adds up to 2e-200, .* must be zero or at least 1e-60"
    for criterion in ("chi2", "mpi"):
        with pytest.raises(ValueError, match=wanted):
            best_nominal_split(table, criterion=criterion)
    with pytest.raises(ValueError, match=wanted.replace("counts", "children")):
        score(table)


@pytest.mark.parametrize("scale", [1e-40, 1e40])
def test_costs_out_of_the_range_of_numbers(scale: float) -> None:
    costs = scale * (1 - np.eye(3))
    for function in (best_nominal_split, score):
        with pytest.raises(ValueError, match=r"costs add up to .* 1e-30 to 1e\+30"):
            function(TABLE, costs=costs)
    assert score(TABLE, costs=np.zeros((3, 3))) == 0.0


@pytest.mark.parametrize("seed", [1.5, -1, "x", True, 2**64])
def test_a_seed_that_is_none(seed: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"random_state={seed!r} must be None, an int")):
        best_nominal_split(TABLE, random_state=seed)


def test_seeds() -> None:
    table = np.random.default_rng(8).integers(0, 9, (40, 12))
    cut = {"method": "gw_cut", "criterion": "squared_gini"}
    assert split(table, **cut, random_state=None) == split(table, **cut, random_state=0)
    a, b = (split(table, **cut, random_state=np.random.default_rng(7)) for _ in range(2))
    assert a == b


@pytest.mark.parametrize("limit", [1.5, -1, 0, None, "x", True])
def test_a_work_limit_that_is_none(limit: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"work_limit={limit!r} must be an integer of")):
        best_nominal_split(TABLE, work_limit=limit)


def test_work_limits_at_the_ends() -> None:
    assert not split(TABLE, "exact", work_limit=1).proven
    assert split(TABLE, "exact", work_limit=10**30).proven


# --- searches that cannot use what they are given -------------------------------------------------


@pytest.mark.parametrize("levels", [0, 1, 2, 30])
@pytest.mark.parametrize(
    ("method", "classes", "criterion"),
    [
        *((name, 2, "chi2_cut") for name in _core.nominal_search_names() if name not in PAIRS),
        ("two_class", 3, "gini"),
        ("two_class", 1, "gini"),
    ],
)
def test_a_search_that_does_not_fit(method: str, classes: int, criterion: str, levels: int) -> None:
    """The error is the same for tables of any size, and what it recommends can be used here."""
    table = np.zeros((30, classes))
    table[:levels] = 1.0
    with pytest.raises(ValueError, match=f"method='{method}'") as raised:
        best_nominal_split(table, method=method, criterion=criterion)
    said = str(raised.value)
    assert "categorical_split" not in said
    choices = re.findall(r"'(\w+)'", said.partition("choose ")[2])
    assert len(choices) > 2
    for name in choices:
        best_nominal_split(table[:12], method=name, criterion=criterion)


def test_pairs_of_too_many_levels() -> None:
    wanted = r"^method='exact' adds up pairs of at most 20 .* choose 'greedy_cut' or 'gw_cut'$"
    with pytest.raises(ValueError, match=wanted):
        best_nominal_split(np.eye(21, 3) + 1, method="exact", criterion="chi2_cut")


# --- what is given --------------------------------------------------------------------------------


@pytest.mark.parametrize("min_support", [0, 8])
@pytest.mark.parametrize("criterion", _core.criterion_names())
def test_the_impurity_is_that_of_the_index_of_the_criterion(
    criterion: str, min_support: int
) -> None:
    index = index_of(criterion)
    found = split(TABLE, "auto", criterion, min_support=min_support)
    sides = oracle.sides(TABLE, found.left)
    mean = sum(side.sum() * index(side) for side in sides) / TABLE.sum()
    assert found.impurity == pytest.approx(mean)


@pytest.mark.parametrize("criterion", _core.criterion_names())
def test_costs_in_the_impurity(criterion: str) -> None:
    """Criteria that know costs use them; the others refuse them."""
    costs = np.array([[0.0, 2, 1], [3, 0, 1], [1, 5, 0]])
    if criterion not in ("gini", "squared_gini"):
        for function in (best_nominal_split, score):
            wanted = f"criterion='{criterion}' knows no costs; choose 'gini' or 'squared_gini'"
            with pytest.raises(ValueError, match=wanted):
                function(TABLE[:2], criterion=criterion, costs=costs)
        return
    found = split(TABLE, "auto", criterion, costs=costs)
    sides = oracle.sides(TABLE, found.left)
    mean = sum(side @ costs @ side / side.sum() for side in sides) / TABLE.sum()
    assert found.impurity == pytest.approx(mean)


@pytest.mark.parametrize("criterion", _core.criterion_names())
def test_a_gain_that_is_rounding_is_none(criterion: str) -> None:
    """Levels of one distribution: sums of their shares differ in the last bit."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        sizes, shares = rng.integers(1, 40, (int(rng.integers(2, 6)), 1)), rng.integers(1, 9, 4)
        table = sizes * shares * rng.random()
        for method in _core.nominal_search_names():
            if method == "two_class" or (criterion == "chi2_cut" and method not in PAIRS):
                continue
            found = split(table, method, criterion)
            if criterion == "maxdif":
                whole = 2 * table.sum(axis=0).max() / table.sum() - 1
                assert found.score == pytest.approx(whole, abs=1e-13)
            elif criterion != "squared_gini":  # which gains by any division
                assert found.score == 0.0
        assert score(table[:2], criterion=criterion) >= (-1.0 if criterion == "maxdif" else 0.0)


def test_levels_without_weight_go_to_the_heavier_side() -> None:
    table = np.array([[0.0, -0.0], [1, 0], [0, 0], [0, 5], [0, 4]])
    found = split(table[1:], "auto")
    assert (found.left, found.right) == ((0,), (1, 2, 3))
    found = best_nominal_split(table)
    assert found is not None
    assert (found.left, found.right) == ((1,), (0, 2, 3, 4))
    assert found.impurity == 0.0
    assert best_nominal_split(table[:3]) is None


def test_methods_are_those_of_the_core() -> None:
    listed = [method.name for method in methods()]
    assert len(set(listed)) == len(listed)
    made_elsewhere = {"greedy_cut", "gw_cut"}
    assert set(listed) - made_elsewhere == set(_core.nominal_search_names()) - made_elsewhere
    for method in methods():
        assert method.guarantee and method.cost and method.reference and method.criteria


def test_deterministic() -> None:
    table = np.random.default_rng(12).integers(0, 8, (40, 8))
    for method in ("auto", "exact", *oracle.HEURISTICS):
        a, b = (split(table, method, work_limit=20_000) for _ in range(2))
        assert a == b


@pytest.mark.parametrize("method", ["auto", "exact", *oracle.HEURISTICS, "twoing"])
def test_a_tree_splits_as_the_search_does(method: str) -> None:
    rng = np.random.default_rng(13)
    level = rng.integers(0, 15, 400)
    label = (level * 7 % 4 + rng.integers(0, 3, 400)) % 4
    counts = np.zeros((15, 4))
    np.add.at(counts, (level, label), 1.0)
    found = split(counts, method, "gini", min_samples_leaf=1)
    stump = TreeClassifier(
        categorical_split=method, max_depth=1, categorical_features=[0], min_samples_leaf=1
    ).fit(level[:, None].astype(float), label)
    assert stump.tree_.data["gain"][0] == pytest.approx(found.score, abs=1e-12)
    leaf = stump.apply(np.arange(15.0)[:, None])
    assert {tuple(np.flatnonzero(leaf == value).tolist()) for value in set(leaf.tolist())} == {
        found.left,
        found.right,
    }
