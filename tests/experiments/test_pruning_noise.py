"""The experiment on noise: the tables are as said, and the report counts them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pruning_noise


def test_tables_are_as_said() -> None:
    for seed in range(12):
        for target in pruning_noise.TARGETS:
            X, y = pruning_noise.noise(seed, target)
            assert 5 <= len(X) <= 20
            assert 200 <= len(y) <= 1000
            assert len(np.unique(y)) <= 5 or target == "numbers"


def test_the_report_counts_the_tables_that_keep_leaves(tmp_path: Path) -> None:
    found = {
        (target, seed, rule): 1 + 3 * (seed == 0 and rule == "min")
        for target in pruning_noise.TARGETS
        for seed in range(4)
        for rule in pruning_noise.RULES
    }
    text = pruning_noise.write_report(found, tmp_path)
    assert "| classes | min | 25.0 % | 1.8 | 4 |" in text
    assert "| numbers | 1point | 0.0 % | 1.0 | 1 |" in text
    assert len((tmp_path / "pruning_noise.csv").read_text().splitlines()) == 1 + len(found)
