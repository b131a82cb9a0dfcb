"""Every golden case has the digests that are kept."""

from __future__ import annotations

import pytest

from golden.cases import Case, cases
from golden.digests import parts, read

ALL = {case.name: case for case in cases()}


def test_every_case_is_kept_and_no_other() -> None:
    assert sorted(read()) == sorted(ALL)
    assert len(ALL) == len(list(cases())), "two cases have one name"


@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_nothing_has_changed(case: Case) -> None:
    kept = read()[case.name]
    now = parts(case)
    changed = [part for part in now if kept.get(part) != now[part]]
    assert not changed, f"{case.name}: {', '.join(changed)} differ (see tests/golden/__init__.py)"
