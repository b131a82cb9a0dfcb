"""The command fit: what it prints and saves, and what its options do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.command_line import one_line
from helpers.csv_files import write_csv

import ramify
from ramify.cli import columns as columns_of_tables
from ramify.cli import output, score
from ramify.pruning import BestFirst, CostComplexity


def test_fit_prints_the_tree_its_size_and_score(run, weather: Path) -> None:
    given = ("fit", weather, "--target", "play", "--folds", "3", "--max-depth", "2")
    code, out, err = run(*given, "--pruning", "none")
    assert (code, err) == (0, "")
    in_order = (
        "weather.csv: 14 rows, 2 numeric and 2 nominal columns, target play\n",
        "- target play: 2 classes, yes 64 %, no 36 %\n",
        "3-fold cross-validation: accuracy",
        "(always the largest class: 6",
        "On the training rows: accuracy",
        "grown from 14 rows\n",
        "\nplay: 14 rows, yes 64 %\n",
        "\nNext\n",
        "--model weather-tree.json --report weather-tree.html  save the tree",
        "ramify compare",
    )
    places = [out.find(text) for text in in_order]
    assert -1 not in places, in_order[places.index(-1)]
    assert places == sorted(places)


def test_a_page_is_not_advised_that_takes_training_rows_for_test_rows(run, weather, tmp_path):
    given = ("fit", weather, "--target", "play", "--folds", 0, "--model", tmp_path / "m.json")
    _, out, _ = run(*given)
    assert f"--report {tmp_path / 'm.html'}  a page to read and to show" in out
    assert "ramify report" not in out


def test_fit_prunes_unless_told_otherwise(run, titanic: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("fit", titanic, "--target", "survived", "--model", path, "--folds", 0)
    assert run(*given)[0] == 0
    small = ramify.load(path)
    assert small.pruning == "auto"
    assert run(*given, "--pruning", "none")[0] == 0
    assert ramify.load(path).pruning is None
    assert ramify.load(path).tree_.n_leaves > small.tree_.n_leaves
    assert run(*given, "--learner", "cart")[0] == 0
    assert ramify.load(path).pruning is None  # a classic keeps its own
    assert small.n_jobs == -1


@pytest.mark.parametrize(("n_rows", "leaf"), [(400, 20), (50, 5), (8, 1)])
def test_the_settings_of_fit_where_nothing_is_said(run, tmp_path: Path, n_rows, leaf) -> None:
    x = np.arange(n_rows) / 8
    file = write_csv(tmp_path / "n.csv", {"x": x.tolist(), "y": np.sqrt(x).tolist()})
    path = tmp_path / "m.json"
    given = ("fit", file, "--target", "y", "--task", "regression", "--model", path, "--folds", 0)
    given += ("--use", "x")
    assert run(*given)[0] == 0
    found = ramify.load(path)
    assert (found.missing, found.min_samples_leaf) == ("direction", leaf)
    assert found.selection == "criterion"  # of numbers
    assert run(*given, "--min-samples-leaf", 2, "--missing-gain", "divided")[0] == 0
    found = ramify.load(path)
    assert (found.missing, found.min_samples_leaf) == ("fractional", 2)
    assert run(*given, "--learner", "cart")[0] == 0
    found = ramify.load(path)
    assert (found.missing, found.min_samples_leaf) == ("fractional", 1)  # a classic keeps its own


def test_fit_chooses_columns_of_classes_beyond_chance(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("fit", weather, "--target", "play", "--model", path, "--folds", 0)
    for options, selection in (
        ((), "beyond_chance"),
        (("--selection", "criterion"), "criterion"),
        (("--learner", "cart"), "criterion"),
    ):
        assert run(*given, *options)[0] == 0
        assert ramify.load(path).selection == selection


def test_fit_options_reach_the_estimator(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = "--max-depth 3 --max-leaves 4 --min-samples-leaf 2 --criterion entropy"
    options += " --growth best_first --missing separate --folds 0 --ignore windy"
    assert run("fit", weather, "--target", "play", "--model", path, *options.split())[0] == 0
    loaded = ramify.load(path)
    assert loaded.schema_.names == ["outlook", "temperature", "humidity"]
    asked = {"max_depth": 3, "max_leaves": 4, "min_samples_leaf": 2, "criterion": "entropy"}
    asked |= {"growth": "best_first", "missing": "separate"}
    assert {k: v for k, v in loaded.get_params().items() if k in asked} == asked


def test_fit_with_constraints(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = ("--monotone", "temperature=+1, humidity=-1:yes", "--min-weight-fraction-leaf", 0.1)
    assert run("fit", weather, "--target", "play", "--model", path, *options)[0] == 0
    loaded = ramify.load(path)
    assert loaded.monotone == {"temperature": 1, "humidity": (-1, "yes")}
    assert loaded.min_weight_fraction_leaf == 0.1
    code, _, err = run("fit", weather, "--target", "play", "--monotone", "humidity=2")
    assert code != 0 and "--monotone: 'humidity=2' is not column=+1" in err
    code, _, err = run("fit", weather, "--target", "play", "--monotone", "outlook=1")
    assert code != 0 and "column 'outlook' is nominal" in err
    code, _, err = run("fit", weather, "--target", "play", "--monotone", "humidity=1,humidity=-1")
    assert code != 0 and "--monotone names 'humidity' twice" in err


def test_fit_an_optimal_tree(run, weather: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    options = ("--learner", "optimal", "--max-depth", "2", "--time-limit", "60", "--folds", "2")
    code, out, err = run("fit", weather, "--target", "play", "--model", path, *options)
    assert (code, err) == (0, "")
    assert "no tree of this depth has a smaller training error" in out
    loaded = ramify.load(path)
    assert isinstance(loaded, ramify.OptimalTreeClassifier)
    assert loaded.get_params()["time_limit"] == 60.0
    assert loaded.proven_optimal_
    code, out, _ = run(
        "fit", weather, "--target", "humidity", "--learner", "optimal", "--max-depth", "1"
    )
    assert code == 0
    code, out, err = run("fit", weather, "--target", "play", *options, "--criterion", "gini")
    assert code == 2 and one_line(err)
    assert "--criterion does not go with --learner optimal; it goes with greedy and" in err


def test_what_an_optimal_tree_is_best_in(run, numbers: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    search = ("--target", "class", "--learner", "optimal", "--max-depth", "1", "--folds", "0")
    code, out, err = run(
        *("fit", numbers, *search, "--model", path, "--sparsity", "0.02"),
        *("--min-recall", "yes=0.9", "--objective", "balanced_accuracy"),
    )
    assert (code, err) == (0, "")
    assert "with a recall of at least 0.9 for yes" in out
    loaded = ramify.load(path)
    assert loaded.min_recall == {"yes": 0.9}
    assert (loaded.objective, loaded.sparsity) == ("balanced_accuracy", 0.02)
    code, out, _ = run("fit", numbers, *search, "--objective", "f1", "--positive", "yes")
    assert code == 0 and "1 - F1 of yes" in out
    for wrong, words in (
        (("--min-recall", "maybe=0.9"), "--min-recall: 'maybe' is not a class of the target"),
        (("--min-recall", "yes"), "--min-recall: 'yes' is not a class with its recall"),
        (("--objective", "f1", "--positive", "maybe"), "--positive: 'maybe' is not a class"),
        (("--objective", "roc"), "--objective 'roc' is not valid; choose from"),
    ):
        code, _, err = run("fit", numbers, *search, *wrong)
        assert code == 2 and one_line(err) and words in err


def test_a_warning_of_many_folds_is_one_note(run, tmp_path: Path) -> None:
    columns = {"x": list(range(40)), "y": ["a", "b"] * 20}
    file = write_csv(tmp_path / "t.csv", columns)
    options = ("--learner", "optimal", "--max-depth", "1", "--upper-bound", "0.01")
    code, _, err = run("fit", file, "--target", "y", *options, "--folds", 4)
    assert code == 0
    first, second = err.splitlines()
    assert first.startswith("ramify: note: the search for an optimal tree found no tree below")
    assert second.startswith("ramify: note: in 4 of 4 folds of the score: the search for an")


def test_tasks(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    columns = {"x": x.tolist(), "few": (x > 0).astype(int).tolist(), "many": (3 * x).tolist()}
    file, path = write_csv(tmp_path / "t.csv", columns), tmp_path / "m.json"
    small = ("--max-depth", "3", "--folds", "2", "--model", path)
    code, out, _ = run("fit", file, "--target", "many", *small)
    assert code == 0
    assert "target many: numbers from -" in out
    assert "R2 0." in out
    assert run("predict", path, file, "--proba")[0] == 2
    code, out, _ = run("fit", file, "--target", "few", "--ignore", "many", *small)
    assert "target few: 2 classes, class 1 5" in out
    assert "--task regression reads them as numbers" in out
    assert ramify.load(path).classes_.tolist() == [0, 1]
    assert run("fit", file, "--target", "few", "--task", "regression", *small)[0] == 0
    assert isinstance(ramify.load(path), ramify.TreeRegressor)


def test_large_trees_are_cut(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    columns = {"x": rng.normal(size=500).tolist(), "y": rng.choice(["a", "b"], 500).tolist()}
    file = write_csv(tmp_path / "t.csv", columns)
    out = run("fit", file, "--target", "y", "--folds", "0", "--pruning", "none")[1]
    assert "--show-depth" in out
    assert "--pruning auto finds a smaller tree" in out
    assert len(out.splitlines()) < 60


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
    monkeypatch.setattr(score, "MANY_ROWS", 100)
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
    assert ramify.load(path).tree_.n_leaves < ramify.load(path).fitted_.grown.n_leaves


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


def test_a_missing_folder_is_noticed_before_anything_is_read(run, tmp_path: Path) -> None:
    for option in ("--model", "--report"):
        code, _, err = run("fit", "nothing.csv", "--target", "y", option, tmp_path / "no" / "x")
        assert (code, "there is no folder" in err) == (2, True)


def test_ten_thousand_columns(run, tmp_path: Path) -> None:
    names = ",".join(f"c{j}" for j in range(10_000))
    rows = [",".join(["1" if i == j % 7 else "0" for j in range(10_000)]) for i in range(7)]
    content = f"{names},y\n" + "".join(f"{row},{'ab'[i % 2]}\n" for i, row in enumerate(rows))
    file = tmp_path / "wide.csv"
    file.write_text(content)
    code, printed, err = run("fit", file, "--target", "y")
    assert (code, err) == (0, "")
    assert "10,000 numeric" in printed
    assert len(printed.splitlines()) < 40


@pytest.mark.parametrize("labels", [("0", "1"), ("true", "false"), ("yes", "no"), ("1", "2")])
def test_reports_of_targets_of_any_type(run, tmp_path: Path, labels: tuple[str, str]) -> None:
    x = list(range(60))
    file = write_csv(tmp_path / "t.csv", {"x": x, "y": [labels[i > 30] for i in x]})
    model, page = tmp_path / "m.json", tmp_path / "r.html"
    given = ("--target", "y", "--test", file, "--report", page, "--model", model)
    code, printed, err = run("fit", file, *given)
    assert (code, err) == (0, "")
    assert "On t.csv: accuracy 100.0 %" in printed
    assert "is the file that the tree was grown from" in printed
    code, _, err = run("report", model, file, "--output", page)
    assert (code, err) == (0, "")
    wrong = write_csv(tmp_path / "wrong.csv", {"x": x, "y": ["maybe"] * 60})
    code, _, err = run("report", model, wrong, "--output", page)
    assert one_line(err) or code == 0
    assert "Unknown label type" not in err


def test_a_test_file_is_scored_alone(run, numbers: Path, tmp_path: Path) -> None:
    test = tmp_path / "test.csv"
    lines = numbers.read_text().splitlines()
    test.write_text("\n".join(lines[:101]) + "\n")
    code, printed, err = run("fit", numbers, "--target", "class", "--test", test)
    assert (code, err) == (0, "")
    assert "On test.csv: accuracy" in printed
    assert "cross-validation" not in printed
    printed = run("fit", numbers, "--target", "class", "--test", test, "--folds", 3)[1]
    assert printed.index("On test.csv") < printed.index("3-fold cross-validation")
    printed = run("fit", numbers, "--target", "class", "--test", test, "--json")[1]
    score = json.loads(printed)["score"]
    assert (score["how"], score["rows"], score["folds"]) == ("test.csv", 100, 1)


def test_the_report_keeps_the_printed_score(run, numbers: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    code, printed, _ = run("fit", numbers, "--target", "class", "--report", page, "--folds", 4)
    assert code == 0
    assert "4-fold cross-validation" in printed
    assert "4-fold cross-validation" in page.read_text(encoding="utf-8")


def test_large_tables_grow_one_tree_from_four_fifths(run, numbers: Path, monkeypatch) -> None:
    monkeypatch.setattr(score, "MANY_ROWS", 100)
    printed = run("fit", numbers, "--target", "class")[1]
    assert ", grown from 240 of 300 rows\n" in printed
    assert "\nclass: 240 rows" in printed
    found = json.loads(run("fit", numbers, "--target", "class", "--json")[1])
    assert (found["rows"], found["grown_from"], found["score"]["rows"]) == (300, 240, 60)


def test_identifiers_are_left_out_and_can_be_used(run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, 200)
    columns = {"customer_id": [f"C-{i:05d}" for i in range(200)], "age": age.tolist()}
    file = write_csv(tmp_path / "t.csv", {**columns, "paid": np.where(age > 40, "yes", "no")})
    code, printed, err = run("fit", file, "--target", "paid")
    assert (code, err) == (0, "")
    line = next(line for line in printed.splitlines() if "customer_id looks like" in line)
    assert line.endswith("Left out; --use customer_id keeps it.")
    found = json.loads(run("fit", file, "--target", "paid", "--json")[1])
    assert (found["left_out"], found["columns"]) == (["customer_id"], ["age"])
    code, printed, err = run("fit", file, "--target", "paid", "--use", "customer_id", "--json")
    assert (code, err) == (0, "")
    assert json.loads(printed)["columns"] == ["customer_id", "age"]
    code, _, err = run("fit", file, "--target", "paid", "--use", "id")
    assert (code, "--use: column 'id' is not in the table" in err) == (2, True)


def test_many_classes_are_questioned_before_the_fit(run, tmp_path: Path, monkeypatch) -> None:
    columns = {"x": list(range(300)), "y": [f"k{i % 150}" for i in range(300)]}
    file = write_csv(tmp_path / "t.csv", columns)
    code, printed, _ = run("fit", file, "--target", "y", "--folds", 0)
    assert code == 0
    assert "! y has 150 classes" in printed
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    monkeypatch.setattr(columns_of_tables.typer, "confirm", lambda *_, **__: False)
    monkeypatch.setattr(ramify.TreeClassifier, "fit", None)  # it is not called
    code, _, err = run("fit", file, "--target", "y", "--folds", 0)
    assert code == 2
    assert "y has 150 classes" in err
    assert "stopped before anything was grown" in err


def test_rare_levels_and_parts_of_dates_are_options(run, titanic: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    given = ("fit", titanic, "--target", "survived", "--folds", 0, "--model", path)
    assert run(*given, "--min-level-count", 400, "--date-parts", "month,hour")[0] == 0
    assert "(other)" in ramify.load(path).schema_["class"].levels
    assert ramify.load(path).date_parts == ("month", "hour")
    code, _, err = run(*given, "--date-parts", "minute")
    assert (code, "'minute' is not a part; give" in err) == (2, True)


def test_what_options_did_is_said(run, tmp_path: Path) -> None:
    rows = range(200)
    columns = {
        "key": [f"K{i:03}" for i in rows],
        "level": ["abc"[i % 3] if i % 5 else f"rare{i // 20}" for i in rows],
        "day": [f"{1 + i % 28:02}.{1 + i % 12:02}.2020" for i in rows],
        "x": list(rows)[::-1],
        "y": ["no" if i % 7 < 3 else "yes" for i in rows],
    }
    file, page = write_csv(tmp_path / "t.csv", columns), tmp_path / "r.html"
    fit = ("fit", file, "--target", "y", "--folds", 0)
    _, out, _ = run(*fit, "--min-level-count", 4)
    assert "Levels of fewer than 4 rows are pooled; --min-level-count 1 keeps them." in out
    _, out, _ = run(*fit, "--min-level-count", 1)
    assert "Kept; --min-level-count 5 pools them." in out
    code, _, _ = run(*fit, "--use", "key", "--report", page)
    assert code == 0
    assert "key looks like an identifier" not in page.read_text()
    code, _, err = run(*fit, "--date-parts", "month,year")
    assert code == 2
    assert one_line(err)
    assert err.startswith("ramify: --date-parts month,year: 'year' is not a part; give auto")


def test_a_target_in_disguise_names_the_option_that_keeps_the_text(run, tmp_path: Path) -> None:
    prices = ["unknown" if i % 10 == 0 else f"${1000 + 7 * i:,}" for i in range(100)]
    file = write_csv(tmp_path / "t.csv", {"x": [i * 7 % 31 for i in range(100)], "price": prices})
    _, out, _ = run("fit", file, "--target", "price", "--folds", 0)
    assert "missing: 'unknown'; --nominal price keeps the text\n" in out


def test_missing_cells_that_tell_take_one_side(run, tmp_path: Path) -> None:
    file, model = tmp_path / "t.csv", tmp_path / "m.json"
    rows = [f"{'' if i % 2 else i % 7},{i % 5},{'no' if i % 2 else 'yes'}" for i in range(80)]
    file.write_text("\n".join(["cause,size,dead", *rows]) + "\n")
    given = ("fit", file, "--target", "dead", "--folds", 0, "--model", model)
    _, out, _ = run(*given)
    assert "cause is missing in 50 % of the rows" in out
    assert "cause is missing: no (40 rows, 100 %)" in out
    assert ramify.load(model).missing == "direction"
    _, out, _ = run(*given, "--missing", "fractional")
    assert "cause is missing in" not in out
    assert ramify.load(model).missing == "fractional"
