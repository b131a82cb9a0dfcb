"""A failing case made smaller, as long as it fails in the same way."""

from __future__ import annotations

import time

from fuzz.campaign import Campaign, Case
from fuzz.children import run_each


def failure_of(campaign: Campaign, case: Case, seconds: float = 60.0) -> str:
    """The kind of the failure of a case, "" if it passes."""
    (result,) = run_each([0], lambda number: campaign.run(case, number), seconds=seconds)
    return result.failure


def minimise(campaign: Campaign, case: Case, *, seconds: float = 120.0) -> Case:
    """The smallest case found within so many seconds that fails as this one does."""
    kind, end = failure_of(campaign, case), time.monotonic() + seconds
    found = True
    while kind and found:
        found = False
        for candidate in campaign.smaller(case):
            if time.monotonic() > end:
                return case
            if failure_of(campaign, candidate) == kind:
                case, found = candidate, True
                break
    return case
