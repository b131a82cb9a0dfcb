"""The package as a whole: its names, its stub, its examples, and what it imports."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import types
from pathlib import Path
from typing import Any

import pytest
from helpers.paths import PACKAGE, ROOT
from helpers.processes import run_python

import ramify
from ramify import _core

PUBLIC = [
    *("BoostedTreesClassifier", "MixtureOfExpertsClassifier", "MixtureOfExpertsRegressor"),
    *("OptimalTreeClassifier", "OptimalTreeRegressor", "TreeClassifier", "TreeRegressor"),
    "PolicyTree",
    *("AttributeAggregator", "Explanation", "ModelFileError", "load"),
    *("Competitor", "Multiway", "Node", "Rule", "Subset", "Threshold", "Tree"),
    *("ColumnSchema", "RamifyWarning", "Schema"),
    *("datasets", "discretize", "edit", "evaluate", "presets", "__version__"),
]


def all_modules() -> list[str]:
    found = pkgutil.walk_packages(ramify.__path__, "ramify.")
    return sorted(m.name for m in found if not m.name.endswith(("._core", ".__main__")))


# --- names --------------------------------------------------------------------------------------


def test_public_names() -> None:
    assert sorted(ramify.__all__) == sorted(PUBLIC)
    assert dir(ramify) == sorted(ramify.__all__)
    space: dict[str, Any] = {}
    exec("from ramify import *", space)
    assert set(PUBLIC) <= set(space)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_explained(name: str) -> None:
    value = getattr(ramify, name)
    if name != "__version__":
        assert value.__doc__, name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'ramify' has no attribute 'Forest'"):
        _ = ramify.Forest


def test_all_of_every_module_is_there() -> None:
    for module in all_modules():
        loaded = importlib.import_module(module)
        for name in getattr(loaded, "__all__", ()):
            assert hasattr(loaded, name), f"{module}.{name}"


def test_typed_and_licensed() -> None:
    assert (PACKAGE / "py.typed").exists()
    assert re.fullmatch(r"\d+\.\d+\.\d+", ramify.__version__)


# --- examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", all_modules())
def test_examples_run(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module), report=True)
    assert results.failed == 0


@pytest.mark.parametrize(
    "kind",
    [
        ramify.AttributeAggregator,
        ramify.MixtureOfExpertsClassifier,
        ramify.MixtureOfExpertsRegressor,
        ramify.OptimalTreeClassifier,
        ramify.OptimalTreeRegressor,
        ramify.PolicyTree,
        ramify.TreeClassifier,
        ramify.TreeRegressor,
        ramify.discretize.ChiMergeDiscretizer,
        ramify.discretize.MDLPDiscretizer,
        ramify.discretize.MIDDiscretizer,
    ],
)
def test_every_parameter_and_public_method_is_documented(kind: Any) -> None:
    for parameter in kind().get_params():
        assert re.search(rf"^    {parameter} : ", kind.__doc__, re.MULTILINE), parameter
    for method in dir(kind):
        if not method.startswith("_") and callable(getattr(kind, method, None)):
            assert getattr(kind, method).__doc__, method
    assert ">>> " in kind.__doc__


# --- the stub -----------------------------------------------------------------------------------


Signature = list[tuple[str, Any]]
REQUIRED = "required"


def stub_signature(function: ast.FunctionDef) -> Signature:
    given = function.args
    names = [arg.arg for arg in [*given.posonlyargs, *given.args]]
    defaults = [ast.literal_eval(one) for one in given.defaults]
    found = list(zip(names, [REQUIRED] * (len(names) - len(defaults)) + defaults, strict=True))
    for arg, one in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append((arg.arg, REQUIRED if one is None else ast.literal_eval(one)))
    return found


def core_signature(function: Any) -> Signature:
    """Names and defaults from what nanobind says; annotations hold commas and are skipped."""
    # Overloads take other types of the same parameters.
    signatures = function.__nb_signature__
    text, _, values = signatures[0]
    inside = text[text.index("(") + 1 : text.rindex(") ->")]
    parts, depth, start = [], 0, 0
    for i, char in enumerate(inside):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(inside[start:i])
            start = i + 1
    parts = [
        part.strip() for part in [*parts, inside[start:]] if part.strip() not in ("", "/", "*")
    ]
    found: Signature = []
    for part in parts:
        default = re.search(r"= \\(\d+)$", part)
        name = part.partition(":")[0].strip()
        found.append((name, values[int(default[1])] if default else REQUIRED))
    return found


def test_stub_equals_module() -> None:
    stub = ast.parse((ROOT / "src/ramify/_core.pyi").read_text())
    functions = {one.name: one for one in stub.body if isinstance(one, ast.FunctionDef)}
    classes = {one.name: one for one in stub.body if isinstance(one, ast.ClassDef)}
    public = {name for name in dir(_core) if not name.startswith("_")}
    assert public == functions.keys() | classes.keys()
    for name, function in functions.items():
        assert stub_signature(function) == core_signature(getattr(_core, name)), name
    for name, body in classes.items():
        members = vars(getattr(_core, name))
        methods = {one.name: one for one in body.body if isinstance(one, ast.FunctionDef)}
        there = {key for key in members if not key.startswith("__")}
        for key in {"__init__", "__len__", "__getstate__", "__setstate__"} & members.keys():
            # a class that cannot be made from Python has an __init__ that refuses
            if not isinstance(members[key], types.WrapperDescriptorType):
                there.add(key)
        assert there == methods.keys(), name
        for key, method in methods.items():
            is_property = any(getattr(d, "id", "") == "property" for d in method.decorator_list)
            assert is_property == isinstance(members[key], property), (name, key)
            if not is_property:
                assert stub_signature(method) == core_signature(members[key]), (name, key)


# --- imports ------------------------------------------------------------------------------------


def test_import_is_light() -> None:
    heavy = ("sklearn", "pandas", "polars", "pyarrow", "scipy", "matplotlib", "typer", "numpy")
    code = "import sys, ramify; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    assert not set(run_python(code).split()) & set(heavy)


def test_the_estimators_bring_in_no_dataframe_library() -> None:
    code = """
import sys
from ramify import TreeClassifier
TreeClassifier().fit([["a", 1.0], ["b", None]], ["x", "y"]).explain(["a", 1.0])
print(*sorted({m.partition('.')[0] for m in sys.modules}))
"""
    # scikit-learn itself imports pandas where it is installed, so that is not held against us
    assert not set(run_python(code).split()) & {"polars", "matplotlib", "typer"}


WITHOUT = """
import sys

BLOCKED = ("pandas", "polars", "pyarrow", "matplotlib")

class Absent:
    # What a finder does for a module that is not installed: it finds nothing.
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path = [Absent(finder) for finder in sys.meta_path]
import numpy as np
import ramify
from ramify.datasets import load_titanic, load_weather, read_table_file

data = load_weather()
assert isinstance(data.X, dict) and data.X.shape == (14, 4)
clf = ramify.TreeClassifier().fit(data.X, data.y)
from sklearn.model_selection import cross_val_score  # it takes rows out of the table
assert len(cross_val_score(clf, data.X, data.y, cv=2)) == 2
assert clf.score(data.data, data.y) == 1.0
assert clf.feature_names_in_.tolist() == list(data.data)
assert "outlook" in clf.tree_.to_text()
frame = clf.tree_.to_frame()
assert isinstance(frame, dict) and len(frame["depth"]) == clf.tree_.n_nodes
print(clf.explain({"outlook": "rainy"}))
folder = sys.argv[1]
clf.save(folder + "/m.json")
assert (ramify.load(folder + "/m.json").predict(data.data) == data.y).all()
with open(folder + "/t.csv", "w") as stream:
    stream.write("a,b,y\\n1,x,3\\n2,,4\\n")
table = read_table_file(folder + "/t.csv", target="y")
ramify.TreeRegressor().fit(table.X, table.y)
from ramify.evaluate import compare
found = compare({"a": ramify.TreeClassifier(), "b": clf}, {"weather": load_weather}, cv=2)
assert not found.failures and isinstance(found.to_frame(), dict)
assert "weather" in found.to_html()
try:
    read_table_file(folder + "/t.parquet")
except Exception as error:
    print(type(error).__name__, error)
from ramify.cli import main
assert main(["fit", folder + "/t.csv", "--target", "y"]) == 0
assert not {m.partition(".")[0] for m in sys.modules} & set(BLOCKED)
print("done")
"""


def test_without_any_dataframe_library(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    said = run_python(WITHOUT, str(tmp_path))
    assert said.endswith("done\n")
    assert re.search(r"pyarrow", said), said


# Each is imported after all of ours are forgotten. What they import of others stays, which saves a
# second each; the core is a module of its own, which imports none of ours.
FIRST = """
import sys
from importlib import import_module

for name in sys.argv[1:]:
    for known in [m for m in sys.modules if m.partition(".")[0] == "ramify"]:
        if known != "ramify._core":
            del sys.modules[known]
    try:
        import_module(name)
    except Exception as error:
        print(name, repr(error))
"""


def test_every_module_can_be_the_first() -> None:
    names = sorted(m.name for m in pkgutil.iter_modules(ramify.__path__, "ramify."))
    assert run_python(FIRST, *(name for name in names if name != "ramify.__main__")) == ""
