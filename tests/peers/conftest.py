"""Tests that differ by design are expected to fail, with the reason."""

from __future__ import annotations

import pytest

from peers.differences import IS_SORTED, reason_of


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name == "test_sklearn_tree.py" and (reason := reason_of(item.name)):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=IS_SORTED))
