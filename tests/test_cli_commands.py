"""The commands beyond fit and show: prune, discretize, predict by blocks, JSON, questions."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ramify
from ramify.cli import files, main
from ramify.cli import output as out
from ramify.datasets import load_titanic, read_table_file
from ramify.datasets.readers import delimited
from ramify.pruning import BestFirst, CostComplexity


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run_command(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_command


@pytest.fixture
def titanic(tmp_path: Path) -> Path:
    table = load_titanic()
    path = tmp_path / "titanic.csv"
    columns = {**table.data, "survived": table.y}
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(c.tolist() for c in columns.values()), strict=True))
    return path


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    generator = np.random.default_rng(0)
    x, z = generator.random(300), generator.random(300)
    path = tmp_path / "numbers.csv"
    rows = [f"{a},{b},{'yes' if a > 0.5 else 'no'}" for a, b in zip(x, z, strict=True)]
    path.write_text("x,z,class\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def model(run, titanic: Path, tmp_path: Path) -> Path:
    path = tmp_path / "m.json"
    assert run("fit", titanic, "--target", "survived", "--model", path, "--folds", 0)[0] == 0
    return path


def strict_json(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_prune_lists_the_sizes_and_cuts(run, model: Path, tmp_path: Path) -> None:
    code, printed, _ = run("prune", model, "--json")
    assert code == 0
    path = strict_json(printed)
    assert path["leaves"] == ramify.load(model).pruning_path_["leaves"].tolist()
    assert path["error"] == [None] * len(path["leaves"])  # nothing was cross-validated
    assert path["selected"] is None
    small = tmp_path / "small.json"
    code, printed, _ = run("prune", model, "--leaves", 3, "--model", small)
    assert code == 0
    assert "leaves before" in printed
    assert ramify.load(small).tree_.n_leaves == ramify.load(model).prune(n_leaves=3).tree_.n_leaves
    assert run("prune", model)[1].count("\n") == len(path["leaves"]) + 1
    code, _, err = run("prune", model, "--model", small)
    assert (code, "--leaves" in err) == (2, True)
    assert run("prune", model, "--leaves", 3, "--alpha", 0.1)[0] == 2


def test_prune_tells_which_size_was_chosen(run, titanic: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("--target", "survived", "--model", path, "--folds", 0)
    assert run("fit", titanic, *given, "--pruning", "cost_complexity")[0] == 0
    code, printed, _ = run("prune", path, "--json")
    assert code == 0
    found, kept = strict_json(printed), ramify.load(path)
    assert found["leaves"][found["selected"]] == kept.tree_.n_leaves
    assert found["error"] == kept.pruning_path_.error.tolist()


def test_no_pruning_of_a_preset(run, titanic: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("--target", "survived", "--model", path, "--folds", 0, "--learner", "c45")
    assert run("fit", titanic, *given)[0] == 0
    leaves = ramify.load(path).tree_.n_leaves
    assert run("fit", titanic, *given, "--pruning", "none")[0] == 0
    assert ramify.load(path).pruning is None
    assert ramify.load(path).tree_.n_leaves > leaves
    assert run("fit", titanic, *given, "--pruning", "mdl")[0] == 0
    assert ramify.load(path).pruning == "mdl"
    assert ramify.load(path).tree_.n_leaves < ramify.load(path)._grown.n_leaves


def test_time_limit_of_the_folds_of_a_pruning(run, titanic: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("fit", titanic, "--target", "survived", "--model", path, "--folds", 0)
    for options, expected in (
        (("--pruning", "cost_complexity"), CostComplexity(time_limit=60.0)),
        (("--learner", "bftree"), BestFirst(finished_folds="drop", time_limit=60.0)),
    ):
        code, _, err = run(*given, *options, "--time-limit", 60)
        assert (code, err) == (0, "")
        assert ramify.load(path).pruning == expected
    code, _, err = run(*given, "--pruning", "auto", "--time-limit", 0)
    assert code == 0
    assert (
        err == "ramify: note: time_limit=0.0: 0 of 10 folds were finished; the tree is not pruned\n"
    )
    code, _, err = run(*given, "--learner", "c45", "--time-limit", 60)
    assert (code, "--time-limit goes with --learner optimal, and with" in err) == (2, True)


def test_rows_that_a_pruning_held_out_are_told(run, titanic: Path) -> None:
    given = ("fit", titanic, "--target", "survived", "--folds", 0, "--pruning")
    assert ", grown from 1,467 of 2,201 rows\n" in run(*given, "reduced_error")[1]
    assert ", grown from 2,201 rows\n" in run(*given, "cost_complexity")[1]


def test_discretize_finds_the_threshold_and_writes_the_table(run, numbers, tmp_path) -> None:
    path = tmp_path / "cut.csv"
    code, printed, _ = run("discretize", numbers, "--target", "class", "--output", path, "--json")
    assert code == 0
    thresholds = json.loads(printed)["thresholds"]
    assert thresholds["x"] == pytest.approx([0.5], abs=0.02)
    assert thresholds["z"] == []
    cut = read_table_file(path, target="class")
    original = read_table_file(numbers, target="class")
    assert cut.y.tolist() == original.y.tolist()
    assert (cut.data["x"] == (original.data["x"] > thresholds["x"][0])).all()
    code, printed, _ = run(
        *("discretize", numbers, "--target", "class", "--method", "mid", "--n-thresholds", 3),
        *("--encode", "thresholds", "--output", path),
    )
    assert code == 0
    assert len(read_table_file(path, target="class").data) == 3
    assert run("discretize", numbers, "--target", "class", "--n-thresholds", 3)[0] == 2


@pytest.mark.parametrize("method", ["equal_width", "equal_frequency"])
def test_discretize_without_a_target(run, numbers, tmp_path, method: str) -> None:
    path = tmp_path / "cut.csv"
    given = ("discretize", numbers, "--method", method, "--n-bins", 4, "--output", path)
    code, printed, _ = run(*given, "--json")
    assert code == 0
    thresholds = json.loads(printed)["thresholds"]
    x = read_table_file(numbers, target="class").data["x"]
    if method == "equal_width":
        assert thresholds["x"] == pytest.approx(np.linspace(x.min(), x.max(), 5)[1:-1])
    cut = read_table_file(path)
    assert set(cut.data) == {"x", "z", "class"}
    sizes = np.bincount(cut.data["x"].astype(int))
    assert len(sizes) == 4
    assert method == "equal_width" or sizes.max() - sizes.min() <= 1
    code, printed, _ = run(*given, "--target", "class")  # which stays as it is
    assert code == 0 and ", target class" in printed
    assert read_table_file(path, target="class").y.tolist() == cut.data["class"].tolist()


def test_discretize_by_a_numeric_target(run, tmp_path) -> None:
    path = tmp_path / "steps.csv"
    rng = np.random.default_rng(0)
    x = rng.random(200)
    rows = zip(x, 10 * (x > 0.3) + rng.normal(size=200), strict=True)
    path.write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in rows))
    given = ("discretize", path, "--target", "y", "--method", "mid", "--n-thresholds", "mdl")
    code, printed, _ = run(*given, "--impurity", "variance", "--json")
    assert code == 0
    assert json.loads(printed)["thresholds"]["x"][0] == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(
    ("method", "option"),
    [
        ("mdlp", ("--n-bins", 4)),
        ("equal_width", ("--n-thresholds", 4)),
        ("chimerge", ("--impurity", "gini")),
    ],
)
def test_discretize_refuses_options_of_other_methods(run, numbers, method, option) -> None:
    code, _, err = run("discretize", numbers, "--target", "class", "--method", method, *option)
    assert code == 2 and f"{option[0]} does not go with --method {method}" in err


def test_predict_does_not_depend_on_the_blocks(run, model, titanic, tmp_path, monkeypatch) -> None:
    whole = run("predict", model, titanic, "--proba")[1]
    monkeypatch.setattr(delimited, "_ROWS", 100)
    assert run("predict", model, titanic, "--proba")[1] == whole
    lines = run("predict", model, titanic, "--proba", "--json")[1].splitlines()
    rows = list(csv.DictReader(whole.splitlines()))
    assert len(rows) == len(lines) == 2201
    for row, line in zip(rows, lines, strict=True):
        assert {k: str(v) for k, v in json.loads(line).items()} == row


def test_predict_of_a_file_that_breaks_off_writes_nothing(run, model, titanic, tmp_path) -> None:
    broken, output = tmp_path / "broken.csv", tmp_path / "out.csv"
    broken.write_text(titanic.read_text() + "first,adult\n")
    output.write_text("kept")
    code, _, err = run("predict", model, broken, "--output", output)
    assert code == 2
    assert "has 2 cells" in err
    assert output.read_text() == "kept"
    assert not list(tmp_path.glob("*.part"))


def test_predict_finds_levels_that_are_no_text(run, tmp_path: Path) -> None:
    X = {"smokes": np.array([True, False] * 10, dtype=object), "age": np.arange(20.0)}
    y = np.where(X["smokes"], "ill", "well")
    path, table = tmp_path / "m.json", tmp_path / "t.csv"
    ramify.TreeClassifier().fit(X, y).save(path)
    table.write_text("age,smokes\n3,True\n4,false\n5,\n")
    assert run("predict", path, table)[1].split()[1:3] == ["ill", "well"]


def test_fit_as_json(run, numbers: Path) -> None:
    code, printed, _ = run("fit", numbers, "--target", "class", "--json", "--folds", 4)
    assert code == 0
    summary = json.loads(printed)
    assert (summary["leaves"], summary["score"]["folds"]) == (2, 4)
    assert summary["score"]["mean"] > 0.97
    code, printed, _ = run(
        *("fit", numbers, "--target", "class", "--json", "--learner", "optimal"),
        *("--max-depth", 1, "--folds", 0),
    )
    assert json.loads(printed)["proven_optimal"] is True


def test_large_tables_are_scored_on_one_part(run, numbers: Path, monkeypatch) -> None:
    from ramify.cli import score

    monkeypatch.setattr(score, "_MANY_ROWS", 100)
    assert (
        "On a fifth of the rows, held out: accuracy" in run("fit", numbers, "--target", "class")[1]
    )


@pytest.mark.parametrize("learner", ["c45", "cart", "ctree", "bftree", "id3", "chaid"])
def test_presets(run, titanic: Path, learner: str) -> None:
    code, printed, err = run("fit", titanic, "--target", "survived", "--learner", learner)
    assert (code, err) == (0, "")
    assert "10-fold cross-validation: accuracy 7" in printed


def test_chaid_predicts_numbers(run, numbers: Path) -> None:
    code, printed, err = run("fit", numbers, "--target", "x", "--learner", "chaid", "--folds", "0")
    assert (code, err) == (0, "")
    assert "x:" in printed


def test_presets_of_classes_refuse_numbers(run, numbers: Path) -> None:
    code, _, err = run("fit", numbers, "--target", "x", "--learner", "c45")
    assert code == 2
    assert "cart" in err


def test_without_a_target_the_columns_are_listed(run, titanic: Path, monkeypatch) -> None:
    code, _, err = run("fit", titanic)
    assert code == 2
    assert "--target one of: class, age, sex, survived" in err
    monkeypatch.setattr(out, "is_interactive", lambda: True)
    answers = iter(["nothing", "4"])
    monkeypatch.setattr(files.typer, "prompt", lambda *_, **__: next(answers))
    code, printed, err = run("fit", titanic, "--folds", 0)
    assert code == 0
    assert "target survived" in printed
    assert "'nothing' is not one of the columns" in err


def bad(path: Path, content: str | bytes) -> Path:
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
        ("a,a,y\n1,2,x\n", "more than once: 'a'"),
        ("y\nx\nz\n", "no column is left to predict 'y' from"),
        (b"\x00\x01\x02\x03", "not a text file"),
        (b"a,y\n\x01\x02,\x03\n", "not a text file"),
        ("a,y\n1,x\n2,z\n".encode("utf-16-le"), "--encoding utf-16-le"),
        (b"\x1f\x8b\x08\x00broken", "damaged"),
    ],
)
def test_bad_files_get_one_sentence(run, tmp_path: Path, content, message: str) -> None:
    code, _, err = run("fit", bad(tmp_path / "t.csv", content), "--target", "y")
    assert code == 2
    assert err.startswith("ramify: ")
    assert err.count("\n") == 1
    assert message in err


def test_encodings_are_found(run, tmp_path: Path) -> None:
    text = "town;paid\n" + "Köln €;ja\nKraków;nein\n" * 5
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        path = bad(tmp_path / "t.csv", text.encode(encoding))
        assert "Köln €" in run("fit", path, "--target", "paid", "--folds", 0)[1]
    western = text.replace("ó", "o")
    path = bad(tmp_path / "t.csv", western.encode("cp1252"))
    assert "Köln €" in run("fit", path, "--target", "paid", "--folds", 0)[1]


def test_line_ends_of_old_macs(run, tmp_path: Path) -> None:
    path = bad(tmp_path / "t.csv", "a;y\r1;x\r2;z\r1;x\r")
    assert "3 rows, 1 numeric" in run("fit", path, "--target", "y", "--folds", 0)[1]


def test_decimal_commas_are_noted(run, tmp_path: Path) -> None:
    text = "a;b;y\n" + "1,5;1,x;p\n2;2,5;q\n;3;q\n" * 3
    path = bad(tmp_path / "t.csv", text)
    printed = run("fit", path, "--target", "y", "--folds", 0)[1]
    assert "'a' is text like 1,5; if the comma is a decimal sign: --decimal ," in printed
    assert "'b' is text" not in printed
    printed = run("fit", path, "--target", "y", "--folds", 0, "--decimal", ",")[1]
    assert "1 numeric" in printed
    assert "--decimal" not in printed
    printed = run("fit", path, "--target", "a", "--folds", 0)[1]
    assert "'a' is text like 1,5" in printed


def test_a_missing_folder_is_noticed_before_anything_is_read(run, tmp_path: Path) -> None:
    for option in ("--model", "--report"):
        code, _, err = run("fit", "nothing.csv", "--target", "y", option, tmp_path / "no" / "x")
        assert (code, "there is no folder" in err) == (2, True)


def test_reading_a_table_loads_no_learner(titanic: Path) -> None:
    code = f"""if True:
        import sys
        from ramify.cli import files, output, target
        from ramify.datasets import read_table_file
        read_table_file({str(titanic)!r}, target="survived")
        assert "sklearn" not in sys.modules, "a wrong file name would take seconds to be told"
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ten_thousand_columns(run, tmp_path: Path) -> None:
    names = ",".join(f"c{j}" for j in range(10_000))
    rows = [",".join(["1" if i == j % 7 else "0" for j in range(10_000)]) for i in range(7)]
    content = f"{names},y\n" + "".join(f"{row},{'ab'[i % 2]}\n" for i, row in enumerate(rows))
    code, printed, err = run("fit", bad(tmp_path / "wide.csv", content), "--target", "y")
    assert (code, err) == (0, "")
    assert "10000 numeric" in printed


def test_models_of_several_trees_predict_only(run, titanic: Path, tmp_path: Path) -> None:
    table, path = load_titanic(), tmp_path / "b.json"
    ramify.BoostedTreesClassifier(n_rounds=2).fit(table.data, table.y).save(path)
    assert run("predict", path, titanic)[0] == 0
    for command in (["show"], ["show", "--json"], ["export", "--to", "sql"], ["report"]):
        code, _, err = run(command[0], path, *command[1:])
        assert (code, "is not one tree" in err) == (2, True)


def test_compare_prints_marks_and_writes_the_page(run, numbers: Path, tmp_path: Path) -> None:
    page, store = tmp_path / "page.html", tmp_path / "runs.jsonl"
    options = ("--target", "class", "--learners", "cart,ctree", "--folds", 3, "--store", store)
    code, printed, err = run("compare", numbers, *options, "--output", page)
    assert (code, err) == (0, "")
    assert "learner" in printed
    assert printed.count("cart") >= 2
    assert "has the highest mean accuracy" in printed or "have the highest" in printed
    assert "Always answering the most frequent class is" in printed
    assert "<h1>Predicting class in numbers.csv</h1>" in page.read_text(encoding="utf-8")
    kept = store.read_text()
    code, printed, _ = run("compare", numbers, *options, "--json")
    assert code == 0
    assert len(json.loads(printed)["results"]) == 6
    added = store.read_text().removeprefix(kept)
    assert [json.loads(line)["kind"] for line in added.splitlines()] == ["run"]  # and no fold
    assert (tmp_path / "numbers-comparison.html").exists()
    for wrong in ("cart", "cart,tree", "cart,cart"):
        code, _, err = run("compare", numbers, "--target", "class", "--learners", wrong)
        assert (code, "--learners" in err) == (2, True)


def test_compare_of_numbers(run, numbers: Path) -> None:
    code, printed, _ = run(
        *("compare", numbers, "--target", "x", "--folds", 2, "--learners", "cart,ctree")
    )
    assert code == 0
    assert "R²" in printed
