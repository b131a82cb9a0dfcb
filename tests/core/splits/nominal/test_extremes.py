"""Every search ends for any weights, even where comparisons with NaN are always false."""

from __future__ import annotations

import json

import pytest
from helpers.processes import run_python

from ramify import _core

# Run in a process of its own: a search that does not end cannot be stopped from this one.
PROGRAM = """
import json, sys
import numpy as np
from ramify import _core
from ramify.splits import best_nominal_split, score

method = sys.argv[1]
rng = np.random.default_rng(0)
tables = [[[1e16, 1e16], [1, 1]], [[1e16, 0], [0, 1]], [[1e16, 1], [1, 1e16], [1, 1]]]
for n, k in ((3, 2), (4, 3), (6, 4), (14, 3), (15, 6)):
    for low, high in ((-16, 16), (0, 18), (-30, 0), (-55, 55)):
        tables.append(10.0 ** rng.uniform(low, high, (n, k)))
        sparse = 10.0 ** rng.uniform(low, high, (n, k)) * (rng.random((n, k)) < 0.4)
        tables.append(sparse + np.eye(n, k))
    tables.append(np.outer(10.0 ** rng.uniform(0, 20, n), rng.integers(1, 5, k)))
    heavy = rng.integers(1, 9, (n, k)).astype(float)
    heavy[0] *= 1e17
    tables += [heavy, heavy[::-1]]
wrong = []
for table in tables:
    table = np.asarray(table, dtype=float)
    if method == "two_class":
        table = table[:, :2] + 1e-50
    for criterion in _core.criterion_names():
        for options in ({}, {"min_support": 2.0}, {"min_samples_leaf": 1.0}):
            try:
                found = best_nominal_split(
                    table, method=method, criterion=criterion, work_limit=1 << 12, **options
                )
            except ValueError as error:
                if "chi2_cut" not in str(error):
                    wrong.append([criterion, table.tolist(), str(error)])
                continue
            if found is None:
                continue
            sides = sorted(found.left + found.right)
            fine = sides == list(range(len(table))) and found.left and found.right
            if not fine or np.isnan(found.score):
                wrong.append([criterion, table.tolist(), repr(found)])
print(json.dumps(wrong))
"""


@pytest.mark.parametrize("method", _core.nominal_search_names())
def test_every_search_ends(method: str) -> None:
    assert json.loads(run_python(PROGRAM, method)) == []
