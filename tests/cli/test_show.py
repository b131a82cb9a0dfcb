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
