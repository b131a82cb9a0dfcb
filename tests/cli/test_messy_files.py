"""What the commands say of files as people have them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv

N = 60
DAYS = [f"{i % 28 + 1:02}.{i % 12 + 1:02}.{2019 + i % 3}" for i in range(N)]
PAID = ["yes" if i % 3 else "no" for i in range(N)]


def said(run: Any, *arguments: object) -> str:
    code, printed, err = run(*arguments)
    assert (code, err) == (0, "")
    return str(printed)


def _words(printed: str) -> str:
    return " ".join(printed.split())


def test_a_word_between_dates_is_no_date_and_the_advice_works(run: Any, tmp_path: Path) -> None:
    table = {"sold": ["call Bob", *DAYS[1:]], "n": ["", *range(1, N)], "paid": PAID}
    file = write_csv(tmp_path / "t.csv", table)
    printed = said(run, "profile", file, "--target", "paid")
    assert "because 'call Bob' is no date (1 row); --na 'call Bob' --na '' reads that" in printed
    printed = said(run, "profile", file, "--target", "paid", "--na", "call Bob", "--na", "")
    rows = [line.split()[:2] for line in printed.splitlines()]
    assert ["sold", "date"] in rows and ["n", "numeric"] in rows


def test_unknown_in_other_languages_is_a_gap_between_dates(run: Any, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "t.csv", {"sold": ["unbekannt", *DAYS[1:]], "paid": PAID})
    assert "sold is text, read as date" in said(run, "profile", file, "--target", "paid")


def test_one_finding_that_is_not_shown_is_one_finding(run: Any, tmp_path: Path) -> None:
    table: dict[str, Any] = {f"sum{j}": [f"${i * j % 50}" for i in range(N)] for j in (3, 7, 9)}
    table |= {f"same{j}": [j] * N for j in range(4)}
    table |= {f"key{j}": [f"K-{j}{i:03}" for i in range(N)] for j in range(2)}
    file = write_csv(tmp_path / "t.csv", {**table, "paid": PAID})
    printed = said(run, "fit", file, "--target", "paid", "--folds", 0)
    assert "1 more finding: ramify profile" in printed


def test_a_column_of_blanks_is_said_to_be_one(run: Any, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "t.csv", {"note": [""] * N, "x": range(N), "paid": PAID})
    printed = said(run, "profile", file, "--target", "paid", "--na", "?")
    assert "note is blank text in every row" in printed


def test_a_target_of_one_class_or_none_is_said_to_be_one(run: Any, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "t.csv", {"x": range(N), "y": ["same"] * N, "z": [""] * N})
    assert "y: the same in every row" in said(run, "profile", file, "--target", "y")
    assert "z: no known value" in said(run, "profile", file, "--target", "z")


def test_classes_that_differ_only_in_case_are_named(run: Any, tmp_path: Path) -> None:
    classes = ["Yes", "yes", "No", "no", "maybe"] * 12
    file = write_csv(tmp_path / "t.csv", {"x": [i % 7 for i in range(N)], "y": classes})
    printed = said(run, "fit", file, "--target", "y", "--folds", 0)
    assert "No and no, Yes and yes are different classes, but differ only in case" in printed


def test_advice_can_be_typed(run: Any, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "t.csv", {"x": range(N), "sold on": DAYS})
    code, _, err = run("fit", file, "--target", "sold on")
    assert code == 2 and one_line(err)
    assert "--nominal 'sold on' to take" in err


def test_no_words_of_other_libraries(run: Any, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "t.csv", {"x": range(N), "y": [i * 7 % 59 for i in range(N)]})
    printed = said(run, "discretize", file, "--target", "y")  # no warning of scikit-learn
    advice = "--method mid --impurity variance"
    assert f"target y: every number is a class; {advice} takes them as numbers" in printed
    assert "every number" not in said(run, "discretize", file, "--target", "y", *advice.split())


def test_dates_are_cut_at_dates(run: Any, tmp_path: Path) -> None:
    late = ["late" if day.endswith("2021") else "early" for day in DAYS]
    file = write_csv(tmp_path / "t.csv", {"sold": DAYS, "y": late})
    assert "sold: 2021-0" in said(run, "discretize", file, "--target", "y")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["prune"], "Missing argument 'MODEL'; ramify prune --help lists what it takes"),
        (["prune", "m", "t"], "(t); ramify prune --help lists"),
        (["prune", "m", "--output", "t"], "--output; ramify prune --help lists"),
        (["fit", "t", "--trget", "y"], "(Possible options:"),
    ],
)
def test_what_cannot_be_parsed_tells_where_to_look(run: Any, typed: Any, message: str) -> None:
    code, _, err = run(*typed)
    assert code == 2 and one_line(err)
    assert message in err


def test_kept_numbers_keep_their_digits(run: Any, tmp_path: Path) -> None:
    ids = [str(1_800_000_000_000_000_000 + 3 * (i % 7)) for i in range(N)]
    sums = [f"{i % 9}.50" for i in range(N)]
    file = write_csv(tmp_path / "t.csv", {"key": ids, "sum": sums, "paid": PAID})
    model = tmp_path / "m.json"
    said(run, "fit", file, "--target", "paid", "--folds", 0, "--model", model, "--use", "key")
    printed = said(run, "predict", model, file, "--keep", "key", "--keep", "sum")
    rows = list(csv.DictReader(printed.splitlines()))
    assert [row["key"] for row in rows] == ids
    assert [row["sum"] for row in rows] == sums
    assert said(run, "predict", model, file).split() == [
        "prediction",
        *(row["prediction"] for row in rows),
    ]
    file.write_text("key,sum\n1,2.5\n1,two\n")
    code, _, err = run("predict", model, file, "--keep-all")
    assert code == 2 and one_line(err)
    assert "column 'sum' should hold numbers, but data row 2 has 'two'" in err


def test_long_keys_are_identifiers(run: Any, tmp_path: Path) -> None:
    keys = [2**63 + i for i in range(N)]
    file = write_csv(
        tmp_path / "t.csv", {"key": keys, "x": [i % 7 for i in range(N)], "paid": PAID}
    )
    printed = _words(said(run, "profile", file, "--target", "paid"))
    assert "key looks like an identifier: 60 different texts in 60 rows. left out" in printed
    assert "'key' is text, because a number keeps 15 digits" in printed
    printed = _words(said(run, "profile", file, "--target", "paid", "--numeric", "key"))
    assert "keeps 15 digits" not in printed
    repeated = write_csv(tmp_path / "r.csv", {"key": [k // 20 * 20 for k in keys], "paid": PAID})
    printed = _words(said(run, "profile", repeated, "--target", "paid"))
    assert "kept as text; --numeric key rounds them" in printed


def test_several_units_and_ways_to_write_dates_are_findings(run: Any, tmp_path: Path) -> None:
    days = [day if i % 3 else "-".join(day.split(".")[::-1]) for i, day in enumerate(DAYS)]
    weights = [f"{60 + i % 9} kg" if i % 2 else f"{130 + i % 9} lbs" for i in range(N)]
    file = write_csv(tmp_path / "t.csv", {"sold": days, "weight": weights, "paid": PAID})
    printed = _words(said(run, "profile", file, "--target", "paid"))
    assert "its dates are written in 2 ways: 40 rows like 02.02.2020 and 20 rows like" in printed
    assert "several units: 30 rows like 130 lbs and 30 rows like 61 kg; convert" in printed
