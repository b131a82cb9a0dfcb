"""The list of formats says what the functions do, and the guide and the packages follow it."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from helpers.paths import ROOT

from ramify import TreeClassifier, export

ABSTAIN = [[0.0, 1.0, 0.3], [1.0, 0.0, 0.3]]


def test_names_and_endings_are_told_apart() -> None:
    names = [one.name for one in export.FORMATS]
    endings = [ending for one in export.FORMATS for ending in one.endings]
    assert len(set(names)) == len(names)
    assert len(set(endings)) == len(endings)


@pytest.mark.parametrize("form", export.FORMATS, ids=lambda form: form.name)
class TestEveryFormat:
    def test_its_function_is_in_its_module(self, form: export.Format) -> None:
        module = importlib.import_module(f"ramify.export.{form.module}")
        assert getattr(module, form.function) is getattr(export, form.function)

    def test_its_extra_can_be_installed(self, form: export.Format) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert not form.extra or form.extra in project["optional-dependencies"]

    def test_the_guide_names_it(self, form: export.Format) -> None:
        guide = (ROOT / "docs" / "exporting.md").read_text(encoding="utf-8")
        rows = [line for line in guide.splitlines() if line.startswith("| `")]
        named = [row for row in rows if f"`{form.function}`" in row.split("|")[1]]
        assert len(named) == (form.function in export.__all__)
        if named and form.extra:
            assert f"ramify[{form.extra}]" in named[0]

    def test_a_tree_that_abstains_is_refused_unless_it_can_be_said(
        self, form: export.Format, tmp_path: Path
    ) -> None:
        x = np.arange(60.0)
        y = np.where(x < 20, "no", np.where(x < 40, np.where(x % 2, "no", "yes"), "yes"))
        model = TreeClassifier(max_depth=2, costs=ABSTAIN).fit(x[:, None], y)
        write = getattr(export, form.function)
        if form.abstains:
            write(model, path=tmp_path / "tree")
            assert re.search("abstain|None|,,", (tmp_path / "tree").read_text(encoding="utf-8"))
        else:
            with pytest.raises(export.ExportError, match="abstains"):
                write(model)
