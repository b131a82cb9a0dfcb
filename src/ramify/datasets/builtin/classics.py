"""Three classical data sets, small enough to be written down: no download, no file."""

from __future__ import annotations

from itertools import product

import numpy as np

from ramify.datasets.dataset import Dataset, text_column

_WEATHER = """\
sunny 85 85 false no
sunny 80 90 true no
overcast 83 86 false yes
rainy 70 96 false yes
rainy 68 80 false yes
rainy 65 70 true no
overcast 64 65 true yes
sunny 72 95 false no
sunny 69 70 false yes
rainy 75 80 false yes
sunny 75 70 true yes
overcast 72 90 true yes
overcast 81 75 false yes
rainy 71 91 true no
"""

_SEX_AND_FATE = (("male", "no"), ("male", "yes"), ("female", "no"), ("female", "yes"))
# class, age: (male lost, male saved, female lost, female saved).
_TITANIC = {
    ("first", "adult"): (118, 57, 4, 140),
    ("first", "child"): (0, 5, 0, 1),
    ("second", "adult"): (154, 14, 13, 80),
    ("second", "child"): (0, 11, 0, 13),
    ("third", "adult"): (387, 75, 89, 76),
    ("third", "child"): (35, 13, 17, 14),
    ("crew", "adult"): (670, 192, 3, 20),
    ("crew", "child"): (0, 0, 0, 0),
}


def load_weather() -> Dataset:
    """Load the weather data: 14 days, whether to play outside.

    Two nominal columns (outlook, windy), two numeric ones (temperature, humidity) and two classes:
    the example of Quinlan (1993), small enough to check a tree by hand.

    Examples
    --------
    >>> weather = load_weather()
    >>> weather.data["outlook"][:3].tolist()
    ['sunny', 'sunny', 'overcast']
    >>> sorted(weather.y.tolist()).count("yes")
    9
    """
    rows = [line.split() for line in _WEATHER.splitlines()]
    outlook, temperature, humidity, windy, play = (
        list(column) for column in zip(*rows, strict=True)
    )
    return Dataset(
        data={
            "outlook": text_column(outlook),
            "temperature": np.array(temperature, dtype=np.float64),
            "humidity": np.array(humidity, dtype=np.float64),
            "windy": text_column(windy),
        },
        target=text_column(play),
        target_name="play",
        description="Weather (Quinlan 1993): 14 days, whether to play outside.",
    )


def load_titanic() -> Dataset:
    """Load the people aboard the Titanic: class, age, sex, and who survived.

    2201 rows of three nominal columns, made from the published table of counts (British Board of
    Trade 1912; Dawson 1995), so without names, fares or missing cells.

    Examples
    --------
    >>> titanic = load_titanic()
    >>> titanic.n_rows, titanic.y.tolist().count("yes")
    (2201, 711)
    """
    cells = [
        (group, age, sex, survived, count)
        for (group, age), counts in _TITANIC.items()
        for (sex, survived), count in zip(_SEX_AND_FATE, counts, strict=True)
    ]
    repeats = [cell[4] for cell in cells]
    group, age, sex, survived = (
        np.repeat(text_column([str(cell[j]) for cell in cells]), repeats) for j in range(4)
    )
    return Dataset(
        data={"class": group, "age": age, "sex": sex},
        target=survived,
        target_name="survived",
        description="Titanic (Dawson 1995): 2201 people aboard, who survived.",
    )


def load_balance_scale() -> Dataset:
    """Load the balance scale and the side to which it tips.

    All 625 settings of two weights and two distances from 1 to 5 (Siegler 1976). The class is L or
    R, the side with the larger weight times distance, or B if they balance. The rule multiplies
    columns, which splits on one column at a time can only approximate.

    Examples
    --------
    >>> scale = load_balance_scale()
    >>> [scale.y.tolist().count(side) for side in "LBR"]
    [288, 49, 288]
    """
    names = ("left_weight", "left_distance", "right_weight", "right_distance")
    table = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64)
    tip = np.sign(table[:, 0] * table[:, 1] - table[:, 2] * table[:, 3]).astype(int)
    return Dataset(
        data={name: table[:, j].copy() for j, name in enumerate(names)},
        target=text_column(["R", "B", "L"])[tip + 1],
        target_name="class",
        description="Balance scale (Siegler 1976): to which side it tips.",
    )
