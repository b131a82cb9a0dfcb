"""Every measure is that of scikit-learn, weighted or not; baselines are constant answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from ramify.learning.measures import MEASURES, Answers, find_measure, measure_names, write_score
from ramify.learning.measures.positive import positive_class

N = 300


def class_answers(n_classes: int, weighted: bool, seed: int = 0) -> Answers:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, N)
    y[:3] = [0, 1, 1]
    shares = rng.dirichlet(np.ones(n_classes), N)
    shares[np.arange(N), y] += 0.3
    shares = np.round(shares, 1) + 0.01  # ties, as a tree has them
    shares /= shares.sum(axis=1, keepdims=True)
    return Answers(
        y=y,
        predicted=shares.argmax(axis=1),
        probabilities=shares,
        classes=np.array(list("abcdefg")[:n_classes], dtype=object),
        weights=rng.integers(0, 4, N).astype(float) if weighted else None,
        costs=rng.random((n_classes, n_classes)),
    )


def by_sklearn(name: str, a: Answers) -> float:
    y, said, p, w = a.y, a.predicted, a.probabilities, a.weights
    assert p is not None
    labels = list(range(a.n_classes))
    two = a.n_classes == 2
    average: Any = {"average": "binary" if two else "macro", "zero_division": 0.0}
    one = np.eye(a.n_classes)[y]
    found = {
        "accuracy": lambda: metrics.accuracy_score(y, said, sample_weight=w),
        "balanced_accuracy": lambda: metrics.balanced_accuracy_score(y, said, sample_weight=w),
        "roc_auc": lambda: (
            metrics.roc_auc_score(y, p[:, 1], sample_weight=w)
            if two
            else metrics.roc_auc_score(one, p, average="macro", sample_weight=w)
        ),
        "pr_auc": lambda: metrics.average_precision_score(
            y if two else one, p[:, 1] if two else p, average="macro", sample_weight=w
        ),
        "log_loss": lambda: metrics.log_loss(y, p, labels=labels, sample_weight=w),
        "brier": lambda: np.average(
            (p[:, 1] - y) ** 2 if two else ((p - one) ** 2).sum(axis=1), weights=w
        ),
        "f1": lambda: metrics.f1_score(y, said, sample_weight=w, **average),
        "precision": lambda: metrics.precision_score(y, said, sample_weight=w, **average),
        "recall": lambda: metrics.recall_score(y, said, sample_weight=w, **average),
        "cost": lambda: np.average(np.asarray(a.costs)[y, said], weights=w),
    }
    return float(found[name]())


@pytest.mark.parametrize("name", measure_names("classification"))
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_classes_as_scikit_learn(name: str, n_classes: int, weighted: bool) -> None:
    answers = class_answers(n_classes, weighted)
    assert MEASURES[name].compute(answers) == pytest.approx(by_sklearn(name, answers), rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_brier_as_scikit_learn(n_classes: int) -> None:
    answers = class_answers(n_classes, weighted=True)
    p: Any = answers.probabilities
    given = p[:, 1] if n_classes == 2 else p
    try:
        known = metrics.brier_score_loss(answers.y, given, sample_weight=answers.weights)
    except ValueError:
        pytest.skip("this scikit-learn has the score for two classes only")
    assert MEASURES["brier"].compute(answers) == pytest.approx(known)


@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_as_scikit_learn(weighted: bool) -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=N)
    said = y + rng.normal(size=N) / 3
    w = rng.random(N) if weighted else None
    answers = Answers(y=y, predicted=said, weights=w)
    for name, known in {
        "r2": metrics.r2_score,
        "rmse": metrics.root_mean_squared_error,
        "mae": metrics.mean_absolute_error,
    }.items():
        assert MEASURES[name].compute(answers) == pytest.approx(known(y, said, sample_weight=w))


def test_a_class_that_no_row_has() -> None:
    answers = class_answers(4, weighted=False)
    some = answers.take(np.flatnonzero(answers.y != 3))
    assert 0.5 < MEASURES["roc_auc"].compute(some) < 1
    alone = answers.take(np.flatnonzero(answers.y == 0))
    assert np.isnan(MEASURES["roc_auc"].compute(alone))


def test_baselines() -> None:
    y = np.array([0] * 60 + [1] * 40)
    answers = Answers(y=y, classes=np.array([False, True]), costs=np.array([[0.0, 1], [9, 0]]))
    guess = np.array([0.6, 0.4])
    base = {n: one.baseline(answers, guess) for n, one in MEASURES.items() if one.task[0] == "c"}
    entropy = -(0.6 * np.log(0.6) + 0.4 * np.log(0.4))
    assert base == pytest.approx(
        {
            "accuracy": 0.6,
            "balanced_accuracy": 0.5,
            "roc_auc": 0.5,
            "pr_auc": 0.4,
            "log_loss": entropy,
            "brier": 0.24,
            "f1": 0,
            "precision": 0,
            "recall": 0,
            "cost": 0.6,  # always 1, which costs 1 for 60 of 100
        }
    )
    numbers = Answers(y=np.array([0.0, 2, 4]))
    assert MEASURES["r2"].baseline(numbers, 2.0) == 0
    assert MEASURES["rmse"].baseline(numbers, 2.0) == pytest.approx(np.sqrt(8 / 3))


def test_abstaining_is_not_right_and_has_its_cost() -> None:
    y = np.array([0, 0, 1, 1])
    costs = np.array([[0.0, 1, 0.5], [2, 0, 0.5]])
    answers = Answers(y, np.array([0, -1, -1, 0]), classes=np.array(["a", "b"]), costs=costs)
    assert MEASURES["accuracy"].compute(answers) == 0.25
    assert MEASURES["cost"].compute(answers) == pytest.approx(3 / 4)
    with pytest.raises(ValueError, match="2 of 4 have none"):
        MEASURES["f1"].compute(answers)


@pytest.mark.parametrize("n", [200, 30_000])
@pytest.mark.parametrize("name", ["accuracy", "roc_auc", "brier"])
def test_standard_errors(name: str, n: int) -> None:
    rng = np.random.default_rng(3)

    def draw() -> Answers:
        y = rng.integers(0, 2, n)
        p = np.clip(0.5 + (y - 0.5) * 0.2 + rng.normal(size=n) / 4, 0, 1)
        shares = np.column_stack([1 - p, p])
        return Answers(y, (p > 0.5).astype(int), shares, np.array([0, 1]))

    measure = MEASURES[name]
    drawn = [draw() for _ in range(60)]
    true = np.std([measure.compute(one) for one in drawn])
    said = np.mean([measure.standard_error(one) for one in drawn[:20]])
    assert said == pytest.approx(true, rel=0.35)


def test_names_and_labels() -> None:
    with pytest.raises(ValueError, match="'auc' is not a measure; for classification: accuracy"):
        find_measure("auc", "classification")
    with pytest.raises(ValueError, match="'r2' is for regression"):
        find_measure("r2", "classification")
    assert MEASURES["pr_auc"].label_for(np.array([0, 1])) == "PR AUC of class 1"


@pytest.mark.parametrize(
    ("value", "spread", "percent", "text"),
    [
        (0.788, 0.013, True, "78.8 % ± 1.3"),
        (0.616, None, True, "61.6 %"),
        (0.7812, 0.0497, False, "0.781 ± 0.05"),
        (0.994, 0.0015, False, "0.994 ± 0.002"),
        (0.0, None, False, "0"),
        (-0.1234, 0.2, False, "-0.123 ± 0.2"),
        (3.14159, 0.123, False, "3.142 ± 0.12"),
        (1234567.8, 3456.7, False, "1,234,568 ± 3,457"),
        (float("nan"), 0.1, False, "?"),
    ],
)
def test_words(value: float, spread: float | None, percent: bool, text: str) -> None:
    assert write_score(value, spread, percent=percent) == text


@pytest.mark.parametrize(
    ("classes", "place"),
    [
        (["no", "yes"], 1),
        (["ja", "nein"], 0),
        (["J", "N"], 0),
        ([0, 1], 1),
        ([False, True], 1),
        (["churn", "stay"], 1),
        (["only"], 0),
    ],
)
def test_the_class_that_says_yes_is_the_positive_one(classes: list[Any], place: int) -> None:
    labels = np.array(classes)
    assert positive_class(labels) == place
    if len(classes) == 2:
        y = np.array([0, 0, 0, 1])
        answers = Answers(y, np.array([0, 0, 1, 1]), classes=labels)
        expected = metrics.recall_score(y, answers.predicted, pos_label=place)
        assert MEASURES["recall"].compute(answers) == expected
