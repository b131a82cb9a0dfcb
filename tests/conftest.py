"""The quick tests: ``pytest -m quick`` runs one or two files of every package, in a minute."""

from __future__ import annotations

from pathlib import Path

import pytest

#: Files and folders under tests/ whose tests are quick.
QUICK = (
    "aggregate/test_groups.py",
    "cli/test_show.py",
    "core/criteria",
    "core/grow/test_published.py",
    "core/test_registries.py",
    "evaluate/test_paired_tests.py",
    "export/test_text_forms.py",
    "files/test_model.py",
    "learning/test_measures.py",
    "pruning/test_input.py",
    "tables/test_arrays.py",
    "tables/test_containers.py",
    "tables/test_encoding.py",
    "tree",
    "trees/single",
)
TESTS = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(TESTS):
            name = item.path.relative_to(TESTS).as_posix()
            if any(name == one or name.startswith(f"{one}/") for one in QUICK):
                item.add_marker(pytest.mark.quick)
