"""The command compare."""

from __future__ import annotations

import json
from pathlib import Path


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
    assert [json.loads(line)["kind"] for line in added.splitlines()] == [
        "run"
    ]  # no fold is run again
    assert (tmp_path / "numbers-comparison.html").exists()
    for wrong in ("cart", "cart,tree", "cart,cart"):
        code, _, err = run("compare", numbers, "--target", "class", "--learners", wrong)
        assert (code, "--learners" in err) == (2, True)


def test_compare_of_numbers(run, numbers: Path) -> None:
    code, printed, _ = run(
        *("compare", numbers, "--target", "x", "--folds", 2, "--learners", "cart,ctree")
    )
    assert code == 0
    assert "R2" in printed
