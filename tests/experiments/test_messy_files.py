"""The suite of messy files: cleaning by hand, and the verdict on what the command makes of one."""

from __future__ import annotations

import sys
from pathlib import Path

import messy_files
import numpy as np
import pandas as pd
import pytest
from helpers.csv_files import csv_rows
from messy.by_hand import ByHand, folds, score_by_hand, with_categories
from messy.case import Case
from messy.cleaning import Recipe
from messy.make import CASES
from messy.sources import missing_packages
from messy.spelling import clock, dollars, euros, french, number, percent, seconds, swiss

needs_packages = pytest.mark.skipif(
    bool(missing_packages()), reason=f"not installed: {', '.join(missing_packages())}"
)


def small_case() -> Case:
    """A table of 60 rows: keys, prices in dollars, dates, and a target that follows from both."""

    def build() -> pd.DataFrame:
        price = np.arange(60) % 7 * 1000.5 - 1000
        day = pd.date_range("2020-12-01", periods=60)
        return pd.DataFrame(
            {
                "key": [f"k{n}" for n in range(60)],
                "price": [dollars(value) for value in price],
                "sold": day.strftime("%d.%m.%Y"),
                "dear": np.where(price > 2000, "yes", "no"),
            }
        )

    recipe = Recipe(drop=("key",), dates={"sold": "%d.%m.%Y"}, numbers={"price": "."})
    return Case("small.csv", "dear", "classification", "everything", build, recipe, {})


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        (dollars(-1234.5), ".", -1234.5),
        (euros(1264030.0), ",", 1264030.0),
        (french(1234.5), ",", 1234.5),
        (swiss(1234.5), ".", 1234.5),
        (percent(0.221), ".", 22.1),
    ],
)
def test_what_exports_write_is_read_by_hand(text: str, decimal: str, value: float) -> None:
    assert number(text, decimal) == pytest.approx(value)


def test_durations() -> None:
    assert clock(3723) == "1:02:03"
    assert seconds("1:02:03") == 3723


def test_cleaning_by_hand(tmp_path: Path) -> None:
    case = small_case()
    X, y = case.clean(case.make(tmp_path))
    assert list(X) == ["price", "sold", "month of sold", "weekday of sold"]
    assert X["price"].iloc[:3].tolist() == [-1000.0, 0.5, 1001.0]
    assert X["month of sold"].iloc[[0, 31]].tolist() == [12, 1]
    assert X["sold"].iloc[31] == (pd.Timestamp("2021-01-01") - pd.Timestamp("1970-01-01")).days
    assert set(y) == {"yes", "no"}


def test_rare_levels_rows_without_target_and_constants(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("level,same,y\na,1,1\na,1,2\nb,1,3\nn/a,1,4\na,1,\n")
    X, y = Recipe(pool={"level": 2})(file, "y", "regression")
    assert list(X) == ["level"]
    assert X["level"].fillna("missing").tolist() == ["a", "a", "(other)", "missing"]
    assert y.tolist() == [1, 2, 3, 4]


def test_scores_by_hand() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=200), "level": rng.choice(["a", "b", "c"], 200)})
    y = pd.Series(np.where((X["x"] > 0) | (X["level"] == "a"), "yes", "no"))
    found = score_by_hand(X, y, "classification")
    assert found.ours > 0.97 and found.leaves == 3
    assert found.boosting > 0.9
    assert len(folds(y.to_numpy(), "classification")) == 10
    assert len(folds(np.zeros(60_000), "regression")) == 1


def test_boosting_gets_no_more_categories_than_it_takes() -> None:
    X = pd.DataFrame({"level": [f"l{n}" for n in range(300)] + ["l0"]})
    assert len(with_categories(X)["level"].cat.categories) == 255


def test_there_are_thirty_files() -> None:
    assert len(CASES) == 30 == len({case.file for case in CASES})
    assert {case.task for case in CASES} == {"classification", "regression"}


@needs_packages
@pytest.mark.parametrize("name", ["wetter.csv", "chile.xlsx", "salaries.csv", "calls.csv"])
def test_files_are_made_and_cleaned(name: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.file == name)
    X, y = case.clean(case.make(tmp_path))
    assert len(X) == len(y) > 300
    assert not any(column in X for column in case.by_hand.drop)
    for column in case.by_hand.numbers:
        assert column == case.target or pd.api.types.is_numeric_dtype(X[column])
    assert all(pd.api.types.is_numeric_dtype(X[column]) for column in case.by_hand.dates)


def test_verdicts() -> None:
    said = {"score": {"mean": 0.80}}
    hand = ByHand(ours=0.81, boosting=0.819, leaves=3)

    def verdict(run: messy_files.Run) -> str:
        return messy_files.Outcome(small_case(), 60, 4, run, hand).trouble

    assert verdict(messy_files.Run(1.0, said)) == ""
    assert verdict(messy_files.Run(1.0, {"score": {"mean": 0.79}})) == "score"
    assert verdict(messy_files.Run(1.0, {"score": None})) == "score"
    assert verdict(messy_files.Run(30.0, {}, "more than 30 s")) == "more than 30 s"


def test_the_command_is_run_on_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messy_files, "CASES", (small_case(),))
    monkeypatch.setattr(messy_files, "missing_packages", list)
    given = ["messy_files.py", "--quick", "--results", str(tmp_path), "--files", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", given)
    messy_files.main()
    (row,) = csv_rows(tmp_path / "messy_files.csv")
    assert (row["rows"], row["columns"], row["target"]) == ("60", "4", "dear")
    assert float(row["by_hand"]) == 1.0
    assert float(row["seconds"]) < 30
    assert "| small.csv | everything |" in (tmp_path / "messy_files.md").read_text()
