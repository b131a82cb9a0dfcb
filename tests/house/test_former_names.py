"""Pickles of earlier versions name modules that have moved; they load all the same."""

from __future__ import annotations

import importlib
import pickle

import pytest

from ramify import TreeClassifier, _former_names
from ramify.datasets import load_weather


@pytest.mark.parametrize("former", _former_names.FORMER)
def test_former_names_are_those_of_present_modules(former: str) -> None:
    present = importlib.import_module(f"ramify.{_former_names.FORMER[former]}")
    found = importlib.import_module(f"ramify.{former}")
    if former in ("trees.optimal", "trees.boosted", "trees.mixture"):  # packages of that name now
        for name in present.__dict__.get("__all__", ()):
            assert getattr(found, name) is getattr(present, name)
        return
    assert found is present
    assert present.__spec__ is not None and present.__spec__.name == present.__name__


def test_an_old_pickle_loads() -> None:
    weather = load_weather()
    model = TreeClassifier(pruning="auto").fit(weather.data, weather.y)
    written = pickle.dumps(model, protocol=0)  # names as text
    for former in ("trees.classifier", "_pruning_path"):
        present = _former_names.FORMER[former]
        assert f"ramify.{present}".encode() in written
        written = written.replace(f"ramify.{present}".encode(), f"ramify.{former}".encode())
    assert (pickle.loads(written).predict(weather.data) == model.predict(weather.data)).all()


def test_other_names_are_not_known() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("ramify._never_there")
