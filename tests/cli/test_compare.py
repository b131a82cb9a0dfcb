"""The command compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_compare_prints_the_verdict_and_writes_the_page(
    run, numbers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    page, store = tmp_path / "page.html", tmp_path / "runs.jsonl"
    options = ("--target", "class", "--learners", "cart,ctree", "--folds", 3, "--store", store)
    code, printed, err = run("compare", numbers, *options, "--output", page)
    assert (code, err) == (0, "")
    first = printed.splitlines()[0]
    assert "as good as each other" in first or "wins, surely" in first
    assert "largest class" in printed and " % ± " in printed
    assert "<h1>Predicting class in numbers.csv</h1>" in page.read_text(encoding="utf-8")
    kept = store.read_text()
    code, printed, _ = run("compare", numbers, *options, "--json")
    assert code == 0
    found = json.loads(printed)
    assert len(found["results"]) == 9
    assert found["verdict"][0] == first
    assert 0 < found["learners"]["cart"]["accuracy"]["mean"] <= 1
    added = store.read_text().removeprefix(kept)
    assert [json.loads(line)["kind"] for line in added.splitlines()] == [
        "run"
    ]  # no fold is run again
    # In the working directory, not beside the data.
    assert (here / "numbers-comparison.html").exists()
    assert not (numbers.parent / "numbers-comparison.html").exists()


@pytest.mark.parametrize("wrong", ["cart", "cart,tree", "cart,cart", "cart,boosted,boosted"])
def test_learners_that_cannot_be_compared(run, numbers: Path, wrong: str) -> None:
    code, _, err = run("compare", numbers, "--target", "class", "--learners", wrong)
    assert (code, "--learners" in err) == (2, True)


def test_compare_and_fit_give_the_same_score(run, numbers: Path, tmp_path: Path) -> None:
    target = ("--target", "class", "--json")
    _, printed, _ = run("fit", numbers, *target, "--pruning", "auto")
    fitted = json.loads(printed)["score"]
    _, printed, _ = run(
        *("compare", numbers, *target, "--learners", "cart,ctree", "--scores", "accuracy,brier"),
        *("--output", tmp_path / "page.html"),
    )
    learners = json.loads(printed)["learners"]
    assert learners["cart"]["accuracy"]["mean"] == pytest.approx(fitted["mean"])
    assert learners["cart"]["accuracy"]["spread"] == pytest.approx(fitted["spread"])
    assert learners["cart"]["brier"]["mean"] == pytest.approx(fitted["scores"]["brier"]["mean"])
    assert learners["largest class"]["accuracy"]["mean"] == pytest.approx(fitted["baseline"])


def test_scores_by_name(run, numbers: Path, tmp_path: Path) -> None:
    command = (
        "compare",
        numbers,
        "--target",
        "class",
        "--learners",
        "cart,c45,boosted",
        "--folds",
        2,
    )
    output = ("--output", tmp_path / "page.html")
    code, printed, err = run(*command, "--scores", "roc_auc,f1,n_leaves", *output)
    assert (code, err) == (0, "")
    header = next(line for line in printed.splitlines() if line.startswith("learner"))
    assert "ROC AUC" in header and "F1" in header and "accuracy" not in header
    assert "Boosted trees (many trees, for reference) are" in printed
    code, _, err = run(*command, "--scores", "auc", *output)
    assert code == 2
    assert "--scores: 'auc' is not one of accuracy, balanced_accuracy, roc_auc" in err


def test_compare_of_numbers(run, numbers: Path, tmp_path: Path) -> None:
    code, printed, _ = run(
        *("compare", numbers, "--target", "x", "--folds", 2, "--learners", "cart,ctree"),
        *("--output", tmp_path / "page.html"),
    )
    assert code == 0
    assert "R2" in printed and "mean alone" in printed
    code, _, err = run("compare", numbers, "--target", "x", "--learners", "cart,boosted")
    assert (code, "boosted predicts classes" in err) == (2, True)


def test_one_tree_is_compared_with_boosted_trees(run, numbers: Path, tmp_path: Path) -> None:
    command = ("compare", numbers, "--target", "class", "--learners", "cart,boosted", "--folds", 2)
    first = run(*command, "--output", tmp_path / "page.html")[1].splitlines()[0]
    assert "cart" in first and "boosted" in first
