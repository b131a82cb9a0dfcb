"""The analyses of the gallery say what their commands print."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest
from helpers.paths import ROOT

TOOL = ROOT / "tools" / "docs_gallery.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="the tools are not here")


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_gallery", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


gallery = _load() if TOOL.exists() else None
ANALYSES = gallery.analyses() if gallery else []


def test_there_are_five_and_the_home_page_shows_one_of_them() -> None:
    names = [analysis.name for analysis in ANALYSES]
    assert len(names) == len(set(names)) == 5
    assert set(gallery.HOME) < set(names)
    assert gallery.LIVE in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda analysis: analysis.name)
def test_every_number_in_the_words_is_printed(analysis: object) -> None:
    if analysis.lacks:
        pytest.skip(f"needs {analysis.lacks}")
    outcome = gallery.run(analysis)
    assert gallery.RESULT in analysis.text and analysis.words
    said = re.findall(r"\d[\d,]*(?:\.\d+)?", analysis.words)
    assert said
    for number in said:
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d]|\.\d)", outcome.printed), number
    columns, score = outcome.paragraphs[:2]
    assert columns.startswith(f"{analysis.command.split()[2]}: ")
    assert "cross-validation: " in score
    assert re.search(r"\((always the largest class|the mean alone): ", score)
    assert analysis.name in gallery.result(analysis)
    assert "</html>" in outcome.report and outcome.svg.lstrip().startswith("<svg")


def test_without_the_package_of_tables_the_site_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "find_spec", lambda _: None)
    lacking = [analysis for analysis in ANALYSES if analysis.lacks]
    assert {analysis.name for analysis in lacking} == {"cars", "seattle-weather"}
    assert "vega_datasets was not installed" in gallery.result(lacking[0])
    assert "reports/titanic.html" in gallery.home()
