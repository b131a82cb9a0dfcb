"""A parameter is declared once: signature and docstring of every estimator agree with that."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any, get_args, get_type_hints

import pytest

from ramify import _core
from ramify.learning.model import MODELS
from ramify.tables import Unseen
from ramify.trees.greedy.base import GreedyTree

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def entries(model: Any) -> dict[str, tuple[str, str]]:
    """The entries of a docstring's section on parameters: type and description by name."""
    section = re.split(r"\n\s*-{5,}\n", inspect.cleandoc(model.__doc__))[1]
    section = section.rsplit("\n\n", 1)[0]
    found = re.split(r"^(\w+) : (.*)$", section, flags=re.MULTILINE)[1:]
    return {
        name: (kind, " ".join(text.split()))
        for name, kind, text in zip(found[::3], found[1::3], found[2::3], strict=True)
    }


@every_model
def test_signature_docstring_and_declarations_have_the_same_names(model: Any) -> None:
    declared = [parameter.name for parameter in model.PARAMETERS]
    assert len(set(declared)) == len(declared)
    signature = list(inspect.signature(model.__init__).parameters)[1:]
    assert sorted(declared) == sorted(signature)
    assert list(entries(model)) == signature


@every_model
def test_default_and_meaning_are_those_declared(model: Any) -> None:
    signature, written = inspect.signature(model.__init__).parameters, entries(model)
    for parameter in model.PARAMETERS:
        name, given = parameter.name, signature[parameter.name].default
        assert given == parameter.default and type(given) is type(parameter.default), name
        kind, text = written[name]
        assert ast.literal_eval(kind.rsplit("default=", 1)[1]) == given, name
        assert text.startswith(parameter.meaning), name


@every_model
def test_the_default_is_valid(model: Any) -> None:
    for parameter in model.PARAMETERS:
        parameter.read(parameter.name, parameter.default)


def test_the_core_knows_what_it_is_told_and_is_told_what_it_knows() -> None:
    told = {
        parameter.core
        for model in MODELS.values()
        if issubclass(model, GreedyTree)
        for parameter in model.PARAMETERS
        if parameter.core is not None
    }
    derived = {"growth", "weigh_gains", "merge", "exact_levels", "monotone", "monotone_class"}
    assert told | derived == set(_core.grow_parameters())


def test_the_choices_of_the_core_are_those_of_the_types() -> None:
    assert get_args(Unseen) == tuple(_core.choices("unseen"))
    for model in MODELS.values():
        for name, hint in get_type_hints(model.__init__).items():
            if name in ("missing", "missing_gain", "missing_count", "selection", "unseen"):
                assert get_args(hint) == tuple(_core.choices(name))
