"""A messy file: its name, what is messy about it, and how to make and clean it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from messy.cleaning import Recipe

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class Case:
    """A messy file; the columns `must_report` have to be called suspicious."""

    file: str
    target: str
    task: Task
    messy: str
    build: Callable[[], pd.DataFrame]
    by_hand: Recipe
    write: dict[str, Any]
    must_report: tuple[str, ...] = ()

    def make(self, folder: Path) -> Path:
        """Write the file into a folder."""
        path = folder / self.file
        table = self.build()
        if path.suffix == ".xlsx":
            table.to_excel(path, index=False)
        elif path.suffix == ".jsonl":
            table.to_json(path, orient="records", lines=True, force_ascii=False)
        else:
            table.to_csv(path, **{"index": False} | self.write)
        return path

    def clean(self, path: Path) -> tuple[pd.DataFrame, pd.Series]:
        """Give the columns to predict from and the target, cleaned by hand."""
        return self.by_hand(path, self.target, self.task)


class Cases(list[Case]):
    """Cases in the order of the table."""

    def add(
        self,
        file: str,
        target: str,
        task: Task,
        messy: str,
        by_hand: Recipe | None = None,
        *,
        write: dict[str, Any] | None = None,
        must_report: tuple[str, ...] = (),
    ) -> Callable[[Callable[[], pd.DataFrame]], Callable[[], pd.DataFrame]]:
        """Make a case of the function that builds its table."""

        def register(build: Callable[[], pd.DataFrame]) -> Callable[[], pd.DataFrame]:
            recipe = by_hand or Recipe()
            case = Case(file, target, task, messy, build, recipe, write or {}, must_report)
            self.append(case)
            return build

        return register
