"""Growth problems that hypothesis makes up: small tables of odd numbers, ties and holes."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from oracles.problem import Column, Problem

from helpers.growth_data import COSTS, moment_drop, sqrt_drop

RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
NUMBER_CRITERIA = ["squared_error", "absolute_error", "quantile", "poisson", "gamma", moment_drop]
NUMBERS = [0.0, -0.0, 1.0, 1.5, 2.0, 1e-300, -1e300, math.inf, -math.inf, np.nextafter(1.0, 2.0)]


@st.composite
def columns(draw, rows: int, kind: str, holes: bool):
    cell = st.sampled_from(NUMBERS) if kind == "numeric" else st.integers(0, 6).map(float)
    if holes:
        cell = st.one_of(cell, st.just(math.nan))
    return Column(kind, np.array(draw(st.lists(cell, min_size=rows, max_size=rows)), dtype=float))


@st.composite
def problems(draw, *, classification: bool, most_rows: int = 14):
    rows = draw(st.integers(1, most_rows))
    holes = draw(st.booleans())
    kinds = draw(
        st.lists(st.sampled_from(["numeric", "ordinal", "nominal"]), min_size=1, max_size=3)
    )
    table = tuple(draw(columns(rows, kind, holes)) for kind in kinds)
    target = np.array(draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)))
    weights = draw(
        st.one_of(
            st.none(),
            st.lists(st.integers(0, 3), min_size=rows, max_size=rows).filter(any).map(np.array),
        )
    )
    parameters = {
        "missing": draw(st.sampled_from(["fractional", "separate", "direction"])),
        "min_samples_leaf": draw(st.sampled_from([1, 1, 2])),
        "categorical_split": draw(st.sampled_from(["auto", "multiway"])),
    }
    weights = None if weights is None else weights.astype(float)
    if not classification:
        criterion = draw(st.sampled_from(NUMBER_CRITERIA))
        target = target.astype(float)
        if criterion == "quantile":
            parameters["quantile"] = draw(st.sampled_from([0.1, 0.3, 0.5, 0.9]))
        if criterion == "gamma":
            target += 0.5
        taken = target if weights is None else target[weights > 0]
        if criterion == "poisson" and not taken.any():
            criterion = "squared_error"  # there must be an event
        return Problem(table, target, weights, criterion=criterion, **parameters)
    names, target = np.unique(target, return_inverse=True)
    criteria = ["gini", "entropy", "misclassification", sqrt_drop, "costs", "support"]
    criterion = draw(st.sampled_from(criteria))
    if criterion == "costs":
        parameters["costs"] = COSTS.get(len(names))
        criterion = "gini"
    if criterion == "support":
        parameters["min_support"] = 1.5
        criterion = "gini"
    return Problem(table, target, weights, len(names), criterion, **parameters)
