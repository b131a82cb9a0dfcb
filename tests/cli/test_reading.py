"""The files that commands read: damaged ones get one sentence, encodings are found."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from helpers.command_line import one_line
from helpers.processes import run_python


def written(path: Path, content: str | bytes) -> Path:
    if isinstance(content, str):
        content = content.encode()
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("a,b,y\n", "a header but no rows"),
        ("a,b,y\n1,2,x\n1,2\n", "data row 2 has 2 cells, but the header has 3"),
        ("a#b#y\n1#2#x\n3#4#z\n", "--delimiter"),
        ("a,b,y\n1,2,x\n3,4,x\n", "'y' is 'x' in every row"),
        ("a,b,y\n1,2,\n3,4,\n", "'y' has no known value"),
        ("a,b,z\n1,2,x\n3,4,x\n", "target 'y' is not in the table"),
        ("y\nx\nz\n", "no column is left to predict 'y' from"),
        (b"\x00\x01\x02\x03", "not a text file"),
        (b"a,y\n\x01\x02,\x03\n", "not a text file"),
        ("a,y\n1,x\n2,z\n".encode("utf-16-le"), "--encoding utf-16-le"),
        (b"\x1f\x8b\x08\x00broken", "damaged"),
    ],
)
def test_bad_files_get_one_sentence(run, tmp_path: Path, content, message: str) -> None:
    code, _, err = run("fit", written(tmp_path / "t.csv", content), "--target", "y")
    assert code == 2
    assert one_line(err)
    assert message in err


def test_encodings_are_found(run, tmp_path: Path) -> None:
    text = "town;paid\n" + "Köln €;ja\nKraków;nein\n" * 5
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        path = written(tmp_path / "t.csv", text.encode(encoding))
        assert "Köln €" in run("fit", path, "--target", "paid", "--folds", 0)[1]
    western = text.replace("ó", "o")
    path = written(tmp_path / "t.csv", western.encode("cp1252"))
    assert "Köln €" in run("fit", path, "--target", "paid", "--folds", 0)[1]


def test_line_ends_of_old_macs(run, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a;y\r1;x\r2;z\r1;x\r")
    assert "3 rows, 1 numeric" in run("fit", path, "--target", "y", "--folds", 0)[1]


def test_decimal_commas_are_found(run, tmp_path: Path) -> None:
    text = "a;b;y\n" + "1,5;1,x;p\n2;2,5;q\n;3;q\n" * 3
    path = written(tmp_path / "t.csv", text)
    printed = run("fit", path, "--target", "y", "--folds", 0)[1]
    assert "a is text, read as number: 1,5 -> 1.5" in printed
    assert "b is text" not in printed
    printed = run("fit", path, "--target", "y", "--folds", 0, "--decimal", ",")[1]
    assert "1 numeric" in printed
    assert "a is text" not in printed
    printed = run("fit", path, "--target", "a", "--folds", 0, "--task", "regression")[1]
    assert "target a is text, read as number: 1,5 -> 1.5" in printed


def test_repeated_names_are_numbered(run, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "a,a,,y\n" + "1,2,5,x\n3,4,5,z\n" * 5)
    code, printed, _ = run("fit", path, "--target", "y", "--folds", 0)
    assert code == 0
    assert "the second is called a_2" in printed
    assert "Column 3 has no name: it is called column_3" in printed


def test_a_model_reads_dates_and_money_again(run, tmp_path: Path) -> None:
    """A model grown from a German file predicts rows of that form, and typed rows of a workbook."""
    days = [f"{1 + i % 28:02}.{1 + i % 12:02}.20{10 + i % 9}" for i in range(120)]
    late = [str(int(day[-2:]) > 14) for day in days]
    sums = [f"{1 + i % 9}.{i % 10}00,50 €" for i in range(120)]
    rows = [";".join(row) for row in zip(days, sums, late, strict=True)]
    path = written(tmp_path / "t.csv", "\n".join(["tag;preis;y", *rows]) + "\n")
    model = tmp_path / "m.json"
    options = ("--folds", 0, "--selection", "criterion")  # both columns tell, and the first wins
    printed = run("fit", path, "--target", "y", "--model", model, *options)[1]
    assert "read as date" in printed and "tag < 20" in printed
    predicted = run("predict", model, path)[1].split()[1:]
    assert predicted == late
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["tag", "preis"])
    book.active.append([dt.datetime(2012, 3, 4), 1234.5])
    book.active.append([dt.datetime(2017, 3, 4), None])
    book.save(tmp_path / "t.xlsx")
    assert run("predict", model, tmp_path / "t.xlsx")[1].split()[1:] == ["False", "True"]
    lines = '{"tag": "04.03.2012", "preis": "5 €"}\n{"tag": null}\n'
    code, printed, _ = run("predict", model, written(tmp_path / "t.jsonl", lines))
    assert code == 0 and printed.split()[1] == "False"


def test_a_sheet_may_be_that_of_the_test_file_alone(run, numbers: Path, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.create_sheet("May")
    for row in [("x", "z", "class"), *[(0.1, 0.5, "no"), (0.9, 0.5, "yes")] * 9]:
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    pair = (numbers, tmp_path / "t.xlsx")
    for train, test in (pair, pair[::-1]):
        given = ("--target", "class", "--test", test, "--sheet", "May")
        code, _, err = run("fit", train, *given)
        assert code == 0, err


def test_reading_a_table_loads_no_learner(titanic: Path) -> None:
    code = f"""if True:
        import sys
        from ramify.cli import files, output
        from ramify.steps import target
        from ramify.datasets import read_table_file
        read_table_file({str(titanic)!r}, target="survived")
        assert "sklearn" not in sys.modules, "a wrong file name would take seconds to be told"
    """
    run_python(code)
