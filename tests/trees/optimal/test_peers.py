"""Optimal errors equal those that STreeD, PyDL8.5 and ConTree found."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.optimal_peer_data import DEPTHS, tables
from helpers.paths import fixture

from ramify import OptimalTreeClassifier

FIXTURE = fixture("optimal.json")
TABLES = {data.name: data for data in tables()}


def test_every_case_was_recorded() -> None:
    expected = [(data.name, depth) for data in tables() for depth in DEPTHS[data.binary]]
    assert [(case["data"], case["depth"]) for case in FIXTURE["cases"]] == expected


@pytest.mark.parametrize(
    "case", FIXTURE["cases"], ids=lambda case: f"{case['data']}-{case['depth']}"
)
@pytest.mark.parametrize("start", ["greedy", None])
def test_the_error_is_that_of_the_peers(case: dict[str, Any], start: Any) -> None:
    data = TABLES[case["data"]]
    clf = OptimalTreeClassifier(
        max_depth=case["depth"], features="binary" if data.binary else "all", start=start
    ).fit(data.X, data.y)
    assert clf.proven_optimal_
    assert clf.error_ * len(data.y) == pytest.approx(case["wrong"])
    assert (clf.predict(data.X) != data.y).sum() == case["wrong"]
