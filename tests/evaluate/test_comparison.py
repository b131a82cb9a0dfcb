"""From results to marks, counts and ranks, and how often chance wins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris, load_wine, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from ramify import TreeClassifier
from ramify.evaluate import Comparison, compare, corrected_ttest, paired_ttest

DATA = {"iris": load_iris, "wine": load_wine}


@pytest.fixture(scope="module")
def found() -> Comparison:
    some = {"tree": TreeClassifier(), "bayes": GaussianNB(), "dummy": DummyClassifier()}
    return compare(some, DATA, cv=(5, 2))


def handmade(values: dict[str, Any], *, greater: bool = True) -> Comparison:
    """A comparison of given scores: data set -> folds x learners."""
    rows = [
        {
            "dataset": dataset,
            "learner": f"L{j}",
            "repeat": 0,
            "fold": i,
            "n_train": 90,
            "n_test": 10,
            "score": float(value),
            "error": None,
            "warnings": [],
        }
        for dataset, table in values.items()
        for i, line in enumerate(table)
        for j, value in enumerate(line)
    ]
    width = len(next(iter(values.values()))[0])
    return Comparison(
        learners=tuple(f"L{j}" for j in range(width)),
        datasets=tuple(values),
        scores={"score": greater},
        task="classification",
        cv="10-fold",
        test="corrected_t",
        alpha=0.05,
        rows=rows,
    )


def test_table_equals_the_tests_on_its_values(found: Comparison) -> None:
    table = found.table(baseline="bayes")
    for i, dataset in enumerate(found.datasets):
        values = found.values(dataset)
        np.testing.assert_allclose(table.mean[i], values.mean(axis=0))
        np.testing.assert_allclose(table.sd[i], values.std(axis=0, ddof=1))
        for j in (0, 2):
            test = corrected_ttest(values[:, j], values[:, 1], found.test_fraction(dataset))
            assert table.pvalue[i, j] == test.pvalue
            expected = ("v" if test.statistic > 0 else "*") if test.pvalue <= 0.05 else ""
            assert table.marks[i][j] == expected
    assert table.wins["dummy"] == (0, 0, 2)
    assert np.isnan(table.pvalue[:, 1]).all()
    assert found.test_fraction("iris") == pytest.approx(0.25)
    np.testing.assert_allclose(table.average, table.mean.mean(axis=0))
    plain = found.table(baseline="bayes", test="paired_t", alpha=0.5)
    assert (plain.pvalue[:, 0] <= table.pvalue[:, 0]).all()


def test_the_example_of_scikit_learn() -> None:
    """The figures of its gallery, "Statistical comparison of models using grid search"."""
    published = {
        ("rbf", "linear"): (0.750, 0.227),
        ("rbf", "3_poly"): (1.657, 0.050),
        ("rbf", "2_poly"): (4.565, 0.000),
        ("linear", "3_poly"): (1.111, 0.135),
        ("linear", "2_poly"): (4.276, 0.000),
        ("3_poly", "2_poly"): (3.851, 0.000),
    }
    learners = {
        "rbf": SVC(),
        "linear": SVC(kernel="linear"),
        "3_poly": SVC(kernel="poly", degree=3),
        "2_poly": SVC(kernel="poly", degree=2),
    }
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    moons = make_moons(noise=0.352, random_state=1, n_samples=100)
    found = compare(learners, {"moons": moons}, cv=folds, scores=("roc_auc",))
    scores = dict(zip(found.learners, found.values("moons").T, strict=True))
    share = found.test_fraction("moons")
    for (one, other), (statistic, pvalue) in published.items():
        ours = corrected_ttest(scores[one], scores[other], share, alternative="greater")
        assert ours == pytest.approx((statistic, pvalue), abs=6e-4)
    plain = paired_ttest(scores["rbf"], scores["linear"], alternative="greater")
    assert plain == pytest.approx((2.611, 0.005), abs=6e-4)


def test_less_is_better_turns_the_marks() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal([1.0, 2.0], 0.1, (10, 2))
    assert handmade({"d": values}).table().marks == (("", "v"),)
    assert handmade({"d": values}, greater=False).table().marks == (("", "*"),)
    assert handmade({"d": values}).beats().total == {"L0": 0, "L1": 1}
    assert handmade({"d": values}, greater=False).beats().total == {"L0": 1, "L1": 0}


def test_beats_counts_one_tailed_tests(found: Comparison) -> None:
    beats = found.beats()
    for i, dataset in enumerate(found.datasets):
        values = found.values(dataset)
        for j in range(3):
            won = [
                stats.ttest_rel(values[:, j], values[:, k], alternative="greater").pvalue <= 0.05
                for k in range(3)
                if k != j
            ]
            assert beats.counts[i, j] == sum(won)
    assert beats.against.sum() == beats.counts.sum()
    assert beats.against[2].tolist() == [0, 0, 0]
    assert beats.total["dummy"] == 0 and beats.total["bayes"] >= 2


def test_ranks(found: Comparison) -> None:
    ranks = found.ranks()
    assert list(ranks.mean_ranks.items())[-1] == ("dummy", 3.0)
    assert sum(ranks.mean_ranks.values()) == pytest.approx(6)
    assert ranks.critical_difference == pytest.approx(2.343 * np.sqrt(3 * 4 / 12), abs=2e-3)
    assert ranks.groups == [tuple(ranks.mean_ranks)]  # two data sets tell little
    few = handmade({"a": [[1.0, 2.0]], "b": [[np.nan, 2.0]], "c": [[3.0, 1.0]]})
    assert few.ranks().dropped == ("b",)
    assert few.ranks().mean_ranks == {"L0": 1.5, "L1": 1.5}


def test_groups_of_ranks_are_the_largest() -> None:
    rng = np.random.default_rng(1)
    data = {f"d{i}": rng.normal([0, 0.5, 1.0, 1.5, 5], 0.4, (5, 5)) for i in range(30)}
    ranks = handmade(data).ranks()
    names, values = list(ranks.mean_ranks), np.array(list(ranks.mean_ranks.values()))
    together = {frozenset((a, b)) for group in ranks.groups for a in group for b in group if a != b}
    for i in range(5):
        for j in range(i):
            near = values[i] - values[j] <= ranks.critical_difference
            assert (frozenset((names[i], names[j])) in together) == near
    assert all(not set(a) < set(b) for a in ranks.groups for b in ranks.groups)


def test_a_learner_does_not_differ_from_itself() -> None:
    some = {name: TreeClassifier() for name in ("a", "b", "c")}
    same = compare(some, DATA, cv=(3, 2), scores=("accuracy", "n_leaves"))
    for score in same.scores:
        for test in ("corrected_t", "paired_t", "wilcoxon"):
            table = same.table(score, test=test)
            assert (table.pvalue[:, 1:] == 1.0).all()
            assert table.wins == {"b": (0, 2, 0), "c": (0, 2, 0)}
        assert same.beats(score).counts.sum() == 0
    ranks = same.ranks()
    assert set(ranks.mean_ranks.values()) == {2.0}
    assert ranks.friedman.pvalue == ranks.friedman.f_pvalue == 1.0
    assert ranks.groups == [("a", "b", "c")]


def test_on_permuted_labels_no_learner_wins_more_often_than_the_level() -> None:
    """Two learners that know nothing: the corrected test keeps its level of about 5 %.

    The plain test on the same scores exceeds it, so the simulation can tell the difference.
    """
    rng = np.random.default_rng(0)
    few, many = TreeClassifier(max_depth=2), TreeClassifier(criterion="entropy", max_depth=5)
    corrected, plain = [], []
    for _ in range(60):
        X, y = rng.normal(size=(100, 3)), rng.permutation(np.arange(100) % 2)
        scores = [
            [np.mean(each.fit(X[a], y[a]).predict(X[b]) == y[b]) for each in (few, many)]
            for seed in range(3)
            for a, b in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y)
        ]
        sides = np.array(scores).T
        corrected.append(corrected_ttest(*sides, test_fraction=1 / 4).pvalue <= 0.05)
        plain.append(paired_ttest(*sides).pvalue <= 0.05)
    # 60 draws at 5 %: more than 8 happen once in a hundred
    assert sum(corrected) <= 8
    assert sum(plain) > sum(corrected)


def test_on_permuted_labels_the_table_is_quiet() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 3))
    data = {f"p{i}": (X, rng.permutation(np.arange(90) % 3)) for i in range(12)}
    some = {
        "tree": TreeClassifier(max_depth=3),
        "leaf": TreeClassifier(min_samples_leaf=10),
        "bayes": GaussianNB(),
    }
    found = compare(some, data, cv=(5, 2), scores=["accuracy"])
    marked = sum(
        mark != "" for name in some for row in found.table(baseline=name).marks for mark in row
    )
    assert marked / 2 <= 6  # 36 pairs, 5 %: more than 5 happen once in a hundred
    assert found.ranks().friedman.f_pvalue > 0.01


def test_tidy_results(found: Comparison, tmp_path: Any) -> None:
    columns = found.results
    assert list(columns) == [
        "dataset", "learner", "repeat", "fold", "n_train", "n_test",
        "accuracy", "n_leaves", "fit_time", "error",
    ]  # fmt: skip
    assert {len(column) for column in columns.values()} == {2 * 3 * 10}
    frame = found.to_frame(backend="pandas")
    assert isinstance(frame, pd.DataFrame)
    means = frame.groupby(["dataset", "learner"])["accuracy"].mean()
    assert means["iris", "tree"] == pytest.approx(found.table().mean[0, 0])
    assert found.to_frame(backend="polars").shape == (60, 10)
    found.to_csv(tmp_path / "r.csv")
    read = pd.read_csv(tmp_path / "r.csv")
    assert read["accuracy"].tolist() == columns["accuracy"]
    assert found.table().to_frame(backend="pandas").shape == (6, 6)
    assert found.beats().to_frame(backend="pandas").shape == (2, 4)
    assert found.ranks().to_frame(backend="pandas")["mean_rank"].sum() == pytest.approx(6)


def test_select(found: Comparison) -> None:
    some = found.select(learners=["dummy", "tree"], datasets=["wine"])
    assert some.learners == ("dummy", "tree") and some.datasets == ("wine",)
    np.testing.assert_array_equal(some.values("wine"), found.values("wine")[:, [2, 0]])
    assert some.table().baseline == "dummy"
    assert found.select().results == found.results
    with pytest.raises(ValueError, match="learners='x' is not valid; choose from tree, bayes"):
        found.select(learners=["x"])


def test_unknown_names_list_the_choices(found: Comparison) -> None:
    with pytest.raises(ValueError, match="score='auc' is not valid; choose from accuracy"):
        found.table("auc")
    with pytest.raises(ValueError, match="baseline='x' is not valid; choose from tree, bayes"):
        found.table(baseline="x")
    with pytest.raises(ValueError, match="dataset='x' is not valid; choose from iris, wine"):
        found.values("x")
    with pytest.raises(ValueError, match="test='x'"):
        found.beats(test="x")


def test_a_data_set_without_results_yet() -> None:
    found = handmade({"a": [[0.1, 0.2], [0.3, 0.5]], "b": [], "c": [[0.1, 0.2]]})
    assert np.isnan(found.table().mean[1]).all()
    assert found.table().wins == {"L1": (0, 1, 0)}
    assert found.ranks().dropped == ("b",)
    assert "b" in found.to_html() and "b" in found.to_markdown()


def test_infinite_scores_are_not_tested() -> None:
    inf = np.inf
    found = handmade({"a": [[0.1, inf], [0.3, inf]], "b": [[0.1, 0.2], [0.2, 0.3], [0.3, inf]]})
    table = found.table()
    assert table.mean[0, 1] == inf and np.isnan(table.pvalue[0, 1])
    assert table.marks[1] == ("", "v")
    assert found.to_html() and found.to_markdown()


def test_one_fold_gives_a_table_without_marks() -> None:
    table = handmade({"d": [[0.5, 0.9]]}).table()
    assert table.mean.tolist() == [[0.5, 0.9]]
    assert np.isnan(table.sd).all() and np.isnan(table.pvalue).all()
    assert table.wins == {"L1": (0, 0, 0)}


def test_the_row_of_means_tells_if_data_sets_are_left_out() -> None:
    def rows(learner: str, dataset: str, value: float) -> list[dict[str, Any]]:
        about = {"dataset": dataset, "learner": learner, "repeat": 0, "n_train": 90, "n_test": 10}
        return [{**about, "fold": i, "accuracy": value, "error": None} for i in range(2)]

    parts = [("a", "one", 0.5), ("b", "one", 0.6), ("a", "two", 0.9), ("b", "two", math.nan)]
    found = Comparison(
        ("a", "b"), ("one", "two"), {"accuracy": True}, "classification", "2-fold", "corrected_t",
        0.05, [row | {"warnings": []} for part in parts for row in rows(*part)],
    )  # fmt: skip
    assert found.table().cells()[2] == ["mean of 1 in common", "50.00  ", "60.00  "]
    assert "mean of 1 in common" in found.to_html()
    assert "b has the highest mean accuracy over 1 data set: 60.00 %." in found.to_html()
    assert found.select(datasets=["one"]).table().mean_label == "mean"
