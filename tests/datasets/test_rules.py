"""Data defined by a rule, against what is published about them."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from ramify.datasets import (
    Dataset,
    load_car,
    load_monks,
    load_nursery,
    load_tic_tac_toe,
    make_led,
    make_parity,
    make_waveform,
)
from ramify.datasets.generated.breiman import led_segments, waveform_waves


def rows(table: Dataset) -> list[tuple[str, ...]]:
    return list(zip(*table.data.values(), table.y, strict=True))


def test_tic_tac_toe_has_the_published_boards() -> None:
    boards = load_tic_tac_toe()
    assert Counter(boards.y) == {"positive": 626, "negative": 332}
    assert len(set(rows(boards))) == 958
    draws = 0
    for *board, label in rows(boards):
        x, o = board.count("x"), board.count("o")
        assert x - o in (0, 1)
        if label == "positive":
            assert x == o + 1  # x moved last
        elif "b" not in board:
            draws += x == 5
    assert draws == 16  # the known number of drawn boards; o cannot win on a full board
    assert list(boards.data)[4] == "middle_middle"


def test_car_has_the_published_classes() -> None:
    car = load_car()
    assert Counter(car.y) == {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}
    assert len(set(rows(car))) == car.n_rows == 1728
    # UCI's own summary: a car for two, or one that is not safe, is never acceptable
    refused = (car.data["persons"] == "2") | (car.data["safety"] == "low")
    assert set(car.y[refused]) == {"unacc"}
    found = {row[:-1]: row[-1] for row in rows(car)}
    assert found["low", "low", "2", "4", "big", "high"] == "vgood"
    assert found["vhigh", "vhigh", "5more", "more", "big", "high"] == "unacc"
    # asymmetric: expensive upkeep is forgiven, an expensive price is not
    assert found["low", "high", "4", "4", "big", "high"] == "vgood"
    assert found["high", "low", "4", "4", "big", "high"] == "acc"


def test_nursery_has_the_published_classes() -> None:
    nursery = load_nursery()
    assert Counter(nursery.y) == {
        "not_recom": 4320,
        "priority": 4266,
        "spec_prior": 4044,
        "very_recom": 328,
        "recommend": 2,
    }
    assert len(set(rows(nursery))) == nursery.n_rows == 12960
    assert set(nursery.y[nursery.data["health"] == "not_recom"]) == {"not_recom"}
    best = nursery.take(nursery.y == "recommend")
    assert {name: set(column) for name, column in best.data.items() if name != "social"} == {
        "parents": {"usual"},
        "has_nurs": {"proper"},
        "form": {"complete"},
        "children": {"1"},
        "housing": {"convenient"},
        "finance": {"convenient"},
        "health": {"recommended"},
    }


@pytest.mark.parametrize(
    ("problem", "yes", "training"), [(1, 216, 124), (2, 142, 169), (3, 228, 122)]
)
def test_monks_have_the_published_counts(problem: int, yes: int, training: int) -> None:
    full = load_monks(problem)  # type: ignore[arg-type]
    assert Counter(full.y) == {"yes": yes, "no": 432 - yes}
    assert len(set(rows(full))) == 432
    truth = {row[:-1]: row[-1] for row in rows(full)}
    sample = load_monks(problem, subset="train", random_state=7)  # type: ignore[arg-type]
    drawn = rows(sample)
    assert sample.n_rows == training == len({row[:-1] for row in drawn})
    wrong = sum(truth[row[:-1]] != row[-1] for row in drawn)
    assert wrong == (6 if problem == 3 else 0)
    again = load_monks(problem, subset="train", random_state=7)  # type: ignore[arg-type]
    assert drawn == rows(again)
    assert drawn != rows(load_monks(problem, subset="train", random_state=8))  # type: ignore[arg-type]


def test_monks_name_their_choices() -> None:
    with pytest.raises(ValueError, match=r"problem=4 is not one of \[1, 2, 3\]"):
        load_monks(4)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"subset='test' is not valid; choose from all, train"):
        load_monks(1, subset="test")  # type: ignore[arg-type]


def waveform_chances(X: np.ndarray) -> np.ndarray:
    """The density of a row under each class: the integral over the share, as a sum."""
    waves = waveform_waves()
    shares = (np.arange(200) + 0.5) / 200
    density = np.zeros((len(X), 3))
    for label, (first, second) in enumerate([(0, 1), (0, 2), (1, 2)]):
        centres = shares[:, None] * waves[first] + (1 - shares[:, None]) * waves[second]
        square = (X**2).sum(1)[:, None] - 2 * X @ centres.T + (centres**2).sum(1)
        density[:, label] = np.exp(-square / 2).mean(1)
    return density


def test_waveform_has_the_published_bayes_accuracy() -> None:
    table = make_waveform(10_000, noise_columns=19, random_state=5)
    X = table.to_frame("numpy")
    assert X.shape == (10_000, 40)
    best = waveform_chances(X[:, :21]).argmax(1).astype(str)
    assert np.mean(best == table.y) == pytest.approx(0.86, abs=0.01)
    assert X[:, 21:].mean() == pytest.approx(0, abs=0.01)
    assert X[:, 21:].std() == pytest.approx(1, abs=0.01)
    # the three waves are zero at their ends: only noise is left
    assert X[:, 0].std() == pytest.approx(1, abs=0.03)
    # halfway between waves 1 and 2 in class 0
    centre = waveform_waves()[:2].mean(0)
    assert X[table.y == "0", :21].mean(0) == pytest.approx(centre, abs=0.15)


def led_bayes_accuracy(noise: float) -> float:
    segments = led_segments()
    best = 0.0
    for shown in product([False, True], repeat=7):
        wrong = (segments != np.array(shown)).sum(1)
        best += max(noise**wrong * (1 - noise) ** (7 - wrong)) / 10
    return best


def test_led_has_the_published_bayes_accuracy() -> None:
    assert led_bayes_accuracy(0.1) == pytest.approx(0.74, abs=0.001)
    table = make_led(10_000, noise_columns=17, random_state=5)
    assert len(table.data) == 24
    shown = np.array([column == "1" for column in table.data.values()]).T
    digits = np.array([int(label) for label in table.y])
    failed = shown[:, :7] != led_segments()[digits]
    assert failed.mean(0) == pytest.approx(0.1, abs=0.015)
    assert shown[:, 7:].mean() == pytest.approx(0.5, abs=0.01)
    nearest = np.array([(segments != led_segments()).sum(1).argmin() for segments in shown[:, :7]])
    assert np.mean(nearest == digits) == pytest.approx(0.74, abs=0.015)


def test_led_lights_the_usual_segments() -> None:
    assert led_segments().sum(1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]
    assert led_segments().sum(0).tolist() == [8, 6, 8, 7, 4, 9, 7]


@pytest.mark.parametrize("make", [make_waveform, make_led])
def test_a_seed_draws_the_same_rows(make) -> None:
    first, second, other = (make(50, random_state=seed) for seed in (1, 1, 2))
    assert rows(first) == rows(second) != rows(other)
    assert rows(make(50)) == rows(make(50, random_state=0))
    with pytest.raises(ValueError, match="n_rows=0 must be an integer of at least 1"):
        make(0)
    with pytest.raises(ValueError, match="noise_columns=-1 must be"):
        make(5, noise_columns=-1)


def test_led_refuses_a_chance_above_one() -> None:
    with pytest.raises(ValueError, match=r"noise=1\.5 must be a number from 0 to 1"):
        make_led(5, noise=1.5)


def test_parity_tells_nothing_by_one_column() -> None:
    table = make_parity(3, noise_columns=2)
    assert table.n_rows == 32
    for column in table.data.values():
        for level in "01":
            assert Counter(table.y[column == level]) == {"even": 8, "odd": 8}
    for *bits, label in rows(table):
        assert (label == "odd") == (bits[-3:].count("1") % 2 == 1)
    with pytest.raises(ValueError, match="= 21 must be at most 20"):
        make_parity(20, noise_columns=1)
