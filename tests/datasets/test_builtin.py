"""The built-in data against what is published about them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ramify.datasets import Dataset, load_balance_scale, load_titanic, load_weather


def entropy(counts: list[int]) -> float:
    shares = np.array([c for c in counts if c]) / sum(counts)
    return float(-(shares * np.log2(shares)).sum())


def test_weather_has_the_published_gains() -> None:
    weather = load_weather()
    assert Counter(weather.y) == {"yes": 9, "no": 5}

    def gain(left: np.ndarray) -> float:
        parts = [weather.y[left], weather.y[~left]]
        inner = sum(
            len(p) / 14 * entropy([int((p == "yes").sum()), int((p == "no").sum())]) for p in parts
        )
        return entropy([9, 5]) - inner

    data = weather.data
    assert gain(data["outlook"] == "overcast") == pytest.approx(0.226000, abs=1e-6)
    assert gain(data["outlook"] == "sunny") == pytest.approx(0.102244, abs=1e-6)
    assert gain(data["temperature"] < 77.5) == pytest.approx(0.025078, abs=1e-6)
    assert gain(data["humidity"] < 82.5) == pytest.approx(0.151836, abs=1e-6)
    assert gain(data["windy"] == "false") == pytest.approx(0.048127, abs=1e-6)


def test_titanic_has_the_published_totals() -> None:
    titanic = load_titanic()
    assert titanic.n_rows == 2201
    assert Counter(titanic.y) == {"no": 1490, "yes": 711}
    assert Counter(titanic.data["class"]) == {
        "first": 325,
        "second": 285,
        "third": 706,
        "crew": 885,
    }
    assert Counter(titanic.data["age"]) == {"adult": 2092, "child": 109}
    assert Counter(titanic.data["sex"]) == {"male": 1731, "female": 470}
    women = titanic.data["sex"] == "female"
    assert Counter(titanic.y[women])["yes"] == 344


def test_balance_scale_follows_its_rule() -> None:
    scale = load_balance_scale()
    assert Counter(scale.y) == {"L": 288, "R": 288, "B": 49}
    rows = zip(*scale.data.values(), scale.y, strict=True)
    for weight_left, distance_left, weight_right, distance_right, side in rows:
        left, right = weight_left * distance_left, weight_right * distance_right
        assert side == ("L" if left > right else "R" if left < right else "B")


@pytest.mark.parametrize("load", [load_weather, load_titanic, load_balance_scale])
def test_two_loads_share_nothing(load) -> None:
    first, second = load(), load()
    for name, column in first.data.items():
        assert not np.shares_memory(column, second.data[name])
        assert column.flags.writeable
        assert len(column) == first.n_rows


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_keep_names_and_values(backend: str) -> None:
    pytest.importorskip(backend)
    import narwhals as nw

    weather = load_weather()
    frame = nw.from_native(weather.to_frame(backend), eager_only=True)
    assert frame.columns == list(weather.data)
    assert frame["outlook"].to_list() == weather.data["outlook"].tolist()
    assert frame.schema["temperature"] == nw.Float64
    assert frame.schema["outlook"] == nw.String


def test_without_a_dataframe_library_x_keeps_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    mixed, numeric = load_weather().X, load_balance_scale().X
    assert list(mixed) == ["outlook", "temperature", "humidity", "windy"]
    assert mixed["temperature"][0] == 85.0
    assert numeric.n_rows == 625
    array = load_weather().to_frame("numpy")
    assert array[0].tolist() == ["sunny", 85.0, 85.0, "false"]


def test_unknown_backend_names_the_choices() -> None:
    with pytest.raises(ValueError, match=r"backend='excel' is not one of .*polars"):
        load_weather().to_frame("excel")  # type: ignore[arg-type]


def test_a_table_without_target_says_so() -> None:
    with pytest.raises(ValueError, match="no target"):
        _ = Dataset({"x": np.zeros(2)}).y
