"""What kind of target a table has."""

from __future__ import annotations

from enum import StrEnum


class Task(StrEnum):
    """What kind of target."""

    auto = "auto"
    classification = "classification"
    regression = "regression"
