"""The command show."""

from __future__ import annotations

from pathlib import Path

import ramify


def test_show(run, weather_model: Path) -> None:
    code, out, _ = run("show", weather_model)
    assert code == 0
    assert out.strip() == ramify.load(weather_model).tree_.to_text().strip()
    code, out, _ = run("show", weather_model, "--rules")
    assert code == 0
    assert out.splitlines() == [str(rule) for rule in ramify.load(weather_model).tree_.rules()]


def test_a_table_in_place_of_a_model(run, weather: Path) -> None:
    code, _, err = run("show", weather)
    assert (code, err) == (
        2,
        f"ramify: {weather}: this is not a model that fit --model saved\n",
    )
