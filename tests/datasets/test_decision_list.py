"""The generator of decision lists draws what Weka's RDG1 draws."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from helpers.paths import fixture

from ramify import TreeClassifier
from ramify.datasets import make_decision_list
from ramify.datasets.generated.decision_list import JavaRandom

WEKA = fixture("rdg1.json")
NAMES = {
    "-n": "n_rows",
    "-a": "n_columns",
    "-c": "n_classes",
    "-S": "random_state",
    "-I": "irrelevant_columns",
    "-N": "numeric_columns",
    "-M": "min_rule",
    "-R": "max_rule",
}


def draw(options: str) -> Any:
    words, parameters = options.split(), {}
    if "-V" in words:
        words.remove("-V")
        parameters["voting"] = True
    parameters |= {NAMES[o]: int(v) for o, v in zip(words[::2], words[1::2], strict=True)}
    return make_decision_list(parameters.pop("n_rows"), **parameters)


def printed(value: Any) -> str:
    """A cell as Weka prints it: six digits after the point, without trailing zeros."""
    if isinstance(value, str):
        return value
    return f"{value:.6f}".rstrip("0").rstrip(".")


@pytest.mark.parametrize("options", WEKA)
def test_the_rows_are_those_of_weka(options: str) -> None:
    table = draw(options)
    columns = [*table.data.values(), table.y]
    rows = [",".join(map(printed, row)) for row in zip(*columns, strict=True)]
    assert rows[:10] == WEKA[options]["rows"]
    assert hashlib.sha256("\n".join(rows).encode()).hexdigest() == WEKA[options]["sha256"]


def test_the_numbers_are_those_of_java() -> None:
    """The first values of new Random(42).nextDouble(), as Java prints them."""
    random = JavaRandom(42)
    assert [random.uniform() for _ in range(2)] == [0.7275636800328681, 0.6832234717598454]


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_of_enough_leaves_is_never_wrong(seed: int) -> None:
    table = make_decision_list(300, n_columns=12, numeric_columns=4, random_state=seed)
    assert TreeClassifier().fit(table.X, table.y).score(table.X, table.y) == 1.0


def test_irrelevant_columns_are_in_no_rule() -> None:
    table = make_decision_list(200, n_columns=6, irrelevant_columns=3, random_state=1)
    asked = {f"a{c}" for c in range(6) if f"a{c}" in table.description.replace("\n", " ")}
    assert len(asked) == 3
    # Rows that agree in the relevant columns have the same class.
    seen: dict[tuple[str, ...], str] = {}
    for row in zip(*(table.data[name] for name in sorted(asked)), table.y, strict=True):
        assert seen.setdefault(row[:-1], row[-1]) == row[-1]


def test_none_is_zero_and_generators_are_seeds() -> None:
    tables = [make_decision_list(50, random_state=given) for given in (None, 0)]
    assert (tables[0].y == tables[1].y).all()
    make_decision_list(50, random_state=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_rows": 0}, "n_rows=0"),
        ({"irrelevant_columns": 10}, "irrelevant_columns=10 must leave one of n_columns=10"),
        ({"numeric_columns": 11}, "numeric_columns=11 must be no more"),
        ({"min_rule": 6, "max_rule": 5}, "min_rule=6 must be at most max_rule=5"),
        ({"voting": 1}, "voting=1 must be True or False"),
    ],
)
def test_what_cannot_be_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_decision_list(**parameters)
