"""The command demo."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("data", ["titanic", "weather", "balance-scale"])
def test_demo(run, data: str) -> None:
    code, out, err = run("demo", "--data", data, "--folds", "3")
    assert (code, err) == (0, "")
    assert "3-fold cross-validation: accuracy" in out
    assert "ramify fit FILE.csv --target COLUMN" in out


def test_demo_is_in_colour_on_a_terminal(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("demo", "--folds", "0")[1]
    monkeypatch.delenv("FORCE_COLOR")
    assert "\x1b[" not in run("demo", "--folds", "0")[1]
